"""What works lack at least, between which positions, and what that costs at least."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.plan.costs import CostTable


class Lacks:
    """What works lack, each between two positions: the least that gives it all."""

    def __init__(self, table: CostTable) -> None:
        self.table = table
        self.operations: dict[str, list[tuple[int, int]]] = {}
        self.waits: list[tuple[int, int, int]] = []

    def operation(self, cache: str, since: int, until: int) -> None:
        """An operation on that cache has to stand behind `since` and before `until`."""
        self.operations.setdefault(cache, []).append((until, since))

    def wait(self, since: int, until: int, age: int) -> None:
        """Work of that age, once `until` comes, has to be over by then."""
        self.waits.append((until, since, max(0, self.table.drain - age)))

    def cycles(self) -> int:
        """As late as possible, one serves as many as it can: operations, packets, waits."""
        total = packets = 0
        for cache, lacks in self.operations.items():
            times = served(lacks)
            total += times * self.table.cycles(f"operation {cache}")
            packets = max(packets, times * packet_of(cache, self.table))
        waits = served([(until, since) for until, since, _ in self.waits])
        return total + packets + waits * self.table.cycles("coherency") + self.stalls()

    def stalls(self) -> int:
        """How long the pipeline runs empty at least; part of `cycles`."""
        stood: list[tuple[int, int]] = []
        for until, since, time in sorted(self.waits):
            missing = time - sum(cycles for at, cycles in stood if at > since)
            if missing > 0:
                stood.append((until, missing))
        return sum(cycles for _, cycles in stood)


def packet_of(cache: str, table: CostTable) -> int:
    """The lightest command that carries such an operation."""
    if cache[:2] in ("cb", "db"):
        return table.cycles("PipelinedEvent")
    return min(table.cycles("EndOfPipe"), table.cycles("SurfaceSync"))


def served(lacks: Iterable[tuple[int, int]]) -> int:
    """How many commands it takes to have one in each (until, since)."""
    times, placed = 0, -1
    for until, since in sorted(lacks):
        if placed <= since:
            times, placed = times + 1, until
    return times
