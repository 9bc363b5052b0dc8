"""A timeline: what ran on which queue or engine, from when to when, and who waited for whom.

Measured and simulated timelines are the same table, so figures, traces and pages work on both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum


class TrackKind(StrEnum):
    """What a track stands for."""

    QUEUE = "queue"
    ENGINE = "engine"


class Edge(StrEnum):
    """One of the two instants of a span."""

    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True)
class Track:
    """A queue or an engine; `group` is what it belongs to (a device, a process), or empty."""

    name: str
    kind: TrackKind = TrackKind.QUEUE
    group: str = ""

    @property
    def label(self) -> str:
        """Group and name."""
        return f"{self.group} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Activity:
    """What a span is; many spans may share one.

    `resources` are the names of what it reads or writes, `notes` are pairs of key and value.
    While a track only `waits` it does not run.
    """

    name: str
    category: str = ""
    resources: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    waits: bool = False


@dataclass(frozen=True, slots=True)
class Flow:
    """A signal and the wait that it ends, as instants of two spans (their places in the table)."""

    signal: int
    wait: int
    signal_edge: Edge = Edge.END
    wait_edge: Edge = Edge.START
    name: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """One row of the table: [start, end) in picoseconds; `depth` counts the spans around it."""

    track: Track
    start: int
    end: int
    activity: Activity
    depth: int


@dataclass(frozen=True, slots=True)
class Timeline:
    """Columns of spans, track by track, by start within a track, an enclosing span first.

    Two spans of a track are apart or one lies within the other. Times are picoseconds since
    `origin`, which counts picoseconds on the clock of the source. `bounds` has for each track the
    place of its first span, and at its end the number of all spans. `notes` say what else was in
    the source. `TimelineBuilder` makes it and holds all this.
    """

    file: str
    origin: int
    tracks: tuple[Track, ...]
    activities: tuple[Activity, ...]
    bounds: tuple[int, ...]
    starts: array[int]
    ends: array[int]
    kinds: array[int]
    depths: array[int]
    flows: tuple[Flow, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.starts)

    def on_track(self, track: int) -> range:
        """The places of the spans of a track."""
        return range(self.bounds[track], self.bounds[track + 1])

    def track_of(self, span: int) -> int:
        """The track that a span is on."""
        low, high = 0, len(self.tracks)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.bounds[middle] <= span else (low, middle)
        return low

    def activity_of(self, span: int) -> Activity:
        """What a span is."""
        return self.activities[self.kinds[span]]

    def instant(self, span: int, edge: Edge) -> int:
        """When a span starts or ends."""
        return self.starts[span] if edge is Edge.START else self.ends[span]

    def span(self, span: int) -> Span:
        """A row of the table."""
        return Span(
            self.tracks[self.track_of(span)],
            self.starts[span],
            self.ends[span],
            self.activity_of(span),
            self.depths[span],
        )

    def with_flows(self, flows: Iterable[Flow]) -> Timeline:
        """The same with these flows, in the order in which their waits end."""

        def key(flow: Flow) -> tuple[int, int, int]:
            return (self.instant(flow.wait, flow.wait_edge), flow.wait, flow.signal)

        return replace(self, flows=tuple(sorted(flows, key=key)))

    def spans(self) -> Iterator[Span]:
        """All rows, in their order; for tables of some size walk the columns."""
        return (self.span(place) for place in range(len(self)))
