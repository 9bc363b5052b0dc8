"""Random programs: every way, every synchronization command, few bytes, so that much collides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import count

from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from fencepost.machine import MACHINES, Machine, find_machine
from fencepost.machine.tables import WayRow
from fencepost.place import Place
from fencepost.stream.assembly import COHERENCY
from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    Comparison,
    ContextWrite,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    Frame,
    Kickoff,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    Policy,
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.conditions import WORKS
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import GDS_BASE, WHOLE_END, Part, Resource, ResourceKind
from fencepost.stream.text.printer import format_program

FILE = "random.fence"
GRAPHICS, COMPUTE, COPY, CPU = QueueKind


def _resource(name: str, kind: ResourceKind, **parts: tuple[int, int]) -> Resource:
    pieces = tuple(Part(part, *span) for part, span in parts.items())
    return Resource(name, kind, pieces, placed=True)


NEAR = _resource("near", ResourceKind.BUFFER, bytes=(0x1000, 0x1020))
NEXT = _resource("next", ResourceKind.BUFFER, bytes=(0x1020, 0x1060))
COLOR = _resource(
    "target",
    ResourceKind.COLOR,
    pixels=(0x3000, 0x3080),
    cmask=(0x3080, 0x30A0),
    fmask=(0x3100, 0x3120),
)
ALIAS = _resource("alias", ResourceKind.BUFFER, bytes=(0x3040, 0x3090))
DEPTH = _resource("depths", ResourceKind.DEPTH, pixels=(0x4000, 0x4080), htile=(0x4080, 0x40A0))
GDS = _resource("share", ResourceKind.GDS, gds=(GDS_BASE, GDS_BASE + 64))
BACK = _resource("back", ResourceKind.BACK_BUFFER, pixels=(0x5000, 0x5040))
FENCE = Resource("fence", ResourceKind.LABEL, (Part("bytes", 0x6000, 0x6008),), placed=True)
FLAG = Resource("flag", ResourceKind.LABEL, (Part("bytes", 0x6040, 0x6048),), 1, placed=True)

RESOURCES = (NEAR, NEXT, COLOR, ALIAS, DEPTH, GDS, BACK, FENCE, FLAG)
"""`near` and `next` meet on one line; `alias` lies over the end of the target and its CMASK."""
LABELS = (FENCE, FLAG)
SPOTS = tuple((item, part) for item in RESOURCES for part in item.parts if item not in LABELS)

Spot = tuple[Resource, Part]


# -- works


@cache
def ways_of(machine: str, kind: WorkKind, part: str) -> tuple[tuple[str, WayRow], ...]:
    """Every access that such a work can make to such a part: block and row."""
    blocks = WORKS[kind].blocks
    found = []
    for row in find_machine(machine).ways:
        for block in row.blocks:
            allowed = block in blocks or f"{block}.{row.use}" in blocks
            if allowed and row.part in ("*", part) and _reaches(row, block, part):
                found += [(name, row) for name in (("cb0", "cb1") if block == "cb" else (block,))]
    return tuple(found)


def _reaches(row: WayRow, block: str, part: str) -> bool:
    if part != "gds":
        return row.part != "gds"
    return row.part == "gds" or (block, row.use) in (("dma", "read"), ("dma", "write"))


def spans(part: Part) -> tuple[tuple[int, int], ...]:
    """The whole part, its halves, and the 16 bytes at either end."""
    middle = (part.start + part.end) // 2
    return (
        (part.start, part.end),
        (part.start, middle),
        (middle, part.end),
        (part.start, part.start + 16),
        (part.end - 16, part.end),
    )


@st.composite
def accesses(
    draw: st.DrawFn, machine: Machine, kind: WorkKind, spots: Sequence[Spot]
) -> Access | None:
    """An access of such a work to one of these parts; None where it has no way there."""
    resource, part = draw(st.sampled_from(spots))
    ways = ways_of(machine.name, kind, part.name)
    if not ways:
        return None
    block, way = draw(st.sampled_from(ways))
    start, end = draw(st.sampled_from(spans(part)))
    policy = draw(st.sampled_from(("", *way.policies)))
    return Access(
        block, way.use, resource, part.name, start, end, Policy(policy) if policy else None
    )


def fits(machine: Machine, access: Access, others: Iterable[Access]) -> bool:
    """Whether the access makes no feedback loop with the others (model 3.6)."""
    return not any(_conflict(machine, access, other) for other in others)


def _conflict(machine: Machine, one: Access, two: Access) -> bool:
    rows = [machine.way(access.block, access.use, access.part) for access in (one, two)]
    first, second = [row for row in rows if row is not None]
    if one.start >= two.end or two.start >= one.end or not (first.writes or second.writes):
        return False
    in_order = first.safe_with and first.safe_with == second.safe_with
    in_shader = one.block == two.block and first.inside and first.inside == second.inside
    return not in_order and not in_shader


WORK_KINDS: dict[QueueKind, tuple[WorkKind, ...]] = {
    queue: tuple(kind for kind, row in WORKS.items() if queue in row.queues) for queue in QueueKind
}


_VERBS = {
    WorkKind.DRAW: "draw",
    WorkKind.DISPATCH: "dispatch",
    WorkKind.DMA: "copy",
    WorkKind.CPU: "write",
    WorkKind.COPY: "copy",
}


@st.composite
def works(draw: st.DrawFn, machine: Machine, queue: QueueKind, spots: Sequence[Spot]) -> Work:
    """A work of one to three accesses, without a feedback loop."""
    kind = draw(st.sampled_from(WORK_KINDS[queue]))
    made: list[Access] = []
    for access in draw(st.lists(accesses(machine, kind, spots), min_size=1, max_size=3)):
        if access is not None and fits(machine, access, made):
            made.append(access)
    dma = kind is WorkKind.DMA
    own = any(access.block in {"cp", "pfp"} for access in made)
    return Work(
        kind=kind,
        verb=_VERBS[kind],
        accesses=tuple(made),
        engine=draw(st.sampled_from(("me", "pfp"))) if dma and queue is GRAPHICS else "me",
        synchronous=dma and draw(st.booleans()),
        raw_wait=dma and not own and draw(st.booleans()),
    )


# -- synchronization


def _some(values: Sequence[str], most: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    if not values:
        return st.just(())
    return st.lists(st.sampled_from(values), unique=True, max_size=most).map(tuple)


def operations(words: Iterable[str]) -> tuple[CacheOperation, ...]:
    """`cache.action` words as operations."""
    return tuple(CacheOperation(*word.rpartition(".")[::2]) for word in words)


def event_words(machine: Machine) -> tuple[str, ...]:
    """What pipelined events do."""
    rows = [row for row in machine.operations if row.cache.startswith(("cb.", "db."))]
    return tuple(f"{row.cache}.{row.action}" for row in rows if row.pipelined)


def eop_words(machine: Machine, queue: QueueKind) -> tuple[str, ...]:
    """What an end of pipe carries."""
    rows = [row for row in machine.operations if row.cache in machine.eop_caches and row.pipelined]
    return _on(queue, [f"{row.cache}.{row.action}" for row in rows])


def sync_words(machine: Machine, queue: QueueKind) -> tuple[str, ...]:
    """What a surface sync does."""
    return _on(queue, [f"{row.cache}.{row.action}" for row in machine.operations if row.top])


def _on(queue: QueueKind, words: list[str]) -> tuple[str, ...]:
    if queue is GRAPHICS:
        return tuple(words)
    return tuple(word for word in words if not word.startswith(("cb.", "db.")))


@st.composite
def surface_syncs(draw: st.DrawFn, machine: Machine, queue: QueueKind) -> Command:
    """A surface sync over everything, a part, a piece of one, or nothing."""
    graphics = queue is GRAPHICS
    words = draw(_some(sync_words(machine, queue)))
    bits = draw(_some(COHERENCY)) if graphics else ()
    surfaces = [
        span for item in (COLOR, DEPTH, ALIAS) for part in item.parts for span in spans(part)
    ]
    start, end = draw(st.sampled_from(((0, WHOLE_END), *surfaces, (0, 0))))
    engine = draw(st.sampled_from(("me", "pfp"))) if graphics else "me"
    return SurfaceSync(
        engine=engine, operations=operations(words), coherency=bits, start=start, end=end
    )


@st.composite
def ends_of_pipe(draw: st.DrawFn, machine: Machine, queue: QueueKind) -> Command:
    """Cache operations at the end of pipe, with a value, a timestamp, or neither."""
    words = draw(_some(eop_words(machine, queue)))
    target = draw(st.sampled_from(("label", "timestamp", "neither")))
    if target == "timestamp":
        stamp = Access("cp", "write", NEAR, "bytes", NEAR.main.start, NEAR.main.start + 8)
        return EndOfPipe(operations=operations(words), timestamp=stamp)
    if target == "neither":
        return EndOfPipe(operations=operations(words))
    label, value = draw(_assignments())
    return EndOfPipe(operations=operations(words), label=label, value=value)


def _assignments() -> st.SearchStrategy[tuple[Resource, int]]:
    return st.tuples(st.sampled_from(LABELS), st.integers(0, 3))


@st.composite
def fences(draw: st.DrawFn, queue: QueueKind) -> Command:
    """A wait, a value at the end of a shader stage, a value at once."""
    gpu = queue in (GRAPHICS, COMPUTE)
    engines = {GRAPHICS: ("me", "pfp"), COMPUTE: ("me",), COPY: ("copy",), CPU: ("cpu",)}[queue]
    engine = draw(st.sampled_from(engines))
    label, value = draw(_assignments())
    what = draw(st.sampled_from(("wait", "set", *(("eos",) if gpu else ()))))
    if what == "set":
        return SetLabel(engine=engine, label=label, value=value)
    if what == "eos":
        stage = draw(st.sampled_from(("ps", "cs") if queue is GRAPHICS else ("cs",)))
        return EndOfShader(stage=stage, label=label, value=value)
    comparison = draw(st.sampled_from(list(Comparison)))
    return WaitMemory(engine=engine, label=label, comparison=comparison, reference=value)


def harmless(machine: Machine, queue: QueueKind) -> st.SearchStrategy[Command]:
    """Synchronization that neither rolls a context, writes or waits on a label, nor accesses."""
    on_both = (
        st.just(PartialFlush(stage="cs")),
        st.just(WaitIdle()),
        st.just(DmaWait()),
        st.just(Frame()),
        _some(eop_words(machine, queue)).map(lambda words: EndOfPipe(operations=operations(words))),
    )
    if queue is COMPUTE:
        return st.one_of(*on_both, surface_syncs(machine, queue))
    if queue is not GRAPHICS:
        return st.nothing()
    return st.one_of(
        *on_both,
        st.sampled_from([PartialFlush(stage="vs"), PartialFlush(stage="ps")]),
        st.just(PfpSyncMe()),
        st.just(DmaWait(engine="pfp")),
        st.just(WaitFlip(buffer=BACK)),
        _some(event_words(machine)).map(lambda words: PipelinedEvent(operations=operations(words))),
    )


def one_queue_synchronization(
    machine: Machine, queue: QueueKind, *, labels: bool = True
) -> st.SearchStrategy[Command]:
    """Any synchronization command of a GPU queue."""
    rows = [
        harmless(machine, queue),
        surface_syncs(machine, queue),
        *((ends_of_pipe(machine, queue), fences(queue)) if labels else ()),
    ]
    if queue is GRAPHICS:
        rows.append(st.just(ContextWrite()))
    return st.one_of(*rows)


def _serial_synchronization(queue: QueueKind) -> st.SearchStrategy[Command]:
    if queue is COPY:
        return fences(queue)
    kickoffs: st.SearchStrategy[Command] = st.sampled_from(
        [Kickoff(queue="gfx"), Kickoff(queue="async")]
    )
    return st.one_of(fences(queue), kickoffs)


# -- programs

machines: st.SearchStrategy[Machine] = st.sampled_from(list(MACHINES.values()))
spot_lists = st.lists(st.sampled_from(SPOTS), min_size=1, max_size=2, unique=True)
"""The few parts that the works of one program use."""


def numbered(commands: Iterable[Command], first: int = 1) -> list[Command]:
    """The commands, each on a line of its own."""
    return [
        replace(command, place=Place(FILE, line))
        for command, line in zip(commands, count(first), strict=False)
    ]


class ShownProgram(Program):
    """A program that a failing test prints as text."""

    def __repr__(self) -> str:
        return "\n" + format_program(self)

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: bool) -> None:
        printer.text(repr(self))


def make_program(machine: Machine, queues: Iterable[Queue]) -> Program:
    """A program of all resources with these queues, each command on a line of its own."""
    made = [
        replace(queue, commands=numbered(queue.commands, 1 + 1000 * number))
        for number, queue in enumerate(queues)
    ]
    return ShownProgram(machine.name, RESOURCES, tuple(made), file=FILE)


@st.composite
def work_lists(draw: st.DrawFn, machine: Machine, queue: QueueKind, most: int = 6) -> list[Command]:
    """Works alone."""
    spots = draw(spot_lists)
    return list(draw(st.lists(works(machine, queue, spots), min_size=1, max_size=most)))


@st.composite
def gaps(draw: st.DrawFn, machine: Machine, queue: QueueKind, *, labels: bool) -> list[Command]:
    """What stands between two works: a little, or the heaviest barrier with holes in it."""
    if not draw(st.booleans()):  # failing programs shrink to no synchronization
        return draw(st.lists(_synchronization(machine, queue, labels=labels), max_size=3))
    barrier = heaviest_barrier(machine, queue)
    dropped = draw(st.sets(st.integers(0, len(barrier) - 1), max_size=6)) if barrier else ()
    lacks = draw(_some([str(row) for command in barrier for row in _operations_of(command)]))
    return [
        _without(command, lacks) for number, command in enumerate(barrier) if number not in dropped
    ]


def _operations_of(command: Command) -> tuple[CacheOperation, ...]:
    return command.operations if isinstance(command, SurfaceSync) else ()


def _without(command: Command, words: tuple[str, ...]) -> Command:
    if not isinstance(command, SurfaceSync):
        return command
    kept = tuple(row for row in command.operations if str(row) not in words)
    return replace(command, operations=kept)


def _synchronization(
    machine: Machine, queue: QueueKind, *, labels: bool
) -> st.SearchStrategy[Command]:
    if queue in (COPY, CPU):
        return _serial_synchronization(queue)
    found = one_queue_synchronization(machine, queue, labels=labels)
    if not labels or queue is not GRAPHICS:
        return found
    scan = Access("display", "scan", BACK, "pixels", BACK.main.start, BACK.main.end)
    presents: list[Command] = [Present(access=scan), Kickoff()]
    return st.one_of(found, st.sampled_from(presents))


@st.composite
def command_lists(
    draw: st.DrawFn,
    machine: Machine,
    queue: QueueKind,
    spots: Sequence[Spot],
    most: int = 5,
    *,
    labels: bool = True,
) -> list[Command]:
    """Works with gaps between them, and in front."""
    pair = st.tuples(gaps(machine, queue, labels=labels), works(machine, queue, spots))
    pairs = draw(st.lists(pair, min_size=2, max_size=most))
    return [command for gap, work in pairs for command in (*gap, work)]


@st.composite
def one_queue_programs(draw: st.DrawFn, *, labels: bool = True) -> Program:
    """A program of one GPU queue."""
    machine = draw(machines)
    kind = draw(st.sampled_from((GRAPHICS, COMPUTE)))
    commands = draw(command_lists(machine, kind, draw(spot_lists), labels=labels))
    return make_program(machine, [Queue("gfx", kind, commands)])


PIECES: tuple[tuple[WorkKind, str, str], ...] = (
    (WorkKind.DRAW, "vs", "texture"),
    (WorkKind.DRAW, "cb0", "write"),
    (WorkKind.DRAW, "cb0", "blend"),
    (WorkKind.DRAW, "ps", "uav-write"),
    (WorkKind.DISPATCH, "cs", "texture"),
    (WorkKind.DISPATCH, "cs", "constant"),
    (WorkKind.DISPATCH, "cs", "uav-write"),
    (WorkKind.DISPATCH, "cs", "atomic"),
    (WorkKind.DMA, "dma", "write"),
    (WorkKind.DMA, "dma", "read-tcc"),
)
"""One or two accesses of each sort, as works that use a piece of one part."""


@st.composite
def cut_up_programs(draw: st.DrawFn) -> Program:
    """A graphics queue whose works use pieces of one part, so that this is cut again and again."""
    machine = draw(machines)
    barrier = heaviest_barrier(machine, GRAPHICS)
    waits = [command for command in barrier if not isinstance(command, SurfaceSync)]
    gaps = st.sampled_from([[], waits, barrier])
    part = COLOR.main
    cuts = st.lists(
        st.integers(0, part.size // 16).map(lambda cut: part.start + 16 * cut),
        min_size=2,
        max_size=2,
        unique=True,
    )
    listing: list[Command] = []
    for _ in range(draw(st.integers(3, 8))):
        kind, block, use = draw(st.sampled_from(PIECES))
        start, end = sorted(draw(cuts))
        access = Access(block, use, COLOR, part.name, start, end)
        listing += [*draw(gaps), Work(kind=kind, verb=_VERBS[kind], accesses=(access,))]
    return make_program(machine, [Queue("gfx", GRAPHICS, listing)])


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A program of one to three queues of different kinds that share few parts."""
    machine = draw(machines)
    spots = draw(spot_lists)
    kinds = draw(st.lists(st.sampled_from(list(QueueKind)), min_size=1, max_size=3, unique=True))
    names = {GRAPHICS: "gfx", COMPUTE: "async", COPY: "copies", CPU: "host"}
    queues = [
        Queue(names[kind], kind, draw(command_lists(machine, kind, spots, 3))) for kind in kinds
    ]
    return make_program(machine, _with_marks(queues))


