"""What breaks a legality rule: one small question a row of the table in `legality`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fencepost.machine import Machine
from fencepost.stream.assembly import BLOCKS, COHERENCY
from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    ContextWrite,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    Frame,
    Kickoff,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import Queue, QueueKind
from fencepost.stream.resource import WHOLE_END, Resource, ResourceKind
from fencepost.stream.verbs import VERBS
from fencepost.stream.words import is_word

PIPELINE = 'seed 000 "Pipeline stages at a glance"'
GRAPHICS, COMPUTE, COPY, CPU = QueueKind


@dataclass(frozen=True, slots=True)
class WorkRow:
    """Where a kind of work runs, which `block` or `block.use` it makes, what may be unknown."""

    title: str
    queues: tuple[QueueKind, ...]
    blocks: tuple[str, ...]
    unknown: tuple[str, ...]
    source: str


_ARGUMENTS = ("pfp.args", "pfp.predicate", "pfp.commands")
_OWN = ("cp.read", "cp.store", "pfp.read", "pfp.store")
"""What ME and PFP read and write themselves (COPY_DATA, WRITE_DATA)."""
_DRAWN = ("vs", "ps", "so", "cb", "db")
"""A capture may lack what shaders do, and registers that say what the blocks behind them do."""

WORKS: dict[WorkKind, WorkRow] = {
    WorkKind.DRAW: WorkRow(
        "a draw",
        (GRAPHICS,),
        ("vs", "ps", "cb", "db", "so", "pfp.index", *_ARGUMENTS),
        _DRAWN,
        PIPELINE,
    ),
    WorkKind.DISPATCH: WorkRow(
        "a dispatch", (GRAPHICS, COMPUTE), ("cs", *_ARGUMENTS), ("cs",), PIPELINE
    ),
    WorkKind.DMA: WorkRow(
        "a CP DMA", (GRAPHICS, COMPUTE), ("dma", *_ARGUMENTS, *_OWN), (), PIPELINE
    ),
    WorkKind.CPU: WorkRow("an access of the CPU", (CPU,), ("cpu",), (), "model 2.4"),
    WorkKind.COPY: WorkRow(
        "an access of a copy queue", (COPY,), ("copy",), (), "hardware.md 1.6 (SDMA)"
    ),
}

ENGINES: dict[QueueKind, tuple[str, ...]] = {
    GRAPHICS: ("me", "pfp"),
    COMPUTE: ("me",),
    COPY: ("copy",),
    CPU: ("cpu",),
}
"""Who may be told to wait or to write: on a compute queue PFP and ME are one (model 2.1)."""


@dataclass(frozen=True, slots=True)
class Context:
    """Where a command stands: its machine, its queue, and all queues by name."""

    machine: Machine
    queue: Queue
    queues: dict[str, Queue]

    @property
    def kind(self) -> QueueKind:
        """The kind of the queue."""
        return self.queue.kind


def wrong_queue(context: Context, command: Command) -> Iterator[tuple[str, str]]:
    """A command that the machine's table does not give to queues of this kind."""
    row = context.machine.command(type(command).__name__, _operand(context, command))
    queues = row.queues if row else ()
    if context.kind not in queues:
        yield _verb(command), ", ".join(queues) or "one that the machine has"


def _operand(context: Context, command: Command) -> str:
    """What tells the rows of one command apart in the machine's table."""
    if isinstance(command, PartialFlush | EndOfShader):
        return command.stage
    if isinstance(command, Kickoff):
        return "cpu" if context.kind is CPU else "gpu"
    return ""


def _verb(command: Command) -> str:
    """The command as people know it."""
    words = SPELLING[type(command)]
    return f"{words} {command.stage}" if isinstance(command, PartialFlush | EndOfShader) else words


SPELLING: dict[type[Command], str] = {
    PartialFlush: "flush",
    EndOfPipe: "eop",
    EndOfShader: "eos",
    WaitMemory: "wait",
    SetLabel: "set",
    PfpSyncMe: "pfp-sync-me",
    WaitIdle: "wait idle",
    PipelinedEvent: "event",
    SurfaceSync: "sync",
    ContextWrite: "context",
    DmaWait: "dma wait",
    Kickoff: "kickoff",
    Frame: "frame",
    Present: "present",
    WaitFlip: "wait flip",
}
"""Each synchronization command as the text form writes it."""


