"""The loop: what is due next, who goes on because of it (docs/timing.md 1)."""

from __future__ import annotations

from fencepost.timing.agenda import (
    ACTED,
    ENGINE,
    FLIPPED,
    KICKED_OFF,
    LOOK,
    OPERATED,
    READY,
    TAIL,
    VALUE,
    Agenda,
)
from fencepost.timing.caches import Caches
from fencepost.timing.code import Code
from fencepost.timing.front import Front
from fencepost.timing.labels import Labels
from fencepost.timing.parameters import Parameters
from fencepost.timing.pipe import Pipe
from fencepost.timing.record import Record
from fencepost.timing.refills import Refills
from fencepost.timing.shaders import Shaders
from fencepost.timing.sharing import Rule
from fencepost.timing.state import State
from fencepost.timing.table import Table
from fencepost.timing.transfers import Transfers


class Run:
    """One run of a program; `record` is what it leaves behind."""

    def __init__(self, code: Code, parameters: Parameters, rule: Rule, *, cold: bool) -> None:
        self.record = Record(code)
        self.code = code
        self.parameters = parameters
        self.labels = Labels(code, self.record)
        self.state = State(self.record)
        self.agenda: Agenda = self.state.agenda
        table = Table(code.works, self.record)
        self.shaders = Shaders(self.state, table, code, parameters, rule)
        refills = Refills(self.shaders, table, code, parameters) if cold else None
        caches = Caches(code, self.record, parameters, refills)
        self.pipe = Pipe(self.shaders, code.forks, self.labels, caches, parameters)
        transfers = Transfers(self.state, table, code, parameters)
        self.front = Front(code, self.record, self.pipe, transfers, self.labels, parameters)

    def run(self) -> bool:
        """Run to the end; False if some engine waits for ever."""
        front = self.front
        for engine in range(len(self.code.engines)):
            front.resume(engine)
        self._settle()
        while self._next():
            self._settle()
        self.record.last = self.state.last
        self.record.log = self.state.logs(len(self.code.engines))
        return front.all_finished()

    def _next(self) -> bool:
        """What is due first happens; False: nothing is due any more."""
        state, shaders, agenda = self.state, self.shaders, self.agenda
        then = shaders.due_time()
        if agenda.comes_before(then, shaders.due_turn()):
            agenda.pop()
            state.now = agenda.time
            self._happen(agenda.kind, agenda.argument)
            return True
        if then < 0:
            return False
        state.now = then
        shaders.carry_on()
        return True

    def _happen(self, kind: int, argument: int) -> None:
        """Something is due."""
        if kind == ENGINE:
            self.front.resume(argument)
        elif kind == READY:
            self.shaders.arrive(argument)
        elif kind == TAIL:
            self.shaders.own_time(argument)
        elif kind == LOOK:
            self.state.mark(argument)
        elif kind == OPERATED:
            self.pipe.operated(argument)
        elif kind == VALUE:
            self.pipe.arrive(argument)
        elif kind == FLIPPED:
            self.pipe.flipped(argument)
        elif kind == ACTED:
            self.front.acted(argument)
        elif kind == KICKED_OFF:
            self.front.kicked_off(argument)

    def _settle(self) -> None:
        """Everything that follows at once from what has just happened."""
        state, shaders, pipe, front = self.state, self.shaders, self.pipe, self.front
        while True:
            if shaders.moved or shaders.any_touched:
                shaders.rearrange()
            elif state.marks:
                queue = state.next_marked()
                pipe.settle(queue)
                front.wake_queue(queue)
            elif self.labels.fresh:
                front.wake_label(self.labels.next_fresh())
            else:
                return