def _with_marks(queues: list[Queue]) -> list[Queue]:
    """Kickoffs of queues that are there, and at most as many as these have marks."""
    marks = {
        queue.name: sum(isinstance(command, Kickoff) for command in queue.commands)
        for queue in queues
        if queue.kind in (GRAPHICS, COMPUTE)
    }
    return [
        replace(queue, commands=_submitted(queue.commands, marks)) if queue.kind is CPU else queue
        for queue in queues
    ]


def _submitted(commands: Sequence[Command], marks: dict[str, int]) -> list[Command]:
    kept = []
    for command in commands:
        if isinstance(command, Kickoff):
            if not marks.get(command.queue, 0):
                continue
            marks[command.queue] -= 1
        kept.append(command)
    return kept


# -- the heaviest barrier


def heaviest_barrier(machine: Machine, queue: QueueKind) -> list[Command]:
    """Everything that a queue can do to be done with what it ran before."""
    everything = SurfaceSync(
        engine="me",
        operations=operations(sync_words(machine, queue)),
        coherency=COHERENCY if queue is GRAPHICS else (),
    )
    if queue is COMPUTE:
        return [DmaWait(), WaitIdle(), everything, WaitIdle()]
    if queue is not GRAPHICS:
        return []
    events = [PipelinedEvent(operations=operations([word])) for word in event_words(machine)]
    return [DmaWait(), WaitIdle(), *events, everything, WaitIdle(), PfpSyncMe()]
