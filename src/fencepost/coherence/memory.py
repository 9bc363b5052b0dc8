"""What is known of each byte: a map of segments, split as accesses need it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace


@dataclass(slots=True)
class Passed:
    """Writes that have been written over, with the reads of them that an old copy could harm.

    `old`: who may have left an older copy, as in a segment.
    """

    writes: dict[int, int]
    exposed: dict[int, int]
    old: dict[int, int]


class Segment:
    """Bytes with one history, [start, end).

    `writes` and `reads`: key (queue and way) -> position of the last write(s) and of the reads
    since; `exposed`: those reads that an old
    copy could still harm, if one came. `fresh` and `old`:
    (kill point, cache) -> position of the last access that may have left a copy, as new as the
    last write or older. `passed`: what was exposed before the last write, oldest first.
    """

    __slots__ = ("end", "exposed", "fresh", "old", "passed", "reads", "start", "writes")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end
        self.writes: dict[int, int] = {}
        self.reads: dict[int, int] = {}
        self.exposed: dict[int, int] = {}
        self.fresh: dict[int, int] = {}
        self.old: dict[int, int] = {}
        self.passed: list[Passed] = []

    def split(self, at: int) -> Segment:
        """Cut here; this keeps the lower part, the upper one is returned."""
        upper = Segment(at, self.end)
        self.end = at
        upper.writes = dict(self.writes)
        upper.reads = dict(self.reads)
        upper.exposed = dict(self.exposed)
        upper.fresh = dict(self.fresh)
        upper.old = dict(self.old)
        upper.passed = [replace(one, old=dict(one.old)) for one in self.passed]
        return upper

    def overwrite(self, writes: dict[int, int], *, keep_reads: bool) -> None:
        """These are the last writes now.

        `keep_reads`: who need not wait for them has to wait for the reads.
        """
        if self.exposed:
            self.passed.append(Passed(self.writes, self.exposed, dict(self.old)))
            self.exposed = {}
        self.writes = writes
        if not keep_reads:
            self.reads.clear()


class Memory:
    """Segments by address. Untouched bytes have none; lookups make them."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._segments: list[Segment] = []
        self._known: dict[tuple[int, int], list[Segment]] = {}

    def cover(self, start: int, end: int) -> list[Segment]:
        """The segments that make up exactly [start, end)."""
        known = self._known.get((start, end))
        if known is not None:
            return known
        found = self._cover(start, end)
        self._known[start, end] = found
        return found

    def _cover(self, start: int, end: int) -> list[Segment]:
        self._cut(start)
        self._cut(end)
        first = bisect_left(self._starts, start)
        at, position = first, start
        while position < end:
            following = self._starts[at] if at < len(self._starts) else end
            if following > position:
                self._insert(at, Segment(position, min(following, end)))
            position = self._segments[at].end
            at += 1
        return self._segments[first:at]

    def _cut(self, at: int) -> None:
        index = bisect_right(self._starts, at) - 1
        if index >= 0 and self._segments[index].start < at < self._segments[index].end:
            self._insert(index + 1, self._segments[index].split(at))

    def _insert(self, index: int, segment: Segment) -> None:
        self._starts.insert(index, segment.start)
        self._segments.insert(index, segment)
        self._known.clear()
