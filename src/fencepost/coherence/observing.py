"""Looks at chosen accesses during a replay: what holds between them and what came before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fencepost.coherence.access import actor_of
from fencepost.coherence.hits import Actor, Fact
from fencepost.coherence.layout import Clock
from fencepost.coherence.memory import Segment
from fencepost.coherence.ways import Way

if TYPE_CHECKING:
    from fencepost.coherence.replay import Replay


@dataclass(frozen=True, slots=True)
class Relation:
    """A later access and an earlier one (None.

    There was none) on the bytes [start, end), and the facts between them.
    """

    later: Actor
    earlier: Actor | None
    start: int
    end: int
    facts: tuple[Fact, ...]


class FactFinder:
    """An observer of accesses: collects the relations of the commands that it was asked about."""

    def __init__(self, wanted: set[tuple[int, int]]) -> None:
        self.wanted = wanted
        self.relations: list[Relation] = []

    def attach(self, replay: Replay) -> None:
        """Listen to that replay."""
        self._accesses = replay.accesses
        replay.accesses.observer = self.observe

    def observe(self, segment: Segment, way: Way, actor: Actor, clock: Clock) -> None:
        """Note what holds between this access and what came before it."""
        if (actor.queue, actor.position) not in self.wanted:
            return
        before = len(self.relations)
        for other, at in segment.writes.items():
            facts = self._accesses.facts_after_write(segment, way, actor.queue, other, at, clock)
            self._note(segment, actor, actor_of(other, at), facts)
        for other, at in segment.reads.items() if way.writes else ():
            facts = self._accesses.facts_after_read(way, actor.queue, other, at, clock)
            self._note(segment, actor, actor_of(other, at), facts)
        if len(self.relations) == before:
            self._note(segment, actor, None, [])

    def _note(
        self, segment: Segment, actor: Actor, earlier: Actor | None, facts: list[Fact]
    ) -> None:
        if earlier is None or (earlier.queue, earlier.position) != (actor.queue, actor.position):
            relation = Relation(actor, earlier, segment.start, segment.end, tuple(facts))
            self.relations.append(relation)
