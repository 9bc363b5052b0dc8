"""The life of works: ready, launched, served by slots and units (docs/timing.md 4)."""

from __future__ import annotations

from fencepost.timing.agenda import READY, TAIL
from fencepost.timing.code import (
    BACK,
    COPIED,
    COPY,
    DISPATCH,
    DRAW,
    SHADER,
    STAGE_OF,
    VERTEX,
    Code,
)
from fencepost.timing.parameters import WHOLE, Parameters, divided
from fencepost.timing.record import NEVER
from fencepost.timing.room import doubled, few, zeros
from fencepost.timing.sharing import Rule
from fencepost.timing.slots import Slots
from fencepost.timing.state import State
from fencepost.timing.table import Table
from fencepost.timing.unit import Unit


class Shaders:
    """Slots, units, and what each work still waits for.

    `needs[stage * total + work]`: how many things that stage waits for; `bodies`: how many of its
    parts still launch waves; `full`: it has had all slots that it wants. `arrived` works of a
    queue's `line`, which begins at `first`, have come; `entered` of them are past it, and the next
    may go on where `gate_open`. Unit `u` is due at `due[u]`, planned as number `turns[u]`; behind
    the units so are the slots. `running`: works whose waves ran when we last looked.
    """

    def __init__(
        self, state: State, table: Table, code: Code, parameters: Parameters, rule: Rule
    ) -> None:
        self.state = state
        self.table = table
        self.total = total = self.table.works
        units, queues = len(code.units), len(code.me_of)
        self.launch_span = parameters.cycles("launch")
        self.trip = parameters.cycles("memory round trip")
        self.needs = zeros(3 * total)
        self.bodies = zeros(total)
        self.full = zeros(total)
        self.running = zeros(total)
        self.running_count = 0
        self.line = zeros(total)
        self.first = zeros(queues)
        self.arrived = zeros(queues)
        self.entered = zeros(queues)
        self.gate_open = zeros(queues)
        self.unit_count = units
        self.stages = zeros(units)
        self.due = zeros(units + 1)
        self.turns = zeros(units + 1)
        self.first_due = NEVER
        self.touched = zeros(units)
        self.any_touched = False
        self.moved = False
        self.changer = NEVER
        self.refilled = few()
        self.refilled_stage = few()
        self.refills = 0
        self.slots = Slots(divided(WHOLE, parameters["wave slots"]))
        self.units = [Unit(rule) for _ in code.units]
        for at, row in enumerate(parameters.units):
            self.stages[at] = STAGE_OF[row.stage]
        for at in range(units + 1):
            self.due[at] = NEVER
        self._line_up(queues)

    def _line_up(self, queues: int) -> None:
        """The works that need slots, queue by queue, as they will come."""
        row = 0
        for work in range(self.total):
            if self.table.kind[work] in (DRAW, DISPATCH):
                self.line[row] = work
                row += 1
                for queue in range(self.table.queue[work] + 1, queues):
                    self.first[queue] = row
        for queue in range(queues):
            self.gate_open[queue] = 1

    # -- handed over

    def issue(self, work: int) -> None:
        """ME hands a draw or dispatch over."""
        self.table.handed[work] = self.state.now
        self._expect(work)
        self.state.agenda.push(self.state.now + self.launch_span, READY, work)

    def copy(self, work: int) -> None:
        """A copy queue's work: it needs no slots and shares units."""
        table, now = self.table, self.state.now
        table.handed[work] = table.ready[work] = now
        self._expect(work)
        self._launch(work)
        self.state.agenda.push(now + table.time[work] + self.trip, TAIL, work)

    def _expect(self, work: int) -> None:
        """Count what each stage waits for: its units, its own time; the vertex stage its launch."""
        table = self.table
        self.needs[work] = table.kind[work] == DRAW
        self.needs[self.total + work] = 1
        self.bodies[work] = 1
        for at in range(table.first_job[work], table.first_job[work + 1]):
            stage = self.stages[table.job_unit[at]]
            self.needs[stage * self.total + work] += 1
            if stage != BACK:
                self.bodies[work] += 1

    # -- slots

    def arrive(self, work: int) -> None:
        """A work has come down to the shaders: it stands in its queue's line."""
        queue = self.table.queue[work]
        self.table.ready[work] = self.state.now
        self.arrived[queue] += 1
        if self.gate_open[queue]:
            self._enter(queue)

    def _enter(self, queue: int) -> None:
        """The next work of the line competes for slots."""
        table, at = self.table, self.entered[queue]
        if at >= self.arrived[queue]:
            return
        work = self.line[self.first[queue] + at]
        self.entered[queue] = at + 1
        self.gate_open[queue] = 0
        self.serve_slots()
        own = table.time[work] - table.tail[work]
        self.slots.enter(work, table.residency[work], table.residency[work] * own)
        self.moved = True

    def _open(self, queue: int, by: int) -> None:
        self.gate_open[queue] = 1
        self.changer = by
        self._enter(queue)

    def serve_slots(self) -> None:
        """Serve until now; works that have been served go on."""
        if self.slots.last == self.state.now:
            return
        for at in range(self.slots.advance(self.state.now)):
            self._slot_served(self.slots.through[at])

    def _slot_served(self, work: int) -> None:
        """Its own time has passed but for the last waves."""
        tail = self.table.tail[work]
        if tail:
            self.state.agenda.push(self.state.now + tail, TAIL, work)
        else:
            self.own_time(work)
        self._body(work)

    def own_time(self, work: int) -> None:
        """Its last waves have had their time."""
        self._less(SHADER, work, NEVER)

    def _body(self, work: int) -> None:
        """One more part has come to where no wave is launched any more."""
        self.bodies[work] -= 1
        if self.bodies[work] or self.table.kind[work] == COPIED:
            return
        self.table.released[work] = self.state.now
        self.slots.leave(work)
        self.moved = True
        self.changer = work
        if self.table.lines_up[work] or not self.full[work]:
            self._open(self.table.queue[work], work)

    def _launch(self, work: int) -> None:
        """Its first waves run: its parts on the units begin."""
        table = self.table
        table.launched[work] = self.state.now
        self.running[self.running_count] = work
        self.running_count += 1
        for at in range(table.first_job[work], table.first_job[work + 1]):
            self.add(
                table.job_unit[at],
                work,
                table.queue[work],
                table.job_cap[at],
                table.job_body[at],
                table.job_tail[at],
            )
        if table.kind[work] == DRAW:
            self._less(VERTEX, work, NEVER)

    # -- units

    def add(self, unit: int, part: int, queue: int, cap: int, body: int, tail: int) -> None:
        """A part of a work, or (`~number`) a refill, on a unit."""
        self.serve_unit(unit)
        served = self.units[unit]
        served.add(part, queue, cap, body, tail)
        self._touch(unit)

    def _touch(self, unit: int) -> None:
        self.touched[unit] = 1
        self.any_touched = True

    def serve_unit(self, unit: int) -> None:
        """Serve until now; what has been served goes on."""
        served, now = self.units[unit], self.state.now
        if not served.count:
            served.last = now
        if served.last == now:
            return
        served.advance(now)
        stage = self.stages[unit]
        for at in range(served.bodies_count):
            if served.bodies[at] >= 0 and stage != BACK:
                self._body(served.bodies[at])
        for at in range(served.finished_count):
            self._finished(served.finished[at], stage, unit)
        if served.finished_count:
            self._touch(unit)

    def _finished(self, part: int, stage: int, unit: int) -> None:
        if part >= 0:
            self._less(stage, part, unit)
        else:
            self._less(self.refilled_stage[~part], self.refilled[~part], unit)

    def _less(self, stage: int, work: int, by: int) -> None:
        """A stage waits for one thing less; `by`: the unit that was it."""
        table, now = self.table, self.state.now
        self.needs[stage * self.total + work] -= 1
        if self.needs[stage * self.total + work]:
            return
        if stage == VERTEX:
            table.vertex_ready[work] = max(now, table.launched[work] + table.vertex[work])
        elif stage == SHADER:
            table.shader_ready[work] = now
            table.shaded_by[work] = by
            if table.kind[work] == COPIED:
                table.shader_done[work] = table.end_done[work] = now
                self.state.finish(table.queue[work], COPY, work, now)
        else:
            table.end_ready[work] = now
            table.ended_by[work] = by
        self.state.mark(table.queue[work])

    def lacks(self, stage: int, work: int) -> int:
        """How many things a stage of a work still waits for."""
        return self.needs[stage * self.total + work]

    # -- what is due

    def due_time(self) -> int:
        """When slots or a unit are due; `NEVER` if nothing is."""
        return NEVER if self.first_due < 0 else self.due[self.first_due]

    def due_turn(self) -> int:
        """As which number that was planned; 0 if nothing is."""
        return 0 if self.first_due < 0 else self.turns[self.first_due]

    def carry_on(self) -> None:
        """Serve the slots or the unit that is due first."""
        if self.first_due == self.unit_count:
            self.serve_slots()
            self.moved = True
        else:
            self.serve_unit(self.first_due)
            self._touch(self.first_due)

    def rearrange(self) -> None:
        """Divide slots and units anew where something has changed, and plan what is due next."""
        while self.moved:
            self.moved = False
            self.serve_slots()
            for unit in range(self.unit_count):
                if self.due[unit] == self.state.now:
                    self.serve_unit(unit)
            self.slots.share()
            self._start_launched()
            if not self.moved:
                self._plan(self.unit_count, self.slots.next())
        for unit in range(self.unit_count):
            if self.touched[unit]:
                self.touched[unit] = 0
                self._plan_unit(unit)
        self.any_touched = False
        self._find_first()

    def _start_launched(self) -> None:
        table, slots = self.table, self.slots
        for at in range(slots.count):
            work, rate = slots.works[at], slots.rate[at]
            if rate and table.launched[work] < 0:
                if self.state.now > table.ready[work]:
                    table.launched_by[work] = self.changer
                self._launch(work)
            if rate == slots.want[at] and not self.full[work]:
                self.full[work] = 1
                if not table.lines_up[work]:
                    self._open(table.queue[work], work)

    def _plan_unit(self, unit: int) -> None:
        self.serve_unit(unit)
        served = self.units[unit]
        served.share()
        self._plan(unit, served.next())

    def _plan(self, unit: int, time: int) -> None:
        self.due[unit] = time
        if time >= 0:
            self.turns[unit] = self.state.agenda.next_turn()

    def _find_first(self) -> None:
        first = NEVER
        for unit in range(self.unit_count + 1):
            if self.due[unit] >= 0 and (first < 0 or self._sooner(unit, first)):
                first = unit
        self.first_due = first

    def _sooner(self, one: int, two: int) -> bool:
        if self.due[one] == self.due[two]:
            return self.turns[one] < self.turns[two]
        return self.due[one] < self.due[two]

    # -- cold caches

    def refill(self, work: int, stage: int, unit: int, amount: int) -> None:
        """A work brings something back: a stage of it waits for that, too."""
        if self.refills == len(self.refilled):
            self.refilled = doubled(self.refilled)
            self.refilled_stage = doubled(self.refilled_stage)
        self.needs[stage * self.total + work] += 1
        self.refilled[self.refills] = work
        self.refilled_stage[self.refills] = stage
        self.add(unit, ~self.refills, self.table.queue[work], WHOLE, amount, 0)
        self.refills += 1
