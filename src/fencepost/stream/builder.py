"""Programs built in Python.

Every call is a line: commands and resources have the place `<builder>:N`, N counting from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from fencepost.errors import FencepostError, ProgramProblem
from fencepost.place import Place
from fencepost.stream.assembly import Assembly, located, parse_operation, span
from fencepost.stream.command import (
    FULL_MASK,
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
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.layout import Declaration, PartRequest
from fencepost.stream.legality import require_legal
from fencepost.stream.program import Program, QueueKind, Suppression
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Resource, ResourceKind
from fencepost.stream.verbs import default_kind

FILE = "<builder>"
_ENGINES = {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}


@dataclass(frozen=True, slots=True)
class Bytes:
    """Bytes [start, end) of a part of a resource; without bounds the whole part."""

    resource: Resource
    start: int | None = None
    end: int | None = None
    part: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """`block.use` of bytes of a resource; offsets count within the part."""

    what: str
    resource: Resource
    start: int | None = None
    end: int | None = None
    part: str = ""
    policy: str = ""


class ProgramBuilder:
    """Builds a program: resources, then queues with their commands.

    Every method raises `ProgramProblem` for what it cannot take.

    >>> builder = ProgramBuilder("xbox-one")
    >>> target = builder.color("target", 64, 64, "rgba8")
    >>> queue = builder.graphics("gfx")
    >>> _ = queue.draw("a", Use("cb0.write", target)).draw("b", Use("ps.texture", target))
    >>> len(builder.build().queues[0].commands)
    2
    """

    def __init__(self, machine: str, guarantees: str = "", file: str = FILE) -> None:
        self._assembly = Assembly(machine, guarantees, file)
        self._file = file
        self._line = 0

    def buffer(self, name: str, size: int, at: int | None = None) -> Resource:
        """Plain bytes."""
        return self._declare(Declaration(name, ResourceKind.BUFFER, size, at))

    def color(
        self,
        name: str,
        width: int,
        height: int,
        form: str = "rgba8",
        *parts: str,
        at: int | None = None,
    ) -> Resource:
        """A color target; `parts` may be `cmask` and `fmask`."""
        return self._target(ResourceKind.COLOR, name, (width, height, form), parts, at)

    def depth(
        self,
        name: str,
        width: int,
        height: int,
        form: str = "d24s8",
        *parts: str,
        at: int | None = None,
    ) -> Resource:
        """A depth target; `parts` may be `htile`."""
        return self._target(ResourceKind.DEPTH, name, (width, height, form), parts, at)

    def back_buffer(
        self, name: str, width: int, height: int, form: str = "rgba8", *parts: str
    ) -> Resource:
        """A color target that can be presented."""
        return self._target(ResourceKind.BACK_BUFFER, name, (width, height, form), parts, None)

    def label(
        self,
        name: str,
        value: int = 0,
        *,
        per_frame: bool = False,
        size: int = 8,
        at: int | None = None,
    ) -> Resource:
        """A fence's location, with its starting value."""
        return self._declare(
            Declaration(name, ResourceKind.LABEL, size, at, value=value, per_frame=per_frame)
        )

    def gds(self, name: str, size: int, at: int | None = None) -> Resource:
        """A range of the global data share; its address counts from the start of GDS."""
        return self._declare(Declaration(name, ResourceKind.GDS, size, at))

    def graphics(self, name: str = "graphics") -> QueueBuilder:
        """The graphics queue."""
        return self.queue(name, QueueKind.GRAPHICS)

    def compute(self, name: str = "compute") -> QueueBuilder:
        """A compute queue."""
        return self.queue(name, QueueKind.COMPUTE)

    def copy(self, name: str = "copy") -> QueueBuilder:
        """A copy queue."""
        return self.queue(name, QueueKind.COPY)

    def cpu(self, name: str = "cpu") -> QueueBuilder:
        """The CPU."""
        return self.queue(name, QueueKind.CPU)

    def queue(self, name: str, kind: QueueKind) -> QueueBuilder:
        """A queue of that kind."""
        place = self.next_place()
        try:
            commands = self._assembly.open(name, kind, place)
        except FencepostError as error:
            raise located(error, place) from None
        return QueueBuilder(self, self._assembly, kind, commands)

    def allow(self, rule: str, reason: str) -> Self:
        """Accept a rule in the whole program."""
        self.accept(rule, reason, self.next_place(), 0)
        return self

    def accept(self, rule: str, reason: str, place: Place, line: int) -> None:
        """Accept a rule at a line (0: everywhere)."""
        row = Suppression(rule, self._file, line, reason, place)
        self._assembly.suppressions.append(row)

    def build(self) -> Program:
        """The program; raises `Problems` with what cannot be issued."""
        return require_legal(self._assembly.program())

    def next_place(self) -> Place:
        """The place of the next call."""
        self._line += 1
        return Place(self._file, self._line)

    def _target(
        self,
        kind: ResourceKind,
        name: str,
        shape: tuple[int, int, str],
        parts: tuple[str, ...],
        at: int | None,
    ) -> Resource:
        requests = tuple(PartRequest(part) for part in parts)
        return self._declare(Declaration(name, kind, None, at, shape, requests))

    def _declare(self, declaration: Declaration) -> Resource:
        place = self.next_place()
        try:
            return self._assembly.declare(replace(declaration, place=place))
        except FencepostError as error:
            raise located(error, place) from None


