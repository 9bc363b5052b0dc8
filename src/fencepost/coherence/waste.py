"""Synchronization that does nothing or more than it must, found without a search (design 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fencepost.coherence.finding import Finding, Fix, Kind, Spot
from fencepost.coherence.issue import steps_of
from fencepost.coherence.repeated import Repeats
from fencepost.machine.primitives import Flush
from fencepost.stream.command import (
    CacheOperation,
    Command,
    Kickoff,
    PfpSyncMe,
    SetLabel,
    SurfaceSync,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import Queue, QueueKind
from fencepost.stream.text.print_commands import CommandPrinter

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination


def find_waste(examination: Examination, repeats: Repeats) -> list[Finding]:
    """All waste that a look at the stream shows. `repeats` has listened to its replay."""
    found = []
    for queue in examination.program.queues:
        found += [_null_range(spot) for spot in _null_ranges(queue)]
        if queue.kind is QueueKind.GRAPHICS:
            idle = _pfp_without_consumer(queue, examination)
            found += [_idle_pfp(examination, queue, spot) for spot in idle]
    found += _repeated(examination, repeats)
    return [finding for finding in found if not finding.later.command.foreign]


def _finding(
    rule: str,
    message: str,
    spot: Spot,
    mend: str,
    instead: tuple[tuple[str, Command], ...] | None = None,
) -> Finding:
    """`instead`: what stands in the place of the command (nothing: it goes); None: no fix."""
    fix = None
    if instead is not None:
        lines, commands = tuple(row[0] for row in instead), tuple(row[1] for row in instead)
        why = "nothing else changes"
        fix = Fix(lines, spot, why, instead=True, commands=commands)
    return Finding(rule, Kind.WASTE, message, spot, missing=mend, fix=fix)


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
    if isinstance(command, Kickoff):
        steps = steps_of(command, QueueKind.GRAPHICS, examination.machine)
        return any(isinstance(step, Flush) for step in steps)
    if not isinstance(command, Work):
        return False
    if command.kind is WorkKind.DMA and command.engine == "pfp":
        return True
    machine = examination.machine
    rows = (machine.way(a.block, a.use, a.part) for a in command.accesses)
    return any(row is not None and row.engine == "pfp" for row in rows)


def _pfp_without_consumer(queue: Queue, examination: Examination) -> Iterator[Spot]:
    """PFP holds with no use of PFP before it waits for ME anyway.

    A surface sync on PFP is itself a use of what came before.
    """
    wanted = False
    found = []
    for position in range(len(queue.commands) - 1, -1, -1):
        command = queue.commands[position]
        holds = _holds_pfp(command)
        if holds and not wanted:
            found.append(Spot(queue.name, position, command))
        if isinstance(command, PfpSyncMe):
            wanted = False
        wanted = wanted or _uses_pfp(command, examination)
    yield from reversed(found)


def _idle_pfp(examination: Examination, queue: Queue, spot: Spot) -> Finding:
    command = spot.command
    on_me: Command | None = None
    if isinstance(command, WaitMemory | SurfaceSync):
        on_me = replace(command, engine="me")
    return _finding(
        "pfp-sync-without-consumer",
        "PFP is held here, but reads nothing that needs it before the next synchronization of PFP",
        spot,
        "drop it" if on_me is None else "the same on ME, or nothing",
        _instead(examination, queue, on_me),
    )


# -- operations on caches that nothing has used since


def _repeated(examination: Examination, repeats: Repeats) -> list[Finding]:
    """One finding for all such operations of a command."""
    found: dict[tuple[int, int], list[CacheOperation]] = {}
    for queue, position, _, operation in repeats.found():
        found.setdefault((queue, position), []).append(operation)
    return [
        _repeated_in(examination, *key, tuple(operations))
        for key, operations in found.items()
        if key[0] not in repeats.retiring or not _is_only(examination, *key, tuple(operations))
    ]


def _is_only(
    examination: Examination, number: int, position: int, operations: tuple[CacheOperation, ...]
) -> bool:
    """Is it a surface sync that does nothing else, but rolls the context?"""
    command = examination.program.queues[number].commands[position]
    return isinstance(command, SurfaceSync) and _without(command, operations) is None


def _repeated_in(
    examination: Examination, number: int, position: int, operations: tuple[CacheOperation, ...]
) -> Finding:
    queue = examination.program.queues[number]
    command = queue.commands[position]
    one = len(operations) == 1
    return _finding(
        "repeated-flush",
        f"{', '.join(map(str, operations))}: nothing has used "
        f"{'that cache' if one else 'those caches'} since the last such operation",
        Spot(queue.name, position, command, str(operations[0]) if one else ""),
        f"drop {'it' if one else 'them'}",
        _instead(examination, queue, _without(command, operations)),
    )


def _without(command: Command, operations: tuple[CacheOperation, ...]) -> Command | None:
    """The command without those operations; None where nothing is left of it."""
    kept = tuple(row for row in getattr(command, "operations", ()) if row not in operations)
    more = (getattr(command, name, None) for name in ("label", "timestamp", "coherency"))
    if not kept and not any(more):
        return None
    left: Command = replace(command, operations=kept)  # type: ignore[call-arg]
    return left


def _instead(
    examination: Examination, queue: Queue, command: Command | None
) -> tuple[tuple[str, Command], ...]:
    """What stands there instead, if anything does, as a line too; a packet's name is no title."""
    if command is None:
        return ()
    bare = replace(command, name="") if command.place.offset is not None else command
    return ((CommandPrinter(examination.machine, queue.kind).line(bare), command),)
