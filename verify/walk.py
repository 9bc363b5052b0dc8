"""The commands of a queue as steps of its engines and of what it sends down the pipe (model 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from fencepost.machine.primitives import Drop, Flush
from fencepost.stream import command as records
from fencepost.stream.command import Access, CacheOperation, Command, Comparison, Work, WorkKind
from fencepost.stream.program import Queue, QueueKind
from verify.collect import STREAMS, Collector, Unsupported
from verify.contexts import Contexts, stalled_draws
from verify.machine import Effect, Step, Touch

TESTS: dict[Comparison, Callable[[int, int], bool]] = {
    Comparison.ALWAYS: lambda _value, _reference: True,
    Comparison.LESS: lambda value, reference: value < reference,
    Comparison.LESS_EQUAL: lambda value, reference: value <= reference,
    Comparison.EQUAL: lambda value, reference: value == reference,
    Comparison.NOT_EQUAL: lambda value, reference: value != reference,
    Comparison.GREATER_EQUAL: lambda value, reference: value >= reference,
    Comparison.GREATER: lambda value, reference: value > reference,
}

FLUSHED = {"vs": ("vs",), "ps": ("vs", "ps"), "cs": ("cs",)}
"""The groups that a stage's end completes: PS includes VS (model 4.1, 4.3)."""

READ_CACHES = ("tcc", "tcp", "k", "i")
BLOCKS = ("cb", "db")


class Walk:
    """What the walks of all kinds of queues share."""

    def __init__(self, all_queues: Collector, number: int, queue: Queue) -> None:
        self.all, self.number, self.queue = all_queues, number, queue
        self.machine, self.documented = all_queues.machine, all_queues.documented

    def walk(self) -> None:
        """Every command, in order. Raises `Unsupported`."""
        for position, command in enumerate(self.queue.commands):
            handler = self.handlers().get(type(command))
            if handler is None:
                raise Unsupported(f"{type(command).__name__} on {self.queue.kind}")
            handler(position, command)

    def handlers(self) -> dict[type[Command], Callable[[int, Any], None]]:
        """What handles each record."""
        raise NotImplementedError

    def on(self, engine: str, step: Step) -> int:
        """Add a step to that engine; the index behind it."""
        raise NotImplementedError

    def touch(self, position: int, access: Access, start: tuple[int, int]) -> Touch | None:
        """An access of this queue (`Collector.touch`)."""
        return self.all.touch(self.number, position, access, start)

    def drain(self, position: int, groups: Iterable[str], text: str = "") -> Step:
        """A step that waits until these groups of everything earlier are complete."""
        closing = self.all.closing(self.number, position, tuple(groups))
        return Step(position, closing=closing, writes=self.all.writes(closing), text=text)

    def wait(self, position: int, command: records.WaitMemory) -> None:
        """Wait on memory (model 4.4)."""
        compare, mask = TESTS[command.comparison], command.mask
        reference = command.reference & mask
        step = Step(position, waits=True, text=f"wait on {command.label.name}")
        label = self.all.labels[command.label.name]
        step.test = (label, lambda value: compare(value & mask, reference))
        self.on(command.engine, step)

    def set_label(self, position: int, command: records.SetLabel) -> None:
        """A value, at once (model 4.4)."""
        label = (self.all.labels[command.label.name], command.value)
        self.on(command.engine, Step(position, label=label, text=f"set {command.label.name}"))


class SerialWalk(Walk):
    """The CPU or a copy queue: one command after the other (model 2.1, 2.6)."""

    def __init__(self, all_queues: Collector, number: int, queue: Queue) -> None:
        super().__init__(all_queues, number, queue)
        self.engine = all_queues.add_engine()

    def handlers(self) -> dict[type[Command], Callable[[int, Any], None]]:
        """What handles each record."""
        return {
            Work: self.work,
            records.WaitMemory: self.wait,
            records.SetLabel: self.set_label,
            records.Kickoff: self.kickoff,
        }

    def on(self, engine: str, step: Step) -> int:  # noqa: ARG002 (there is one engine)
        """Add a step; the index behind it."""
        self.all.engines[self.engine].append(step)
        return self.all.count(self.engine)

    def work(self, position: int, work: Work) -> None:
        """Complete before the next command starts; write-combined writes are not."""
        start = (self.engine, self.all.count(self.engine))
        for access in work.accesses:
            self.touch(position, access, start)
        step = self.drain(position + 1, ("serial",), "access")
        self.on("", step)

    def kickoff(self, position: int, command: records.Kickoff) -> None:
        """It orders all earlier writes before the commands that it submits (model 4.8)."""
        index = self.on("", self.drain(position, ("wc",), f"kickoff {command.queue}"))
        self.all.submits.setdefault(command.queue, []).append((self.engine, index))


