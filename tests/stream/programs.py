"""Legal programs for hypothesis, made with the builder, and a view of programs without places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar

from hypothesis import strategies as st

from fencepost.machine import MACHINES, Machine
from fencepost.stream.builder import Bytes, ProgramBuilder, QueueBuilder, Use
from fencepost.stream.command import Comparison, WorkKind
from fencepost.stream.layout import FORMATS
from fencepost.stream.program import Program, QueueKind
from fencepost.stream.resource import Part, Resource, ResourceKind

# what may use which block, said anew here: `legality` must come to the same
BLOCKS = {
    WorkKind.DRAW: ["vs", "ps", "cb0", "cb7", "db", "so", "pfp"],
    WorkKind.DISPATCH: ["cs", "pfp"],
    WorkKind.DMA: ["dma", "pfp", "cp"],
    WorkKind.CPU: ["cpu"],
    WorkKind.COPY: ["copy"],
}
_OWN = [("pfp", "read"), ("pfp", "store")]
FOREIGN = {
    WorkKind.DRAW: _OWN,
    WorkKind.DISPATCH: [("pfp", "index"), *_OWN],
    WorkKind.DMA: [("pfp", "index"), ("cp", "write")],
    WorkKind.CPU: [],
    WorkKind.COPY: [],
}
STAGES = {WorkKind.DRAW: ["vs", "ps", "cb", "db", "so"], WorkKind.DISPATCH: ["cs"]}
READ_TOP = ["tcc.wbinv", "tcp.wbinv", "k.inv", "i.inv", "tcc.volatile.wb"]
BACK_TOP = ["cb.pixels.wbinv", "db.pixels.wbinv"]
EVENTS = [*BACK_TOP, "cb.pixels.wb", "cb.metadata.wbinv", "db.pixels.wb", "db.metadata.wbinv"]
CARRIED = ["tcc.wbinv", "tcp.wbinv", "tcp.volatile.wbinv"]
COHERENCY = [*(f"cb{n}" for n in range(8)), "db", *(f"base{n}" for n in range(4))]
SPECIAL_NAMES = [
    "a",
    "b_1",
    "x-y",
    "me",
    "all",
    "cb0",
    "with",
    "draw",
    "odd name",
    "`q`",
    "é",
    "\t",
]

names = st.one_of(st.sampled_from(SPECIAL_NAMES), st.text(min_size=1, max_size=8))
titles = st.one_of(
    st.just(""), st.sampled_from(["sky", 'a "b" \\', "#1; @ x"]), st.text(max_size=8)
)
words = st.from_regex(r"[A-Za-z0-9_.%/-]{1,6}", fullmatch=True)
values = st.one_of(st.integers(0, 9), st.integers(0, 2**32 - 1))


T = TypeVar("T")


class Maker:
    """Draws the parts of one program."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.machine: Machine = MACHINES[self.pick(sorted(MACHINES))]
        guarantees = self.pick(["", "documented", "strict"])
        self.builder = ProgramBuilder(self.machine.name, guarantees)
        self.resources: list[Resource] = []

    def pick(self, choices: Sequence[T]) -> T:
        """One of them."""
        return self.draw(st.sampled_from(choices))

    def some(self, choices: list[str]) -> str:
        """Some of them, none twice, as words."""
        if not choices:
            return ""
        return " ".join(self.draw(st.lists(st.sampled_from(choices), unique=True, max_size=3)))

    def program(self) -> Program:
        """A program with every kind of queue that is drawn."""
        if self.draw(st.booleans()):
            self.builder.allow("repeated-flush", self.draw(st.text(min_size=1, max_size=9)))
        for name in self.draw(st.lists(names, min_size=1, max_size=6, unique=True)):
            self.resources.append(self.resource(name))
        self.resources.append(self.builder.label("spare label"))
        kinds = self.draw(st.lists(st.sampled_from(list(QueueKind)), max_size=3, unique=True))
        queue_names = self.draw(st.lists(names, min_size=3, max_size=3, unique=True))
        for kind, name in zip(kinds, queue_names, strict=False):
            self.queue(self.builder.queue(name, kind), kind)
        return self.builder.build()

    def resource(self, name: str) -> Resource:
        """A resource of any kind; placed ones lie on addresses that nothing else takes."""
        kind = self.pick(list(ResourceKind))
        base = (len(self.resources) + 1) << 32
        at = self.pick([None, base])
        if kind is ResourceKind.LABEL:
            size = self.pick([4, 8])
            value = self.draw(values)
            frame = self.draw(st.booleans())
            return self.builder.label(name, value, per_frame=frame, size=size, at=at)
        if kind is ResourceKind.BUFFER:
            return self.builder.buffer(name, self.draw(st.integers(1, 1 << 20)), at)
        if kind is ResourceKind.GDS:
            return self.builder.gds(name, self.draw(st.integers(1, 4096)), at and at >> 16)
        return self.target(kind, name, at)

    def target(self, kind: ResourceKind, name: str, at: int | None) -> Resource:
        """A target of any shape, with or without metadata."""
        wanted = "depth" if kind is ResourceKind.DEPTH else "color"
        forms = [row.name for row in FORMATS.values() if row.kind == wanted]
        form = self.pick(forms) + self.pick(["", "-2x", "-8x"])
        size = (self.draw(st.integers(1, 300)), self.draw(st.integers(1, 300)))
        if kind is ResourceKind.DEPTH:
            parts = self.some(["htile"]).split()
            return self.builder.depth(name, *size, form, *parts, at=at)
        parts = self.some(["cmask", "fmask"]).split()
        if kind is ResourceKind.COLOR:
            return self.builder.color(name, *size, form, *parts, at=at)
        return self.builder.back_buffer(name, *size, form, *parts)

    def queue(self, queue: QueueBuilder, kind: QueueKind) -> None:
        """Up to eight commands of a queue."""
        for _ in range(self.draw(st.integers(0, 8))):
            if self.draw(st.integers(0, 9)) == 0:
                queue.allow("read-after-write", "known")
            self.pick(COMMANDS[kind])(self, queue, kind)
        queue.set(self.label(), 1)  # an `allow` needs a command

    def label(self) -> Resource:
        """Some label."""
        return self.pick([row for row in self.resources if row.kind is ResourceKind.LABEL])

    def bytes_of(self, resource: Resource, part: Part) -> Bytes:
        """A part, or a range of it."""
        if self.draw(st.booleans()):
            return Bytes(resource, part=part.name)
        start = self.draw(st.integers(0, part.size - 1))
        end = self.draw(st.integers(start + 1, part.size))
        return Bytes(resource, start, end, part.name)

    def use(self, kind: WorkKind) -> Use:
        """An access that such work may make."""
        block = self.pick(BLOCKS[kind])
        engine = block.rstrip("0123456789")
        rows = [row for row in self.machine.ways if engine in row.blocks]
        rows = [row for row in rows if (block, row.use) not in FOREIGN[kind]]
        row = self.pick(rows)
        resource, part = self.pick(self.reachable(row.use, row.part, row.blocks))
        policy = self.pick(["", *row.policies])
        what = f"{block}.{row.use}"
        if self.draw(st.booleans()) and part is resource.main:
            return Use(what, resource, policy=policy)
        where = self.bytes_of(resource, part)
        return Use(what, resource, where.start, where.end, where.part, policy)

    def reachable(
        self, use: str, part: str, blocks: tuple[str, ...]
    ) -> list[tuple[Resource, Part]]:
        """Every part that a row of the ways table can be about."""
        gds = use.startswith("gds-") or (blocks == ("dma",) and not use.endswith("-tcc"))
        found = [
            (resource, piece)
            for resource in self.resources
            for piece in resource.parts
            if part in ("*", piece.name) and (piece.name != "gds" or gds)
        ]
        return found or [(self.fallback(part), self.fallback(part).main)]

    def fallback(self, part: str) -> Resource:
        """A resource that has such a part, where the program has none."""
        name = f"fallback {part}"
        for resource in self.resources:
            if resource.name == name:
                return resource
        made = {
            "gds": lambda: self.builder.gds(name, 64),
            "htile": lambda: self.builder.depth(name, 8, 8),
        }.get(part, lambda: self.builder.color(name, 8, 8))()
        self.resources.append(made)
        return made


