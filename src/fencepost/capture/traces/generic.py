"""Anybody's trace events: a track for each thread of a process; slices `X`, `B` ... `E`; flows."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import replace

from fencepost.capture.traces.arrows import Arrow, bind
from fencepost.capture.traces.events import Event, Events
from fencepost.capture.traces.marks import Begin, End, matched
from fencepost.capture.traces.phases import LEFT_OUT
from fencepost.capture.traces.threads import Thread, ThreadNames, thread_of
from fencepost.errors import SyntaxProblem
from fencepost.timeline.builder import TimelineBuilder
from fencepost.timeline.quoting import quoted
from fencepost.timeline.table import Timeline


def generic_timeline(events: Events, tolerance: int = 0) -> Timeline:
    """The slices of a trace; raises `SyntaxProblem`, or `TimelineProblem` as the builder does."""
    reader = _Reader(events, tolerance)
    for number, event in enumerate(events):
        reader.take(number, event)
    return reader.timeline()


class _Reader:
    """Collects slices, names and arrows, one event at a time."""

    def __init__(self, events: Events, tolerance: int) -> None:
        self.events = events
        self.builder = TimelineBuilder(tolerance)
        self.sources: array[int] = array("q")  # span -> event
        self.tracks: dict[Thread, int] = {}
        self.marks: dict[Thread, list[Begin | End]] = {}
        self.names = ThreadNames()
        self.arrows: list[Arrow] = []
        self.others: Counter[str] = Counter()

    def take(self, number: int, event: Event) -> None:
        """Take an event; raises `SyntaxProblem` for a phase that the format does not have."""
        if event.ph == "X":
            start, end = self.events.stretch(number, event)
            self._span(number, thread_of(event), start, end, self._activity(event))
        elif event.ph in ("B", "E"):
            self._mark(number, event)
        elif event.ph in ("s", "t", "f"):
            self._arrow(number, event)
        elif event.ph == "M":
            self.names.take(event)
        elif event.ph in LEFT_OUT:
            self.others[LEFT_OUT[event.ph]] += 1
        else:
            problem = f"{event.title} has the phase (ph) {quoted(event.ph)}"
            expected = f"one of X B E {' '.join(LEFT_OUT)}"
            raise SyntaxProblem(problem, self.events.place(number), expected)

    def timeline(self) -> Timeline:
        """The timeline of what was taken."""
        for thread, marks in self.marks.items():
            for begin, end in matched(marks, self.events.place):
                self._span(begin.number, thread, begin.time, end.time, begin.activity)
        arranged = list(self.names.tracks(self.tracks))
        self.builder.arrange([(self.tracks[thread], track) for thread, track in arranged])
        for note in self.events.notes:
            self.builder.note(note)
        if self.others:
            left = ", ".join(f"{count:,} {name}" for name, count in self.others.most_common())
            self.builder.note(f"not slices, left out: {left}")
        place = self.events.place
        made = self.builder.build(self.events.file, lambda span: place(self.sources[span]))
        return self._with_flows(made, {thread: at for at, (thread, _) in enumerate(arranged)})

    def _with_flows(self, made: Timeline, tracks: dict[Thread, int]) -> Timeline:
        flows, loose = bind(made, tracks, self.arrows)
        if not loose:
            return made.with_flows(flows)
        note = f"{loose:,} flow events without their beginning or their slice, left out"
        return replace(made.with_flows(flows), notes=(*made.notes, note))

    def _activity(self, event: Event) -> int:
        return self.builder.named(event.name or "", event.cat or "")

    def _span(self, number: int, thread: Thread, start: int, end: int, activity: int) -> None:
        track = self.tracks.get(thread)
        if track is None:
            track = self.tracks[thread] = self.builder.track("")
        self.builder.span(track, start, end, activity)
        self.sources.append(number)

    def _mark(self, number: int, event: Event) -> None:
        time, name = self.events.start(number, event), event.name or ""
        mark = (
            Begin(time, number, name, self._activity(event))
            if event.ph == "B"
            else End(time, number, name)
        )
        self.marks.setdefault(thread_of(event), []).append(mark)

    def _arrow(self, number: int, event: Event) -> None:
        self.arrows.append(
            Arrow(
                phase=event.ph,
                key=(event.cat, event.name, event.id),
                name=event.name or "",
                thread=thread_of(event),
                time=self.events.start(number, event),
                next_slice=event.ph == "f" and event.bp != "e",
            )
        )
