"""Annotations: a text that says what shaders access (docs/pm4.md "Annotations").

Declarations and accesses are those of the `.fence` text; only the keys in front of the accesses are
new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from fencepost.capture.pm4.packets import Packet
from fencepost.errors import FencepostError, Problems, ProgramProblem
from fencepost.place import Place
from fencepost.stream.assembly import Assembly, located
from fencepost.stream.command import Access, WorkKind
from fencepost.stream.limits import MOST_PROBLEMS
from fencepost.stream.text.declarations import DECLARATIONS
from fencepost.stream.text.lexer import END, Cursor, tokens_of, unquote
from fencepost.stream.text.parser import lines_of
from fencepost.stream.text.references import Scope, Skip, parse_access, parse_integer
from fencepost.stream.units import parse_number

BLOCKS = {WorkKind.DRAW: ("vs", "ps", "so"), WorkKind.DISPATCH: ("cs",)}
"""What a stream does not show of a work, so what annotations may tell."""

KEY = "an address, 'draw N', 'dispatch N' or FILE:LINE"
FIRST_WORD = f"a declaration ({', '.join(DECLARATIONS)}) or 'at'"


@dataclass(frozen=True, slots=True)
class Key:
    """Which works an annotation speaks of.

    The `number`-th of a kind, the one at an address, or the one in a line of a file.
    """

    kind: WorkKind | None = None
    number: int = 0
    address: int | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class CapturedWork:
    """A draw or dispatch, the `number`-th of its kind (from 1) in the order of reading."""

    packet: Packet
    kind: WorkKind
    number: int


@dataclass(frozen=True, slots=True)
class Annotation:
    """One line: accesses of the works with that key, and the blocks told in full."""

    key: Key
    accesses: tuple[Access, ...]
    blocks: tuple[str, ...]
    place: Place


NOTHING = Annotation(Key(), (), (), Place("", 0))


@dataclass(slots=True)
class Annotations:
    """What is said of each work, asked for in the order of reading."""

    of_work: dict[tuple[WorkKind, int], Annotation] = field(default_factory=dict)
    counts: dict[WorkKind, int] = field(default_factory=dict)

    def of(self, kind: WorkKind) -> Annotation:
        """What is said of the next work of that kind."""
        number = self.counts[kind] = self.counts.get(kind, 0) + 1
        return self.of_work.get((kind, number), NOTHING)


def parse_annotations(text: str, file: str, assembly: Assembly) -> list[Annotation]:
    """Declare the resources of an annotation file and return its annotations.

    Raises `Problems` with all that is wrong.
    """
    scope = Scope(assembly)
    found: list[Annotation] = []
    problems: list[FencepostError] = []
    for number, line in enumerate(lines_of(text), start=1):
        tokens = tokens_of(line)
        if not tokens:
            continue
        cursor = Cursor(line, tokens, file, number)
        try:
            found += _line(cursor, scope, Place(file, number))
        except Skip:
            continue
        except FencepostError as error:
            problems.append(located(error, cursor.place()))
            _remember_broken(tokens, scope)
        if len(problems) >= MOST_PROBLEMS:
            break
    if problems:
        raise Problems(problems)
    return found


def _remember_broken(tokens: Sequence[str], scope: Scope) -> None:
    """A declaration that went wrong: lines that use its name need no report of their own."""
    if tokens[0] in DECLARATIONS and len(tokens) > 1:
        scope.broken.add(tokens[1])


def _line(cursor: Cursor, scope: Scope, place: Place) -> list[Annotation]:
    word = cursor.peek()
    if word in DECLARATIONS:
        cursor.take()
        _declare(cursor, scope, word)
        return []
    if not cursor.accept("at"):
        raise cursor.unexpected(FIRST_WORD)
    key = _key(cursor)
    cursor.expect(":")
    accesses, blocks = _accesses(cursor, scope)
    return [Annotation(key, accesses, blocks, place)]


def _declare(cursor: Cursor, scope: Scope, word: str) -> None:
    kind, parse = DECLARATIONS[word]
    for declaration in parse(cursor, scope, kind):
        try:
            scope.assembly.declare(declaration)
        except FencepostError as error:
            raise located(error, declaration.place) from None
    cursor.finish()


def _key(cursor: Cursor) -> Key:
    for kind in BLOCKS:
        if cursor.accept(kind.value):
            return Key(kind, parse_integer(cursor, f"which {kind.value}, from 1"))
    token = cursor.peek()
    address = parse_number(token)
    if address is not None:
        cursor.take()
        return Key(address=address)
    file = unquote(token) if token[:1] == '"' and len(token) > 1 else token
    if not file or not (token[:1] == '"' or cursor.is_word()):
        raise cursor.unexpected(KEY)
    cursor.take()
    cursor.expect(":")
    return Key(number=parse_integer(cursor, "a line"), file=file)


def _accesses(cursor: Cursor, scope: Scope) -> tuple[tuple[Access, ...], tuple[str, ...]]:
    """`block.use NAME[range] policy; ...`, or `block.nothing` for a stage without accesses."""
    accesses: tuple[Access, ...] = ()
    blocks: dict[str, None] = {}
    while True:
        block, _, use = cursor.peek().partition(".")
        if block not in {name for names in BLOCKS.values() for name in names}:
            raise cursor.unexpected("an access of vs, ps, so or cs, like 'cs.texture NAME'")
        blocks[block] = None
        if use == "nothing":
            cursor.take()
        else:
            accesses += parse_access(cursor, scope)
        if not cursor.accept(";"):
            cursor.finish()
            return accesses, tuple(blocks)
        if cursor.peek() is END:
            raise cursor.unexpected("an access, like 'cs.texture NAME'")


def resolve(annotations: Iterable[Annotation], works: Sequence[CapturedWork]) -> Annotations:
    """Which annotation belongs to which work.

    Raises `Problems` for keys that fit no packet or several.
    """
    found = _by_key(works)
    resolved = Annotations()
    problems: list[FencepostError] = []
    for annotation in annotations:
        try:
            for work in _matching(annotation, found):
                known = resolved.of_work.get((work.kind, work.number), NOTHING)
                resolved.of_work[work.kind, work.number] = Annotation(
                    annotation.key,
                    known.accesses + annotation.accesses,
                    (*known.blocks, *annotation.blocks),
                    annotation.place,
                )
        except FencepostError as error:
            problems.append(error)
    if problems:
        raise Problems(problems)
    return resolved


def _by_key(works: Sequence[CapturedWork]) -> dict[Key, list[CapturedWork]]:
    """The works under each key that they have."""
    found: dict[Key, list[CapturedWork]] = {}
    for work in works:
        place = work.packet.place
        keys = [Key(work.kind, work.number)]
        keys += [Key(number=place.line, file=file) for file in _names(place.file)]
        if work.packet.address is not None:
            keys.append(Key(address=work.packet.address))
        for key in keys:
            found.setdefault(key, []).append(work)
    return found


def _names(file: str) -> set[str]:
    """A file may be given as it was named, or without its directories."""
    return {file, PurePath(file).name}


def _matching(annotation: Annotation, works: dict[Key, list[CapturedWork]]) -> list[CapturedWork]:
    found = works.get(annotation.key, [])
    if not found:
        raise ProgramProblem("the capture has no such draw or dispatch", annotation.place, KEY)
    first = found[0]
    for work in found[1:]:
        if work.packet.place != first.packet.place:
            raise ProgramProblem(
                f"the key fits {first.packet.place} and {work.packet.place}",
                annotation.place,
                "'draw N' or 'dispatch N', which fit one",
            )
    for block in annotation.blocks:
        if block not in BLOCKS[first.kind]:
            raise ProgramProblem(
                f"{block} in a {first.kind.value}",
                annotation.place,
                " or ".join(BLOCKS[first.kind]),
            )
    return found
