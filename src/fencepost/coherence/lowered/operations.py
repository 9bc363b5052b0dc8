"""The steps of a synchronization command as operations on clocks (model 4).

Where `coherence.steps` carries steps out, this writes down what carrying them out does to the
points of a clock, once for each shape of a command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.coherence.issue import engine_of, own_access, steps_of, sync_span
from fencepost.coherence.layout import Layout
from fencepost.coherence.lowered.codes import (
    ACCESS,
    ACQUIRE,
    CONFIRM,
    COPY,
    EVENT,
    FORK,
    HERE,
    JOIN,
    JUDGE,
    KEEP,
    LEAN,
    LEAST,
    LOAD,
    NEXT,
    ON,
    PEND,
    PRESENT,
    RAISE,
    RELEASE,
    RESTORE,
    RETIRE,
    SET,
    STALL,
    STORE,
    UNFLIP,
    USE,
)
from fencepost.coherence.queues import ME, PFP
from fencepost.coherence.repeated import where_of
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
from fencepost.stream.command import (
    CacheOperation,
    Command,
    EndOfPipe,
    Present,
    SurfaceSync,
    WaitFlip,
    Work,
)
from fencepost.stream.program import Queue, QueueKind
from fencepost.stream.resource import WHOLE_END


class Slots:
    """Clocks, numbered as they are asked for: of engines, of what is pending, of presents."""

    def __init__(self, queues: tuple[Queue, ...]) -> None:
        self._numbers: dict[tuple[object, ...], int] = {}
        self.forked = self("forked")
        self.aside = self("aside")
        self.engines: list[dict[str, int]] = []
        for number, queue in enumerate(queues):
            first = self(number, "first")
            self.engines.append(
                {
                    QueueKind.GRAPHICS: {ME: first, PFP: self(number, PFP)}
                    if queue.kind is QueueKind.GRAPHICS
                    else {},
                    QueueKind.COMPUTE: {ME: first, PFP: first},
                    QueueKind.CPU: {"cpu": first},
                    QueueKind.COPY: {"copy": first},
                }[queue.kind]
            )

    def __call__(self, *name: object) -> int:
        """The slot of that name."""
        return self._numbers.setdefault(name, len(self._numbers))

    def __len__(self) -> int:
        return len(self._numbers)

    def engine(self, queue: int, name: str) -> int:
        """The clock of an engine; of an engine that the queue has not, its first clock."""
        clocks = self.engines[queue]
        return clocks.get(name, next(iter(clocks.values())))


class Operations:
    """All operations of all shapes, three integers each; `guarantees` as in `Steps`.

    `streams`: as `repeated.Stream`; `stream_caches`: their caches' numbers.
    """

    def __init__(
        self, machine: Machine, layout: Layout, queues: tuple[Queue, ...], guarantees: str
    ) -> None:
        self.machine = machine
        self.layout = layout
        self.queues = queues
        self.documented = guarantees != "strict"
        self.events_order = guarantees == "documented"
        self.slots = Slots(queues)
        self.codes: list[int] = []
        self.streams: dict[tuple[int, str, str, str], int] = {}
        self.stream_caches: list[int] = []
        self.blocks = sorted({cache.in_order for cache in machine.caches} - {""})
        self.stalls: list[tuple[frozenset[str], tuple[int, int], tuple[str, ...]]] = []
        self.names = [cache.name for cache in machine.caches]

    def put(self, code: int, a: int = 0, b: int = 0) -> None:
        """Append an operation."""
        self.codes += (code, a, b)

    def __len__(self) -> int:
        return len(self.codes) // 3

    def pairs(self, cache: str, points: dict[tuple[str, str], int]) -> list[tuple[int, int]]:
        """(target, source) points of an operation on a whole cache, in every queue."""
        return [
            (base + point, base + self.layout.done[group])
            for base in range(0, len(self.queues) * self.layout.stride, self.layout.stride)
            for (name, group), point in points.items()
            if name == cache
        ]


class LowerCommand:
    """One method a primitive, for one shape of a command on one queue."""

    def __init__(self, out: Operations, queue: int, command: Command) -> None:
        self.out = out
        self.layout = out.layout
        self.machine = out.machine
        self.queue = queue
        self.kind = out.queues[queue].kind
        self.base = queue * out.layout.stride
        self.command = command
        self.engine = ""
        self.forked = False
        self.kept: list[tuple[int, int]] = []
        self.operations: tuple[CacheOperation, ...] = getattr(command, "operations", ())
        self._do: dict[type[Step], Callable[[Any], None]] = {
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

    # -- whole commands

    def synchronization(self) -> None:
        """All steps, in order. What PFP knows, ME knows when it gets there."""
        out = self.out
        self._start(engine_of(self.command, self.kind))
        for step in steps_of(self.command, self.kind, self.machine):
            self._do[type(step)](step)
        for code, slot in self.kept:
            out.put(code, slot)
        self._hand_on()

    def before_work(self, work: Work) -> None:
        """A CP DMA that waits for the earlier ones (RAW_WAIT) has a clock of its own."""
        if work.raw_wait:
            self._start(work.engine)
            self._drain(Drain(("dma", "dma.pfp")), aside=True)

    def after_work(self, work: Work) -> None:
        """Caches that unknown accesses may use; the end of a synchronous CP DMA."""
        for (_, group), point in self.layout.inv.items():
            if group in work.unknown:
                self.out.put(USE, self.base + point)
        if work.synchronous:
            self._start(work.engine)
            self._drain(Drain(("dma", "dma.pfp")))
            own = "dma.pfp" if self.engine == PFP else "dma"
            self.out.put(RAISE, self.base + self.layout.done[own], NEXT)
            self._hand_on()

    def _start(self, engine: str) -> None:
        self.engine = engine
        self.slot = self.out.slots.engines[self.queue][engine]
        self.out.put(ON, self.slot)

    def _hand_on(self) -> None:
        me = self.out.slots.engines[self.queue].get(ME, self.slot)
        if self.engine == PFP and me != self.slot:
            self.out.put(ON, me)
            self.out.put(JOIN, self.slot)

    # -- completion

    def _drain(self, step: Drain, *, aside: bool = False) -> None:
        """PFP may be ahead of ME: it knows of what ME has started by then."""
        if aside:
            self.out.put(FORK, self.out.slots.aside)
        for group in step.groups:
            self._raise(group, self._seen(group))

    def _seen(self, group: str) -> int:
        me = self.out.slots.engines[self.queue].get(ME)
        if self.engine == PFP and group != "dma.pfp" and me != self.slot:
            return self.base + self.layout.done["me"]
        return HERE

    def _raise(self, group: str, to: int) -> None:
        self.out.put(RAISE, self.base + self.layout.done[group], to)

    def _confirm(self, step: Confirm) -> None:
        if step.documented and not self.out.documented:
            return
        for kind in step.kinds:
            self.out.put(CONFIRM, self._pending(kind), step.documented)

    def _pending(self, kind: str) -> int:
        return self.out.slots(self.queue, "pending", kind)

    def _fork(self, _step: Fork) -> None:
        self.slot = self.out.slots.forked
        self.out.put(FORK, self.slot)
        self.forked = True

    def _pend(self, step: Pend) -> None:
        if not self.operations:
            return
        self.out.put(PEND, self._pending(step.kind))
        if step.kind != "event":
            return
        for block in sorted({cache.in_order for cache, _ in self._caches(self.operations)}):
            self.out.put(FORK, self.out.slots.aside)
            for cache, _ in self._caches(self.operations):
                if cache.in_order != block:
                    self._restore(cache)
            self.out.put(EVENT, self.out.blocks.index(block))
            self.out.put(ON, self.slot)

    def _restore(self, cache: CacheRow) -> None:
        """An event confirmed for another block says nothing of this cache."""
        rows = self.out.pairs(cache.name, self.layout.inv)
        if cache.dirty:
            rows += self.out.pairs(cache.name, self.layout.wb)
        for target, _ in rows:
            self.out.put(RESTORE, target, self.out.slots.engines[self.queue][ME])

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

    def _order(self, _step: Order) -> None:
        for cache, operation in self._caches(self.operations):
            if cache.in_order and operation.action != "wb":
                offset = self.layout.inv.get((cache.name, cache.in_order))
                if offset is not None:
                    self.out.put(SET, self.base + offset)
            if cache.in_order and self.out.events_order:
                self.out.put(LEAN)
                self.out.put(SET, self.base + self.layout.order[cache.in_order])

    def _operate(self, step: Operate) -> None:
        for cache, operation in self._caches(self.operations):
            if not step.caches or operation.cache in step.caches:
                self._operate_on(step, cache, operation)

    def _operate_on(self, step: Operate, cache: CacheRow, operation: CacheOperation) -> None:
        out = self.out
        if self.forked and cache.in_order:
            if out.documented:
                out.put(LEAN)
            for group in self.machine.draw_end if out.documented else (cache.in_order,):
                self._raise(group, HERE)
        where = where_of(self.command, self.engine, forked=self.forked)
        stream = (self.queue, where, cache.name, operation.action)
        if stream not in out.streams:
            out.streams[stream] = len(out.streams)
            out.stream_caches.append(out.names.index(cache.name))
        out.put(JUDGE, out.streams[stream])
        unconfirmed = cache.confirm
        if not unconfirmed and step.unconfirmed and not self._coherent(cache):
            unconfirmed = step.unconfirmed
        if unconfirmed:
            out.put(FORK, out.slots.aside)
            self._apply(cache, operation)
            out.put(PEND, self._pending(unconfirmed))
            out.put(ON, self.slot)
        else:
            self._apply(cache, operation)

    def _coherent(self, cache: CacheRow) -> bool:
        bits = self.command.coherency if isinstance(self.command, SurfaceSync) else ()
        return any(bit.rstrip("0123456789") == cache.in_order for bit in bits)

    def _apply(self, cache: CacheRow, operation: CacheOperation) -> None:
        span = self._span(operation)
        if span is not None:
            for point in self.layout.ranged[cache.name][span]:
                known = self.base + self.layout.done[cache.in_order]
                self.out.put(COPY, self.base + point, known)
            return
        if cache.dirty and operation.action != "inv":
            self._copy(self.out.pairs(cache.name, self.layout.wb))
        if operation.action != "wb":
            self._invalidate(cache.name)

    def _span(self, operation: CacheOperation) -> tuple[int, int] | None:
        if not isinstance(self.command, SurfaceSync):
            return None
        row = self.machine.operation(operation.cache, operation.action)
        span = sync_span(self.machine, self.command)
        if row is None or not row.ranged or (span[0] == 0 and span[1] >= WHOLE_END):
            return None
        return span

    def _copy(self, pairs: list[tuple[int, int]]) -> None:
        for target, source in pairs:
            self.out.put(COPY, target, source)

    def _invalidate(self, cache: str) -> None:
        """Copies are gone; what comes later is as new as what is known to lie beyond."""
        self._copy(self.out.pairs(cache, self.layout.inv))
        stride = self.layout.stride
        for point, sources in self.layout.cleaning.get(cache, ()):
            for base in range(0, len(self.out.queues) * stride, stride):
                self.out.put(LOAD, base + sources[0])
                for source in sources[1:]:
                    self.out.put(LEAST, base + source)
                self.out.put(STORE, base + point)

    def _drop(self, step: Drop) -> None:
        for name in step.caches:
            self._invalidate(name)

    def _flush(self, step: Flush) -> None:
        for name in step.caches:
            if self.machine.cache(name).dirty:
                self._copy(self.out.pairs(name, self.layout.wb))
            self._invalidate(name)

    # -- surface sync and contexts

    def _stall(self, _step: Stall) -> None:
        command = self.command
        if not isinstance(command, SurfaceSync) or not command.coherency:
            return
        blocks = {bit.rstrip("0123456789") for bit in command.coherency}
        names = {"so" if bit.startswith("base") else bit for bit in command.coherency}
        span = sync_span(self.machine, command)
        self.out.put(STALL, len(self.out.stalls), self._seen("cb"))
        self.out.stalls.append((frozenset(names), span, tuple(sorted(blocks))))

    def _roll(self, _step: Roll) -> None:
        self.out.put(RETIRE)

    # -- fences

    def _follow(self, step: Follow) -> None:
        command = self.command
        if isinstance(command, EndOfPipe) and (command.label or command.timestamp):
            chain = self.out.slots(self.queue, "chain", step.chain)
            self.out.put(CONFIRM, chain)
            self.kept.append((KEEP, chain))

    def _release(self, step: Release) -> None:
        command = self.command
        if step.group and getattr(command, "label", None) is None:
            if isinstance(command, EndOfPipe) and command.timestamp is not None:
                self._raise(step.group, NEXT)
            return
        self.out.put(RELEASE, self.forked)

    def _acquire(self, _step: Acquire) -> None:
        self.out.put(ACQUIRE)

    def _handover(self, _step: Handover) -> None:
        engines = self.out.slots.engines[self.queue]
        self.out.put(ON, engines[PFP])
        self.out.put(JOIN, engines[ME])
        self.out.put(ON, self.slot)

    # -- a command's own access

    def _perform(self, _step: Perform) -> None:
        access = own_access(self.command)
        if access is None:
            return
        if isinstance(self.command, Present):
            slot = self.out.slots(self.queue, "present", access.resource.name)
            self.kept.append((PRESENT, slot))
        self.out.put(ACCESS)

    def _unflip(self, _step: Unflip) -> None:
        if isinstance(self.command, WaitFlip):
            slot = self.out.slots(self.queue, "present", self.command.buffer.name)
            self.out.put(UNFLIP, slot, self.base + self.layout.done["flip"])
