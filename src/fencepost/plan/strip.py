"""A program without its synchronization. What says the order between queues stays."""

from __future__ import annotations

from dataclasses import replace

from fencepost.stream.command import (
    Command,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import Program, Queue, QueueKind

DROPPED = (PartialFlush, PfpSyncMe, WaitIdle, PipelinedEvent, SurfaceSync, DmaWait)


def strip(program: Program) -> Program:
    """Without flushes, events, syncs, and fences inside one queue.

    EOPs between queues lose their cache operations.
    """
    writers = _writers(program)
    queues = []
    for queue in program.queues:
        kept = [command for command in queue.commands if _stays(command, queue, writers, program)]
        queues.append(replace(queue, commands=[_bare(command) for command in kept]))
    return replace(program, queues=tuple(queues))


def _writers(program: Program) -> dict[str, set[str]]:
    """Which queues write each label."""
    found: dict[str, set[str]] = {}
    for queue in program.queues:
        for command in queue.commands:
            label = getattr(command, "label", None)
            if label is not None and not isinstance(command, WaitMemory):
                found.setdefault(label.name, set()).add(queue.name)
    return found


def _waited_elsewhere(label: str, queue: str, program: Program) -> bool:
    return any(
        isinstance(command, WaitMemory) and command.label.name == label
        for other in program.queues
        if other.name != queue
        for command in other.commands
    )


def _stays(command: Command, queue: Queue, writers: dict[str, set[str]], program: Program) -> bool:
    if isinstance(command, DROPPED):
        return False
    if isinstance(command, WaitMemory):
        return queue.kind is QueueKind.CPU or bool(
            writers.get(command.label.name, set()) - {queue.name}
        )
    if isinstance(command, EndOfPipe | EndOfShader):
        timestamp = isinstance(command, EndOfPipe) and command.timestamp is not None
        label = command.label
        return timestamp or (
            label is not None and _waited_elsewhere(label.name, queue.name, program)
        )
    return True


def _bare(command: Command) -> Command:
    return replace(command, operations=()) if isinstance(command, EndOfPipe) else command
