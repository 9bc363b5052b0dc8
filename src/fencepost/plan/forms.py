"""Lighter forms of a synchronization command: without a part of it, or something that does less.

One row a kind of command. Whether a lighter form is enough is tried by replay; `weaker` forms wait
for no more than the command itself by construction (model 4), the others have to be cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.coherence.finding import Spot
from fencepost.stream.command import (
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import WHOLE_END, Resource

MOST_SURFACES = 4
"""So many of the last targets are tried in the place of the whole range."""


@dataclass(frozen=True, slots=True)
class Form:
    """Commands that could stand in the place of one.

    `part`: what was left out of it; "": another form.
    """

    commands: tuple[Command, ...]
    weaker: bool = True
    part: str = ""


@dataclass(frozen=True, slots=True)
class Site:
    """A command of a program: queue and position."""

    program: Program
    number: int
    position: int

    @property
    def queue(self) -> Queue:
        """The queue that it stands in."""
        return self.program.queues[self.number]

    @property
    def command(self) -> Command:
        """The command itself."""
        return self.queue.commands[self.position]

    @property
    def copies(self) -> range:
        """The positions at which repeated frames have this command."""
        length = len(self.queue.commands) // self.program.frames
        return range(self.position % length, len(self.queue.commands), length)

    def spot(self, does: str = "") -> Spot:
        """The command, and what it does there."""
        return Spot(self.queue.name, self.position, self.command, does)

    @property
    def before(self) -> Sequence[Command]:
        """What stands before it in its queue."""
        return self.queue.commands[: self.position]

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that this queue can drain, what waits least first."""
        return ("vs", "cs", "ps") if self.queue.kind is QueueKind.GRAPHICS else ("cs",)


REMOVABLE = (PartialFlush, WaitIdle, WaitMemory, DmaWait, PfpSyncMe, PipelinedEvent, SurfaceSync)


def is_removable(command: Command) -> bool:
    """Does the command do nothing but synchronize? A value or a timestamp may be read elsewhere."""
    if isinstance(command, EndOfPipe):
        return command.label is None and command.timestamp is None
    if isinstance(command, PipelinedEvent) and not command.operations:  # a marker, a counter
        return False
    return isinstance(command, REMOVABLE)


def parts(form: Form) -> Iterator[Form]:
    """A lone command without one of its cache operations or coherency bits; not without all."""
    if len(form.commands) != 1:
        return
    (command,) = form.commands
    operations: tuple[CacheOperation, ...] = getattr(command, "operations", ())
    bits = command.coherency if isinstance(command, SurfaceSync) else ()
    if is_removable(command) and len(operations) + len(bits) == 1:
        return
    for operation in operations:
        rest = tuple(other for other in operations if other != operation)
        yield Form((_changed(command, operations=rest),), part=str(operation))
    for bit in bits:
        rest_bits = tuple(other for other in bits if other != bit)
        yield Form((_changed(command, coherency=rest_bits),), part=f"coherency {bit}")


def with_label(command: Command, label: Resource | None) -> Command:
    """The command with another label, if it has one."""
    return _changed(command, label=label) if hasattr(command, "label") else command


def _changed(command: Command, **values: object) -> Command:
    changed: Command = replace(command, **values)  # type: ignore[arg-type]
    return changed


def lighter(site: Site) -> Iterator[Form]:
    """Other forms that could stand there, the lightest first."""
    forms = LIGHTER.get(type(site.command))
    if forms is not None:
        yield from forms(site, site.command)


def _flushes(site: Site, weaker: bool) -> Iterator[Form]:
    for stage in site.stages:
        yield Form((PartialFlush(stage=stage),), weaker)


def _idle(site: Site, _: WaitIdle) -> Iterator[Form]:
    """A flush of one stage, of both pipelines, a coherent surface sync."""
    yield from _flushes(site, weaker=True)
    if site.queue.kind is QueueKind.GRAPHICS:
        yield Form((PartialFlush(stage="ps"), PartialFlush(stage="cs")))
        for sync in _surface_syncs(site, SurfaceSync(engine="me")):
            yield Form((sync,))


def _wait(site: Site, command: WaitMemory) -> Iterator[Form]:
    """A flush, where this queue wrote the value; the same wait on ME."""
    if any(_writes(row, command.label) for row in site.before):
        yield from _flushes(site, weaker=False)
    if command.engine == "pfp":
        yield Form((_changed(command, engine="me"),))


def _writes(command: Command, label: Resource) -> bool:
    written = getattr(command, "label", None)
    return written is not None and written.name == label.name and type(command) is not WaitMemory


def _sync(site: Site, command: SurfaceSync) -> Iterator[Form]:
    """A flush, where it does nothing but wait; on ME; on one surface instead of all."""
    if not command.operations:
        yield from _flushes(site, weaker=False)
    if command.engine == "pfp":
        yield Form((_changed(command, engine="me"),))
    if command.coherency and command.start == 0 and command.end >= WHOLE_END:
        for sync in _surface_syncs(site, command):
            yield Form((sync,))


def _surface_syncs(site: Site, command: SurfaceSync) -> Iterator[SurfaceSync]:
    """The sync on each of the targets drawn to, those that were drawn to longest ago first."""
    for block, resource, part, start, end in _targets(site.before)[-MOST_SURFACES:]:
        if not command.coherency or block in command.coherency:
            yield replace(
                command,
                coherency=(block,),
                start=start,
                end=end,
                surface=resource,
                part="" if part == resource.main.name else part,
            )


Target = tuple[str, Resource, str, int, int]


def _targets(commands: Sequence[Command]) -> list[Target]:
    """The color and depth targets of draws, each once, in the order of the last draw to each."""
    found: dict[Target, None] = {}
    for command in commands:
        if isinstance(command, Work) and command.kind is WorkKind.DRAW:
            for row in command.accesses:
                if row.block[:2] in ("cb", "db"):
                    target = (row.block, row.resource, row.part, row.start, row.end)
                    found.pop(target, None)
                    found[target] = None
    return list(found)


def _end_of_pipe(site: Site, command: EndOfPipe) -> Iterator[Form]:
    """The value at the end of a shader stage, for a wait of this stream."""
    label = command.label
    if label is None or not is_waited_for(site.program, label):
        return
    for stage in site.stages:
        if stage != "vs":
            yield Form((EndOfShader(stage=stage, label=label, value=command.value),))


def is_waited_for(program: Program, label: Resource) -> bool:
    """Does some queue wait for that label?"""
    return any(
        isinstance(command, WaitMemory) and command.label.name == label.name
        for queue in program.queues
        for command in queue.commands
    )


def _flush(_: Site, command: PartialFlush) -> Iterator[Form]:
    """VS drains before PS does."""
    if command.stage == "ps":
        yield Form((_changed(command, stage="vs"),))


def _dma_wait(_: Site, command: DmaWait) -> Iterator[Form]:
    if command.engine == "pfp":
        yield Form((_changed(command, engine="me"),))


LIGHTER: dict[type[Command], Callable[[Site, Any], Iterator[Form]]] = {
    WaitIdle: _idle,
    WaitMemory: _wait,
    SurfaceSync: _sync,
    EndOfPipe: _end_of_pipe,
    PartialFlush: _flush,
    DmaWait: _dma_wait,
}
"""What could stand in the place of a command of that kind."""
