"""Programs to JSON Lines records: the way back of `from_records`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, cast

import msgspec

from fencepost.errors import ProgramProblem
from fencepost.stream import command as commands
from fencepost.stream import records
from fencepost.stream.accepted import Accepted
from fencepost.stream.command import FULL_MASK, Access, CacheOperation, Work
from fencepost.stream.layout import Layout, align
from fencepost.stream.program import Program, QueueKind
from fencepost.stream.resource import GDS_BASE, WHOLE_END, WHOLE_START, Part, Resource, ResourceKind
from fencepost.stream.verbs import default_kind


def program_records(program: Program) -> Iterator[msgspec.Struct]:
    """The records of a program; raises `ProgramProblem` for what no stream says."""
    if program.frames != 1:
        raise ProgramProblem(f"{program.frames} repeated frames have no JSON Lines form")
    accepted = Accepted(program.suppressions)
    yield records.Header(
        records.FORMAT,
        records.VERSION,
        program.machine,
        cast("records.Guarantees", program.guarantees),
    )
    yield from (records.AllowAll(row.rule, row.reason) for row in accepted.everywhere)
    layout = Layout()
    yield from (_resource(resource, layout) for resource in program.resources)
    yield from (records.Queue(queue.name, queue.kind) for queue in program.queues)
    for queue in program.queues:
        scene = Scene(queue.name, queue.kind)
        for command in queue.commands:
            record = WRITERS[type(command)](command, scene)
            record.allow = [records.Allow(a.rule, a.reason) for a in accepted.at(command.place)]
            yield record
    accepted.finish()


class Scene:
    """The queue that a command stands in."""

    __slots__ = ("kind", "queue")

    def __init__(self, queue: str, kind: QueueKind) -> None:
        self.queue = queue
        self.kind = kind

    def common(self, command: commands.Command) -> dict[str, Any]:
        """What all records of commands share."""
        return {"queue": self.queue, "name": command.name}


def _resource(resource: Resource, layout: Layout) -> records.Resource:
    common: dict[str, Any] = {"name": resource.name, "size": resource.main.size}
    if not layout.accept(resource):
        in_gds = resource.kind is ResourceKind.GDS
        common["address"] = resource.main.start - (GDS_BASE if in_gds else 0)
    if resource.kind is ResourceKind.LABEL:
        return records.Label(**common, value=resource.value, per_frame=resource.per_frame)
    if resource.kind in TARGETS:
        if resource.shape is not None:
            width, height, form = resource.shape
            common.update(width=width, height=height, format=form)
        return TARGETS[resource.kind](**common, **_parts(resource))
    return PLAIN[resource.kind](**common)


TARGETS: dict[ResourceKind, Callable[..., records.Resource]] = {
    ResourceKind.COLOR: records.Color,
    ResourceKind.DEPTH: records.Depth,
    ResourceKind.BACK_BUFFER: records.BackBuffer,
}
PLAIN: dict[ResourceKind, Callable[..., records.Resource]] = {
    ResourceKind.BUFFER: records.Buffer,
    ResourceKind.GDS: records.Gds,
}


def _parts(resource: Resource) -> dict[str, records.Part]:
    """Each metadata part, with an address where it does not follow the one before."""
    found: dict[str, records.Part] = {}
    before: Part = resource.main
    for part in resource.parts[1:]:
        address = None if part.start == align(before.end) else part.start
        found[part.name] = records.Part(part.size, address)
        before = part
    return found


def _work(work: Work, scene: Scene) -> records.Command:
    usual = work.kind is default_kind(work.verb, scene.kind)
    return WORKS[work.verb](
        **scene.common(work),
        accesses=[_access(access) for access in work.accesses],
        unknown=list(work.unknown),
        kind=None if usual else work.kind,
        engine=work.engine,
        synchronous=work.synchronous,
        raw_wait=work.raw_wait,
        cost=dict(work.cost),
    )


WORKS: dict[str, Callable[..., records.Command]] = {
    records.tag_of(record): record for record in records.WORKS
}


def _access(access: Access) -> records.Access:
    part, start, end = _bounds(access.resource, access.part, access.start, access.end)
    if len(access.resource.parts) > 1:
        part = access.part
    return records.Access(
        access.block, access.use, access.resource.name, part, start, end, access.policy
    )


def _bounds(
    resource: Resource, name: str, start: int, end: int
) -> tuple[str, int | None, int | None]:
    """Part, start and end as a record says them: nothing where the default says the same."""
    part = resource.part(name) if name else resource.main
    if part is None:
        raise ProgramProblem(f"'{resource.name}' has no part '{name}'")
    shown = "" if part is resource.main else part.name
    if (start, end) == (part.start, part.end):
        return shown, None, None
    return shown, start - part.start, end - part.start


def _texts(operations: Iterable[CacheOperation]) -> list[str]:
    return [str(operation) for operation in operations]


def _engine(engine: str) -> Literal["", "pfp"]:
    """The engine where it is not the one meant anyway."""
    return "pfp" if engine == "pfp" else ""


def _flush(command: commands.PartialFlush, scene: Scene) -> records.Command:
    return records.Flush(**scene.common(command), stage=cast("records.Stage", command.stage))


def _eop(command: commands.EndOfPipe, scene: Scene) -> records.Command:
    timestamp = None
    if command.timestamp is not None:
        at = command.timestamp
        bounds = _bounds(at.resource, at.part, at.start, at.end)
        timestamp = records.Span(at.resource.name, *bounds)
    return records.EndOfPipe(
        **scene.common(command),
        label=command.label.name if command.label else "",
        value=command.value,
        operations=_texts(command.operations),
        timestamp=timestamp,
    )


def _eos(command: commands.EndOfShader, scene: Scene) -> records.Command:
    return records.EndOfShader(
        **scene.common(command),
        stage=cast("records.EndStage", command.stage),
        label=command.label.name,
        value=command.value,
    )


def _wait(command: commands.WaitMemory, scene: Scene) -> records.Command:
    return records.Wait(
        **scene.common(command),
        label=command.label.name,
        value=command.reference,
        comparison=command.comparison,
        mask=None if command.mask == FULL_MASK else command.mask,
        engine=_engine(command.engine),
    )


def _set(command: commands.SetLabel, scene: Scene) -> records.Command:
    return records.Set(
        **scene.common(command),
        label=command.label.name,
        value=command.value,
        engine=_engine(command.engine),
    )


def _event(command: commands.PipelinedEvent, scene: Scene) -> records.Command:
    return records.Event(**scene.common(command), operations=_texts(command.operations))


def _sync(command: commands.SurfaceSync, scene: Scene) -> records.Command:
    surface, part = "", ""
    start: int | None = command.start
    end: int | None = command.end
    if command.surface is not None and is_within(command):
        surface = command.surface.name
        part, start, end = _bounds(command.surface, command.part, command.start, command.end)
    elif (command.start, command.end) == (WHOLE_START, WHOLE_END):
        start = end = None
    return records.Sync(
        **scene.common(command),
        operations=_texts(command.operations),
        coherency=list(command.coherency),
        surface=surface,
        part=part,
        start=start,
        end=end,
        engine=_engine(command.engine),
    )


def is_within(sync: commands.SurfaceSync) -> bool:
    """Whether the range lies within the part that it was written as."""
    if sync.surface is None:
        return False
    part = sync.surface.part(sync.part) if sync.part else sync.surface.main
    return part is not None and part.start <= sync.start < sync.end <= part.end


def _dma_wait(command: commands.DmaWait, scene: Scene) -> records.Command:
    return records.DmaWait(**scene.common(command), engine=_engine(command.engine))


def _kickoff(command: commands.Kickoff, scene: Scene) -> records.Command:
    return records.Kickoff(**scene.common(command), target=command.queue)


def _present(command: commands.Present, scene: Scene) -> records.Command:
    return records.Present(**scene.common(command), buffer=command.access.resource.name)


def _wait_flip(command: commands.WaitFlip, scene: Scene) -> records.Command:
    return records.WaitFlip(**scene.common(command), buffer=command.buffer.name)


def _bare(
    record: Callable[..., records.Command],
) -> Callable[[commands.Command, Scene], records.Command]:
    """A command that says nothing of its own."""
    return lambda command, scene: record(**scene.common(command))


WRITERS: dict[type[commands.Command], Callable[[Any, Scene], records.Command]] = {
    Work: _work,
    commands.PartialFlush: _flush,
    commands.EndOfPipe: _eop,
    commands.EndOfShader: _eos,
    commands.WaitMemory: _wait,
    commands.SetLabel: _set,
    commands.PipelinedEvent: _event,
    commands.SurfaceSync: _sync,
    commands.DmaWait: _dma_wait,
    commands.Kickoff: _kickoff,
    commands.Present: _present,
    commands.WaitFlip: _wait_flip,
    commands.PfpSyncMe: _bare(records.PfpSyncMe),
    commands.WaitIdle: _bare(records.WaitIdle),
    commands.ContextWrite: _bare(records.Context),
    commands.Frame: _bare(records.Frame),
}
