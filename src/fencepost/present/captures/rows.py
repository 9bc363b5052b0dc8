"""Tables of text: the header, wherever it stands, and the rows below it as columns of text.

Almost every block is split at once; one with quotes, empty lines or rows of another length is gone
through line by line.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.present.captures.dialects import Dialect, dialect_of, sampled_of
from fencepost.present.captures.numbers import Numbers
from fencepost.present.captures.scanning import Scanned

HEADER_LINES = 64
"""How many lines may stand above the header."""

DELIMITERS = (",", ";", "\t")
EXPECTED = "PresentMon, FrameView, OCAT, CapFrameX or MangoHud"


@dataclass(frozen=True, slots=True)
class Header:
    """Names in lower case, as written in `titles`; the line they stand in counts from 1."""

    file: str
    dialect: Dialect
    names: tuple[str, ...]
    titles: tuple[str, ...]
    delimiter: str
    line: int
    above: tuple[str, ...] = ()
    row: str = "line"
    """What rows are counted in: `line` of the file, or `row` where they are no lines."""

    def place(self, line: int) -> Place:
        """A line of the file, or the file where rows are no lines."""
        return Place(self.file, line if self.row == "line" else 0)


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns of text, by their place in the header, and the line that each row stands in."""

    columns: dict[int, list[str]]
    lines: Sequence[int]
    cut: int = 0
    """The line of a last row that was cut short and is not here, or 0."""

    numbers: Mapping[int, Numbers] = field(default_factory=dict)
    """In place of `columns` for those that were read without their text."""


def find_header(text: str, file: str) -> Header:
    """The header in the first block of a file; raises `SyntaxProblem` where there is none."""
    lines = text.split("\n", HEADER_LINES)[:HEADER_LINES]
    for number, line in enumerate(lines, start=1):
        for delimiter in DELIMITERS:
            titles = tuple(title.strip() for title in _titles(line, delimiter))
            names = tuple(title.lower() for title in titles)
            dialect = dialect_of(names)
            if dialect is not None:
                above = tuple(lines[: number - 1])
                return Header(file, dialect, names, titles, delimiter, number, above)
    refuse_sampled("\n".join(lines), file)
    raise SyntaxProblem("no capture of presents that is known here", Place(file, 0), EXPECTED)


def _titles(line: str, delimiter: str) -> list[str]:
    """The names of a line that may be a header."""
    if '"' not in line:
        return line.split(delimiter)
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def refuse_sampled(head: str, file: str) -> None:
    """Raise `SyntaxProblem` where a text begins as a log of samples does."""
    sampled = sampled_of(head)
    if sampled is not None:
        raise SyntaxProblem(sampled.problem, Place(file, 0), sampled.expected)


Scan = Callable[[bytes, int], "Scanned | None"]
"""Makes numbers of a block and the number of its rows, or None."""


def below(
    header: Header, blocks: Iterable[bytes], wanted: Sequence[int], scan: Scan | None = None
) -> Iterator[Rows]:
    """The rows under a header, block by block; `wanted` are places of columns.

    `blocks` is all of the text, the header included. `scan` is asked for each block first. Raises
    `SyntaxProblem` for rows that do not fit the header.
    """
    line = 1
    pending: _Block | None = None
    for block in blocks:
        if line == 1:
            data = block.split(b"\n", header.line)[header.line]
            first = header.line + 1
        else:
            data, first = block, line
        count = data.count(b"\n")
        line = first + count
        if pending is not None:
            yield _rows(header, pending, wanted, scan)
        pending = _Block(data, first, count) if data else None
    if pending is not None:
        yield _rows(header, pending._replace(last=True), wanted, scan)


class _Block(NamedTuple):
    """Whole lines, the number of the first, how many they are, and whether they are the last."""

    data: bytes
    first: int
    lines: int
    last: bool = False


def _rows(header: Header, block: _Block, wanted: Sequence[int], scan: Scan | None) -> Rows:
    lines = range(block.first, block.first + block.lines)
    scanned = scan(block.data, block.lines) if scan else None
    if scanned is not None:
        return Rows(scanned.words, lines, numbers=scanned.numbers)
    text = block.data.decode("utf-8", "replace")
    if '"' not in text:
        found = _split(header, text, block.lines, wanted)
        if found is not None:
            return Rows(found, lines)
    return _line_by_line(header, text.split("\n")[:-1], block, wanted)


def _split(
    header: Header, text: str, rows: int, wanted: Sequence[int]
) -> dict[int, list[str]] | None:
    """Columns of a text whose rows are all as long as the header; None for others.

    The end of a line becomes a value of its own, which has to be the last one of every row.
    """
    width, comma = len(header.names), header.delimiter
    flat = text.replace("\n", f"{comma}\n{comma}").split(comma)
    ends = flat[width :: width + 1]
    if len(flat) != rows * (width + 1) + 1 or ends.count("\n") != rows:
        return None
    return {place: flat[place : -1 : width + 1] for place in wanted}


def _line_by_line(
    header: Header, lines: Sequence[str], block: _Block, wanted: Sequence[int]
) -> Rows:
    first = block.first
    filled = [number for number, line in enumerate(lines) if line.strip()]
    need = max(wanted, default=0) + 1
    kept: list[Sequence[str]] = []
    numbers: list[int] = []
    cut = 0
    for number, fields in zip(filled, _records(header, first, lines, filled), strict=True):
        if len(fields) < need:
            if block.last and number == filled[-1]:
                cut = first + number
                continue
            raise _unfit(header, first + number, len(fields))
        if len(fields) > len(header.names) and any(map(str.strip, fields[len(header.names) :])):
            raise _unfit(header, first + number, len(fields))
        kept.append(fields)
        numbers.append(first + number)
    return Rows({place: [fields[place] for fields in kept] for place in wanted}, numbers, cut)


def _records(
    header: Header, first: int, lines: Sequence[str], filled: Sequence[int]
) -> Iterator[Sequence[str]]:
    """The fields of every line that has any."""
    reader = csv.reader((lines[number] for number in filled), delimiter=header.delimiter)
    for count, number in enumerate(filled, start=1):
        place = header.place(first + number)
        try:
            fields = next(reader)
        except csv.Error as error:
            raise SyntaxProblem(f"no row of a table ({error})", place) from None
        if reader.line_num != count:
            raise SyntaxProblem("a quote is not closed", place, "a row on one line")
        yield fields


def _unfit(header: Header, line: int, count: int) -> SyntaxProblem:
    problem = f"{count} values under a header of {len(header.names)} columns"
    hint = " (decimal commas need another separator, or quotes)" if header.delimiter == "," else ""
    return SyntaxProblem(problem, header.place(line), f"as many{hint if count > 1 else ''}")
