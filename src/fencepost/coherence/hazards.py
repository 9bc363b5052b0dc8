"""Hits of the replay as findings, each with its chain: as far as it holds and where it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fencepost.coherence.finding import Explanation, Finding, Kind, Link, Spot
from fencepost.coherence.hits import Actor, Hit
from fencepost.coherence.observing import Fact, FactFinder, Relation, Wish, Witnesses
from fencepost.coherence.queues import ME
from fencepost.coherence.wording import Words

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination

Key = tuple[str, Actor, Actor, int]


def group_hits(hits: Iterable[Hit]) -> dict[Key, list[Hit]]:
    """Hits of the same two accesses together; they differ in their bytes only."""
    groups: dict[Key, list[Hit]] = {}
    for hit in hits:
        groups.setdefault((hit.rule, hit.later, hit.earlier, hit.cache), []).append(hit)
    return groups


class Hazards:
    """Writes the findings of one examination."""

    def __init__(self, examination: Examination) -> None:
        self.examination = examination
        self.words = Words(examination.program, examination.machine, examination.ways)

    def findings(self, hits: Sequence[Hit]) -> list[Finding]:
        """One finding for each two accesses that conflict, in the order of the stream."""
        groups = group_hits(hits)
        wanted = {(hit.later.queue, hit.later.position) for hit in hits}
        relations = self._relations(wanted)
        by = self._witnesses(relations)
        index: dict[tuple[Actor, Actor | None], Relation] = {}
        for relation in relations:
            index.setdefault((relation.later, relation.earlier), relation)
        return [
            self._finding(group, index.get((key[1], key[2])), by) for key, group in groups.items()
        ]

    def explanations(self, wanted: set[tuple[int, int]]) -> list[Explanation]:
        """Why the accesses of these commands are right, or not."""
        relations = self._relations(wanted)
        by = self._witnesses(relations)
        return [self._explanation(relation, by) for relation in relations]

    # -- facts and who established them

    def _relations(self, wanted: set[tuple[int, int]]) -> list[Relation]:
        if not wanted:
            return []
        finder = FactFinder(wanted)
        self.examination.replay(observer=finder.observe)
        return finder.relations

    def _wish(self, relation: Relation, fact: Fact) -> Wish:
        queue = relation.later.queue
        engines = self.examination.engines(queue)
        engine = relation.engine if relation.engine in engines else engines[0]
        return queue, engine, fact.point, fact.at

    def _witnesses(self, relations: list[Relation]) -> dict[Wish, int]:
        wishes = {
            self._wish(relation, fact)
            for relation in relations
            for fact in relation.facts
            if fact.holds and fact.point >= 0
        }
        if not wishes:
            return {}
        witnesses = Witnesses(wishes)
        self.examination.replay(watch=witnesses.watch)
        return witnesses.found

    def _by(self, relation: Relation, fact: Fact, by: dict[Wish, int]) -> Spot | None:
        if not fact.holds or fact.point < 0:
            return None
        position = by.get(self._wish(relation, fact))
        if position is None or position >= relation.later.position:
            return None
        return self.words.place(relation.later.queue, position)

    def _chain(self, relation: Relation, by: dict[Wish, int]) -> tuple[Link, ...]:
        """Up to the first link that breaks."""
        links = []
        for fact in relation.facts:
            links.append(self.words.link(relation, fact, self._by(relation, fact, by)))
            if not fact.holds:
                break
        return tuple(links)

    # -- findings

    def _finding(self, hits: list[Hit], relation: Relation | None, by: dict[Wish, int]) -> Finding:
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
            chain=self._chain(relation, by) if relation is not None else (),
            missing=self.words.missing(hit, start, end),
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
        if hit.bringer is not None:
            spot = self.words.bringer(hit.bringer, hit.start, hit.end)
            found.append(("brought-by", str(spot.place)))
        return tuple(found)

    def _explanation(self, relation: Relation, by: dict[Wish, int]) -> Explanation:
        start, end = relation.start, relation.end
        earlier = relation.earlier
        return Explanation(
            later=self.words.spot(relation.later, start, end),
            earlier=None if earlier is None else self.words.spot(earlier, start, end),
            resource=self.words.bytes_of(relation.later, start, end),
            chain=self._chain(relation, by),
        )


def default_engine(engines: Sequence[str]) -> str:
    """The engine that executes most commands of a queue."""
    return ME if ME in engines else engines[0]
