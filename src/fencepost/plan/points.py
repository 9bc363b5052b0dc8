"""The points of a clock that a plan has to keep.

Those that some command needs, and their sources.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.coherence.layout import Layout
from fencepost.machine.tables import Machine
from fencepost.plan.needs import Literal, Need


class Points:
    """Numbers the points that matter (`index`: absolute point -> number); all others are dropped.

    `names`: (queue, offset) by number.
    """

    def __init__(
        self, layout: Layout, machine: Machine, queues: int, needs: Iterable[Need]
    ) -> None:
        self.layout, self.machine = layout, machine
        self.stride = layout.stride
        self._sources = _sources(layout, machine)
        wanted = {queue * self.stride + layout.done["me"] for queue in range(queues)}
        wanted |= {point for need in needs for points, _ in literals(need) for point in points}
        self.index = {point: number for number, point in enumerate(sorted(self.closed(wanted)))}

    def __len__(self) -> int:
        return len(self.index)

    def closed(self, points: Iterable[int]) -> set[int]:
        """These points, those that their cache operations copy from, and so on."""
        wanted, found = set(points), set[int]()
        while wanted:
            point = wanted.pop()
            found.add(point)
            base, offset = point - point % self.stride, point % self.stride
            wanted |= {base + source for source in self._sources.get(offset, ())} - found
        return found

    def number(self, queue: int, offset: int) -> int | None:
        """The number of a queue's point, if it matters."""
        return self.index.get(queue * self.stride + offset)

    def need(self, need: Need) -> Need:
        """The need in these numbers."""
        clauses = tuple(
            tuple(tuple(self._literal(one) for one in choice) for choice in clause)
            for clause in need.clauses
        )
        return Need(need.engine, tuple(self._literal(one) for one in need.musts), clauses)

    def _literal(self, literal: Literal) -> Literal:
        return tuple(self.index[point] for point in literal[0]), literal[1]


def literals(need: Need) -> Iterable[Literal]:
    """Everything that a need speaks of."""
    yield from need.musts
    for clause in need.clauses:
        for choice in clause:
            yield from choice


def _sources(layout: Layout, machine: Machine) -> dict[int, tuple[int, ...]]:
    """For each offset those that its cache operation copies from."""
    found: dict[int, tuple[int, ...]] = {}
    for points in (layout.wb, layout.inv):
        found |= {offset: (layout.done[group],) for (_, group), offset in points.items()}
    for cleaning in layout.cleaning.values():
        found |= dict(cleaning)
    for cache, spans in layout.ranged.items():
        block = machine.cache(cache).in_order
        for pair in spans.values():
            found |= dict.fromkeys(pair, (layout.done[block],))
    return found
