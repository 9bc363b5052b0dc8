"""The JSON report on a timeline as types; `timeline.schema.json` is made from them.

All times are picoseconds. Readers should ignore fields that they do not know. `version` rises when
one is removed or changes its meaning.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from fencepost.report.document import DIALECT, Tool

FORMAT = "fencepost.timeline-figures"
VERSION = 1

Time = Annotated[int, Meta(description="Picoseconds, 0 or more.", ge=0)]
Count = Annotated[int, Meta(ge=0)]
TrackNumber = Annotated[int, Meta(description="Place in `tracks`, from 0.", ge=0)]


class Record(Struct, forbid_unknown_fields=True):
    """What all records have in common: every field is always there."""


class Window(Record):
    """From the first start to the last end; `start` counts from `origin`."""

    start: Time
    end: Time
    length: Time


class Track(Record):
    """A queue or an engine. `length` of the window is busy + before + bubbles + after."""

    group: str
    name: str
    kind: Literal["queue", "engine"]
    spans: Count
    busy: Time
    alone: Annotated[int, Meta(description="Only this track runs.", ge=0)]
    before: Annotated[int, Meta(description="Until it first runs.", ge=0)]
    bubbles: Annotated[int, Meta(description="In all, of `gaps` bubbles.", ge=0)]
    others_run: Annotated[int, Meta(description="Of the bubbles, while others run.", ge=0)]
    all_idle: Annotated[int, Meta(description="Of the bubbles, while none runs.", ge=0)]
    after: Annotated[int, Meta(description="Since it last ran.", ge=0)]
    gaps: Count


class Pair(Record):
    """Two tracks that run at once."""

    first: TrackNumber
    second: TrackNumber
    together: Time


class Span(Record):
    """A slice."""

    track: str
    name: str
    category: str
    start: Time
    end: Time


class Signal(Record):
    """What `after` waits for, and when that was done; may be long before."""

    span: Span
    at: Time
    name: str


class Bubble(Record):
    """A track does not run, but did before and does after."""

    track: TrackNumber
    start: Time
    end: Time
    length: Time
    others_run: Time
    before: Span
    after: Span
    waits_for: Signal | None
    last_end: Annotated[
        Span | None, Meta(description="The slice of another track that ended last in it.")
    ]


class Flows(Record):
    """The wait edges; of `backward` ones the wait ended before the signal."""

    count: Count
    backward: Count


class Document(Record):
    """The report on one timeline."""

    format: Literal["fencepost.timeline-figures"]
    version: Literal[1]
    tool: Tool
    file: str
    origin: Annotated[int, Meta(description="Time 0 on the clock of the source.")]
    window: Window
    busy: Annotated[int, Meta(description="At least one track runs.", ge=0)]
    overlapped: Annotated[int, Meta(description="Two or more tracks run.", ge=0)]
    idle: Annotated[int, Meta(description="No track runs.", ge=0)]
    overlap_share: Annotated[float, Meta(description="overlapped / busy", ge=0, le=1)]
    running: Annotated[list[Time], Meta(description="At place n: how long exactly n tracks run.")]
    tracks: list[Track]
    pairs: Annotated[list[Pair], Meta(description="Those that run at once at all.")]
    longest_bubbles: list[Bubble]
    flows: Flows
    notes: list[str]


def schema() -> bytes:
    """The JSON Schema of a report, as `timeline.schema.json` holds it."""
    (reference,), components = msgspec.json.schema_components(
        [Document], ref_template="#/$defs/{name}"
    )
    whole = {
        "$schema": DIALECT,
        "title": "fencepost timeline report",
        **reference,
        "$defs": components,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