class GpuWalk(Walk):
    """A graphics or compute queue: PFP, ME (one engine on a compute queue), and the pipe."""

    def __init__(self, all_queues: Collector, number: int, queue: Queue) -> None:
        super().__init__(all_queues, number, queue)
        self.me = all_queues.add_engine()
        graphics = queue.kind is QueueKind.GRAPHICS
        self.pfp = all_queues.add_engine() if graphics else self.me
        self.contexts = Contexts()
        self.end_of_pipe = (*self.machine.draw_end, "cs")
        self.handled: dict[int, int] = {}
        self.events: list[tuple[str, int, int, int]] = []
        self.streams: dict[str, int] = {}
        self.event_bits = 0
        self.eop_bits = 0
        self.action_bits = 0
        self.fmask_bits = 0
        self.value_bits = 0

    def handlers(self) -> dict[type[Command], Callable[[int, Any], None]]:
        """What handles each record."""
        return {
            Work: self.work,
            records.PartialFlush: self.partial_flush,
            records.EndOfPipe: self.end_of_pipe_write,
            records.EndOfShader: self.end_of_shader,
            records.PipelinedEvent: self.event,
            records.WaitMemory: self.wait,
            records.SetLabel: self.set_label,
            records.PfpSyncMe: self.pfp_sync_me,
            records.WaitIdle: self.idle,
            records.SurfaceSync: self.surface_sync,
            records.ContextWrite: self.context_write,
            records.DmaWait: self.dma_wait,
            records.Kickoff: self.mark,
            records.Frame: self.frame,
        }

    def on(self, engine: str, step: Step) -> int:
        """ME handles a command only after PFP has passed it (model 2.1).

        ME does not run ahead of a PFP step that looks at how far ME is.
        """
        if engine == "pfp" and self.pfp != self.me:
            if step.conditions:
                self.all.holds[self.me] = (self.pfp, self.all.count(self.pfp))
            self.all.engines[self.pfp].append(step)
            return self.all.count(self.pfp)
        step.after = (*step.after, (self.pfp, self.all.count(self.pfp)))
        self.all.engines[self.me].append(step)
        return self.all.count(self.me)

    # Work.

    def work(self, position: int, work: Work) -> None:
        """Accesses start when PFP reaches, or ME has handled, the command (model 2.4)."""
        if work.kind is WorkKind.DMA:
            self.dma(position, work)
            return
        if work.kind not in (WorkKind.DRAW, WorkKind.DISPATCH):
            raise Unsupported(f"{work.kind} on {self.queue.kind}")
        reached = (self.pfp, self.all.count(self.pfp))
        fetches = 0
        for access in work.accesses:
            if self.started_by(access) == "pfp":
                touch = self.touch(position, access, reached)
                if touch and touch.group == "pfp":
                    fetches |= touch.bit
        if fetches:
            self.on("pfp", Step(position, closing=fetches, text="PFP has read its arguments"))
        if work.kind is WorkKind.DRAW:
            self.bind(work)
        start = self.on("me", Step(position, text="ME handles the work"))
        for access in work.accesses:
            if self.started_by(access) != "pfp":
                touch = self.touch(position, access, (self.me, start))
                if touch:
                    touch.before = self.streams.get(touch.stream, 0)
        if work.kind is WorkKind.DRAW:
            self.contexts.draw(position)
            self.handled[position] = start

    def started_by(self, access: Access) -> str:
        """The engine whose progress starts an access."""
        way = self.machine.way(access.block, access.use, access.part)
        return way.engine if way else ""

    def bind(self, work: Work) -> None:
        """Targets are context registers: other ones than the last draw's roll (model 4.7)."""
        targets = frozenset(
            (access.block, access.resource.name)
            for access in work.accesses
            if access.block.startswith(STREAMS)
        )
        if self.contexts.targets not in (None, targets):
            self.roll()
        self.contexts.targets = targets

    def dma(self, position: int, work: Work) -> None:
        """CP DMA, kicked by PFP or ME (model 4.9); what these access themselves (model 2.4)."""
        if work.raw_wait:
            self.on(work.engine, self.dma_idle(position, position, work.engine))
        by_engine: dict[str, list[Access]] = {}
        for access in work.accesses:
            by_engine.setdefault(self.started_by(access), []).append(access)
        for engine in ("pfp", "me"):
            if engine in by_engine:
                self.own_accesses(position, engine, by_engine[engine])
        if "kick" in by_engine:
            start = self.on(work.engine, Step(position, text="DMA starts"))
            kicker = self.pfp if work.engine == "pfp" else self.me
            for access in by_engine["kick"]:
                self.touch(position, access, (kicker, start))
        if work.synchronous:
            self.on(work.engine, self.dma_idle(position, position + 1, work.engine))

    def own_accesses(self, position: int, engine: str, accesses: Iterable[Access]) -> None:
        """That engine makes them when it gets here, and goes on when they are complete."""
        start = self.on(engine, Step(position, text=f"{engine} gets here"))
        which = self.pfp if engine == "pfp" else self.me
        touches = [self.touch(position, access, (which, start)) for access in accesses]
        closing = sum(touch.bit for touch in touches if touch)
        step = Step(position, closing=closing, writes=self.all.writes(closing))
        step.text = f"{engine} goes on"
        self.on(engine, step)

    def dma_idle(self, position: int, before: int, engine: str) -> Step:
        """Idle counts what is kicked by then: PFP does not wait for what ME has yet to kick."""
        step = Step(position, text="DMA idle")
        for touch, (kicker, index) in zip(self.all.touches, self.all.starts, strict=True):
            mine = touch.queue == self.number and touch.group == "dma"
            if not mine or touch.position >= before:
                continue
            writes = self.all.writes(touch.bit)
            if engine == "pfp" and kicker != self.pfp:
                step.conditions = (*step.conditions, (kicker, index, touch.bit, writes, 0))
            else:
                step.closing, step.writes = step.closing | touch.bit, step.writes | writes
        return step

    # Synchronization.

    def partial_flush(self, position: int, command: records.PartialFlush) -> None:
        """Model 4.1."""
        step = self.drain(position, FLUSHED[command.stage], f"flush {command.stage}")
        step.finished = self.confirmed(command.stage)
        self.on("me", step)

    def confirmed(self, stage: str) -> int:
        """What a stage's end says of earlier operations under `documented` (design 4.5)."""
        if not self.documented or stage == "vs":
            return 0
        return self.eop_bits | (self.event_bits if stage == "ps" else 0)

    def end_of_pipe_write(self, position: int, command: records.EndOfPipe) -> None:
        """Its operations far to near, each finished before the next, then its value (model 4.2).

        Those on CB and DB are in order with the block's accesses, as an event's are.
        """
        if command.timestamp is not None:
            raise Unsupported("timestamp")
        after = ((self.me, self.on("me", Step(position, text="EOP issued"))),)
        implied = self.confirmed("ps")
        end = self.drain(position, self.end_of_pipe)
        far, near = split(command.operations)
        own = 0
        for block in BLOCKS:
            if operations := [one for one in far if one.cache.startswith(block)]:
                step = self.block_step(position, after, block, operations)
                own |= step.acts & -step.acts
        if near:
            step = Step(position, after, finished=own, closing=end.closing, writes=end.writes)
            step.acts = self.all.bit()
            step.text = f"EOP {' '.join(map(str, near))}"
            self.operate(step, near, 0)
            self.all.pipe.append(step)
            own |= step.acts
        if command.label is not None:
            step = self.value(position, after, command.label.name, command.value)
            step.closing, step.writes = end.closing, end.writes
            step.needs, step.finished = self.value_bits, own | implied
            self.value_bits |= step.acts
            self.all.pipe.append(step)
        self.eop_bits |= own

    def value(
        self, position: int, after: tuple[tuple[int, int], ...], label: str, value: int
    ) -> Step:
        """A value written down the pipe."""
        step = Step(position, after, acts=self.all.bit(), text=f"{label} = {value}")
        step.label = (self.all.labels[label], value)
        return step

    def end_of_shader(self, position: int, command: records.EndOfShader) -> None:
        """Model 4.3."""
        after = ((self.me, self.on("me", Step(position, text="EOS issued"))),)
        step = self.value(position, after, command.label.name, command.value)
        end = self.drain(position, FLUSHED[command.stage])
        step.closing, step.writes = end.closing, end.writes
        step.finished = self.confirmed(command.stage)
        self.value_bits |= step.acts
        self.all.pipe.append(step)

    def event(self, position: int, command: records.PipelinedEvent) -> None:
        """One step for each block that it concerns (model 4.5)."""
        issued = self.on("me", Step(position, text="event issued"))
        for block in BLOCKS:
            if operations := [one for one in command.operations if one.cache.startswith(block)]:
                step = self.block_step(position, ((self.me, issued),), block, operations)
                bit = step.acts & -step.acts
                self.events.append((block, self.contexts.current, bit, issued))
                self.event_bits |= bit

    def block_step(
        self,
        position: int,
        after: tuple[tuple[int, int], ...],
        block: str,
        operations: list[CacheOperation],
    ) -> Step:
        """Operations on a block's caches down the pipe, in order with its accesses.

        The step's lowest bit is theirs.
        """
        step = Step(position, after, closing=self.event_closes(position, block))
        step.text = f"pipelined {' '.join(map(str, operations))}"
        step.writes = self.all.writes(step.closing)
        step.acts = bit = self.all.bit()
        step.needs = self.streams.get(block, 0)
        self.streams[block] = step.needs | bit
        self.operate(step, operations, bit)
        self.all.pipe.append(step)
        return step

    def event_closes(self, position: int, block: str) -> int:
        """The end of pipe of all earlier draws; `strict`: only the block's own earlier accesses."""
        if self.documented:
            return self.all.closing(self.number, position, self.machine.draw_end)
        return sum(
            touch.bit
            for touch in self.all.touches
            if touch.queue == self.number and touch.position < position and touch.stream == block
        )

    def operate(self, step: Step, operations: Iterable[CacheOperation], bit: int) -> None:
        """Operations as effects of a step.

        CB metadata is CMASK and FMASK, and FMASK may have a confirm of its own (model 4.4, 4.6).
        """
        for operation in operations:
            if self.machine.operation(operation.cache, operation.action) is None:
                raise Unsupported(str(operation))
            for row in self.machine.caches:
                if row.operated_as == operation.cache:
                    mark = bit
                    if row.confirm:
                        mark = self.all.bit()
                        step.acts |= mark
                        self.fmask_bits |= mark
                    effect = Effect(row.name, operation.action != "wb", mark)
                    step.effects = (*step.effects, effect)

    def pfp_sync_me(self, position: int, _command: records.PfpSyncMe) -> None:
        """Model 4.4."""
        after = ((self.me, self.all.count(self.me)),)
        self.on("pfp", Step(position, after=after, text="PFP waits for ME"))

    def idle(self, position: int, _command: records.WaitIdle) -> None:
        """Model 4.4."""
        step = self.drain(position, (*self.end_of_pipe, "so"), "idle")
        step.finished = self.event_bits | self.eop_bits | self.action_bits | self.fmask_bits
        step.needs = self.value_bits
        self.on("me", step)

    def surface_sync(self, position: int, command: records.SurfaceSync) -> None:
        """Stall, CB/DB actions; then confirm, TCC and nearer caches; then roll (model 4.6).

        An action takes its time: without a confirm it may come after what follows.
        """
        actions, near = split(command.operations)
        first = Step(position, text="surface sync: stall")
        stalled = stalled_draws(self.contexts, self.queue.commands, command, self.machine)
        self.stall(first, command, stalled)
        issued = self.on(command.engine, first)
        engine = self.pfp if command.engine == "pfp" else self.me
        own = self.act(position, (engine, issued), command, actions)
        second = Step(position, text="surface sync: confirms, TCC and nearer caches")
        for block in BLOCKS:
            if any(name.startswith(block) for name in command.coherency):
                self.confirm(second, command.engine, block, stalled)
                second.finished |= own[block]
        self.operate(second, near, 0)
        self.on(command.engine, second)
        self.roll()

    def stall(
        self, step: Step, command: records.SurfaceSync, stalled: list[tuple[int, int]]
    ) -> None:
        """Their whole contexts and, since draws finish in order, everything before (model 4.6 a).

        PFP knows only the draws that ME has handled.
        """
        groups = self.machine.draw_end
        if self.machine.so_coherency and any(n.startswith("base") for n in command.coherency):
            groups = (*groups, "so")
        for context, at in stalled:
            for other, draw in self.contexts.draws:
                if other <= context:
                    closing = self.all.closing(self.number, draw + 1, groups)
                    writes = self.all.writes(closing)
                    if command.engine == "pfp":
                        index = max(self.handled[at], self.handled[draw])
                        condition = (self.me, index, closing, writes, 0)
                        step.conditions = (*step.conditions, condition)
                    else:
                        step.closing |= closing
                        step.writes |= writes

    def act(
        self,
        position: int,
        issued: tuple[int, int],
        command: records.SurfaceSync,
        operations: list[CacheOperation],
    ) -> dict[str, int]:
        """CB/DB actions, in the range where the table says so; their bits by block."""
        grain = self.machine.sync_granularity
        span = range(command.start // grain * grain, -(-command.end // grain) * grain)
        bits = dict.fromkeys(BLOCKS, 0)
        for operation in operations:
            row = self.machine.operation(operation.cache, operation.action)
            if row is None or not row.top:
                raise Unsupported(f"{operation} at top of pipe")
            if row.ranged and self.all.byte not in span:
                continue
            step = Step(position, (issued,), acts=self.all.bit(), text=f"action {operation}")
            bits[operation.cache[:2]] |= step.acts
            self.action_bits |= step.acts
            self.operate(step, [operation], step.acts)
            self.all.pipe.append(step)
        return bits

    def confirm(self, step: Step, engine: str, block: str, stalled: list[tuple[int, int]]) -> None:
        """Events of the stalled contexts and of older ones; PFP knows only what ME has handled."""
        for which, context, bit, issued in self.events:
            reached = [self.handled[at] for other, at in stalled if other >= context]
            if which != block or not reached:
                continue
            if engine == "pfp":
                condition = (self.me, max(issued, min(reached)), 0, 0, bit)
                step.conditions = (*step.conditions, condition)
            else:
                step.finished |= bit

    def roll(self) -> None:
        """For a context roll ME waits for the draw that held the context before (model 4.7)."""
        before = self.contexts.roll(self.machine.contexts)
        if before:
            self.on("me", self.drain(before, self.machine.draw_end, "context roll"))

    def context_write(self, _position: int, _command: records.ContextWrite) -> None:
        """Model 4.7."""
        self.roll()

    def dma_wait(self, position: int, command: records.DmaWait) -> None:
        """Model 4.9."""
        self.on(command.engine, self.dma_idle(position, position, command.engine))

    def mark(self, position: int, _command: records.Kickoff) -> None:
        """PFP passes only what has been submitted; some machines flush there (model 4.8)."""
        step = Step(position, waits=True, text="kickoff mark")
        self.all.marks.setdefault(self.queue.name, []).append(step)
        if self.row_has("Kickoff", Flush):
            step.effects = tuple(Effect(name, drops=True) for name in READ_CACHES)
        self.on("pfp", step)

    def frame(self, position: int, _command: records.Frame) -> None:
        """Clean bytes of the read caches are gone (model 4.8)."""
        step = Step(position, text="frame")
        if self.row_has("Frame", Drop):
            step.effects = tuple(Effect(name, True, clean_only=True) for name in READ_CACHES)
        self.on("me", step)

    def row_has(self, command: str, kind: type[object]) -> bool:
        """Whether the machine's row of a command, as a GPU queue sees it, has such a step."""
        row = self.machine.command(command, "gpu")
        return row is not None and any(isinstance(step, kind) for step in row.steps)


def split(
    operations: Iterable[CacheOperation],
) -> tuple[list[CacheOperation], list[CacheOperation]]:
    """Operations on CB/DB, and on the other caches: far to near."""
    far = [one for one in operations if one.cache.startswith(BLOCKS)]
    return far, [one for one in operations if one not in far]


WALKS: dict[QueueKind, type[GpuWalk | SerialWalk]] = {
    QueueKind.GRAPHICS: GpuWalk,
    QueueKind.COMPUTE: GpuWalk,
    QueueKind.COPY: SerialWalk,
    QueueKind.CPU: SerialWalk,
}
