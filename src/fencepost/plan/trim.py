"""Takes out of a plan what it can do without (design 7): removing anything that is left breaks it.

The dearest go first. Less synchronization never makes more of the rest superfluous, so each is
tried once. What remains of a fence is put as far ahead as it can be, a wait for CP DMA as far back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fencepost.plan.costs import CostTable
from fencepost.plan.course import Course, waits
from fencepost.plan.pieces import STORE, VALUE, Piece
from fencepost.plan.problem import Problem
from fencepost.stream.command import (
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    SurfaceSync,
    Work,
)

Pieces = tuple[Piece, ...]


MOST_FOLLOWED = 120
"""A change is followed over so many commands; one that still makes a difference there is left."""


MOST_AHEAD = 12
"""A value is put so many commands ahead at most; a wait for older works costs no time anyway."""


def trim(problem: Problem, pieces: Iterable[Piece]) -> frozenset[Piece] | None:
    """The pieces without those, and those parts, that the program stays right without.

    None if it is not right with all of them.
    """
    course = Course(problem, pieces, MOST_FOLLOWED)
    if not course.right:
        return None
    table = problem.table
    for old in dearest(course.pieces, table):
        if not course.replaced(old):
            _try_less(course, old)
    for piece in sorted(course.pieces, key=lambda piece: piece.order):
        _narrow(course, piece)
    for piece in sorted(course.pieces, key=lambda piece: piece.order):
        _ahead(course, piece)
    for piece in sorted(course.pieces, key=lambda piece: piece.order):
        _behind(course, piece)
    return frozenset(course.pieces)


def dearest(pieces: Iterable[Piece], table: CostTable) -> list[Pieces]:
    """What goes together: a fence, any other piece alone; the dearest first."""
    groups: dict[object, list[Piece]] = {}
    for piece in sorted(pieces, key=lambda piece: piece.order):
        groups.setdefault(piece.fence or piece, []).append(piece)
    found = [tuple(group) for group in groups.values()]
    return sorted(found, key=lambda group: -sum(table.command(piece.command) for piece in group))


def _try_less(course: Course, group: Pieces) -> None:
    """One of several waits of a fence; or the waits, where its packet has operations of its own."""
    waiting = [piece for piece in group if waits(piece)]
    value = next((piece for piece in group if not waits(piece)), None)
    if len(waiting) > 1:
        for piece in waiting:
            course.replaced([piece])
    elif waiting and value is not None and _operations(value.command):
        bare = replace(value, command=_with(value.command, label=None), fence="")
        course.replaced([*waiting, value], [bare])


def _narrow(course: Course, piece: Piece) -> None:
    """Without each operation and each bit that it can do without."""
    tried = True
    while tried:
        tried = False
        for command in _lighter(piece.command, _own(course.problem, piece)):
            other = replace(piece, command=command)
            if course.replaced([piece], [other]):
                piece, tried = other, True
                break


def _own(problem: Problem, piece: Piece) -> Command | None:
    """The command of the program in whose place it stands."""
    return problem.program.queues[piece.queue].commands[piece.gap] if piece.replaces else None


def _lighter(command: Command, own: Command | None) -> Iterator[Command]:
    """The command without one operation or bit; never less than the program's own had."""
    operations = _operations(command)
    bits = command.coherency if isinstance(command, SurfaceSync) else ()
    own_bits = own.coherency if isinstance(own, SurfaceSync) else ()
    if len(operations) + len(bits) > 1 or isinstance(command, EndOfPipe):
        for operation in operations:
            if operation not in _operations(own):
                rest = tuple(one for one in operations if one != operation)
                yield _with(command, operations=rest)
        for bit in bits:
            if bit not in own_bits:
                yield _with(command, coherency=tuple(one for one in bits if one != bit))


def _operations(command: Command | None) -> tuple[CacheOperation, ...]:
    found: tuple[CacheOperation, ...] = getattr(command, "operations", ())
    return found


def _with(command: Command, **values: object) -> Command:
    changed: Command = replace(command, **values)  # type: ignore[arg-type]
    return changed


def _ahead(course: Course, piece: Piece) -> None:
    """A value that comes earlier is seen earlier: behind the first work from which on it serves."""
    if not piece.fence or waits(piece) or piece.rank not in (VALUE, STORE):
        return
    if any(
        other.gap == piece.gap and other.queue == piece.queue for other in course.pieces - {piece}
    ):
        return
    commands = course.problem.program.queues[piece.queue].commands
    near = range(max(1, piece.gap - MOST_AHEAD), piece.gap)
    gaps = [gap for gap in near if isinstance(commands[gap - 1], Work)]
    low, high = 0, len(gaps)
    while low < high:
        middle = (low + high) // 2
        other = replace(piece, gap=gaps[middle])
        if course.replaced([piece], [other]):
            piece, high = other, middle
        else:
            low = middle + 1


def _behind(course: Course, piece: Piece) -> None:
    """A wait for CP DMA costs the same wherever it stands: the later, the more runs beside it."""
    if not isinstance(piece.command, DmaWait):
        return
    length = len(course.problem.program.queues[piece.queue].commands)
    low, high = piece.gap, min(length, piece.gap + MOST_AHEAD)
    while low < high:
        middle = (low + high + 1) // 2
        other = replace(piece, gap=middle)
        if course.replaced([piece], [other]):
            piece, low = other, middle
        else:
            high = middle - 1
