"""Blocks of rows without their text: where the kernel is compiled, and a block is plain.

A plain block is of one swap chain in one present mode, with numbers written as `12.3456` or `NA`.
Any other is split into text, and gives the same (docs/present-captures.md).
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

SKIPPED, SAME = -1, -2
BELOW_ZERO, GIVEN = 1, 2
"""As `cells` has them, whose compiled form shows no constants."""

LARGEST = 10**18
"""Units that a clock, or our own table, may have."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """Columns of a block by their place: numbers, and texts that all rows have."""

    numbers: dict[int, Numbers]
    words: dict[int, str]


class Scanner:
    """Reads blocks of one file. `wanted` are its columns that are taken, by their place."""

    def __init__(self, width: int, delimiter: str, wanted: Mapping[int, Means]) -> None:
        self._delimiter = ord(delimiter)
        self._same = [place for place, means in wanted.items() if _is_word(means)]
        self._numbers = [place for place, means in wanted.items() if not _is_word(means)]
        self._wanted = wanted
        self._kinds = _column(width, dict.fromkeys(self._same, SAME), SKIPPED)
        for slot, place in enumerate(self._numbers):
            self._kinds[place] = slot
        self._never_below = [
            slot for slot, place in enumerate(self._numbers) if wanted[place].kind is Kind.YES
        ]
        self.usable = (
            delimiter == ","
            and is_compiled(cells)
            and not any(wanted[place].unit == "date" for place in self._numbers)
        )

    def scan(self, data: bytes, rows: int, ticks: Mapping[int, bool]) -> Scanned | None:
        """A block of whole lines, or None where it is not plain.

        `ticks` says of clocks whose unit is open whether they are written in whole numbers.
        """
        scales = {place: _scale(self._wanted[place], ticks.get(place)) for place in self._numbers}
        if not self.usable or b'"' in data or any(scale is None for scale in scales.values()):
            return None
        width = len(self._kinds)
        out = array("q", [0]) * (rows * len(self._numbers))
        firsts, seen = array("q", [0]) * (2 * width), array("q", [0]) * (len(self._numbers) or 1)
        digits = _column(width, {at: scale[0] for at, scale in scales.items() if scale}, 0)
        limits = _column(width, {at: scale[1] for at, scale in scales.items() if scale}, 0)
        plain = cells.scan(
            data, self._delimiter, self._kinds, digits, limits, rows, out, firsts, seen
        )
        if not plain or any(seen[slot] & BELOW_ZERO for slot in self._never_below):
            return None
        words = {
            at: data[firsts[2 * at] : firsts[2 * at + 1]].decode("utf-8", "replace")
            for at in self._same
        }
        found = {
            place: _numbers(out[slot * rows : (slot + 1) * rows], seen[slot])
            for slot, place in enumerate(self._numbers)
        }
        return Scanned(found, words)


def _is_word(means: Means) -> bool:
    """Whether a column mostly keeps its value; of those of few values only `dropped` does not."""
    numbers = (Kind.MS, Kind.SIGNED, Kind.PERCENT, Kind.PS, Kind.CLOCK)
    return means.kind not in numbers and means.quantity != "dropped"


def _column(width: int, values: Mapping[int, int], other: int) -> array[int]:
    return array("q", [values.get(place, other) for place in range(width)])


def _scale(means: Means, whole: bool | None) -> tuple[int, int] | None:
    """Digits behind the point and the largest number; None where that is not known yet."""
    if means.kind is Kind.YES:
        return 0, 1
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
