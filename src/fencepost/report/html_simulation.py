"""The page of a simulated stream (docs/pages.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from fencepost._version import __version__
from fencepost.report import simulate_document as document
from fencepost.report.html_data import (
    COARSE,
    ActivityData,
    CommandData,
    CostData,
    HazardData,
    PageData,
    SimulationData,
    StallData,
    StepData,
    TrackData,
    file_name,
    spans_of,
    unit_of,
)
from fencepost.report.page import make_page, packed
from fencepost.report.simulate_document import Document
from fencepost.report.simulate_words import ENGINES
from fencepost.timeline.times import shown
from fencepost.timing.timeline import REASONS

VALUES = "values"
"""The track of values on their way to memory."""

WAITING = "waiting for slots"
"""The track of works that wait for wave slots."""

Key = tuple[str, int]
"""What a span came from: the name of a list of the document and the place in it."""

Row = tuple[int, int, int, Key, int]
"""Start, minus the end, command, where it came from, what it is: in the order of a track."""


def write_simulation_html(made: Document) -> bytes:
    """The engines of all queues, stalls with their causes, the critical path, costs; UTF-8."""
    title = file_name(made.file)
    return make_page(
        "timeline", f"{title} - fencepost simulate", __version__, _Maker(made).data(title)
    )


class _Maker:
    def __init__(self, made: Document) -> None:
        self.made = made
        self.kinds: dict[str, int] = {}
        self.activities: list[ActivityData] = []
        self.works = {work.command: work for work in made.works}
        self.operations = {
            (item.command, item.start, item.end): item for item in reversed(made.operations)
        }

    def data(self, title: str) -> PageData:
        made, unit = self.made, unit_of(self.made.totals.time)
        tracks = [(track, rows) for track, rows in self._tracks() if rows]
        table = list(chain.from_iterable(rows for _, rows in tracks))
        places = {key: at for at, (_, _, _, key, _) in enumerate(table)}
        numbers = (
            spans_of(((start, -ends, kind) for start, ends, _, _, kind in rows), unit)
            for _, rows in tracks
        )
        labels = sorted({signal.label for signal in made.signals})
        return PageData(
            page="timeline",
            title=title,
            tool=f"fencepost {__version__}",
            unit=unit,
            window=made.totals.time // unit,
            tracks=[track for track, _ in tracks],
            activities=self.activities,
            spans=packed(chain.from_iterable(numbers)),
            flows=packed(self._flows(places, labels)),
            flow_names=labels,
            figures=None,
            simulation=self._simulation(table, places),
            notes=[*made.notes, *self._notes(unit)],
        )

    def _notes(self, unit: int) -> Iterator[str]:
        if unit == COARSE:
            yield "so long a run is drawn to the nanosecond, times rounded down"

    # -- tracks

    def _tracks(self) -> Iterator[tuple[TrackData, list[Row]]]:
        """What is drawn: for each queue its engines, values, works that wait."""
        for queue, item in enumerate(self.made.queues):
            for number, track in enumerate(self.made.tracks):
                if track.queue == queue:
                    yield self._track(item.name, ENGINES[track.engine], self._engine(number))
            yield self._track(item.name, VALUES, self._values(item))
            yield self._track(item.name, WAITING, self._waiting(queue))

    def _track(self, group: str, name: str, rows: Iterator[Row]) -> tuple[TrackData, list[Row]]:
        found = sorted(rows)
        return TrackData(group, name, len(found)), found

    def _engine(self, number: int) -> Iterator[Row]:
        memory = self.made.tracks[number].engine == "memory"
        for at, span in enumerate(self.made.spans):
            if span.track == number:
                kind = self._operation(span) if memory else self._work(span.command)
                yield span.start, -span.end, span.command, ("span", at), kind
        yield from self._stalls(lambda item: item.track == number and item.reason != "slots")

    def _waiting(self, queue: int) -> Iterator[Row]:
        tracks = self.made.tracks
        return self._stalls(
            lambda item: item.reason == "slots" and tracks[item.track].queue == queue
        )

    def _stalls(self, wanted: Callable[[document.Stall], bool]) -> Iterator[Row]:
        for at, stall in enumerate(self.made.stalls):
            if wanted(stall):
                kind = self._kind(f"{stall.reason}: {self._title(stall.command)}", "stall")
                yield stall.start, -stall.end, stall.command, ("stall", at), kind

    def _values(self, queue: document.Queue) -> Iterator[Row]:
        own = range(queue.first, queue.first + queue.count)
        for at, write in enumerate(self.made.writes):
            if write.command in own:
                name = f"{write.label} = {write.value}" if write.label else "timestamp"
                kind = self._kind(name, "value")
                yield write.sent, -write.time, write.command, ("write", at), kind
        kicked = {
            (item.signal, item.time): at
            for at, item in enumerate(self.made.signals)
            if item.kind == "kickoff" and item.signal in own
        }
        for (command, time), at in kicked.items():
            yield time, -time, command, ("kickoff", at), self._kind("kickoff", "value")

    # -- what a span is

    def _kind(self, name: str, category: str, notes: tuple[tuple[str, str], ...] = ()) -> int:
        key = "\0".join((name, category, *chain.from_iterable(notes)))
        number = self.kinds.setdefault(key, len(self.activities))
        if number == len(self.activities):
            waits = category == "stall"
            self.activities.append(ActivityData(name, category, [], list(notes), waits))
        return number

    def _work(self, command: int) -> int:
        work = self.works.get(command)
        if work is None:
            return self._kind(self._title(command), "synchronization")
        notes = (
            ("handed over at", shown(work.handed)),
            ("launched at", shown(work.launched)),
            ("takes alone", shown(work.alone)),
        )
        return self._kind(self._title(command), work.kind, notes)

    def _operation(self, span: document.Span) -> int:
        found = self.operations.get((span.command, span.start, span.end))
        if found is None:
            return self._kind(self._title(span.command), "cache operation")
        written = (("written back", f"{found.bytes:,} bytes"),)
        return self._kind(f"{found.cache} {found.action}", "cache operation", written)

    def _title(self, number: int) -> str:
        command = self.made.commands[number]
        return command.spot.name or command.text.split(" @ ")[0]

    # -- what belongs to spans

    def _flows(self, places: dict[Key, int], labels: list[str]) -> Iterator[int]:
        """An arrow from each value in memory to the end of the wait that saw it."""
        values = {(row.command, row.label, row.time): at for at, row in enumerate(self.made.writes)}
        waits = {(row.command, row.end): at for at, row in enumerate(self.made.stalls)}
        names = {name: at for at, name in enumerate(labels)}
        for at, signal in enumerate(self.made.signals):
            value = values.get((signal.signal, signal.label, signal.time), -1)
            source = ("kickoff", at) if signal.kind == "kickoff" else ("write", value)
            wait = ("stall", waits.get((signal.wait, signal.until), -1))
            if source in places and wait in places:
                yield from (places[source], places[wait], 3, names[signal.label])

    def _simulation(self, table: list[Row], places: dict[Key, int]) -> SimulationData:
        made = self.made
        busy = {(track.queue, ENGINES[track.engine]): track.busy for track in made.tracks}
        return SimulationData(
            span_commands=packed(command + 1 for _, _, command, _, _ in table),
            facts=[("machine", made.machine), ("guarantees", made.guarantees)],
            commands=[self._command(command) for command in made.commands],
            reasons=dict(REASONS),
            stalls=[
                StallData(
                    span=places["stall", at],
                    reason=stall.reason,
                    cause=-1 if stall.cause is None else stall.cause,
                    exposed=stall.exposed,
                )
                for at, stall in enumerate(made.stalls)
            ],
            costs=[CostData(cost.command, cost.stalled, cost.exposed) for cost in made.costs],
            path=[StepData(step.command, step.what, step.start, step.end) for step in made.path],
            hazards=[self._hazard(hazard) for hazard in made.hazards],
            time=made.totals.time,
            working=made.totals.working,
            idle=made.totals.idle,
            exposed=made.totals.exposed,
            by_reason=[(row.reason, row.time) for row in made.totals.stalls],
            by_unit=[(row.title, row.time) for row in made.totals.units if row.time],
            by_engine=[
                (f"{made.queues[queue].name} {engine}", time)
                for (queue, engine), time in busy.items()
            ],
        )

    def _command(self, command: document.Command) -> CommandData:
        spot = command.spot
        place = file_name(spot.file)
        if spot.line:
            place += f":{spot.line}"
        if spot.offset is not None:
            place += f" (offset {spot.offset:#x})"
        if spot.frame > 1:
            place += f", frame {spot.frame}"
        return CommandData(spot.queue, command.text, place)

    def _hazard(self, hazard: document.Hazard) -> HazardData:
        return HazardData(
            command=hazard.later,
            earlier=-1 if hazard.earlier is None else hazard.earlier,
            rule=hazard.rule,
            text=hazard.message,
            how=hazard.how,
            observed=hazard.observed,
        )
