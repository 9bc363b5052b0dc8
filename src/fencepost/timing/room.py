"""Table that grow: twice the room, and what was there."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

FEW = 16
"""The room that a column begins with."""


def zeros(count: int) -> array[int]:
    """A column that does not grow."""
    return array("q", [0]) * count


def column_of(numbers: Iterable[int]) -> array[int]:
    """A column of these numbers."""
    return array("q", numbers)


def few() -> array[int]:
    """A column with some room."""
    return zeros(FEW)


def doubled(column: array[int]) -> array[int]:
    """The column with twice its room."""
    made = zeros(2 * len(column))
    for at in range(len(column)):
        made[at] = column[at]
    return made
