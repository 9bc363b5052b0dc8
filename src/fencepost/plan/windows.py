"""Plans of programs that are too long to be searched whole: a window at a time (design 7).

Where a command lacks something, the cheapest way over it and the next few that need something is
searched; what stands before that command is kept, and the next window starts behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fencepost.plan.bound import Bound
from fencepost.plan.moves import Moves
from fencepost.plan.problem import Problem
from fencepost.plan.search import Node, Search
from fencepost.plan.wants import Wants


class Width(NamedTuple):
    """How many needy commands a window spans, how many pieces may be tried for it.

    `weight`: that of what is still lacking; above 1 a way is found sooner, and may be dearer.
    """

    needy: int
    most: int
    weight: int = 1


class Windows:
    """Walks a program.

    `widths`: what is tried in turn.
    """

    def __init__(self, problem: Problem, wants: Sequence[Wants], widths: Sequence[Width]) -> None:
        self.problem, self.wants, self.widths = problem, wants, widths
        self.moves = Moves(problem, looks_back=True)
        self.bound = Bound(problem)
        self._needy = [at for at, stop in enumerate(problem.stops) if stop.needs or stop.stuck]

    def run(self) -> Node | None:
        """The last node of a plan; None where a command cannot be served."""
        node = Node(0, 0, self.moves.first(), 0)
        last = len(self.problem.stops) - 1
        following = 0
        while node.at < last:
            move = self.moves.advance(node.state, node.at)
            if move is not None:
                node = Node(node.at + 1, 0, move.state, node.cycles + move.cycles, (), node)
                continue
            while self._needy[following] < node.at:
                following += 1
            found = self._served(node, following)
            if found is None:
                return None
            node = found
        return node

    def _served(self, node: Node, following: int) -> Node | None:
        """The node behind the command that lacks something."""
        for width in self.widths:
            window = self._needy[following : following + width.needy]
            end = window[-1] + 1
            search = Search(self.moves, self.bound, width.most, width.weight)
            found = search.run(node, end, self._wanted(node.at, end))
            while found is not None and found.at > node.at + 1:
                found = found.before
            if found is not None:
                return found
        return None

    def _wanted(self, at: int, end: int) -> dict[int, Wants]:
        """What is looked at in a window: what its commands from there on need."""
        found, rest = {}, Wants()
        for number in range(end - 1, at - 1, -1):
            if self.problem.stops[number].needs:
                rest |= self.wants[number]
            found[number] = rest
        return found
