"""Plans of one command, each judged by the checker itself.

What lines that come in whole bring along is more than needs can say (`needs.find_needs`); a plan
that errs on the side of care can be dearer than it has to be. Where one command is enough it is
found here.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.coherence.checking import Examination
from fencepost.plan.costs import cost
from fencepost.plan.menu import Menu
from fencepost.plan.pieces import OWN, Piece, weave
from fencepost.plan.problem import Problem
from fencepost.plan.wants import Wants
from fencepost.stream.command import Work

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
        program = weave(problem.program, (piece,)).program
        outcome = Examination(program, problem.machine, problem.guarantees).replay().outcome
        if not outcome.hits and not outcome.stuck:
            return piece
    return None


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
