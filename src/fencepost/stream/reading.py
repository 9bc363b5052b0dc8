"""Opens a stream, text or JSON Lines, and reads it (PM4 and other captures: `capture`)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO

from fencepost.errors import FileProblem
from fencepost.place import Place
from fencepost.stream.limits import LONGEST_LINE
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "<stdin>"
CHUNK = 1 << 20

TEXT = "text"
JSON_LINES = "jsonl"
EXTENSIONS: dict[str, str] = {".fence": TEXT, ".jsonl": JSON_LINES, ".ndjson": JSON_LINES}
"""The form of a stream by the end of its name; other names are judged by the first character."""


def load(path: Path | str) -> Program:
    """The program in a file, or on standard input for `-`.

    Raises `FileProblem` for what cannot be read, `Problems` for what reads but is wrong.
    """
    return read_source(read_text(path), name_of(path), form_of_name(path))


def read_source(text: str, file: str, form: str = "") -> Program:
    """The program of a text of that form; without one the first character decides."""
    if (form or form_of_text(text)) == JSON_LINES:
        from fencepost.stream.jsonl import read_jsonl  # noqa: PLC0415 - msgspec only where needed

        return read_jsonl(text, file)
    return parse_text(text, file)


def name_of(path: Path | str) -> str:
    """The name of an input as messages show it."""
    return STANDARD_INPUT_NAME if str(path) == STANDARD_INPUT else str(path)


def form_of_name(path: Path | str) -> str:
    """`text`, `jsonl`, or "" where the name does not say."""
    return EXTENSIONS.get(Path(path).suffix.lower(), "")


def form_of_text(text: str) -> str:
    """`jsonl` where the first character that is no space opens an object, else `text`."""
    return JSON_LINES if text[:CHUNK].lstrip()[:1] == "{" else TEXT


def read_text(path: Path | str) -> str:
    """The text of a file or of standard input (`-`): UTF-8, a byte order mark is dropped.

    Raises `FileProblem` where it is missing, a directory, empty, not UTF-8, holds a zero byte, or
    has a line longer than `LONGEST_LINE`; such a line is not read to its end.
    """
    file = name_of(path)
    data = read_bytes(path)
    if not data.strip():
        raise FileProblem(f"{file} is empty", expected="a stream")
    return decode(data, file)


def read_bytes(path: Path | str) -> bytes:
    """The bytes of a text file or of standard input (`-`), as they are.

    Raises `FileProblem` as `read_text`, but not for an empty file or one that is not UTF-8.
    """
    file = name_of(path)
    try:
        if file == STANDARD_INPUT_NAME:
            return _read(sys.stdin.buffer, file)
        with Path(path).open("rb") as stream:
            return _read(stream, file)
    except OSError as error:
        reason = "is a directory" if Path(path).is_dir() else (error.strerror or str(error)).lower()
        raise FileProblem(f"cannot read {file}: {reason}", expected="a readable file") from None
    except ValueError as error:  # a name with a zero character
        raise FileProblem(f"cannot read {file!r}: {error}", expected="the name of a file") from None


def _read(stream: BinaryIO, file: str) -> bytes:
    """Everything, in chunks, as long as it may be text."""
    chunks: list[bytes] = []
    lines = 0
    pending = 0
    while chunk := stream.read(CHUNK):
        if 0 in chunk:
            line = lines + chunk.count(b"\n", 0, chunk.index(0)) + 1
            raise FileProblem("a zero byte: this is no text", Place(file, line), "UTF-8 text")
        pending = _longest_open(chunk, pending, lines, file)
        lines += chunk.count(b"\n")
        chunks.append(chunk)
    return b"".join(chunks)


def _longest_open(chunk: bytes, pending: int, lines: int, file: str) -> int:
    """The length of the line that the chunk leaves open; raises where one is too long.

    A chunk is no longer than the limit, so only the line that it continues can exceed it.
    """
    first = chunk.find(b"\n")
    length = pending + (len(chunk) if first < 0 else first)
    if length > LONGEST_LINE:
        place = Place(file, lines + 1)
        raise FileProblem(f"a line of more than {LONGEST_LINE} bytes", place, "shorter lines")
    return length if first < 0 else len(chunk) - chunk.rfind(b"\n") - 1


def decode(data: bytes, file: str) -> str:
    """UTF-8 text without a byte order mark; raises `FileProblem` at a byte that is none."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        begin = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, begin) + 1
        column = len(data[begin : error.start].decode("utf-8")) + 1
        place = Place(file, line, column)
        problem = f"byte {data[error.start]:#04x} is no UTF-8"
        raise FileProblem(problem, place, "UTF-8 text") from None
