"""Which caches, groups and engines what comes needs: what a plan has to look at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.plan.needs import Need
from fencepost.plan.points import Points, literals


@dataclass(frozen=True, slots=True)
class Wants:
    """What is asked for.

    `groups`: whose completion; `caches`: operations, as they name them; `pfp`: PFP asks; `heard`:
    some operation may have to become known.
    """

    groups: frozenset[str] = frozenset()
    caches: frozenset[str] = frozenset()
    pfp: bool = False
    heard: bool = False

    def __or__(self, other: Wants) -> Wants:
        return Wants(
            self.groups | other.groups,
            self.caches | other.caches,
            self.pfp or other.pfp,
            self.heard or other.heard,
        )

    def lacking(self, caches: frozenset[str], *, pfp: bool) -> Wants:
        """Only operations on these caches; PFP only if `pfp`."""
        return Wants(self.groups, self.caches & caches, self.pfp and pfp, self.heard)


class WantsFinder:
    """Reads needs."""

    def __init__(self, points: Points) -> None:
        layout, machine = points.layout, points.machine
        groups = {offset: group for group, offset in layout.done.items()}
        caches = {offset: cache for (cache, _), offset in (*layout.wb.items(), *layout.inv.items())}
        caches |= {offset: cache for (cache, _), offset in layout.clean.items()}
        for cache, spans in layout.ranged.items():
            caches |= dict.fromkeys((at for pair in spans.values() for at in pair), cache)
        operated = {row.name: row.operated_as for row in machine.caches}
        self._of: dict[int, Wants] = {}
        for point, number in points.index.items():
            offsets = {other % points.stride for other in points.closed([point])}
            self._of[number] = Wants(
                frozenset(groups[at] for at in offsets if at in groups),
                frozenset(operated[caches[at]] for at in offsets if at in caches),
            )

    def of(self, needs: Iterable[Need], *, pfp: bool) -> Wants:
        """What these needs ask for; `pfp`: PFP is an engine of its own there."""
        found = Wants()
        for need in needs:
            for number in {number for points, _ in literals(need) for number in points}:
                found |= self._of[number]
            found |= Wants(heard=bool(found.caches), pfp=pfp and need.engine in ("pfp", "kick"))
        return found
