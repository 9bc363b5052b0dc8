"""The shapes of a program's commands and accesses, numbered as they come."""

from __future__ import annotations

from typing import Any

from fencepost.coherence.issue import engine_of, steps_of
from fencepost.coherence.queues import PFP
from fencepost.machine.primitives import Roll
from fencepost.machine.tables import Machine
from fencepost.stream.command import (
    Access,
    Command,
    Kickoff,
    PfpSyncMe,
    SurfaceSync,
    WaitMemory,
    Work,
)
from fencepost.stream.program import Queue, QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START

ENGINES = ("me", "pfp", "kick", "serial", "end")
"""Whose clock an access may rely on, as the machine's ways name it."""

LABELLED, ROLLS = 1, 2
"""Flags of a shape: it writes a label or waits for one; it may roll the context."""

WHOLE = (WHOLE_START, WHOLE_END)
TARGET_BLOCKS = ("cb", "db", "so")
MOST_BLOCKS = 16


class Unsupported(Exception):
    """A program that the integers have no place for."""


class Shapes:
    """What a program is made of; each shape with the first command or access that has it.

    Shapes of commands belong to one queue; shapes of accesses to the program. `unknown`: some work
    has accesses that the input does not show; `holds_pfp`: some command on PFP may hold it;
    `null_range`: some surface sync has an empty range; `ranged_stall`: some waits for the contexts
    of a range.
    """

    def __init__(self, machine: Machine, queues: tuple[Queue, ...]) -> None:
        self.machine = machine
        self.queues = queues
        self.queue = -1
        self.commands: list[tuple[int, Command]] = []
        self.flags: list[int] = []
        self.unknown = False
        self.holds_pfp = False
        self.null_range = False
        self.ranged_stall = False
        self.accesses: list[tuple[Access, str]] = []
        self.access_engines: list[int] = []
        self.access_targets: list[int] = []
        self.blocks: dict[str, int] = {}
        self._commands: dict[tuple[Any, ...], int] = {}
        self._accesses: dict[tuple[Any, ...], int] = {}

    def begin_queue(self) -> None:
        """The commands that follow are of the next queue."""
        self.queue += 1
        self._commands = {}

    def work(self, key: tuple[Any, ...], work: Work) -> int:
        """The shape of a work."""
        shape = self._commands.get(key)
        if shape is None:
            shape = self._add(key, work, 0)
            self.unknown |= bool(work.unknown)
        return shape

    def synchronization(self, key: tuple[Any, ...], command: Command) -> int:
        """The shape of a synchronization command."""
        shape = self._commands.get(key)
        if shape is None:
            shape = self._add(key, command, self._flags(command))
        return shape

    def _add(self, key: tuple[Any, ...], command: Command, flags: int) -> int:
        shape = self._commands[key] = len(self.commands)
        self.commands.append((self.queue, command))
        self.flags.append(flags)
        return shape

    def _flags(self, command: Command) -> int:
        kind = self.queues[self.queue].kind
        pfp = engine_of(command, kind) == PFP or isinstance(command, PfpSyncMe)
        self.holds_pfp |= pfp and kind is QueueKind.GRAPHICS
        if isinstance(command, SurfaceSync):
            self.null_range |= command.start == command.end == 0
            self.ranged_stall |= bool(command.coherency) and (command.start, command.end) != WHOLE
        steps = steps_of(command, kind, self.machine)
        labelled = isinstance(command, Kickoff | WaitMemory) or bool(
            getattr(command, "label", None)
        )
        rolls = any(isinstance(step, Roll) for step in steps)
        return LABELLED * labelled + ROLLS * rolls

    def access(self, key: tuple[Any, ...], access: Access) -> int:
        """The shape of an access; `key` ends with the engine that kicks its command."""
        shape = self._accesses.get(key)
        if shape is None:
            row = self.machine.way(access.block, access.use, access.part)
            if row is None:
                raise Unsupported
            shape = self._accesses[key] = len(self.accesses)
            self.accesses.append((access, key[-1]))
            self.access_engines.append(ENGINES.index(row.engine))
            self.access_targets.append(self._target(access.block))
        return shape

    def _target(self, block: str) -> int:
        """The number of a block whose surfaces are context registers, or -1."""
        if block[:2] not in TARGET_BLOCKS:
            return -1
        number = self.blocks.setdefault(block, len(self.blocks))
        if number >= MOST_BLOCKS:
            raise Unsupported
        return number
