"""How names, numbers and references are written: the way back of `references`."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.stream.command import CacheOperation
from fencepost.stream.resource import Part, Resource
from fencepost.stream.text.lexer import quote
from fencepost.stream.text.references import RESERVED
from fencepost.stream.words import PLAIN

NO_WORDS: frozenset[str] = frozenset()


def name_text(name: str, reserved: frozenset[str] = RESERVED) -> str:
    """A name, bare where that is possible."""
    if PLAIN.fullmatch(name) and name not in reserved:
        return name
    return quote(name, "`")


def number_text(number: int) -> str:
    """Small numbers in decimal, addresses and masks in hexadecimal."""
    return str(number) if number < 1 << 16 else hex(number)


def reference_text(resource: Resource, part: Part, start: int, end: int) -> str:
    """`name.part[start:end]`, without what is the default."""
    text = name_text(resource.name)
    if part is not resource.main:
        text += f".{part.name}"
    if (start, end) != (part.start, part.end):
        text += f"[{start - part.start}:{end - part.start}]"
    return text


def operations_text(operations: Iterable[CacheOperation]) -> str:
    """`cache.action cache.action`."""
    return " ".join(str(operation) for operation in operations)
