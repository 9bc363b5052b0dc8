"""Labels in memory: their values, who wrote them, and what is satisfied (docs/timing.md 5.3)."""

from __future__ import annotations

from fencepost.coherence.fences import satisfies
from fencepost.timing.code import Code
from fencepost.timing.record import NEVER, Record


class Labels:
    """`last` write of each label; `fresh`: labels whose value nobody has looked at yet."""

    def __init__(self, code: Code, record: Record) -> None:
        self.waits = code.waits
        self.values = list(code.values)
        self.written = record.written
        self.last = [NEVER] * len(code.values)
        self.fresh: dict[int, None] = {}

    def store(
        self, label: int, value: int, time: int, queue: int, position: int, fork: int
    ) -> None:
        """A label has a new value; `~engine` as the fork: an engine wrote it."""
        self.values[label] = value
        self.last[label] = len(self.written)
        self.written.append((label, value, time, queue, position, fork))
        self.fresh[label] = None

    def next_fresh(self) -> int:
        """A label with a new value; the next time another one."""
        label = next(iter(self.fresh))
        del self.fresh[label]
        return label

    def satisfied(self, wait: int) -> bool:
        """May that wait go on?"""
        row = self.waits[wait]
        return satisfies(self.values[row.label], row.comparison, row.reference, row.mask)

    def of(self, wait: int) -> int:
        """The label that a wait looks at."""
        return self.waits[wait].label
