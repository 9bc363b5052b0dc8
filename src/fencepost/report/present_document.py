"""The JSON report on presents as types; `present.schema.json` is made from them.

All times are picoseconds. Readers should ignore fields that they do not know. `version` rises when
one is removed or changes its meaning.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from fencepost.report.document import DIALECT, Tool

FORMAT = "fencepost.presentation"
VERSION = 1

Time = Annotated[int, Meta(description="Picoseconds.")]
Length = Annotated[int, Meta(description="Picoseconds, 0 or more.", ge=0)]
Count = Annotated[int, Meta(ge=0)]
Part = Annotated[float, Meta(description="A part of a whole, 1 is all.", ge=0)]
Rate = Annotated[float, Meta(description="A second.", ge=0)]
Verdict = Literal[
    "gpu-bound", "cpu-bound", "present-bound", "capped", "compositor-limited", "unknown"
]


class Record(Struct, forbid_unknown_fields=True):
    """What all records have in common: every field is always there."""


class Source(Record):
    """Where the presents come from: a capture's file and format, or words."""

    kind: Literal["capture", "simulation"]
    file: str
    form: str
    words: list[str]


class Bin(Record):
    """So many values in [start, end)."""

    start: Time
    end: Time
    count: Count


class Spread(Record):
    """How values are spread. Percentiles are values that occur (nearest rank)."""

    count: Annotated[int, Meta(ge=1)]
    mean: Time
    least: Time
    p50: Time
    p95: Time
    p99: Time
    p99_9: Time
    most: Time
    bins: Annotated[
        list[Bin], Meta(description="The last one holds all above the 99th percentile.")
    ]


class FrameRate(Record):
    """A frame rate under one of its definitions; null of too few frames."""

    key: str
    name: str
    used_by: str
    meaning: str
    fps: Rate | None


class Cause(Record):
    """Why there is a verdict: a stable id, what it means, what helps, who says so."""

    id: str
    verdict: Verdict
    meaning: str
    advice: list[str]
    source: str


class Reason(Record):
    """A figure that decides, as a sentence, and what it is held against."""

    name: str
    says: str
    limit: str


class Evidence(Record):
    """The figures behind a verdict; null where the capture does not say (docs/json-present.md)."""

    start: Time
    end: Time
    frames: Count
    frame_time: Length
    blocked: Part | None
    cpu: Length | None
    gpu_busy: Part | None
    gpu: Length | None
    gpu_behind: float | None
    utilisation: float | None
    never_shown: Part | None
    shown: Count
    refresh: Length | None
    on_grid: Part | None
    refreshes: float | None
    queued: float | None
    interval: Count | None
    composed: Part
    tearing: Part
    steadiness: float
    pace: float | None
    generated: bool
    drift: float | None


class Share(Record):
    """A verdict's part of the time."""

    verdict: Verdict
    share: Part


class Segment(Record):
    """A stretch of time with one cause."""

    start: Time
    end: Time
    verdict: Verdict
    cause: str
    evidence: Evidence


class Range(Record):
    """Of the values in a bucket."""

    least: Time
    mean: Time
    most: Time


class Bucket(Record):
    """Neighbouring presents, for pictures: one each, or many of a long capture.

    `start`: Present of the first one; null where the capture does not say.
    """

    start: Time
    frames: Annotated[int, Meta(ge=1)]
    frame_time: Range
    in_present: Range | None
    gpu_busy: Range | None
    until_shown: Range | None
    never_shown: Count


class DisplayBucket(Record):
    """Neighbouring display intervals; `start` is the first picture's."""

    start: Time
    intervals: Annotated[int, Meta(ge=1)]
    length: Range


class Stretch(Record):
    """[start, end) in one state, for one present; -1: none."""

    start: Time
    end: Time
    state: Literal["work", "present", "wait", "available", "pending", "visible", "frame"]
    present: int


class StripRow(Record):
    """CPU, GPU, a back buffer or the screen."""

    name: str
    stretches: list[Stretch]


