"""How times are spread: exact percentiles out of a count of each value (presentation.md 2.3)."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, pairwise
from operator import mul


class Spread:
    """Times in picoseconds, counted by value: a capture of a million rows has few values."""

    def __init__(self, times: Iterable[int]) -> None:
        counted = Counter(times)
        self.values = sorted(counted)
        self.counts = list(map(counted.__getitem__, self.values))
        self.until = list(accumulate(self.counts))
        self.count = self.until[-1] if self.until else 0
        self.total: int = sum(map(mul, self.values, self.counts))

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
        first = bisect_left(self.values, limit + 1)
        return self.count - (self.until[first - 1] if first else 0)

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
        found = []
        for start, end in pairwise(edges):
            first, last = bisect_left(self.values, start), bisect_left(self.values, end)
            inside = (self.until[last - 1] if last else 0) - (self.until[first - 1] if first else 0)
            found.append((start, end, inside))
        return found
