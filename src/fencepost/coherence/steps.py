"""Carries out the steps of synchronization commands on the clocks (model 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fencepost.coherence.clocks import join
from fencepost.coherence.fences import STARTING
from fencepost.coherence.issue import own_access, sync_span
from fencepost.coherence.layout import Clock
from fencepost.coherence.queues import ME, PFP, QueueState
from fencepost.machine.primitives import (
    Acquire,
    Confirm,
    Drain,
    Drop,
    Flush,
    Follow,
    Fork,
    Handover,
    Operate,
    Order,
    Pend,
    Perform,
    Release,
    Roll,
    Stall,
    Step,
    Unflip,
)
from fencepost.machine.tables import CacheRow
from fencepost.stream.command import (
    CacheOperation,
    Command,
    EndOfPipe,
    Present,
    SurfaceSync,
    WaitFlip,
)
from fencepost.stream.resource import WHOLE_END

if TYPE_CHECKING:
    from fencepost.coherence.replay import Replay

FAR_TO_NEAR = ("cb.pixels", "cb.metadata", "db.pixels", "db.metadata", "tcc", "tcp", "k", "i")
"""The order of operations inside one command (model 4.2, 4.6)."""

EOS_GROUPS = ("eos.ps", "eos.cs")


@dataclass(slots=True)
class Issue:
    """One command being carried out.

    On which engine, with which clock, and whether it has gone down the pipe.
    """

    state: QueueState
    command: Command
    engine: str
    clock: Clock
    forked: bool = False

    @property
    def here(self) -> int:
        """The position of the command."""
        return self.state.position

    @property
    def operations(self) -> tuple[CacheOperation, ...]:
        """The cache operations that the command carries."""
        found: tuple[CacheOperation, ...] = getattr(self.command, "operations", ())
        return found


class Steps:
    """One method a primitive.

    `guarantees` is `documented`, `strict`, or `cautious`: as documented, but an event is not taken
    to hold its block's later accesses until earlier draws are over. Plans are made so (model 4.5).
    """

    def __init__(self, replay: Replay, guarantees: str) -> None:
        self.replay = replay
        self.layout = replay.layout
        self.machine = replay.machine
        self.documented = guarantees != "strict"
        self.events_order = guarantees == "documented"
        self.leaned = False
        layout, caches = self.layout, self.machine.caches
        self._bases = [n * layout.stride for n in range(len(replay.program.queues))]
        self._wb = {c.name: self._copies(c, layout.wb) for c in caches if c.dirty}
        self._inv = {c.name: self._copies(c, layout.inv) for c in caches}
        self._do: dict[type[Step], Callable[[Issue, Any], None]] = {
            Acquire: self._acquire,
            Confirm: self._confirm,
            Drain: self._drain,
            Drop: self._drop,
            Flush: self._flush,
            Follow: self._follow,
            Fork: self._fork,
            Handover: self._handover,
            Operate: self._operate,
            Order: self._order,
            Pend: self._pend,
            Perform: self._perform,
            Release: self._release,
            Roll: self._roll,
            Stall: self._stall,
            Unflip: self._unflip,
        }

    def _copies(self, cache: CacheRow, points: dict[tuple[str, str], int]) -> list[tuple[int, int]]:
        """(target, source) points.

        An operation covers what is known to be complete, in every queue.
        """
        return [
            (base + point, base + self.layout.done[group])
            for base in self._bases
            for (name, group), point in points.items()
            if name == cache.name
        ]

    def carry_out(
        self, state: QueueState, command: Command, engine: str, steps: tuple[Step, ...]
    ) -> None:
        """All steps of a command, in order. What PFP knows, ME knows when it gets there."""
        issue = Issue(state, command, engine, state.clocks[engine])
        for step in steps:
            self._do[type(step)](issue, step)
        if engine == PFP and state.clocks[ME] is not state.clocks[PFP]:
            join(state.clocks[ME], state.clocks[PFP])

    # -- completion

    def _drain(self, issue: Issue, step: Drain) -> None:
        for group in step.groups:
            self._raise(issue, group, self._seen(issue, group))

    def _seen(self, issue: Issue, group: str) -> int:
        """Up to where such work has been started when the engine gets here.

        PFP may be ahead of ME.
        """
        if issue.engine == PFP and group != "dma.pfp" and issue.state.clocks[ME] is not issue.clock:
            return issue.clock[issue.state.base + self.layout.done["me"]]
        return issue.here

    def _raise(self, issue: Issue, group: str, to: int) -> None:
        point = issue.state.base + self.layout.done[group]
        issue.clock[point] = max(issue.clock[point], to)

    def drain_dma(self, state: QueueState, engine: str, including: int = 0) -> None:
        """A synchronous CP DMA: its engine goes on when the CP DMA is idle."""
        issue = Issue(state, state.queue.commands[state.position], engine, state.clocks[engine])
        self._drain(issue, Drain(("dma", "dma.pfp")))
        self._raise(issue, "dma.pfp" if engine == PFP else "dma", state.position + including)
        if engine == PFP and state.clocks[ME] is not issue.clock:
            join(state.clocks[ME], issue.clock)

    def after_dma(self, state: QueueState, engine: str) -> Clock:
        """The clock of a CP DMA that waits for the earlier ones (RAW_WAIT)."""
        clock = list(state.clocks[engine])
        issue = Issue(state, state.queue.commands[state.position], engine, clock)
        self._drain(issue, Drain(("dma", "dma.pfp")))
        return clock

    def _confirm(self, issue: Issue, step: Confirm) -> None:
        if step.documented and not self.documented:
            return
        for kind in step.kinds:
            known = issue.state.pending.get(kind)
            if known is not None:
                self.leaned = self.leaned or step.documented
                join(issue.clock, known)

    def _fork(self, issue: Issue, _step: Fork) -> None:
        issue.clock = list(issue.clock)
        issue.forked = True

    def _pend(self, issue: Issue, step: Pend) -> None:
        if not issue.operations:
            return
        issue.state.pend(step.kind, issue.clock)
        if step.kind == "event":
            for block in sorted({cache.in_order for cache, _ in self._caches(issue.operations)}):
                issue.state.contexts.event(block, issue.here, self._block_alone(issue, block))

    def _block_alone(self, issue: Issue, block: str) -> Clock:
        """What the event guarantees once it is confirmed for that block only."""
        clock, known = list(issue.clock), issue.state.clocks[ME]
        for cache, _ in self._caches(issue.operations):
            if cache.in_order != block:
                for target, _ in (*self._wb[cache.name], *self._inv[cache.name]):
                    clock[target] = known[target]
        return clock

    # -- cache operations

    def _caches(
        self, operations: tuple[CacheOperation, ...]
    ) -> list[tuple[CacheRow, CacheOperation]]:
        """The caches that operations act on, far to near."""
        known = [operation for operation in operations if operation.cache in FAR_TO_NEAR]
        known.sort(key=lambda operation: FAR_TO_NEAR.index(operation.cache))
        return [
            (cache, operation)
            for operation in known
            for cache in self.machine.caches
            if cache.operated_as == operation.cache
        ]

    def _order(self, issue: Issue, _step: Order) -> None:
        """Copies that the block's earlier accesses left cannot be hit by its later ones."""
        for cache, operation in self._caches(issue.operations):
            if cache.in_order and operation.action != "wb":
                offset = self.layout.inv.get((cache.name, cache.in_order))
                if offset is not None:
                    issue.clock[issue.state.base + offset] = issue.here
            if cache.in_order and self.events_order:
                self.leaned = True
                issue.clock[issue.state.base + self.layout.order[cache.in_order]] = issue.here

    def _operate(self, issue: Issue, step: Operate) -> None:
        for cache, operation in self._caches(issue.operations):
            if not step.caches or operation.cache in step.caches:
                self._operate_on(issue, step, cache, operation)

    def _operate_on(
        self, issue: Issue, step: Operate, cache: CacheRow, operation: CacheOperation
    ) -> None:
        if issue.forked and cache.in_order:
            self.leaned = self.leaned or self.documented
            for group in self.machine.draw_end if self.documented else (cache.in_order,):
                self._raise(issue, group, issue.here)
        if self.replay.repeats is not None:
            last = self.replay.accesses.last
            self.replay.repeats.operation(issue, cache, operation, issue.clock, last)
        unconfirmed = cache.confirm
        if not unconfirmed and step.unconfirmed and not self._coherent(issue, cache):
            unconfirmed = step.unconfirmed
        if unconfirmed:
            later = list(issue.clock)
            self._apply(issue, cache, operation, later)
            issue.state.pend(unconfirmed, later)
        else:
            self._apply(issue, cache, operation, issue.clock)

    def _coherent(self, issue: Issue, cache: CacheRow) -> bool:
        """Does the surface sync have a coherency bit of this cache's block?"""
        bits = issue.command.coherency if isinstance(issue.command, SurfaceSync) else ()
        return any(bit.rstrip("0123456789") == cache.in_order for bit in bits)

    def _apply(
        self, issue: Issue, cache: CacheRow, operation: CacheOperation, clock: Clock
    ) -> None:
        span = self._span(issue, operation)
        if span is not None:
            points = self.layout.ranged[cache.name][span]
            known = clock[issue.state.base + self.layout.done[cache.in_order]]
            for point in points:
                at = issue.state.base + point
                clock[at] = max(clock[at], known)
            return
        if cache.dirty and operation.action != "inv":
            self._copy(clock, self._wb[cache.name])
        if operation.action != "wb":
            self._invalidate(clock, cache.name)

    def _invalidate(self, clock: Clock, cache: str) -> None:
        """Copies of complete accesses are gone.

        Whatever is there from now on is as new as what is known to lie beyond.
        """
        self._copy(clock, self._inv[cache])
        for point, sources in self.layout.cleaning.get(cache, ()):
            for base in self._bases:
                known = min(clock[base + source] for source in sources)
                clock[base + point] = max(clock[base + point], known)

    def _span(self, issue: Issue, operation: CacheOperation) -> tuple[int, int] | None:
        """The range that the operation is limited to; None if it is the whole cache."""
        if not isinstance(issue.command, SurfaceSync):
            return None
        row = self.machine.operation(operation.cache, operation.action)
        span = sync_span(self.machine, issue.command)
        if row is None or not row.ranged or (span[0] == 0 and span[1] >= WHOLE_END):
            return None
        return span

    @staticmethod
    def _copy(clock: Clock, pairs: list[tuple[int, int]]) -> None:
        for target, source in pairs:
            clock[target] = max(clock[target], clock[source])

    def _drop(self, issue: Issue, step: Drop) -> None:
        for name in step.caches:
            self._invalidate(issue.clock, name)

    def _flush(self, issue: Issue, step: Flush) -> None:
        for name in step.caches:
            if name in self._wb:
                self._copy(issue.clock, self._wb[name])
            self._invalidate(issue.clock, name)

    # -- surface sync and contexts

    def _stall(self, issue: Issue, _step: Stall) -> None:
        command = issue.command
        if not isinstance(command, SurfaceSync) or not command.coherency:
            return
        start, end = sync_span(self.machine, command)
        before = self._seen(issue, "cb")
        contexts = issue.state.contexts
        if start == 0 and end >= WHOLE_END:
            last, after = contexts.every(before)
        else:
            last, after = contexts.stalled(command.coherency, start, end, before)
        if last < 0:
            return
        self._contexts_done(issue, last)
        if self.machine.so_coherency and any(bit.startswith("base") for bit in command.coherency):
            self._raise(issue, "so", last + 1)
        for block in sorted({bit.rstrip("0123456789") for bit in command.coherency} - {"base"}):
            known = contexts.confirmed(block, after)
            if known is not None:
                join(issue.clock, known)

    def _contexts_done(self, issue: Issue, last: int) -> None:
        for group in self.machine.draw_end:
            self._raise(issue, group, last + 1)

    def _roll(self, issue: Issue, _step: Roll) -> None:
        self.roll(issue.state)

    def roll(self, state: QueueState) -> None:
        """Roll the context; the eighth roll waits for the draw that used the new one before."""
        retired = state.contexts.roll(state.position)
        if retired >= 0:
            issue = Issue(state, state.queue.commands[state.position], ME, state.clocks[ME])
            if self.replay.repeats is not None and not self._are_done(issue, retired):
                self.replay.repeats.retiring.add(state.number)
            self._contexts_done(issue, retired)

    def _are_done(self, issue: Issue, last: int) -> bool:
        """Does the engine know already that the draws up to this one are over?"""
        points = (issue.state.base + self.layout.done[group] for group in self.machine.draw_end)
        return all(issue.clock[point] > last for point in points)

    # -- fences

    def _follow(self, issue: Issue, step: Follow) -> None:
        """Values of one kind are written in order.

        A command without a value is not part of the chain.
        """
        command = issue.command
        chain = issue.state.chains.get(step.chain)
        writes = isinstance(command, EndOfPipe) and (command.label or command.timestamp)
        if chain is not None and writes:
            join(issue.clock, chain)
        if writes:
            issue.state.chains[step.chain] = issue.clock

    def _release(self, issue: Issue, step: Release) -> None:
        if step.group and getattr(issue.command, "label", None) is None:
            if isinstance(issue.command, EndOfPipe) and issue.command.timestamp is not None:
                self._raise(issue, step.group, issue.here + 1)
            return
        write = self.replay.fences.writes.get((issue.state.number, issue.here))
        if write is None:
            return
        clock = issue.clock if issue.forked else list(issue.clock)
        clock[write.point] = max(clock[write.point], issue.here + 1)
        write.clock = clock

    def _acquire(self, issue: Issue, _step: Acquire) -> None:
        """Every source guarantees at least what the wait may take for granted (model 6.1)."""
        wait = self.replay.fences.waits.get((issue.state.number, issue.here))
        if wait is None:
            return
        wait.before = list(issue.clock)
        clocks = [self._guarantee(source) for source in wait.sources]
        if not clocks or any(clock is None for clock in clocks):
            return
        least = [min(values) for values in zip(*[c for c in clocks if c is not None], strict=True)]
        join(issue.clock, least)

    def _guarantee(self, source: tuple[int, int]) -> Clock | None:
        if source == (STARTING, STARTING):
            return None
        return self.replay.fences.writes[source].clock if self._replayed(source) else None

    def _replayed(self, source: tuple[int, int]) -> bool:
        return source[1] < self.replay.queues[source[0]].position

    def _handover(self, issue: Issue, _step: Handover) -> None:
        pfp = issue.state.clocks[PFP]
        join(pfp, issue.state.clocks[ME])

    # -- a command's own access

    def _perform(self, issue: Issue, _step: Perform) -> None:
        access = own_access(issue.command)
        if access is None:
            return
        if isinstance(issue.command, Present):
            issue.state.presents[access.resource.name] = (issue.here, issue.clock)
        self.replay.perform(issue.state, access, issue.clock)

    def _unflip(self, issue: Issue, _step: Unflip) -> None:
        if isinstance(issue.command, WaitFlip):
            present = issue.state.presents.get(issue.command.buffer.name)
            if present is not None:
                position, clock = present
                join(issue.clock, clock)
                self._raise(issue, "flip", position + 1)
