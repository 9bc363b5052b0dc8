"""Columns thinned out for pictures: buckets of neighbouring presents with least, mean and most."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fencepost.present.captures.table import MISSING
from fencepost.present.observed import Observed

BUCKETS = 600
"""About as many as a picture has columns of pixels."""


class Range(NamedTuple):
    """Of the values in a bucket, in picoseconds; the mean is rounded down."""

    least: int
    mean: int
    most: int


class Bucket(NamedTuple):
    """Presents [first, end); ranges are None where nothing is known."""

    start: int
    frames: int
    frame_time: Range
    in_present: Range | None
    gpu_busy: Range | None
    until_shown: Range | None
    never_shown: int


class DisplayBucket(NamedTuple):
    """Display intervals between neighbouring pictures, the first one shown at `start`."""

    start: int
    intervals: int
    length: Range


def range_of(values: Sequence[int]) -> Range:
    """Least, mean and most of some values."""
    return Range(min(values), sum(values) // len(values), max(values))


def buckets(observed: Observed) -> Iterator[Bucket]:
    """All frame times of a chain, in at most `BUCKETS` buckets."""
    called = observed.called
    for first, end in _steps(len(called) - 1):
        times = [after - now for now, after in _pairs(called, first, end)]
        until = observed.until_shown
        lost = 0 if until is None else until[first:end].count(MISSING)
        yield Bucket(
            start=called[first],
            frames=end - first,
            frame_time=range_of(times),
            in_present=_range(observed.in_present, first, end),
            gpu_busy=_range(observed.gpu_busy, first, end),
            until_shown=_range(until, first, end),
            never_shown=lost,
        )


def display_buckets(observed: Observed) -> Iterator[DisplayBucket]:
    """All display intervals of a chain, in at most `BUCKETS` buckets."""
    displays = observed.displays
    for first, end in _steps(len(displays) - 1):
        lengths = [after - now for now, after in _pairs(displays, first, end)]
        yield DisplayBucket(displays[first], end - first, range_of(lengths))


def _pairs(values: Sequence[int], first: int, end: int) -> Iterator[tuple[int, int]]:
    return zip(values[first:end], values[first + 1 : end + 1], strict=True)


def _steps(count: int) -> Iterator[tuple[int, int]]:
    size = max(1, -(-count // BUCKETS))
    for first in range(0, max(count, 0), size):
        yield first, min(first + size, count)


def _range(column: array[int] | None, first: int, end: int) -> Range | None:
    if column is None:
        return None
    values = column[first:end]
    known = [value for value in values if value != MISSING] if MISSING in values else values
    return range_of(known) if known else None