class Strip(Record):
    """Who does what over [start, end), as the seed's figures show it."""

    start: Time
    end: Time
    vsyncs: list[Time]
    rows: list[StripRow]


class Outcome(Record):
    """Frames under settings.

    `rate`: shown a second; `low`: its 1 % low, average; `latency`: from the CPU frame's start
    to the screen; `blocked`, `gpu_wait`, `start_wait`: means a frame; `late`: display intervals of
    more refreshes than asked for; `tears`: flips within a scan. `same`: it changes nothing.
    """

    name: str
    words: list[str]
    settings: list[str]
    frames: Count
    rate: Rate
    low: Rate
    display_times: Spread | None
    latency: Spread | None
    blocked: Length
    gpu_wait: Length
    start_wait: Length
    late: Count
    tears: Count
    verdict: Verdict
    cause: str
    same: bool
    strip: Strip | None


class Tried(Record):
    """A piece of advice, and what the what-if that stands for it comes to."""

    advice: str
    outcome: Outcome


class Error(Record):
    """Absolute differences from what was measured."""

    median: Length
    mean: Length


class Errors(Record):
    """Of the replay, of repeating the last value, of a constant value."""

    replay: Error
    repeated: Error
    constant: Error


class Measured(Record):
    """The capture itself in the figures of an outcome; null: it does not say."""

    rate: Rate | None
    low: Rate | None
    latency: Spread | None
    blocked: Length | None
    late: Count | None


class CaptureReplay(Record):
    """The capture under its own settings: how well the model does (docs/replay-error.md).

    `chosen` were found on the first half of the frames, errors are of the `judged` ones of the
    second. `refused` says why there are no what-ifs. `latency_better`: the replay's latency is
    nearer than repeating the last one. `wake`: in the latency of outcomes under VSync, a constant
    that was chosen too. `tested`: display intervals vary, and the replay follows.
    """

    settings: list[str]
    chosen: list[str]
    judged: Count
    gpu_times: Literal["busy", "ends", "none"]
    measured: Measured
    displayed: Errors
    latency: Errors
    wake: Time
    latency_better: bool
    tested: bool
    refused: str | None


class Mode(Record):
    """So many presents in this present mode."""

    name: str
    frames: Count


class Chain(Record):
    """The presents of one swap chain (or, simulated, of one plane).

    `presents_cause`: what limits the presents where the compositor shows only some. `replay`,
    `own`: null unless what-ifs or a replay were asked for.
    """

    label: str
    application: str
    runtime: str
    frames: Count
    generated: Count
    never_shown: Count | None
    modes: list[Mode]
    verdict: Verdict
    share: Annotated[float, Meta(description="The verdict's part of the time.", ge=0, le=1)]
    cause: Cause
    presents_cause: Cause | None
    reasons: list[Reason]
    evidence: Evidence
    shares: list[Share]
    segments: list[Segment]
    rates: list[FrameRate]
    shown_rate: Rate | None
    frame_times: Spread | None
    display_times: Spread | None
    until_shown: Spread | None
    stutters: Count
    late: Count | None
    series: list[Bucket]
    displays: list[DisplayBucket]
    replay: CaptureReplay | None
    not_replayed: Annotated[str | None, Meta(description="Why a replay was not possible.")]
    own: Outcome | None
    what_ifs: list[Outcome]
    tried: list[Tried]
    notes: list[str]


class Document(Record):
    """The report on a capture or a simulation."""

    format: Literal["fencepost.presentation"]
    version: Literal[1]
    tool: Tool
    source: Source
    chains: list[Chain]
    notes: list[str]


def schema() -> bytes:
    """The JSON Schema of a report, as `present.schema.json` holds it."""
    (reference,), components = msgspec.json.schema_components(
        [Document], ref_template="#/$defs/{name}"
    )
    whole = {
        "$schema": DIALECT,
        "title": "fencepost present report",
        **reference,
        "$defs": components,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"
