"""The figures of a timeline as JSON (docs/timeline.md)."""

from __future__ import annotations

import msgspec

from fencepost._version import __version__
from fencepost.report import timeline_document as document
from fencepost.report.document import Tool
from fencepost.timeline.figures import Figures, TrackFigures
from fencepost.timeline.gaps import Gap
from fencepost.timeline.table import Flow, Timeline


def write_timeline_json(timeline: Timeline, figures: Figures) -> bytes:
    """The report as UTF-8 JSON, indented, with a newline at its end."""
    made = to_document(timeline, figures)
    return msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n"


def to_document(timeline: Timeline, figures: Figures) -> document.Document:
    """The report as the records that `timeline.schema.json` describes."""
    numbers = {item.track: at for at, item in enumerate(figures.tracks)}
    return document.Document(
        format="fencepost.timeline-figures",
        version=1,
        tool=Tool(name="fencepost", version=__version__),
        file=timeline.file,
        origin=timeline.origin,
        window=document.Window(start=figures.start, end=figures.end, length=figures.window),
        busy=figures.busy,
        overlapped=figures.overlapped,
        idle=figures.idle,
        overlap_share=figures.overlap_share,
        running=list(figures.running),
        tracks=[_track(timeline, item) for item in figures.tracks],
        pairs=[
            document.Pair(first=numbers[a], second=numbers[b], together=time)
            for (a, b), time in figures.together.items()
        ],
        longest_bubbles=[_bubble(timeline, numbers[gap.track], gap) for gap in figures.gaps],
        flows=document.Flows(count=len(timeline.flows), backward=figures.backward),
        notes=list(timeline.notes),
    )


def _track(timeline: Timeline, item: TrackFigures) -> document.Track:
    track = timeline.tracks[item.track]
    return document.Track(
        group=track.group,
        name=track.name,
        kind="engine" if track.kind == "engine" else "queue",
        spans=item.spans,
        busy=item.busy,
        alone=item.alone,
        before=item.before,
        bubbles=item.bubbles,
        others_run=item.others_run,
        all_idle=item.all_idle,
        after=item.after,
        gaps=item.gaps,
    )


def _bubble(timeline: Timeline, track: int, gap: Gap) -> document.Bubble:
    return document.Bubble(
        track=track,
        start=gap.start,
        end=gap.end,
        length=gap.length,
        others_run=gap.others,
        before=_span(timeline, gap.before),
        after=_span(timeline, gap.after),
        waits_for=None if gap.waits_for is None else _signal(timeline, gap.waits_for),
        last_end=None if gap.last_end is None else _span(timeline, gap.last_end),
    )


def _span(timeline: Timeline, place: int) -> document.Span:
    span = timeline.span(place)
    return document.Span(
        track=span.track.label,
        name=span.activity.name,
        category=span.activity.category,
        start=span.start,
        end=span.end,
    )


def _signal(timeline: Timeline, flow: Flow) -> document.Signal:
    at = timeline.instant(flow.signal, flow.signal_edge)
    return document.Signal(span=_span(timeline, flow.signal), at=at, name=flow.name)
