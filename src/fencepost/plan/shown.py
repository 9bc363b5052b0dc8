"""What stands between works, so that the program shows what it is for.

A flush in front of all work may be for the last frame's, one behind all work for whoever comes
next. Through labels the works of other queues count too.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.coherence.issue import accesses_of
from fencepost.stream.command import Command, Kickoff, WaitMemory, Work
from fencepost.stream.program import Program, Queue, QueueKind

NEVER = 1 << 62


class Shown:
    """For each queue, from where on works have come before, and up to where some are to come."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.writers = _by_label(program, waits=False)
        self.waiters = _by_label(program, waits=True)
        self.working = [_works(queue) for queue in program.queues]
        self.begin = [self._begin(number) for number in range(len(program.queues))]
        self.end = [self._end(number) for number in range(len(program.queues))]

    def encloses(self, number: int, position: int) -> bool:
        """Does something come before this command and something after it?"""
        command = self.program.queues[number].commands[position]
        before = position > self.begin[number] or self._waits_for(number, command, _ANY)
        return before and position <= self.end[number]

    def _begin(self, number: int) -> int:
        """The first work, or the first wait for another GPU queue's."""
        commands = self.program.queues[number].commands
        waits = (at for at, row in enumerate(commands) if self._waits_for(number, row, _NOT_CPU))
        return min(next(iter(self.working[number]), NEVER), next(waits, NEVER))

    def _waits_for(self, number: int, command: Command, kinds: frozenset[QueueKind]) -> bool:
        """Is it a wait for a value that another queue of these kinds writes, which has works?"""
        return isinstance(command, WaitMemory) and any(
            other != number and self.working[other] and self.program.queues[other].kind in kinds
            for other, _ in self.writers.get(command.label.name, ())
        )

    def _end(self, number: int) -> int:
        """The last command before the last work, or the last value that another queue waits for."""
        commands = self.program.queues[number].commands
        signals = [at for at, row in enumerate(commands) if self._is_awaited(number, row)]
        return max([at - 1 for at in self.working[number][-1:]] + signals[-1:], default=-1)

    def _is_awaited(self, number: int, command: Command) -> bool:
        label = getattr(command, "label", None)
        return (
            label is not None
            and not isinstance(command, WaitMemory)
            and any(
                other != number and at < (self.working[other] or [-1])[-1]
                for other, at in self.waiters.get(label.name, ())
            )
        )


_ANY = frozenset(QueueKind)
_NOT_CPU = _ANY - {QueueKind.CPU}


def _works(queue: Queue) -> list[int]:
    """Positions of works, of accesses that synchronization makes, of kickoffs by the CPU."""
    return [
        position
        for position, command in enumerate(queue.commands)
        if isinstance(command, Work)
        or accesses_of(command)
        or (isinstance(command, Kickoff) and command.queue)
    ]


def _by_label(program: Program, waits: bool) -> dict[str, list[tuple[int, int]]]:
    """Where each label is waited for, or written."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, position, command in _commands(program):
        label = getattr(command, "label", None)
        if label is not None and isinstance(command, WaitMemory) is waits:
            found.setdefault(label.name, []).append((number, position))
    return found


def _commands(program: Program) -> Iterator[tuple[int, int, Command]]:
    for number, queue in enumerate(program.queues):
        for position, command in enumerate(queue.commands):
            yield number, position, command
