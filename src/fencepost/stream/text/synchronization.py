"""Lines that synchronize: flushes, fences, waits, surface syncs, and what surrounds them."""

from __future__ import annotations

from collections.abc import Callable

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
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Resource
from fencepost.stream.text.lexer import END, Cursor
from fencepost.stream.text.references import (
    Operand,
    Scope,
    one_of,
    parse_integer,
    parse_label,
    parse_name,
    parse_operand,
    parse_operations,
    parse_queue_name,
    parse_reference,
    parse_resource,
    resolve,
)

COMPARISONS = tuple(str(comparison) for comparison in Comparison)
_SERIAL = {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}

Parse = Callable[[Cursor, Scope, str, Place], Command]


def _engine(cursor: Cursor, scope: Scope) -> str:
    """`me` or `pfp` where it is said; otherwise the one that the queue has (ME of both)."""
    if cursor.peek() in ("me", "pfp"):
        return cursor.take()
    return _SERIAL.get(scope.kind, "me")


def _flush(cursor: Cursor, _scope: Scope, name: str, place: Place) -> Command:
    """`flush STAGE`."""
    return PartialFlush(name=name, place=place, stage=one_of(cursor, ("vs", "ps", "cs")))


def _eos(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`eos STAGE LABEL = VALUE`."""
    stage = one_of(cursor, ("ps", "cs"))
    label, value = _assignment(cursor, scope)
    return EndOfShader(name=name, place=place, stage=stage, label=label, value=value)


def _assignment(cursor: Cursor, scope: Scope) -> tuple[Resource, int]:
    label = parse_label(cursor, scope)
    cursor.expect("=")
    return label, parse_integer(cursor, "a value")


def _eop(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`eop [LABEL = VALUE | timestamp RESOURCE] [with OPERATIONS]`."""
    label: Resource | None = None
    timestamp: Access | None = None
    value = 0
    if cursor.accept("timestamp"):
        (timestamp,) = resolve(cursor, scope, "cp", "write", parse_operand(cursor))
    elif cursor.peek() not in ("with", END):
        label, value = _assignment(cursor, scope)
    operations: tuple[CacheOperation, ...] = ()
    if cursor.accept("with"):
        operations = _some_operations(cursor)
    return EndOfPipe(
        name=name,
        place=place,
        label=label,
        value=value,
        operations=operations,
        timestamp=timestamp,
    )


def _some_operations(cursor: Cursor) -> tuple[CacheOperation, ...]:
    operations = parse_operations(cursor)
    if not operations:
        raise cursor.unexpected("cache operations, like 'tcc.wbinv'")
    return operations


def _wait(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`wait idle`, `wait flip BUFFER`, `wait [ENGINE] LABEL COMPARISON VALUE [& MASK]`."""
    if cursor.accept("idle"):
        return WaitIdle(name=name, place=place)
    if cursor.accept("flip"):
        return WaitFlip(name=name, place=place, buffer=parse_resource(cursor, scope))
    engine = _engine(cursor, scope)
    label = parse_label(cursor, scope)
    comparison = Comparison(one_of(cursor, COMPARISONS))
    reference = parse_integer(cursor, "a value")
    if cursor.accept("&"):
        mask = parse_integer(cursor, "a mask")
        return WaitMemory(
            name=name,
            place=place,
            engine=engine,
            label=label,
            comparison=comparison,
            reference=reference,
            mask=mask,
        )
    return WaitMemory(
        name=name,
        place=place,
        engine=engine,
        label=label,
        comparison=comparison,
        reference=reference,
    )


def _set(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`set [ENGINE] LABEL = VALUE`."""
    engine = _engine(cursor, scope)
    label, value = _assignment(cursor, scope)
    return SetLabel(name=name, place=place, engine=engine, label=label, value=value)


def _event(cursor: Cursor, _scope: Scope, name: str, place: Place) -> Command:
    """`event OPERATIONS`."""
    return PipelinedEvent(name=name, place=place, operations=parse_operations(cursor))


def _sync(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`sync [ENGINE] OPERATIONS [coherent BITS [SURFACE | START:END | all]]`."""
    engine = _engine(cursor, scope)
    operations = parse_operations(cursor)
    bits: list[str] = []
    start, end = WHOLE_START, WHOLE_END
    surface: Resource | None = None
    part = ""
    if cursor.accept("coherent"):
        while cursor.peek() in COHERENCY:
            bits.append(cursor.take())
        if cursor.peek()[:1].isdigit():
            start = parse_integer(cursor, "the first address")
            cursor.expect(":")
            end = parse_integer(cursor, "the address behind the last")
        elif not cursor.accept("all") and cursor.peek() is not END:
            surface, piece, start, end = parse_reference(cursor, scope)
            part = "" if piece is surface.main else piece.name
    return SurfaceSync(
        name=name,
        place=place,
        engine=engine,
        operations=operations,
        coherency=tuple(bits),
        start=start,
        end=end,
        surface=surface,
        part=part,
    )


def _dma(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`dma wait [ENGINE]`."""
    cursor.expect("wait")
    return DmaWait(name=name, place=place, engine=_engine(cursor, scope))


def _kickoff(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`kickoff QUEUE` on the CPU, `kickoff` on a GPU queue."""
    if scope.kind is not QueueKind.CPU:
        return Kickoff(name=name, place=place)
    return Kickoff(name=name, place=place, queue=parse_queue_name(cursor))


def _present(cursor: Cursor, scope: Scope, name: str, place: Place) -> Command:
    """`present BUFFER`."""
    index = cursor.index
    buffer = parse_name(cursor, "the name of a back buffer")
    operand = Operand(index, buffer, "", None, None, "")
    (access,) = resolve(cursor, scope, "display", "scan", operand)
    return Present(name=name, place=place, access=access)


def _bare(command: Callable[..., Command]) -> Parse:
    """A command that has no operands."""

    def parse(_cursor: Cursor, _scope: Scope, name: str, place: Place) -> Command:
        return command(name=name, place=place)

    return parse


SYNCHRONIZATION: dict[str, Parse] = {
    "flush": _flush,
    "eos": _eos,
    "eop": _eop,
    "wait": _wait,
    "set": _set,
    "event": _event,
    "sync": _sync,
    "dma": _dma,
    "kickoff": _kickoff,
    "present": _present,
    "pfp-sync-me": _bare(PfpSyncMe),
    "context": _bare(ContextWrite),
    "frame": _bare(Frame),
}
