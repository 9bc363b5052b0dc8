"""The entry points: plan the synchronization of a program, or mend the one that it has."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.coherence.checking import Examination
from fencepost.coherence.hits import Hit
from fencepost.coherence.replay import Stuck
from fencepost.machine.tables import Machine
from fencepost.plan.costs import cost
from fencepost.plan.draft import Draft, NoBundle
from fencepost.plan.pieces import Piece, Woven, weave
from fencepost.plan.search import Search
from fencepost.plan.strip import strip
from fencepost.plan.trim import trim
from fencepost.stream.command import Work
from fencepost.stream.program import Program

SMALL = 8
"""Programs of so many works are searched exactly."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A program that is right, the pieces that were added to make it so, and what all its synchronization costs in cycles."""

    woven: Woven
    pieces: tuple[Piece, ...]
    cycles: int

    @property
    def program(self) -> Program:
        """The program with its synchronization."""
        return self.woven.program


class NoPlan(Exception):
    """No synchronization that we know makes the program right; `hits` and `stuck` are what is left."""

    def __init__(self, hits: list[Hit], stuck: list[Stuck], examination: Examination) -> None:
        super().__init__("no synchronization makes it right")
        self.hits = hits
        self.stuck = stuck
        self.examination = examination


def plan(program: Program, machine: Machine, guarantees: str = "") -> Plan:
    """The cheapest synchronization for a program; its own is ignored, but for waits between queues, which say the order.

    Raises `NoPlan`.
    """
    return mend(strip(program), machine, guarantees)


def mend(program: Program, machine: Machine, guarantees: str = "") -> Plan:
    """The least synchronization to add to a program. Raises `NoPlan`."""
    level = guarantees or program.guarantees or machine.guarantees
    pieces = _find(program, machine, level)
    pieces = trim(program, machine, level, pieces)
    woven = weave(program, pieces)
    examination = Examination(woven.program, machine, level)
    outcome = examination.replay().outcome
    if outcome.hits or outcome.stuck:
        raise NoPlan(outcome.hits, outcome.stuck, examination)
    ordered = tuple(sorted(pieces, key=lambda p: (p.queue, p.gap, p.rank, p.fence)))
    return Plan(woven, ordered, cost(woven.program, machine))


def _find(program: Program, machine: Machine, level: str) -> frozenset[Piece]:
    works = sum(isinstance(c, Work) for queue in program.queues for c in queue.commands)
    if works <= SMALL:
        found = Search(program, machine, level).run()
        if found is not None:
            return found
    try:
        return frozenset(Draft(program, machine, level).run())
    except NoBundle:
        found = Search(program, machine, level).run()
        return found if found is not None else frozenset()