class QueueBuilder:
    """Appends commands to one queue; every method returns the builder itself."""

    def __init__(
        self,
        builder: ProgramBuilder,
        assembly: Assembly,
        kind: QueueKind,
        commands: list[Command],
    ) -> None:
        self._builder = builder
        self._assembly = assembly
        self._kind = kind
        self._commands = commands
        self._allowed: list[tuple[str, str, Place]] = []

    def add(self, command: Command) -> Self:
        """Any command, at the next place."""
        place = self._builder.next_place()
        self._commands.append(replace(command, place=place))
        for rule, reason, where in self._allowed:
            self._builder.accept(rule, reason, where, place.line)
        self._allowed = []
        return self

    def allow(self, rule: str, reason: str) -> Self:
        """Accept a rule at the next command."""
        self._allowed.append((rule, reason, self._builder.next_place()))
        return self

    def draw(self, name: str, *uses: Use | Access, unknown: tuple[str, ...] = ()) -> Self:
        """A draw."""
        return self.work("draw", name, *uses, unknown=unknown)

    def dispatch(self, name: str, *uses: Use | Access, unknown: tuple[str, ...] = ()) -> Self:
        """A dispatch."""
        return self.work("dispatch", name, *uses, unknown=unknown)

    def work(
        self,
        verb: str,
        name: str,
        *uses: Use | Access,
        kind: WorkKind | None = None,
        unknown: tuple[str, ...] = (),
        cost: tuple[tuple[str, str], ...] = (),
    ) -> Self:
        """Work of any verb; `kind` where the verb does not say who executes it."""
        executor = kind or default_kind(verb, self._kind)
        if executor is None:
            place = self._builder.next_place()
            raise ProgramProblem(f"a {verb} does not say its kind", place, "a WorkKind")
        accesses = self._accesses(uses)
        return self.add(
            Work(name=name, kind=executor, verb=verb, accesses=accesses, unknown=unknown, cost=cost)
        )

    def copy(
        self,
        target: Resource | Bytes,
        source: Resource | Bytes,
        *,
        engine: str = "me",
        synchronous: bool = False,
        raw_wait: bool = False,
        through_tcc: bool = False,
    ) -> Self:
        """A copy by CP DMA, or by the copy queue."""
        kind = default_kind("copy", self._kind) or WorkKind.DMA
        tail = "-tcc" if through_tcc else ""
        uses = (_use(kind, f"read{tail}", source), _use(kind, f"write{tail}", target))
        return self._transfer("copy", kind, uses, engine, synchronous, raw_wait)

    def clear(
        self,
        target: Resource | Bytes,
        *,
        engine: str = "me",
        synchronous: bool = False,
        raw_wait: bool = False,
        through_tcc: bool = False,
    ) -> Self:
        """A fill by CP DMA, or by the copy queue."""
        kind = default_kind("clear", self._kind) or WorkKind.DMA
        uses = (_use(kind, "write-tcc" if through_tcc else "write", target),)
        return self._transfer("clear", kind, uses, engine, synchronous, raw_wait)

    def _transfer(
        self,
        verb: str,
        kind: WorkKind,
        uses: tuple[Use, ...],
        engine: str,
        synchronous: bool,
        raw_wait: bool,
    ) -> Self:
        return self.add(
            Work(
                kind=kind,
                verb=verb,
                accesses=self._accesses(uses),
                engine=engine,
                synchronous=synchronous,
                raw_wait=raw_wait,
            )
        )

    def read(self, source: Resource | Bytes) -> Self:
        """A read by the CPU."""
        return self.work("read", "", _use(WorkKind.CPU, "read", source))

    def write(self, target: Resource | Bytes, *, combined: bool = False) -> Self:
        """A write by the CPU, write-combined or not."""
        use = "write-combined" if combined else "write"
        return self.work("write", "", _use(WorkKind.CPU, use, target))

    def flush(self, stage: str) -> Self:
        """A partial flush."""
        return self.add(PartialFlush(stage=stage))

    def end_of_pipe(
        self, label: Resource | None = None, value: int = 0, operations: str = ""
    ) -> Self:
        """Cache operations (`tcc.wbinv tcp.wbinv`), then a value, at the end of pipe."""
        parsed = self._operations(operations)
        return self.add(EndOfPipe(label=label, value=value, operations=parsed))

    def timestamp(self, target: Resource | Bytes, operations: str = "") -> Self:
        """Cache operations, then a timestamp, at the end of pipe."""
        (access,) = self._accesses((_use("cp", "write", target),))
        return self.add(EndOfPipe(timestamp=access, operations=self._operations(operations)))

    def end_of_shader(self, stage: str, label: Resource, value: int) -> Self:
        """A value at the end of shader."""
        return self.add(EndOfShader(stage=stage, label=label, value=value))

    def wait(
        self,
        label: Resource,
        value: int,
        comparison: str = "==",
        *,
        engine: str = "",
        mask: int = FULL_MASK,
    ) -> Self:
        """A wait on memory, by ME (or the queue itself) unless `pfp` is named."""
        return self.add(
            WaitMemory(
                engine=self._engine(engine),
                label=label,
                comparison=Comparison(comparison),
                reference=value,
                mask=mask,
            )
        )

    def set(self, label: Resource, value: int, *, engine: str = "") -> Self:
        """A value, at once."""
        return self.add(SetLabel(engine=self._engine(engine), label=label, value=value))

    def pfp_sync_me(self) -> Self:
        """PFP waits for ME."""
        return self.add(PfpSyncMe())

    def wait_idle(self) -> Self:
        """Wait until idle."""
        return self.add(WaitIdle())

    def event(self, operations: str = "") -> Self:
        """A pipelined event with its CB and DB operations."""
        return self.add(PipelinedEvent(operations=self._operations(operations)))

    def sync(
        self,
        operations: str = "",
        coherent: str = "",
        surface: Resource | Bytes | None = None,
        *,
        engine: str = "",
    ) -> Self:
        """A surface sync; without a surface over every address."""
        start, end, part = WHOLE_START, WHOLE_END, ""
        wanted = Bytes(surface) if isinstance(surface, Resource) else surface
        if wanted is not None:
            start, end, part = self._bounds(wanted)
        return self.add(
            SurfaceSync(
                engine=self._engine(engine),
                operations=self._operations(operations),
                coherency=tuple(coherent.split()),
                start=start,
                end=end,
                surface=wanted.resource if wanted else None,
                part=part,
            )
        )

    def context(self) -> Self:
        """A context register is written."""
        return self.add(ContextWrite())

    def dma_wait(self, engine: str = "") -> Self:
        """Wait until the CP DMA is idle."""
        return self.add(DmaWait(engine=self._engine(engine)))

    def kickoff(self, queue: str = "") -> Self:
        """On the CPU: submit a queue's next part. On a GPU queue: where that part starts."""
        return self.add(Kickoff(queue=queue))

    def frame(self) -> Self:
        """A new frame starts."""
        return self.add(Frame())

    def present(self, buffer: Resource) -> Self:
        """A flip to a back buffer."""
        (access,) = self._accesses((Use("display.scan", buffer),))
        return self.add(Present(access=access))

    def wait_flip(self, buffer: Resource) -> Self:
        """Wait until no earlier flip of a back buffer is visible."""
        return self.add(WaitFlip(buffer=buffer))

    def _bounds(self, surface: Bytes) -> tuple[int, int, str]:
        """Absolute start and end, and the part unless it is the main one."""
        try:
            piece = self._assembly.part(surface.resource, surface.part)
            start, end = span(piece, surface.start, surface.end, surface.resource.name)
        except FencepostError as error:
            raise located(error, self._builder.next_place()) from None
        return start, end, "" if piece is surface.resource.main else piece.name

    def _engine(self, engine: str) -> str:
        return engine or _ENGINES.get(self._kind, "me")

    def _operations(self, operations: str) -> tuple[CacheOperation, ...]:
        try:
            return tuple(parse_operation(word) for word in operations.split())
        except FencepostError as error:
            raise located(error, self._builder.next_place()) from None

    def _accesses(self, uses: tuple[Use | Access, ...]) -> tuple[Access, ...]:
        return tuple(access for use in uses for access in self._access(use))

    def _access(self, use: Use | Access) -> tuple[Access, ...]:
        if isinstance(use, Access):
            return (use,)
        block, _, what = use.what.partition(".")
        try:
            return self._assembly.access(
                block, what, use.resource.name, use.part, use.start, use.end, use.policy
            )
        except FencepostError as error:
            raise located(error, self._builder.next_place()) from None


def _use(block: str, use: str, operand: Resource | Bytes) -> Use:
    piece = Bytes(operand) if isinstance(operand, Resource) else operand
    return Use(f"{block}.{use}", piece.resource, piece.start, piece.end, piece.part)
