"""Pieces of synchronization, and weaving them into a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fencepost.stream.command import (
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    SetLabel,
    WaitMemory,
)
from fencepost.stream.program import Program, Queue
from fencepost.stream.resource import Part, Resource, ResourceKind

LABELS_AT = 1 << 47
"""Labels that a plan adds lie here, behind everything that a program declares."""

EVENT, END, VALUE, DRAIN, IDLE, WAIT, SYNC, LAST, STORE, OWN = range(10)
"""The order of pieces in one gap.

Events, ends of pipe, values of fences, partial flushes, idles, waits for fences, surface syncs,
PFP, values that an engine stores at once; what takes the place of the program's own command.
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """A command before command number `gap` of a queue.

    `fence` pairs a value with the wait for it ("": neither). A fence's command has a stand-in for
    its label and value; weaving fills them in. `replaces`: it stands in the place of command number
    `gap`, which it is with more operations, bits or a value.
    """

    queue: int
    gap: int
    rank: int
    command: Command
    fence: str = ""
    replaces: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """Queue and gap."""
        return self.queue, self.gap

    @property
    def order(self) -> tuple[int, int, int, str, str]:
        """Pieces stand in this order."""
        return self.queue, self.gap, self.rank, self.fence, _words(self.command)


def _words(command: Command) -> str:
    """What tells the commands of one rank apart: else they would stand in an order of chance."""
    stage, engine = getattr(command, "stage", ""), getattr(command, "engine", "")
    more = (*getattr(command, "operations", ()), *getattr(command, "coherency", ()))
    return " ".join([type(command).__name__, stage, engine, *map(str, more)])


@dataclass(frozen=True, slots=True)
class Woven:
    """A program with pieces.

    `origins`: for every command of every queue its number in the program before, or -1 for a
    piece.
    """

    program: Program
    origins: tuple[tuple[int, ...], ...]
    pieces: tuple[tuple[Piece | None, ...], ...]


STAND_IN = Resource("?", ResourceKind.LABEL, (Part("bytes", LABELS_AT, LABELS_AT + 8),))
"""The label of a fence before weaving."""


def weave(program: Program, pieces: Iterable[Piece]) -> Woven:
    """The program with the pieces at their places.

    Values of one queue's fences rise; waits take them by >=.
    """
    ordered = sorted(set(pieces), key=lambda piece: piece.order)
    labels = _labels(program, ordered)
    queues, origins, parts = [], [], []
    for number, queue in enumerate(program.queues):
        mine = [piece for piece in ordered if piece.queue == number]
        commands, numbers, sources = _weave_queue(queue, mine, labels)
        queues.append(replace(queue, commands=commands))
        origins.append(tuple(numbers))
        parts.append(tuple(sources))
    added = dict.fromkeys(label for label, _ in labels.values())
    resources = (*program.resources, *added)
    woven = replace(program, queues=tuple(queues), resources=resources)
    return Woven(woven, tuple(origins), tuple(parts))


def _weave_queue(
    queue: Queue, pieces: Sequence[Piece], labels: dict[str, tuple[Resource, int]]
) -> tuple[list[Command], list[int], list[Piece | None]]:
    commands: list[Command] = []
    numbers: list[int] = []
    sources: list[Piece | None] = []
    at = 0
    for gap in range(len(queue.commands) + 1):
        while at < len(pieces) and pieces[at].gap == gap:
            commands.append(_labelled(pieces[at], labels))
            numbers.append(-1)
            sources.append(pieces[at])
            at += 1
        replaced = bool(sources and at and pieces[at - 1].gap == gap and pieces[at - 1].replaces)
        if gap < len(queue.commands) and not replaced:
            commands.append(queue.commands[gap])
            numbers.append(gap)
            sources.append(None)
    return commands, numbers, sources


def _kind(piece: Piece) -> str:
    """Values of one kind are written in order, so that they can share a label."""
    if isinstance(piece.command, EndOfShader):
        return f"eos-{piece.command.stage}"
    return "eop" if isinstance(piece.command, EndOfPipe) else "set"


def _labels(program: Program, pieces: Sequence[Piece]) -> dict[str, tuple[Resource, int]]:
    """For every fence its label and value."""
    taken = {resource.name for resource in program.resources}
    counts: dict[tuple[int, str], int] = {}
    labels: dict[tuple[int, str], Resource] = {}
    found = {}
    for piece in pieces:
        if not piece.fence or not has_stand_in(piece) or isinstance(piece.command, WaitMemory):
            continue
        key = (piece.queue, _kind(piece))
        if key not in labels:
            name = f"{program.queues[piece.queue].name}-{key[1]}"
            while name in taken:
                name += "-plan"
            start = LABELS_AT + 0x100 * len(labels)
            labels[key] = Resource(name, ResourceKind.LABEL, (Part("bytes", start, start + 8),))
        counts[key] = counts.get(key, 0) + 1
        found[piece.fence] = (labels[key], counts[key])
    return found


def has_stand_in(piece: Piece) -> bool:
    """Is its label filled in by weaving?"""
    return getattr(piece.command, "label", None) == STAND_IN


def _labelled(piece: Piece, labels: dict[str, tuple[Resource, int]]) -> Command:
    if not has_stand_in(piece):
        return piece.command
    label, value = labels[piece.fence]
    match piece.command:
        case WaitMemory():
            return replace(
                piece.command, label=label, comparison=Comparison.GREATER_EQUAL, reference=value
            )
        case EndOfPipe() | EndOfShader() | SetLabel():
            return replace(piece.command, label=label, value=value)
        case _:
            return piece.command
