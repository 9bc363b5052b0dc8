"""A simulation as a table of spans, for the traces that viewers read.

A group is a queue of the stream, a track an engine of it. Works on one engine overlap, so an engine
has as many tracks as it has works at a time. Stalls stand on the track of who stands. An arrow goes
from a value in memory to the wait that saw it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fencepost.report.simulate_document import Document, Signal, Write
from fencepost.report.simulate_words import ENGINES
from fencepost.timeline import Activity, Edge, Flow, Timeline, TimelineBuilder, TrackKind

VALUES = "values"
"""The track of values on their way to memory."""

WAITING = "waiting for slots"

Row = tuple[int, int, Activity, int]
"""A span that has no track yet: start, end, what it is, a number that it is known by."""


def to_timeline(document: Document) -> Timeline:
    """The table of everything that engines did and stood for."""
    return _Tracks(document).timeline()


@dataclass(slots=True)
class Lanes:
    """The tracks of one engine: so many that no two spans on one overlap."""

    ends: list[int] = field(default_factory=list)

    def place(self, start: int, end: int) -> int:
        """The first track that is free from `start` on."""
        for number, free in enumerate(self.ends):
            if free <= start:
                self.ends[number] = end
                return number
        self.ends.append(end)
        return len(self.ends) - 1


class _Tracks:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.builder = TimelineBuilder()
        self.waits: dict[tuple[int, int], int] = {}
        self.values: dict[tuple[int, str, int], int] = {}

    def timeline(self) -> Timeline:
        for queue, row in enumerate(self.document.queues):
            for number, track in enumerate(self.document.tracks):
                if track.queue == queue:
                    self._engine(row.name, number, ENGINES[track.engine])
            self._values(row.name, queue)
            self._waiting(row.name, queue)
        for signal in self.document.signals:
            self._arrow(signal)
        for note in self.document.notes:
            self.builder.note(note)
        return self.builder.build(self.document.file, origin=0)

    def _engine(self, group: str, number: int, name: str) -> None:
        """All that one engine did and stood for; works wait for slots elsewhere."""
        rows = [
            (span.start, span.end, self._work(span.command), -1)
            for span in self.document.spans
            if span.track == number
        ]
        rows += [
            (stall.start, stall.end, self._stall(at), at)
            for at, stall in enumerate(self.document.stalls)
            if stall.track == number and stall.reason != "slots"
        ]
        for (*_, at), place in self._placed(group, name, rows):
            if at >= 0:
                stall = self.document.stalls[at]
                self.waits[stall.command, stall.end] = place

    def _waiting(self, group: str, queue: int) -> None:
        """Works of a queue that wait for wave slots."""
        rows = [
            (stall.start, stall.end, self._stall(at), at)
            for at, stall in enumerate(self.document.stalls)
            if stall.reason == "slots" and self.document.tracks[stall.track].queue == queue
        ]
        for _ in self._placed(group, WAITING, rows):
            pass

    def _placed(self, group: str, name: str, rows: list[Row]) -> Iterator[tuple[Row, int]]:
        """Each row with its span, on the first track of that name that is free."""
        lanes, tracks = Lanes(), list[int]()
        for row in sorted(rows, key=lambda row: (row[0], -row[1], row[3])):
            lane = lanes.place(row[0], row[1])
            if lane == len(tracks):
                title = f"{name} {lane + 1}" if lane else name
                tracks.append(self.builder.track(title, TrackKind.ENGINE, group))
            activity = self.builder.activity(row[2])
            yield row, self.builder.span(tracks[lane], row[0], row[1], activity)

    def _work(self, number: int) -> Activity:
        command = self.document.commands[number]
        category = "work" if command.work else "synchronization"
        return Activity(self._title(number), category, notes=self._notes(number))

    def _stall(self, at: int) -> Activity:
        stall = self.document.stalls[at]
        notes = list(self._notes(stall.command))
        if stall.cause is not None:
            notes.append(("waits for", self._title(stall.cause)))
        notes.append(("not hidden", f"{stall.exposed} ps"))
        name = f"{stall.reason}: {self._title(stall.command)}"
        return Activity(name, "stall", notes=tuple(notes), waits=True)

    def _title(self, number: int) -> str:
        command = self.document.commands[number]
        return command.spot.name or command.text.split(" @ ")[0]

    def _notes(self, number: int) -> tuple[tuple[str, str], ...]:
        command = self.document.commands[number]
        spot = command.spot
        at = f"{spot.file}:{spot.line}" if spot.offset is None else f"{spot.file} {spot.offset:#x}"
        frame = (("frame", str(spot.frame)),) if spot.frame > 1 else ()
        return (("command", command.text), ("place", at), *frame)

    def _values(self, group: str, queue: int) -> None:
        """Values on their way to memory, and kickoffs; where arrows start."""
        first, count = self.document.queues[queue].first, self.document.queues[queue].count
        own = range(first, first + count)
        keys = [
            (write.sent, write.time, write.command, write.label, _value(write))
            for write in self.document.writes
            if write.command in own
        ]
        keys += [
            (signal.time, signal.time, signal.signal, "", "kickoff")
            for signal in self.document.signals
            if signal.kind == "kickoff" and signal.signal in own
        ]
        rows = [
            (start, end, Activity(name, "value", notes=self._notes(command)), at)
            for at, (start, end, command, _, name) in enumerate(keys)
        ]
        for (_, end, _, at), place in self._placed(group, VALUES, rows):
            self.values[keys[at][2], keys[at][3], end] = place

    def _arrow(self, signal: Signal) -> None:
        value = self.values.get((signal.signal, signal.label, signal.time))
        wait = self.waits.get((signal.wait, signal.until))
        if value is not None and wait is not None:
            self.builder.flow(Flow(value, wait, Edge.END, Edge.END, signal.label or "kickoff"))


def _value(write: Write) -> str:
    return f"{write.label} = {write.value}" if write.label else "timestamp"
