"""Lines of a text capture, each with its number; nothing that is not text gets through."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from fencepost.errors import FileProblem, SyntaxProblem
from fencepost.place import Place

LONGEST_LINE = 64 * 1024
"""Bytes. A longer line is no line of a text capture; refusing it keeps memory small."""


def open_capture(path: Path) -> BinaryIO:
    """Open a capture for reading; raises `FileProblem` when that cannot be done."""
    place = Place(str(path), 0)
    if path.is_dir():
        raise FileProblem("is a directory", place, "a capture file")
    try:
        return path.open("rb")
    except OSError as error:
        raise FileProblem(error.strerror or "cannot be read", place, "a capture file") from None


def read_lines(stream: BinaryIO, file: str) -> Iterator[tuple[int, str]]:
    r"""Number (from 1) and text of every line, without its `\n` or `\r\n`.

    Raises `SyntaxProblem` at a line of more than `LONGEST_LINE` bytes or one that is not UTF-8.
    """
    number = 0
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            place = Place(file, number, LONGEST_LINE + 1)
            raise SyntaxProblem(
                "the line is too long", place, f"at most {LONGEST_LINE} bytes a line"
            )
        yield number, _decode(raw, file, number).rstrip("\r\n")


def _decode(raw: bytes, file: str, number: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(file, number, error.start + 1)
        problem = f"byte {raw[error.start]:#04x} is not text"
        raise SyntaxProblem(problem, place, "UTF-8") from None
