"""Plans near a plan: one command or fence of it taken out, moved, more, or in another form.

Changes come in ladders. Each rung asks more of the rest of the plan than the one before (a barrier
further ahead of what it waits for, an invalidate closer to what it has to come behind), so that
behind a rung that is wrong all are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fencepost.machine.tables import Machine
from fencepost.plan.barriers import Barriers, operations_of
from fencepost.plan.course import waits
from fencepost.plan.menu import READ_CACHES
from fencepost.plan.pieces import END, EVENT, STORE, SYNC, Piece
from fencepost.plan.tracks import track
from fencepost.stream.command import (
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    Kickoff,
    PipelinedEvent,
    SurfaceSync,
    Work,
)
from fencepost.stream.program import Program

Unit = tuple[Piece, ...]
"""Pieces that are changed together: a command, or a fence."""

Place = tuple[int, int]
"""Queue and gap."""

MOST_MOVED = 12
"""So many gaps further ahead or back something is tried."""


@dataclass(frozen=True, slots=True)
class Change:
    """New pieces in the place of old ones."""

    old: Unit
    new: Unit = ()


LEAST_SAVED = 100_000
"""Picoseconds that a command which nothing needs has to save."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """Changes of which each asks more than the one before.

    `saves`: picoseconds that each has to save at least; the rest is as in `barriers.Forms`.
    """

    changes: tuple[Change, ...]
    kind: tuple[str, ...] = ()
    waits: frozenset[str] = frozenset()
    sooner: bool = False
    saves: int = 0


class Changes:
    """The changes of plans of one program."""

    def __init__(self, program: Program, machine: Machine) -> None:
        self.program, self.machine = program, machine
        self.barriers = [
            Barriers(machine, number, track(queue)) for number, queue in enumerate(program.queues)
        ]
        self._dirty = {row.operated_as for row in machine.caches if row.dirty}

    def places(self, pieces: Iterable[Piece]) -> dict[Place, list[Unit]]:
        """What may be changed: for each gap its commands, and the fences that end there."""
        units: dict[object, list[Piece]] = defaultdict(list)
        for piece in sorted(pieces, key=lambda piece: piece.order):
            units[piece.fence or piece].append(piece)
        found: dict[Place, list[Unit]] = defaultdict(list)
        for unit in units.values():
            if _is_free(unit):
                found[unit[0].queue, _gap(unit)].append(tuple(unit))
        return {
            place: sorted(found[place], key=lambda unit: max(piece.rank for piece in unit))
            for place in sorted(found)
        }

    def ladders(self, units: Sequence[Unit], pieces: Iterable[Piece]) -> Iterator[Ladder]:
        """All changes of what stands in one gap; `pieces`: the whole plan."""
        for unit in units:
            yield Ladder((Change(unit),))
            yield from self._narrowed(unit)
        yield from self._moved(units)
        yield from self._reformed(units)
        yield from self._elsewhere(units, pieces)
        yield from self._written_back(units)

    # -- less of it

    def _narrowed(self, unit: Unit) -> Iterator[Ladder]:
        """Without one operation or bit."""
        for piece in unit:
            command = piece.command
            for operation in operations_of(command):
                yield Ladder((Change((piece,), _without(piece, operation)),))
            if isinstance(command, SurfaceSync) and len(command.coherency) > 1:
                for bit in command.coherency:
                    rest = tuple(other for other in command.coherency if other != bit)
                    less = replace(piece, command=replace(command, coherency=rest))
                    yield Ladder((Change((piece,), (less,)),))

    # -- another place

    def _moved(self, units: Sequence[Unit]) -> Iterator[Ladder]:
        """Each unit; the first ones of the gap together, the last ones; values of fences alone."""
        numbers = range(len(units))
        together: set[tuple[int, ...]] = {(one,) for one in numbers}
        together |= {tuple(numbers[at:]) for at in numbers}
        together |= {tuple(numbers[: at + 1]) for at in numbers}
        for some in sorted(together):
            yield from self._along(tuple(piece for one in some for piece in _end(units[one])))
        for unit in units:
            values = tuple(piece for piece in unit if piece.fence and not waits(piece))
            if values:
                yield from self._along(values)

    def _along(self, unit: Unit) -> Iterator[Ladder]:
        """Further and further back, further and further ahead."""
        gap = unit[0].gap
        last = len(self.program.queues[unit[0].queue].commands)
        for gaps in (
            range(gap + 1, min(last, gap + MOST_MOVED) + 1),
            range(gap - 1, max(0, gap - MOST_MOVED) - 1, -1),
        ):
            moved = (tuple(replace(piece, gap=to) for piece in unit) for to in gaps)
            yield Ladder(tuple(Change(unit, new) for new in moved))

    # -- another form

    def _reformed(self, units: Sequence[Unit]) -> Iterator[Ladder]:
        """Each unit in another form, and all of them together."""
        plain = [unit for unit in units if not isinstance(unit[0].command, DmaWait)]
        every = [*plain, tuple(piece for unit in plain for piece in unit)]
        for number, unit in enumerate(dict.fromkeys(row for row in every if row)):
            for found in self.barriers[unit[0].queue].forms(_gap(unit), unit):
                changes = tuple(Change(unit, form) for form in found.forms)
                kind = (str(number), *found.kind)
                yield Ladder(changes, kind, found.waits, found.sooner)

    # -- operations in other packets

    def _elsewhere(self, units: Sequence[Unit], pieces: Iterable[Piece]) -> Iterator[Ladder]:
        """An operation in another packet of the plan, or in one of its own."""
        packets = [piece for piece in pieces if _is_packet(piece)]
        packets.sort(key=lambda piece: piece.order)
        for piece in (piece for unit in units for piece in unit):
            for operation in operations_of(piece.command):
                rest = _without(piece, operation)
                for other in packets:
                    more = self._with(other, operation.cache)
                    if more is not None and other != piece and other.queue == piece.queue:
                        yield Ladder((Change((piece, other), (*rest, more)),))
                yield from self._alone(piece, operation.cache, rest)

    def _with(self, piece: Piece, cache: str) -> Piece | None:
        """A packet with an operation on that cache more, if it can have it."""
        command, target = piece.command, cache not in READ_CACHES
        top = isinstance(command, SurfaceSync)
        operation = self.barriers[piece.queue].operation(cache, top=top)
        if operation is None or any(one.cache == cache for one in operations_of(command)):
            return None
        if isinstance(command, SurfaceSync):
            able = not target or any(cache.startswith(bit[:2]) for bit in command.coherency)
        elif isinstance(command, EndOfPipe):
            able = cache in self.machine.eop_caches
        else:
            able = target
        return _carrying(piece, (*operations_of(command), operation)) if able else None

    def _alone(self, piece: Piece, cache: str, rest: Unit) -> Iterator[Ladder]:
        """In a packet of its own, here or elsewhere."""
        for rank, command in self._packets(piece.queue, cache):
            own = replace(piece, rank=rank, command=command, fence="")
            yield Ladder((Change((piece,), (*rest, own)),))
            for ladder in self._along((own,)):
                changes = (Change((piece,), (*rest, *one.new)) for one in ladder.changes)
                yield Ladder(tuple(changes))

    def _packets(self, queue: int, cache: str) -> Iterator[tuple[int, Command]]:
        """Packets that do nothing but operate on that cache, with their ranks."""
        top = self.barriers[queue].operation(cache, top=True)
        end = self.barriers[queue].operation(cache, top=False)
        if cache in READ_CACHES and top is not None:
            yield SYNC, SurfaceSync(engine="me", operations=(top,))
        if cache not in READ_CACHES and end is not None:
            yield EVENT, PipelinedEvent(operations=(end,))
        if cache in self.machine.eop_caches and end is not None:
            yield END, EndOfPipe(operations=(end,))

    # -- more than has to be

    def _written_back(self, units: Sequence[Unit]) -> Iterator[Ladder]:
        """Dirty caches written back ahead as well: what is in memory costs no time later."""
        for piece in (piece for unit in units for piece in unit):
            for operation in operations_of(piece.command):
                if operation.cache in self._dirty:
                    for rank, command in self._packets(piece.queue, operation.cache):
                        for gap in self._behind_works(piece):
                            own = Piece(piece.queue, gap, rank, command)
                            yield Ladder((Change((), (own,)),), saves=LEAST_SAVED)

    def _behind_works(self, piece: Piece) -> list[int]:
        """Gaps behind the works before a piece, the nearest first."""
        commands = self.program.queues[piece.queue].commands
        gaps = (gap for gap in range(piece.gap, 0, -1) if isinstance(commands[gap - 1], Work))
        return list(islice(gaps, MOST_MOVED))


def _is_free(unit: Sequence[Piece]) -> bool:
    """May it be changed? Not what takes the place of the program's own, or involves a CPU."""
    kept = any(
        piece.replaces or piece.rank == STORE or isinstance(piece.command, Kickoff)
        for piece in unit
    )
    one = len({piece.queue for piece in unit}) == 1
    return one and not kept and (not unit[0].fence or any(map(waits, unit)))


def _is_packet(piece: Piece) -> bool:
    packet = isinstance(piece.command, SurfaceSync | EndOfPipe | PipelinedEvent)
    return packet and not piece.replaces


def _gap(unit: Iterable[Piece]) -> int:
    """Where it ends."""
    return max(piece.gap for piece in unit)


def _end(unit: Unit) -> Unit:
    """What of it stands there."""
    return tuple(piece for piece in unit if piece.gap == _gap(unit))


def _carrying(piece: Piece, operations: tuple[CacheOperation, ...]) -> Piece:
    command: Command = replace(piece.command, operations=operations)  # type: ignore[call-arg]
    return replace(piece, command=command)


def _without(piece: Piece, operation: CacheOperation) -> Unit:
    """What is left of a packet without an operation; nothing, if it does nothing else."""
    rest = tuple(one for one in operations_of(piece.command) if one != operation)
    does = rest or piece.fence or getattr(piece.command, "coherency", ())
    return (_carrying(piece, rest),) if does else ()
