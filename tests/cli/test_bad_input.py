"""Whatever the files hold and the arguments say: an exit code, one line a problem, no traceback."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.cli.main import VERBS
from tests.cli.run import BROKEN, CLEAN, HAZARD, Result, raising, run
from tests.project.repository import ROOT

JUNK: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t\r\n",
    "zeros": bytes(1000),
    "binary": bytes(range(256)) * 8,
    "latin-1": b"machine xbox-one\nbuffer caf\xe9 64\n",
    "utf-16": CLEAN.encode("utf-16"),
    "half a character": b"machine xbox-one # \xe2\x82",
    "one long line": b"draw " * 300_000,
    "nesting": b"{" * 100_000,
    "json": b"[1, 2, 3]",
    "json lines of another kind": b'{"a": 1}\n{"b": 2}\n',
    "deep json": b'{"a":' * 50_000,
    "brackets": b"draw ps.texture x" + b"[" * 10_000,
    "only a comment": b"# nothing\n",
    "elf": b"\x7fELF\x02\x01\x01" + bytes(64),
    "terminal codes": b"\x1b[2J\x1b]0;title\x07\n",
    "pm4 start": b"# ctx=1 chunks=1\n",
    "mesa marker": b"------------------ GFX begin (dw = 0) ------------------\n",
    "broken": BROKEN.encode(),
}
VERBS_WITH_FILES = (
    ("plan",),
    ("simulate",),
    ("fix", "--explain"),
    ("check",),
    ("check", "--format", "json"),
    ("convert", "--to", "text"),
    ("fmt",),
    ("fmt", "--check"),
)


def fits(result: Result) -> None:
    """The promise to the caller: 0 or 1 with a result, 2 with complaints and no result."""
    if result.code == 2:
        assert result.complaints
        assert result.raw == b""
        assert not any(ord(c) < 32 or ord(c) == 127 for line in result.complaints for c in line)
    else:
        assert result.code in (0, 1)
        assert "fencepost: error: " not in result.err


@pytest.mark.parametrize("words", VERBS_WITH_FILES, ids=" ".join)
@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_refused(tmp_path: Path, words: tuple[str, ...], junk: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(JUNK[junk])
    result = run(*words, file)
    fits(result)
    assert result.code == 2
    assert run(*words, "-", stdin=JUNK[junk]).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


BESIDE = [
    (option, name)
    for option in ("--annotations", "--suppress", "--baseline")
    for name in JUNK
    if option == "--baseline" or name not in ("empty", "blank", "only a comment", "pm4 start")
]


@pytest.mark.parametrize(("option", "junk"), BESIDE)
def test_junk_beside_a_good_stream_is_refused(tmp_path: Path, option: str, junk: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(JUNK[junk])
    good = ROOT / "examples" / "pm4" / "ffmpeg-avgblur.txt"
    result = run("check", good, option, file)
    fits(result)
    assert result.code == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (".", "is a directory"),
        ("missing", "no such file"),
        ("missing\0byte", "null byte"),
        ("x" * 5000, "name too long"),
        ("a\udcff", "no such file"),
    ],
)
@pytest.mark.parametrize("words", VERBS_WITH_FILES, ids=" ".join)
def test_what_is_no_file_is_refused(
    tmp_path: Path, words: tuple[str, ...], name: str, said: str
) -> None:
    result = run(*words, f"{tmp_path}/{name}")
    fits(result)
    assert result.code == 2
    assert said in result.complaints[0].lower()


@pytest.mark.parametrize("words", VERBS_WITH_FILES, ids=" ".join)
def test_an_unreadable_file_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    file = tmp_path / "file"
    file.write_text(CLEAN, encoding="utf-8")

    refuse = raising(PermissionError(13, "Permission denied", str(file)))
    monkeypatch.setattr(Path, "open", refuse)  # root may read everything
    monkeypatch.setattr(Path, "read_bytes", refuse)
    result = run(*words, file)
    fits(result)
    assert result.code == 2
    assert "permission denied" in result.complaints[0].lower()


def on_file(data: bytes, *words: str) -> None:
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "file"
        file.write_bytes(data)
        fits(run(*words, file))


LINES = [*CLEAN.splitlines(), *HAZARD.splitlines(), *BROKEN.splitlines(), "frame", "kickoff", "}"]


@given(st.binary(), st.sampled_from(VERBS_WITH_FILES))
def test_fuzz_any_bytes(data: bytes, words: tuple[str, ...]) -> None:
    on_file(data, *words)


@given(st.text(), st.sampled_from(VERBS_WITH_FILES))
def test_fuzz_any_text(text: str, words: tuple[str, ...]) -> None:
    on_file(text.encode("utf-8", "surrogatepass"), *words)


@given(st.lists(st.sampled_from(LINES)), st.sampled_from(VERBS_WITH_FILES))
def test_fuzz_lines_in_any_order(lines: list[str], words: tuple[str, ...]) -> None:
    on_file("\n".join(lines).encode(), *words)


@given(
    st.sampled_from(sorted(VERBS)),
    st.lists(
        st.one_of(
            st.text(st.characters(exclude_characters="\0"), max_size=8),
            st.sampled_from(["--why", "--frames", "--fail-on", "--format", "json", "1", "-", "x"]),
        ),
        max_size=5,
    ),
)
def test_fuzz_any_arguments(verb: str, words: list[str]) -> None:
    if not {"-h", "--help", "--output", "-o", "--write"} & set(words):
        fits(run(verb, *words, stdin=CLEAN.encode()))
