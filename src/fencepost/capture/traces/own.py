"""Trace events that fencepost wrote (`report/chrome.py`): all of the timeline comes back."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import TypeVar

import msgspec

from fencepost.capture.traces.events import BAD_JSON, OWN, VERSION, Event, Events, said
from fencepost.capture.traces.threads import Thread, thread_of
from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.timeline.builder import TimelineBuilder
from fencepost.timeline.quoting import quoted
from fencepost.timeline.table import Activity, Edge, Flow, Timeline, TrackKind

Value = TypeVar("Value")


class _Slice(msgspec.Struct):
    resources: tuple[str, ...] = ()
    waits: bool = False
    notes: dict[str, str] = {}


class _Thread(msgspec.Struct):
    name: str
    kind: TrackKind
    group: str


class _Arrow(msgspec.Struct):
    span: int
    edge: Edge


_SLICE = msgspec.json.Decoder(_Slice)
_THREAD = msgspec.json.Decoder(_Thread)
_ARROW = msgspec.json.Decoder(_Arrow)


def own_timeline(events: Events) -> Timeline:
    """The timeline that was written; raises `SyntaxProblem` where the trace was changed since."""
    if events.other.version != VERSION:
        problem = f"version {events.other.version} of {OWN}"
        raise SyntaxProblem(problem, Place(events.file, 0), f"version {VERSION}")
    reader = _Reader(events)
    for number, event in enumerate(events):
        reader.take(number, event)
    made = reader.builder.build(
        events.file, lambda span: events.place(reader.sources[span]), origin=0
    )
    return replace(made, origin=events.other.origin_ps)


class _Reader:
    """Takes threads, then slices, then flow events, as they are written."""

    def __init__(self, events: Events) -> None:
        self.events = events
        self.builder = TimelineBuilder()
        self.sources: array[int] = array("q")  # span -> event
        self.tracks: dict[Thread, int] = {}
        self.signals: dict[int | str | None, _Arrow] = {}

    def take(self, number: int, event: Event) -> None:
        if event.ph == "M":
            self._thread(number, event)
        elif event.ph == "X":
            self._slice(number, event)
        elif event.ph == "s":
            self.signals[event.id] = self._arrow(number, event)
        elif event.ph == "f" and event.id in self.signals:
            signal, wait = self.signals[event.id], self._arrow(number, event)
            name = event.name or ""
            self.builder.flow(Flow(signal.span, wait.span, signal.edge, wait.edge, name))
        else:
            raise self._other(number, f"{event.title} has the phase (ph) {quoted(event.ph)}")

    def _thread(self, number: int, event: Event) -> None:
        if event.name == "thread_name":
            row = self._arguments(number, event, _THREAD)
            self.tracks[thread_of(event)] = self.builder.track(row.name, row.kind, row.group)

    def _slice(self, number: int, event: Event) -> None:
        track = self.tracks.get(thread_of(event))
        if track is None:
            raise self._other(number, f"{event.title} is on a thread without a name")
        row = self._arguments(number, event, _SLICE)
        notes = tuple(row.notes.items())
        activity = Activity(event.name or "", event.cat or "", row.resources, notes, row.waits)
        start, end = self.events.stretch(number, event)
        self.builder.span(track, start, end, self.builder.activity(activity))
        self.sources.append(number)

    def _arrow(self, number: int, event: Event) -> _Arrow:
        arrow = self._arguments(number, event, _ARROW)
        if not 0 <= arrow.span < len(self.builder):
            raise self._other(number, f"{event.title} names slice {arrow.span}")
        return arrow

    def _arguments(self, number: int, event: Event, decoder: msgspec.json.Decoder[Value]) -> Value:
        try:
            return decoder.decode(event.args)
        except BAD_JSON as error:
            raise self._other(number, f"{event.title} has other args ({said(error)})") from None

    def _other(self, number: int, problem: str) -> SyntaxProblem:
        return SyntaxProblem(problem, self.events.place(number), "what fencepost writes itself")
