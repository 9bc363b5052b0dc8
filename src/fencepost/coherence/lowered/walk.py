"""The replay of `coherence.replay` and `coherence.access` over tables of integers (model 4, 5.3).

It stops at the first access that is not right, or where it cannot tell; explaining is not its work.
All numbers are positions, points, cells and the like, which are counted, so 64 bits are enough.
"""

from __future__ import annotations

from array import array

from fencepost.coherence.lowered.accesses import Accesses
from fencepost.coherence.lowered.codes import (
    ACCESS,
    ACQUIRE,
    CLEAN,
    CONFIRM,
    COPY,
    EVENT,
    FORK,
    HAZARD,
    HERE,
    JOIN,
    JUDGE,
    KEEP,
    LEAN,
    LEAST,
    LOAD,
    NEXT,
    ON,
    PEND,
    PRESENT,
    RAISE,
    RELEASE,
    RESTORE,
    RETIRE,
    SET,
    STALL,
    STORE,
    UNDECIDED,
    UNFLIP,
    USE,
)
from fencepost.coherence.lowered.tables import (
    ByteTables,
    ShapeTables,
    SurfaceTables,
    WayTables,
)


class Stream:
    """A program's columns, as the walk reads them."""

    def __init__(
        self,
        queue_firsts: array[int],
        shapes: array[int],
        firsts: array[int],
        retired: array[int],
        access_ways: array[int],
        access_spans: array[int],
    ) -> None:
        self.queue_firsts = queue_firsts
        self.shapes = shapes
        self.firsts = firsts
        self.retired = retired
        self.access_ways = access_ways
        self.access_spans = access_spans


class Fates:
    """What a program does with labels: of each command the number of its write or wait, or -1.

    Waits are numbered behind writes. `points`, `queues`, `positions`: of each write. Sources of
    wait `n` are rows `first[n]:first[n + 1]` of `sources`: numbers of writes; -1: the starting
    value. A wait without sources is never over. A walk fills `write_clocks`, what each write
    guarantees, and `wait_clocks`, what is known before each wait.
    """

    def __init__(
        self,
        numbers: array[int],
        points: array[int],
        queues: array[int],
        positions: array[int],
        first: array[int],
        sources: array[int],
        size: int,
    ) -> None:
        self.numbers = numbers
        self.points = points
        self.queues = queues
        self.positions = positions
        self.first = first
        self.sources = sources
        self.write_clocks = array("q", [0]) * (len(points) * size)
        self.wait_clocks = array("q", [0]) * ((len(first) - 1) * size)


