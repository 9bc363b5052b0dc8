"""Synchronization that does nothing or more than it must, found without a search (design 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fencepost.coherence.finding import Finding, Fix, Kind, Spot
from fencepost.coherence.repeated import Repeats
from fencepost.stream.command import (
    Command,
    PfpSyncMe,
    SetLabel,
    SurfaceSync,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import WHOLE_END

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination
    from fencepost.coherence.replay import Replay

MOST_TRIED = 4000
"""Narrower ranges are tried by checking the whole stream again; longer streams are left alone."""


def find_waste(examination: Examination, replay: Replay, repeats: Repeats) -> list[Finding]:
    """All waste that a look at the stream shows. `repeats` has listened to the replay."""
    found = []
    hazards = len(replay.outcome.hits)
    for queue in examination.program.queues:
        found += [_null_range(spot) for spot in _null_ranges(queue)]
        if queue.kind is QueueKind.GRAPHICS:
            found += [_idle_pfp(spot) for spot in _pfp_without_consumer(queue, examination)]
            found += _whole_ranges(queue, examination, hazards)
    found += _repeated(examination, repeats)
    return [finding for finding in found if not finding.later.command.foreign]


def _finding(rule: str, message: str, spot: Spot, missing: str, fix: Fix | None = None) -> Finding:
    return Finding(rule, Kind.WASTE, message, spot, missing=missing, fix=fix)


# -- base and size both zero


def _null_ranges(queue: Queue) -> Iterator[Spot]:
    for position, command in enumerate(queue.commands):
        if isinstance(command, SurfaceSync) and command.start == command.end == 0:
            yield Spot(queue.name, position, command)


def _null_range(spot: Spot) -> Finding:
    return _finding(
        "null-range-sync",
        "base and size are both zero: it waits for nothing, and the depth block may hang",
        spot,
        "a range: the surface's, or the whole one",
    )


# -- PFP held for nothing


def _holds_pfp(command: Command) -> bool:
    """Does this command make PFP wait?"""
    if isinstance(command, WaitMemory | SurfaceSync):
        return command.engine == "pfp"
    return isinstance(command, PfpSyncMe)


def _uses_pfp(command: Command, examination: Examination) -> bool:
    """Does PFP read or start something here, or act on caches?"""
    if isinstance(command, SurfaceSync | SetLabel):
        return command.engine == "pfp"
    if not isinstance(command, Work):
        return False
    if command.kind is WorkKind.DMA and command.engine == "pfp":
        return True
    machine = examination.machine
    rows = (machine.way(a.block, a.use, a.part) for a in command.accesses)
    return any(row is not None and row.engine == "pfp" for row in rows)


def _pfp_without_consumer(queue: Queue, examination: Examination) -> Iterator[Spot]:
    """PFP holds with no use of PFP before the next one.

    A surface sync on PFP is itself a use of what came before.
    """
    wanted = False
    found = []
    for position in range(len(queue.commands) - 1, -1, -1):
        command = queue.commands[position]
        holds = _holds_pfp(command)
        if holds and not wanted:
            found.append(Spot(queue.name, position, command))
        if holds:
            wanted = False
        wanted = wanted or _uses_pfp(command, examination)
    yield from reversed(found)


def _idle_pfp(spot: Spot) -> Finding:
    return _finding(
        "pfp-sync-without-consumer",
        "PFP is held here, but reads nothing that needs it before the next synchronization of PFP",
        spot,
        "the same on ME, or nothing",
    )


# -- the whole range, though the surface is known

Surface = tuple[str, int, int]


def _whole_ranges(queue: Queue, examination: Examination, hazards: int) -> list[Finding]:
    """Syncs over everything that stay right over the one surface that has been drawn to."""
    found = []
    surfaces: dict[Surface, Work] = {}
    for position, command in enumerate(queue.commands):
        if isinstance(command, Work) and command.kind is WorkKind.DRAW:
            surfaces |= dict.fromkeys(_targets(command), command)
        elif isinstance(command, SurfaceSync) and command.coherency:
            if command.start == 0 and command.end >= WHOLE_END and len(surfaces) == 1:
                spot = Spot(queue.name, position, command)
                found += _narrower(spot, next(iter(surfaces.items())), examination, hazards)
            surfaces = {}
    return found


def _targets(work: Work) -> list[Surface]:
    return [
        (access.block, access.start, access.end)
        for access in work.accesses
        if access.block.startswith(("cb", "db")) and access.part == access.resource.main.name
    ]


def _narrower(
    spot: Spot, target: tuple[Surface, Work], examination: Examination, hazards: int
) -> list[Finding]:
    (block, start, end), work = target
    command = spot.command
    if not isinstance(command, SurfaceSync) or block not in command.coherency:
        return []
    name = next(a.resource.name for a in work.accesses if a.block == block)
    narrow = replace(command, start=start, end=end, coherency=(block,), surface=None)
    if not _still_right(examination, spot, narrow, hazards):
        return []
    return [
        _finding(
            "whole-range-coherency",
            f"it waits for every draw, but since the last one only {name} has been drawn to",
            spot,
            f"the base and size of {name} ({start:#x}, {end - start:#x} bytes), with {block} alone",
        )
    ]


def _still_right(examination: Examination, spot: Spot, command: Command, hazards: int) -> bool:
    """Are there no more hazards with that command in place of the one at the spot?"""
    program = examination.program
    if sum(len(queue.commands) for queue in program.queues) > MOST_TRIED:
        return False
    other = examination.again(_with(program, spot, command)).replay()
    return len(other.outcome.hits) <= hazards and not other.outcome.stuck


def _with(program: Program, spot: Spot, command: Command) -> Program:
    queues = []
    for queue in program.queues:
        if queue.name == spot.queue:
            commands = list(queue.commands)
            commands[spot.position] = command
            queue = replace(queue, commands=commands)
        queues.append(queue)
    return replace(program, queues=tuple(queues))


# -- operations on caches that nothing has used since


def _repeated(examination: Examination, repeats: Repeats) -> list[Finding]:
    return [
        _finding(
            "repeated-flush",
            f"{operation}: nothing has used that cache since the last such operation",
            Spot(examination.program.queues[queue].name, position, command),
            "nothing: drop the operation",
        )
        for queue, position, command, operation in repeats.found()
    ]
