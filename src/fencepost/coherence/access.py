"""The four questions on every access: ordered, available, visible, not lost (model 5.3)."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.coherence.hits import Actor, Fact, Hit
from fencepost.coherence.layout import Clock, Layout
from fencepost.coherence.memory import Memory, Passed, Segment
from fencepost.coherence.ways import WAY_BITS, Pair, Way, Ways

WAY_MASK = (1 << WAY_BITS) - 1
CACHE_BITS = 5
CACHE_MASK = (1 << CACHE_BITS) - 1

Use = tuple[Way, int, int]
"""A compiled way and the bytes [start, end) that it touches."""

Observer = Callable[[Segment, Way, Actor, Clock], None]
"""Called for every segment of every access before it is checked."""


def actor_of(key: int, position: int) -> Actor:
    """Who a segment's entry stands for."""
    return Actor(key >> WAY_BITS, position, key & WAY_MASK)


class Accesses:
    """Checks accesses, command after command, against what is known of each byte.

    `last`: for each cache and group (its invalidation point) the position of the last access
    through it.
    """

    def __init__(
        self, ways: Ways, layout: Layout, line: int, report: Callable[[Hit], None]
    ) -> None:
        self.ways = ways
        self.layout = layout
        self.stride = layout.stride
        self.memory = Memory()
        self.low = ~(line - 1)
        self.line = line
        self.report = report
        self.observer: Observer | None = None
        self.last: dict[int, int] = {}
        self._keys: dict[int, tuple[int, ...]] = {}

    def perform(self, queue: int, position: int, clock: Clock, uses: list[Use]) -> None:
        """One command's accesses.

        All are checked first, then reads are noted, then writes (they may overlap).
        """
        self.check(queue, position, clock, uses)
        self.remember(queue, position, clock, uses)

    def check(self, queue: int, position: int, clock: Clock, uses: list[Use]) -> None:
        """Report what is wrong with these accesses."""
        cover = self.memory.cover
        for way, start, end in uses:
            key = queue << WAY_BITS | way.number
            for segment in cover(start, end):
                if self.observer is not None:
                    self.observer(segment, way, actor_of(key, position), clock)
                if segment.writes or segment.reads:
                    self._check(segment, way, key, position, clock)

    def remember(self, queue: int, position: int, clock: Clock, uses: list[Use]) -> None:
        """Take these accesses as made, reads first."""
        base = queue * self.stride
        for way, start, end in uses:
            if start & ~self.low or end & ~self.low:
                self._fill_neighbours(way, start, end, queue, position, clock)
            if way.reads:
                self._note_read(way, start, end, queue, position)
        for way, start, end in uses:
            if way.writes:
                self._note_write(way, start, end, queue, position)
            for hop in way.hops:
                self.last[base + hop.through] = position

    # -- checking

    def _check(self, segment: Segment, way: Way, key: int, position: int, clock: Clock) -> None:
        queue = key >> WAY_BITS
        for other, at in segment.writes.items():
            if at == position and other >> WAY_BITS == queue:
                continue
            rule = self.breaks(segment, other, at, way, queue, clock)
            if rule:
                self._hit(rule, segment, way, key, position, other, at, clock)
                return
        if way.reads and segment.writes and way.hops:
            self._check_visible(segment, way, key, position, clock)
        if way.writes and segment.reads:
            self._check_reads(segment, way, key, position, clock)

    def breaks(
        self, segment: Segment, other: int, at: int, way: Way, queue: int, clock: Clock
    ) -> str:
        """The rule that an access breaks after an earlier write.

        "" if that write is ordered and available.
        """
        write = self.ways.all[other & WAY_MASK]
        pair = way.after.get(write.number) or self.ways.pair(write, way)
        if pair.free and (pair.free_across or other >> WAY_BITS == queue):
            return ""
        base = (other >> WAY_BITS) * self.stride
        if clock[base + write.done] <= at and not self._in_order(
            pair, write, other, at, way, queue, clock
        ):
            return "read-after-write" if way.reads else "write-after-write"
        if pair.through and not self.written_back(segment, write, base, at, clock):
            return "not-written-back" if way.reads else "lost-write"
        return ""

    def _in_order(
        self, pair: Pair, earlier: Way, other: int, at: int, way: Way, queue: int, clock: Clock
    ) -> bool:
        """Does the later access's block come to it after the earlier one (model 2.5, 4.5)?"""
        if way.order < 0 or other >> WAY_BITS != queue:
            return False
        point = queue * self.stride + way.order
        return pair.ordered or (earlier.drawn and clock[point] > at)

    def written_back(self, segment: Segment, write: Way, base: int, at: int, clock: Clock) -> bool:
        """Is the data of that write known to be in memory?"""
        if clock[base + write.wb] > at:
            return True
        spans = self.layout.ranged.get(write.home_name)
        return spans is not None and any(
            start <= segment.start and segment.end <= end and clock[base + points[0]] > at
            for (start, end), points in spans.items()
        )

    def _check_visible(
        self, segment: Segment, way: Way, key: int, position: int, clock: Clock
    ) -> None:
        """No cache on the way may be hit with an older copy.

        A read that only luck protects is noted as exposed.
        """
        for at, hop in enumerate(way.hops):
            write = self.unclean(segment, segment.writes, way, at, clock) if hop.hit else None
            if write is None:
                continue
            segment.exposed[key] = position
            if segment.old and self.old_copy(segment, segment.old, hop.cache, clock) is not None:
                other, wrote = write
                self._hit("stale-cache-line", segment, way, key, position, other, wrote, clock)
                return

    def unclean(
        self, segment: Segment, writes: dict[int, int], way: Way, at: int, clock: Clock
    ) -> tuple[int, int] | None:
        """One of the writes that the hop's cache neither shares nor was invalidated after, or None.

        An in-order block's cache needs no such point.
        """
        for key, position in writes.items():
            write = self.ways.all[key & WAY_MASK]
            pair = way.after.get(write.number) or self.ways.pair(write, way)
            if at >= pair.meets:
                continue
            point, base = pair.clean[at], (key >> WAY_BITS) * self.stride
            if point >= 0 and clock[base + point] > position:
                continue
            spans = self.layout.clean_in.get((way.hops[at].cache, write.group, write.home_name))
            if spans is None or not any(
                start <= segment.start and segment.end <= end and clock[base + ranged] > position
                for (start, end), ranged in spans.items()
            ):
                return key, position
        return None

    def old_copy(
        self, segment: Segment, old: dict[int, int], cache: int, clock: Clock
    ) -> tuple[Actor, int] | None:
        """Who may have left an old copy in that cache that nothing is known to have removed.

        The point that is too low.
        """
        for key, at in old.items():
            point = key >> CACHE_BITS
            if key & CACHE_MASK != cache or clock[point] > at:
                continue
            if self._gone_by_range(segment, cache, point, at, clock):
                continue
            return Actor(point // self.stride, at, -1), point
        return None

    def _gone_by_range(
        self, segment: Segment, cache: int, point: int, at: int, clock: Clock
    ) -> bool:
        spans = self.layout.ranged.get(self.ways.cache_names[cache])
        base = point - point % self.stride
        return spans is not None and any(
            start <= segment.start and segment.end <= end and clock[base + points[1]] > at
            for (start, end), points in spans.items()
        )

    def _check_reads(
        self, segment: Segment, way: Way, key: int, position: int, clock: Clock
    ) -> None:
        queue, every = key >> WAY_BITS, self.ways.all
        for other, at in segment.reads.items():
            if at == position and other >> WAY_BITS == queue:
                continue
            read = every[other & WAY_MASK]
            if clock[(other >> WAY_BITS) * self.stride + read.done] <= at:
                pair = way.after.get(read.number) or self.ways.pair(read, way)
                free = pair.free and (pair.free_across or other >> WAY_BITS == queue)
                if not free and not self._in_order(pair, read, other, at, way, queue, clock):
                    self._hit("write-after-read", segment, way, key, position, other, at, clock)
                    return

    def _hit(
        self,
        rule: str,
        segment: Segment,
        way: Way,
        key: int,
        position: int,
        other: int,
        at: int,
        clock: Clock,
    ) -> None:
        if rule == "write-after-read":
            facts = self.facts_after_read(way, key >> WAY_BITS, other, at, clock)
        else:
            facts = self.facts_after_write(segment, way, key >> WAY_BITS, other, at, clock)
        chain = facts[: 1 + next(n for n, fact in enumerate(facts) if not fact.holds)]
        later, earlier = actor_of(key, position), actor_of(other, at)
        self.report(Hit(rule, later, earlier, segment.start, segment.end, tuple(chain)))

    # -- the same questions, answered one by one for people

    def facts_after_write(
        self, segment: Segment, way: Way, queue: int, other: int, at: int, clock: Clock
    ) -> list[Fact]:
        """What must hold between an earlier write and an access, and whether it does."""
        write = self.ways.all[other & WAY_MASK]
        pair = self.ways.pair(write, way)
        if pair.free and (pair.free_across or other >> WAY_BITS == queue):
            return [Fact("in order", -1, at, True)]
        base = (other >> WAY_BITS) * self.stride
        facts = [self._fact_ordered(pair, write, other, at, way, queue, clock)]
        if pair.through:
            holds = self.written_back(segment, write, base, at, clock)
            facts.append(Fact("available", base + write.wb, at, holds, write.home))
        if way.reads:
            facts += self._facts_visible(segment, way, pair, base, at, clock)
        return facts

    def _facts_visible(
        self, segment: Segment, way: Way, pair: Pair, base: int, at: int, clock: Clock
    ) -> list[Fact]:
        facts = []
        for number, hop in enumerate(way.hops):
            if not hop.hit:
                continue
            if self.unclean(segment, segment.writes, way, number, clock) is None:
                if number < pair.meets:
                    facts.append(Fact("visible", base + pair.clean[number], at, True, hop.cache))
                continue
            blame = self.old_copy(segment, segment.old, hop.cache, clock)
            if blame is not None:
                bringer, point = blame
                facts.append(Fact("visible", point, at, False, hop.cache, bringer))
        return facts

    def facts_after_read(
        self, way: Way, queue: int, other: int, at: int, clock: Clock
    ) -> list[Fact]:
        """What must hold between an earlier read and a write, and whether it does."""
        read = self.ways.all[other & WAY_MASK]
        pair = self.ways.pair(read, way)
        if pair.free and (pair.free_across or other >> WAY_BITS == queue):
            return [Fact("in order", -1, at, True)]
        return [self._fact_ordered(pair, read, other, at, way, queue, clock)]

    def _fact_ordered(
        self, pair: Pair, earlier: Way, other: int, at: int, way: Way, queue: int, clock: Clock
    ) -> Fact:
        point = (other >> WAY_BITS) * self.stride + earlier.done
        if clock[point] <= at and self._in_order(pair, earlier, other, at, way, queue, clock):
            if pair.ordered:
                return Fact("ordered", -1, at, True)
            point = queue * self.stride + way.order
        return Fact("ordered", point, at, clock[point] > at)

    # -- remembering

    def _note_read(self, way: Way, start: int, end: int, queue: int, position: int) -> None:
        key = queue << WAY_BITS | way.number
        kills = self._fill_keys(way, key)
        for segment in self.memory.cover(start, end):
            segment.reads[key] = position
            for kill in kills:
                segment.fresh[kill] = position

    def _fill_keys(self, way: Way, key: int) -> tuple[int, ...]:
        """The entries of copies that this way leaves, one a hop."""
        keys = self._keys.get(key)
        if keys is None:
            base = (key >> WAY_BITS) * self.stride
            keys = tuple((base + hop.kill) << CACHE_BITS | hop.cache for hop in way.hops)
            self._keys[key] = keys
        return keys

    def _note_write(self, way: Way, start: int, end: int, queue: int, position: int) -> None:
        """Copies elsewhere become old.

        The home cache has the new bytes. Other waves' pieces may leave old bytes (model 3.3).
        Behind an atomic earlier reads still count: another atomic need not come after this one, but
        after them.
        """
        key = queue << WAY_BITS | way.number
        atomic = bool(way.row.safe_with)
        kills = self._fill_keys(way, key)
        for segment in self.memory.cover(start, end):
            segment.overwrite(self._writers(segment, way, key, position), keep_reads=atomic)
            if segment.fresh:
                self._age(segment)
            if way.home >= 0 and segment.old:
                for kill in [k for k in segment.old if k & CACHE_MASK == way.home]:
                    del segment.old[kill]
            for kill, hop in zip(kills, way.hops, strict=True):
                segment.fresh[kill] = position
                if hop.private:
                    segment.old[kill] = position

    @staticmethod
    def _age(segment: Segment) -> None:
        """A new write makes every copy an old one."""
        old = segment.old
        for key, at in segment.fresh.items():
            if old.get(key, -1) < at:
                old[key] = at
        segment.fresh.clear()

    def _writers(self, segment: Segment, way: Way, key: int, position: int) -> dict[int, int]:
        """This is the last write now, beside others of its command and atomics that go on alone."""
        kept = {key: position}
        for other, at in segment.writes.items():
            same_queue = other >> WAY_BITS == key >> WAY_BITS
            if same_queue and at == position:
                kept.setdefault(other, at)
            elif way.row.safe_with:
                write = self.ways.all[other & WAY_MASK]
                alone = not same_queue or write.done != way.done
                if alone and self.ways.pair(write, way).free:
                    kept.setdefault(other, at)
        return kept

    def _fill_neighbours(
        self, way: Way, start: int, end: int, queue: int, position: int, clock: Clock
    ) -> None:
        """The rest of the first and last line comes along (model 3.3)."""
        if not way.hops:
            return
        key = queue << WAY_BITS | way.number
        low, high = start & self.low, (end + self.line - 1) & self.low
        for first, last in ((low, start), (end, high)):
            if first < last:
                for segment in self.memory.cover(first, last):
                    self._fill(segment, way, key, position, clock)

    def _fill(self, segment: Segment, way: Way, key: int, position: int, clock: Clock) -> None:
        now = Passed(segment.writes, segment.exposed, segment.old)
        old = self._old_hops(segment, now, way, key, position, clock)
        for at, kill in enumerate(self._fill_keys(way, key)):
            if at < old:
                segment.old[kill] = position
                self._check_passed_reads(segment, now, way.hops[at].cache, key, position, clock)
            else:
                segment.fresh[kill] = position
        for before in reversed(segment.passed):
            if all(self._is_over(other, at, clock) for other, at in before.exposed.items()):
                break
            old = self._old_hops(segment, before, way, key, position, clock)
            for hop, kill in zip(way.hops[:old], self._fill_keys(way, key), strict=False):
                before.old[kill] = position
                self._check_passed_reads(segment, before, hop.cache, key, position, clock)

    def _old_hops(
        self, segment: Segment, then: Passed, way: Way, key: int, position: int, clock: Clock
    ) -> int:
        """How many of the way's nearest caches may get an older copy than those writes'."""
        old = 0
        for other, at in then.writes.items():
            own = at == position and other >> WAY_BITS == key >> WAY_BITS
            if own or self.breaks(segment, other, at, way, key >> WAY_BITS, clock):
                old = max(old, self.ways.pair(self.ways.all[other & WAY_MASK], way).meets)
        for at in range(len(way.hops) - 1, old, -1):
            if self.unclean(segment, then.writes, way, at, clock) and self.old_copy(
                segment, then.old, way.hops[at].cache, clock
            ):
                return at
        return old

    def _is_over(self, key: int, at: int, clock: Clock) -> bool:
        """Is that access known to be complete?"""
        return clock[(key >> WAY_BITS) * self.stride + self.ways.all[key & WAY_MASK].done] > at

    def _check_passed_reads(
        self, segment: Segment, then: Passed, cache: int, key: int, position: int, clock: Clock
    ) -> None:
        """A neighbour's fill may come before a read that the pass has already seen (design 2)."""
        for other, at in then.exposed.items():
            reader = actor_of(other, at)
            way = self.ways.all[reader.way]
            own = at == position and other >> WAY_BITS == key >> WAY_BITS
            hits = any(hop.cache == cache and hop.hit for hop in way.hops)
            if hits and not own and not self._is_over(other, at, clock):
                write, wrote = next(iter(then.writes.items()))
                point = reader.queue * self.stride + way.done
                fact = Fact("visible", point, at, False, cache, actor_of(key, position))
                self.report(
                    Hit(
                        "stale-cache-line",
                        reader,
                        actor_of(write, wrote),
                        segment.start,
                        segment.end,
                        (fact,),
                    )
                )
