"""What each command needs to know before it may start.

Whatever synchronization there is (model 5.3).

The history of every byte follows from the works alone, so what an access asks of the clock of the
engine that makes it can be said once: points of the clock that have to be above positions of
earlier commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fencepost.coherence.access import CACHE_BITS, CACHE_MASK, WAY_MASK, Accesses
from fencepost.coherence.hits import Hit
from fencepost.coherence.issue import own_access
from fencepost.coherence.layout import Clock, Layout
from fencepost.coherence.memory import Segment
from fencepost.coherence.ways import WAY_BITS, Way, Ways
from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Command, Work
from fencepost.stream.program import Program

Place = tuple[int, int]
"""The number of a queue and a position in it."""

Literal = tuple[tuple[int, ...], int]
"""Points and a position: one of the points has to be above it."""

Choice = tuple[Literal, ...]
"""All of these."""

Clause = tuple[Choice, ...]
"""One of these."""

KNOWN = 1 << 62


@dataclass(frozen=True, slots=True)
class Need:
    """What one engine has to know when it makes its accesses of one command.

    `engine`: as the machine's ways name it (`kick`: the one that kicks the CP DMA; `end`: down the
    pipe). `musts` have to hold, and one choice of each clause.
    """

    engine: str
    musts: tuple[Literal, ...]
    clauses: tuple[Clause, ...]

    def holds(self, clock: Sequence[int]) -> bool:
        """Is it known by that clock?"""
        return all(holds(one, clock) for one in self.musts) and all(
            any(all(holds(one, clock) for one in choice) for choice in clause)
            for clause in self.clauses
        )


def holds(literal: Literal, clock: Sequence[int]) -> bool:
    """Is one of its points above its position?"""
    points, at = literal
    if len(points) == 1:
        return clock[points[0]] > at
    return any(clock[point] > at for point in points)


def find_needs(
    program: Program,
    machine: Machine,
    ways: Ways,
    layout: Layout,
    order: Iterable[Place],
    *,
    careful: bool,
    events: bool,
) -> dict[Place, tuple[Need, ...]]:
    """The needs of every command that has some, by engine; `order` is one that works.

    Lines come whole: whether a neighbour's line is old depends on when it was fetched. It is taken
    to be old if `careful`, else to be new. `events`: an event may stand in for a barrier (deviation
    27).
    """
    return _Finder(program, machine, ways, layout, careful, events).find(order)


class _Finder:
    """Walks the works and writes down what each asks for."""

    def __init__(
        self,
        program: Program,
        machine: Machine,
        ways: Ways,
        layout: Layout,
        careful: bool,
        events: bool,
    ) -> None:
        self.events = events
        self.program, self.ways, self.layout, self.careful = program, ways, layout, careful
        self.accesses = Accesses(ways, layout, machine.line, self._passed)
        self.clock: Clock = [0 if careful else KNOWN] * (len(program.queues) * layout.stride)
        self.clauses: dict[Clause, None] = {}

    def find(self, order: Iterable[Place]) -> dict[Place, tuple[Need, ...]]:
        """All needs, command by command."""
        found = {}
        for queue, position in order:
            command = self.program.queues[queue].commands[position]
            needs = [
                need
                for engine, accesses in self._by_engine(command).items()
                if (need := self._need(queue, position, command, engine, accesses)) is not None
            ]
            if needs:
                found[queue, position] = tuple(needs)
        return found

    def _by_engine(self, command: Command) -> dict[str, list[Access]]:
        """The command's accesses by the engine that makes them."""
        own = own_access(command)
        if own is not None:
            return {"end": [own]}
        found: dict[str, list[Access]] = {}
        if isinstance(command, Work):
            for access in command.accesses:
                way = self.ways.find(access, command.engine)
                found.setdefault(way.row.engine, []).append(access)
        return found

    def _need(
        self, queue: int, position: int, command: Command, engine: str, accesses: list[Access]
    ) -> Need | None:
        kicker = command.engine if isinstance(command, Work) else "me"
        uses = [(self.ways.find(one, kicker), one.start, one.end) for one in accesses]
        self.clauses = {}
        for way, start, end in uses:
            key = queue << WAY_BITS | way.number
            for segment in self.accesses.memory.cover(start, end):
                self._ask(segment, way, key, position)
        self.accesses.remember(queue, position, self.clock, uses)
        return packed(engine, self.clauses)

    def _passed(self, hit: Hit) -> None:
        """A neighbour's line that comes in now may be old: earlier reads must be over."""
        self._add(((((hit.broken.point,), hit.broken.at),),))

    def _add(self, clause: Clause) -> None:
        self.clauses[clause] = None

    # -- one access on one segment, as `Accesses` checks it

    def _ask(self, segment: Segment, way: Way, key: int, position: int) -> None:
        queue = key >> WAY_BITS
        for other, at in segment.writes.items():
            if at != position or other >> WAY_BITS != queue:
                self._after_write(segment, other, at, way, queue)
        if way.reads and segment.writes and way.hops:
            self._visible(segment, way, key, position)
        if way.writes:
            for other, at in segment.reads.items():
                if at != position or other >> WAY_BITS != queue:
                    self._after(other, at, way, queue)

    def _after(self, other: int, at: int, way: Way, queue: int) -> bool:
        """Ordered behind an earlier access; False if the two need nothing at all."""
        earlier = self.ways.all[other & WAY_MASK]
        pair = self.ways.pair(earlier, way)
        same = other >> WAY_BITS == queue
        if pair.free and (pair.free_across or same):
            return False
        done: Literal = (((other >> WAY_BITS) * self.layout.stride + earlier.done,), at)
        if not same or way.order < 0:
            self._add(((done,),))
        elif not pair.ordered:
            order: Literal = ((queue * self.layout.stride + way.order,), at)
            leans = self.events and earlier.drawn
            self._add(((done,), (order,)) if leans else ((done,),))
        return True

    def _after_write(self, segment: Segment, other: int, at: int, way: Way, queue: int) -> None:
        """Ordered behind an earlier write, and its data where the access can find it."""
        write = self.ways.all[other & WAY_MASK]
        if self._after(other, at, way, queue) and self.ways.pair(write, way).through:
            base = (other >> WAY_BITS) * self.layout.stride
            ranged = self._ranged(segment, write.home_name, base, 0)
            self._add(((((base + write.wb, *ranged), at),),))

    def _ranged(self, segment: Segment, cache: str, base: int, which: int) -> tuple[int, ...]:
        """The points of operations on ranges that hold the segment."""
        return tuple(
            base + points[which]
            for (start, end), points in self.layout.ranged.get(cache, {}).items()
            if start <= segment.start and segment.end <= end
        )

    def _visible(self, segment: Segment, way: Way, key: int, position: int) -> None:
        """No cache on the way may be hit with an older copy."""
        for at, hop in enumerate(way.hops):
            if not hop.hit:
                continue
            if self.careful:
                segment.exposed[key] = position
            gone = self._gone(segment, hop.cache)
            if gone:
                clean = self._clean(segment, way, at)
                self._add((gone,) if clean is None else (clean, gone))

    def _clean(self, segment: Segment, way: Way, at: int) -> Choice | None:
        """That hop's cache was invalidated behind the last writes; None if that cannot be."""
        found: list[Literal] = []
        for key, position in segment.writes.items():
            pair = self.ways.pair(self.ways.all[key & WAY_MASK], way)
            if at >= pair.meets:
                continue
            if pair.clean[at] < 0:
                return None
            base = (key >> WAY_BITS) * self.layout.stride
            found.append(((base + pair.clean[at],), position))
        return tuple(found)

    def _gone(self, segment: Segment, cache: int) -> Choice:
        """Nothing is left of the old copies in that cache."""
        found: list[Literal] = []
        name = self.ways.cache_names[cache]
        for key, at in segment.old.items():
            point = key >> CACHE_BITS
            if key & CACHE_MASK == cache:
                base = point - point % self.layout.stride
                found.append(((point, *self._ranged(segment, name, base, 1)), at))
        return tuple(found)


def packed(engine: str, clauses: Iterable[Clause]) -> Need | None:
    """Clauses with one choice are musts, of several about the same points the last holds all."""
    musts: dict[tuple[int, ...], int] = {}
    rest: list[Clause] = []
    for clause in clauses:
        if len(clause) > 1:
            if all(clause):
                rest.append(clause)
            continue
        for points, at in clause[0]:
            musts[points] = max(musts.get(points, -1), at)
    if not musts and not rest:
        return None
    return Need(engine, tuple(musts.items()), tuple(rest))
