"""Hits of the replay as findings, each with its chain: as far as it holds and where it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fencepost.coherence.finding import Explanation, Finding, Kind, Link, Spot
from fencepost.coherence.fixes import Fixer
from fencepost.coherence.hits import Actor, Fact, Hit
from fencepost.coherence.observing import Relation
from fencepost.coherence.wording import Words

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination
    from fencepost.coherence.replay import Replay

Key = tuple[str, Actor, Actor, int]


def group_hits(hits: Iterable[Hit]) -> dict[Key, list[Hit]]:
    """Hits of the same two accesses together; they differ in their bytes only."""
    groups: dict[Key, list[Hit]] = {}
    for hit in hits:
        groups.setdefault((hit.rule, hit.later, hit.earlier, hit.cache), []).append(hit)
    return groups


class Hazards:
    """Writes the findings of one replay."""

    def __init__(self, examination: Examination, replay: Replay) -> None:
        self.examination = examination
        self.replay = replay
        self.fixer = Fixer(examination, replay)
        self.words = Words(examination.program, examination.machine, examination.ways)

    def findings(self, hits: Sequence[Hit]) -> list[Finding]:
        """One finding for each two accesses that conflict."""
        return [self._finding(group) for group in group_hits(hits).values()]

    def explanations(self, relations: Iterable[Relation]) -> list[Explanation]:
        """Why accesses are right, or not."""
        return [self._explanation(relation) for relation in relations]

    def _by(self, later: Actor, fact: Fact) -> Spot | None:
        """The command that made a fact true for the engine that performs the later access."""
        if not fact.holds or fact.point < 0:
            return None
        engine = self._engine(later)
        position = self.replay.history.witness(later.queue, engine, fact.point, fact.at)
        if position is None or position >= later.position:
            return None
        return self.words.place(later.queue, position)

    def _engine(self, later: Actor) -> str:
        engines = self.replay.queues[later.queue].clocks
        engine = self.examination.ways.all[later.way].row.engine
        return engine if engine in engines else next(iter(engines))

    def _chain(self, relation: Relation) -> tuple[Link, ...]:
        """Up to the first link that breaks."""
        links = []
        for fact in relation.facts:
            by = self._by(relation.later, fact)
            links.append(self.words.link(relation, fact, by))
            if not fact.holds:
                break
        return tuple(links)

    # -- findings

    def _finding(self, hits: list[Hit]) -> Finding:
        hit = hits[0]
        start, end = min(h.start for h in hits), max(h.end for h in hits)
        earlier = self.words.spot(hit.earlier, start, end)
        later = self.words.spot(hit.later, start, end)
        return Finding(
            rule=hit.rule,
            kind=Kind.HAZARD,
            message=self.words.message(hit, start, end),
            later=later,
            earlier=earlier,
            resource=self.words.bytes_of(hit.later, start, end),
            start=start,
            end=end,
            chain=self._chain(Relation(hit.later, hit.earlier, start, end, hit.facts)),
            missing=self.words.missing(hit),
            fix=self.fixer.fix(hits),
            properties=self._properties(hit, later, earlier),
        )

    def _properties(self, hit: Hit, later: Spot, earlier: Spot) -> tuple[tuple[str, str], ...]:
        ways = self.examination.ways
        found = [
            ("machine", self.examination.machine.name),
            ("guarantees", self.examination.guarantees),
            ("later", ways.all[hit.later.way].title),
            ("later-queue", later.queue),
            ("earlier", ways.all[hit.earlier.way].title),
            ("earlier-queue", earlier.queue),
        ]
        if hit.cache >= 0:
            found.append(("cache", ways.cache_names[hit.cache]))
        if hit.broken.bringer is not None:
            spot = self.words.bringer(hit.broken.bringer, hit.start, hit.end)
            found.append(("brought-by", str(spot.place)))
        return tuple(found)

    def _explanation(self, relation: Relation) -> Explanation:
        start, end = relation.start, relation.end
        earlier = relation.earlier
        return Explanation(
            later=self.words.spot(relation.later, start, end),
            earlier=None if earlier is None else self.words.spot(earlier, start, end),
            resource=self.words.bytes_of(relation.later, start, end),
            chain=self._chain(relation),
        )
