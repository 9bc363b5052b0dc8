"""What one command lacks: unmet facts of its accesses, gathered (model 5.3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fencepost.coherence.hits import Actor, Fact
from fencepost.coherence.observing import Relation
from fencepost.coherence.ways import Ways
from fencepost.machine.tables import Machine


@dataclass(slots=True)
class Needs:
    """`drains`: (queue, group) -> last position that must be complete. `homes`: (queue, cache) -> last position whose data must leave
    that cache. `stale`: caches that must be invalidated. `engines`: whose clocks must know it.
    """

    drains: dict[tuple[int, str], int] = field(default_factory=dict)
    homes: dict[tuple[int, str], int] = field(default_factory=dict)
    stale: set[str] = field(default_factory=set)
    engines: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.drains or self.homes or self.stale)

    def key(self) -> tuple[object, ...]:
        """Equal needs have equal keys."""
        return (
            tuple(sorted(self.drains.items())),
            tuple(sorted(self.homes.items())),
            tuple(sorted(self.stale)),
            tuple(sorted(self.engines)),
        )


def gather(relations: Iterable[Relation], ways: Ways, machine: Machine) -> Needs:
    """The needs of the later accesses of these relations."""
    needs = Needs()
    for relation in relations:
        if relation.earlier is None:
            continue
        unmet = [fact for fact in relation.facts if not fact.holds]
        for fact in unmet:
            _add(needs, fact, relation.earlier, ways, machine)
        if unmet:
            needs.engines.add(_engine(ways, relation.later))
    return needs


def _engine(ways: Ways, later: Actor) -> str:
    engine = ways.all[later.way].row.engine
    return "pfp" if engine == "pfp" else "me"


def _add(needs: Needs, fact: Fact, earlier: Actor, ways: Ways, machine: Machine) -> None:
    way = ways.all[earlier.way]
    if fact.question == "ordered":
        drain = (earlier.queue, way.group)
        needs.drains[drain] = max(needs.drains.get(drain, -1), earlier.position)
    elif fact.question == "available":
        home = (earlier.queue, way.home_name)
        needs.homes[home] = max(needs.homes.get(home, -1), earlier.position)
    else:
        needs.stale.add(machine.cache(ways.cache_names[fact.cache]).operated_as)
