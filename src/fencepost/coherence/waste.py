"""Synchronization that does nothing or more than it must, found without a search (design 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fencepost.coherence.finding import Finding, Kind, Spot
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
from fencepost.stream.program import Queue, QueueKind

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination


def find_waste(examination: Examination, repeats: Repeats) -> list[Finding]:
    """All waste that a look at the stream shows. `repeats` has listened to its replay."""
    found = []
    for queue in examination.program.queues:
        found += [_null_range(spot) for spot in _null_ranges(queue)]
        if queue.kind is QueueKind.GRAPHICS:
            found += [_idle_pfp(spot) for spot in _pfp_without_consumer(queue, examination)]
    found += _repeated(examination, repeats)
    return [finding for finding in found if not finding.later.command.foreign]


def _finding(rule: str, message: str, spot: Spot, mend: str) -> Finding:
    return Finding(rule, Kind.WASTE, message, spot, missing=mend)


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


# -- operations on caches that nothing has used since


def _repeated(examination: Examination, repeats: Repeats) -> list[Finding]:
    return [
        _finding(
            "repeated-flush",
            f"{operation}: nothing has used that cache since the last such operation",
            Spot(examination.program.queues[queue].name, position, command),
            "drop the operation",
        )
        for queue, position, command, operation in repeats.found()
    ]
