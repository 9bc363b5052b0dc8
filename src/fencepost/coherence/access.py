"""The four questions on every access: ordered, available, visible, not lost (model 5.3)."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.coherence.hits import Actor, Hit
from fencepost.coherence.layout import Clock, Layout
from fencepost.coherence.memory import Memory, Segment
from fencepost.coherence.ways import WAY_BITS, Way, Ways

WAY_MASK = (1 << WAY_BITS) - 1
CACHE_BITS = 5
CACHE_MASK = (1 << CACHE_BITS) - 1

Observer = Callable[["Accesses", Segment, Way, Actor, Clock], None]
"""Called for every segment of every access before it is checked."""

Use = tuple[Way, int, int]
"""A compiled way and the bytes [start, end) that it touches."""


class Accesses:
    """Checks the accesses of one command after another against what is known of each byte, and remembers them."""

    def __init__(
        self, ways: Ways, layout: Layout, line: int, report: Callable[[Hit], None]
    ) -> None:
        self.ways = ways
        self.layout = layout
        self.memory = Memory()
        self.low = ~(line - 1)
        self.line = line
        self.report = report
        self.observer: Observer | None = None
        self.last: dict[int, int] = {}

    def perform(self, queue: int, position: int, clock: Clock, uses: list[Use]) -> None:
        """One command's accesses: all are checked first, then reads are noted, then writes (they may overlap)."""
        for way, start, end in uses:
            actor = Actor(queue, position, way.number)
            for segment in self.memory.cover(start, end):
                if self.observer is not None:
                    self.observer(self, segment, way, actor, clock)
                if segment.writes or segment.reads:
                    self._check(segment, way, actor, clock)
        for way, start, end in uses:
            self._fill_neighbours(way, start, end, queue, position, clock)
            if way.reads:
                self._note_read(way, start, end, queue, position)
        for way, start, end in uses:
            if way.writes:
                self._note_write(way, start, end, queue, position)
            for hop in way.hops:
                self.last[queue * self.layout.stride + hop.through] = position

    # -- checking

    def _check(self, segment: Segment, way: Way, actor: Actor, clock: Clock) -> None:
        for key, at in segment.writes.items():
            earlier = Actor(key >> WAY_BITS, at, key & WAY_MASK)
            if at == actor.position and earlier.queue == actor.queue:
                continue
            rule, point = self.after_write(segment, earlier, way, clock)
            if rule:
                self.report(Hit(rule, actor, earlier, segment.start, segment.end, point))
                return
        if way.reads and segment.writes:
            self._check_visible(segment, way, actor, clock)
        if way.writes:
            self._check_reads(segment, way, actor, clock)

    def after_write(
        self, segment: Segment, earlier: Actor, way: Way, clock: Clock
    ) -> tuple[str, int]:
        """The rule that an access breaks after an earlier write ("": none) and the clock point that is too low."""
        write = self.ways.all[earlier.way]
        pair = self.ways.pair(write, way)
        if pair.free:
            return "", -1
        base = earlier.queue * self.layout.stride
        if clock[base + write.done] <= earlier.position:
            return "read-after-write" if way.reads else "write-after-write", base + write.done
        if pair.through and not self.written_back(segment, write, base, earlier.position, clock):
            return "not-written-back" if way.reads else "lost-write", base + write.wb
        return "", -1

    def written_back(self, segment: Segment, write: Way, base: int, at: int, clock: Clock) -> bool:
        """Is the data of that write known to be in memory?"""
        if clock[base + write.wb] > at:
            return True
        spans = self.layout.ranged.get(write.home_name)
        return spans is not None and any(
            start <= segment.start and segment.end <= end and clock[base + points[0]] > at
            for (start, end), points in spans.items()
        )

    def _check_visible(self, segment: Segment, way: Way, actor: Actor, clock: Clock) -> None:
        """No cache on the way may be hit with an older copy; a read that only luck protects is noted as exposed."""
        for at, hop in enumerate(way.hops):
            if not hop.hit or self.cleaned(segment, way, at, clock):
                continue
            segment.exposed[actor.queue << WAY_BITS | way.number] = actor.position
            blame = self.old_copy(segment, hop.cache, clock)
            if blame is not None:
                bringer, point = blame
                hit = self._stale(segment, actor, bringer, point, hop.cache)
                self.report(hit)
                return

    def _stale(
        self, segment: Segment, reader: Actor, bringer: Actor, point: int, cache: int
    ) -> Hit:
        key, at = next(iter(segment.writes.items()))
        earlier = Actor(key >> WAY_BITS, at, key & WAY_MASK)
        return Hit(
            "stale-cache-line",
            reader,
            earlier,
            segment.start,
            segment.end,
            point,
            bringer,
            cache,
        )

    def cleaned(self, segment: Segment, way: Way, at: int, clock: Clock) -> bool:
        """Was the cache of that hop invalidated after the last writes were available beyond it, or does it share them?"""
        for key, position in segment.writes.items():
            pair = self.ways.pair(self.ways.all[key & WAY_MASK], way)
            if at >= pair.meets:
                continue
            point = pair.clean[at]
            base = (key >> WAY_BITS) * self.layout.stride
            if point < 0 or clock[base + point] <= position:
                return False
        return True

    def cleaning_fact(self, segment: Segment, way: Way, at: int) -> tuple[int, int]:
        """The clock point that tells whether that hop's cache was cleaned after the last write, and the write's position."""
        for key, position in segment.writes.items():
            pair = self.ways.pair(self.ways.all[key & WAY_MASK], way)
            if at < pair.meets and pair.clean[at] >= 0:
                return (key >> WAY_BITS) * self.layout.stride + pair.clean[at], position
        return -1, -1

    def old_copy(self, segment: Segment, cache: int, clock: Clock) -> tuple[Actor, int] | None:
        """Who may have left an old copy in that cache that nothing is known to have removed; the point that is too low."""
        for key, at in segment.old.items():
            point = key >> CACHE_BITS
            if key & CACHE_MASK != cache or clock[point] > at:
                continue
            if self._gone_by_range(segment, cache, point, at, clock):
                continue
            return Actor(point // self.layout.stride, at, -1), point
        return None

    def _gone_by_range(
        self, segment: Segment, cache: int, point: int, at: int, clock: Clock
    ) -> bool:
        spans = self.layout.ranged.get(self.ways.cache_names[cache])
        base = point - point % self.layout.stride
        return spans is not None and any(
            start <= segment.start and segment.end <= end and clock[base + points[1]] > at
            for (start, end), points in spans.items()
        )

    def _check_reads(self, segment: Segment, way: Way, actor: Actor, clock: Clock) -> None:
        for key, at in segment.reads.items():
            earlier = Actor(key >> WAY_BITS, at, key & WAY_MASK)
            if at == actor.position and earlier.queue == actor.queue:
                continue
            read = self.ways.all[earlier.way]
            point = earlier.queue * self.layout.stride + read.done
            if clock[point] <= at and not self.ways.pair(read, way).free:
                hit = Hit("write-after-read", actor, earlier, segment.start, segment.end, point)
                self.report(hit)
                return

    # -- remembering

    def _note_read(self, way: Way, start: int, end: int, queue: int, position: int) -> None:
        key = queue << WAY_BITS | way.number
        kills = self._fill_keys(way, queue)
        for segment in self.memory.cover(start, end):
            segment.reads[key] = position
            for kill in kills:
                segment.fresh[kill] = position

    def _fill_keys(self, way: Way, queue: int) -> list[int]:
        base = queue * self.layout.stride
        return [(base + hop.kill) << CACHE_BITS | hop.cache for hop in way.hops]

    def _note_write(self, way: Way, start: int, end: int, queue: int, position: int) -> None:
        """Copies elsewhere become old; the home cache has the new bytes. Other waves' pieces may leave old bytes (model 3.3)."""
        kills = self._fill_keys(way, queue)
        for segment in self.memory.cover(start, end):
            segment.writes = self._writers(segment, way, queue, position)
            segment.reads.clear()
            segment.exposed.clear()
            for key, at in segment.fresh.items():
                if segment.old.get(key, -1) < at:
                    segment.old[key] = at
            segment.fresh.clear()
            if way.home is not None:
                home = way.home.cache
                for key in [key for key in segment.old if key & CACHE_MASK == home]:
                    del segment.old[key]
            for kill, hop in zip(kills, way.hops, strict=True):
                segment.fresh[kill] = position
                if hop.private:
                    segment.old[kill] = position

    def _writers(self, segment: Segment, way: Way, queue: int, position: int) -> dict[int, int]:
        """The last writes: this one, and earlier ones that need no order with it and complete on their own (atomics)."""
        kept = {queue << WAY_BITS | way.number: position}
        for key, at in segment.writes.items():
            other = self.ways.all[key & WAY_MASK]
            if self.ways.pair(other, way).free and (
                key >> WAY_BITS != queue or other.done != way.done
            ):
                kept.setdefault(key, at)
        return kept

    def _fill_neighbours(
        self, way: Way, start: int, end: int, queue: int, position: int, clock: Clock
    ) -> None:
        """The rest of the first and last line comes along (model 3.3)."""
        if not way.hops:
            return
        low, high = start & self.low, (end + self.line - 1) & self.low
        for first, last in ((low, start), (end, high)):
            if first < last:
                for segment in self.memory.cover(first, last):
                    self._fill(segment, way, Actor(queue, position, way.number), clock)

    def _fill(self, segment: Segment, way: Way, actor: Actor, clock: Clock) -> None:
        old = self._old_hops(segment, way, actor, clock)
        for at, kill in enumerate(self._fill_keys(way, actor.queue)):
            if at < old:
                segment.old[kill] = actor.position
                self._check_passed_reads(segment, way.hops[at].cache, actor, clock)
            else:
                segment.fresh[kill] = actor.position

    def _old_hops(self, segment: Segment, way: Way, actor: Actor, clock: Clock) -> int:
        """How many of the way's nearest caches may get an older copy than the last write's."""
        old = 0
        for key, at in segment.writes.items():
            earlier = Actor(key >> WAY_BITS, at, key & WAY_MASK)
            own = at == actor.position and earlier.queue == actor.queue
            if own or self.after_write(segment, earlier, way, clock)[0]:
                old = max(old, self.ways.pair(self.ways.all[earlier.way], way).meets)
        for at in range(len(way.hops) - 1, old, -1):
            if not self.cleaned(segment, way, at, clock) and self.old_copy(
                segment, way.hops[at].cache, clock
            ):
                return at
        return old

    def _check_passed_reads(self, segment: Segment, cache: int, actor: Actor, clock: Clock) -> None:
        """A neighbour's fill may come before a read that the pass has already seen (design 2)."""
        for key, at in segment.exposed.items():
            reader = Actor(key >> WAY_BITS, at, key & WAY_MASK)
            way = self.ways.all[reader.way]
            point = reader.queue * self.layout.stride + way.done
            own = at == actor.position and reader.queue == actor.queue
            hits = any(hop.cache == cache and hop.hit for hop in way.hops)
            if hits and not own and clock[point] <= at:
                self.report(self._stale(segment, reader, actor, point, cache))
