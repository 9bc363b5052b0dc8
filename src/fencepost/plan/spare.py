"""Takes out of a short plan what the checker itself does without (design 7).

What lines that come in whole bring along is more than needs can say (`needs.find_needs`), so a plan
may hold a command that nothing breaks without.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.plan.pieces import Piece
from fencepost.plan.problem import Problem
from fencepost.plan.single import is_right, planned_level
from fencepost.plan.trim import dearest
from fencepost.stream.command import Kickoff


def spared(problem: Problem, pieces: Iterable[Piece]) -> frozenset[Piece]:
    """The pieces of a right plan that it needs; the dearest others go first.

    No event becomes a barrier by that (deviation 27), if none was one before.
    """
    kept = frozenset(pieces)
    level = planned_level(problem.guarantees)
    if level != problem.guarantees and not is_right(problem, kept, level):
        level = problem.guarantees
    for old in dearest(kept, problem.table):
        if any(isinstance(piece.command, Kickoff) for piece in old):
            continue  # a kickoff and its mark, of which neither is anything alone
        fewer = kept.difference(old)
        if is_right(problem, fewer, level):
            kept = fewer
    return kept