class Walk(Accesses):
    """One walk over a program.

    `command` is the command at hand, counted through all queues, `clock` the clock at hand.
    `leaned`: some guarantee was taken that only the `documented` level gives.
    """

    def __init__(
        self,
        stream: Stream,
        ways: WayTables,
        table: ShapeTables,
        surfaces: SurfaceTables,
        memory: ByteTables,
        fates: Fates,
        stride: int,
    ) -> None:
        queues = len(stream.queue_firsts) - 1
        super().__init__(
            stream.access_ways, stream.access_spans, ways, memory, queues, stride, table.slots
        )
        self.queues = queues
        self.queue_firsts = stream.queue_firsts
        self.shapes = stream.shapes
        self.firsts = stream.firsts
        self.retired = stream.retired
        self._take_shapes(table)
        self._take_surfaces(surfaces)
        self._take_fates(fates)
        self.filled = array("i", [0]) * table.slots
        self.present_at = array("q", [0]) * table.slots
        self.event_room = 64
        self.event_store = [
            array("q", [0]) * (64 * self.size),
            array("q", [0]) * 64,
            array("q", [0]) * 64,
        ]
        self.events, self.event_positions, self.event_before = self.event_store
        self.event_rows = array("i", [0]) * (queues * table.blocks)
        self.event_count = 0
        self.covered = array("q", [0]) * len(table.stream_targets)
        self.judged = array("i", [0]) * len(table.stream_first)
        self.positions = array("q", [0]) * queues
        self.least = array("q", [0]) * self.size
        self.with_accesses = True
        self.with_repeats = False
        self.leaned = False
        self.command = 0
        self.clock = 0
        self.low = 0

    def _take_shapes(self, table: ShapeTables) -> None:
        self.shape_first = table.first
        self.shape_middle = table.middle
        self.shape_works = table.works
        self.shape_kicks = table.kicks
        self.codes = table.codes
        self.engine_slots = table.engine_slots
        self.arrive_first = table.arrive_first
        self.arrivals = table.arrivals
        self.stall_start = table.stall_start
        self.stall_end = table.stall_end
        self.stall_whole = table.stall_whole
        self.stall_so = table.stall_so
        self.stall_surfaces = table.stall_surfaces
        self.stall_blocks_first = table.stall_blocks_first
        self.stall_blocks = table.stall_blocks
        self.stream_first = table.stream_first
        self.stream_targets = table.stream_targets
        self.stream_sources = table.stream_sources
        self.draw_end = table.draw_end
        self.so_done = table.so_done
        self.blocks = table.blocks

    def _take_surfaces(self, surfaces: SurfaceTables) -> None:
        self.surface_count = surfaces.count
        self.starts_first = surfaces.starts_first
        self.starts = surfaces.starts
        self.draws_first = surfaces.draws_first
        self.draws = surfaces.draws
        self.uses_first = surfaces.uses_first
        self.uses = surfaces.uses
        self.surface_start = surfaces.start
        self.surface_end = surfaces.end

    def _take_fates(self, fates: Fates) -> None:
        self.numbers = fates.numbers
        self.write_points = fates.points
        self.write_queues = fates.queues
        self.write_at = fates.positions
        self.source_first = fates.first
        self.sources = fates.sources
        self.write_clocks = fates.write_clocks
        self.written = array("i", [0]) * (len(fates.points) + 1)
        self.wait_clocks = fates.wait_clocks

    # -- order of the queues

    def run(self, accesses: bool, repeats: bool) -> int:
        """Walk every queue to its end.

        With `accesses`, whether all of them are right; with `repeats`, whether every cache
        operation finds something to do. `UNDECIDED`: some queue waits for what does not come, or
        a cache operation may do nothing.
        """
        self.with_accesses = accesses
        self.with_repeats = repeats
        left = True
        while left:
            left = False
            moved = False
            for queue in range(self.queues):
                before = self.positions[queue]
                if self.run_queue(queue):
                    return HAZARD
                if self.undecided:
                    return UNDECIDED
                moved = moved or self.positions[queue] > before
                first = self.queue_firsts[queue]
                left = left or first + self.positions[queue] < self.queue_firsts[queue + 1]
            if left and not moved:
                return UNDECIDED
        return CLEAN

    def run_queue(self, queue: int) -> bool:
        """Walk a queue until it must wait for another one; True where an access is not right."""
        first, last = self.queue_firsts[queue], self.queue_firsts[queue + 1]
        at = first + self.positions[queue]
        self.queue = queue
        while at < last:
            shape = self.shapes[at]
            works = self.shape_works[shape]
            if not works and self.numbers[at] >= 0 and not self.may_go(at, queue, at - first):
                break
            self.command = at
            self.here = at - first
            self.arrive(queue)
            if works:
                if self.work(at, shape, works):
                    return True
            elif self.carry_out(self.shape_first[shape], self.shape_first[shape + 1]):
                return True
            if self.undecided:
                break
            at += 1
            self.positions[queue] = at - first
        return False

    def may_go(self, at: int, queue: int, position: int) -> bool:
        """Are all possible sources of a wait seen? A command that writes a value may go."""
        wait = self.numbers[at] - len(self.write_points)
        if wait < 0:
            return True
        first, last = self.source_first[wait], self.source_first[wait + 1]
        for row in range(first, last):
            source = self.sources[row]
            if source >= 0 and not self.written[source]:
                ahead = self.write_queues[source] == queue and self.write_at[source] > position
                if not ahead:
                    return False
        return last > first

    def arrive(self, queue: int) -> None:
        """The engines have come this far."""
        for row in range(self.arrive_first[queue], self.arrive_first[queue + 1], 3):
            at = self.arrivals[row] * self.size + self.arrivals[row + 1]
            self.clocks[at] = self.here + self.arrivals[row + 2]

    # -- commands

    def work(self, at: int, shape: int, works: int) -> bool:
        """A work: its context, its accesses by the engine that makes them; True as `run_queue`."""
        self.retire()
        first, last = self.firsts[at], self.firsts[at + 1]
        aside = 0
        if works > 1:
            self.carry_out(self.shape_first[shape], self.shape_middle[shape])
            aside = self.clock
        while first < last and self.with_accesses:
            engine = self.engine[self.access_ways[first]]
            end = first + 1
            while end < last and self.engine[self.access_ways[end]] == engine:
                end += 1
            slot = self.engine_slots[self.queue * 5 + engine]
            if engine == 2:
                slot = self.shape_kicks[shape]
            clock = aside if works > 1 else slot * self.size
            if self.perform(first, end, clock):
                return True
            first = end
        if self.with_accesses and self.loops(self.firsts[at], last):
            return self.hit(self.queue, self.here)
        if self.shape_middle[shape] < self.shape_first[shape + 1]:
            return self.carry_out(self.shape_middle[shape], self.shape_first[shape + 1])
        return False

    def retire(self) -> None:
        """ME has waited for the draws of contexts that are used anew."""
        until = self.retired[self.command]
        if until:
            clock = self.engine_slots[self.queue * 5] * self.size
            for row in range(len(self.draw_end)):
                at = clock + self.queue * self.stride + self.draw_end[row]
                self.clocks[at] = max(self.clocks[at], until)

    def loops(self, first: int, last: int) -> bool:
        """Is the command wrong by itself (model 3.6)?"""
        for one in range(first + 1, last):
            for two in range(first, one):
                span, other = self.access_spans[one], self.access_spans[two]
                if (
                    self.span_low[span] < self.span_high[other]
                    and self.span_low[other] < self.span_high[span]
                    and self.feedback[self.access_ways[one] * self.ways + self.access_ways[two]]
                ):
                    return True
        return False

    def carry_out(self, first: int, last: int) -> bool:  # noqa: C901, PLR0912 - one branch a code
        """Operations on clocks; True where the command's own access is not right."""
        clocks = self.clocks
        here = self.here
        for row in range(first, last):
            code, a, b = self.codes[3 * row], self.codes[3 * row + 1], self.codes[3 * row + 2]
            clock = self.clock
            if code == COPY:
                clocks[clock + a] = max(clocks[clock + a], clocks[clock + b])
            elif code == RAISE:
                to = here if b == HERE else here + 1 if b == NEXT else clocks[clock + b]
                clocks[clock + a] = max(clocks[clock + a], to)
            elif code == LOAD:
                self.low = clocks[clock + a]
            elif code == LEAST:
                self.low = min(self.low, clocks[clock + a])
            elif code == STORE:
                clocks[clock + a] = max(clocks[clock + a], self.low)
            elif code == ON:
                self.clock = a * self.size
            elif code == FORK:
                self.copy_clock(clock, a * self.size)
                self.clock = a * self.size
            elif code == SET:
                clocks[clock + a] = here
            elif code == LEAN:
                self.leaned = True
            elif code == JUDGE:
                self.judge(a)
            elif code == ACCESS:
                at = self.command
                if self.with_accesses and self.perform(self.firsts[at], self.firsts[at + 1], clock):
                    return True
            else:
                self.carry_out_rarely(code, a, b)
            if self.undecided:
                break
        return False

    def carry_out_rarely(self, code: int, a: int, b: int) -> None:  # noqa: C901, PLR0912 - as above
        """Operations between clocks."""
        if code == CONFIRM:
            if self.filled[a]:
                self.leaned = self.leaned or b != 0
                self.join_clock(self.clock, a * self.size)
        elif code == PEND:
            if self.filled[a]:
                self.join_clock(a * self.size, self.clock)
            else:
                self.keep(a)
        elif code == KEEP:
            self.keep(a)
        elif code == JOIN:
            self.join_clock(self.clock, a * self.size)
        elif code == RESTORE:
            self.clocks[self.clock + a] = self.clocks[b * self.size + a]
        elif code == EVENT:
            self.event(a)
        elif code == STALL:
            self.stall(a, b)
        elif code == RETIRE:
            self.retire()
        elif code == ACQUIRE:
            self.acquire()
        elif code == RELEASE:
            self.release(a)
        elif code == PRESENT:
            self.keep(a)
            self.present_at[a] = self.here
        elif code == UNFLIP:
            if self.filled[a]:
                self.join_clock(self.clock, a * self.size)
                self.raise_point(b, self.present_at[a] + 1)
        elif code == USE:
            self.last[a] = self.here

    def keep(self, slot: int) -> None:
        """The clock at hand, as it is now."""
        self.copy_clock(self.clock, slot * self.size)
        self.filled[slot] = 1

    def copy_clock(self, source: int, target: int) -> None:
        """All points."""
        for point in range(self.size):
            self.clocks[target + point] = self.clocks[source + point]

    def join_clock(self, into: int, other: int) -> None:
        """Raise all points."""
        for point in range(self.size):
            self.clocks[into + point] = max(self.clocks[into + point], self.clocks[other + point])

    def judge(self, stream: int) -> None:
        """May this cache operation find nothing to do, because the last one covers every use?

        So far as `Repeats` asks no more; what else it asks only the replay can tell.
        """
        if not self.with_repeats:
            return
        first, last = self.stream_first[stream], self.stream_first[stream + 1]
        used = not self.judged[stream]
        for row in range(first, last):
            used = used or self.last[self.stream_targets[row]] >= self.covered[row]
            self.covered[row] = self.clocks[self.clock + self.stream_sources[row]]
        self.judged[stream] = 1
        if not used:
            self.undecided = True

    # -- contexts and events

    def event(self, block: int) -> None:
        """The clock at hand is what holds once an event of that block is in memory."""
        row = self.queue * self.blocks + block
        before = self.event_rows[row] - 1
        number = self.event_count
        if number == self.event_room:
            self.grow_events()
        base = number * self.size
        for point in range(self.size):
            known = self.clocks[self.clock + point]
            if before >= 0 and self.events[before * self.size + point] > known:
                known = self.events[before * self.size + point]
            self.events[base + point] = known
        self.event_positions[number] = self.here
        self.event_before[number] = before
        self.event_rows[row] = number + 1
        self.event_count = number + 1

    def grow_events(self) -> None:
        """Room for twice as many events."""
        self.event_store = [store + store for store in self.event_store]
        self.events, self.event_positions, self.event_before = self.event_store
        self.event_room *= 2

    def stall(self, number: int, seen: int) -> None:
        """A surface sync waits for contexts, and takes what their events then guarantee."""
        base, queue = self.queue * self.stride, self.queue
        before = self.here if seen < 0 else self.clocks[self.clock + seen]
        draw = (
            self.draw_below(before) if self.stall_whole[number] else self.drawn_on(number, before)
        )
        if draw < 0:
            return
        first, last = self.starts_first[queue], self.starts_first[queue + 1]
        context = below(self.starts, first, last, draw + 1)
        after = before
        if context < last and self.starts[context] < before:
            after = self.starts[context]
        until = self.draw_below(after) + 1
        if until <= 0:
            return
        for row in range(len(self.draw_end)):
            self.raise_point(base + self.draw_end[row], until)
        if self.stall_so[number]:
            self.raise_point(base + self.so_done, until)
        for row in range(self.stall_blocks_first[number], self.stall_blocks_first[number + 1]):
            event = self.event_rows[queue * self.blocks + self.stall_blocks[row]] - 1
            while event >= 0 and self.event_positions[event] >= after:
                event = self.event_before[event]
            if event >= 0:
                for point in range(self.size):
                    self.raise_point(point, self.events[event * self.size + point])

    def raise_point(self, point: int, to: int) -> None:
        """A point of the clock at hand is at least there."""
        self.clocks[self.clock + point] = max(self.clocks[self.clock + point], to)

    def draw_below(self, position: int) -> int:
        """The last draw of the queue below a position, or -1."""
        first, last = self.draws_first[self.queue], self.draws_first[self.queue + 1]
        row = below(self.draws, first, last, position)
        return self.draws[row - 1] if row > first else -1

    def drawn_on(self, number: int, before: int) -> int:
        """The last draw below `before` on the range of a stall through its surfaces, or -1."""
        found = -1
        count = self.surface_count
        for surface in range(count):
            if (
                self.stall_surfaces[number * count + surface]
                and self.surface_start[surface] < self.stall_end[number]
                and self.stall_start[number] < self.surface_end[surface]
            ):
                rows = self.queue * count + surface
                first, last = self.uses_first[rows], self.uses_first[rows + 1]
                row = below(self.uses, first, last, before)
                if row > first and self.uses[row - 1] > found:
                    found = self.uses[row - 1]
        return found

    # -- labels

    def release(self, forked: int) -> None:
        """The command's value is written, and stands for this clock."""
        write = self.numbers[self.command]
        if write < 0:
            return
        target = write * self.size
        point, value = self.write_points[write], self.here + 1
        if forked:
            self.raise_point(point, value)
        for at in range(self.size):
            self.write_clocks[target + at] = self.clocks[self.clock + at]
        self.write_clocks[target + point] = max(self.write_clocks[target + point], value)
        self.written[write] = 1

    def acquire(self) -> None:
        """Every source of the wait guarantees at least what the wait may take for granted."""
        wait = self.numbers[self.command] - len(self.write_points)
        if wait < 0:
            return
        for point in range(self.size):
            self.wait_clocks[wait * self.size + point] = self.clocks[self.clock + point]
        first, last = self.source_first[wait], self.source_first[wait + 1]
        for row in range(first, last):
            source = self.sources[row]
            if source < 0 or not self.written[source]:
                return
            for point in range(self.size):
                known = self.write_clocks[source * self.size + point]
                if row == first or known < self.least[point]:
                    self.least[point] = known
        if last > first:
            for point in range(self.size):
                self.raise_point(point, self.least[point])


def below(values: array[int], first: int, last: int, limit: int) -> int:
    """Where in `values[first:last]`, which rise, the first that is not below the limit stands."""
    while first < last:
        middle = (first + last) // 2
        if values[middle] < limit:
            first = middle + 1
        else:
            last = middle
    return first
