"""The cheapest way through a program, or through a part of it: A* over states (design 7).

A node is a state in a gap. From there one piece more is put, or the next command is carried out. Of
two nodes at the same place one is dropped if the other knows as much and costs no more.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, count

from fencepost.plan.bound import Bound
from fencepost.plan.moves import Move, Moves
from fencepost.plan.pieces import Piece
from fencepost.plan.state import State, View
from fencepost.plan.wants import Wants


@dataclass(slots=True, eq=False)
class Node:
    """A state at the stop number `at`, behind a piece of `rank` there. `cycles`: from the start."""

    at: int
    rank: int
    state: State
    cycles: int
    pieces: tuple[Piece, ...] = ()
    before: Node | None = None

    def all_pieces(self) -> list[Piece]:
        """All pieces from the start of the search on."""
        found: list[Piece] = []
        node: Node | None = self
        while node is not None:
            found += node.pieces
            node = node.before
        return found


class Search:
    """Searches from a node to a stop."""

    def __init__(self, moves: Moves, bound: Bound, most: int) -> None:
        self.moves, self.bound, self.most = moves, bound, most
        self.expanded = 0

    def run(self, start: Node, end: int, wants: Mapping[int, Wants]) -> Node | None:
        """The cheapest node at stop `end`; None if there is none, or after `most` expansions.

        `wants`: for every stop what is looked at there.
        """
        ties = count()
        heap = [(start.cycles, -start.at, next(ties), start)]
        front = Front(self.moves.table.drain)
        while heap and self.expanded < self.most:
            _, _, _, node = heapq.heappop(heap)
            if node.at >= end:
                return node
            if front.beaten(node):
                continue
            self.expanded += 1
            for child in self._children(node, wants[node.at]):
                if front.add(child):
                    total = child.cycles + self.bound.rest(child.state, child.at, end)
                    heapq.heappush(heap, (total, -child.at, next(ties), child))
        return None

    def _children(self, node: Node, wants: Wants) -> Iterator[Node]:
        move = self.moves.advance(node.state, node.at)
        if move is not None:
            yield self._child(node, node.at + 1, 0, move)
        for move in self.moves.pieces(node.state, node.at, node.rank, wants):
            yield self._child(node, node.at, move.rank, move)

    @staticmethod
    def _child(node: Node, at: int, rank: int, move: Move) -> Node:
        return Node(at, rank, move.state, node.cycles + move.cycles, move.pieces, node)


class Front:
    """The nodes that no other one beats, by place and shape."""

    def __init__(self, drain: int) -> None:
        self.drain = drain
        self._kept: dict[object, list[tuple[int, tuple[int, ...], Node]]] = {}

    def add(self, node: Node) -> bool:
        """Keep a node, unless one that is kept beats it; those that it beats are forgotten."""
        kept = self._kept.setdefault(_shape(node), [])
        vector = _vector(node.state, self.drain)
        for cycles, other, _ in kept:
            if cycles <= node.cycles and all(map(int.__ge__, other, vector)):
                return False
        kept[:] = [
            one for one in kept if one[0] < node.cycles or not all(map(int.__ge__, vector, one[1]))
        ]
        kept.append((node.cycles, vector, node))
        return True

    def beaten(self, node: Node) -> bool:
        """Has a better one come since it was added?"""
        kept = self._kept.get(_shape(node))
        return kept is not None and all(one is not node for _, _, one in kept)


def _shape(node: Node) -> tuple[object, ...]:
    """Nodes of one shape can be compared number by number."""
    state = node.state
    return (
        node.at,
        node.rank,
        len(state.bases),
        tuple(given.fence for given in state.given),
        *[_view_shape(view) for view in state.views],
        *[_view_shape(base.view) for base in state.bases],
    )


def _view_shape(view: View) -> tuple[object, ...]:
    there = tuple(map(bool, (*view.pending, view.chain)))
    return (
        view.starts,
        there,
        *[tuple(number for number, _ in events) for events in view.events],
        len(view.flips),
    )


def _numbers(view: View) -> Iterator[tuple[int, ...]]:
    yield view.me
    yield view.pfp
    yield from view.pending
    yield view.chain
    for events in view.events:
        for _, clock in events:
            yield clock
    for _, _, clock in view.flips:
        yield clock


def _vector(state: State, drain: int) -> tuple[int, ...]:
    """Everything of a state that is better the higher it is."""
    parts: list[tuple[int, ...]] = []
    for view in state.views:
        parts += _numbers(view)
    for base in state.bases:
        parts += _numbers(base.view)
    for given in state.given:
        parts.append(given.clock)
    ages: list[int] = []
    for queue, times in enumerate(state.times):
        ages += times.ages(drain)
        for base in state.bases:
            if base.queue == queue:
                ages += [min(times.now - one, drain) for one in base.times.starts]
                ages += [min(times.now - one, drain) for one in base.times.operated]
                ages.append(base.times.operations - times.operations)
    for given in state.given:
        times = state.times[given.queue]
        ages += [min(times.now - one, drain) for one in given.told.starts]
        ages.append(given.told.operations - times.operations)
    return tuple(chain(chain.from_iterable(parts), ages))
