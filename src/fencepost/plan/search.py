"""The cheapest plan of a small program: a search over whole programs, cheapest first (design 7)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from fencepost.coherence.checking import Examination
from fencepost.coherence.observing import FactFinder, Relation
from fencepost.machine.tables import Machine
from fencepost.plan.bundles import Bundles, Site, Surface
from fencepost.plan.costs import cost
from fencepost.plan.needs import Needs, gather
from fencepost.plan.pieces import Piece, Woven, weave
from fencepost.stream.command import Work, WorkKind
from fencepost.stream.program import Program

MOST_TRIED = 4000
"""So many programs are looked at before the search gives up."""


Node = tuple[int, int, int, frozenset[Piece], "Key | None"]
"""Cost, number of pieces, a number that breaks ties, the pieces, and what failed before they were added."""

Key = tuple[int, int, tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Failure:
    """The first command that goes wrong in a woven program, in the numbering of the program before."""

    queue: int
    number: int
    needs: Needs
    surfaces: tuple[Surface, ...]


class Search:
    """Uniform-cost search: a node is a set of pieces, its cost that of the woven program."""

    def __init__(self, program: Program, machine: Machine, guarantees: str) -> None:
        self.program = program
        self.machine = machine
        self.guarantees = guarantees
        self.kinds = tuple(queue.kind for queue in program.queues)
        self.tried = 0

    def run(self, most: int = MOST_TRIED) -> frozenset[Piece] | None:
        """The cheapest pieces that make the program right; None if none of ours do, or after `most` tries."""
        start: frozenset[Piece] = frozenset()
        ties = count()
        heap: list[Node] = [(self._cost(start), 0, next(ties), start, None)]
        seen = {start}
        while heap and self.tried < most:
            _, _, _, pieces, before = heapq.heappop(heap)
            self.tried += 1
            failure = self._first_failure(weave(self.program, pieces))
            if failure is None:
                return pieces
            key = (failure.queue, failure.number, failure.needs.key())
            if key == before:
                continue
            for more in self._children(pieces, failure):
                if more not in seen:
                    seen.add(more)
                    heapq.heappush(heap, (self._cost(more), len(more), next(ties), more, key))
        return None

    def _cost(self, pieces: frozenset[Piece]) -> int:
        return cost(weave(self.program, pieces).program, self.machine)

    def _children(self, pieces: frozenset[Piece], failure: Failure) -> Iterator[frozenset[Piece]]:
        site = Site(
            failure.queue,
            failure.number,
            self.kinds,
            failure.surfaces,
            self.guarantees == "documented",
        )
        for bundle in Bundles(self.machine, failure.needs, site).offers():
            yield merged(pieces, bundle)

    def _first_failure(self, woven: Woven) -> Failure | None:
        examination = Examination(woven.program, self.machine, self.guarantees)
        outcome = examination.replay().outcome
        if not outcome.hits:
            return None
        first = outcome.hits[0].later
        replay = examination.prepare()
        finder = FactFinder({(first.queue, first.position)})
        finder.attach(replay)
        replay.run()
        relations = [self._original(relation, woven) for relation in finder.relations]
        needs = gather(relations, examination.ways, self.machine)
        number = woven.origins[first.queue][first.position]
        return Failure(first.queue, number, needs, self._surfaces(first.queue, number))

    @staticmethod
    def _original(relation: Relation, woven: Woven) -> Relation:
        """The earlier access in the numbering of the program before."""
        earlier = relation.earlier
        if earlier is None:
            return relation
        number = woven.origins[earlier.queue][earlier.position]
        return replace(relation, earlier=replace(earlier, position=number))

    def _surfaces(self, queue: int, number: int) -> tuple[Surface, ...]:
        found: dict[Surface, None] = {}
        for command in self.program.queues[queue].commands[:number]:
            if isinstance(command, Work) and command.kind is WorkKind.DRAW:
                for access in command.accesses:
                    if access.block[:2] in ("cb", "db"):
                        found[Surface(access.block, access.start, access.end)] = None
        return tuple(found)


def merged(pieces: frozenset[Piece], bundle: tuple[Piece, ...]) -> frozenset[Piece]:
    """The pieces with a bundle."""
    return pieces | frozenset(bundle)
