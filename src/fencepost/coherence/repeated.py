"""Finds cache operations that change nothing.

Every use of the cache is already covered by an earlier one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.coherence.layout import Clock
from fencepost.machine.tables import CacheRow
from fencepost.stream.command import CacheOperation, Command, EndOfPipe, SurfaceSync

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination
    from fencepost.coherence.steps import Issue

Stream = tuple[int, str, str, str]
"""Operations that come one after the other: queue, where they act, cache, action."""


class Repeats:
    """Listens to the operations of a replay."""

    def __init__(self, examination: Examination) -> None:
        self.examination = examination
        self._covered: dict[Stream, dict[int, int]] = {}
        self._verdicts: dict[tuple[int, int, CacheOperation], tuple[Command, bool]] = {}

    def operation(
        self,
        issue: Issue,
        cache: CacheRow,
        operation: CacheOperation,
        clock: Clock,
        last: dict[int, int],
    ) -> None:
        """One operation on one cache.

        `clock`: what is known when it acts; `last`: the last use of every cache by group.
        """
        covers = self._coverage(cache, clock)
        stream = (issue.state.number, self._where(issue), cache.name, operation.action)
        before = self._covered.get(stream)
        repeated = before is not None and all(
            last.get(point, -1) < before.get(point, 0) for point in covers
        )
        key = (issue.state.number, issue.here, operation)
        was = self._verdicts.get(key, (issue.command, True))[1]
        self._verdicts[key] = (issue.command, was and repeated and not self._erratum(issue))
        self._covered[stream] = covers

    def _coverage(self, cache: CacheRow, clock: Clock) -> dict[int, int]:
        """Up to which position of each queue and group it covers the uses of the cache."""
        layout = self.examination.layout
        return {
            base + point: clock[base + layout.done[group]]
            for base in range(0, len(clock), layout.stride)
            for (name, group), point in layout.inv.items()
            if name == cache.name
        }

    @staticmethod
    def _where(issue: Issue) -> str:
        if issue.forked:
            valued = isinstance(issue.command, EndOfPipe) and issue.command.label is not None
            return "pipe, with a value" if valued else "pipe"
        where = f"top {issue.engine}"
        if isinstance(issue.command, SurfaceSync):
            where += f" {issue.command.start} {issue.command.end} {issue.command.coherency}"
        return where

    def _erratum(self, issue: Issue) -> bool:
        """GFX7 needs two EOPs in a row to flush (hardware.md 1.6): the second is no waste."""
        if not self.examination.machine.double_eop or not isinstance(issue.command, EndOfPipe):
            return False
        before = issue.state.queue.commands[max(issue.here - 1, 0)]
        return isinstance(before, EndOfPipe)

    def found(self) -> list[tuple[int, int, Command, CacheOperation]]:
        """(queue, position, command, operation) of every operation that changes nothing."""
        return [
            (queue, position, command, operation)
            for (queue, position, operation), (command, repeated) in self._verdicts.items()
            if repeated
        ]
