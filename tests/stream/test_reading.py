"""Files and standard input: which form, and what cannot be read."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from fencepost.errors import FileProblem, Problems
from fencepost.stream.jsonl import write_jsonl
from fencepost.stream.limits import LONGEST_LINE
from fencepost.stream.reading import form_of_name, form_of_text, load, read_text
from fencepost.stream.text import parse_text
from tests.stream.programs import plain

TEXT = "machine xbox-one\nqueue `é`: graphics\n  frame\n"
PROGRAM = parse_text(TEXT)
FORMS = {"text": TEXT, "jsonl": write_jsonl(PROGRAM)}


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("ending", ["right", "unknown", "none"])
def test_both_forms_are_read_from_files(tmp_path: Path, form: str, ending: str) -> None:
    endings = {"right": {"text": ".fence", "jsonl": ".jsonl"}[form], "unknown": ".txt", "none": ""}
    path = tmp_path / f"frame{endings[ending]}"
    path.write_text(FORMS[form], encoding="utf-8")
    program = load(path)
    assert program.file == str(path)
    assert program.queues[0].commands[0].place.file == str(path)
    assert [queue.name for queue in program.queues] == ["é"]
    assert load(str(path)) == program


@pytest.mark.parametrize("form", list(FORMS))
def test_both_forms_are_read_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    data = io.TextIOWrapper(io.BytesIO(FORMS[form].encode("utf-8")))
    monkeypatch.setattr(sys, "stdin", data)
    program = load("-")
    assert program.file == "<stdin>"
    assert plain(program) == plain(PROGRAM)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *[("a.fence", "text"), ("a.FENCE", "text"), ("a.jsonl", "jsonl"), ("a.ndjson", "jsonl")],
        *[("a.txt", ""), ("fence", ""), ("-", "")],
    ],
)
def test_forms_by_name(name: str, form: str) -> None:
    assert form_of_name(name) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [("{}", "jsonl"), (" \n\t{", "jsonl"), ("machine x", "text"), ("", "text"), ("# {", "text")],
)
def test_forms_by_the_first_character(text: str, form: str) -> None:
    assert form_of_text(text) == form


def test_a_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.fence"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode("utf-8"))
    assert plain(load(path)) == plain(PROGRAM)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "{file} is empty; expected a stream"),
        (b" \r\n\t\n", "{file} is empty; expected a stream"),
        (b"machine xbox-one\n\0", "{file}:2:1: a zero byte: this is no text; expected UTF-8 text"),
        (
            b"machine xbox-one\n# \xc3\xa9 \xff",
            "{file}:2:5: byte 0xff is no UTF-8; expected UTF-8 text",
        ),
        ("machine xbox-one\n".encode("utf-16"), "{file}:1:1: a zero byte: this is no text"),
        (b"# \xed\xa0\x80", "{file}:1:3: byte 0xed is no UTF-8"),
        (
            b"machine xbox-one\n" + b"x" * (LONGEST_LINE + 1),
            "{file}:2:1: a line of more than 1048576 bytes; expected shorter lines",
        ),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "a.fence"
    path.write_bytes(data)
    with pytest.raises(FileProblem) as caught:
        load(path)
    assert str(caught.value).startswith(problem.format(file=path))


def test_the_longest_line_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.fence"
    path.write_bytes(b"\n" * 999 + b"x" * LONGEST_LINE + b"\n\n" + b"y" * LONGEST_LINE)
    assert len(read_text(path)) == 2 * LONGEST_LINE + 1001


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(
        FileProblem, match=r"cannot read .*missing\.fence: no such file or directory"
    ):
        load(tmp_path / "missing.fence")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="is a directory"):
        load(tmp_path)


def test_a_name_that_no_file_can_have() -> None:
    with pytest.raises(FileProblem, match="null byte"):
        load("a\0b")


class Endless(io.RawIOBase):
    """A file of one line that never ends."""

    given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        self.given += len(buffer)
        buffer[:] = b"a" * len(buffer)
        return len(buffer)


def test_an_endless_line_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless()
    stream = io.BufferedReader(endless)  # type: ignore[type-var]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
    with pytest.raises(FileProblem, match="<stdin>:1:1: a line of more than 1048576 bytes"):
        load("-")
    assert endless.given <= 4 * LONGEST_LINE


def test_problems_of_the_program_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.fence"
    path.write_text("machine xbox-one\nqueue q: graphics\n  flush xs\n", encoding="utf-8")
    with pytest.raises(Problems) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}:3:9: unexpected 'xs'")
