"""The JSON report as types; `report.schema.json` is made from them.

Readers should ignore fields that they do not know. `version` rises when one is removed or changes
its meaning.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

FORMAT = "fencepost.report"
VERSION = 1

Kind = Literal["hazard", "unknown", "waste"]
Position = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
Fingerprint = Annotated[
    str,
    Meta(
        pattern="^[0-9a-f]{16}$",
        description="Stays the same when lines move; the baseline compares it.",
    ),
]


class Record(Struct, forbid_unknown_fields=True):
    """What all records have in common: every field is always there."""


class Tool(Record):
    """The program that wrote the report."""

    name: str
    version: str


class Spot(Record):
    """A command. `line` and `column` count from 1; `line` 0 means that no file shows it."""

    file: str
    line: Position
    column: Position
    offset: Annotated[int | None, Meta(description="Byte offset in a binary stream.")]
    queue: str
    position: Annotated[int, Meta(ge=0, description="Place in its queue, from 0.")]
    frame: Annotated[int, Meta(ge=1, description="Which repetition, with --frames.")]
    command: Annotated[str, Meta(description="Its kind: draw, partial-flush, surface-sync ...")]
    name: str
    does: Annotated[str, Meta(description="The access concerned: `ps.texture gbuffer`.")]


class Bytes(Record):
    """A half-open range of addresses, in memory or in the global data share."""

    space: Literal["memory", "gds"]
    start: Position
    end: Position


class Link(Record):
    """One question of the chain, and the command that answers it."""

    question: str
    holds: bool
    text: str
    by: Spot | None


class Insertion(Record):
    """Lines to paste behind a command, or among the resources (null)."""

    lines: list[str]
    behind: Spot | None


class Fix(Record):
    """Lines to paste before a command, or in its place, and what has to be pasted elsewhere too."""

    lines: list[str]
    before: Spot
    instead: Annotated[bool, Meta(description="The command itself goes.")]
    elsewhere: list[Insertion]
    why: str


class Finding(Record):
    """One finding: `later` goes wrong, `earlier` is what it conflicts with."""

    rule: str
    kind: Kind
    message: str
    fingerprint: Fingerprint
    later: Spot
    earlier: Spot | None
    resource: str
    bytes: Bytes | None
    chain: list[Link]
    missing: str
    fix: Fix | None
    properties: dict[str, str]


class SuppressedFinding(Record):
    """A finding that somebody accepts, and the reason given."""

    reason: str
    finding: Finding


class Explanation(Record):
    """Why one access of the command that `--why` names is right, or is not."""

    later: Spot
    earlier: Spot | None
    resource: str
    chain: list[Link]


class Suppression(Record):
    """A suppression that met no finding. `line` 0: everywhere in the file."""

    rule: str
    file: str
    line: Position
    offset: int | None
    reason: str


class Input(Record):
    """One checked input: how it was judged and how much of it there was."""

    file: str
    machine: str
    guarantees: Literal["documented", "strict"]
    leans_on_documented: bool
    frames: Annotated[int, Meta(ge=1)]
    queues: Count
    commands: Count
    works: Count
    accesses: Count
    synchronizations: Count
    notes: Annotated[list[str], Meta(description="What was not looked for.")]


class Summary(Record):
    """Counts over all inputs. `hidden`: findings that the baseline has."""

    headline: str
    inputs: Count
    hazards: Count
    unknown: Count
    waste: Count
    suppressed: Count
    leaning: Count
    hidden: Count


class Document(Record):
    """A whole report; the three lists are never mixed."""

    format: Literal["fencepost.report"]
    version: Literal[1]
    tool: Tool
    summary: Summary
    inputs: list[Input]
    hazards: list[Finding]
    unknown: list[Finding]
    waste: list[Finding]
    suppressed: list[SuppressedFinding]
    leaning: Annotated[
        list[Finding],
        Meta(description="Hazards under strict only: the verdict leans on documented."),
    ]
    unused_suppressions: list[Suppression]
    explanations: Annotated[list[Explanation], Meta(description="What --why asked for.")]


SCHEMA_ID = "fencepost.report.1"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema() -> bytes:
    """The JSON Schema of a report, as `report.schema.json` holds it."""
    import msgspec  # noqa: PLC0415

    (reference,), components = msgspec.json.schema_components(
        [Document], ref_template="#/$defs/{name}"
    )
    whole = {"$schema": DIALECT, "title": "fencepost report", **reference, "$defs": components}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
