"""The cheapest way through a program, or through a part of it: A* over states (design 7).

A node is a state in a gap. From there one piece more is put, or the next command is carried out. Of
two nodes at the same place one is dropped if the other knows as much and costs no more. A piece is
carried out only when nothing else could be cheaper: until then it counts with what it costs less
what it may take from what is lacking.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

from fencepost.coherence.clocks import reaches
from fencepost.plan.bound import Bound
from fencepost.plan.moves import COMMAND, Move, Moves, Shelf
from fencepost.plan.packets import NOTHING, Lacking
from fencepost.plan.pieces import Piece
from fencepost.plan.state import Base, State, View
from fencepost.plan.wants import Wants


@dataclass(slots=True, eq=False)
class Node:
    """A state at the stop number `at`, behind a piece of `rank` there. `cycles`: from the start.

    `lacking`: from there on.
    """

    at: int
    rank: int
    state: State
    cycles: int
    pieces: tuple[Piece, ...] = ()
    before: Node | None = None
    lacking: Lacking = NOTHING
    shape: object = None

    def all_pieces(self) -> list[Piece]:
        """All pieces from the start of the search on."""
        found: list[Piece] = []
        node: Node | None = self
        while node is not None:
            found += node.pieces
            node = node.before
        return found


Entry = tuple[int, int, int, Node, Shelf, int]
"""The least that a plan through it costs, how much of it is still to come, order of arrival; a
node, or the piece of that number on a shelf, to be put there."""

NO_SHELF: Shelf = ()


class Search:
    """Searches once, from a node to a stop.

    `most`: so many pieces are tried. `weight`: that of what is lacking; above 1 a way is found
    sooner, and may be dearer.
    """

    def __init__(self, moves: Moves, bound: Bound, most: int, weight: int = 1) -> None:
        self.moves, self.bound, self.most, self.weight = moves, bound, most, weight
        self.made = 0
        self._heap: list[Entry] = []
        self._ties = count()
        self._least = 0
        self._front = Front(moves.table.drain, ())

    def run(self, start: Node, end: int, wants: Mapping[int, Wants]) -> Node | None:
        """The cheapest node at stop `end`; None if there is none, or too much would be tried.

        `wants`: for every stop what is looked at there.
        """
        self._front = Front(self.moves.table.drain, start.state.bases)
        self._arrive(start, end)
        while self._heap and self.made < self.most:
            total, _, _, node, shelf, number = heapq.heappop(self._heap)
            if self._front.beaten(node):
                continue
            self._least = total
            if shelf:
                self._put(node, end, shelf, number)
            elif node.at >= end:
                return node
            else:
                self._follow(node, end, wants[node.at])
        return None

    def _push(self, node: Node, cycles: int, lacking: int, shelf: Shelf, number: int) -> None:
        total = node.cycles + cycles + self.weight * lacking
        if self.weight == 1:
            total = max(total, self._least)
        heapq.heappush(self._heap, (total, lacking, next(self._ties), node, shelf, number))

    def _arrive(self, node: Node, end: int) -> None:
        """A new node."""
        if self._front.add(node):
            node.lacking = self.bound.rest(node.state, node.at, end)
            self._push(node, 0, node.lacking.cycles, NO_SHELF, 0)

    def _offer(self, node: Node, shelf: Shelf, number: int) -> None:
        """The piece of that number, if there is one."""
        if number < len(shelf):
            cycles, credit, _ = shelf[number]
            self._push(node, cycles, node.lacking.cycles - credit, shelf, number)

    def _put(self, node: Node, end: int, shelf: Shelf, number: int) -> None:
        """The node behind a piece."""
        self.made += 1
        self._offer(node, shelf, number + 1)
        move = self.moves.make(node.state, node.at, shelf[number][2])
        if move is not None:
            over = move.rank == COMMAND
            at, rank = (node.at + 1, 0) if over else (node.at, move.rank)
            self._arrive(self._child(node, at, rank, move), end)

    def _follow(self, node: Node, end: int, wants: Wants) -> None:
        """The next command carried out, and what could be put before it."""
        move = self.moves.advance(node.state, node.at)
        if move is not None:
            self._arrive(self._child(node, node.at + 1, 0, move), end)
        state, at, lacking, weight = node.state, node.at, node.lacking, self.weight
        for shelf in (
            *self.moves.changed(state, at, wants, lacking, weight),
            *self.moves.pieces(state, at, node.rank, wants, lacking, weight),
        ):
            self._offer(node, shelf, 0)

    @staticmethod
    def _child(node: Node, at: int, rank: int, move: Move) -> Node:
        return Node(at, rank, move.state, node.cycles + move.cycles, move.pieces, node)


class Front:
    """The nodes that no other one beats, by place and shape.

    `bases`: those that were there when the search began; they are the same for all.
    """

    def __init__(self, drain: int, bases: Iterable[Base]) -> None:
        self.drain = drain
        self._old = {id(base) for base in bases}
        self._kept: dict[object, list[tuple[int, tuple[int, ...], Node]]] = {}

    def add(self, node: Node) -> bool:
        """Keep a node, unless one that is kept beats it; those that it beats are forgotten."""
        new = [base for base in node.state.bases if id(base) not in self._old]
        shape = node.shape = _shape(node, new)
        kept = self._kept.setdefault(shape, [])
        vector = _vector(node.state, new, self.drain)
        for cycles, other, _ in kept:
            if cycles <= node.cycles and reaches(other, vector):
                return False
        kept[:] = [one for one in kept if one[0] < node.cycles or not reaches(vector, one[1])]
        kept.append((node.cycles, vector, node))
        return True

    def beaten(self, node: Node) -> bool:
        """Has a better one come since it was added?"""
        kept = self._kept.get(node.shape)
        return kept is not None and all(one is not node for _, _, one in kept)


def _shape(node: Node, new: Sequence[Base]) -> tuple[object, ...]:
    """Nodes of one shape can be compared number by number."""
    state = node.state
    return (
        node.at,
        node.rank,
        tuple([(base.queue, base.gap, base.late) for base in state.bases]),
        tuple([given.fence for given in state.given]),
        *[_view_shape(view) for view in state.views],
        *[_view_shape(base.view) for base in new],
    )


def _view_shape(view: View) -> tuple[object, ...]:
    there = tuple(map(bool, (*view.pending, view.chain)))
    return (
        view.starts,
        there,
        *[tuple([number for number, _ in events]) for events in view.events],
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


def _vector(state: State, new: Sequence[Base], drain: int) -> tuple[int, ...]:
    """Everything of a state that is better the higher it is."""
    parts: list[tuple[int, ...]] = []
    for view in state.views:
        parts += _numbers(view)
    for base in new:
        parts += _numbers(base.view)
    for given in state.given:
        parts.append(given.clock)
    ages: list[int] = []
    for times in state.times:
        ages += [*times.ages(drain), times.now, -times.operations]
    for base in new:
        times = state.times[base.queue]
        ages += [min(times.now - one, drain) for one in base.times.starts]
        ages += [min(times.now - one, drain) for one in base.times.operated]
        ages.append(base.times.operations - times.operations)
    for given in state.given:
        times = state.times[given.queue]
        ages += [min(times.now - one, drain) for one in given.told.starts]
        ages.append(given.told.operations - times.operations)
    return tuple(chain(chain.from_iterable(parts), ages))
