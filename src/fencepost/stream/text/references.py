"""The parts of a line that many commands share: names, numbers, ranges, accesses, operations."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.errors import FencepostError, SyntaxProblem
from fencepost.stream.assembly import COHERENCY, Assembly, located, parse_operation, span
from fencepost.stream.command import Access, CacheOperation
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import Part, Resource
from fencepost.stream.text.lexer import END, Cursor, shown, unquote
from fencepost.stream.units import is_duration, parse_number, parse_size
from fencepost.stream.words import PLAIN, hint

RESERVED = frozenset(
    {"me", "pfp", "idle", "flip", "timestamp", "with", "all", "as", *COHERENCY},
)
"""Words that the grammar needs where a resource may stand: as a name they go in backquotes."""

POLICIES = frozenset({"hit-lru", "hit-evict", "miss-lru", "miss-evict"})
_STOP = frozenset({";", "@", END})
_END_OF_LIST = frozenset({"@", END})


@dataclass(slots=True)
class Scope:
    """What a line may refer to: the program so far, the queue, names declared wrongly."""

    assembly: Assembly
    kind: QueueKind = QueueKind.GRAPHICS
    broken: set[str] = field(default_factory=set)
    memo: dict[tuple[str, ...], tuple[Access, ...]] = field(default_factory=dict)

    def find(self, name: str, cursor: Cursor, index: int) -> Resource:
        """The resource; raises `ProgramProblem` at that token, `Skip` if declared wrongly."""
        if name in self.broken:
            raise Skip
        try:
            return self.assembly.find(name)
        except FencepostError as error:
            raise located(error, cursor.place(index)) from None


class Skip(Exception):
    """The line uses a name whose declaration has been reported as wrong."""


def parse_name(cursor: Cursor, what: str, reserved: frozenset[str] = RESERVED) -> str:
    """A plain word that is not reserved, or anything in backquotes."""
    token = cursor.peek()
    if token[:1] == "`" and len(token) > 2:
        name = unquote(token)
        if name is None:
            raise SyntaxProblem("wrong escape in a name", cursor.place(), "JSON's escapes")
        cursor.take()
        return name
    if token in reserved or not PLAIN.fullmatch(token):
        raise _no_name(cursor, what)
    return cursor.take()


def parse_queue_name(cursor: Cursor) -> str:
    """The name of a queue: any plain word, or anything in backquotes."""
    return parse_name(cursor, "the name of a queue", frozenset())


def _no_name(cursor: Cursor, what: str) -> SyntaxProblem:
    token = cursor.peek()
    if token in RESERVED:
        problem = f"'{token}' is a word of the language"
        return SyntaxProblem(problem, cursor.place(), f"{what}, or `{token}` in backquotes")
    if not token.isascii():
        return cursor.unexpected(f"{what}; other than A-Z a-z 0-9 _ - in `backquotes`")
    return cursor.unexpected(what)


def parse_title(cursor: Cursor) -> str:
    """The quoted name of a command, "" where there is none."""
    token = cursor.peek()
    if token[:1] != '"' or len(token) < 2:
        return ""
    title = unquote(token)
    if title is None:
        raise SyntaxProblem("wrong escape in a name", cursor.place(), "JSON's escapes")
    cursor.take()
    return title


def parse_integer(cursor: Cursor, what: str) -> int:
    """A decimal or 0x number."""
    number = parse_number(cursor.peek())
    if number is None:
        raise cursor.unexpected(what)
    cursor.take()
    return number


def parse_bytes(cursor: Cursor, what: str) -> int:
    """A number of bytes, perhaps with a unit."""
    if not cursor.peek()[:1].isdigit():
        raise cursor.unexpected(what)
    try:
        size = parse_size(cursor.peek())
    except FencepostError as error:
        raise located(error, cursor.place()) from None
    cursor.take()
    return size


def parse_range(cursor: Cursor) -> tuple[int | None, int | None]:
    """`[start:end]`, either may be left out; nothing at all is (None, None)."""
    if not cursor.accept("["):
        return None, None
    start = None if cursor.peek() == ":" else parse_bytes(cursor, "the first byte, or ':'")
    cursor.expect(":")
    end = None if cursor.peek() == "]" else parse_bytes(cursor, "the byte behind the last, or ']'")
    cursor.expect("]")
    return (0 if start is None and end is None else start), end


def parse_dotted(cursor: Cursor, what: str) -> tuple[str, str]:
    """`name` or `name.part`."""
    token = cursor.peek()
    if token[:1] == "`":
        name = parse_name(cursor, what)
        if cursor.peek()[:1] == "." and len(cursor.peek()) > 1:
            return name, cursor.take()[1:]
        return name, ""
    name, dot, part = token.partition(".")
    if name in RESERVED or not PLAIN.fullmatch(name) or (dot and not part):
        raise _no_name(cursor, what)
    cursor.take()
    return name, part


def parse_label(cursor: Cursor, scope: Scope) -> Resource:
    """The name of a label."""
    before = cursor.index
    return scope.find(parse_name(cursor, "the name of a label"), cursor, before)


def parse_resource(cursor: Cursor, scope: Scope) -> Resource:
    """The name of a resource, whole."""
    before = cursor.index
    return scope.find(parse_name(cursor, "the name of a resource"), cursor, before)


def parse_reference(cursor: Cursor, scope: Scope) -> tuple[Resource, Part, int, int]:
    """`name.part[start:end]`: resource, part (the main one if none is named), absolute bounds."""
    before = cursor.index
    name, part_name = parse_dotted(cursor, "the name of a resource")
    start, end = parse_range(cursor)
    resource = scope.find(name, cursor, before)
    try:
        part = scope.assembly.part(resource, part_name)
        return resource, part, *span(part, start, end, name)
    except FencepostError as error:
        raise located(error, cursor.place(before)) from None


def parse_accesses(cursor: Cursor, scope: Scope) -> tuple[tuple[Access, ...], tuple[str, ...]]:
    """`block.use name[range] policy; ...`: the accesses, and the blocks that are `unknown`."""
    accesses: list[Access] = []
    unknown: list[str] = []
    while cursor.peek() not in _END_OF_LIST:
        block, _, use = cursor.peek().partition(".")
        if use == "unknown":
            cursor.take()
            unknown.append(block)
        else:
            accesses += parse_access(cursor, scope)
        if not cursor.accept(";"):
            break
        if cursor.peek() in _STOP:
            raise cursor.unexpected("an access, like 'ps.texture NAME'")
    return tuple(accesses), tuple(unknown)


def parse_access(cursor: Cursor, scope: Scope) -> tuple[Access, ...]:
    """One `block.use name.part[start:end] policy`; equal ones of a file are made once."""
    first = last = cursor.index
    tokens = cursor.tokens
    while tokens[last] not in _STOP:
        last += 1
    key = tuple(tokens[first:last])
    found = scope.memo.get(key)
    if found is None:
        found = scope.memo[key] = _new_access(cursor, scope)
    cursor.index = last
    return found


def _new_access(cursor: Cursor, scope: Scope) -> tuple[Access, ...]:
    first = cursor.index
    block, dot, use = cursor.word("an access, like 'ps.texture NAME'").partition(".")
    if not dot or not use:
        cursor.index = first
        raise cursor.unexpected("an access, like 'ps.texture NAME'")
    try:
        scope.assembly.check_use(block, use)
    except FencepostError as error:
        raise located(error, cursor.place(first)) from None
    found = resolve(cursor, scope, block, use, parse_operand(cursor))
    if cursor.peek() not in _STOP:
        raise _after_access(cursor)
    return found


@dataclass(frozen=True, slots=True)
class Operand:
    """`name.part[start:end] policy` as read, before it is looked up; `index`: its first token."""

    index: int
    name: str
    part: str
    start: int | None
    end: int | None
    policy: str


def parse_operand(cursor: Cursor) -> Operand:
    """One operand."""
    index = cursor.index
    name, part = parse_dotted(cursor, "the name of a resource")
    start, end = parse_range(cursor)
    policy = cursor.take() if cursor.peek() in POLICIES else ""
    return Operand(index, name, part, start, end, policy)


def resolve(
    cursor: Cursor, scope: Scope, block: str, use: str, operand: Operand
) -> tuple[Access, ...]:
    """The operand as what that block does."""
    scope.find(operand.name, cursor, operand.index)
    try:
        return scope.assembly.access(
            block, use, operand.name, operand.part, operand.start, operand.end, operand.policy
        )
    except FencepostError as error:
        raise located(error, cursor.place(operand.index)) from None


def _after_access(cursor: Cursor) -> SyntaxProblem:
    token = cursor.peek()
    known = sorted(POLICIES)
    if cursor.is_word():
        problem = f"no policy {shown(token)}{hint(token, known)}"
        return SyntaxProblem(problem, cursor.place(), "a range, a policy, ';', '@' or the end")
    return cursor.unexpected("a range, a policy, ';', '@' or the end")


def parse_operations(cursor: Cursor) -> tuple[CacheOperation, ...]:
    """`cache.action` words, as many as there are."""
    operations: list[CacheOperation] = []
    while "." in cursor.peek():
        try:
            operations.append(parse_operation(cursor.peek()))
        except FencepostError as error:
            raise located(error, cursor.place()) from None
        cursor.take()
    return tuple(operations)


def parse_cost(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """What stands behind `@`: `key=value` pairs; a lone duration is `time`."""
    cost: dict[str, str] = {}
    if not cursor.accept("@"):
        return ()
    while True:
        before = cursor.index
        key = cursor.word("a duration like 1.5ms, or key=value")
        if cursor.accept("="):
            value = cursor.word("a value")
        elif is_duration(key):
            key, value = "time", key
        else:
            cursor.index = before
            raise cursor.unexpected("a duration like 1.5ms, or key=value")
        if key in cost:
            raise SyntaxProblem(f"a second {shown(key)}", cursor.place(before), "each cost once")
        cost[key] = value
        if cursor.peek() is END:
            return tuple(cost.items())


def one_of(cursor: Cursor, words: tuple[str, ...]) -> str:
    """One of these words."""
    token = cursor.peek()
    if token not in words:
        problem = cursor.unexpected(" or ".join(words))
        problem.problem += hint(token, words)
        raise problem
    return cursor.take()
