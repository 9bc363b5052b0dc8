"""What a clean form carries that its transition can spare, one piece at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fencepost.stream.command import (
    CacheOperation,
    Command,
    EndOfPipe,
    PipelinedEvent,
    SurfaceSync,
)
from fencepost.stream.program import Program, Queue
from tests.drivers.forms import CASES, Form, Transition
from tests.drivers.judge import hazards_of

REUSE = CASES[1]


def spared(transition: Transition, form: Form) -> list[str]:
    """The pieces of the form that can go where the resource is used again, each by itself.

    A piece is a command, or one cache operation of it. What is common to all forms of the
    transition is not asked about.
    """
    program = transition.program(REUSE, form)
    lines = dict(enumerate(transition.lines(REUSE, form), 1))
    return [
        piece
        for number, queue in enumerate(program.queues)
        for at, command in enumerate(queue.commands)
        if lines[command.place.line][1]
        for piece, fewer in _lesser(command, lines[command.place.line][0])
        if not hazards_of(_with(program, number, queue, at, fewer))
    ]


def _lesser(command: Command, line: str) -> Iterator[tuple[str, Command | None]]:
    """The command without each of its operations, and nothing in its place."""
    operations: tuple[CacheOperation, ...] = getattr(command, "operations", ())
    if len(operations) < 2:
        yield f"`{' '.join(line.split()[:2])}`", None
        return
    for gone in operations:
        left = tuple(operation for operation in operations if operation is not gone)
        assert isinstance(command, EndOfPipe | PipelinedEvent | SurfaceSync)
        yield f"`{gone}`", replace(command, operations=left)


def _with(program: Program, number: int, queue: Queue, at: int, command: Command | None) -> Program:
    commands = list(queue.commands)
    commands[at : at + 1] = [] if command is None else [command]
    queues = list(program.queues)
    queues[number] = replace(queue, commands=commands)
    return replace(program, queues=tuple(queues))
