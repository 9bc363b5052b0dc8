"""Takes out of a plan what it can do without (design 7.

Removing anything that is left breaks it).
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.coherence.checking import Examination
from fencepost.machine.tables import Machine
from fencepost.plan.costs import CostTable
from fencepost.plan.pieces import Piece, weave
from fencepost.stream.command import CacheOperation, Command, PipelinedEvent, SurfaceSync
from fencepost.stream.program import Program

MOST_COMMANDS = 600
"""Every try checks the whole stream: longer plans are left as they were found."""


def trim(
    program: Program, machine: Machine, guarantees: str, pieces: frozenset[Piece]
) -> frozenset[Piece]:
    """The pieces without those (and those cache operations) that the program stays right without.

    The dearest go first.
    """
    size = sum(len(queue.commands) for queue in program.queues) + len(pieces)
    if size > MOST_COMMANDS:
        return pieces
    table = CostTable(machine)
    changed = True
    while changed:
        changed = False
        for less in _smaller(pieces, table):
            if _right(program, machine, guarantees, less):
                pieces, changed = less, True
                break
    return pieces


def _right(program: Program, machine: Machine, guarantees: str, pieces: frozenset[Piece]) -> bool:
    outcome = Examination(weave(program, pieces).program, machine, guarantees).replay().outcome
    return not outcome.hits and not outcome.stuck


def _smaller(pieces: frozenset[Piece], table: CostTable) -> list[frozenset[Piece]]:
    """Without one piece (a fence goes whole), or without one operation or bit of one."""
    ordered = sorted(
        pieces, key=lambda p: (-table.command(p.command), p.queue, p.gap, p.rank, p.fence)
    )
    found = []
    for piece in ordered:
        gone = {other for other in pieces if piece.fence and other.fence == piece.fence} or {piece}
        found.append(pieces - gone)
    for piece in ordered:
        found += [(pieces - {piece}) | {replace(piece, command=c)} for c in _lighter(piece.command)]
    return found


def _lighter(command: Command) -> list[Command]:
    operations: tuple[CacheOperation, ...] = getattr(command, "operations", ())
    found: list[Command] = []
    if len(operations) > 1 or (operations and not isinstance(command, PipelinedEvent)):
        for operation in operations:
            rest = tuple(other for other in operations if other != operation)
            found.append(_with(command, operations=rest))
    if isinstance(command, SurfaceSync) and len(command.coherency) > 1:
        for bit in command.coherency:
            rest_bits = tuple(other for other in command.coherency if other != bit)
            found.append(replace(command, coherency=rest_bits))
    return found


def _with(command: Command, operations: tuple[CacheOperation, ...]) -> Command:
    changed: Command = replace(command, operations=operations)  # type: ignore[call-arg]
    return changed
