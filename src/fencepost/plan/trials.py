"""Tries changes of a program: does it stay as right as it is, and what goes wrong if not?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from fencepost.coherence.checking import Examination
from fencepost.coherence.hits import Actor, Hit
from fencepost.coherence.layout import Clock
from fencepost.machine.tables import Machine
from fencepost.plan.costs import cost
from fencepost.plan.edits import Edit, Edited, edited
from fencepost.plan.knowledge import Knowledge, listening
from fencepost.stream.command import PipelinedEvent, Work
from fencepost.stream.program import Program
from fencepost.stream.resource import Resource

Fault = tuple[object, ...]
"""A hazard by rule, commands (in the numbering of the program as it was) and accesses."""

Report = Callable[[Fault], None]

NOTHING = PipelinedEvent()
"""An event without an operation: it keeps the positions where a command is taken out."""


class _Worse(Exception):
    """Something is wrong that was not before."""


class Trials:
    """Compares changed programs with the one that was given.

    A change is harmless if it brings no hazard at the guarantees asked for, and none under `strict`
    either: no change makes a verdict lean on `documented`. Where accesses are not shown, no engine
    may know less of what came before (`knowledge`). `left`: how many commands may still be
    replayed.
    """

    def __init__(self, program: Program, machine: Machine, guarantees: str, left: int = 0) -> None:
        self.program = program
        self.machine = machine
        self.levels = tuple(dict.fromkeys((guarantees, "strict")))
        self.left = left
        self.hidden = any(
            isinstance(command, Work) and command.unknown
            for queue in program.queues
            for command in queue.commands
        )
        self._faults: dict[str, frozenset[Fault]] = {}

    @property
    def is_right(self) -> bool:
        """Has the program no hazard, at the guarantees asked for, but those inside one command?"""
        return not self._known(self.levels[0])

    @cached_property
    def cycles(self) -> int:
        """What the synchronization of the program costs."""
        return cost(self.program, self.machine)

    def cost(self, edit: Edit, resources: tuple[Resource, ...] = ()) -> int:
        """What the synchronization of the changed program costs."""
        return cost(edited(self.program, edit, resources).program, self.machine)

    def harmless(self, edit: Edit, resources: tuple[Resource, ...] = ()) -> bool:
        """Is the changed program as right as the one before?"""
        if self.hidden:
            if any(len(commands) > 1 for commands in edit.values()):
                return False
            edit = {place: commands or (NOTHING,) for place, commands in edit.items()}
        changed = edited(self.program, edit, resources)
        return not any(self._is_worse(changed, level) for level in self.levels)

    def hits(self, edit: Edit) -> tuple[Edited, Examination, list[Hit]]:
        """What goes wrong, at the guarantees asked for, in the changed program alone."""
        changed, level = edited(self.program, edit), self.levels[0]
        examination = self._examine(changed.program, level)
        known = self._known(level)
        hits = examination.replay().outcome.hits
        return (
            changed,
            examination,
            [hit for hit in hits if _fault(hit, changed, examination) not in known],
        )

    def _examine(self, program: Program, level: str) -> Examination:
        self.left -= sum(len(queue.commands) for queue in program.queues)
        return Examination(program, self.machine, level)

    def _known(self, level: str) -> frozenset[Fault]:
        """The faults of the program as it was."""
        if level not in self._faults:
            found: list[Fault] = []
            self._judge(edited(self.program, {}), level, found.append)
            self._faults[level] = frozenset(found)
        return self._faults[level]

    def _is_worse(self, changed: Edited, level: str) -> bool:
        known = self._known(level)

        def stop(fault: Fault) -> None:
            if fault not in known:
                raise _Worse

        try:
            self._judge(changed, level, stop, self._knowledge[level] if self.hidden else None)
        except _Worse:
            return True
        return False

    @cached_property
    def _knowledge(self) -> dict[str, Knowledge]:
        return {level: Knowledge(self._examine(self.program, level)) for level in self.levels}

    def _judge(
        self, changed: Edited, level: str, report: Report, knowledge: Knowledge | None = None
    ) -> None:
        """Report every fault: of accesses as they come, then of waits."""
        examination = self._examine(changed.program, level)

        def compare(queue: int, position: int, clocks: Iterable[Clock]) -> None:
            if knowledge is not None and knowledge.is_more(queue, position, clocks):
                report(("knows less", queue, position))

        if knowledge is not None and knowledge.stride != examination.layout.stride:
            report(("another layout",))
        replay = listening(examination, compare if knowledge is not None else None)
        replay.accesses.report = lambda hit: report(_fault(hit, changed, examination))
        replay.run()
        for stuck in replay.outcome.stuck:
            report(("stuck", *changed.origin(stuck.queue, stuck.position)))
        for key in _hanging(examination):
            report(("hang", *changed.origin(*key)))


def _fault(hit: Hit, changed: Edited, examination: Examination) -> Fault:
    later, earlier = (_actor(actor, changed, examination) for actor in (hit.later, hit.earlier))
    return (hit.rule, later, earlier, hit.cache)


def _actor(actor: Actor, changed: Edited, examination: Examination) -> Fault:
    way = examination.ways.all[actor.way].title if actor.way >= 0 else ""
    return (*changed.origin(actor.queue, actor.position), way)


def _hanging(examination: Examination) -> Iterator[tuple[int, int]]:
    """The waits whose value may be overwritten before it is seen."""
    fences = examination.fences
    for key, wait in fences.waits.items():
        if wait.sources and fences.may_hang(wait) is not None:
            yield key
