"""The entry points: plan the synchronization of a program, or mend the one that it has."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from fencepost.coherence.checking import Examination
from fencepost.coherence.hits import Hit
from fencepost.coherence.replay import Stuck
from fencepost.machine.tables import Machine
from fencepost.plan.bound import Bound
from fencepost.plan.costs import cost
from fencepost.plan.moves import Moves
from fencepost.plan.pieces import END, OWN, WAIT, Piece, Woven, has_stand_in, weave
from fencepost.plan.problem import Problem
from fencepost.plan.search import Node, Search
from fencepost.plan.single import comes_to_its_end, one_command, one_kickoff
from fencepost.plan.spare import spared
from fencepost.plan.strip import strip
from fencepost.plan.trim import trim
from fencepost.plan.wants import Wants, WantsFinder
from fencepost.plan.windows import Width, Windows
from fencepost.stream.command import Command, EndOfPipe
from fencepost.stream.program import Program

SMALL = 10
"""Programs of so many commands that need something are searched whole."""

MOST_TRIED, MOST_TRIED_TOGETHER = 4000, 1500
"""Pieces that such a search may try, in one queue and in several; where it takes more, the program
is planned by windows."""

SHORT = 30
"""Programs of so many commands are searched for a plan of one command too (`single`), and rid of
what the checker does without (`spare`)."""

LAST_RESORT = (Width(1, 400, 2), Width(1, 5000, 10))

WIDTHS = (
    (50, (Width(3, 200), Width(1, 300), *LAST_RESORT)),
    (400, (Width(1, 300), *LAST_RESORT)),
    (1 << 62, (Width(1, 60), *LAST_RESORT)),
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
    level = guarantees or program.guarantees or machine.guarantees
    left = Examination(program, machine, level)
    if comes_to_its_end(left):
        return Plan(weave(program, ()), (), cost(program, machine))
    for careful in (False, True):
        problem = Problem(program, machine, level, careful)
        wants = _wants(problem)
        pieces = _searched(problem, wants)
        planned = None if pieces is None else _plan_of(problem, pieces)
        if planned is not None:
            left = Examination(planned.program, machine, level)
        right = planned is not None and comes_to_its_end(left)
        if careful and len(problem.stops) <= SHORT:
            planned, right = _simpler(problem, wants, planned if right else None), True
            planned = planned or _kicked(problem)
        if planned is not None and right:
            short = len(problem.stops) <= SHORT
            return _plan_of(problem, spared(problem, planned.pieces)) if short else planned
    outcome = left.replay().outcome
    raise NoPlan(outcome.hits, outcome.stuck, left)


def _plan_of(problem: Problem, pieces: Iterable[Piece]) -> Plan:
    ordered = tuple(sorted(pieces, key=lambda piece: piece.order))
    woven = weave(problem.program, ordered)
    return Plan(woven, ordered, cost(woven.program, problem.machine))


def _simpler(problem: Problem, wants: list[Wants], planned: Plan | None) -> Plan | None:
    """A plan of one command, if that is cheaper."""
    every = reduce(or_, wants, Wants())
    piece = one_command(problem, every, planned.cycles if planned is not None else 1 << 62)
    return planned if piece is None else _plan_of(problem, (piece,))


def _kicked(problem: Problem) -> Plan | None:
    """A plan of one kickoff, where nothing else helps."""
    pieces = one_kickoff(problem)
    return _plan_of(problem, pieces) if pieces else None


def _searched(problem: Problem, wants: list[Wants]) -> frozenset[Piece] | None:
    """Pieces that should make it right."""
    found = _found(problem, wants)
    if found is None:
        return None
    pieces = _unlabelled(found.all_pieces(), problem.program)
    return trim(problem, pieces) or pieces


def _wants(problem: Problem) -> list[Wants]:
    """What the command of each stop asks for."""
    finder = WantsFinder(problem.points)
    return [
        finder.of(stop.needs, pfp=problem.tracks[stop.queue].pfp) if stop.needs else Wants()
        for stop in problem.stops
    ]


def _found(problem: Problem, own: list[Wants]) -> Node | None:
    """The cheapest way through a small problem, a cheap one through a long one."""
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
    most = MOST_TRIED if len(problem.tracks) == 1 else MOST_TRIED_TOGETHER
    search = Search(moves, Bound(problem), most)
    return search.run(Node(0, 0, moves.first(), 0), len(problem.stops) - 1, wants)


def _unlabelled(pieces: Iterable[Piece], program: Program) -> frozenset[Piece]:
    """An end of pipe that nobody waits for writes no value; what then is as it was is no piece."""
    listed = sorted(set(pieces), key=lambda piece: (piece.order, bool(piece.fence)))
    waited = {piece.fence for piece in listed if piece.rank == WAIT}
    kept: dict[object, Piece] = {}
    for piece in listed:
        if has_stand_in(piece) and piece.rank in (END, OWN) and piece.fence not in waited:
            piece = replace(piece, command=_silenced(piece.command), fence="")
        if piece.replaces:
            kept[piece.place] = piece
            own = program.queues[piece.queue].commands[piece.gap]
            if piece.command == own:
                del kept[piece.place]
        else:
            kept[piece] = piece
    return frozenset(kept.values())


def _silenced(command: Command) -> Command:
    return replace(command, label=None) if isinstance(command, EndOfPipe) else command
