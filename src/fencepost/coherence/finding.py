"""What a check finds: three lists that are never mixed (design 6)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from fencepost.place import Place
from fencepost.stream.command import Command, Work
from fencepost.stream.program import Program


class Kind(StrEnum):
    """Hazard: some allowed execution goes wrong.

    Unknown: the input does not show it. Waste: redundant or too heavy.
    """

    HAZARD = "hazard"
    UNKNOWN = "unknown"
    WASTE = "waste"


@dataclass(frozen=True, slots=True)
class Spot:
    """A command of a program.

    Queue name, position in the queue, the command itself, and what it does there (`ps.texture X`).
    """

    queue: str
    position: int
    command: Command
    does: str = ""

    @property
    def place(self) -> Place:
        """Where the command was read."""
        return self.command.place

    @property
    def kind(self) -> str:
        """The kind of the command as reports call it: `draw`, `partial-flush`, `surface-sync`."""
        if isinstance(self.command, Work):
            return self.command.verb
        name = type(self.command).__name__
        return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]

    @property
    def title(self) -> str:
        """What people call the command: its packet, or its kind with its quoted name."""
        name = self.command.name
        if self.place.offset is not None and name:
            return name
        kind = self.kind.replace("-", " ")
        return f'{kind} "{name}"' if name else kind


@dataclass(frozen=True, slots=True)
class Link:
    """One question of the chain (model 5.3).

    Its answer, in words, and the command that gives it (None: nothing does).
    """

    question: str
    holds: bool
    text: str
    by: Spot | None = None


@dataclass(frozen=True, slots=True)
class Insertion:
    """Lines of the stream text behind a command; None: among the resources."""

    lines: tuple[str, ...]
    behind: Spot | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """Text to paste: `lines` of the stream text go before `before`; `why` in one line.

    `elsewhere`: what has to be pasted at other places too. `instead`: `before` itself goes, the
    lines (if any) stand in its place; they are these `commands`.
    """

    lines: tuple[str, ...]
    before: Spot
    why: str
    elsewhere: tuple[Insertion, ...] = ()
    instead: bool = False
    commands: tuple[Command, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `later` is the command that goes wrong, `earlier` the one that it conflicts with (None: none,
    or itself).

    `start`, `end`: absolute bytes concerned; `resource` their name with part and relative range,
    as people write it. `chain`: as far as it
    holds and where it breaks. `missing`: the missing piece in one sentence. `properties`: stable
    key=value pairs.
    """

    rule: str
    kind: Kind
    message: str
    later: Spot
    earlier: Spot | None = None
    resource: str = ""
    start: int = 0
    end: int = 0
    chain: tuple[Link, ...] = ()
    missing: str = ""
    fix: Fix | None = None
    properties: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that the stream, or a file, accepts, with the reason given there."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one access of a command is right (or not): the answer to `check --why FILE:LINE`."""

    later: Spot
    earlier: Spot | None
    resource: str
    chain: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was checked."""

    queues: int = 0
    commands: int = 0
    works: int = 0
    accesses: int = 0
    synchronizations: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The result of checking one program.

    `leaning`: hazards that exist under `strict` only, so the verdict leans on `documented`.
    """

    program: Program
    machine: str
    guarantees: str
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    leaning: tuple[Finding, ...] = ()
    counts: Counts = field(default_factory=Counts)

    def of(self, kind: Kind) -> tuple[Finding, ...]:
        """The findings of that kind, in the order of the stream."""
        return tuple(finding for finding in self.findings if finding.kind is kind)
