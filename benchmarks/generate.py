"""Generated streams: many commands, two accesses each, a synchronization now and then."""

from __future__ import annotations

import random
from collections.abc import Iterator

from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    PartialFlush,
    SurfaceSync,
    WaitIdle,
    Work,
    WorkKind,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import Part, Resource, ResourceKind

RESOURCES = 1_000
SIZE = 64 * 1024
SYNCHRONIZATION_EVERY = 20

_FLUSH = (CacheOperation("tcc", "wbinv"), CacheOperation("tcp", "wbinv"))
_COHERENCY = tuple(f"cb{index}" for index in range(8))
_SYNCHRONIZATIONS: tuple[Command, ...] = (
    PartialFlush(stage="cs"),
    PartialFlush(stage="ps"),
    SurfaceSync(engine="me", operations=_FLUSH, coherency=_COHERENCY),
    WaitIdle(),
)


def program(commands: int, seed: int = 0) -> Program:
    """A graphics queue of `commands` commands over 1,000 resources, the same for the same seed."""
    targets = _resources(ResourceKind.COLOR, "pixels", first=0)
    buffers = _resources(ResourceKind.BUFFER, "bytes", first=len(targets))
    listing = tuple(_commands(commands, targets, buffers, random.Random(seed)))
    queue = Queue("gfx", QueueKind.GRAPHICS, listing)
    return Program("xbox-one", (*targets, *buffers), (queue,))


def _resources(kind: ResourceKind, part: str, first: int) -> tuple[Resource, ...]:
    """Half of the resources, side by side in memory."""
    starts = [(first + index + 1) * SIZE for index in range(RESOURCES // 2)]
    return tuple(
        Resource(f"{kind}{start // SIZE}", kind, (Part(part, start, start + SIZE),))
        for start in starts
    )


def _commands(
    count: int,
    targets: tuple[Resource, ...],
    buffers: tuple[Resource, ...],
    choice: random.Random,
) -> Iterator[Command]:
    for index in range(count):
        if index % SYNCHRONIZATION_EVERY == SYNCHRONIZATION_EVERY - 1:
            yield choice.choice(_SYNCHRONIZATIONS)
        elif choice.random() < 0.5:
            read = _access("ps", "texture", choice.choice(buffers))
            yield _work(WorkKind.DRAW, read, _access("cb0", "write", choice.choice(targets)))
        else:
            read = _access("cs", "texture", choice.choice(targets))
            yield _work(WorkKind.DISPATCH, read, _access("cs", "uav-write", choice.choice(buffers)))


def _work(kind: WorkKind, *accesses: Access) -> Work:
    return Work(kind=kind, verb=kind.value, accesses=accesses)


def _access(block: str, use: str, resource: Resource) -> Access:
    part = resource.main
    return Access(block, use, resource, part.name, part.start, part.end)