def _work(verb: str, kind: WorkKind | None) -> Callable[[Maker, QueueBuilder, QueueKind], None]:
    def add(maker: Maker, queue: QueueBuilder, queue_kind: QueueKind) -> None:
        usual = WorkKind.COPY if queue_kind is QueueKind.COPY else WorkKind.DMA
        executor = kind or usual
        uses = [maker.use(executor) for _ in range(maker.draw(st.integers(0, 3)))]
        unknown = tuple(maker.some(STAGES.get(executor, [])).split())
        cost = tuple(maker.draw(st.dictionaries(words, words, max_size=2)).items())
        title = maker.draw(titles)
        queue.work(verb, title, *uses, kind=kind, unknown=unknown, cost=cost)

    return add


def _copy(maker: Maker, queue: QueueBuilder, kind: QueueKind) -> None:
    target, source = (maker.pick(maker.reachable("", "*", ())) for _ in range(2))
    options: dict[str, Any] = {}
    if kind is not QueueKind.COPY:
        flags = ("synchronous", "raw_wait", "through_tcc")
        options = {flag: maker.draw(st.booleans()) for flag in flags}
        options["engine"] = maker.pick(["me", "pfp"] if kind is QueueKind.GRAPHICS else ["me"])
    if maker.draw(st.booleans()):
        queue.copy(maker.bytes_of(*target), maker.bytes_of(*source), **options)
    else:
        queue.clear(maker.bytes_of(*target), **options)


def _cpu(maker: Maker, queue: QueueBuilder, _kind: QueueKind) -> None:
    where = maker.bytes_of(*maker.pick(maker.reachable("", "*", ())))
    if maker.draw(st.booleans()):
        queue.read(where)
    else:
        queue.write(where, combined=maker.draw(st.booleans()))


def _engine(maker: Maker, kind: QueueKind) -> str:
    return str(maker.pick(["", "me", "pfp"] if kind is QueueKind.GRAPHICS else [""]))


