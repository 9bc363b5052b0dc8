"""Finds cache operations that change nothing.

Every use of the cache is already covered by an earlier one, and nothing can use the cache between
the two: not another queue, not PFP ahead of ME, not a later work before an end of pipe. What the
command does besides must have been done too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.coherence.layout import Clock
from fencepost.machine.tables import CacheRow
from fencepost.stream.command import (
    CacheOperation,
    Command,
    ContextWrite,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PipelinedEvent,
    SurfaceSync,
    Work,
    WorkKind,
)

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination
    from fencepost.coherence.steps import Issue

Stream = tuple[int, str, str, str]
"""Operations that come one after the other: queue, where they act, cache, action."""

Covered = dict[int, int]
"""By point of the clock (a queue's and group's copies in the cache): up to which position."""

QUIET = (ContextWrite, EndOfPipe, EndOfShader, PartialFlush, PipelinedEvent)
"""What tells the end of pipe nothing that the next one would not know anyway."""


def where_of(command: Command, engine: str, *, forked: bool) -> str:
    """Where operations of a command act; `forked`: down the pipe."""
    if forked:
        valued = isinstance(command, EndOfPipe) and command.label is not None
        return "pipe, with a value" if valued else "pipe"
    if isinstance(command, SurfaceSync):
        return f"top {engine} {command.start} {command.end} {command.coherency}"
    return f"top {engine}"


class Repeats:
    """Listens to the operations of a replay.

    `retiring`: the queues in which a context roll has waited for a draw that nothing else waits
    for; there a surface sync does something by rolling.
    """

    def __init__(self, examination: Examination) -> None:
        self.examination = examination
        self.retiring: set[int] = set()
        self._covered: dict[Stream, tuple[int, Covered]] = {}
        self._verdicts: dict[tuple[int, int, CacheOperation], tuple[Command, bool]] = {}
        self._elsewhere: dict[tuple[int, int, CacheOperation], list[Covered]] = {}
        self._last: dict[int, int] = {}

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
        self._last = last
        covers = self._coverage(cache, clock)
        stream = (
            issue.state.number,
            where_of(issue.command, issue.engine, forked=issue.forked),
            cache.name,
            operation.action,
        )
        since, before = self._covered.get(stream, (-1, {}))
        repeated = (
            since >= 0
            and all(last.get(point, -1) < before.get(point, 0) for point in covers)
            and self._does_no_more(issue, cache, since)
            and not self._erratum(issue)
        )
        key = (issue.state.number, issue.here, operation)
        was = self._verdicts.get(key, (issue.command, True))[1]
        self._verdicts[key] = (issue.command, was and repeated)
        if repeated:
            elsewhere = self._used_elsewhere(issue, cache, before)
            self._elsewhere.setdefault(key, []).append(elsewhere)
        self._covered[stream] = (issue.here, covers)

    def _does_no_more(self, issue: Issue, cache: CacheRow, since: int) -> bool:
        """Whether what happens at the end of pipe had all happened at the last one.

        An event holds its block's later accesses until earlier draws are over, unless strict (model
        4.5). Before an EOP later works may use TCC and TCP, and what they find is new by this one.
        """
        if not issue.forked:
            return True
        between = issue.state.queue.commands[since + 1 : issue.here]
        if not cache.in_order:
            return all(isinstance(command, QUIET) for command in between)
        return self.examination.guarantees == "strict" or not any(
            isinstance(command, Work) and command.kind is WorkKind.DRAW for command in between
        )

    def _used_elsewhere(self, issue: Issue, cache: CacheRow, before: Covered) -> Covered:
        """The points of users that may come earlier than their place in the replay.

        These are the other queues, and CP DMA kicked by PFP.
        """
        if cache.in_order:
            return {}
        layout, base = self.examination.layout, issue.state.base
        ahead = layout.inv.get((cache.name, "dma.pfp"))
        return {
            point: position
            for point, position in before.items()
            if point - base not in range(layout.stride) or point - base == ahead
        }

    def _coverage(self, cache: CacheRow, clock: Clock) -> Covered:
        """Up to which position of each queue and group it covers the uses of the cache."""
        layout = self.examination.layout
        return {
            base + point: clock[base + layout.done[group]]
            for base in range(0, len(clock), layout.stride)
            for (name, group), point in layout.inv.items()
            if name == cache.name
        }

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
            and all(
                self._last.get(point, -1) < upto
                for covered in self._elsewhere[queue, position, operation]
                for point, upto in covered.items()
            )
        ]
