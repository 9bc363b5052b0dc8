"""The life of works: ready, launched, served by slots and units, through stage by stage.

docs/timing.md 4.
"""

from __future__ import annotations

from fencepost.timing.code import (
    COPIED,
    COPY,
    DMA,
    DMA_PFP,
    DRAW,
    TRANSFER,
    VS,
    Code,
    FlushRow,
)
from fencepost.timing.parameters import WHOLE, Parameters, divided
from fencepost.timing.sharing import Rule
from fencepost.timing.slots import Slots
from fencepost.timing.state import (
    NEVER,
    READY,
    SLOTS_DUE,
    TAIL,
    TRANSFERRED,
    UNIT_DUE,
    VERTEX,
    State,
)
from fencepost.timing.unit import Unit

STAGE_OF = {"vs": 0, "shader": 1, "end": 2}
REFILLED_BY = {"tcp": "l2", "k": "l2", "i": "l2"}
"""The unit that brings a cache's lines back; memory, if it is not here."""

AT_THE_END = ("cb.pixels", "cb.metadata", "db.pixels", "db.metadata")


class Shaders:
    """Slots, units, and what each work still waits for."""

    def __init__(self, state: State, parameters: Parameters, rule: Rule) -> None:
        code = state.code
        works = code.works
        total = len(works.queue)
        self.state = state
        self.code: Code = code
        self.kinds = works.kind
        self.queues = works.queue
        self.parameters = parameters
        self.launch_span = parameters.cycles("launch")
        self.trip = parameters.cycles("memory round trip")
        self.slots = Slots(divided(WHOLE, parameters["wave slots"]))
        self.units = [Unit(rule) for _ in code.units]
        self.stages = [STAGE_OF[row.stage] for row in parameters.units]
        self.slots_version = 0
        self.unit_versions = [0] * len(self.units)
        self.refills: list[tuple[int, int]] = []
        self.line: list[list[int]] = [[] for _ in code.me_of]
        self.next_in_line = [0] * len(code.me_of)
        self.gate_open = [True] * len(code.me_of)
        self.full = [False] * total
        self.bodies = [0] * total
        self.needs = [[0] * total, [0] * total, [0] * total]
        self.running: dict[int, None] = {}
        self.moved = False
        self.touched: dict[int, None] = {}
        self.transfers = [0] * len(code.me_of)
        self.last_dma = [NEVER] * len(code.me_of)
        self.dma_end = [0] * (total + 1)
        self.changer = NEVER

    # -- handed over

    def issue(self, work: int) -> None:
        """An engine hands a work over."""
        state = self.state
        state.handed[work] = state.now
        kind = self.kinds[work]
        if kind == TRANSFER:
            self._transfer(work)
        elif kind == COPIED:
            self._copied(work)
        else:
            self._expect(work, kind)
            state.push(state.now + self.launch_span, READY, work)

    def _expect(self, work: int, kind: int) -> None:
        """Count what each stage waits for: its units, its own time, the stage before it."""
        works = self.code.works
        needs = [0, 1, 0]
        self.bodies[work] = 1
        if kind == DRAW:
            needs = [1, 2, 1]
        for at in range(works.first_job[work], works.first_job[work + 1]):
            stage = self.stages[works.job_unit[at]]
            needs[stage] += 1
            if stage < 2:
                self.bodies[work] += 1
        for stage in range(3):
            self.needs[stage][work] = needs[stage]

    def _transfer(self, work: int) -> None:
        """CP DMA: one transfer after the other on a path of its own."""
        state, works = self.state, self.code.works
        queue = self.queues[work]
        before = self.last_dma[queue]
        state.ready[work] = start = state.now
        if before >= 0:
            start = max(start, (self.dma_end if works.in_turn[work] else state.released)[before])
            state.launched_by[work] = before
        state.launched[work] = start
        state.released[work] = start + works.time[work]
        self.dma_end[work] = max(state.released[work] + self.trip, self.dma_end[before])
        self.last_dma[queue] = work
        if not works.by_pfp[work]:
            self.transfers[queue] += 1
        state.push(self.dma_end[work], TRANSFERRED, work)

    def transferred(self, work: int) -> None:
        """A CP DMA is through."""
        works = self.code.works
        self.state.shader_done[work] = self.state.end_done[work] = self.state.now
        chain = DMA_PFP if works.by_pfp[work] else DMA
        self.state.finish(self.queues[work], chain, work)

    def _copied(self, work: int) -> None:
        """A copy queue's work: it needs no slots and shares units."""
        state = self.state
        state.ready[work] = state.now
        self._expect(work, COPIED)
        self._launch(work)
        state.push(state.now + self.code.works.time[work] + self.trip, TAIL, work)

    # -- slots

    def arrive(self, work: int) -> None:
        """A work has come down to the shaders: it stands in its queue's line."""
        queue = self.queues[work]
        self.state.ready[work] = self.state.now
        self.line[queue].append(work)
        if self.gate_open[queue]:
            self._enter(queue)

    def _enter(self, queue: int) -> None:
        """The next work of the line competes for slots."""
        at = self.next_in_line[queue]
        if at >= len(self.line[queue]):
            return
        work = self.line[queue][at]
        self.next_in_line[queue] = at + 1
        self.gate_open[queue] = False
        self._serve_slots()
        works = self.code.works
        body = works.residency[work] * (works.time[work] - works.tail[work])
        self.slots.enter(work, works.residency[work], body)
        self.moved = True

    def _open(self, queue: int, by: int) -> None:
        self.gate_open[queue] = True
        self.changer = by
        self._enter(queue)

    def _serve_slots(self) -> None:
        for work in self.slots.advance(self.state.now):
            self._slot_served(work)

    def _slot_served(self, work: int) -> None:
        """Its own time has passed but for the last waves."""
        works = self.code.works
        if works.tail[work]:
            self.state.push(self.state.now + works.tail[work], TAIL, work)
        else:
            self.own_time(work)
        self._body(work)

    def own_time(self, work: int) -> None:
        """Its last waves have had their time."""
        self._less(1, work, NEVER)

    def _body(self, work: int) -> None:
        """One more part has come to where no wave is launched any more."""
        self.bodies[work] -= 1
        if self.bodies[work] or self.kinds[work] == COPIED:
            return
        self.state.released[work] = self.state.now
        self.slots.leave(work)
        self.moved = True
        self.changer = work
        if self.code.works.lines_up[work] or not self.full[work]:
            self._open(self.queues[work], work)

    def _launch(self, work: int) -> None:
        """Its first waves run: its parts on the units begin."""
        state, works = self.state, self.code.works
        state.launched[work] = state.now
        self.running[work] = None
        for at in range(works.first_job[work], works.first_job[work + 1]):
            unit = works.job_unit[at]
            self._serve_unit(unit)
            served = self.units[unit]
            served.add(
                work, self.queues[work], works.job_cap[at], works.job_body[at], works.job_tail[at]
            )
            self.touched[unit] = None
        if self.kinds[work] == DRAW:
            state.push(state.now + works.vertex[work], VERTEX, work)

    # -- units

    def _serve_unit(self, unit: int) -> None:
        served = self.units[unit]
        if not served.works:
            served.last = self.state.now
        if served.last == self.state.now:
            return
        bodies, done = served.advance(self.state.now)
        stage = self.stages[unit]
        for part in bodies:
            if part >= 0 and stage < 2:
                self._body(part)
        for part in done:
            if part >= 0:
                self._less(stage, part, unit)
            else:
                work, held = self.refills[~part]
                self._less(held, work, unit)
        if done:
            self.touched[unit] = None

    def _less(self, stage: int, work: int, by: int) -> None:
        """A stage waits for one thing less; `by`: the unit that was it."""
        self.needs[stage][work] -= 1
        if self.needs[stage][work]:
            return
        state = self.state
        if stage == 0:
            state.vertex_ready[work] = state.now
        elif stage == 1:
            state.shader_ready[work] = state.now
            state.shaded_by[work] = by
            if self.kinds[work] == COPIED:
                self._copy_done(work)
        else:
            state.end_ready[work] = state.now
            state.ended_by[work] = by
        state.settle[self.queues[work]] = None

    def _copy_done(self, work: int) -> None:
        self.state.shader_done[work] = self.state.end_done[work] = self.state.now
        self.running.pop(work, None)
        self.state.finish(self.queues[work], COPY, work)

    # -- stages, as the pipe retires them

    def vertex_time(self, work: int) -> None:
        """The vertex stage has had its own time."""
        self._less(0, work, NEVER)

    def back_end_time(self, work: int) -> None:
        """The back end has had its own time."""
        self._less(2, work, NEVER)

    def retired(self, work: int, chain: int) -> None:
        """The pipe has retired a stage of a draw, or a dispatch."""
        if chain == VS:
            self._less(1, work, NEVER)

    def finished(self, work: int) -> None:
        """A work has passed the end of pipe."""
        self.running.pop(work, None)

    # -- what is due

    def slots_due(self, version: int) -> None:
        """Somebody has been served by slots, unless that was planned before a change."""
        if version == self.slots_version:
            self._serve_slots()
            self.moved = True

    def unit_due(self, ticket: int) -> None:
        """Somebody has been served by a unit, unless that was planned before a change."""
        version, unit = divmod(ticket, len(self.units))
        if version == self.unit_versions[unit]:
            self._serve_unit(unit)
            self.touched[unit] = None

    def rearrange(self) -> None:
        """Divide slots and units anew where something has changed, and plan what is due next."""
        while self.moved:
            self.moved = False
            self._serve_slots()
            for unit in range(len(self.units)):
                self._serve_unit(unit)
            self.slots.share()
            self._start_launched()
            if not self.moved:
                self._plan_slots()
        for unit in self.touched:
            self._plan_unit(unit)
        self.touched.clear()

    def _start_launched(self) -> None:
        works, state, slots = self.code.works, self.state, self.slots
        for at in range(len(slots.works)):
            work, rate = slots.works[at], slots.rate[at]
            if rate and state.launched[work] < 0:
                if state.now > state.ready[work]:
                    state.launched_by[work] = self.changer
                self._launch(work)
            if rate == slots.want[at] and not self.full[work]:
                self.full[work] = True
                if not works.lines_up[work]:
                    self._open(self.queues[work], work)

    def _plan_slots(self) -> None:
        self.slots_version += 1
        then = self.slots.next()
        if then >= 0:
            self.state.push(then, SLOTS_DUE, self.slots_version)

    def _plan_unit(self, unit: int) -> None:
        self._serve_unit(unit)
        served = self.units[unit]
        served.share()
        self.unit_versions[unit] += 1
        then = served.next()
        if then >= 0:
            ticket = self.unit_versions[unit] * len(self.units) + unit
            self.state.push(then, UNIT_DUE, ticket)

    # -- cold caches

    def refill(self, row: FlushRow) -> None:
        """Works in flight bring back what an invalidation has taken from their caches."""
        for at, cache in enumerate(row.caches):
            if row.invalidates[at]:
                for work in list(self.running):
                    self._refill(work, cache)

    def _refill(self, work: int, cache: int) -> None:
        name = self.code.caches[cache]
        stage = 2 if name in AT_THE_END else 1
        ready = self.state.end_ready if stage == 2 else self.state.shader_ready
        size = min(self._footprint(work, cache), self.parameters[f"capacity {name}"])
        if not size or ready[work] >= 0 or self.kinds[work] == COPIED:
            return
        unit = self.code.units.index(REFILLED_BY.get(name, "memory"))
        amount = self.parameters.amount(f"{self.code.units[unit]} rate", size)
        self._serve_unit(unit)
        self.needs[stage][work] += 1
        self.units[unit].add(~len(self.refills), self.queues[work], WHOLE, amount, 0)
        self.refills.append((work, stage))
        self.touched[unit] = None

    def _footprint(self, work: int, cache: int) -> int:
        works = self.code.works
        return sum(
            works.print_end[at] - works.print_start[at]
            for at in range(works.first_print[work], works.first_print[work + 1])
            if works.print_cache[at] == cache
        )
