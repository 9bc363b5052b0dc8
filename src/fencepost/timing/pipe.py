"""The pipe: stages retire in order, events and values follow them (docs/timing.md 5)."""

from __future__ import annotations

from fencepost.timing.caches import Caches
from fencepost.timing.code import (
    CHAINS,
    CS,
    DISPATCH,
    DRAW,
    END,
    EVENT,
    EVENT_LINE,
    FLIP,
    LINES,
    PS,
    SENT,
    VS,
    ForkRow,
)
from fencepost.timing.parameters import Parameters, divided
from fencepost.timing.shaders import Shaders
from fencepost.timing.state import (
    ARRIVED,
    BACK_END,
    EVENT_DUE,
    FLIPPED,
    NEVER,
    OPERATED,
    VALUE,
    State,
)

PIPED = (VS, PS, END, CS)


class Pipe:
    """Retires works in order and carries out what commands do down the pipe."""

    def __init__(
        self, state: State, shaders: Shaders, caches: Caches, parameters: Parameters, *, cold: bool
    ) -> None:
        self.state = state
        self.code = state.code
        self.forks = state.code.forks
        self.kinds = state.code.works.kind
        self.queues = state.code.works.queue
        self.shaders = shaders
        self.caches = caches
        self.cold = cold
        self.back_end = parameters.cycles("back end")
        trip = parameters.cycles("memory round trip")
        self.write_trip = max(trip, parameters.cycles("minimum fence") - trip)
        self.vblank = parameters["VBlank period"]
        queues = len(self.code.me_of)
        self.lines: list[list[int]] = [[] for _ in range(queues * LINES)]
        self.heads = [0] * (queues * LINES)
        self.spans = [0] * len(self.code.forks)
        self.plans: dict[int, list[tuple[int, int, int]]] = {}
        self.last_flip = NEVER
        self.written: dict[int, None] = {}

    # -- what engines hand down

    def enter(self, work: int) -> None:
        """A work stands in the chains of its queue."""
        state = self.state
        kind, base = self.kinds[work], self.queues[work] * CHAINS
        if kind == DISPATCH:
            state.rank[work] = len(state.order[base + CS])
            state.order[base + CS].append(work)
        elif kind == DRAW:
            state.rank[work] = len(state.order[base + PS])
            state.end_rank[work] = len(state.order[base + END])
            for chain in (VS, PS, END):
                state.order[base + chain].append(work)

    def fork(self, number: int) -> None:
        """A command goes down the pipe; what its flush finds is settled now."""
        row, state = self.forks[number], self.state
        state.issued[number] = state.now
        if row.flush is not None:
            planned = self.caches.flush(row.flush)
            self.plans[number] = planned
            self.spans[number] = sum(span for _, span, _ in planned)
        if row.holds:
            state.fork_end_rank[number] = len(state.order[row.queue * CHAINS + END])
            state.order[row.queue * CHAINS + END].append(~number)
        if row.line != EVENT_LINE:
            state.fork_rank[number] = len(self.line_of(row))
            self.line_of(row).append(number)
        state.push(state.now + row.travel, ARRIVED, number)

    def line_of(self, row: ForkRow) -> list[int]:
        """The forks of the line that one stands in."""
        return self.lines[row.queue * LINES + row.line]

    def came(self, number: int) -> None:
        """A fork has come down the pipe."""
        self.state.arrived[number] = self.state.now
        self.state.settle[self.forks[number].queue] = None

    # -- in order

    def settle(self, queue: int) -> None:
        """Retire what is ready, and let the heads of the lines go on."""
        moved = True
        while moved:
            moved = False
            for chain in PIPED:
                moved |= self._retire(queue, chain)
            for line in range(LINES):
                moved |= self._advance(queue, line)

    def _retire(self, queue: int, chain: int) -> bool:
        state = self.state
        at = queue * CHAINS + chain
        order, times = state.order[at], state.times[at]
        moved = False
        while len(times) < len(order) and self._is_ready(order[len(times)], chain):
            entry = order[len(times)]
            self._retired(queue, chain, entry)
            moved = True
        return moved

    def _is_ready(self, entry: int, chain: int) -> bool:
        state = self.state
        if entry < 0:
            return self._event(~entry)
        if chain == VS:
            return state.vertex_ready[entry] >= 0
        if chain == END:
            return state.end_ready[entry] >= 0
        return state.shader_ready[entry] >= 0

    def _retired(self, queue: int, chain: int, entry: int) -> None:
        state = self.state
        if entry < 0:
            state.finish(queue, chain, entry)
            if self.forks[~entry].line == EVENT_LINE:
                state.finish(queue, EVENT, entry)
            return
        state.finish(queue, chain, entry)
        if chain == VS:
            state.vertex_done[entry] = state.now
            self.shaders.retired(entry, chain)
        elif chain == END:
            self._ended(entry)
        else:
            state.shader_done[entry] = state.now
            if chain == PS:
                state.push(state.now + self.back_end, BACK_END, entry)
            else:
                self._ended(entry)

    def _ended(self, work: int) -> None:
        self.state.end_done[work] = self.state.now
        self.shaders.finished(work)

    def _event(self, number: int) -> bool:
        """An event that all earlier draws have passed acts, and is done when it is in memory.

        An EOP acts when its turn comes in its own line.
        """
        state = self.state
        own_line = self.forks[number].line != EVENT_LINE
        if own_line or state.arrived[number] < 0 or state.operated[number] >= 0:
            return state.operated[number] >= 0
        if state.operated_from[number] < 0:
            self._act(number)
            state.push(state.now + self.spans[number], EVENT_DUE, number)
        return False

    def _act(self, number: int) -> None:
        """The operations of a fork begin."""
        state, row = self.state, self.forks[number]
        state.operated_from[number] = state.now
        if row.flush is None:
            return
        if self.cold:
            self.shaders.refill(row.flush)
        start = state.now
        for cache, span, size in self.plans[number]:
            state.operations.append((row.queue, row.position, cache, start, start + span, size))
            start += span

    # -- values

    def _advance(self, queue: int, line: int) -> bool:
        """Let the head of a line go on as far as it can."""
        at = queue * LINES + line
        moved = False
        waiting = self.lines[at]
        while self.heads[at] < len(waiting) and self._sent(waiting[self.heads[at]]):
            self.heads[at] += 1
            moved = True
        return moved

    def _sent(self, number: int) -> bool:
        state, row = self.state, self.forks[number]
        if state.operated_from[number] < 0:
            if state.arrived[number] < 0 or not self._all_done(row.queue, row.needs):
                return False
            self._act(number)
            if self.spans[number]:
                state.push(state.now + self.spans[number], OPERATED, number)
            else:
                self.operated(number)
        if state.operated[number] < 0 or not self._all_done(row.queue, row.then):
            return False
        self._send(number, row)
        return True

    def _all_done(self, queue: int, needs: list[tuple[int, int]]) -> bool:
        state = self.state
        for chain, count in needs:  # noqa: SIM110 - no generator, which would be a Python object
            if state.done(queue, chain) < count:
                return False
        return True

    def operated(self, number: int) -> None:
        """The operations of a fork are finished."""
        state, row = self.state, self.forks[number]
        state.operated[number] = state.now
        if row.done >= 0 and row.line != EVENT_LINE:
            state.finish(row.queue, row.done, ~number)
        state.settle[row.queue] = None

    def _send(self, number: int, row: ForkRow) -> None:
        state = self.state
        state.sent[number] = state.now
        if row.valued == FLIP:
            self._flip(number)
        elif row.valued >= 0:
            if row.valued in SENT:
                state.finish(row.queue, SENT[row.valued], ~number)
            state.push(state.now + self.write_trip, VALUE, number)

    def _flip(self, number: int) -> None:
        """At the first VBlank that no other flip has; over at the next one."""
        first = divided(self.state.now, self.vblank) * self.vblank
        if self.last_flip >= 0:
            first = max(first, self.last_flip + self.vblank)
        self.last_flip = first
        self.state.arrived_value[number] = first
        self.state.push(first + self.vblank, FLIPPED, number)

    def valued(self, number: int) -> None:
        """A value is in memory."""
        row = self.forks[number]
        self.state.arrived_value[number] = self.state.now
        self.state.finish(row.queue, row.valued, ~number)
        if row.label >= 0:
            self.store(row.label, row.value, row.queue, row.position, number)

    def store(self, label: int, value: int, queue: int, position: int, fork: int) -> None:
        """A label has a new value; `fork` -1: an engine wrote it."""
        state = self.state
        state.values[label] = value
        state.written.append((label, value, state.now, queue, position, fork))
        self.written[label] = None

    def flipped(self, number: int) -> None:
        """A flip is over."""
        row = self.forks[number]
        self.state.finish(row.queue, FLIP, ~number)
