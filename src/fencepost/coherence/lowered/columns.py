"""A program as integers: the shape of each command, the ways and bytes of each access.

Commands that differ in nothing but their names, places, labels and bytes are of one shape. A walk
over the columns needs to look at shapes only, of which there are few.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from fencepost.coherence.issue import own_access
from fencepost.coherence.lowered.shapes import LABELLED, ROLLS, Shapes
from fencepost.coherence.queues import ME
from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PipelinedEvent,
    Policy,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitMemory,
    Work,
    WorkKind,
)

BLOCKS = 16
"""Blocks whose surfaces are context registers: `cb0` to `cb7`, `db`, `so`."""

DRAW = WorkKind.DRAW

FIELDS: dict[type[Command], tuple[str, ...]] = {
    DmaWait: ("engine",),
    EndOfShader: ("stage",),
    PartialFlush: ("stage",),
    SetLabel: ("engine",),
    SurfaceSync: ("engine", "coherency", "start", "end"),
    WaitFlip: ("buffer",),
    WaitMemory: ("engine",),
}
"""What tells commands of one kind apart, beside cache operations, labels and accesses."""


class Column:
    """Integers of 32 bits, one behind the other."""

    def __init__(self) -> None:
        self.store = array("i", [0]) * 1024
        self.data = self.store
        self.room = 1024
        self.size = 0

    def add(self, value: int) -> None:
        """Append."""
        if self.size == self.room:
            self.grow(self.room + 1)
        self.data[self.size] = value
        self.size += 1

    def grow(self, size: int) -> None:
        """Make room for so many; the new ones are zero."""
        more = max(size, 2 * self.room) - self.room
        self.store = self.store + array("i", [0]) * more
        self.data = self.store
        self.room += more

    def done(self) -> array[int]:
        """What was added."""
        return self.store[: self.size]


class Spans:
    """Distinct byte ranges, numbered as they come: a hash table of open addresses."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.first = array("q", [0]) * 4096
        self.last = array("q", [0]) * 4096
        self.slots = array("i", [0]) * 4096
        self.mask = 4095
        self.size = 0

    def find(self, start: int, end: int) -> int:
        """The number of [start, end)."""
        at = self.place(start, end)
        if self.slots[at]:
            return self.slots[at] - 1
        self.size += 1
        self.slots[at] = self.size
        self.first[at] = start
        self.last[at] = end
        self.starts.append(start)
        self.ends.append(end)
        if 2 * self.size > self.mask:
            self.grow()
        return self.size - 1

    def place(self, start: int, end: int) -> int:
        """Where that range stands or would stand."""
        mixed = (start >> 4) * 7 + (end >> 4)
        at = (mixed % 1_000_003 + (mixed >> 20)) & self.mask  # a prime, so that no grid collides
        while self.slots[at] and (self.first[at] != start or self.last[at] != end):
            at = (at + 1) & self.mask
        return at

    def grow(self) -> None:
        """Four times the room."""
        room = 4 * (self.mask + 1)
        self.mask = room - 1
        self.first = array("q", [0]) * room
        self.last = array("q", [0]) * room
        self.slots = array("i", [0]) * room
        for number in range(self.size):
            start, end = self.starts[number], self.ends[number]
            at = self.place(start, end)
            self.slots[at] = number + 1
            self.first[at] = start
            self.last[at] = end


