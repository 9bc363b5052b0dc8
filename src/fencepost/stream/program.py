"""A program: a machine's name, resources, queues of commands (model 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from fencepost.place import NOWHERE, Place
from fencepost.stream.command import Command
from fencepost.stream.resource import Resource


class QueueKind(StrEnum):
    """What a queue may run is the machine's rule table."""

    GRAPHICS = "graphics"
    COMPUTE = "compute"
    COPY = "copy"
    CPU = "cpu"


@dataclass(frozen=True, slots=True)
class Queue:
    """A named queue and its commands, in order."""

    name: str
    kind: QueueKind
    commands: Sequence[Command]
    place: Place = NOWHERE


@dataclass(frozen=True, slots=True)
class Suppression:
    """`rule` is accepted at the command on `line` of `file` (0.

    everywhere in the file), for `reason`.

    `offset`: the command is the packet at that byte offset instead.
    """

    rule: str
    file: str
    line: int
    reason: str
    place: Place = NOWHERE
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Program:
    """What is checked. `resources` in the order of their declaration.

    `frames`: how many times each queue's commands stand here one after the other (`stream.repeat`).
    """

    machine: str
    resources: tuple[Resource, ...]
    queues: tuple[Queue, ...]
    suppressions: tuple[Suppression, ...] = ()
    guarantees: str = ""
    file: str = "<program>"
    frames: int = 1

    def resource(self, name: str) -> Resource | None:
        """The resource of that name, or None."""
        return next((resource for resource in self.resources if resource.name == name), None)