def _wait(maker: Maker, queue: QueueBuilder, kind: QueueKind) -> None:
    mask = maker.pick([2**64 - 1, 0xFF, 0x10000])
    comparison = maker.pick([str(row) for row in Comparison])
    engine = _engine(maker, kind)
    queue.wait(maker.label(), maker.draw(values), comparison, engine=engine, mask=mask)


def _set(maker: Maker, queue: QueueBuilder, kind: QueueKind) -> None:
    queue.set(maker.label(), maker.draw(values), engine=_engine(maker, kind))


def _sync(maker: Maker, queue: QueueBuilder, kind: QueueKind) -> None:
    graphics = kind is QueueKind.GRAPHICS
    operations = maker.some(READ_TOP + (BACK_TOP if graphics else []))
    surface = maker.pick([None, maker.bytes_of(*maker.pick(maker.reachable("", "*", ())))])
    coherent = maker.some(COHERENCY if graphics else [])
    queue.sync(operations, coherent, surface, engine=_engine(maker, kind))


def _eop(maker: Maker, queue: QueueBuilder, kind: QueueKind) -> None:
    gcn = maker.machine.name != "xbox-one" and kind is QueueKind.GRAPHICS
    operations = maker.some(CARRIED + (EVENTS if gcn else []))
    choice = maker.pick(["value", "timestamp", "nothing"])
    if choice == "value":
        queue.end_of_pipe(maker.label(), maker.draw(values), operations)
    elif choice == "timestamp":
        queue.timestamp(maker.bytes_of(*maker.pick(maker.reachable("", "*", ()))), operations)
    else:
        queue.end_of_pipe(operations=operations)


def _present(maker: Maker, queue: QueueBuilder, _kind: QueueKind) -> None:
    buffers = [row for row in maker.resources if row.kind is ResourceKind.BACK_BUFFER]
    if buffers:
        maker.pick([queue.present, queue.wait_flip])(maker.pick(buffers))


def _flush(*stages: str) -> Callable[[Maker, QueueBuilder, QueueKind], None]:
    return lambda maker, queue, _: _ignore(queue.flush(maker.pick(list(stages))))


def _eos(*stages: str) -> Callable[[Maker, QueueBuilder, QueueKind], None]:
    return lambda maker, queue, _: _ignore(
        queue.end_of_shader(maker.pick(list(stages)), maker.label(), maker.draw(values))
    )


def _event(maker: Maker, queue: QueueBuilder, _kind: QueueKind) -> None:
    queue.event(maker.some(EVENTS))


def _bare(name: str) -> Callable[[Maker, QueueBuilder, QueueKind], None]:
    return lambda _, queue, __: _ignore(getattr(queue, name)())


def _ignore(_: object) -> None:
    """For lambdas that are called for what they do."""


_GPU = [
    _work("dispatch", WorkKind.DISPATCH),
    *(_work(verb, WorkKind.DISPATCH) for verb in ("copy", "clear", "resolve")),
    *(_work(verb, None) for verb in ("copy", "clear")),
    *(_copy, _wait, _set, _sync, _eop),
    *(_bare(name) for name in ("wait_idle", "dma_wait", "kickoff", "frame")),
]
COMMANDS: dict[QueueKind, list[Callable[[Maker, QueueBuilder, QueueKind], None]]] = {
    QueueKind.GRAPHICS: [
        *_GPU,
        _work("draw", WorkKind.DRAW),
        _work("resolve", WorkKind.DRAW),
        _flush("vs", "ps", "cs"),
        _eos("ps", "cs"),
        _event,
        _present,
        _bare("pfp_sync_me"),
        _bare("context"),
    ],
    QueueKind.COMPUTE: [*_GPU, _flush("cs"), _eos("cs")],
    QueueKind.COPY: [_work("copy", None), _work("clear", None), _copy, _wait, _set],
    QueueKind.CPU: [_work("read", WorkKind.CPU), _work("write", WorkKind.CPU), _cpu, _wait, _set],
}


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Any legal program."""
    return Maker(draw).program()


def plain(program: Program) -> object:
    """The program as nested tuples, without places; suppressions by the commands they are about."""
    queues = [
        (queue.name, str(queue.kind), [plain_value(command) for command in queue.commands])
        for queue in program.queues
    ]
    resources = [plain_value(resource) for resource in program.resources]
    return program.machine, program.guarantees, resources, queues, _suppressions(program)


def plain_value(value: object) -> object:
    if isinstance(value, Enum):
        return str(value)
    if is_dataclass(value):
        named = [row.name for row in fields(value) if row.name != "place"]
        return type(value).__name__, *((name, plain_value(getattr(value, name))) for name in named)
    if isinstance(value, tuple):
        return tuple(plain_value(item) for item in value)
    return value


def _suppressions(program: Program) -> list[object]:
    found: list[object] = []
    for row in program.suppressions:
        where = [
            (queue.name, index)
            for queue in program.queues
            for index, command in enumerate(queue.commands)
            if (command.place.file, command.place.line) == (row.file, row.line)
        ]
        found.append((row.rule, row.reason, row.line == 0, where))
    return sorted(found, key=repr)
