"""Generated streams: many commands, two accesses each, a synchronization now and then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle

from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    EndOfPipe,
    PartialFlush,
    PipelinedEvent,
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
    PipelinedEvent(operations=(CacheOperation("cb.pixels", "wbinv"),)),
    PartialFlush(stage="ps"),
    EndOfPipe(operations=_FLUSH),
    SurfaceSync(engine="me", operations=_FLUSH, coherency=_COHERENCY),
    WaitIdle(),
    SurfaceSync(engine="me", operations=_FLUSH),
)
"""In turn; two rounds pass before a clean stream comes back to a resource."""


def program(commands: int, seed: int = 0, *, clean: bool = True) -> Program:
    """A graphics queue of `commands` commands over 1,000 resources, the same for the same seed.

    A clean stream takes resources that it has left alone for long; another takes any, which makes
    a hazard of every other command.
    """
    targets = _resources(ResourceKind.COLOR, "pixels", first=0)
    buffers = _resources(ResourceKind.BUFFER, "bytes", first=len(targets))
    choice = random.Random(seed)
    listing = tuple(
        _commands(commands, _Pool(targets, choice, clean), _Pool(buffers, choice, clean), choice)
    )
    queue = Queue("gfx", QueueKind.GRAPHICS, listing)
    return Program("xbox-one", (*targets, *buffers), (queue,))


def _resources(kind: ResourceKind, part: str, first: int) -> tuple[Resource, ...]:
    """Half of the resources, side by side in memory."""
    starts = [(first + index + 1) * SIZE for index in range(RESOURCES // 2)]
    return tuple(
        Resource(f"{kind}{start // SIZE}", kind, (Part(part, start, start + SIZE),))
        for start in starts
    )


class _Pool:
    """Resources in the order of their last use."""

    def __init__(self, resources: tuple[Resource, ...], choice: random.Random, clean: bool) -> None:
        self._order = list(resources)
        self._choice = choice
        self._reach = len(resources) // 2 if clean else len(resources)

    def take(self) -> Resource:
        """One of those that were used longest ago, or any."""
        found = self._order.pop(self._choice.randrange(self._reach))
        self._order.append(found)
        return found


def _commands(
    count: int, targets: _Pool, buffers: _Pool, choice: random.Random
) -> Iterator[Command]:
    synchronizations = cycle(_SYNCHRONIZATIONS)
    for index in range(count):
        if index % SYNCHRONIZATION_EVERY == SYNCHRONIZATION_EVERY - 1:
            yield next(synchronizations)
        elif choice.random() < 0.5:
            read = _access("ps", "texture", buffers.take())
            yield _work(WorkKind.DRAW, read, _access("cb0", "write", targets.take()))
        else:
            read = _access("cs", "texture", targets.take())
            yield _work(WorkKind.DISPATCH, read, _access("cs", "uav-write", buffers.take()))


def _work(kind: WorkKind, *accesses: Access) -> Work:
    return Work(kind=kind, verb=kind.value, accesses=accesses)


def _access(block: str, use: str, resource: Resource) -> Access:
    part = resource.main
    return Access(block, use, resource, part.name, part.start, part.end)
