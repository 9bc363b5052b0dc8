"""JSON Lines records to resources and commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from fencepost.errors import ProgramProblem
from fencepost.place import Place
from fencepost.stream import command as commands
from fencepost.stream import records
from fencepost.stream.assembly import Assembly, parse_operation, span
from fencepost.stream.command import FULL_MASK, Access, CacheOperation, Command, Work
from fencepost.stream.layout import Declaration, PartRequest
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Resource, ResourceKind
from fencepost.stream.verbs import default_kind

_SERIAL = {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}
_METADATA = ("cmask", "fmask", "htile")


def declaration_of(record: records.Resource, place: Place) -> Declaration:
    """What a resource's record declares."""
    kind = ResourceKind(records.tag_of(type(record)))
    shape = None
    parts: list[PartRequest] = []
    if isinstance(record, records.Target):
        shape = _shape(record)
        asked = [(name, getattr(record, name, None)) for name in _METADATA]
        parts = [PartRequest(name, part.size, part.address) for name, part in asked if part]
    return Declaration(
        record.name,
        kind,
        record.size,
        record.address,
        shape,
        tuple(parts),
        record.value if isinstance(record, records.Label) else 0,
        record.per_frame if isinstance(record, records.Label) else False,
        place,
    )


def _shape(record: records.Target) -> tuple[int, int, str] | None:
    given = [bool(record.width), bool(record.height), bool(record.format)]
    if any(given) and not all(given):
        raise ProgramProblem(
            f"'{record.name}' has half a shape", expected="width, height and format, or none"
        )
    return (record.width, record.height, record.format) if all(given) else None


class Scene(NamedTuple):
    """Where a record's command goes."""

    assembly: Assembly
    kind: QueueKind
    place: Place

    def engine(self, engine: str) -> str:
        """The engine named, or the queue's own."""
        return engine or _SERIAL.get(self.kind, "me")

    def common(self, record: records.Command) -> dict[str, Any]:
        """What all commands share."""
        return {"name": record.name, "place": self.place}


def command_of(record: records.Command, scene: Scene) -> Command:
    """The command of a record; raises `ProgramProblem`."""
    return READERS[type(record)](record, scene)


def _work(record: records.Work, scene: Scene) -> Work:
    verb = records.tag_of(type(record))
    kind = record.kind or default_kind(verb, scene.kind)
    if kind is None:
        raise ProgramProblem(f"a {verb} does not say its kind", expected="'draw' or 'dispatch'")
    return Work(
        **scene.common(record),
        kind=kind,
        verb=verb,
        accesses=tuple(part for access in record.accesses for part in _access(access, scene)),
        unknown=tuple(record.unknown),
        engine=record.engine,
        synchronous=record.synchronous,
        raw_wait=record.raw_wait,
        cost=tuple(record.cost.items()),
    )


def _access(access: records.Access, scene: Scene) -> tuple[Access, ...]:
    return scene.assembly.access(
        access.block,
        access.use,
        access.resource,
        access.part,
        access.start,
        access.end,
        access.policy or "",
    )


def _operations(texts: list[str]) -> tuple[CacheOperation, ...]:
    return tuple(parse_operation(text) for text in texts)


def _flush(record: records.Flush, scene: Scene) -> Command:
    return commands.PartialFlush(**scene.common(record), stage=record.stage)


def _eop(record: records.EndOfPipe, scene: Scene) -> Command:
    timestamp: Access | None = None
    if record.timestamp is not None:
        at = record.timestamp
        (timestamp,) = scene.assembly.access("cp", "write", at.resource, at.part, at.start, at.end)
    return commands.EndOfPipe(
        **scene.common(record),
        label=scene.assembly.find(record.label) if record.label else None,
        value=record.value,
        operations=_operations(record.operations),
        timestamp=timestamp,
    )


def _eos(record: records.EndOfShader, scene: Scene) -> Command:
    return commands.EndOfShader(
        **scene.common(record),
        stage=record.stage,
        label=scene.assembly.find(record.label),
        value=record.value,
    )


def _wait(record: records.Wait, scene: Scene) -> Command:
    return commands.WaitMemory(
        **scene.common(record),
        engine=scene.engine(record.engine),
        label=scene.assembly.find(record.label),
        comparison=record.comparison,
        reference=record.value,
        mask=FULL_MASK if record.mask is None else record.mask,
    )


def _set(record: records.Set, scene: Scene) -> Command:
    return commands.SetLabel(
        **scene.common(record),
        engine=scene.engine(record.engine),
        label=scene.assembly.find(record.label),
        value=record.value,
    )


def _event(record: records.Event, scene: Scene) -> Command:
    operations = _operations(record.operations)
    return commands.PipelinedEvent(**scene.common(record), operations=operations)


def _sync(record: records.Sync, scene: Scene) -> Command:
    surface: Resource | None = None
    start = WHOLE_START if record.start is None else record.start
    end = WHOLE_END if record.end is None else record.end
    part = ""
    if record.surface:
        surface = scene.assembly.find(record.surface)
        piece = scene.assembly.part(surface, record.part)
        start, end = span(piece, record.start, record.end, surface.name)
        part = "" if piece is surface.main else piece.name
    return commands.SurfaceSync(
        **scene.common(record),
        engine=scene.engine(record.engine),
        operations=_operations(record.operations),
        coherency=tuple(record.coherency),
        start=start,
        end=end,
        surface=surface,
        part=part,
    )


def _dma_wait(record: records.DmaWait, scene: Scene) -> Command:
    return commands.DmaWait(**scene.common(record), engine=scene.engine(record.engine))


def _kickoff(record: records.Kickoff, scene: Scene) -> Command:
    return commands.Kickoff(**scene.common(record), queue=record.target)


def _present(record: records.Present, scene: Scene) -> Command:
    (access,) = scene.assembly.access("display", "scan", record.buffer)
    return commands.Present(**scene.common(record), access=access)


def _wait_flip(record: records.WaitFlip, scene: Scene) -> Command:
    return commands.WaitFlip(**scene.common(record), buffer=scene.assembly.find(record.buffer))


def _bare(command: Callable[..., Command]) -> Callable[[Any, Scene], Command]:
    """A command that says nothing of its own."""
    return lambda record, scene: command(**scene.common(record))


READERS: dict[type[records.Command], Callable[[Any, Scene], Command]] = {
    **dict.fromkeys(records.WORKS, _work),
    records.Flush: _flush,
    records.EndOfPipe: _eop,
    records.EndOfShader: _eos,
    records.Wait: _wait,
    records.Set: _set,
    records.Event: _event,
    records.Sync: _sync,
    records.DmaWait: _dma_wait,
    records.Kickoff: _kickoff,
    records.Present: _present,
    records.WaitFlip: _wait_flip,
    records.PfpSyncMe: _bare(commands.PfpSyncMe),
    records.WaitIdle: _bare(commands.WaitIdle),
    records.Context: _bare(commands.ContextWrite),
    records.Frame: _bare(commands.Frame),
}
