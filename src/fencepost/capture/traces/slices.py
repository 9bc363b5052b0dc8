"""The timeline of trace events: those of a GPU profiler, of fencepost, or of anybody else."""

from __future__ import annotations

import re

from fencepost.capture.traces.events import OWN, Event, Events
from fencepost.capture.traces.generic import generic_timeline
from fencepost.capture.traces.kineto import CATEGORIES, is_on_stream, kineto_timeline
from fencepost.capture.traces.own import own_timeline
from fencepost.timeline.table import Timeline

_CATEGORY = re.compile(
    rb'"cat"\s*:\s*"(?:' + "|".join(sorted(CATEGORIES)).encode("ascii") + rb')"', re.IGNORECASE
)
"""Quotes within a JSON string are escaped, so this matches no text."""


def timeline_of(events: Events, tolerance: int = 0) -> Timeline:
    """The timeline of a trace; raises `SyntaxProblem` or `TimelineProblem` where it has none."""
    if events.other.format == OWN:
        return own_timeline(events)
    if _CATEGORY.search(events.data) and any(map(_is_work, events)):
        return kineto_timeline(events, tolerance)
    return generic_timeline(events, tolerance)


def _is_work(event: Event) -> bool:
    return (event.cat or "").lower() in CATEGORIES and is_on_stream(event)
