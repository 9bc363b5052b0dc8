"""How times are spread: exact percentiles out of a count of each value (presentation.md 2.3)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise

SAMPLE = 20_000
"""Times that are looked at to see whether they repeat."""


class Spread:
    """Times in picoseconds, by value: `values` in order, `counts` of each.

    A capture of a million rows has few values, so they are counted; where they hardly repeat, each
    stands for itself and may occur more than once. `until`: how many lie up to each value.
    """

    def __init__(self, times: Sequence[int]) -> None:
        if _hardly_repeat(times):
            self.values = sorted(times)
            self.counts: Sequence[int] = array("b", [1]) * len(times)
            self.until: Sequence[int] = range(1, len(times) + 1)
        else:
            counted = Counter(times)
            self.values = sorted(counted)
            self.counts = list(map(counted.__getitem__, self.values))
            self.until = list(accumulate(self.counts))
        self.count = len(times)
        self.total = sum(times)

    def percentile(self, percent: float) -> int:
        """The smallest value that at least `percent` of all do not exceed (nearest rank)."""
        rank = -(-int(percent * 1000) * self.count // 100_000)
        return self.values[bisect_left(self.until, max(rank, 1))]

    @property
    def mean(self) -> int:
        """Rounded down."""
        return self.total // self.count

    def above(self, limit: int) -> int:
        """How many are longer than `limit`."""
        return self.count - self._below(limit + 1)

    def _below(self, limit: int) -> int:
        first = bisect_left(self.values, limit)
        return self.until[first - 1] if first else 0

    def slowest(self, frames: int) -> int:
        """The sum of the longest `frames`."""
        total, left = 0, frames
        for value, count in zip(reversed(self.values), reversed(self.counts), strict=True):
            taken = min(count, left)
            total += value * taken
            left -= taken
            if not left:
                break
        return total

    def slowest_until(self, time: int) -> int:
        """The longest ones add up: the one with which the sum reaches `time`."""
        total = 0
        for value, count in zip(reversed(self.values), reversed(self.counts), strict=True):
            total += value * count
            if total >= time:
                return value
        return self.values[0]

    def bins(self, count: int) -> list[tuple[int, int, int]]:
        """Start, end, values: so many bins up to the 99th percentile, and one for the rest."""
        least, most = self.values[0], self.values[-1] + 1
        width = max(1, -(-(self.percentile(99) + 1 - least) // count))
        edges = [least + width * at for at in range(count + 1)]
        edges = [edge for edge in edges if edge < most] + [most]
        return [
            (start, end, self._below(end) - self._below(start)) for start, end in pairwise(edges)
        ]


def _hardly_repeat(times: Sequence[int]) -> bool:
    """Whether nearly all of some times are different."""
    if len(times) <= SAMPLE:
        return False
    some = times[:: len(times) // SAMPLE]
    return len(set(some)) > 0.9 * len(some)
