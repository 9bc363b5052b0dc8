"""Changes to a program: other commands in the place of some, and where every command came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fencepost.stream.command import Command
from fencepost.stream.program import Program
from fencepost.stream.resource import Resource

At = tuple[int, int]
"""The number of a queue and a position in it."""

Edit = Mapping[At, tuple[Command, ...]]
"""What stands in the place of a command: nothing, another one, or several."""


@dataclass(frozen=True, slots=True)
class Edited:
    """A changed program. `origins`: for each command of each queue its position before."""

    program: Program
    origins: tuple[tuple[int, ...], ...]

    def origin(self, queue: int, position: int) -> At:
        """Where a command of the changed program stood before."""
        return queue, self.origins[queue][position]


def edited(program: Program, edit: Edit, resources: tuple[Resource, ...] = ()) -> Edited:
    """The program with an edit made, and these resources more."""
    queues, origins = [], []
    for number, queue in enumerate(program.queues):
        rows = [
            (position, command)
            for position, old in enumerate(queue.commands)
            for command in edit.get((number, position), (old,))
        ]
        queues.append(replace(queue, commands=[command for _, command in rows]))
        origins.append(tuple(position for position, _ in rows))
    changed = replace(program, queues=tuple(queues), resources=(*program.resources, *resources))
    return Edited(changed, tuple(origins))
