"""Which prefixes are the same, and which one beats another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fencepost.coherence.clocks import reaches
from fencepost.coherence.queues import ME, PFP
from fencepost.plan.costs import DISPATCH, DRAW, CostTable
from verify.plans.commands import label
from verify.plans.prefixes import Prefix, Value, ages, contexts_key


class Front:
    """Prefixes by what they can be compared in."""

    def __init__(self, table: CostTable) -> None:
        self.table = table
        self._seen: set[object] = set()
        self._kept: dict[object, list[Standing]] = {}

    def seen(self, prefix: Prefix) -> bool:
        """Has a prefix that is the same been looked at, or one that beats it been found?"""
        standing = self._standing(prefix)
        key = (standing.group, standing.clocks, standing.ages, standing.values)
        if key in self._seen:
            return True
        self._seen.add(key)
        kept = self._kept.get(standing.group)
        return kept is not None and all(one.prefix is not prefix for one in kept)

    def survives(self, prefix: Prefix) -> bool:
        """Does none that was found beat it? Those that it beats are dropped."""
        standing = self._standing(prefix)
        kept = self._kept.setdefault(standing.group, [])
        if any(one.beats(standing) for one in kept):
            return False
        kept[:] = [one for one in kept if not standing.beats(one)]
        kept.append(standing)
        return True

    def _standing(self, prefix: Prefix) -> Standing:
        table = prefix.counts
        state, contexts = prefix.state, prefix.state.contexts
        known = [state.clocks[ME], state.clocks[PFP]]
        pending = [state.pending.get(kind, [0] * len(known[0])) for kind in PENDING]
        events = [clock for _, clocks in contexts.events.values() for clock in clocks]
        chained = [state.chains.get("eop", [0] * len(known[0]))]
        clocks = tuple([table[v] for clock in (*known, *pending, *chained, *events) for v in clock])
        values = tuple(self._value(prefix, value, table) for value in prefix.values)
        group = (
            len(prefix.works),
            prefix.known,
            contexts_key(contexts, table),
        )
        size = len(known[0])
        return Standing(
            group, clocks, tuple(ages(prefix.walk, self.table)), values, prefix.cycles, size, prefix
        )

    def _value(self, prefix: Prefix, value: Value, table: Sequence[int]) -> tuple[int, ...]:
        """What a value guarantees, and the ages of the works that it tells of."""
        signals = prefix.walk.signals.get(label(value.number).name)
        starts = signals[0].starts if signals else {}
        found = [self._age(prefix.walk.now, starts.get(kind)) for kind in (DRAW, DISPATCH)]
        operations = signals[0].operations - prefix.walk.operations if signals else 0
        return (*[table[v] for v in value.clock], *found, operations)

    def _age(self, now: int, start: int | None) -> int:
        return self.table.drain if start is None else min(now - start, self.table.drain)


PENDING = ("event", "eop", "action", "fmask")


@dataclass(slots=True)
class Standing:
    """Where a prefix stands, in numbers that are better the higher they are.

    `group`: what has to be equal to compare two. The first two times `size` clocks are ME's and
    PFP's.
    """

    group: object
    clocks: tuple[int, ...]
    ages: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]
    cycles: int
    size: int
    prefix: Prefix

    def beats(self, other: Standing) -> bool:
        """No dearer, and in nothing worse? A value that tells nothing new is worth nothing."""
        return (
            self.cycles <= other.cycles
            and reaches(self.clocks, other.clocks)
            and reaches(self.ages, other.ages)
            and all(self._has(value) for value in other.values)
        )

    def _has(self, value: tuple[int, ...]) -> bool:
        me, pfp = self.clocks[: self.size], self.clocks[self.size : 2 * self.size]
        if reaches(me, value) and reaches(pfp, value):
            return (
                True  # (map ends with the clock: what a value tells beside it gives no knowledge)
            )
        return any(reaches(mine, value) for mine in self.values)
