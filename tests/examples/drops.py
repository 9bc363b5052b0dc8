"""A program with one piece of its synchronization left out, for every such piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from fencepost.stream.command import (
    CacheOperation,
    Command,
    EndOfPipe,
    EndOfShader,
    Frame,
    Kickoff,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import Program
from fencepost.stream.resource import Resource


@dataclass(frozen=True, slots=True)
class Drop:
    """`piece` of the command on `line`, and the program without it."""

    line: int
    piece: str
    program: Program

    @property
    def name(self) -> str:
        return f"{self.line}: {self.piece}"


Change = Callable[[Command], Command | None]
"""What becomes of a command; None: it goes."""


def drops(program: Program) -> Iterator[Drop]:
    """Every single piece: cache operation, coherency bit, wait, value, fence, flush, kickoff."""
    for queue in program.queues:
        for command in queue.commands:
            for piece, change in _pieces(command, program):
                yield Drop(command.place.line, piece, _changed(program, change))


def _changed(program: Program, change: Change) -> Program:
    queues = tuple(
        replace(queue, commands=[new for old in queue.commands if (new := change(old)) is not None])
        for queue in program.queues
    )
    return replace(program, queues=queues)


def _pieces(command: Command, program: Program) -> Iterator[tuple[str, Change]]:
    match command:
        case PartialFlush():
            yield f"flush {command.stage}", _without(command)
        case PfpSyncMe():
            yield "pfp-sync-me", _without(command)
        case WaitIdle():
            yield "wait idle", _without(command)
        case Frame():
            yield "frame", _without(command)
        case WaitMemory():
            yield "wait", _without(command)
        case EndOfShader():
            yield "value", _without(command)
            yield "fence", _without_fence(command, None, command.label)
        case EndOfPipe() | PipelinedEvent() | SurfaceSync():
            yield from _parts(command)
        case Kickoff() if command.queue:
            yield "kickoff", _without_kickoff(command, program)
        case _:
            return


def _parts(command: EndOfPipe | PipelinedEvent | SurfaceSync) -> Iterator[tuple[str, Change]]:
    """A packet loses one of its cache operations, coherency bits, or its value."""
    if isinstance(command, EndOfPipe) and command.label is not None:
        left = _unless_empty(replace(command, label=None))
        yield "value", _into(command, left)
        yield "fence", _without_fence(command, left, command.label)
    for operation in command.operations:
        rest = tuple(other for other in command.operations if other != operation)
        yield str(operation), _into(command, _unless_empty(replace(command, operations=rest)))
    if isinstance(command, SurfaceSync):
        for bit in command.coherency:
            bits = tuple(other for other in command.coherency if other != bit)
            yield bit, _into(command, _unless_empty(replace(command, coherency=bits)))


def _unless_empty(command: EndOfPipe | PipelinedEvent | SurfaceSync) -> Command | None:
    says: tuple[Resource | CacheOperation | str | None, ...] = command.operations
    if isinstance(command, EndOfPipe):
        says += (command.label,)
    if isinstance(command, SurfaceSync):
        says += command.coherency
    return command if any(says) else None


def _into(command: Command, other: Command | None) -> Change:
    return lambda found: other if found is command else found


def _without(command: Command) -> Change:
    return _into(command, None)


def _without_fence(command: Command, left: Command | None, label: Resource) -> Change:
    """The value goes, and the waits for it."""

    def change(found: Command) -> Command | None:
        if found is command:
            return left
        return None if isinstance(found, WaitMemory) and found.label is label else found

    return change


def _without_kickoff(command: Kickoff, program: Program) -> Change:
    """The n-th kickoff of a queue goes with that queue's n-th mark (model 4.8)."""
    kicks = [k for q in program.queues for k in q.commands if _is_kickoff(k, command.queue)]
    (target,) = [queue for queue in program.queues if queue.name == command.queue]
    marks = [mark for mark in target.commands if isinstance(mark, Kickoff)]
    mark = marks[kicks.index(command)]
    return lambda found: None if found is command or found is mark else found


def _is_kickoff(command: Command, queue: str) -> bool:
    return isinstance(command, Kickoff) and command.queue == queue
