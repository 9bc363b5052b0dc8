"""A simulation as JSON, as types; `simulate.schema.json` is made from them.

All times are integer picoseconds from the start of the run. A command is its place in `commands`, a
track its place in `tracks`. Readers should ignore fields that they do not know. `version` rises
when one is removed or changes its meaning.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fencepost.report.document import DIALECT, Bytes, Count, Record, Spot, Tool

FORMAT = "fencepost.simulation"
VERSION = 1

Time = Annotated[int, Meta(description="Picoseconds, 0 or more.", ge=0)]
CommandNumber = Annotated[int, Meta(description="Place in `commands`, from 0.", ge=0)]
TrackNumber = Annotated[int, Meta(description="Place in `tracks`, from 0.", ge=0)]
Engine = Literal[
    "pfp", "me", "cpu", "dma", "copy", "vs", "ps", "cs", "back-end", "memory", "display"
]
QueueKind = Literal["graphics", "compute", "copy", "cpu"]
WorkKind = Literal["draw", "dispatch", "dma", "copy"]
Action = Literal["wb", "inv", "wbinv", "drop"]
Reason = Annotated[str, Meta(description="`totals.stalls` has its title.")]


class Parameter(Record):
    """A constant of the machine that was set to another value."""

    name: str
    value: Count
    usual: Annotated[int, Meta(description="The machine's own value.", ge=0)]
    unit: str


class Queue(Record):
    """A queue of the stream; its commands are `commands[first:first + count]`."""

    name: str
    kind: QueueKind
    first: CommandNumber
    count: Count


class Command(Record):
    """A command of the stream, as it stands there and as a line of stream text."""

    spot: Spot
    text: str
    work: Annotated[bool, Meta(description="False: synchronization.")]


class Track(Record):
    """An engine of a queue. `busy`: something on it runs; works on one track may overlap."""

    queue: Annotated[int, Meta(description="Place in `queues`, from 0.", ge=0)]
    engine: Engine
    busy: Time


class Span(Record):
    """An engine is busy with a command in [start, end)."""

    track: TrackNumber
    command: CommandNumber
    start: Time
    end: Time


class Stall(Record):
    """An engine, or a work that wants wave slots, stands in [start, end).

    `cause`: the command whose end it was waiting for; null: a way to memory and back, or time that
    an operation takes itself. `exposed`: how much of it no work ran.
    """

    track: TrackNumber
    command: CommandNumber
    reason: Reason
    cause: CommandNumber | None
    start: Time
    end: Time
    exposed: Time


class Work(Record):
    """The points in time of a work (docs/timing.md 4). `alone`: what it takes by itself."""

    command: CommandNumber
    kind: WorkKind
    handed: Time
    ready: Time
    launched: Time
    vertex: Time
    shader: Time
    end: Time
    alone: Time


class Operation(Record):
    """A cache operation acts in [start, end), write-confirms included.

    `drop`: a frame; clean lines are gone. `bytes`: written back.
    """

    command: CommandNumber
    cache: str
    action: Action
    start: Time
    end: Time
    bytes: Count


class Write(Record):
    """A value is sent, and in memory from `time` on."""

    command: CommandNumber
    label: Annotated[str, Meta(description="Empty: a timestamp.")]
    value: int
    sent: Time
    time: Time


class Signal(Record):
    """A value that a wait saw: in memory at `time`; the engine went on at `until`."""

    kind: Literal["fence", "kickoff"]
    label: Annotated[str, Meta(description="Empty: a kickoff, sent at `time`.")]
    signal: CommandNumber
    time: Time
    wait: CommandNumber
    until: Time


class Cost(Record):
    """What a synchronization command costs.

    `stalled`: how long its engine stood at it. `exposed`: how long no work ran because of it; what
    is hidden under other work is not in it.
    """

    command: CommandNumber
    stalled: Time
    exposed: Time


class Step(Record):
    """A piece of the critical path. `what`: an engine, stage, unit, reason or latency."""

    command: CommandNumber
    what: str
    start: Time
    end: Time


class Hazard(Record):
    """A hazard of the stream, as `fencepost check` names it.

    `observed`: it happens in this timing; `how` says in words by how much. A hazard that is not
    observed here may happen in another execution.
    """

    rule: str
    message: str
    later: CommandNumber
    earlier: CommandNumber | None
    resource: str
    bytes: Bytes | None
    observed: bool
    how: str


class ReasonTime(Record):
    """How long engines and works stood for one reason, in all."""

    reason: Reason
    title: str
    time: Time


class UnitTime(Record):
    """What the works took of a unit, as time of the whole unit."""

    unit: str
    title: str
    time: Time


class Totals(Record):
    """Sums of a run. `time` = `working` (some work runs) + `idle` (none does).

    `exposed`: the part of `idle` that synchronization is the reason of.
    """

    time: Time
    working: Time
    idle: Time
    exposed: Time
    stalls: list[ReasonTime]
    units: list[UnitTime]


class Document(Record):
    """A whole simulation. `costs`: the dearest first; `path`: from 0 to the end, without a gap."""

    format: Literal["fencepost.simulation"]
    version: Literal[1]
    tool: Tool
    file: str
    machine: str
    guarantees: Literal["documented", "strict"]
    sharing: Annotated[str, Meta(description="Who gets what of a unit (docs/timing.md 4.3).")]
    refills: Annotated[bool, Meta(description="Emptied caches cost works in flight something.")]
    parameters: Annotated[list[Parameter], Meta(description="Those that --param has set.")]
    unknown: Annotated[int, Meta(description="Accesses that the input does not show.", ge=0)]
    totals: Totals
    queues: list[Queue]
    commands: list[Command]
    tracks: list[Track]
    spans: list[Span]
    stalls: list[Stall]
    works: list[Work]
    operations: list[Operation]
    writes: list[Write]
    signals: list[Signal]
    costs: list[Cost]
    path: list[Step]
    hazards: list[Hazard]
    notes: Annotated[list[str], Meta(description="What the reader should know of all this.")]


def schema() -> bytes:
    """The JSON Schema of a simulation, as `simulate.schema.json` holds it."""
    (reference,), components = msgspec.json.schema_components(
        [Document], ref_template="#/$defs/{name}"
    )
    whole = {"$schema": DIALECT, "title": "fencepost simulation", **reference, "$defs": components}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
