"""The entry points: plan the synchronization of a program, or mend the one that it has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fencepost.coherence.checking import Examination
from fencepost.coherence.hits import Hit
from fencepost.coherence.replay import Stuck
from fencepost.machine.tables import Machine
from fencepost.plan.bound import Bound
from fencepost.plan.costs import cost
from fencepost.plan.levels import planned_level
from fencepost.plan.moves import Moves
from fencepost.plan.pieces import END, WAIT, Piece, Woven, weave
from fencepost.plan.problem import Problem
from fencepost.plan.search import Node, Search
from fencepost.plan.strip import strip
from fencepost.plan.trim import trim
from fencepost.plan.wants import Wants, WantsFinder
from fencepost.plan.windows import Windows
from fencepost.stream.command import EndOfPipe
from fencepost.stream.program import Program

SMALL = 10
"""Programs of so many commands that need something are searched whole."""

MOST_EXPANDED = 400
"""Nodes of such a search; where it takes more, the program is planned by windows."""

WIDTHS = ((3, 60), (1, 200), (1, 5000))
LONG_WIDTHS = ((1, 200), (1, 5000))
"""Windows of long programs are narrow."""

LONG = 150
"""Programs of so many needy commands are long."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A program that is right.

    The pieces that were added to make it so, and what all its synchronization costs in cycles.
    """

    woven: Woven
    pieces: tuple[Piece, ...]
    cycles: int

    @property
    def program(self) -> Program:
        """The program with its synchronization."""
        return self.woven.program


class NoPlan(Exception):
    """No synchronization that we know makes the program right.

    `hits` and `stuck` are what is left.
    """

    def __init__(self, hits: list[Hit], stuck: list[Stuck], examination: Examination) -> None:
        super().__init__("found no synchronization that makes it right")
        self.hits = hits
        self.stuck = stuck
        self.examination = examination


def plan(program: Program, machine: Machine, guarantees: str = "") -> Plan:
    """The cheapest synchronization for a program.

    Its own is ignored, but for waits between queues, which say the order.

    Raises `NoPlan`.
    """
    return mend(strip(program), machine, guarantees)


def mend(program: Program, machine: Machine, guarantees: str = "") -> Plan:
    """The least synchronization to add to a program. Raises `NoPlan`."""
    level = planned_level(guarantees or program.guarantees or machine.guarantees)
    examination = Examination(program, machine, level)
    for pieces in _tries(program, machine, level):
        pieces = trim(program, machine, level, pieces)
        woven = weave(program, pieces)
        examination = Examination(woven.program, machine, level)
        outcome = examination.replay().outcome
        if not outcome.hits and not outcome.stuck:
            ordered = tuple(sorted(pieces, key=lambda p: (p.queue, p.gap, p.rank, p.fence)))
            return Plan(woven, ordered, cost(woven.program, machine))
    outcome = examination.replay().outcome
    raise NoPlan(outcome.hits, outcome.stuck, examination)


def _tries(program: Program, machine: Machine, level: str) -> Iterator[frozenset[Piece]]:
    """Pieces that should make it right; lines that come along are new at first, then old."""
    for careful in (False, True):
        found = _found(Problem(program, machine, level, careful))
        if found is not None:
            yield _unlabelled(found.all_pieces())


def _found(problem: Problem) -> Node | None:
    """The cheapest way through a small problem, a cheap one through a long one."""
    finder = WantsFinder(problem.points)
    own = [
        finder.of(stop.needs, pfp=problem.tracks[stop.queue].pfp) if stop.needs else Wants()
        for stop in problem.stops
    ]
    needy = sum(bool(stop.needs) for stop in problem.stops)
    if needy <= SMALL:
        found = _whole(problem, own)
        if found is not None:
            return found
    return Windows(problem, own, LONG_WIDTHS if needy >= LONG else WIDTHS).run()


def _whole(problem: Problem, own: list[Wants]) -> Node | None:
    wants, rest = {}, Wants()
    for number in range(len(own) - 1, -1, -1):
        rest |= own[number]
        wants[number] = rest
    moves = Moves(problem)
    search = Search(moves, Bound(problem), MOST_EXPANDED)
    return search.run(Node(0, 0, moves.first(), 0), len(problem.stops) - 1, wants)


def _unlabelled(pieces: Iterable[Piece]) -> frozenset[Piece]:
    """An end of pipe that nobody waits for writes no value."""
    listed = list(pieces)
    waited = {piece.fence for piece in listed if piece.rank == WAIT}
    return frozenset(
        replace(piece, command=replace(piece.command, label=None), fence="")
        if piece.rank == END and piece.fence not in waited and isinstance(piece.command, EndOfPipe)
        else piece
        for piece in listed
    )
