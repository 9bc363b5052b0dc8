"""The refresh of a display, found in the moments at which its picture changed.

Under VSync every display interval is a whole number of refreshes. The refresh is the longest time
of which (nearly) all intervals are multiples; where there is none, frames tear or the refresh is
variable, and nothing is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from fencepost.present.spread import Spread
from fencepost.present.thresholds import GRID_WIDTH, ON_GRID, SLOWEST_DISPLAY
from fencepost.present.units import PICOSECONDS

BIN = 50_000_000
"""Intervals are counted in bins of 0.05 ms to find the common ones."""

FINE = 10_000_000
"""A hundredth of a millisecond, well below what is allowed around a multiple."""

LOOKED_AT = 20_000
"""Intervals that are looked at, at most."""

SHORTEST = 1_900_000_000
"""A refresh of over 500 Hz would be found in anything."""

PEAKS, DIVISORS, ROUNDS, LEAST = 4, 4, 4, 8
"""Common intervals that are tried, what they are divided by, refinements, fewest intervals."""

LONGEST_MULTIPLE = 8
"""Intervals of more refreshes say nothing about a refresh that is slightly wrong."""

OFF_GRID = 255
"""In place of a multiple."""


class Grid(NamedTuple):
    """A refresh in picoseconds and the part of the display intervals that are multiples of it."""

    refresh: int
    share: float


def find_grid(all_intervals: Sequence[int]) -> Grid | None:
    """The refresh that display intervals are multiples of; None where there is none.

    Of many intervals some that are spread evenly are looked at, to a hundredth of a millisecond.
    """
    if len(all_intervals) < LEAST:
        return None
    step = -(-len(all_intervals) // LOOKED_AT)
    some = all_intervals[::step]
    intervals = Spread([(time + FINE // 2) // FINE * FINE for time in some])
    found = {_refined(intervals, guess, ROUNDS) for guess in _guesses(intervals)}
    times = {_displayed(time) for time in found if time >= SHORTEST} - {0}
    grids = [grid_of(intervals, time) for time in times]
    best = max((grid for grid in grids if grid.share >= ON_GRID.value), default=None)
    if best is None or _far_apart(intervals, best.refresh):
        return None
    return grid_of(intervals, _refined(Spread(some), best.refresh, 1) or best.refresh)


def grid_of(intervals: Spread, refresh: int) -> Grid:
    """A refresh that is known, and the part of the display intervals that are multiples of it."""
    rows = zip(intervals.values, intervals.counts, strict=True)
    good = sum(count for value, count in rows if multiple(value, refresh) < OFF_GRID)
    return Grid(refresh, good / intervals.count if intervals.count else 0.0)


def _far_apart(intervals: Spread, refresh: int) -> bool:
    """Whether most pictures stay for so many refreshes that any short time would divide them."""
    return multiple(intervals.percentile(50), refresh) > DIVISORS


def _displayed(time: int) -> int:
    """A part of a time that is short enough for a display's refresh; 0 if it had to be small."""
    longest = round(1000 * PICOSECONDS / SLOWEST_DISPLAY.value)
    parts = -(-time // longest)
    return time // parts if parts <= DIVISORS else 0


def _guesses(intervals: Spread) -> set[int]:
    bins: Counter[int] = Counter()
    for value, count in zip(intervals.values, intervals.counts, strict=True):
        bins[(value + BIN // 2) // BIN] += count
    common = sorted(bins.items(), key=lambda row: (-row[1], row[0]))[:PEAKS]
    return {peak * BIN // divisor for peak, _ in common for divisor in range(1, DIVISORS + 1)}


def _refined(intervals: Spread, refresh: int, rounds: int) -> int:
    """The mean of what lies near small multiples of a guess, again and again."""
    for _ in range(rounds):
        if refresh < SHORTEST:
            return 0
        total = parts = 0
        for value, count in zip(intervals.values, intervals.counts, strict=True):
            times = multiple(value, refresh)
            if times <= LONGEST_MULTIPLE:
                total += value * count
                parts += times * count
        if not parts:
            return 0
        refresh = total // parts
    return refresh


def multiple(interval: int, refresh: int) -> int:
    """How many refreshes an interval is (at most 254); `OFF_GRID` where it is no whole number."""
    times = (interval + refresh // 2) // refresh
    off = abs(interval - times * refresh)
    if times < 1 or off > GRID_WIDTH.value * refresh:
        return OFF_GRID
    return min(times, OFF_GRID - 1)


def multiples(intervals: Sequence[int], spread: Spread, refresh: int) -> bytes:
    """`multiple` of every interval; `spread` counts the same intervals."""
    table = {value: multiple(value, refresh) for value in spread.values}
    return bytes(map(table.__getitem__, intervals))


def exact_refresh(displays: Sequence[int], refresh: int) -> tuple[int, int]:
    """Refresh and phase that fit all moments: the least squares line through them.

    `refresh` has to be good to a part of an interval. Returns picoseconds: the refresh, and when
    the VSync at or before the first moment is.
    """
    counts = [0]
    for before, now in pairwise(displays):
        counts.append(counts[-1] + (now - before + refresh // 2) // refresh)
    size, first = len(displays), displays[0]
    mean = sum(counts) / size
    middle = sum(moment - first for moment in displays) / size
    spread = sum((count - mean) ** 2 for count in counts)
    if not spread:
        return refresh, first
    rows = zip(counts, displays, strict=True)
    slope = sum((count - mean) * (moment - first - middle) for count, moment in rows) / spread
    return round(slope), first + round(middle - mean * slope)
