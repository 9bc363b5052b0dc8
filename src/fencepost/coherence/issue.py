"""Which engine executes a command, by which steps, on which range.

From the machine's command rows.
"""

from __future__ import annotations

from fencepost.coherence.layout import Range
from fencepost.coherence.queues import ME, OWN_GROUP, PFP
from fencepost.machine.primitives import Release, Step
from fencepost.machine.tables import Machine, WayRow
from fencepost.stream.command import (
    Access,
    Command,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    Kickoff,
    PartialFlush,
    PfpSyncMe,
    Present,
    SurfaceSync,
    WaitMemory,
    Work,
)
from fencepost.stream.program import Program, QueueKind


def engine_of(command: Command, kind: QueueKind) -> str:
    """The engine that executes a synchronization command."""
    match kind:
        case QueueKind.CPU:
            return "cpu"
        case QueueKind.COPY:
            return "copy"
        case _:
            if isinstance(command, Kickoff):
                return PFP
            return str(getattr(command, "engine", ME))


def operand_of(command: Command, kind: QueueKind) -> str:
    """What tells a command's variants apart in the machine's table."""
    if isinstance(command, PartialFlush | EndOfShader):
        return command.stage
    if isinstance(command, Kickoff):
        return "cpu" if kind is QueueKind.CPU else "gpu"
    return ""


def steps_of(command: Command, kind: QueueKind, machine: Machine) -> tuple[Step, ...]:
    """The steps of a command; none for a command that the machine has no row for."""
    row = machine.command(type(command).__name__, operand_of(command, kind))
    return row.steps if row is not None else ()


def release_group(command: Command, kind: QueueKind, machine: Machine) -> str:
    """The group that says how far the values of such commands are written.

    "" if the command writes none.
    """
    for step in steps_of(command, kind, machine):
        if isinstance(step, Release):
            return step.group or OWN_GROUP[engine_of(command, kind)]
    return ""


def sync_span(machine: Machine, command: SurfaceSync) -> Range:
    """The range of a surface sync, widened to what its registers can say (model 4.6)."""
    grain = machine.sync_granularity
    return command.start // grain * grain, -(-command.end // grain) * grain


def ranged_operations(program: Program, machine: Machine) -> list[tuple[str, Range]]:
    """The (cache, range) pairs of all surface syncs whose operation honours its range."""
    found = []
    for queue in program.queues:
        for command in queue.commands:
            if isinstance(command, SurfaceSync) and command.operations:
                found += [
                    (cache.name, sync_span(machine, command))
                    for operation in command.operations
                    if (row := machine.operation(operation.cache, operation.action)) and row.ranged
                    for cache in machine.caches
                    if cache.operated_as == operation.cache
                ]
    return found


def holds_pfp(command: Command) -> bool:
    """Does this command make the PFP of a graphics queue wait?"""
    if isinstance(command, WaitMemory | SurfaceSync | DmaWait):
        return command.engine == PFP
    if isinstance(command, Work):
        return command.synchronous and command.engine == PFP
    return isinstance(command, PfpSyncMe | Kickoff)


def own_access(command: Command) -> Access | None:
    """The access that a synchronization command makes itself."""
    if isinstance(command, EndOfPipe):
        return command.timestamp
    return command.access if isinstance(command, Present) else None


def accesses_of(command: Command) -> tuple[Access, ...]:
    """Every access that a command makes."""
    if isinstance(command, Work):
        return command.accesses
    access = own_access(command)
    return () if access is None else (access,)


UNKNOWN_USES = ("uav", "constant", "code")
"""A shader whose accesses are not shown may go through every cache that these go through."""


def used_ways(program: Program, machine: Machine) -> list[WayRow]:
    """The rows of the ways that a program uses, in table order."""
    uses = {
        (access.block, access.use, access.part)
        for queue in program.queues
        for command in queue.commands
        for access in accesses_of(command)
    }
    uses |= {
        (stage, use, "bytes")
        for queue in program.queues
        for command in queue.commands
        if isinstance(command, Work)
        for stage in command.unknown
        for use in UNKNOWN_USES
    }
    rows = [machine.way(*use) for use in uses]
    return [row for row in machine.ways if row in rows]
