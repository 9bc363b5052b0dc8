"""Where something was read from: a file, a line, and for binary streams a byte offset."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A position in an input file; `offset` is in bytes.

    `line` and `column` count from 1; line 0 is the file as a whole.
    """

    file: str
    line: int
    column: int = 1
    offset: int | None = None

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return where if self.offset is None else f"{where} (offset {self.offset:#x})"


NOWHERE = Place("<program>", 0)
