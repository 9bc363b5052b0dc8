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
from fencepost.plan.windows import Width, Windows
from fencepost.stream.command import EndOfPipe
from fencepost.stream.program import Program

SMALL = 10
"""Programs of so many commands that need something are searched whole."""

MOST_TRIED = 4000
"""Pieces that such a search may try; where it takes more, the program is planned by windows."""

LAST_RESORT = (Width(1, 400, 2), Width(1, 5000, 10))

WIDTHS = (
    (50, (Width(3, 200), Width(1, 300), *LAST_RESORT)),
    (400, (Width(1, 300), *LAST_RESORT)),
    (1 << 62, (Width(1, 80), *LAST_RESORT)),
)
"""Windows for programs of up to so many commands that need something, tried in turn."""


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
    if _right(examination):
        return Plan(weave(program, ()), (), cost(program, machine))
    for pieces in _tries(program, machine, level):
        woven = weave(program, pieces)
        examination = Examination(woven.program, machine, level)
        if _right(examination):
            ordered = tuple(sorted(pieces, key=lambda piece: piece.order))
            return Plan(woven, ordered, cost(woven.program, machine))
    outcome = examination.replay().outcome
    raise NoPlan(outcome.hits, outcome.stuck, examination)


def _right(examination: Examination) -> bool:
    outcome = examination.replay().outcome
    return not outcome.hits and not outcome.stuck


def _tries(program: Program, machine: Machine, level: str) -> Iterator[frozenset[Piece]]:
    """Pieces that should make it right; lines that come along are new at first, then old."""
    for careful in (False, True):
        problem = Problem(program, machine, level, careful)
        found = _found(problem)
        if found is not None:
            pieces = _unlabelled(found.all_pieces())
            yield trim(problem, pieces) or pieces


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
    return Windows(problem, own, next(widths for most, widths in WIDTHS if needy <= most)).run()


def _whole(problem: Problem, own: list[Wants]) -> Node | None:
    wants, rest = {}, Wants()
    for number in range(len(own) - 1, -1, -1):
        rest |= own[number]
        wants[number] = rest
    moves = Moves(problem)
    search = Search(moves, Bound(problem), MOST_TRIED)
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
