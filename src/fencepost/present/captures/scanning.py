"""Blocks of rows without their text: where the kernel is compiled, and a block is plain.

A plain block has numbers written as `12.3456` or `NA`, and few different words in each column of
words. Any other is split into text, and gives the same (docs/present-captures.md).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

from fencepost._kernels import is_compiled
from fencepost.present.captures import cells
from fencepost.present.captures.columns import Kind, Means
from fencepost.present.captures.numbers import MOST, Numbers, constant
from fencepost.present.captures.table import MISSING

SKIPPED, NUMBER, WORD = 0, 1, 2
WORDS = 16
BELOW_ZERO, GIVEN = 1, 2
"""As `cells` has them, whose compiled form shows no constants."""

LARGEST = 10**18
"""Units that a clock, or our own table, may have."""

_NUMBERS = (Kind.MS, Kind.SIGNED, Kind.PERCENT, Kind.PS, Kind.CLOCK)


@dataclass(frozen=True, slots=True)
class Scanned:
    """Columns of a block by their place: numbers, and words as text."""

    numbers: dict[int, Numbers]
    words: dict[int, list[str]]


class Scanner:
    """Reads blocks of one file. `wanted` are its columns that are taken, by their place."""

    def __init__(self, width: int, delimiter: str, wanted: Mapping[int, Means]) -> None:
        self._delimiter = ord(delimiter)
        self._wanted = wanted
        self._slots = {place: slot for slot, place in enumerate(wanted)}
        kinds = {at: NUMBER if means.kind in _NUMBERS else WORD for at, means in wanted.items()}
        self._kinds = _column(width, kinds, SKIPPED)
        self._places = _column(width, self._slots, 0)
        self.usable = (
            delimiter == ","
            and is_compiled(cells)
            and not any(means.unit == "date" for means in wanted.values())
        )

    def scan(self, data: bytes, rows: int, ticks: Mapping[int, bool]) -> Scanned | None:
        """A block of whole lines, or None where it is not plain.

        `ticks` says of clocks whose unit is open whether they are written in whole numbers.
        """
        scales = {place: _scale(means, ticks.get(place)) for place, means in self._wanted.items()}
        if not self.usable or b'"' in data or any(scale is None for scale in scales.values()):
            return None
        width, count = len(self._kinds), len(self._slots)
        digits = _column(width, {at: scale[0] for at, scale in scales.items() if scale}, 0)
        limits = _column(width, {at: scale[1] for at, scale in scales.items() if scale}, 0)
        out, seen = array("q", [0]) * (rows * count), array("q", [0]) * count
        words = array("q", [0]) * (2 * WORDS * count)
        places = (self._kinds, self._places, digits, limits)
        if not cells.scan(data, self._delimiter, *places, rows, out, words, seen):
            return None
        numbers, texts = {}, {}
        for place, slot in self._slots.items():
            values = out[slot * rows : (slot + 1) * rows]
            if self._kinds[place] == NUMBER:
                numbers[place] = _numbers(values, seen[slot])
            else:
                spans = words[2 * WORDS * slot : 2 * WORDS * slot + 2 * seen[slot]]
                texts[place] = _texts(data, spans, values)
        return Scanned(numbers, texts)


def _column(width: int, values: Mapping[int, int], other: int) -> array[int]:
    return array("q", [values.get(place, other) for place in range(width)])


def _scale(means: Means, whole: bool | None) -> tuple[int, int] | None:
    """Digits behind the point and the largest number; None where that is not known yet."""
    if means.kind is Kind.PS or means.unit in ("ticks", "ns"):
        return 0, LARGEST
    if means.kind is not Kind.CLOCK:
        return 9, MOST
    if means.unit == "?" and whole is None:
        return None
    return (0 if whole else 9), LARGEST


def _numbers(values: array[int], seen: int) -> Numbers:
    if not seen & GIVEN:
        return Numbers(constant(MISSING, len(values)), constant=True)
    return Numbers(values, negative=bool(seen & BELOW_ZERO))


def _texts(data: bytes, spans: array[int], which: array[int]) -> list[str]:
    """The word of each row."""
    pairs = zip(spans[::2], spans[1::2], strict=True)
    words = [data[begin:end].decode("utf-8", "replace") for begin, end in pairs]
    return words * len(which) if len(words) == 1 else [words[index] for index in which]
