"""Timelines, measured or simulated: one table, and the figures of it."""

from fencepost.timeline.builder import TimelineBuilder
from fencepost.timeline.figures import Figures, TrackFigures, figures
from fencepost.timeline.gaps import Gap
from fencepost.timeline.table import Activity, Edge, Flow, Span, Timeline, Track, TrackKind

__all__ = [
    "Activity",
    "Edge",
    "Figures",
    "Flow",
    "Gap",
    "Span",
    "Timeline",
    "TimelineBuilder",
    "Track",
    "TrackFigures",
    "TrackKind",
    "figures",
]
