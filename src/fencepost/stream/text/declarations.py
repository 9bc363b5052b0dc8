"""Lines that declare resources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.stream.layout import Declaration, PartRequest
from fencepost.stream.resource import PART_NAMES, ResourceKind
from fencepost.stream.text.lexer import END, Cursor
from fencepost.stream.text.references import (
    Scope,
    parse_bytes,
    parse_integer,
    parse_name,
    parse_reference,
)
from fencepost.stream.units import parse_number

_SHAPE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})")

Parse = Callable[[Cursor, Scope, ResourceKind], Iterator[Declaration]]


def parse_plain(cursor: Cursor, scope: Scope, kind: ResourceKind) -> Iterator[Declaration]:
    """`buffer NAME SIZE [at ADDRESS]`, `gds NAME SIZE [at OFFSET]`."""
    place, name = _named(cursor, f"the name of the {kind}")
    size = parse_bytes(cursor, "a size, like 64K")
    address = _address(cursor, scope)
    yield Declaration(name, kind, size, address, place=place)


def parse_target(cursor: Cursor, scope: Scope, kind: ResourceKind) -> Iterator[Declaration]:
    """`color NAME [WxH FORMAT] [SIZE] [at ADDRESS] [PART [SIZE] [at ADDRESS]]...`."""
    place, name = _named(cursor, f"the name of the {kind}")
    shape = _shape(cursor)
    size = _optional_size(cursor)
    if shape is None and size is None:
        raise cursor.unexpected("a shape, like 1920x1080 rgba8, or a size, like 8M")
    address = _address(cursor, scope)
    parts = tuple(_parts(cursor, scope, kind))
    yield Declaration(name, kind, size, address, shape, parts, place=place)


def parse_labels(cursor: Cursor, scope: Scope, kind: ResourceKind) -> Iterator[Declaration]:
    """`label NAME [SIZE] [= VALUE] [per-frame] [at ADDRESS], ...`."""
    while True:
        place, name = _named(cursor, "the name of the label")
        size = _optional_size(cursor)
        value = parse_integer(cursor, "the starting value") if cursor.accept("=") else 0
        per_frame = cursor.accept("per-frame")
        address = _address(cursor, scope)
        yield Declaration(name, kind, size, address, None, (), value, per_frame, place)
        if not cursor.accept(","):
            return


def _named(cursor: Cursor, what: str) -> tuple[Place, str]:
    """A new name, and where it stands."""
    return cursor.place(), parse_name(cursor, what)


def _shape(cursor: Cursor) -> tuple[int, int, str] | None:
    match = _SHAPE.fullmatch(cursor.peek())
    if not match:
        return None
    cursor.take()
    return int(match[1]), int(match[2]), cursor.word("a format, like rgba8 or d24s8")


def _optional_size(cursor: Cursor) -> int | None:
    return parse_bytes(cursor, "a size") if cursor.peek()[:1].isdigit() else None


def _address(cursor: Cursor, scope: Scope) -> int | None:
    """`at 0x1000`, or `at NAME+OFFSET`: on the bytes of another resource."""
    if not cursor.accept("at"):
        return None
    number = parse_number(cursor.peek())
    if number is not None:
        cursor.take()
        return number
    _, part, _, _ = parse_reference(cursor, scope)
    return part.start + (parse_bytes(cursor, "an offset") if cursor.accept("+") else 0)


def _parts(cursor: Cursor, scope: Scope, kind: ResourceKind) -> Iterator[PartRequest]:
    names = PART_NAMES[kind][1:]
    seen: set[str] = set()
    while cursor.peek() is not END:
        if cursor.peek() not in names:
            raise cursor.unexpected(f"{', '.join(names)} or the end of the line")
        if cursor.peek() in seen:
            raise SyntaxProblem(f"a second {cursor.peek()}", cursor.place(), "each part once")
        seen.add(cursor.peek())
        yield PartRequest(cursor.take(), _optional_size(cursor), _address(cursor, scope))


DECLARATIONS: dict[str, tuple[ResourceKind, Parse]] = {
    "buffer": (ResourceKind.BUFFER, parse_plain),
    "color": (ResourceKind.COLOR, parse_target),
    "depth": (ResourceKind.DEPTH, parse_target),
    "backbuffer": (ResourceKind.BACK_BUFFER, parse_target),
    "label": (ResourceKind.LABEL, parse_labels),
    "gds": (ResourceKind.GDS, parse_plain),
}
