"""Every synchronization command that could stand in a gap; labels for values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import TypeVar

from fencepost.coherence.queues import ME, PFP
from fencepost.machine.tables import Machine
from fencepost.stream.command import (
    CacheOperation,
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
    Work,
)
from fencepost.stream.program import Queue, QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Part, Resource, ResourceKind

LABELS_AT = 1 << 47
READ_CACHES = ("tcc", "tcp", "k", "i")
T = TypeVar("T")


def queue_of(commands: tuple[Command, ...]) -> Queue:
    """The one queue."""
    return Queue("gfx", QueueKind.GRAPHICS, commands)


def label(number: int) -> Resource:
    """The label of the value that a program's command of that number writes."""
    start = LABELS_AT + 0x100 * number
    return Resource(f"value{number}", ResourceKind.LABEL, (Part("bytes", start, start + 8),))


def labelled(command: Command, number: int) -> Command:
    """The command with a label of its own, where it writes a value."""
    if isinstance(command, EndOfPipe | EndOfShader | SetLabel) and command.label is not None:
        return replace(command, label=label(number))
    return command


def wait_for(number: int, engine: str) -> WaitMemory:
    """A wait for the value of the command of that number."""
    return WaitMemory(
        engine=engine,
        label=label(number),
        comparison=Comparison.GREATER_EQUAL,
        reference=1,
    )


def synchronization(works: Sequence[Work], machine: Machine) -> Iterator[Command]:
    """Every command but waits for values; of CB and DB, those of a block that some work uses."""
    blocks = {access.block[:2] for work in works for access in work.accesses}
    yield from (PartialFlush(stage=stage) for stage in ("vs", "ps", "cs"))
    yield WaitIdle()
    yield PfpSyncMe()
    yield from (EndOfShader(stage=stage, label=label(0), value=1) for stage in ("ps", "cs"))
    yield from (SetLabel(engine=engine, label=label(0), value=1) for engine in (ME, PFP))
    for operations in operation_sets(machine, blocks, "pipelined"):
        if operations and all(one.cache[:2] in ("cb", "db") for one in operations):
            yield PipelinedEvent(operations=operations)
        if all(one.cache in machine.eop_caches for one in operations):
            yield EndOfPipe(label=label(0), value=1, operations=operations)
            if operations:
                yield EndOfPipe(operations=operations)
    for operations in operation_sets(machine, blocks, "top"):
        for bits, start, end in ranges(works):
            if operations or bits:
                for engine in (ME, PFP):
                    yield SurfaceSync(
                        engine=engine, operations=operations, coherency=bits, start=start, end=end
                    )


def operation_sets(
    machine: Machine, blocks: set[str], where: str
) -> Iterator[tuple[CacheOperation, ...]]:
    """Every set of operations, at most one a cache; the empty one too.

    Volatile lines need a mark in the resource's descriptor (seed's table): left out.
    """
    rows = [row for row in machine.operations if getattr(row, where)]
    able = [row for row in rows if row.cache in READ_CACHES or row.cache[:2] in blocks]
    for some in subsets(able):
        if len({row.cache for row in some}) == len(some):
            yield tuple(CacheOperation(row.cache, row.action) for row in some)


def subsets(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every subset, smallest first."""
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def ranges(works: Sequence[Work]) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Coherency: no bits; every set of the bits of targets with every range of some of them."""
    targets = [a for w in works for a in w.accesses if a.block[:2] in ("cb", "db")]
    bits = sorted({access.block for access in targets})
    spans = {(WHOLE_START, WHOLE_END)}
    for some in subsets(sorted({(access.start, access.end) for access in targets})):
        if some:
            spans.add((some[0][0], max(end for _, end in some)))
    yield (), WHOLE_START, WHOLE_END
    for chosen in subsets(bits):
        if chosen:
            for start, end in sorted(spans):
                yield chosen, start, end
