"""Puts a program together: the rules that all three forms share about names, ranges and parts."""

from __future__ import annotations

from collections.abc import Mapping

from fencepost.errors import FencepostError, ProgramProblem, SyntaxProblem
from fencepost.machine import Machine, find_machine
from fencepost.place import Place
from fencepost.stream.command import Access, CacheOperation, Command, Policy
from fencepost.stream.layout import Declaration, Layout
from fencepost.stream.program import Program, Queue, QueueKind, Suppression
from fencepost.stream.resource import Part, Resource
from fencepost.stream.words import hint

BLOCKS: tuple[str, ...] = (
    *("vs", "ps", "cs"),
    *(f"cb{number}" for number in range(8)),
    *("db", "so", "pfp", "dma", "cpu", "copy", "cp", "display"),
)
"""Who makes an access, as accesses spell it."""

COHERENCY: tuple[str, ...] = (
    *(f"cb{number}" for number in range(8)),
    "db",
    *(f"base{number}" for number in range(4)),
)
"""What a surface sync can wait for (model 4.6)."""

GUARANTEES = ("documented", "strict")


class Assembly:
    """A program that grows: declare resources, open queues, append commands, take the program.

    Problems are raised without a place where only the caller knows it.
    """

    def __init__(self, machine: str, guarantees: str = "", file: str = "<program>") -> None:
        self.machine: Machine = find_machine(machine)
        if guarantees and guarantees not in GUARANTEES:
            raise ProgramProblem(
                f"no guarantees '{guarantees}'{hint(guarantees, GUARANTEES)}",
                expected=" or ".join(GUARANTEES),
            )
        self.guarantees = guarantees
        self.file = file
        self.resources: dict[str, Resource] = {}
        self.queues: dict[str, tuple[QueueKind, list[Command], Place]] = {}
        self.suppressions: list[Suppression] = []
        self._layout = Layout()
        self._accesses: dict[tuple[object, ...], tuple[Access, ...]] = {}

    def declare(self, declaration: Declaration) -> Resource:
        """A new resource, laid out behind the others; raises `ProgramProblem`."""
        self._check_new(declaration.name, "resource", self.resources)
        resource = self._layout.place(declaration)
        self.resources[resource.name] = resource
        return resource

    def open(self, name: str, kind: QueueKind, place: Place) -> list[Command]:
        """A new queue; commands are appended to the list."""
        self._check_new(name, "queue", self.queues)
        commands: list[Command] = []
        self.queues[name] = (kind, commands, place)
        return commands

    def _check_new(self, name: str, what: str, known: Mapping[str, object]) -> None:
        if not name:
            raise ProgramProblem(f"a {what} without a name", expected="a name")
        if name in known:
            raise ProgramProblem(f"a second {what} '{name}'", expected="a new name")

    def find(self, name: str) -> Resource:
        """The resource of that name; raises `ProgramProblem`."""
        resource = self.resources.get(name)
        if resource is None:
            raise ProgramProblem(
                f"no resource '{name}'{hint(name, self.resources)}",
                expected="a resource declared before",
            )
        return resource

    def access(
        self,
        block: str,
        use: str,
        name: str,
        part: str = "",
        start: int | None = None,
        end: int | None = None,
        policy: str = "",
    ) -> tuple[Access, ...]:
        """The accesses of `block.use name.part[start:end] policy`; offsets count within the part.

        Without a part and a range they touch every part that the block has rows for (pixels, CMASK
        and FMASK for CB), and the main part otherwise. Raises `ProgramProblem`.
        """
        key = (block, use, name, part, start, end, policy)
        found = self._accesses.get(key)
        if found is None:
            found = self._accesses[key] = self._new_access(*key)
        return found

    def _new_access(
        self,
        block: str,
        use: str,
        name: str,
        part: str,
        start: int | None,
        end: int | None,
        policy: str,
    ) -> tuple[Access, ...]:
        resource = self.find(name)
        self.check_use(block, use)
        level = self._policy(policy) if policy else None
        if part or start is not None or end is not None:
            parts = [self.part(resource, part)]
        else:
            parts = touched_parts(self.machine, block, use, resource)
        spans = [(piece.name, *span(piece, start, end, name)) for piece in parts]
        return tuple(Access(block, use, resource, *bounds, level) for bounds in spans)

    def check_use(self, block: str, use: str) -> None:
        """That some engine makes such an access; `legality` says whether it may make it here."""
        kind = block.rstrip("0123456789")
        uses = [f"{block}.{row.use}" for row in self.machine.ways if kind in row.blocks]
        if block not in BLOCKS:
            raise ProgramProblem(
                f"no block '{block}'{hint(block, BLOCKS)}", expected=", ".join(BLOCKS)
            )
        if f"{block}.{use}" not in uses:
            raise ProgramProblem(
                f"no access '{block}.{use}'{hint(f'{block}.{use}', uses)}",
                expected=", ".join(dict.fromkeys(uses)),
            )

    def _policy(self, policy: str) -> Policy:
        try:
            return Policy(policy)
        except ValueError:
            known = [str(row) for row in Policy]
            raise ProgramProblem(
                f"no policy '{policy}'{hint(policy, known)}", expected=", ".join(known)
            ) from None

    def part(self, resource: Resource, name: str) -> Part:
        """The part of that name ("": the main one); raises `ProgramProblem`."""
        if not name:
            return resource.main
        part = resource.part(name)
        if part is None:
            known = [part.name for part in resource.parts]
            raise ProgramProblem(
                f"'{resource.name}' has no part '{name}'{hint(name, known)}",
                expected=", ".join(known),
            )
        return part

    def program(self) -> Program:
        """What has been assembled so far."""
        return Program(
            self.machine.name,
            tuple(self.resources.values()),
            tuple(Queue(name, *row) for name, row in self.queues.items()),
            tuple(self.suppressions),
            self.guarantees,
            self.file,
        )


def parse_operation(text: str) -> CacheOperation:
    """`cache.action`; raises `SyntaxProblem`. Whether it exists is for `legality`."""
    cache, _, action = text.rpartition(".")
    if not cache or action not in ("wb", "inv", "wbinv"):
        raise SyntaxProblem(
            f"no cache operation '{text}'",
            expected="a cache and .wb, .inv or .wbinv, like tcc.wbinv",
        )
    return CacheOperation(cache, action)


def touched_parts(machine: Machine, block: str, use: str, resource: Resource) -> list[Part]:
    """The parts that `block.use resource` means where none is named."""
    named = []
    for part in resource.parts[1:]:
        way = machine.way(block, use, part.name)
        if way is not None and way.part == part.name:
            named.append(part)
    return [resource.main, *named]


def span(part: Part, start: int | None, end: int | None, name: str) -> tuple[int, int]:
    """Absolute bounds of `[start:end]` of a part; raises `ProgramProblem` where they leave it."""
    first = 0 if start is None else start
    last = part.size if end is None else end
    if not 0 <= first < last <= part.size:
        what = "empty" if first >= last else "outside"
        raise ProgramProblem(
            f"range [{first}:{last}] of '{name}' is {what}", expected=f"within [0:{part.size}]"
        )
    return part.start + first, part.start + last


def located(error: FencepostError, place: Place) -> FencepostError:
    """The error, at that place unless it has one."""
    if error.place is None:
        error.place = place
    return error
