"""Lines that access memory: draw, dispatch, copies, the CPU."""

from __future__ import annotations

from collections.abc import Mapping

from fencepost.place import Place
from fencepost.stream.command import Access, Work, WorkKind
from fencepost.stream.program import QueueKind
from fencepost.stream.text.lexer import Cursor
from fencepost.stream.text.references import (
    Scope,
    one_of,
    parse_accesses,
    parse_cost,
    parse_operand,
    resolve,
)

KINDS = tuple(str(kind) for kind in WorkKind)
THROUGH = {
    "tcc": ("read-tcc", "write-tcc"),
    "tcc-read": ("read-tcc", "write"),
    "tcc-write": ("read", "write-tcc"),
}
"""What `through WORD` makes of the two accesses of a CP DMA."""


def parse_work(cursor: Cursor, scope: Scope, verb: str, name: str, place: Place) -> Work:
    """`VERB [as KIND] ACCESSES [@ COST]`, or a short form of a transfer or of the CPU."""
    if cursor.accept("as"):
        kind = _kind(cursor)
        return _general(cursor, scope, verb, kind, name, place)
    if verb in ("draw", "dispatch"):
        return _general(cursor, scope, verb, WorkKind(verb), name, place)
    if verb == "resolve":
        raise cursor.unexpected("'as draw' or 'as dispatch'")
    if verb in ("read", "write", "write-combined"):
        return _processor(cursor, scope, verb, name, place)
    return _transfer(cursor, scope, verb, name, place)


def _kind(cursor: Cursor) -> WorkKind:
    return WorkKind(one_of(cursor, KINDS))


def _general(
    cursor: Cursor, scope: Scope, verb: str, kind: WorkKind, name: str, place: Place
) -> Work:
    options = _Options()
    if kind is WorkKind.DMA:
        options.parse(cursor, {})
    accesses, unknown = parse_accesses(cursor, scope)
    return Work(
        name=name,
        place=place,
        kind=kind,
        verb=verb,
        accesses=accesses,
        unknown=unknown,
        engine=options.engine,
        synchronous=options.synchronous,
        raw_wait=options.raw_wait,
        cost=parse_cost(cursor),
    )


def _processor(cursor: Cursor, scope: Scope, verb: str, name: str, place: Place) -> Work:
    """`read X`, `write X`, `write-combined X` of the CPU."""
    accesses = resolve(cursor, scope, "cpu", verb, parse_operand(cursor))
    return Work(
        name=name,
        place=place,
        kind=WorkKind.CPU,
        verb="read" if verb == "read" else "write",
        accesses=accesses,
        cost=parse_cost(cursor),
    )


def _transfer(cursor: Cursor, scope: Scope, verb: str, name: str, place: Place) -> Work:
    """`copy TARGET from SOURCE`, `clear TARGET`, by CP DMA or on a copy queue."""
    kind = WorkKind.COPY if scope.kind is QueueKind.COPY else WorkKind.DMA
    target = parse_operand(cursor)
    source = None
    if verb == "copy":
        cursor.expect("from")
        source = parse_operand(cursor)
    options = _Options()
    if kind is WorkKind.DMA:
        options.parse(cursor, THROUGH)
    read, write = options.uses
    accesses: tuple[Access, ...] = ()
    if source is not None:
        accesses = resolve(cursor, scope, kind, read, source)
    return Work(
        name=name,
        place=place,
        kind=kind,
        verb=verb,
        accesses=accesses + resolve(cursor, scope, kind, write, target),
        engine=options.engine,
        synchronous=options.synchronous,
        raw_wait=options.raw_wait,
        cost=parse_cost(cursor),
    )


class _Options:
    """Words behind a transfer: who kicks it, whether it is waited for, through which caches."""

    __slots__ = ("engine", "raw_wait", "synchronous", "uses")

    def __init__(self) -> None:
        self.engine = "me"
        self.synchronous = False
        self.raw_wait = False
        self.uses = ("read", "write")

    def parse(self, cursor: Cursor, through: Mapping[str, tuple[str, str]]) -> None:
        """Take every option word that is at hand."""
        while True:
            if cursor.accept("by"):
                self.engine = one_of(cursor, ("me", "pfp"))
            elif through and cursor.accept("through"):
                self.uses = through[one_of(cursor, tuple(through))]
            elif cursor.accept("sync"):
                self.synchronous = True
            elif cursor.accept("raw-wait"):
                self.raw_wait = True
            elif not cursor.accept("async"):
                return
