"""What commands do to what the engines know: the steps of `coherence.steps`, on `state.View`.

The same steps of the machine's command rows, on the points that matter alone and without accesses:
a plan looks at thousands of futures. That both say the same is a test; what a plan ends with is
checked by the replay itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.coherence.clocks import join, joined
from fencepost.coherence.issue import engine_of, operand_of, steps_of, sync_span
from fencepost.coherence.queues import ME, OWN_GROUP, PFP
from fencepost.coherence.steps import FAR_TO_NEAR
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
from fencepost.machine.tables import CacheRow, Machine
from fencepost.plan.points import Points
from fencepost.plan.state import BLOCKS, KINDS, Clock, Events, View
from fencepost.plan.tracks import Track
from fencepost.stream.command import (
    CacheOperation,
    Command,
    EndOfPipe,
    Present,
    SurfaceSync,
    WaitFlip,
    Work,
    WorkKind,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END

Operations = tuple[tuple[CacheRow, CacheOperation], ...]


class Issue:
    """One command being carried out, on a view that is written anew."""

    __slots__ = (
        "chain",
        "clock",
        "command",
        "end",
        "engine",
        "events",
        "flips",
        "forked",
        "here",
        "me",
        "operations",
        "own",
        "pending",
        "pfp",
        "queue",
        "signal",
        "starts",
        "value",
    )

    def __init__(self, queue: int, view: View, command: Command, engine: str, here: int) -> None:
        self.queue, self.command, self.engine, self.here = queue, command, engine, here
        self.me, self.pfp = list(view.me), list(view.pfp)
        self.clock = self.pfp if engine == PFP and view.pfp else self.me
        self.pending, self.chain, self.starts = list(view.pending), view.chain, view.starts
        self.events, self.flips = view.events, view.flips
        self.forked = self.own = False
        self.operations: Operations = ()
        self.signal: Clock = ()
        self.value: Clock = ()
        self.end: Clock = ()

    def view(self) -> View:
        """What holds behind the command. What PFP knows, ME knows when it gets there."""
        if self.clock is self.pfp:
            join(self.me, self.pfp)
        return View(
            tuple(self.me),
            tuple(self.pfp),
            tuple(self.pending),
            self.chain,
            self.starts,
            self.events,
            self.flips,
        )

    def pend(self, kind: str, clock: Sequence[int]) -> None:
        """Something of that kind will be finished later."""
        number = KINDS.index(kind)
        self.pending[number] = joined(self.pending[number], clock)


@dataclass(slots=True, eq=False)
class Done:
    """A command carried out.

    The view behind it, what its value guarantees, what holds down the pipe where it makes an
    access of its own (both empty: it has none).
    """

    view: View
    value: Clock
    end: Clock


class Effects:
    """Carries out commands."""

    def __init__(
        self, machine: Machine, documented: bool, points: Points, tracks: Sequence[Track]
    ) -> None:
        self.machine, self.documented, self.points = machine, documented, points
        self.tracks = tracks
        self.layout = points.layout
        queues = range(len(tracks))
        self._done = [self._own(queue, self.layout.done) for queue in queues]
        self._order = [self._own(queue, self.layout.order) for queue in queues]
        self._wb = {c.name: self._copies(c, self.layout.wb) for c in machine.caches if c.dirty}
        self._inv = {c.name: self._copies(c, self.layout.inv) for c in machine.caches}
        self._clean = {c.name: self._cleaning(c) for c in machine.caches}
        self._steps: dict[tuple[type[Command], str], tuple[Step, ...]] = {}
        self._known: dict[tuple[CacheOperation, ...], Operations] = {}
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
            Order: self._order_behind,
            Pend: self._pend,
            Perform: self._perform,
            Release: self._release,
            Roll: self._roll,
            Stall: self._stall,
            Unflip: self._unflip,
        }

    def _own(self, queue: int, offsets: dict[str, int]) -> dict[str, int]:
        """The points of a queue that matter, by name."""
        numbers = {name: self.points.number(queue, at) for name, at in offsets.items()}
        return {name: number for name, number in numbers.items() if number is not None}

    def _copies(
        self, cache: CacheRow, offsets: dict[tuple[str, str], int]
    ) -> list[tuple[int, int]]:
        """(target, source) points of a write-back or an invalidation of that cache."""
        return [
            (target, self._done[queue][group])
            for queue in range(len(self.tracks))
            for (name, group), offset in offsets.items()
            if name == cache.name and (target := self.points.number(queue, offset)) is not None
        ]

    def _cleaning(self, cache: CacheRow) -> list[tuple[int, tuple[int, ...]]]:
        stride, index = self.points.stride, self.points.index
        return [
            (target, tuple(index[queue * stride + source] for source in sources))
            for offset, sources in self.layout.cleaning.get(cache.name, ())
            for queue in range(len(self.tracks))
            if (target := self.points.number(queue, offset)) is not None
        ]

    # -- commands

    def first(self, queue: int) -> View:
        """A queue before its first command."""
        clock = (0,) * len(self.points)
        graphics = self.tracks[queue].queue.kind is QueueKind.GRAPHICS
        return View(clock, clock if graphics else ())

    def arrive(self, queue: int, view: View, here: int) -> View:
        """The engines have come this far: everything earlier has been read and handled."""
        done, kind = self._done[queue], self.tracks[queue].queue.kind
        own = [ME, PFP] if kind in (QueueKind.GRAPHICS, QueueKind.COMPUTE) else [str(kind)]
        me, pfp = list(view.me), list(view.pfp)
        for engine in own:
            number = done.get(OWN_GROUP[engine])
            if number is not None:
                me[number] = here
                if pfp and engine == PFP:
                    pfp[number] = here
        return View(
            tuple(me), tuple(pfp), view.pending, view.chain, view.starts, view.events, view.flips
        )

    def carry_out(
        self,
        queue: int,
        view: View,
        command: Command,
        here: int,
        signal: Clock = (),
        *,
        own: bool = False,
    ) -> Done:
        """All steps of a synchronization command. `signal`: what a wait may take for granted.

        `own`: it is the program's own; only then may an event stand in for a barrier (deviation
        27).
        """
        kind = self.tracks[queue].queue.kind
        issue = Issue(queue, view, command, engine_of(command, kind), here)
        issue.signal, issue.own = signal, own
        issue.operations = self._caches(getattr(command, "operations", ()))
        for step in self._steps_of(command, kind):
            self._do[type(step)](issue, step)
        return Done(issue.view(), issue.value, issue.end)

    def enter(self, queue: int, view: View, work: Work, here: int) -> View:
        """A draw whose targets are new gets a context of its own before it starts."""
        if work.kind is not WorkKind.DRAW or here not in self.tracks[queue].rolls:
            return view
        issue = Issue(queue, view, work, ME, here)
        self._roll(issue, Roll())
        return issue.view()

    def leave(self, queue: int, view: View, work: Work, here: int) -> View:
        """A synchronous CP DMA holds the engine that kicked it."""
        if not work.synchronous:
            return view
        issue = Issue(queue, view, work, work.engine, here)
        self._drain(issue, Drain(("dma", "dma.pfp")))
        self._raise(issue, "dma.pfp" if work.engine == PFP else "dma", here + 1)
        return issue.view()

    def after_dma(self, queue: int, view: View, work: Work, here: int) -> Clock:
        """What a CP DMA that waits for the earlier ones (RAW_WAIT) may take for granted."""
        issue = Issue(queue, view, work, work.engine, here)
        self._drain(issue, Drain(("dma", "dma.pfp")))
        return tuple(issue.clock)

    def _steps_of(self, command: Command, kind: QueueKind) -> tuple[Step, ...]:
        key = (type(command), operand_of(command, kind))
        steps = self._steps.get(key)
        if steps is None:
            steps = self._steps[key] = steps_of(command, kind, self.machine)
        return steps

    # -- completion

    def _drain(self, issue: Issue, step: Drain) -> None:
        done, clock = self._done[issue.queue], issue.clock
        behind = issue.here
        if clock is issue.pfp:
            behind = clock[done["me"]]
        for group in step.groups:
            number = done.get(group)
            if number is not None:
                to = issue.here if group == "dma.pfp" else behind
                clock[number] = max(clock[number], to)

    def _raise(self, issue: Issue, group: str, to: int) -> None:
        number = self._done[issue.queue].get(group)
        if number is not None and issue.clock[number] < to:
            issue.clock[number] = to

    def _confirm(self, issue: Issue, step: Confirm) -> None:
        if step.documented and not self.documented:
            return
        for kind in step.kinds:
            join(issue.clock, issue.pending[KINDS.index(kind)])

    def _fork(self, issue: Issue, _step: Fork) -> None:
        issue.clock = list(issue.clock)
        issue.forked = True

    def _pend(self, issue: Issue, step: Pend) -> None:
        if not issue.operations:
            return
        issue.pend(step.kind, issue.clock)
        if step.kind == "event":
            for block in sorted({cache.in_order for cache, _ in issue.operations}):
                self._note_event(issue, BLOCKS.index(block), self._block_alone(issue, block))

    def _note_event(self, issue: Issue, number: int, clock: list[int]) -> None:
        events: Events = issue.events[number]
        if events:
            join(clock, events[-1][1])
        noted = (*events, (len(issue.starts), tuple(clock)))
        issue.events = tuple(
            noted if at == number else other for at, other in enumerate(issue.events)
        )

    def _block_alone(self, issue: Issue, block: str) -> list[int]:
        """What the event guarantees once it is confirmed for that block only."""
        clock = list(issue.clock)
        for cache, _ in issue.operations:
            if cache.in_order != block:
                for target, _ in (*self._wb[cache.name], *self._inv[cache.name]):
                    clock[target] = issue.me[target]
        return clock

    # -- cache operations

    def _caches(self, operations: tuple[CacheOperation, ...]) -> Operations:
        """The caches that operations act on, far to near."""
        found = self._known.get(operations)
        if found is None:
            known = [operation for operation in operations if operation.cache in FAR_TO_NEAR]
            known.sort(key=lambda operation: FAR_TO_NEAR.index(operation.cache))
            found = self._known[operations] = tuple(
                (cache, operation)
                for operation in known
                for cache in self.machine.caches
                if cache.operated_as == operation.cache
            )
        return found

    def _order_behind(self, issue: Issue, _step: Order) -> None:
        for cache, operation in issue.operations:
            if not cache.in_order:
                continue
            if operation.action != "wb":
                offset = self.layout.inv.get((cache.name, cache.in_order), -1)
                number = self.points.number(issue.queue, offset) if offset >= 0 else None
                if number is not None:
                    issue.clock[number] = issue.here
            behind = self._order[issue.queue].get(cache.in_order)
            if behind is not None and issue.own and self.documented:
                issue.clock[behind] = issue.here

    def _operate(self, issue: Issue, step: Operate) -> None:
        for cache, operation in issue.operations:
            if not step.caches or operation.cache in step.caches:
                self._operate_on(issue, step, cache, operation)

    def _operate_on(
        self, issue: Issue, step: Operate, cache: CacheRow, operation: CacheOperation
    ) -> None:
        if issue.forked and cache.in_order:
            for group in self.machine.draw_end if self.documented else (cache.in_order,):
                self._raise(issue, group, issue.here)
        unconfirmed = cache.confirm
        if not unconfirmed and step.unconfirmed and not self._coherent(issue, cache):
            unconfirmed = step.unconfirmed
        if unconfirmed:
            later = list(issue.clock)
            self._apply(issue, cache, operation, later)
            issue.pend(unconfirmed, later)
        else:
            self._apply(issue, cache, operation, issue.clock)

    @staticmethod
    def _coherent(issue: Issue, cache: CacheRow) -> bool:
        bits = issue.command.coherency if isinstance(issue.command, SurfaceSync) else ()
        return any(bit.rstrip("0123456789") == cache.in_order for bit in bits)

    def _apply(
        self, issue: Issue, cache: CacheRow, operation: CacheOperation, clock: list[int]
    ) -> None:
        span = self._span(issue, operation)
        if span is not None:
            self._apply_range(issue, cache, span, clock)
            return
        if cache.dirty and operation.action != "inv":
            _copy(clock, self._wb[cache.name])
        if operation.action != "wb":
            self._invalidate(clock, cache.name)

    def _apply_range(
        self, issue: Issue, cache: CacheRow, span: tuple[int, int], clock: list[int]
    ) -> None:
        for offset in self.layout.ranged.get(cache.name, {}).get(span, ()):
            number = self.points.number(issue.queue, offset)
            if number is not None:
                known = clock[self._done[issue.queue][cache.in_order]]
                clock[number] = max(clock[number], known)

    def _span(self, issue: Issue, operation: CacheOperation) -> tuple[int, int] | None:
        """The range that the operation is limited to; None if it is the whole cache."""
        if not isinstance(issue.command, SurfaceSync):
            return None
        row = self.machine.operation(operation.cache, operation.action)
        span = sync_span(self.machine, issue.command)
        if row is None or not row.ranged or (span[0] == 0 and span[1] >= WHOLE_END):
            return None
        return span

    def _invalidate(self, clock: list[int], cache: str) -> None:
        _copy(clock, self._inv[cache])
        for target, sources in self._clean[cache]:
            known = min([clock[source] for source in sources])
            clock[target] = max(clock[target], known)

    def _drop(self, issue: Issue, step: Drop) -> None:
        for name in step.caches:
            self._invalidate(issue.clock, name)

    def _flush(self, issue: Issue, step: Flush) -> None:
        for name in step.caches:
            _copy(issue.clock, self._wb.get(name, []))
            self._invalidate(issue.clock, name)

    # -- surface sync and contexts

    def _stall(self, issue: Issue, _step: Stall) -> None:
        command, track = issue.command, self.tracks[issue.queue]
        if not isinstance(command, SurfaceSync) or not command.coherency:
            return
        start, end = sync_span(self.machine, command)
        before = issue.here
        if issue.clock is issue.pfp:
            before = issue.clock[self._done[issue.queue]["me"]]
        if start == 0 and end >= WHOLE_END:
            draw = track.draw_below(before)
        else:
            draw = track.stalled(command.coherency, start, end, before)
        if draw >= 0:
            last, context = track.whole_context(issue.starts, draw, before)
            self._stalled(issue, command, last, context)

    def _stalled(self, issue: Issue, command: SurfaceSync, last: int, context: int) -> None:
        self._contexts_done(issue, last)
        bits = command.coherency
        if self.machine.so_coherency and any(bit.startswith("base") for bit in bits):
            self._raise(issue, "so", last + 1)
        for number, block in enumerate(BLOCKS):
            if any(bit.rstrip("0123456789") == block for bit in bits):
                known = [clock for at, clock in issue.events[number] if at <= context]
                join(issue.clock, known[-1] if known else ())

    def _contexts_done(self, issue: Issue, last: int) -> None:
        for group in self.machine.draw_end:
            self._raise(issue, group, last + 1)

    def _roll(self, issue: Issue, _step: Roll) -> None:
        track = self.tracks[issue.queue]
        if track.draw_below(issue.here) < issue.starts[-1]:
            return
        issue.starts = (*issue.starts, issue.here)
        kept = len(issue.starts) - self.machine.contexts
        retired = track.draw_below(issue.starts[kept]) if kept > 0 else -1
        if retired >= 0:
            for group in self.machine.draw_end:
                number = self._done[issue.queue].get(group)
                if number is not None:
                    issue.me[number] = max(issue.me[number], retired + 1)

    # -- fences

    def _follow(self, issue: Issue, _step: Follow) -> None:
        command = issue.command
        if isinstance(command, EndOfPipe) and (command.label or command.timestamp):
            join(issue.clock, issue.chain)
            issue.chain = tuple(issue.clock)

    def _release(self, issue: Issue, step: Release) -> None:
        stamp = isinstance(issue.command, EndOfPipe) and issue.command.timestamp is not None
        if stamp:
            self._raise(issue, step.group, issue.here + 1)
        issue.value = tuple(issue.clock)

    def _acquire(self, issue: Issue, _step: Acquire) -> None:
        join(issue.clock, issue.signal)

    @staticmethod
    def _handover(issue: Issue, _step: Handover) -> None:
        join(issue.pfp, issue.me)

    # -- a command's own access

    def _perform(self, issue: Issue, _step: Perform) -> None:
        issue.end = tuple(issue.clock)
        if isinstance(issue.command, Present):
            name = issue.command.access.resource.name
            kept = [flip for flip in issue.flips if flip[0] != name]
            issue.flips = (*kept, (name, issue.here, issue.end))

    def _unflip(self, issue: Issue, _step: Unflip) -> None:
        if not isinstance(issue.command, WaitFlip):
            return
        for name, position, clock in issue.flips:
            if name == issue.command.buffer.name:
                join(issue.clock, clock)
                self._raise(issue, "flip", position + 1)


def _copy(clock: list[int], pairs: list[tuple[int, int]]) -> None:
    for target, source in pairs:
        clock[target] = max(clock[target], clock[source])