OWN_BLOCKS = {"cp": "me", "pfp": "pfp"}
"""What an engine itself reads and writes: the block, and the engine."""


def work_queue(context: Context, work: Work) -> Iterator[tuple[str, str]]:
    """Work that no engine of this queue executes."""
    row = WORKS[work.kind]
    if context.kind not in row.queues:
        yield row.title, ", ".join(row.queues)


def work_verb(_context: Context, work: Work) -> Iterator[str]:
    """A verb that no form can write."""
    if work.verb not in VERBS:
        yield work.verb


def unknown_block(_context: Context, work: Work) -> Iterator[str]:
    """Unknown accesses of a block that this work does not use."""
    known = WORKS[work.kind].unknown
    return (f"{block}.unknown" for block in work.unknown if block not in known)


def engine(
    context: Context, command: WaitMemory | SetLabel | SurfaceSync | DmaWait
) -> Iterator[str]:
    """An engine that this queue does not have."""
    if command.engine not in ENGINES[context.kind]:
        yield command.engine


def dma_engine(context: Context, work: Work) -> Iterator[str]:
    """CP DMA kicked by an engine that this queue does not have."""
    runs = context.kind in WORKS[work.kind].queues
    if work.kind is WorkKind.DMA and runs and work.engine not in ENGINES[context.kind]:
        yield work.engine


def dma_option(_context: Context, work: Work) -> Iterator[str]:
    """Only CP DMA is kicked by an engine and may be waited for."""
    if work.kind is not WorkKind.DMA:
        options = (
            ("sync", work.synchronous),
            ("raw-wait", work.raw_wait),
            ("by", work.engine != "me"),
        )
        yield from (word for word, used in options if used)


def raw_wait(_context: Context, work: Work) -> Iterator[str]:
    """An access that an engine makes by itself: RAW_WAIT makes the CP DMA wait, not the engine."""
    if work.kind is WorkKind.DMA and work.raw_wait:
        yield from (f"{a.block}.{a.use}" for a in work.accesses if a.block in OWN_BLOCKS)


def cost_word(_context: Context, work: Work) -> Iterator[str]:
    """A key or value that the text form cannot write."""
    return (word for pair in work.cost for word in pair if not is_word(word))


def event_operation(context: Context, event: PipelinedEvent) -> Iterator[str]:
    """An operation that no event carries."""
    for operation in event.operations:
        row = context.machine.operation(operation.cache, operation.action)
        if row is None or not row.pipelined or not _is_back_end(operation):
            yield str(operation)


def eop_operation(context: Context, eop: EndOfPipe) -> Iterator[str]:
    """An operation that an end of pipe of this machine does not carry."""
    for operation in eop.operations:
        row = context.machine.operation(operation.cache, operation.action)
        carried = operation.cache in context.machine.eop_caches
        if row is None or not row.pipelined or not carried:
            yield str(operation)


def sync_operation(context: Context, sync: SurfaceSync) -> Iterator[str]:
    """An operation that cannot be issued at the top of pipe."""
    for operation in sync.operations:
        row = context.machine.operation(operation.cache, operation.action)
        if row is None or not row.top:
            yield str(operation)


def _is_back_end(operation: CacheOperation) -> bool:
    return operation.cache.startswith(("cb.", "db."))


def compute_operation(context: Context, command: EndOfPipe | SurfaceSync) -> Iterator[str]:
    """CB and DB operations on a compute queue."""
    if context.kind is COMPUTE:
        yield from (str(row) for row in command.operations if _is_back_end(row))


def compute_coherency(context: Context, sync: SurfaceSync) -> Iterator[str]:
    """Coherency bits on a compute queue."""
    return iter(sync.coherency if context.kind is COMPUTE else ())


def coherency(_context: Context, sync: SurfaceSync) -> Iterator[str]:
    """Coherency bits that do not exist."""
    return (bit for bit in sync.coherency if bit not in COHERENCY)


