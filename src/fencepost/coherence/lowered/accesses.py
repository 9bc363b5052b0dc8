"""The four questions on every access, over integers (model 5.3; `coherence.access`)."""

from __future__ import annotations

from array import array

from fencepost.coherence.lowered.codes import (
    CACHE_BITS,
    CACHE_MASK,
    EXPOSED,
    FRESH,
    LISTS,
    OLD,
    PASSED,
    READS,
    WAY_BITS,
    WAY_MASK,
    WRITES,
)
from fencepost.coherence.lowered.segments import Segments
from fencepost.coherence.lowered.tables import ByteTables, WayTables


class Accesses(Segments):
    """Checks and remembers the accesses of the command at hand: `here` of `queue`.

    `clocks`: all clocks, one behind the other; a clock is named by where it begins. `last`: the
    last use of each cache by group. `hit_queue`, `hit_position`: whose access is not right.
    `undecided`: that cannot be told here.
    """

    def __init__(
        self,
        access_ways: array[int],
        access_spans: array[int],
        ways: WayTables,
        memory: ByteTables,
        queues: int,
        stride: int,
        slots: int,
    ) -> None:
        super().__init__(memory)
        self.access_ways = access_ways
        self.access_spans = access_spans
        self.stride = stride
        self.size = queues * stride
        self.clocks = array("q", [0]) * (slots * self.size)
        self.last = array("q", [-1]) * self.size
        self.queue = 0
        self.here = 0
        self.hit_queue = -1
        self.hit_position = -1
        self.undecided = False
        self.ways = ways.count
        self.engine = ways.engine
        self.reads = ways.reads
        self.writes = ways.writes
        self.done = ways.done
        self.home = ways.home
        self.wb = ways.wb
        self.order = ways.order
        self.drawn = ways.drawn
        self.safe = ways.safe
        self.hop_first = ways.hop_first
        self.hop_cache = ways.hop_cache
        self.hop_kill = ways.hop_kill
        self.hop_through = ways.hop_through
        self.hop_hit = ways.hop_hit
        self.hop_private = ways.hop_private
        self.free = ways.free
        self.free_across = ways.free_across
        self.ordered = ways.ordered
        self.meets = ways.meets
        self.through = ways.through
        self.clean_first = ways.clean_first
        self.clean = ways.clean
        self.feedback = ways.feedback
        self.ranged_first = ways.ranged_first
        self.ranged_start = ways.ranged_start
        self.ranged_end = ways.ranged_end
        self.ranged_wb = ways.ranged_wb
        self.ranged_inv = ways.ranged_inv

    def hit(self, queue: int, position: int) -> bool:
        """An access is not right."""
        self.hit_queue = queue
        self.hit_position = position
        return True

    def perform(self, first: int, last: int, clock: int) -> bool:
        """Accesses of one command by one engine: all are checked, then all are remembered."""
        key = self.queue << WAY_BITS
        for row in range(first, last):
            way, span = self.access_ways[row], self.access_spans[row]
            cell, high = self.cover(span), self.span_high[span]
            while cell < high:
                known = self.head[cell * LISTS + WRITES] or self.head[cell * LISTS + READS]
                if known and self.check(cell, way, key | way, clock):
                    return self.hit(self.queue, self.here)
                cell = self.until[cell]
        for row in range(first, last):
            way, span = self.access_ways[row], self.access_spans[row]
            if self.hop_first[way] < self.hop_first[way + 1]:
                if self.span_before[span] >= 0 and self.fill(self.span_before[span], way, clock):
                    return True
                if self.span_behind[span] >= 0 and self.fill(self.span_behind[span], way, clock):
                    return True
            if self.reads[way]:
                self.note_read(span, way)
        for row in range(first, last):
            way, span = self.access_ways[row], self.access_spans[row]
            if self.writes[way]:
                self.note_write(span, way)
            for hop in range(self.hop_first[way], self.hop_first[way + 1]):
                self.last[self.queue * self.stride + self.hop_through[hop]] = self.here
        return False

    def check(self, cell: int, way: int, key: int, clock: int) -> bool:
        """Is an access to a segment not right (model 5.3)?"""
        node = self.head[cell * LISTS + WRITES]
        while node:
            other, at = self.node_key[node], self.node_at[node]
            own = at == self.here and other >> WAY_BITS == self.queue
            if not own and self.breaks(cell, other, at, way, clock):
                return True
            node = self.node_next[node]
        if self.reads[way] and self.head[cell * LISTS + WRITES]:
            for hop in range(self.hop_first[way], self.hop_first[way + 1]):
                if self.hop_hit[hop] and self.unclean(cell, way, hop, clock):
                    self.put(cell, EXPOSED, key, self.here)
                    if self.old_copy(cell, self.hop_cache[hop], clock):
                        return True
        if self.writes[way]:
            return self.check_reads(cell, way, clock)
        return False

    def check_reads(self, cell: int, way: int, clock: int) -> bool:
        """May a write come before a read that it must not disturb?"""
        node = self.head[cell * LISTS + READS]
        while node:
            other, at = self.node_key[node], self.node_at[node]
            earlier = other & WAY_MASK
            own = at == self.here and other >> WAY_BITS == self.queue
            if not own and not self.is_over(other, at, clock):
                pair = earlier * self.ways + way
                near = other >> WAY_BITS == self.queue
                free = self.free[pair] and (near or self.free_across[pair])
                if not free and not self.in_order(pair, earlier, other, at, way, clock):
                    return True
            node = self.node_next[node]
        return False

    def is_over(self, key: int, at: int, clock: int) -> bool:
        """Is that access known to be complete?"""
        point = (key >> WAY_BITS) * self.stride + self.done[key & WAY_MASK]
        return self.clocks[clock + point] > at

    def in_order(self, pair: int, earlier: int, other: int, at: int, way: int, clock: int) -> bool:
        """Does the later access's block come to it after the earlier one (model 2.5, 4.5)?"""
        if self.order[way] < 0 or other >> WAY_BITS != self.queue:
            return False
        if self.ordered[pair]:
            return True
        point = self.queue * self.stride + self.order[way]
        return self.drawn[earlier] != 0 and self.clocks[clock + point] > at

    def breaks(self, cell: int, other: int, at: int, way: int, clock: int) -> bool:
        """Is an earlier write not ordered, or not available, for an access?"""
        earlier = other & WAY_MASK
        pair = earlier * self.ways + way
        if self.free[pair] and (self.free_across[pair] or other >> WAY_BITS == self.queue):
            return False
        if not self.is_over(other, at, clock) and not self.in_order(
            pair, earlier, other, at, way, clock
        ):
            return True
        return self.through[pair] != 0 and not self.written_back(cell, earlier, other, at, clock)

    def written_back(self, cell: int, earlier: int, other: int, at: int, clock: int) -> bool:
        """Is the data of that write known to be in memory?"""
        base = clock + (other >> WAY_BITS) * self.stride
        if self.clocks[base + self.wb[earlier]] > at:
            return True
        home = self.home[earlier]
        for row in range(self.ranged_first[home], self.ranged_first[home + 1]):
            if self.inside(cell, row) and self.clocks[base + self.ranged_wb[row]] > at:
                return True
        return False

    def inside(self, cell: int, row: int) -> bool:
        """Is a segment within the range of a ranged operation?"""
        start, end = self.address[cell], self.address[self.until[cell]]
        return self.ranged_start[row] <= start and end <= self.ranged_end[row]

    def unclean(self, cell: int, way: int, hop: int, clock: int) -> bool:
        """May the hop's cache miss a last write that it does not share?

        Points of ranged write-backs are left out, so that more is unclean than for `Accesses`.
        """
        number = hop - self.hop_first[way]
        node = self.head[cell * LISTS + WRITES]
        while node:
            key = self.node_key[node]
            pair = (key & WAY_MASK) * self.ways + way
            if number < self.meets[pair]:
                point = self.clean[self.clean_first[pair] + number]
                base = clock + (key >> WAY_BITS) * self.stride
                if point < 0 or self.clocks[base + point] <= self.node_at[node]:
                    return True
            node = self.node_next[node]
        return False

    def old_copy(self, cell: int, cache: int, clock: int) -> bool:
        """May the cache hold an old copy that nothing is known to have removed?"""
        node = self.head[cell * LISTS + OLD]
        while node:
            key, at = self.node_key[node], self.node_at[node]
            point = key >> CACHE_BITS
            kept = key & CACHE_MASK == cache and self.clocks[clock + point] <= at
            if kept and not self.gone_by_range(cell, cache, point, at, clock):
                return True
            node = self.node_next[node]
        return False

    def gone_by_range(self, cell: int, cache: int, point: int, at: int, clock: int) -> bool:
        """Has a ranged operation removed that copy?"""
        base = clock + point - point % self.stride
        for row in range(self.ranged_first[cache], self.ranged_first[cache + 1]):
            if self.inside(cell, row) and self.clocks[base + self.ranged_inv[row]] > at:
                return True
        return False

    # -- remembering

    def note_read(self, span: int, way: int) -> None:
        """A read, and the copies that it leaves."""
        key = self.queue << WAY_BITS | way
        cell, high = self.cover(span), self.span_high[span]
        while cell < high:
            self.put(cell, READS, key, self.here)
            for hop in range(self.hop_first[way], self.hop_first[way + 1]):
                self.put(cell, FRESH, self.copy_key(hop), self.here)
            cell = self.until[cell]

    def copy_key(self, hop: int) -> int:
        """The entry of a copy that a hop leaves."""
        point = self.queue * self.stride + self.hop_kill[hop]
        return point << CACHE_BITS | self.hop_cache[hop]

    def note_write(self, span: int, way: int) -> None:
        """Copies elsewhere become old; the home cache has the new bytes (model 3.3)."""
        cell, high = self.cover(span), self.span_high[span]
        while cell < high:
            self.overwrite(cell, way)
            self.age(cell)
            if self.home[way] >= 0:
                self.forget(cell, self.home[way])
            for hop in range(self.hop_first[way], self.hop_first[way + 1]):
                self.put(cell, FRESH, self.copy_key(hop), self.here)
                if self.hop_private[hop]:
                    self.put(cell, OLD, self.copy_key(hop), self.here)
            cell = self.until[cell]

    def overwrite(self, cell: int, way: int) -> None:
        """This is the last write now, beside others of its command and atomics that go on alone."""
        key = self.queue << WAY_BITS | way
        base = cell * LISTS
        node = self.head[base + EXPOSED]
        while node:
            self.put_most(cell, PASSED, self.node_key[node], self.node_at[node])
            node = self.node_next[node]
        self.clear(base + EXPOSED)
        if not self.safe[way]:
            self.clear(base + READS)
        node = self.head[base + WRITES]
        self.head[base + WRITES] = 0
        self.put(cell, WRITES, key, self.here)
        while node:
            other, at, following = self.node_key[node], self.node_at[node], self.node_next[node]
            if other != key and self.stays(other, at, way):
                self.put(cell, WRITES, other, at)
            self.release_node(node)
            node = following

    def stays(self, other: int, at: int, way: int) -> bool:
        """Does an earlier write count as a last one beside a write of that way?"""
        earlier, same_queue = other & WAY_MASK, other >> WAY_BITS == self.queue
        if same_queue and at == self.here:
            return True
        if not self.safe[way] or (same_queue and self.done[earlier] == self.done[way]):
            return False
        return self.free[earlier * self.ways + way] != 0

    def age(self, cell: int) -> None:
        """A new write makes every copy an old one."""
        base = cell * LISTS
        node = self.head[base + FRESH]
        if not self.head[base + OLD]:
            self.head[base + OLD] = node
            self.head[base + FRESH] = 0
            return
        while node:
            self.put_most(cell, OLD, self.node_key[node], self.node_at[node])
            node = self.node_next[node]
        self.clear(base + FRESH)

    def forget(self, cell: int, cache: int) -> None:
        """No old copy is left in that cache."""
        at = cell * LISTS + OLD
        node, before = self.head[at], 0
        while node:
            following = self.node_next[node]
            if self.node_key[node] & CACHE_MASK == cache:
                if before:
                    self.node_next[before] = following
                else:
                    self.head[at] = following
                self.release_node(node)
            else:
                before = node
            node = following

    def fill(self, span: int, way: int, clock: int) -> bool:
        """The rest of a line comes along (model 3.3); True where that harms an earlier read.

        What may have come before a write that has been written over is left to `Accesses`.
        """
        cell, high = self.cover(span), self.span_high[span]
        while cell < high:
            node = self.head[cell * LISTS + PASSED]
            while node:
                if not self.is_over(self.node_key[node], self.node_at[node], clock):
                    self.undecided = True
                    return False
                node = self.node_next[node]
            old = self.old_hops(cell, way, clock)
            first = self.hop_first[way]
            for hop in range(first, self.hop_first[way + 1]):
                if hop - first < old:
                    self.put(cell, OLD, self.copy_key(hop), self.here)
                    if self.harms(cell, self.hop_cache[hop], clock):
                        return True
                else:
                    self.put(cell, FRESH, self.copy_key(hop), self.here)
            cell = self.until[cell]
        return False

    def old_hops(self, cell: int, way: int, clock: int) -> int:
        """How many of the way's nearest caches may get an older copy than the last write's."""
        old = 0
        node = self.head[cell * LISTS + WRITES]
        while node:
            other, at = self.node_key[node], self.node_at[node]
            own = at == self.here and other >> WAY_BITS == self.queue
            if own or self.breaks(cell, other, at, way, clock):
                meets = self.meets[(other & WAY_MASK) * self.ways + way]
                old = max(old, meets)
            node = self.node_next[node]
        first = self.hop_first[way]
        at = self.hop_first[way + 1] - first - 1
        while at > old:
            cache = self.hop_cache[first + at]
            if self.unclean(cell, way, first + at, clock) and self.old_copy(cell, cache, clock):
                return at
            at -= 1
        return old

    def harms(self, cell: int, cache: int, clock: int) -> bool:
        """May a neighbour's fill come before a read that the walk has already seen?"""
        node = self.head[cell * LISTS + EXPOSED]
        while node:
            other, at = self.node_key[node], self.node_at[node]
            own = at == self.here and other >> WAY_BITS == self.queue
            if not own and not self.is_over(other, at, clock):
                reader = other & WAY_MASK
                for hop in range(self.hop_first[reader], self.hop_first[reader + 1]):
                    if self.hop_cache[hop] == cache and self.hop_hit[hop]:
                        return self.hit(other >> WAY_BITS, at)
            node = self.node_next[node]
        return False
