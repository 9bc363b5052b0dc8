"""What to look at while a program is replayed again: facts about chosen accesses, and who established them."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.coherence.access import WAY_MASK, Accesses
from fencepost.coherence.hits import Actor
from fencepost.coherence.layout import Clock
from fencepost.coherence.memory import Segment
from fencepost.coherence.queues import QueueState
from fencepost.coherence.ways import WAY_BITS, Way


@dataclass(frozen=True, slots=True)
class Fact:
    """A point of a clock that must be above `at` for an access to be right, and whether it is."""

    question: str
    point: int
    at: int
    holds: bool
    cache: str = ""
    bringer: Actor | None = None


@dataclass(slots=True)
class Relation:
    """One earlier access and a later one, on the bytes [start, end): the facts between them, in the order of the questions."""

    later: Actor
    earlier: Actor | None
    start: int
    end: int
    engine: str
    facts: list[Fact] = field(default_factory=list)


class FactFinder:
    """An observer of accesses: collects the relations of the commands that it was asked about."""

    def __init__(self, wanted: set[tuple[int, int]]) -> None:
        self.wanted = wanted
        self.relations: list[Relation] = []

    def observe(
        self, accesses: Accesses, segment: Segment, way: Way, actor: Actor, clock: Clock
    ) -> None:
        """Note what holds between this access and what came before it."""
        if (actor.queue, actor.position) not in self.wanted:
            return
        for key, at in segment.writes.items():
            earlier = Actor(key >> WAY_BITS, at, key & WAY_MASK)
            self._after(accesses, segment, way, actor, earlier, clock)
        if way.writes:
            for key, at in segment.reads.items():
                earlier = Actor(key >> WAY_BITS, at, key & WAY_MASK)
                self._after_read(accesses, segment, way, actor, earlier, clock)
        if not segment.writes and not segment.reads:
            self._note(segment, way, actor, None, [])

    def _note(
        self, segment: Segment, way: Way, actor: Actor, earlier: Actor | None, facts: list[Fact]
    ) -> None:
        engine = way.row.engine
        self.relations.append(Relation(actor, earlier, segment.start, segment.end, engine, facts))

    def _after(
        self,
        accesses: Accesses,
        segment: Segment,
        way: Way,
        actor: Actor,
        earlier: Actor,
        clock: Clock,
    ) -> None:
        if earlier.queue == actor.queue and earlier.position == actor.position:
            return
        write = accesses.ways.all[earlier.way]
        pair = accesses.ways.pair(write, way)
        if pair.free:
            self._note(segment, way, actor, earlier, [Fact("in order", -1, 0, True)])
            return
        base = earlier.queue * accesses.layout.stride
        ordered = clock[base + write.done] > earlier.position
        facts = [Fact("ordered", base + write.done, earlier.position, ordered)]
        if pair.through:
            holds = accesses.written_back(segment, write, base, earlier.position, clock)
            point = base + write.wb
            facts.append(Fact("available", point, earlier.position, holds, write.home_name))
        if way.reads:
            facts += self._visible(accesses, segment, way, clock)
        self._note(segment, way, actor, earlier, facts)

    @staticmethod
    def _visible(accesses: Accesses, segment: Segment, way: Way, clock: Clock) -> list[Fact]:
        """One fact for each cache that may hold an old copy."""
        facts = []
        for at, hop in enumerate(way.hops):
            if not hop.hit:
                continue
            name = accesses.ways.cache_names[hop.cache]
            point, position = accesses.cleaning_fact(segment, way, at)
            if point >= 0 and clock[point] > position:
                facts.append(Fact("visible", point, position, True, name))
                continue
            blame = accesses.old_copy(segment, hop.cache, clock)
            if blame is not None:
                bringer, kill = blame
                facts.append(Fact("visible", kill, bringer.position, False, name, bringer))
        return facts

    def _after_read(
        self,
        accesses: Accesses,
        segment: Segment,
        way: Way,
        actor: Actor,
        earlier: Actor,
        clock: Clock,
    ) -> None:
        if earlier.queue == actor.queue and earlier.position == actor.position:
            return
        read = accesses.ways.all[earlier.way]
        if accesses.ways.pair(read, way).free:
            self._note(segment, way, actor, earlier, [Fact("in order", -1, 0, True)])
            return
        point = earlier.queue * accesses.layout.stride + read.done
        holds = clock[point] > earlier.position
        self._note(segment, way, actor, earlier, [Fact("ordered", point, earlier.position, holds)])


Wish = tuple[int, str, int, int]
"""(queue, engine, point, position): who first raised that point of that engine's clock above the position?"""


class Witnesses:
    """A watcher of clocks: for every wish, the command (queue, position) that first made it true."""

    def __init__(self, wishes: set[Wish]) -> None:
        self.found: dict[Wish, int] = {}
        self._open: dict[tuple[int, str], list[Wish]] = {}
        for wish in sorted(wishes):
            self._open.setdefault((wish[0], wish[1]), []).append(wish)

    def watch(self, state: QueueState, engine: str) -> None:
        """Look at the clock of that engine after the current command."""
        wishes = self._open.get((state.number, engine))
        if not wishes:
            return
        clock = state.clocks[engine]
        met = [wish for wish in wishes if clock[wish[2]] > wish[3]]
        if met:
            for wish in met:
                self.found[wish] = state.position
            self._open[state.number, engine] = [wish for wish in wishes if wish not in self.found]