def repeated(_context: Context, command: EndOfPipe | PipelinedEvent | SurfaceSync) -> Iterator[str]:
    """The same operation or bit twice."""
    words = Counter(str(operation) for operation in command.operations)
    if isinstance(command, SurfaceSync):
        words.update(command.coherency)
    return (word for word, count in words.items() if count > 1)


def sync_range(_context: Context, sync: SurfaceSync) -> Iterator[str]:
    """A range that is none."""
    if not 0 <= sync.start <= sync.end <= WHOLE_END:
        yield f"{sync.start:#x}:{sync.end:#x}"


def _label_of(command: Command) -> Resource | None:
    if isinstance(command, EndOfPipe | EndOfShader | WaitMemory | SetLabel):
        return command.label
    return None


def not_a_label(_context: Context, command: Command) -> Iterator[str]:
    """A fence on something else than a label."""
    label = _label_of(command)
    if label is not None and label.kind is not ResourceKind.LABEL:
        yield label.name


def large_value(_context: Context, command: EndOfPipe | EndOfShader | SetLabel) -> Iterator[str]:
    """A value that the label cannot hold."""
    label = command.label
    if not 0 <= command.value < 1 << (8 * (label.main.size if label else 8)):
        yield str(command.value)


def large_reference(_context: Context, wait: WaitMemory) -> Iterator[str]:
    """A reference or mask that no label can hold."""
    return (str(value) for value in (wait.reference, wait.mask) if not 0 <= value < 1 << 64)


def value_and_timestamp(_context: Context, eop: EndOfPipe) -> Iterator[str]:
    """An end of pipe that writes twice."""
    if eop.label is not None and eop.timestamp is not None:
        yield eop.label.name


def not_a_back_buffer(_context: Context, command: Present | WaitFlip) -> Iterator[str]:
    """A flip of something else than a back buffer."""
    resource = command.access.resource if isinstance(command, Present) else command.buffer
    if resource.kind is not ResourceKind.BACK_BUFFER:
        yield resource.name


def part_of_a_buffer(_context: Context, present: Present) -> Iterator[str]:
    """A flip to something else than the whole pixels, or by another block than the display."""
    access, main = present.access, present.access.resource.main
    whole = (access.part, access.start, access.end) == (main.name, main.start, main.end)
    if not whole or (access.block, access.use) != ("display", "scan"):
        yield access.resource.name


def foreign_timestamp(_context: Context, eop: EndOfPipe) -> Iterator[str]:
    """A timestamp that is not written by CP."""
    access = eop.timestamp
    if access is not None and (access.block, access.use) != ("cp", "write"):
        yield f"{access.block}.{access.use}"


def kickoff_target(context: Context, kickoff: Kickoff) -> Iterator[str]:
    """A kickoff of a queue that is not there, or on a GPU queue of another one."""
    if context.kind is not CPU:
        if kickoff.queue:
            yield kickoff.queue
        return
    target = context.queues.get(kickoff.queue)
    if target is None or target.kind not in (GRAPHICS, COMPUTE):
        yield kickoff.queue


def foreign_access(_machine: Machine, kind: WorkKind | None, access: Access) -> bool:
    """A block that this kind of work does not use."""
    if kind is None:
        return False
    block = access.block[:2] if access.block.startswith("cb") else access.block
    return not {block, f"{block}.{access.use}"} & set(WORKS[kind].blocks)


def no_way(machine: Machine, _kind: WorkKind | None, access: Access) -> bool:
    """An access that is in no row of the ways table."""
    return access.block not in BLOCKS or machine.way(access.block, access.use, access.part) is None


def no_policy(machine: Machine, _kind: WorkKind | None, access: Access) -> bool:
    """A policy that this access cannot have."""
    way = machine.way(access.block, access.use, access.part)
    return access.policy is not None and way is not None and access.policy not in way.policies


def not_for_gds(_machine: Machine, _kind: WorkKind | None, access: Access) -> bool:
    """GDS is reached by its own instructions and by CP DMA, not through memory's caches."""
    if access.part != "gds":
        return False
    return not (access.use.startswith("gds-") or (access.block, access.use) in _GDS_BY_DMA)


_GDS_BY_DMA = (("dma", "read"), ("dma", "write"))
