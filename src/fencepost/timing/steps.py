"""Lowers the steps of synchronization commands, as the machine's rows list them (model 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.coherence.issue import sync_span
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
from fencepost.stream.command import (
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    Kickoff,
    PipelinedEvent,
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, Resource
from fencepost.timing.code import (
    ACTION,
    CHAIN,
    CHAIN_OF_GROUP,
    CHAIN_OF_KIND,
    COHERENT,
    CONTEXTS,
    CS,
    DROP,
    END,
    EOP,
    EOP_DONE,
    EOP_LINE,
    EOS_CS,
    EOS_CS_LINE,
    EOS_PS,
    EOS_PS_LINE,
    EVENT,
    EVENT_LINE,
    EVENTS,
    FLIP,
    FLIP_LINE,
    FLUSH,
    FORK,
    HANDOVER,
    IDLE,
    KICK,
    KICKED,
    LABEL_WRITE,
    PARTIAL_FLUSH,
    PS,
    ROLL,
    SENT,
    SET,
    STAND,
    VISIBLE,
    VS,
    WAIT,
    CoherentRow,
    EngineCode,
    FlushRow,
    ForkRow,
    WaitRow,
)
from fencepost.timing.scene import ME, PFP, Scene, wait_for_dma

DRAIN_CHAINS = (VS, PS, END, CS)
LINES = {
    EndOfPipe: EOP_LINE,
    Present: FLIP_LINE,
    PipelinedEvent: EVENT_LINE,
}
VALUED = {"eop": EOP, "eos.ps": EOS_PS, "eos.cs": EOS_CS}


class LowerSteps:
    """One method a primitive; `documented` is the level of guarantees."""

    def __init__(self, scene: Scene, *, documented: bool) -> None:
        self.scene = scene
        self.documented = documented
        self.command: Command = Command()
        self.engine: EngineCode = next(iter(scene.engines.values()))
        self.fork: ForkRow | None = None
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

    def carry_out(self, command: Command, engine: EngineCode, steps: tuple[Step, ...]) -> None:
        """All steps of a command, in order."""
        self.command, self.engine, self.fork = command, engine, None
        for step in steps:
            self._do[type(step)](step)

    # -- what is waited for

    def _drain(self, step: Drain) -> None:
        if isinstance(self.command, DmaWait):
            wait_for_dma(self.scene, self.engine)
            return
        for chain in dict.fromkeys(CHAIN_OF_GROUP[g] for g in step.groups if g in CHAIN_OF_GROUP):
            self._need(chain, self._started(chain), self._reason())

    def _started(self, chain: int) -> int:
        """How many entries of the chain stand before here; of END up to the last draw."""
        return self.scene.last_draw if chain == END else self.scene.counts[chain]

    def _reason(self) -> int:
        return IDLE if isinstance(self.command, WaitIdle) else PARTIAL_FLUSH

    def _need(self, chain: int, count: int, reason: int) -> None:
        if not count:
            return
        if self.fork is not None:
            self.fork.needs.append((SENT.get(chain, chain), count))
            return
        signal = chain in DRAIN_CHAINS and reason != IDLE
        self.engine.put(CHAIN, chain, count, self.scene.signal if signal else 0, reason)

    def _confirm(self, step: Confirm) -> None:
        if step.documented and not self.documented:
            return
        reason = IDLE if isinstance(self.command, WaitIdle) else EVENTS
        for chain in dict.fromkeys(CHAIN_OF_KIND[kind] for kind in step.kinds):
            count = self.scene.counts[chain]
            if self.fork is not None and count:
                self.fork.then.append((chain, count))
            else:
                self._need(chain, count, reason)

    def _stall(self, _step: Stall) -> None:
        command = self.command
        if not isinstance(command, SurfaceSync) or not command.coherency:
            return
        start, end = sync_span(self.scene.machine, command)
        row = CoherentRow(
            self.scene.contexts,
            command.coherency,
            start,
            end,
            start == 0 and end >= WHOLE_END,
            self.scene.ends,
            self.scene.events,
        )
        if self.scene.ahead(self.engine):
            self.engine.put(COHERENT, len(self.scene.code.coherent), self.scene.signal)
            self.scene.code.coherent.append(row)
            return
        ends, events = row.counts(self.scene.position)
        self._need(END, ends, CONTEXTS)
        self._need(EVENT, events, EVENTS)

    def _handover(self, _step: Handover) -> None:
        self.scene.engine(PFP).put(HANDOVER, self.scene.parameters.cycles("PFP_SYNC_ME"))

    def _acquire(self, _step: Acquire) -> None:
        command = self.command
        if isinstance(command, WaitMemory):
            row = WaitRow(
                self._label(command.label), command.comparison, command.reference, command.mask
            )
            self.engine.put(WAIT, len(self.scene.code.waits), self.scene.trip)
            self.scene.code.waits.append(row)
        elif self.scene.queue.name in self.scene.kicked:
            self.scene.marks += 1
            self.engine.put(KICKED, self.scene.marks)

    def _unflip(self, _step: Unflip) -> None:
        if isinstance(self.command, WaitFlip):
            self._need(FLIP, self.scene.flips.get(self.command.buffer.name, 0), VISIBLE)

    # -- what is done

    def _fork(self, _step: Fork) -> None:
        command, parameters = self.command, self.scene.parameters
        shader = isinstance(command, EndOfShader)
        travel = parameters.cycles("launch") + (0 if shader else parameters.cycles("back end"))
        if isinstance(command, EndOfShader):
            line = EOS_PS_LINE if command.stage == "ps" else EOS_CS_LINE
        else:
            line = LINES[type(command)]
        self.fork = ForkRow(self.scene.number, self.scene.position, line, travel)
        self.engine.put(FORK, len(self.scene.code.forks))
        self.scene.code.forks.append(self.fork)
        if line == EVENT_LINE:
            self._event()

    def _event(self) -> None:
        """It stands among the draws at the end of pipe."""
        fork, scene = self.fork, self.scene
        if fork is not None and isinstance(self.command, PipelinedEvent):
            fork.holds = True
            scene.add(END)
            fork.done = EVENT
            count = scene.add(EVENT)
            blocks = {operation.cache.split(".")[0] for operation in self.command.operations}
            for block in sorted(blocks):
                scene.events.setdefault(block, []).append((scene.position, count))

    def _order(self, _step: Order) -> None:
        """Events and draws meet at the end of pipe in order anyway."""

    def _operate(self, step: Operate) -> None:
        operations: tuple[CacheOperation, ...] = getattr(self.command, "operations", ())
        chosen = [o for o in operations if not step.caches or o.cache in step.caches]
        if self.fork is not None:
            self.fork.flush = self._flush_row(chosen)
            if any(o.cache.startswith(("cb.", "db.")) for o in chosen) and not self.fork.holds:
                self.fork.holds = True
                self._need(END, self.scene.counts[END], EVENTS)
                self.scene.add(END)
            return
        if not step.unconfirmed:
            self._put_flush(self._flush_row(chosen))
            return
        blocks = {bit.rstrip("0123456789") for bit in getattr(self.command, "coherency", ())}
        for operation in sorted(chosen, key=lambda o: FAR_TO_NEAR.index(o.cache)):
            row = self._flush_row([operation])
            row.unconfirmed = operation.cache.split(".")[0] not in blocks
            if row.unconfirmed:
                self.scene.add(ACTION)
            self._put_flush(row)

    def _put_flush(self, row: FlushRow) -> None:
        if row.caches:
            self.engine.put(FLUSH, len(self.scene.code.flushes))
            self.scene.code.flushes.append(row)

    def _flush_row(self, operations: list[CacheOperation]) -> FlushRow:
        """Far to near; operations on volatile lines find none (deviations 14)."""
        row = FlushRow()
        known = [operation for operation in operations if operation.cache in FAR_TO_NEAR]
        for operation in sorted(known, key=lambda o: FAR_TO_NEAR.index(o.cache)):
            start, end = self._range(operation)
            row.caches.append(self.scene.code.caches.index(operation.cache))
            row.writes_back.append(operation.action != "inv" and self._holds_data(operation.cache))
            row.invalidates.append(operation.action != "wb")
            row.spans.append(self.scene.parameters.cycles(f"operation {operation.cache}"))
            row.starts.append(start)
            row.ends.append(end)
        return row

    def _holds_data(self, cache: str) -> bool:
        """Is anything ever dirty there? TCP is written through."""
        return any(row.dirty for row in self.scene.machine.caches if row.operated_as == cache)

    def _range(self, operation: CacheOperation) -> tuple[int, int]:
        row = self.scene.machine.operation(operation.cache, operation.action)
        if isinstance(self.command, SurfaceSync) and row is not None and row.ranged:
            return sync_span(self.scene.machine, self.command)
        return 0, 1 << 62

    def _flush(self, step: Flush) -> None:
        self._put_flush(self._flush_row([CacheOperation(name, "wbinv") for name in step.caches]))

    def _drop(self, step: Drop) -> None:
        row = self._flush_row([CacheOperation(name, "inv") for name in step.caches])
        self.engine.put(DROP, len(self.scene.code.flushes))
        self.scene.code.flushes.append(row)

    def _pend(self, step: Pend) -> None:
        """Operations without a value are finished when they are, those that find nothing too."""
        if self.fork is not None and step.kind == "eop":
            operations: tuple[CacheOperation, ...] = getattr(self.command, "operations", ())
            if self.fork.flush is not None and operations:
                self.fork.done = EOP_DONE
                self.scene.add(EOP_DONE)
            else:
                self.fork.flush = None

    def _follow(self, _step: Follow) -> None:
        """Values stand in one in-order line anyway."""

    def _perform(self, _step: Perform) -> None:
        """A flip; a timestamp is a value like another."""
        if self.fork is not None and isinstance(self.command, Present):
            self.fork.valued = FLIP
            self.scene.flips[self.command.access.resource.name] = self.scene.add(FLIP)

    def _release(self, step: Release) -> None:
        command = self.command
        if isinstance(command, Kickoff):
            if command.queue in self.scene.kicked:
                latency = self.scene.parameters.cycles("kickoff")
                self.engine.put(KICK, self.scene.kicked[command.queue], latency)
        elif isinstance(command, SetLabel):
            self.engine.put(STAND, self.scene.trip, LABEL_WRITE)
            self.engine.put(SET, self._label(command.label), command.value)
        elif self.fork is not None:
            self._value(self.fork, step)

    def _value(self, fork: ForkRow, step: Release) -> None:
        command = self.command
        if isinstance(command, EndOfPipe | EndOfShader) and command.label is not None:
            fork.label, fork.value = self._label(command.label), command.value
        elif not isinstance(command, EndOfPipe) or command.timestamp is None:
            return
        fork.valued = VALUED[step.group]
        self.scene.add(fork.valued)

    def _label(self, label: Resource) -> int:
        return self.scene.code.labels.index(label.name)

    def _roll(self, _step: Roll) -> None:
        if self.scene.queue.kind is QueueKind.GRAPHICS:
            count = self.scene.roll()
            if count:
                self.scene.engine(ME).put(CHAIN, END, count, self.scene.signal, ROLL)
