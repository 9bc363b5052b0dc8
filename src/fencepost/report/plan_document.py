"""A plan as JSON, as types; `plan.schema.json` is made from them (docs/json-plan.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from fencepost.report.document import DIALECT, Count, Position, Record, Spot, Tool
from fencepost.report.simulate_document import Time

FORMAT = "fencepost.plan"
VERSION = 1


class Pair(Record):
    """Two accesses that an inserted command keeps apart, and the rule that they would break."""

    rule: str
    earlier: Spot
    later: Spot
    resource: str


class Choice(Record):
    """A lighter choice: a line of stream text, or `without` a part; and what it would break."""

    choice: str
    breaks: list[Pair]


class Inserted(Record):
    """An inserted command: its line, its place in the planned stream, what it stands beside."""

    text: str
    queue: str
    position: Position
    stands: Literal["before", "behind"]
    beside: Spot | None


class Service(Record):
    """Inserted commands that belong together (the value and the wait of a fence): what for."""

    commands: list[Inserted]
    serves: list[Pair]
    lighter: list[Choice]
    explained: Annotated[bool, Meta(description="False: there was too much to try.")]
    saves: Annotated[
        Time, Meta(description="Picoseconds that it saves; nothing breaks without it.")
    ]


class Simulated(Record):
    """Simulated time: of the stream, and with the lightest plan."""

    time: Time
    lightest: Time
    tried: Annotated[int, Meta(ge=0, description="Plans that were looked at.")]
    complete: Annotated[bool, Meta(description="False: there was too much to try.")]


class Document(Record):
    """A whole plan. Costs are in GPU cycles, by the machine's table."""

    format: Literal["fencepost.plan"]
    version: Literal[1]
    tool: Tool
    file: str
    machine: str
    guarantees: Literal["documented", "strict"]
    right: Annotated[bool, Meta(description="The stream was right as it was read.")]
    cycles: Count
    own_cycles: Annotated[int, Meta(ge=0, description="Of the synchronization as it was read.")]
    unknown: Annotated[int, Meta(ge=0, description="Accesses that the input does not show.")]
    simulated: Annotated[
        Simulated | None, Meta(description="Of a plan that was chosen by simulation (--fastest).")
    ]
    services: list[Service]
    stream: Annotated[str, Meta(description="The planned stream in its form.")]


def schema() -> bytes:
    """The JSON Schema of a plan, as `plan.schema.json` holds it."""
    import msgspec  # noqa: PLC0415

    (reference,), components = msgspec.json.schema_components(
        [Document], ref_template="#/$defs/{name}"
    )
    whole = {"$schema": DIALECT, "title": "fencepost plan", **reference, "$defs": components}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