class Track:
    """The graphics contexts of one queue: positions only, so known before any clock (model 4.7).

    `starts`: where contexts start; `before`: how many draws stand before each. `surface_uses` and
    `surface_positions`: which draw uses which surface, in order.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.starts = Column()
        self.before = Column()
        self.draws = Column()
        self.surface_uses = Column()
        self.surface_positions = Column()
        self.starts.add(0)
        self.before.add(0)

    def roll(self, position: int) -> int:
        """Roll unless the current context holds no draw.

        One more than the position of the last draw that has retired by then; 0: none has.
        """
        draws, starts = self.draws, self.starts
        if not draws.size or draws.data[draws.size - 1] < starts.data[starts.size - 1]:
            return 0
        starts.add(position)
        self.before.add(draws.size)
        kept = starts.size - self.limit
        if kept <= 0:
            return 0
        return draws.data[self.before.data[kept] - 1] + 1


class Columns:
    """All queues of a program, one behind the other.

    Command `i` is of shape `shapes[i]`; its accesses are rows `firsts[i]:firsts[i + 1]` of
    `access_shapes` and `access_spans`; `retired[i]` is what `Track.roll` says of it.
    `queue_firsts`: where each queue begins. `labelled`: the commands that write a label or wait for
    one.
    """

    def __init__(self, table: Shapes) -> None:
        self.table = table
        self.shapes = Column()
        self.firsts = Column()
        self.retired = Column()
        self.access_shapes = Column()
        self.access_spans = Column()
        self.spans = Spans()
        self.tracks: list[Track] = []
        self.queue_firsts: list[int] = [0]
        self.labelled: list[int] = []
        self.works = 0
        self.work_accesses = 0
        self.surfaces = Column()
        self.surface_blocks: list[int] = []
        self.surface_spans: list[int] = []
        self.resources: dict[str, int] = {}
        self.targets = Column()
        self.others = Column()
        self.recent: list[tuple[str, str, str, Policy | None, str, int]] = []
        self.recent_works: list[tuple[WorkKind, str, tuple[str, ...], int]] = []
        self.access_engines = table.access_engines
        self.access_targets = table.access_targets
        self.flags = table.flags

    def queue(self, commands: Sequence[Command]) -> None:
        """One more queue."""
        track = Track(self.table.machine.contexts)
        self.tracks.append(track)
        self.table.begin_queue()
        self.recent_works = []
        self.targets.size = 0
        position = 0
        for command in commands:  # counted by hand, so that it is a C integer
            self.firsts.add(self.access_shapes.size)
            if isinstance(command, Work):
                self.work(command, position, track)
            else:
                self.synchronization(command, position, track)
            position += 1  # noqa: SIM113
        self.queue_firsts.append(self.shapes.size)

    def finish(self) -> None:
        """There is no queue left."""
        self.firsts.add(self.access_shapes.size)

    # -- works

    def work(self, work: Work, position: int, track: Track) -> None:
        """A work, its accesses by the engine that makes them."""
        kind, engine = work.kind, work.engine
        shape = self.shape_of_work(work, kind, engine)
        first = self.access_shapes.size
        mixed = False
        accesses = work.accesses
        for access in accesses:
            made = self.access(access, engine)
            code = self.access_engines[made]
            if code != self.access_engines[self.access_shapes.data[first]]:
                mixed = True
        self.works += 1
        self.work_accesses += len(accesses)
        self.retired.add(self.draw(work, first, position, track) if kind is DRAW else 0)
        if mixed:
            self.regroup(first)
        self.shapes.add(shape)

    def shape_of_work(self, work: Work, kind: WorkKind, engine: str) -> int:
        """Its number; works like those just seen are compared by identity."""
        unknown, synchronous, raw_wait = work.unknown, work.synchronous, work.raw_wait
        if not synchronous and not raw_wait:
            for row in self.recent_works:
                if kind is row[0] and engine is row[1] and unknown is row[2]:
                    return row[3]
        shape = self.table.work((kind, engine, synchronous, raw_wait, unknown), work)
        if not synchronous and not raw_wait:
            self.recent_works.append((kind, engine, unknown, shape))
            if len(self.recent_works) > 4:
                del self.recent_works[0]
        return shape

    def access(self, access: Access, engine: str) -> int:
        """One more access; returns its shape."""
        block, use, part, policy = access.block, access.use, access.part, access.policy
        shape = -1
        for row in self.recent:
            same = use is row[1] and block is row[0] and part is row[2]
            if same and policy is row[3] and engine is row[4]:
                shape = row[5]
                break
        if shape < 0:
            shape = self.table.access((block, use, part, policy, engine), access)
            self.recent.append((block, use, part, policy, engine, shape))
            if len(self.recent) > 12:
                del self.recent[0]
        self.access_shapes.add(shape)
        self.access_spans.add(self.spans.find(access.start, access.end))
        return shape

    def draw(self, work: Work, first: int, position: int, track: Track) -> int:
        """The context of a draw; returns what a roll before it has waited for."""
        now = self.others
        now.size = 0
        at = first
        accesses = work.accesses
        for access in accesses:
            block = self.access_targets[self.access_shapes.data[at]]
            if block >= 0:
                name = access.resource.name
                number = self.resources.get(name, -1)
                if number < 0:
                    number = self.resources[name] = len(self.resources)
                self.note_target(number * BLOCKS + block)
            at += 1
        retired = 0
        if not self.same_targets():
            retired = track.roll(position)
            self.others = self.targets
            self.targets = now
        track.draws.add(position)
        for at in range(first, self.access_shapes.size):
            block = self.access_targets[self.access_shapes.data[at]]
            if block >= 0:
                track.surface_uses.add(self.surface(self.access_spans.data[at], block))
                track.surface_positions.add(position)
        return retired

    def note_target(self, target: int) -> None:
        """One more of the draw's targets, unless it is there."""
        now = self.others
        for at in range(now.size):
            if now.data[at] == target:
                return
        now.add(target)

    def same_targets(self) -> bool:
        """Are the draw's targets those of the draw before it?"""
        now, before = self.others, self.targets
        if now.size != before.size:
            return False
        for at in range(now.size):
            found = False
            for other in range(before.size):
                if now.data[at] == before.data[other]:
                    found = True
                    break
            if not found:
                return False
        return True

    def surface(self, span: int, block: int) -> int:
        """The number of a surface: a block and the bytes that it is used on."""
        at = span * BLOCKS + block
        if at >= self.surfaces.room:
            self.surfaces.grow(at + 1)
        number = self.surfaces.data[at]
        if not number:
            self.surface_blocks.append(block)
            self.surface_spans.append(span)
            number = len(self.surface_blocks)
            self.surfaces.data[at] = number
        return number - 1

    def regroup(self, first: int) -> None:
        """Accesses by one engine come together, in the order of the first of each."""
        rows = [
            (self.access_shapes.data[at], self.access_spans.data[at])
            for at in range(first, self.access_shapes.size)
        ]
        engines = [self.access_engines[shape] for shape, _ in rows]
        rows.sort(key=lambda row: engines.index(self.access_engines[row[0]]))
        for number, row in enumerate(rows):
            self.access_shapes.data[first + number] = row[0]
            self.access_spans.data[first + number] = row[1]

    # -- synchronization

    def synchronization(self, command: Command, position: int, track: Track) -> None:
        """A synchronization command, and the access that it makes itself."""
        shape = self.table.synchronization(self.key(command), command)
        access = own_access(command)
        if access is not None:
            self.access(access, ME)
        flags = self.flags[shape]
        if flags & LABELLED:
            self.labelled.append(self.shapes.size)
        self.retired.add(track.roll(position) if flags & ROLLS else 0)
        self.shapes.add(shape)

    def key(self, command: Command) -> tuple[object, ...]:
        """What tells the shapes of synchronization commands apart."""
        kind = type(command)
        parts: list[object] = [kind]
        if isinstance(command, SurfaceSync | EndOfPipe | PipelinedEvent):
            parts.append(self.flat(command.operations))
        if isinstance(command, EndOfPipe):
            parts.append(command.label is None)
            parts.append(command.timestamp is None)
        parts += [getattr(command, name) for name in FIELDS.get(kind, ())]
        return tuple(parts)

    def flat(self, operations: tuple[CacheOperation, ...]) -> tuple[str, ...]:
        """Cache operations as words."""
        if not operations:
            return ()
        words = []
        for operation in operations:
            words.append(operation.cache)
            words.append(operation.action)
        return tuple(words)
