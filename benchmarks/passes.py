"""Generated frames without synchronization, to be planned: passes that read what others wrote."""

from __future__ import annotations

import random

from fencepost.stream.command import Access, Work, WorkKind
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import Part, Resource, ResourceKind

RESOURCES = 500
SIZE = 64 * 1024
RECENT = 12
"""A pass reads what one of so many passes before it wrote."""


def program(passes: int, seed: int = 0, resources: int = RESOURCES) -> Program:
    """A graphics queue of draws and dispatches, the same for the same seed.

    Each pass writes one resource, most of them used before, and reads up to three: targets as
    textures, buffers as textures, constants, vertices or arguments. So about every other pass has
    to wait for one before it.
    """
    frame = _Frame(random.Random(seed), resources)
    works = tuple(frame.work() for _ in range(passes))
    queue = Queue("gfx", QueueKind.GRAPHICS, works)
    return Program("xbox-one", frame.resources, (queue,))


class _Frame:
    """Makes one pass after the other."""

    def __init__(self, choice: random.Random, resources: int) -> None:
        self.choice = choice
        kinds = (ResourceKind.COLOR, ResourceKind.DEPTH, ResourceKind.BUFFER, ResourceKind.BUFFER)
        parts = {ResourceKind.BUFFER: "bytes"}
        self.resources = tuple(
            Resource(
                f"{kind}{number}",
                kind,
                (Part(parts.get(kind, "pixels"), (number + 1) * SIZE, (number + 2) * SIZE),),
            )
            for number in range(resources)
            for kind in (kinds[number % len(kinds)],)
        )
        self.written: list[Resource] = []

    def work(self) -> Work:
        """A draw or a dispatch."""
        if self.choice.random() < 0.6:
            return self._draw()
        target = self._target(ResourceKind.BUFFER)
        accesses = [*self._reads("cs", target), _access("cs", "uav-write", target)]
        self.written.append(target)
        return Work(kind=WorkKind.DISPATCH, verb="dispatch", accesses=tuple(accesses))

    def _draw(self) -> Work:
        kind = self.choice.choice((ResourceKind.COLOR, ResourceKind.COLOR, ResourceKind.DEPTH))
        target = self._target(kind)
        write = "db" if kind is ResourceKind.DEPTH else "cb0"
        accesses = [*self._reads("ps", target), _access(write, "write", target)]
        self.written.append(target)
        return Work(kind=WorkKind.DRAW, verb="draw", accesses=tuple(accesses))

    def _target(self, kind: ResourceKind) -> Resource:
        return self.choice.choice([one for one in self.resources if one.kind is kind])

    def _reads(self, stage: str, target: Resource) -> list[Access]:
        recent = self.written[-RECENT:]
        count = min(self.choice.randrange(4), len(recent))
        chosen = self.choice.sample(recent, count)
        return [
            _access(*self._use(stage, one), one)
            for one in dict.fromkeys(chosen)
            if one is not target
        ]

    def _use(self, stage: str, resource: Resource) -> tuple[str, str]:
        if resource.kind is not ResourceKind.BUFFER:
            return stage, "texture"
        uses = [(stage, "texture"), (stage, "constant"), (stage, "buffer"), ("pfp", "args")]
        return self.choice.choice(uses)


def _access(block: str, use: str, resource: Resource) -> Access:
    part = resource.main
    return Access(block, use, resource, part.name, part.start, part.end)
