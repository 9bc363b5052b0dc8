"""Clocks: for each point a position, up to which all is known to be done (model 2.3).

Replay and planner spend their time here: joining what two know, and asking whether one knows all
that another does.
"""

from __future__ import annotations

from collections.abc import Sequence


def join(into: list[int], other: Sequence[int]) -> None:
    """Raise every point of `into` to that of `other` (nothing, if that is empty)."""
    for at in range(len(other)):
        mine, theirs = into[at], other[at]
        if theirs > mine:
            into[at] = theirs


def joined(one: tuple[int, ...], other: Sequence[int]) -> tuple[int, ...]:
    """Every point as high as in either; an empty clock knows nothing."""
    found = list(one or other)
    if one:
        join(found, other)
    return tuple(found)


def reaches(one: Sequence[int], other: Sequence[int]) -> bool:
    """Is no number of `one` below that of `other`, as far as both go?"""
    for at in range(min(len(one), len(other))):
        mine, theirs = one[at], other[at]
        if mine < theirs:
            return False
    return True
