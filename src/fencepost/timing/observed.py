"""What goes wrong in one run: hazards that this timing shows (docs/timing.md 12).

Two accesses of the same bytes are looked at with nothing but times: when their pieces happen, when
caches are written back and emptied. The checker asks what some execution could do; this asks what
this one does, so what it finds is a hazard that the checker must know.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fencepost.coherence.issue import sync_span
from fencepost.machine.tables import CacheRow, Machine
from fencepost.stream.command import Policy, SurfaceSync
from fencepost.stream.program import Program
from fencepost.timing.timeline import Operation, Spot, Timeline
from fencepost.timing.windows import ENDLESS, Window, windows

MISSES = (Policy.MISS_LRU, Policy.MISS_EVICT)
EVICTS = (Policy.HIT_EVICT, Policy.MISS_EVICT)


@dataclass(frozen=True, slots=True)
class Observed:
    """Two accesses that conflict in this run, on the bytes [start, end).

    `rule`: as the checker names it. `early`: by how many picoseconds the later one comes too early
    (`ENDLESS`: what it would need does not come at all). `cache`: the cache that holds an old copy,
    or what has not been written back ("": the order is wrong). `bringer`: who brought the old copy.
    """

    rule: str
    earlier: Spot
    later: Spot
    start: int
    end: int
    early: int
    cache: str = ""
    bringer: Spot | None = None


class Observer:
    """Looks at pairs of accesses; windows and operations are found once."""

    def __init__(self, program: Program, machine: Machine, timeline: Timeline) -> None:
        self.program = program
        self.machine = machine
        self.windows = windows(program, machine, timeline)
        self.at: dict[Spot, list[Window]] = {}
        self.lines: dict[tuple[str, int], list[Window]] = {}
        for window in self.windows:
            self.at.setdefault(window.spot, []).append(window)
            for cache in window.way.caches:
                for region in _regions(window.access.start, window.access.end):
                    self.lines.setdefault((cache, region), []).append(window)
        self.operations: dict[str, list[Operation]] = {}
        for row in timeline.operations:
            self.operations.setdefault(row.cache, []).append(row)

    def between(self, earlier: Spot, later: Spot, start: int, end: int) -> Iterator[Observed]:
        """What conflicts between two commands on these bytes."""
        for one in self.at.get(earlier, ()):
            for two in self.at.get(later, ()):
                low = max(start, one.access.start, two.access.start)
                high = min(end, one.access.end, two.access.end)
                if low < high and (found := self.pair(one, two, low, high)):
                    yield found

    def all(self) -> list[Observed]:
        """Everything that goes wrong, each byte up to where it first does; for small programs."""
        found = [row for low, high in self._segments() for row in self._segment(low, high)]
        return list(dict.fromkeys(found))

    def _segments(self) -> Iterator[tuple[int, int]]:
        bounds = sorted({b for w in self.windows for b in (w.access.start, w.access.end)})
        yield from itertools.pairwise(bounds)

    def _segment(self, low: int, high: int) -> list[Observed]:
        """The order first; where that is right, what is due at each access is the last write."""
        rows = [w for w in self.windows if w.access.start <= low and high <= w.access.end]
        ordered = [
            row
            for number, two in enumerate(rows)
            for one in rows[:number]
            if (row := self._order(*in_order(one, two), low, high))
        ]
        if ordered:
            return ordered
        rows.sort(key=lambda w: (w.first, w.last, w.spot))
        return [
            row
            for number, two in enumerate(rows)
            if (one := _last_write(rows[:number], two)) is not None
            and (row := self._data(one, two, low, high))
        ]

    def pair(self, one: Window, two: Window, low: int, high: int) -> Observed | None:
        """What is wrong between two accesses of one queue, or of two."""
        earlier, later = in_order(one, two)
        return self._order(earlier, later, low, high) or self._data(earlier, later, low, high)

    # -- order

    def _order(self, earlier: Window, later: Window, low: int, high: int) -> Observed | None:
        """Whether two accesses happen at once, or the wrong way round."""
        if earlier.spot == later.spot or not (earlier.way.writes or later.way.writes):
            return None
        if self._is_safe(earlier, later) or earlier.last <= later.first:
            return None
        rule = "write-after-write" if later.way.writes else "read-after-write"
        if not earlier.way.writes:
            rule = "write-after-read"
        early = _early(earlier.last, later)
        return Observed(rule, earlier.spot, later.spot, low, high, early)

    def _is_safe(self, one: Window, two: Window) -> bool:
        """Whether two accesses need no order among themselves (model 2.5)."""
        same_queue = one.spot[0] == two.spot[0]
        if one.way.safe_with and one.way.safe_with == two.way.safe_with:
            return same_queue or one.way.safe_across
        block = self._block(one)
        return same_queue and block != "" and block == self._block(two)

    def _block(self, window: Window) -> str:
        """The block whose accesses are in order, whichever of its caches they go through."""
        rows = (self.machine.cache(name) for name in window.way.caches)
        return next((row.in_order for row in rows if row.in_order), "")

    # -- data

    def _data(self, earlier: Window, later: Window, low: int, high: int) -> Observed | None:
        """Whether the later one misses what the earlier one wrote, or loses what it writes."""
        if not earlier.way.writes or earlier.spot == later.spot:
            return None
        home = self._home(earlier)
        if home is None or home.name in later.way.caches:
            there, cache = earlier.last, ""
        else:
            there, cache = self._written_back(home, earlier, low, high), home.operated_as
        found = None
        if later.way.reads:
            found = self._unavailable(earlier, later, low, high, there, cache)
            found = found or self._stale(earlier, later, low, high, there)
        if not found and later.way.writes and cache and there > later.first:
            found = self._lost(earlier, later, low, high, cache)
        return found

    def _home(self, window: Window) -> CacheRow | None:
        """The cache that holds what is written this way; None: memory."""
        rows = (self.machine.cache(name) for name in window.way.caches)
        return next((row for row in rows if row.dirty), None)

    def _written_back(self, home: CacheRow, window: Window, low: int, high: int) -> int:
        """When what an access wrote is in memory."""
        ends = (
            row.end
            for row in self.operations.get(home.operated_as, ())
            if "wb" in row.action and row.start >= window.last and self._covers(row, low, high)
        )
        return min(ends, default=ENDLESS)

    def _covers(self, row: Operation, low: int, high: int) -> bool:
        """Whether an operation is on these bytes: some honour the range of their surface sync."""
        command = self.program.queues[row.queue].commands[row.position]
        known = self.machine.operation(row.cache, row.action)
        if not isinstance(command, SurfaceSync) or known is None or not known.ranged:
            return True
        start, end = sync_span(self.machine, command)
        return start <= low and high <= end

    def _unavailable(
        self, earlier: Window, later: Window, low: int, high: int, there: int, cache: str
    ) -> Observed | None:
        if not cache or there <= later.first:
            return None
        early = _early(there, later)
        return Observed("not-written-back", earlier.spot, later.spot, low, high, early, cache)

    def _stale(
        self, earlier: Window, later: Window, low: int, high: int, there: int
    ) -> Observed | None:
        """Old copies in the caches of the reader, the farthest first."""
        home = self._home(earlier)
        nearer = later.way.caches
        if home is not None and home.name in nearer:
            nearer = nearer[: nearer.index(home.name)]
        new = there
        for cache in reversed(nearer):
            for bringer in self._bringers(cache, later, new, low, high):
                gone = self._gone(cache, bringer, new, low, high)
                if gone > later.first and _may_hit(cache, later):
                    early = _early(gone, later)
                    spots = (earlier.spot, later.spot)
                    rule = "stale-cache-line"
                    return Observed(rule, *spots, low, high, early, cache, bringer.spot)
                new = max(new, min(gone, later.first))
        return None

    def _bringers(
        self, cache: str, later: Window, new: int, low: int, high: int
    ) -> Iterable[Window]:
        """Who may have brought the line in before the data was there to be fetched."""
        line = self.machine.line
        start, end = low // line * line, -(-high // line) * line
        regions = _regions(start, end)
        for region in regions:
            for window in self.lines.get((cache, region), ()):
                first = max(window.access.start >> REGION, regions.start)  # seen there, not again
                near = window.access.start < end and start < window.access.end
                if region == first and near and window.spot != later.spot and window.first < new:
                    yield window

    def _gone(self, cache: str, bringer: Window, new: int, low: int, high: int) -> int:
        """When no old copy that this access brought in is left."""
        row = self.machine.cache(cache)
        if row.private and bringer.policy in EVICTS:
            return bringer.last
        over = min(bringer.last, new)
        ends = (
            operation.end
            for operation in self.operations.get(row.operated_as, ())
            if operation.action != "wb"
            and operation.start >= over
            and self._covers(operation, low, high)
        )
        return min(ends, default=ENDLESS)

    def _lost(
        self, earlier: Window, later: Window, low: int, high: int, cache: str
    ) -> Observed | None:
        """Whether the older write comes to memory behind the newer one, in this run."""
        home = self._home(later)
        lands = later.first
        if home is not None:
            lands = min(
                (
                    row.start
                    for row in self.operations.get(home.operated_as, ())
                    if "wb" in row.action and row.end > later.first
                ),
                default=ENDLESS,
            )
        late = [
            row.end
            for row in self.operations.get(cache, ())
            if "wb" in row.action
            and row.end > max(lands, later.first)
            and row.start >= earlier.first
            and self._covers(row, low, high)
        ]
        if not late or lands == ENDLESS:
            return None
        early = min(late) - later.first
        return Observed("lost-write", earlier.spot, later.spot, low, high, early, cache)


REGION = 20
"""Accesses are looked up by their mebibytes."""


def _regions(start: int, end: int) -> range:
    """The mebibytes that bytes lie in."""
    return range(start >> REGION, ((end - 1) >> REGION) + 1)


def in_order(one: Window, two: Window) -> tuple[Window, Window]:
    """Which of two accesses comes first: on one queue by position, else by time."""
    if one.spot[0] == two.spot[0]:
        swap = one.spot[1] > two.spot[1]
    else:
        swap = (one.first, one.spot) > (two.first, two.spot)
    return (two, one) if swap else (one, two)


def _last_write(before: list[Window], later: Window) -> Window | None:
    return next((w for w in reversed(before) if w.way.writes and w.spot != later.spot), None)


def _may_hit(cache: str, later: Window) -> bool:
    """`MISS_*` never hits L1."""
    return cache != "tcp" or later.policy not in MISSES


def _early(due: int, later: Window) -> int:
    """By how much an access comes before what is due then; `ENDLESS` where that never comes."""
    return ENDLESS if due >= ENDLESS else due - later.first
