"""`fencepost present`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.present.words import WORDS, words_of
from tests.cli.run import raising, run
from tests.cli.test_bad_input import JUNK, fits
from tests.present.capture_file import EXAMPLE
from tests.present.figures import FIGURES
from tests.present.real_captures import DIRECTORY, names, needs_data

FIGURE_2 = ("--simulate", "cpu=16.2", "gpu=15.4", "buffers=2", "bind=early")


def complaint(*words: str | Path) -> str:
    result = run("present", *words)
    assert (result.code, result.raw) == (2, b"")
    (line,) = result.complaints
    return line


def test_the_example() -> None:
    result = run("present", EXAMPLE)
    assert (result.code, result.err) == (0, "")
    assert ": present-bound (visible-buffer, 100 % of the time)" in result.out


def test_the_seeds_figures_need_no_capture() -> None:
    result = run("present", *FIGURE_2, "--what-if", "bind=late", "--what-if", "buffers=3")
    assert result.code == 0
    assert "  as simulated  30.0 " in result.out
    assert "  bind=late     60.0 " in result.out
    assert "  buffers=3     60.0 " in result.out


@needs_data
@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("pm_aux_F00_heaven_windowed.csv", "present-bound"),
        ("capframex_judgment.json", "present-bound"),
        ("pmcap_apex_dx12.csv", "gpu-bound"),
        ("pm1_csgo.csv", "compositor-limited"),
        ("capframex_csv_re2.csv", "compositor-limited"),
    ],
)
def test_real_captures(name: str, verdict: str) -> None:
    result = run("present", DIRECTORY / name, "--format", "json")
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.raw)["chains"][0]["verdict"] == verdict


@needs_data
@pytest.mark.parametrize("name", names())
def test_every_real_capture_is_diagnosed_or_refused(name: str) -> None:
    result = run("present", DIRECTORY / name, "--replay")
    fits(result)
    sampled = name.startswith(("afterburner", "mangohud"))
    assert result.code == (2 if sampled else 0)


def test_exit_codes_follow_what_is_asked_for() -> None:
    assert run("present", EXAMPLE, "--fail-on", "gpu-bound,cpu-bound").code == 0
    assert run("present", EXAMPLE, "--fail-on", "gpu-bound,present-bound").code == 1
    assert run("present", *FIGURE_2, "--fail-on", "present-bound").code == 1
    assert run("present", EXAMPLE, "--fail-on", "none").code == 0


REFUSED = [
    ((), "no capture; expected CAPTURE, or --simulate cpu=MS gpu=MS ..."),
    (("--what-if", "buffers=3", EXAMPLE), "stands among settings; expected the capture in front"),
    (("--own", EXAMPLE), "stands among settings; expected the capture in front of them"),
    ((EXAMPLE, *FIGURE_2), "a capture and --simulate; expected CAPTURE, or --simulate"),
    ((*FIGURE_2, "--replay"), "--own, --replay, --chain and --table are about a capture"),
    ((*FIGURE_2, "--chain", "x"), "--own, --replay, --chain and --table are about a capture"),
    ((EXAMPLE, "--chain", "nobody*"), "no swap chain 'nobody*'; expected title.exe 4242"),
    ((EXAMPLE, "--fail-on", "slow"), "--fail-on: 'slow' is none of gpu-bound"),
    ((EXAMPLE, "--what-if", "interval=5"), "what-if 'interval=5': interval is 5"),
    ((EXAMPLE, "--what-if", "buffers=0"), "what-if 'buffers=0': buffers is 0"),
    ((EXAMPLE, "--what-if", "buffers=4"), "what-if 'buffers=4': buffers is 4"),
    ((EXAMPLE, "--what-if", "threshold=101"), "what-if 'threshold=101': threshold is 101"),
    ((EXAMPLE, "--what-if", "refresh=NaN"), "what-if 'refresh=NaN': refresh is NaN"),
    ((EXAMPLE, "--what-if", "cap=inf"), "what-if 'cap=inf': cap is inf"),
    ((EXAMPLE, "--what-if", "bufers=3"), "unknown setting 'bufers' (did you mean 'buffers'?)"),
    ((EXAMPLE, "--what-if", "cap-at=present"), "what-if 'cap-at=present': cap-at without a cap"),
    ((EXAMPLE, "--what-if"), "argument --what-if: expected at least one argument"),
    ((EXAMPLE, "--own", "bufers=3"), "unknown setting 'bufers' (did you mean 'buffers'?)"),
    ((EXAMPLE, "--own", "interval=7"), "interval is 7; expected an integer, 0 to 4"),
    (("--simulate", "gpu=3"), "no cpu time; expected cpu=MILLISECONDS"),
    (("--simulate", "cpu=nan", "gpu=3"), "cpu is nan; expected a finite number"),
    (("--simulate", "cpu=-1", "gpu=3"), "cpu is -1 ms; expected 0 to 1000000 ms"),
    (("--simulate", "cpu=1", "gpu=3", "interval=5"), "interval is 5; expected an integer"),
    (("--simulate", "cpu=1", "gpu=3", "gpus=3"), "unknown setting 'gpus' (did you mean 'gpu'?)"),
    (("--simulate", "cpu=1", "gpu=3", "frame=9"), "unknown setting 'frame' (did you mean 'frames'"),
    (("--simulate", "cpu=1", "gpu=3", "waitable"), "a waitable object without a maximum frame"),
    (("--simulate", "cpu=1", "gpu=norml(1,2)"), "gpu has the unknown distribution norml"),
    (("--simulate", "cpu=1", "gpu=1", "interval=0", "threshold=9"), "a threshold means nothing"),
    (("nowhere.csv",), "nowhere.csv"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_bad_arguments_are_one_clear_line(words: tuple[str, ...], message: str) -> None:
    assert message in complaint(*words)


def test_chains_are_chosen_by_name() -> None:
    one = run("present", EXAMPLE, "--chain", "title.exe")
    other = run("present", EXAMPLE, "--chain", "*0x1f2a0c0ffe0*", "--chain", "title*")
    assert one.code == other.code == 0
    assert one.raw == other.raw


@needs_data
def test_a_chosen_chain_is_shown_in_full() -> None:
    path = DIRECTORY / "pm_gold_0_v24.csv"
    result = run("present", path, "--chain", "*0x20979a6d5f8*", "--replay")
    assert ": present-bound (swap-throttle" in result.out
    assert "Played again" in result.out
    assert "Other swap chains" not in result.out


def test_settings_that_are_known_are_taken() -> None:
    result = run("present", EXAMPLE, "--own", "buffers=2", "bind=early", "--format", "json")
    (chain,) = json.loads(result.raw)["chains"]
    assert "buffers=2" in chain["replay"]["settings"]
    assert chain["replay"]["chosen"] == ["overhead", "kickoff"]


@pytest.mark.parametrize("name", ["figure-2", "figure-4", "thirty-late"])
def test_words_of_a_file(name: str) -> None:
    path = FIGURES / f"{name}.txt"
    given = words_of(path.read_text(encoding="utf-8"))
    one = run("present", "--simulate", f"@{path}", "--what-if", "buffers=3")
    assert one.code == 0
    assert one.raw == run("present", "--simulate", *given, "--what-if", "buffers=3").raw


def test_a_file_of_words_that_is_not_there() -> None:
    assert "nowhere.txt" in complaint("--simulate", "@nowhere.txt")
    assert "nowhere.txt" in complaint(EXAMPLE, "--what-if", "@nowhere.txt")
    assert "nowhere.txt" in complaint(EXAMPLE, "--own", "@nowhere.txt")


def test_a_queue_that_nothing_bounds_is_told() -> None:
    endless = run("present", "--simulate", "cpu=5", "gpu=30", "buffers=1")
    assert "latency grows for as long as the frames last" in endless.out
    bounded = run("present", "--simulate", "cpu=5", "gpu=30", "buffers=1", "in-flight=2")
    assert "latency grows" not in bounded.out


def test_standard_input() -> None:
    result = run("present", "-", stdin=EXAMPLE.read_bytes())
    assert result.code == 0
    assert "present-bound (visible-buffer" in result.out


def test_files_are_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "report.json"
    words = ("present", EXAMPLE, "--format", "json", "--output", target)
    assert run(*words).code == 0
    before = target.read_bytes()
    assert "exists already" in complaint(*words[1:])
    assert run(*words, "--force").code == 0
    assert target.read_bytes() == before
    monkeypatch.setattr("os.replace", raising(OSError("disk full")))
    assert run(*words, "--force").code == 2
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]


def test_a_bad_target_is_found_before_the_work(tmp_path: Path) -> None:
    words = ("--output", tmp_path / "no" / "report.txt")
    assert "its directory does not exist" in complaint("nowhere.csv", *words)


def test_a_capture_that_cannot_be_played_says_so(tmp_path: Path) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    path = tmp_path / "few.csv"
    path.write_text("\n".join(lines[:12]) + "\n", encoding="utf-8")
    result = run("present", path, "--what-if", "buffers=3")
    assert result.code == 0
    assert "not possible: 11 frames shown are too few to play the capture again" in result.out


@pytest.mark.parametrize("rows", [0, 1])
def test_a_capture_of_nothing_is_refused(tmp_path: Path, rows: int) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()[: rows + 1]
    path = tmp_path / "short.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert complaint(path, "--replay").startswith(str(path))


@pytest.mark.parametrize("rows", [2, 3, 12, 13, 20])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_short_capture_is_no_trouble(tmp_path: Path, rows: int, form: str) -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()[: rows + 1]
    path = tmp_path / "short.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run("present", path, "--what-if", "buffers=3", "--format", form)
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_refused(tmp_path: Path, junk: str) -> None:
    path = tmp_path / "junk"
    path.write_bytes(JUNK[junk])
    result = run("present", path)
    fits(result)
    assert result.code == 2


WORDS_OF = st.sampled_from([word.name for word in WORDS] + ["cpu", "gpu", "frames", "x", ""])
VALUES = st.sampled_from(["", "0", "1", "3", "5", "-1", "nan", "1e9", "off", "late", "normal(1,2)"])


@given(st.lists(st.builds("{}={}".format, WORDS_OF, VALUES) | st.text(max_size=8), max_size=4))
def test_any_words_are_played_or_refused(words: list[str]) -> None:
    made = [word.replace("\x00", "").lstrip("-") for word in words]
    fits(run("present", "--simulate", "cpu=2", "gpu=3", "frames=20", *made))
    if made:
        fits(run("present", "--simulate", "cpu=2", "gpu=3", "frames=20", "--what-if", *made))


@pytest.mark.fuzz
@given(st.binary(max_size=200) | st.text(max_size=60).map(str.encode))
def test_fuzz_a_file_of_words(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "words"
        path.write_bytes(data)
        fits(run("present", "--simulate", "cpu=2", "gpu=3", "frames=20", f"@{path}"))


LINES = EXAMPLE.read_text(encoding="utf-8").splitlines()
COLUMNS = LINES[0].split(",")
ODD = st.sampled_from(
    ["", "NA", "0", "0.0000", "-1", "-3.5", "1e-9", "999999", "33.3333", "nan", "5"]
)


@pytest.mark.fuzz
@given(
    st.integers(2, 60),
    st.lists(
        st.tuples(st.integers(1, 60), st.sampled_from(range(4, len(COLUMNS))), ODD), max_size=9
    ),
    st.sets(st.sampled_from(range(4, len(COLUMNS))), max_size=3),
    st.sampled_from(["text", "json"]),
)
def test_fuzz_changed_captures(
    rows: int, changes: list[tuple[int, int, str]], gone: set[int], form: str
) -> None:
    """From the file to the report, whatever stands in its fields and whichever columns it lacks."""
    table = [line.split(",") for line in LINES[: rows + 1]]
    for row, column, text in changes:
        if row < len(table):
            table[row][column] = text
    kept = [[cell for at, cell in enumerate(row) if at not in gone] for row in table]
    data = "\n".join(",".join(row) for row in kept).encode()
    fits(run("present", "-", "--what-if", "latency=1", "--replay", "--format", form, stdin=data))


@pytest.mark.fuzz
@given(
    st.lists(st.tuples(*[ODD] * 5), min_size=17, max_size=30),
    st.sampled_from(["-1", "0", "1", "2"]),
    st.sampled_from(["Composed: Flip", "Hardware: Independent Flip", "Other"]),
)
def test_fuzz_odd_captures(rows: list[tuple[str, ...]], interval: str, mode: str) -> None:
    head = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,AllowsTearing,PresentMode,"
    head += "Dropped,TimeInSeconds,MsBetweenPresents,MsInPresentAPI,MsUntilRenderComplete,"
    head += "MsUntilDisplayed,msGPUActive"
    lines = [head]
    for number, (between, inside, end, shown, busy) in enumerate(rows):
        dropped = int(shown in ("", "NA"))
        times = f"{number / 60:.6f},{between},{inside},{end},{shown},{busy}"
        lines.append(f"a.exe,1,0x1,DXGI,{interval},0,{mode},{dropped},{times}")
    data = "\n".join(lines).encode()
    fits(run("present", "-", "--what-if", "buffers=2", "--format", "json", stdin=data))
