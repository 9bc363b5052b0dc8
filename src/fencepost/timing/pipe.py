"""The pipe: stages retire in order, events and values follow them (docs/timing.md 5).

When a stage retires is known as soon as its waves are through, its vertex stage included: the time
may be later than now. Operations, values and flips happen at their time.
"""

from __future__ import annotations

from fencepost.timing.agenda import FLIPPED, LOOK, OPERATED, VALUE
from fencepost.timing.caches import Caches
from fencepost.timing.code import (
    BACK,
    CHAINS,
    CS,
    DRAW,
    END,
    EVENT,
    EVENT_LINE,
    FLIP,
    LINES,
    PS,
    SENT,
    SHADER,
    VERTEX,
    VS,
    FlushRow,
    ForkRow,
)
from fencepost.timing.labels import Labels
from fencepost.timing.needs import Needs
from fencepost.timing.parameters import Parameters, divided
from fencepost.timing.record import NEVER
from fencepost.timing.room import column_of, zeros
from fencepost.timing.shaders import Shaders
from fencepost.timing.state import State
from fencepost.timing.table import Table


class Pipe:
    """Retires works in order and carries out what commands do down the pipe.

    In-order lines of forks: `waiting` of each have been handed over, `heads` of them have gone on;
    they stand in `line`, from `line_first`. `span`: what a fork's operations take; `look`: when its
    queue will look at it again.
    """

    def __init__(
        self,
        shaders: Shaders,
        rows: list[ForkRow],
        labels: Labels,
        caches: Caches,
        parameters: Parameters,
    ) -> None:
        self.shaders = shaders
        self.state: State = self.shaders.state
        self.table: Table = self.shaders.table
        self.rows = rows
        self.needs = Needs(self.state, rows, then=False)
        self.then = Needs(self.state, rows, then=True)
        self.labels = labels
        self.caches = caches
        self.back_end = parameters.cycles("back end")
        trip = parameters.cycles("memory round trip")
        self.write_trip = max(trip, parameters.cycles("minimum fence") - trip)
        self.vblank = parameters["VBlank period"]
        self.fork_queue = column_of(row.queue for row in rows)
        self.fork_line = column_of(row.line for row in rows)
        self.travel = column_of(row.travel for row in rows)
        self.done = column_of(row.done for row in rows)
        self.valued = column_of(row.valued for row in rows)
        self.sent = column_of(SENT.get(row.valued, NEVER) for row in rows)
        self.holds = column_of(row.holds for row in rows)
        self.flushed = column_of(row.flush is not None for row in rows)
        self.flushes = [row.flush or FlushRow() for row in rows]
        self.span = zeros(len(rows))
        self.look = zeros(len(rows))
        self.line = zeros(len(rows))
        self.line_first = zeros(self.state.queues * LINES)
        self.waiting = zeros(self.state.queues * LINES)
        self.heads = zeros(self.state.queues * LINES)
        self.plans: dict[int, list[tuple[int, int, int]]] = {}
        self.last_flip = NEVER
        self._lay_out()

    def _lay_out(self) -> None:
        """Room for the forks of each line."""
        lines: list[list[int]] = [[] for _ in range(self.state.queues * LINES)]
        for number, row in enumerate(self.rows):
            if row.line != EVENT_LINE:
                lines[row.queue * LINES + row.line].append(number)
        first = 0
        for at, forks in enumerate(lines):
            self.line_first[at] = first
            for number in forks:
                self.line[first] = number
                first += 1

    # -- what engines hand down

    def enter(self, work: int) -> None:
        """A draw or dispatch stands in the chains of its queue."""
        state, queue = self.state, self.table.queue[work]
        if self.table.kind[work] == DRAW:
            state.stand(queue, VS, work)
            self.table.rank[work] = state.stand(queue, PS, work)
            state.stand(queue, END, work)
        else:
            self.table.rank[work] = state.stand(queue, CS, work)

    def fork(self, number: int) -> None:
        """A command goes down the pipe; what its flush finds is settled now."""
        state, table, queue = self.state, self.table, self.fork_queue[number]
        table.issued[number] = state.now
        table.arrived[number] = state.now + self.travel[number]
        if self.flushed[number]:
            planned = self.caches.flush(self.flushes[number])
            self.plans[number] = planned
            self.span[number] = sum(span for _, span, _ in planned)
        if self.holds[number]:
            table.fork_end_rank[number] = state.stand(queue, END, ~number)
        if self.fork_line[number] != EVENT_LINE:
            at = queue * LINES + self.fork_line[number]
            table.fork_rank[number] = self.waiting[at]
            self.waiting[at] += 1
        state.mark(queue)

    def before_in_line(self, number: int) -> int:
        """The fork before one in its line."""
        at = self.fork_queue[number] * LINES + self.fork_line[number]
        return self.line[self.line_first[at] + self.table.fork_rank[number] - 1]

    # -- in order

    def settle(self, queue: int) -> None:
        """Retire what is ready, and let the heads of the lines go on."""
        moved = True
        while moved:
            self._retire_vertices(queue)
            self._retire_pixels(queue)
            self._retire_ends(queue)
            self._retire_dispatches(queue)
            moved = False
            for at in range(queue * LINES, (queue + 1) * LINES):
                if self.heads[at] < self.waiting[at]:
                    moved |= self._advance(at)

    def _retire_vertices(self, queue: int) -> None:
        state, table, at = self.state, self.table, queue * CHAINS + VS
        while state.done[at] < state.known[at]:
            work = state.next_of(at)
            if self.shaders.lacks(VERTEX, work):
                break
            table.vertex_done[work] = state.retire(at, table.vertex_ready[work])

    def _retire_pixels(self, queue: int) -> None:
        state, table, at = self.state, self.table, queue * CHAINS + PS
        while state.done[at] < state.done[queue * CHAINS + VS]:
            work = state.next_of(at)
            if self.shaders.lacks(SHADER, work):
                break
            ready = max(table.shader_ready[work], table.vertex_done[work])
            table.shader_ready[work] = ready
            table.shader_done[work] = state.retire(at, ready)

    def _retire_dispatches(self, queue: int) -> None:
        state, table, at = self.state, self.table, queue * CHAINS + CS
        while state.done[at] < state.known[at]:
            work = state.next_of(at)
            if self.shaders.lacks(SHADER, work):
                break
            table.shader_done[work] = state.retire(at, table.shader_ready[work])
            table.end_done[work] = table.shader_done[work]

    def _retire_ends(self, queue: int) -> None:
        """Draws pass the end of pipe, and what holds them there (5.5)."""
        state, at = self.state, queue * CHAINS + END
        while state.done[at] < state.known[at]:
            entry = state.next_of(at)
            if not (self._passes(at, entry) if entry >= 0 else self._held(at, ~entry)):
                break

    def _passes(self, at: int, work: int) -> bool:
        """A draw passes when its back end is through, and its part on the ROPs."""
        table = self.table
        if table.shader_done[work] < 0 or self.shaders.lacks(BACK, work):
            return False
        through = table.shader_done[work] + self.back_end
        if table.end_ready[work] < through:
            table.end_ready[work] = through
            table.ended_by[work] = NEVER
        table.end_done[work] = self.state.retire(at, table.end_ready[work])
        return True

    def _held(self, at: int, number: int) -> bool:
        """An event acts when all earlier draws have passed, and is over when it is in memory.

        An EOP acts when its turn comes in its own line.
        """
        state, table = self.state, self.table
        if self.fork_line[number] == EVENT_LINE and table.operated_from[number] < 0:
            if self._come(number, state.reached[at]):
                self._act(number)
                state.agenda.push(state.now + self.span[number], OPERATED, number)
            return False
        if table.operated[number] < 0:
            return False
        state.retire(at, table.operated[number])
        if self.fork_line[number] == EVENT_LINE:
            state.finish(self.fork_queue[number], EVENT, ~number, table.operated[number])
        return True

    def _come(self, number: int, time: int) -> bool:
        """Is a fork there, and that time come? Its queue looks again when they are."""
        then = max(time, self.table.arrived[number])
        return then <= self.state.now or self._look_again(number, then)

    def _look_again(self, number: int, time: int) -> bool:
        if self.look[number] != time:
            self.look[number] = time
            self.state.agenda.push(time, LOOK, self.fork_queue[number])
        return False

    def _act(self, number: int) -> None:
        """The operations of a fork begin."""
        self.table.operated_from[number] = self.state.now
        if self.flushed[number]:
            row = self.rows[number]
            flush, planned = self.flushes[number], self.plans[number]
            self.caches.begin(flush, planned, self.state.now, row.queue, row.position)

    # -- values

    def _advance(self, at: int) -> bool:
        """Let the head of a line go on as far as it can."""
        moved = False
        while self.heads[at] < self.waiting[at]:
            if not self._goes_on(self.line[self.line_first[at] + self.heads[at]]):
                break
            self.heads[at] += 1
            moved = True
        return moved

    def _goes_on(self, number: int) -> bool:
        """A fork acts when what it needs is over, and sends its value behind its operations."""
        table = self.table
        if table.operated_from[number] < 0:
            met = self.needs.met(number)
            if met < 0 or not self._come(number, met):
                return False
            self._act(number)
            if self.span[number]:
                self.state.agenda.push(self.state.now + self.span[number], OPERATED, number)
            else:
                self.operated(number)
        if table.operated[number] < 0:
            return False
        met = self.then.met(number)
        if met < 0 or (met > self.state.now and not self._look_again(number, met)):
            return False
        self._send(number)
        return True

    def operated(self, number: int) -> None:
        """The operations of a fork are finished."""
        state, queue = self.state, self.fork_queue[number]
        self.table.operated[number] = state.now
        if self.done[number] >= 0 and self.fork_line[number] != EVENT_LINE:
            state.finish(queue, self.done[number], ~number, state.now)
        state.mark(queue)

    def _send(self, number: int) -> None:
        state = self.state
        self.table.sent[number] = state.now
        if self.valued[number] == FLIP:
            self._flip(number)
        elif self.valued[number] >= 0:
            if self.sent[number] >= 0:
                state.finish(self.fork_queue[number], self.sent[number], ~number, state.now)
            state.agenda.push(state.now + self.write_trip, VALUE, number)

    def _flip(self, number: int) -> None:
        """At the first VBlank that no other flip has; over at the next one."""
        first = divided(self.state.now, self.vblank) * self.vblank
        if self.last_flip >= 0:
            first = max(first, self.last_flip + self.vblank)
        self.last_flip = first
        self.table.arrived_value[number] = first
        self.state.agenda.push(first + self.vblank, FLIPPED, number)

    def flipped(self, number: int) -> None:
        """A flip is over."""
        self.state.finish(self.fork_queue[number], FLIP, ~number, self.state.now)

    def arrive(self, number: int) -> None:
        """A value is in memory."""
        row, now = self.rows[number], self.state.now
        self.table.arrived_value[number] = now
        self.state.finish(self.fork_queue[number], self.valued[number], ~number, now)
        if row.label >= 0:
            self.labels.store(row.label, row.value, now, row.queue, row.position, number)
