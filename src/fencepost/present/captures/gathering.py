"""From columns of text to integers, apart for every swap chain of every process."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from fencepost.errors import SyntaxProblem
from fencepost.present.captures.columns import Kind, Means
from fencepost.present.captures.dates import date_numbers
from fencepost.present.captures.numbers import (
    NotANumber,
    Numbers,
    clock_numbers,
    constant,
    numbers,
    whole_numbers,
)
from fencepost.present.captures.quantities import SIGNED
from fencepost.present.captures.rows import Header, Rows
from fencepost.present.captures.table import MISSING
from fencepost.present.captures.words import CODERS, EXPECTED, Coder, Key, key_of

KEYS = frozenset(Key._fields)

MOST_CHAINS = 4_096
"""Swap chains of a capture; ours, so that a broken column does not fill the memory."""


class Taken(NamedTuple):
    """A column of the file that is read: its place and its title there, and what it is."""

    place: int
    title: str
    means: Means


@dataclass(slots=True)
class Trouble:
    """Values of one column that cannot be: how many, and the line of the first."""

    title: str
    what: str
    row: str
    count: int = 0
    line: int = 0

    def add(self, count: int, line: int) -> None:
        """Count more of them."""
        self.line = self.line or line
        self.count += count

    @property
    def note(self) -> str:
        """One line for reports."""
        values = "1 value" if self.count == 1 else f"{self.count:,} values"
        return (
            f"{self.title}: {values} {self.what}, first in {self.row} {self.line}; taken as missing"
        )


class Pile:
    """A column that grows block by block; while it is all one value, only that is kept."""

    __slots__ = ("_count", "_value", "_values")

    def __init__(self) -> None:
        self._value: int | None = None
        self._count = 0
        self._values: array[int] | None = None

    def add(self, values: Sequence[int], same: bool) -> None:
        """Put values at the end; `same` if they are known to be equal."""
        if self._values is None and same and self._value in (None, values[0]):
            self._value = values[0]
            self._count += len(values)
            return
        if self._values is None:
            self._values = array("q", [self._value or 0]) * self._count
        self._values.extend(values)

    def column(self, shared: dict[tuple[int, int], array[int]]) -> array[int]:
        """All of it; columns of one value are `shared`, and not to be changed."""
        if self._values is not None:
            return self._values
        value, count = self._value or 0, self._count
        if (value, count) not in shared:
            shared[value, count] = array("q", [value]) * count
        return shared[value, count]


class Gatherer:
    """Takes blocks of rows; `chains` has what has come together."""

    def __init__(self, header: Header, taken: Sequence[Taken]) -> None:
        self.header = header
        self._chains: dict[Key, dict[str, Pile]] = {}
        self._trouble: dict[tuple[str, str], Trouble] = {}
        self._keys = [item for item in taken if item.means.quantity in KEYS]
        self._values = [item for item in taken if item.means.quantity not in KEYS]
        self._coders = {
            item.place: Coder(CODERS[item.means.kind])
            for item in self._values
            if item.means.kind in CODERS
        }
        self._ticks: dict[int, bool] = {}

    def add(self, rows: Rows) -> None:
        """Take a block; raises `SyntaxProblem` for a value that is none."""
        if not len(rows.lines):
            return
        found = {item.means.quantity: self._column(item, rows) for item in self._values}
        for key, places in self._split(rows):
            chain = self._chain(key, found)
            for quantity, column in found.items():
                values = column.values if places is None else _picked(column.values, places)
                chain[quantity].add(values, column.constant)

    def _chain(self, key: Key, found: Mapping[str, Numbers]) -> dict[str, Pile]:
        """What has come of a chain; raises `SyntaxProblem` for one too many."""
        chain = self._chains.get(key)
        if chain is None:
            if len(self._chains) == MOST_CHAINS:
                problem = f"more than {MOST_CHAINS:,} swap chains"
                raise SyntaxProblem(problem, self.header.place(0), "a capture of some programs")
            chain = self._chains[key] = {quantity: Pile() for quantity in found}
        return chain

    def chains(self) -> dict[Key, dict[str, array[int]]]:
        """Raw columns of each chain, by quantity."""
        shared: dict[tuple[int, int], array[int]] = {}
        return {
            key: {quantity: pile.column(shared) for quantity, pile in chain.items()}
            for key, chain in self._chains.items()
        }

    def _split(self, rows: Rows) -> list[tuple[Key, list[int] | None]]:
        """The chains of a block and their rows; None for all of them."""
        names = [item.means.quantity for item in self._keys]
        columns = [rows.columns[item.place] for item in self._keys]
        count = len(rows.lines)
        if all(column.count(column[0]) == count for column in columns):
            return [(key_of(names, [column[0] for column in columns]), None)]
        places: dict[tuple[str, ...], list[int]] = {}
        for place, texts in enumerate(zip(*columns, strict=True)):
            places.setdefault(texts, []).append(place)
        return [(key_of(names, texts), found) for texts, found in places.items()]

    def _column(self, item: Taken, rows: Rows) -> Numbers:
        kind = item.means.kind
        try:
            found = rows.numbers.get(item.place) or self._from_text(item, rows.columns[item.place])
        except NotANumber as error:
            raise self._no_number(item, rows, error.row) from None
        if found.impossible:
            line = rows.lines[found.row]
            self._note(item.title, "not finite or too large", found.impossible, line)
        if (
            found.negative
            and kind in (Kind.MS, Kind.PERCENT, Kind.PS)
            and item.means.quantity not in SIGNED
        ):
            self._without_negatives(item, rows, found.values)
        return found

    def _from_text(self, item: Taken, texts: list[str]) -> Numbers:
        coded = item.means.kind in CODERS
        return self._coded(item, texts) if coded else self._numbers(item, texts)

    def _coded(self, item: Taken, texts: list[str]) -> Numbers:
        coder = self._coders[item.place]
        if texts.count(texts[0]) == len(texts):
            try:
                return Numbers(constant(coder[texts[0]], len(texts)), constant=True)
            except ValueError:
                raise NotANumber(0) from None
        values = array("q")
        try:
            values.extend(map(coder.__getitem__, texts))
        except ValueError:
            raise NotANumber(len(values)) from None
        return Numbers(values)

    def _numbers(self, item: Taken, texts: list[str]) -> Numbers:
        if self.header.delimiter != ",":
            texts = _with_points(texts)
        means = item.means
        if means.kind is Kind.CLOCK:
            return self._clock(item, texts)
        if means.kind is Kind.PS:
            return whole_numbers(texts)
        return numbers(texts, 9)

    def _clock(self, item: Taken, texts: list[str]) -> Numbers:
        """Ticks and nanoseconds as they are, dates in ns, all else in 10**-9 of its unit."""
        unit = item.means.unit
        if unit == "date":
            return date_numbers(texts)
        if unit == "?":
            whole = self._ticks.setdefault(item.place, "." not in texts[0])
            unit = "ticks" if whole else "decimal"
        return whole_numbers(texts) if unit in ("ticks", "ns") else clock_numbers(texts)

    @property
    def ticks(self) -> Mapping[int, bool]:
        """Of clocks whose unit is open, whether they are written in whole numbers."""
        return self._ticks

    def notes(self) -> list[str]:
        """What had to be taken as missing, a line each."""
        lines = [trouble.note for trouble in self._trouble.values()]
        for item in self._values:
            coder = self._coders.get(item.place)
            if coder is not None and coder.unknown:
                words = "1 unknown word" if coder.unknown == 1 else f"{coder.unknown} unknown words"
                lines.append(f"{item.title}: {words}, taken as Other")
        return lines

    def _without_negatives(self, item: Taken, rows: Rows, values: array[int]) -> None:
        wrong = [row for row, value in enumerate(values) if MISSING < value < 0]
        for row in wrong:
            values[row] = MISSING
        if wrong:
            self._note(item.title, "negative", len(wrong), rows.lines[wrong[0]])

    def _note(self, title: str, what: str, count: int, line: int) -> None:
        """Remember values that cannot be."""
        new = Trouble(title, what, self.header.row)
        self._trouble.setdefault((title, what), new).add(count, line)

    def _no_number(self, item: Taken, rows: Rows, row: int) -> SyntaxProblem:
        """What is wrong; the value itself may be a path, so it is not said."""
        place = self.header.place(rows.lines[row])
        text = rows.columns[item.place][row].strip().lower()
        if text == self.header.names[item.place]:
            return SyntaxProblem("a second header", place, "one capture in a file")
        expected = EXPECTED.get(item.means.kind, "a number or NA")
        if self.header.delimiter != ",":
            expected += "; decimals all with a point, or all with a comma"
        where = "" if self.header.row == "line" else f" in row {rows.lines[row]}"
        return SyntaxProblem(f"{item.title}{where} cannot be read", place, expected)


def _picked(values: array[int], places: list[int]) -> tuple[int, ...]:
    if len(places) == 1:
        return (values[places[0]],)
    found: tuple[int, ...] = itemgetter(*places)(values)
    return found


def _with_points(texts: list[str]) -> list[str]:
    """Numbers with decimal commas, as a table with another separator may have them."""
    if not any("," in text for text in texts):
        return texts
    for row, text in enumerate(texts):
        if "." in text:  # a point beside commas: thousands, or another locale
            raise NotANumber(row)
    return [text.replace(",", ".") for text in texts]
