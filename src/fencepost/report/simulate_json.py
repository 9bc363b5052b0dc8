"""A simulation as JSON (docs/json-simulate.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import msgspec

from fencepost._version import __version__
from fencepost.coherence import finding as found
from fencepost.machine.profiles import find_machine
from fencepost.machine.timing import UNITS
from fencepost.report import simulate_document as document
from fencepost.report.document import Tool
from fencepost.report.json_report import bytes_of, to_spot
from fencepost.report.simulate_result import Judged, Simulated
from fencepost.report.simulate_words import ENGINES, how
from fencepost.report.words import plural, where
from fencepost.stream.command import Work
from fencepost.stream.text.print_commands import CommandPrinter
from fencepost.timing.timeline import REASONS, Spot


def write_simulation_json(made: document.Document) -> bytes:
    """The document as UTF-8 JSON, indented, with a newline at its end."""
    return msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n"


def to_document(simulated: Simulated) -> document.Document:
    """The simulation as the records that `simulate.schema.json` describes."""
    return _Writer(simulated).whole()


class _Writer:
    """Numbers commands and tracks, and writes everything with these numbers."""

    def __init__(self, simulated: Simulated) -> None:
        self.simulated = simulated
        self.program = simulated.program
        self.timeline = simulated.timeline
        self.machine = find_machine(self.program.machine)
        self.first = [0]
        for queue in self.program.queues:
            self.first.append(self.first[-1] + len(queue.commands))
        self.names = {queue.name: n for n, queue in enumerate(self.program.queues)}
        order = {name: rank for rank, name in enumerate(ENGINES)}
        used = set(self.timeline.totals.engines)
        used |= {(stall.queue, stall.engine) for stall in self.timeline.stalls}
        keys = sorted(used, key=lambda key: (key[0], order[key[1]]))
        self.tracks = {key: n for n, key in enumerate(keys)}

    def number(self, spot: Spot) -> int:
        return self.first[spot[0]] + spot[1]

    def whole(self) -> document.Document:
        options = self.simulated.options
        return document.Document(
            format="fencepost.simulation",
            version=1,
            tool=Tool(name="fencepost", version=__version__),
            file=self.program.file,
            machine=self.machine.name,
            guarantees="strict" if options.guarantees == "strict" else "documented",
            sharing=options.sharing,
            refills=options.refills,
            parameters=list(self._parameters()),
            unknown=self.simulated.unknown,
            totals=self._totals(),
            queues=list(self._queues()),
            commands=list(self._commands()),
            tracks=list(self._tracks()),
            spans=list(self._spans()),
            stalls=list(self._stalls()),
            works=list(self._works()),
            operations=list(self._operations()),
            writes=list(self._writes()),
            signals=list(self._signals()),
            costs=self._costs(),
            path=list(self._path()),
            hazards=[self._hazard(judged) for judged in self.simulated.hazards],
            notes=list(self._notes()),
        )

    # -- what was simulated

    def _parameters(self) -> Iterator[document.Parameter]:
        for name, value in sorted(self.simulated.options.parameters.items()):
            row = self.simulated.parameters.rows[name]
            yield document.Parameter(name=name, value=value, usual=row.value, unit=row.unit)

    def _queues(self) -> Iterator[document.Queue]:
        for number, queue in enumerate(self.program.queues):
            yield document.Queue(
                name=queue.name,
                kind=queue.kind.value,
                first=self.first[number],
                count=len(queue.commands),
            )

    def _commands(self) -> Iterator[document.Command]:
        for queue in self.program.queues:
            printer = CommandPrinter(self.machine, queue.kind)
            for position, command in enumerate(queue.commands):
                spot = found.Spot(queue.name, position, command)
                yield document.Command(
                    spot=to_spot(self.program, spot),
                    text=printer.line(command),
                    work=isinstance(command, Work),
                )

    def _notes(self) -> Iterator[str]:
        rows = self.simulated.parameters.rows.values()
        assumed = sum(row.source.startswith("assumed") for row in rows)
        yield (
            f"{assumed} of {len(rows)} constants of {self.machine.name} are assumed: compare "
            "streams with each other, do not take the milliseconds for a promise"
        )
        works = [
            command
            for queue in self.program.queues
            for command in queue.commands
            if isinstance(command, Work)
        ]
        silent = sum(not work.cost for work in works)
        if silent:
            say = "says nothing of its cost" if silent == 1 else "say nothing of their cost"
            yield f"{silent:,} of {plural(len(works), 'work')} {say}: accesses stand in for it"
        if self.simulated.unknown:
            cost = "access is not shown, and costs", "accesses are not shown, and cost"
            yield f"{plural(self.simulated.unknown, *cost)} nothing here"

    # -- the timeline

    def _totals(self) -> document.Totals:
        totals = self.timeline.totals
        units = {row.name: row.title for row in UNITS}
        return document.Totals(
            time=totals.time,
            working=totals.working,
            idle=totals.time - totals.working,
            exposed=totals.exposed,
            stalls=[
                document.ReasonTime(reason=reason, title=REASONS[reason], time=time)
                for reason, time in totals.stalls.items()
            ],
            units=[
                document.UnitTime(unit=unit, title=units[unit], time=time)
                for unit, time in totals.units.items()
            ],
        )

    def _tracks(self) -> Iterator[document.Track]:
        for queue, engine in self.tracks:
            busy = self.timeline.totals.engines.get((queue, engine), 0)
            yield document.Track(queue=queue, engine=cast("document.Engine", engine), busy=busy)

    def _spans(self) -> Iterator[document.Span]:
        for row in self.timeline.spans:
            yield document.Span(
                track=self.tracks[row.queue, row.engine],
                command=self.number((row.queue, row.position)),
                start=row.start,
                end=row.end,
            )

    def _stalls(self) -> Iterator[document.Stall]:
        for row in self.timeline.stalls:
            yield document.Stall(
                track=self.tracks[row.queue, row.engine],
                command=self.number((row.queue, row.position)),
                reason=row.reason,
                cause=None if row.cause is None else self.number(row.cause),
                start=row.start,
                end=row.end,
                exposed=row.exposed,
            )

    def _works(self) -> Iterator[document.Work]:
        for row in self.timeline.works:
            yield document.Work(
                command=self.number((row.queue, row.position)),
                kind=cast("document.WorkKind", row.kind),
                handed=row.handed,
                ready=row.ready,
                launched=row.launched,
                vertex=row.vertex,
                shader=row.shader,
                end=row.end,
                alone=row.alone,
            )

    def _operations(self) -> Iterator[document.Operation]:
        for row in self.timeline.operations:
            yield document.Operation(
                command=self.number((row.queue, row.position)),
                cache=row.cache,
                action=cast("document.Action", row.action),
                start=row.start,
                end=row.end,
                bytes=row.size,
            )

    def _writes(self) -> Iterator[document.Write]:
        for row in self.timeline.writes:
            command = self.number((row.queue, row.position))
            yield document.Write(
                command=command, label=row.label, value=row.value, sent=row.sent, time=row.time
            )

    def _signals(self) -> Iterator[document.Signal]:
        for row in self.timeline.signals:
            yield document.Signal(
                kind="fence" if row.label else "kickoff",
                label=row.label,
                signal=self.number(row.signal),
                time=row.time,
                wait=self.number(row.wait),
                until=row.until,
            )

    def _costs(self) -> list[document.Cost]:
        costs = [
            document.Cost(
                command=self.number((row.queue, row.position)),
                stalled=row.stalled,
                exposed=row.exposed,
            )
            for row in self.timeline.costs
        ]
        return sorted(costs, key=lambda cost: (-cost.exposed, -cost.stalled, cost.command))

    def _path(self) -> Iterator[document.Step]:
        for row in self.timeline.path:
            command = self.number((row.queue, row.position))
            yield document.Step(command=command, what=row.what, start=row.start, end=row.end)

    # -- hazards

    def _hazard(self, judged: Judged) -> document.Hazard:
        finding, observed = judged
        loop = finding.rule == "feedback-loop"
        words = "the command does both" if loop else ""
        if observed is not None:
            words = how(observed, self._title, self.machine)
        return document.Hazard(
            rule=finding.rule,
            message=finding.message,
            later=self._spot_number(finding.later),
            earlier=None if finding.earlier is None else self._spot_number(finding.earlier),
            resource=finding.resource,
            bytes=bytes_of(finding.start, finding.end),
            observed=observed is not None or loop,
            how=words,
        )

    def _spot_number(self, spot: found.Spot) -> int:
        return self.number((self.names[spot.queue], spot.position))

    def _title(self, spot: Spot) -> str:
        queue = self.program.queues[spot[0]]
        named = found.Spot(queue.name, spot[1], queue.commands[spot[1]])
        return f"{named.title} ({where(named)})"
