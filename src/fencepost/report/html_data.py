"""What the timeline page's script reads: the same records as in `pages/src/timeline/data.ts`.

They belong to the script of the same release and are no interface; the JSON reports are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from fencepost.report import timeline_document

EXACT = 1 << 53
"""Whole numbers below are exact in JavaScript."""

COARSE = 1000
"""Picoseconds of a longer timeline's unit: its times are rounded down to nanoseconds."""


class TrackData(Struct):
    """A row of the drawing; `spans` of the table are its own."""

    group: str
    name: str
    spans: int


class ActivityData(Struct):
    """What a span is; many may share one."""

    name: str
    category: str
    resources: list[str]
    notes: list[tuple[str, str]]
    waits: bool


class CommandData(Struct):
    """A command of a simulated stream; `place` is its file and line."""

    queue: str
    text: str
    place: str


class StallData(Struct):
    """A span that is a stall; `cause`: a command, -1 for none."""

    span: int
    reason: str
    cause: int
    exposed: int


class CostData(Struct):
    """What a synchronization command costs."""

    command: int
    stalled: int
    exposed: int


class StepData(Struct):
    """A piece of the critical path."""

    command: int
    what: str
    start: int
    end: int


class HazardData(Struct):
    """A hazard of the stream; `earlier`: a command, -1 for none; `how`: what this run shows."""

    command: int
    earlier: int
    rule: str
    text: str
    how: str
    observed: bool


class SimulationData(Struct):
    """What a simulation knows beyond its spans."""

    span_commands: str
    facts: list[tuple[str, str]]
    commands: list[CommandData]
    reasons: dict[str, str]
    stalls: list[StallData]
    costs: list[CostData]
    path: list[StepData]
    hazards: list[HazardData]
    time: int
    working: int
    idle: int
    exposed: int
    by_reason: list[tuple[str, int]]
    by_unit: list[tuple[str, int]]
    by_engine: list[tuple[str, int]]


class PageData(Struct):
    """A whole page; `spans` and `flows` are packed numbers (docs/pages.md)."""

    page: str
    title: str
    tool: str
    unit: int
    window: int
    tracks: list[TrackData]
    activities: list[ActivityData]
    spans: str
    flows: str
    flow_names: list[str]
    figures: timeline_document.Document | None
    simulation: SimulationData | None
    notes: list[str]


def unit_of(window: int) -> int:
    """Picoseconds of a page's unit: 1, unless the window is too long for exact picoseconds."""
    return 1 if window < EXACT else COARSE


def spans_of(rows: Iterable[tuple[int, int, int]], unit: int) -> Iterator[int]:
    """The numbers of one track: of each span the steps from start to start, its length, its kind.

    `rows`: start and end in picoseconds from the window's start, and the place of the activity.
    """
    before = 0
    for start, end, kind in rows:
        first = start // unit
        yield first - before
        yield end // unit - first
        yield kind
        before = first


def file_name(path: str) -> str:
    """The last part of a path: a page that is handed on does not tell whose directory it was."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path
