"""Plans of one command, or of one kickoff and its mark, each judged by the checker itself.

What lines that come in whole bring along is more than needs can say (`needs.find_needs`); a plan
that errs on the side of care can be dearer than it has to be. Where one command is enough it is
found here. Kickoffs are added only where nothing else helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from fencepost.coherence.checking import Examination
from fencepost.plan.costs import cost
from fencepost.plan.menu import Menu
from fencepost.plan.pieces import OWN, STORE, Piece, weave
from fencepost.plan.problem import Problem
from fencepost.plan.wants import Wants
from fencepost.stream.command import Kickoff, Work
from fencepost.stream.program import QueueKind

MOST_JUDGED = 500
"""So many programs are judged."""


def one_command(problem: Problem, wants: Wants, below: int) -> Piece | None:
    """The cheapest single piece that makes the program right for less than `below` cycles."""
    priced = []
    for number, piece in enumerate(_pieces(problem, wants)):
        cycles = cost(weave(problem.program, (piece,)).program, problem.machine)
        if cycles < below:
            priced.append((cycles, number, piece))
    for _, _, piece in sorted(priced, key=lambda one: one[:2])[:MOST_JUDGED]:
        if is_right(problem, (piece,)):
            return piece
    return None


def one_kickoff(problem: Problem) -> tuple[Piece, ...]:
    """The first kickoff by a CPU queue, with its mark, that makes the program right."""
    for pieces in islice(_kickoffs(problem), MOST_JUDGED):
        if is_right(problem, pieces):
            return pieces
    return ()


def planned_level(guarantees: str) -> str:
    """The level at which plans are made: no event stands in for a barrier (deviation 27)."""
    return "cautious" if guarantees == "documented" else guarantees


def is_right(problem: Problem, pieces: Iterable[Piece], level: str = "") -> bool:
    """Does the checker find no hazard with these pieces, at that level of guarantees?"""
    program = weave(problem.program, pieces).program
    return comes_to_its_end(Examination(program, problem.machine, level or problem.guarantees))


def comes_to_its_end(examination: Examination) -> bool:
    """Does a replay find no hazard, and no wait that is never over?"""
    outcome = examination.replay().outcome
    return not outcome.hits and not outcome.stuck


def _kickoffs(problem: Problem) -> Iterator[tuple[Piece, ...]]:
    """Behind each command of the CPU, the mark before each command of the other queue."""
    for number, track in enumerate(problem.tracks):
        if track.queue.kind is not QueueKind.CPU:
            continue
        for other, kicked in enumerate(problem.tracks):
            if kicked.queue.kind not in (QueueKind.GRAPHICS, QueueKind.COMPUTE):
                continue
            kickoff = Kickoff(queue=kicked.queue.name)
            for gap in range(1, len(track.queue.commands) + 1):
                for mark in range(len(kicked.queue.commands)):
                    yield Piece(number, gap, STORE, kickoff), Piece(other, mark, STORE, Kickoff())


def _pieces(problem: Problem, wants: Wants) -> Iterator[Piece]:
    """Everything but fences, in every gap; every command of the program with more in it."""
    for queue, track in enumerate(problem.tracks):
        menu = Menu(problem.machine, problem.documented, track.queue.kind)
        for gap, command in enumerate(track.queue.commands):
            surfaces = tuple(s for s, draws in track.surfaces.items() if draws[0] < gap)
            for rank, item in menu.items(wants, surfaces):
                yield Piece(queue, gap, rank, item)
            if not isinstance(command, Work):
                for item in menu.stronger(command, wants, surfaces):
                    yield Piece(queue, gap, OWN, item, replaces=True)
