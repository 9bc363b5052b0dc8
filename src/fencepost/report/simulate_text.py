"""A simulation for people: how long, where the time goes, what each synchronization costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.report.simulate_document import Command, Cost, Document, Hazard, Stall
from fencepost.report.simulate_words import ENGINES
from fencepost.report.style import Style, cells
from fencepost.report.words import plural
from fencepost.timeline.quoting import shortened
from fencepost.timeline.times import in_unit, percent, shown, unit_for

PIECES = 8
"""Pieces of the critical path that are listed; the others are summed up."""

WIDE = 56
"""Characters of a command's line that are shown."""

Row = Sequence[str]


def write_simulation(document: Document, style: Style, most: int) -> str:
    """The report; of the synchronization commands the `most` dearest."""
    return "\n".join(_Writer(document, style, most).lines()) + "\n"


class _Writer:
    """Writes all times of a table in one unit, that of the whole run."""

    def __init__(self, document: Document, style: Style, most: int) -> None:
        self.document = document
        self.style = style
        self.most = most
        self.total = document.totals.time
        self.unit = unit_for(self.total)
        self.stalls: dict[int, list[Stall]] = {}
        for stall in document.stalls:
            self.stalls.setdefault(stall.command, []).append(stall)

    def lines(self) -> Iterator[str]:
        yield from self._head()
        yield from self._section("Engines", self._engines(), right=(1, 2, 3))
        if self.document.totals.stalls:
            yield from self._section("Stalls by reason", self._reasons())
        yield from self._costs()
        yield from self._path()
        yield from self._hazards()
        yield from self._notes()

    # -- words

    def time(self, time: int) -> str:
        return f"{in_unit(time, self.unit)} {self.unit}"

    def place(self, command: Command) -> str:
        """`file:line`, or the packet of a capture."""
        spot = command.spot
        at = f"{spot.file}:{spot.line}" if spot.line else spot.file
        if spot.offset is not None:
            at += f" ({spot.offset:#x})"
        frames = f" frame {spot.frame}" if self._repeated() else ""
        return self.style.clean(at + frames)

    def _repeated(self) -> bool:
        return any(command.spot.frame > 1 for command in self.document.commands)

    def line(self, number: int) -> str:
        """A command as stream text, without its cost."""
        text = self.document.commands[number].text
        return self.style.clean(shortened(text.split(" @ ")[0], WIDE))

    def named(self, number: int) -> str:
        """A command in a sentence: its kind and name, and its line."""
        command = self.document.commands[number]
        spot = command.spot
        kind = spot.command.replace("-", " ")
        title = f'{kind} "{shortened(spot.name, 40)}"' if spot.name else kind
        offset = "" if spot.offset is None else f", {spot.offset:#x}"
        return self.style.clean(f"{title} (line {spot.line}{offset})")

    def engine(self, track: int) -> str:
        row = self.document.tracks[track]
        queue = shortened(self.document.queues[row.queue].name, 24)
        return self.style.clean(f"{queue} {ENGINES[row.engine]}")

    # -- the whole

    def _head(self) -> Iterator[str]:
        found, totals = self.document, self.document.totals
        headline = (
            f"{found.file}: {shown(totals.time)} on {found.machine}, "
            f"{shown(totals.exposed)} of it synchronization that is not hidden"
        )
        yield self.style.paint(self.style.clean(headline), "strong")
        works = sum(command.work for command in found.commands)
        counts = f"{plural(works, 'work')}, {plural(len(found.costs), 'synchronization command')}"
        yield f"  {counts}, {plural(len(found.queues), 'queue')}"
        for row in found.parameters:
            yield self.style.clean(f"  {row.name} is {row.value:,} {row.unit}, not {row.usual:,}")
        rows = [
            ("work", totals.working, "some work runs"),
            ("idle", totals.idle, "no work runs"),
            ("not hidden", totals.exposed, "of the idle time: because of synchronization"),
        ]
        yield from self._columns(
            [(name, self.time(time), percent(time, self.total), what) for name, time, what in rows],
            right=(1, 2),
        )

    def _section(
        self, title: str, rows: Sequence[Row], right: Sequence[int] = (1, 2)
    ) -> Iterator[str]:
        yield ""
        yield self.style.paint(title, "strong")
        yield from self._columns(rows, right)

    def _columns(self, rows: Sequence[Row], right: Sequence[int]) -> Iterator[str]:
        """Columns as wide as their widest cell."""
        widths = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]))]
        for row in rows:
            padded = [
                " " * (width - cells(cell)) + cell
                if at in right
                else cell + " " * (width - cells(cell))
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            yield "  " + "  ".join(padded).rstrip()

    def _engines(self) -> list[Row]:
        rows: list[Row] = [("engine", f"busy ({self.unit})", "of the run", f"stands ({self.unit})")]
        stands = [0] * len(self.document.tracks)
        for stall in self.document.stalls:
            stands[stall.track] += stall.end - stall.start
        for number, row in enumerate(self.document.tracks):
            waits = in_unit(stands[number], self.unit) if row.engine in FRONT else ""
            busy = (in_unit(row.busy, self.unit), percent(row.busy, self.total))
            rows.append((self.engine(number), *busy, waits))
        return rows

    def _reasons(self) -> list[Row]:
        counts: dict[str, int] = {}
        for stall in self.document.stalls:
            counts[stall.reason] = counts.get(stall.reason, 0) + 1
        rows: list[Row] = [("reason", f"time ({self.unit})", "times", "")]
        for row in sorted(self.document.totals.stalls, key=lambda row: (-row.time, row.reason)):
            time = in_unit(row.time, self.unit)
            rows.append((row.reason, time, f"{counts[row.reason]:,}", row.title))
        return rows

    # -- costs

    def _costs(self) -> Iterator[str]:
        costs = [cost for cost in self.document.costs if cost.exposed or cost.stalled]
        if not self.document.costs:
            return
        yield ""
        shown_ = min(self.most, len(costs))
        title = f"Synchronization, the dearest first ({shown_:,} of {len(self.document.costs):,})"
        yield self.style.paint(title, "strong")
        for number, cost in enumerate(costs[: self.most], start=1):
            yield from self._cost(number, cost)
        rest = len(self.document.costs) - len(costs)
        if rest:
            yield f"  {plural(rest, 'command costs', 'commands cost')} no time"

    def _cost(self, number: int, cost: Cost) -> Iterator[str]:
        command = self.document.commands[cost.command]
        exposed = f"{shown(cost.exposed)} not hidden"
        text = f"  {number}. {exposed}, stands {shown(cost.stalled)}: {self.line(cost.command)}"
        yield self.style.paint(text, "strong") if cost.exposed else text
        yield f"     {self.place(command)}, queue {self.style.clean(command.spot.queue)}"
        for stall in self.stalls.get(cost.command, ()):
            if stall.reason not in ("pfp", "slots"):
                yield from self.style.wrap("     ", self._stall(stall))

    def _stall(self, stall: Stall) -> str:
        engine = ENGINES[self.document.tracks[stall.track].engine]
        span = shown(stall.end - stall.start)
        cause = "" if stall.cause is None else f", {CAUSES.get(stall.reason, 'until')} "
        cause += "" if stall.cause is None else self.named(stall.cause)
        return f"{engine} from {self.time(stall.start)} for {span}: {stall.reason}{cause}"

    # -- the critical path

    def _path(self) -> Iterator[str]:
        pieces: dict[tuple[str, int], int] = {}
        for step in self.document.path:
            key = (step.what, step.command)
            pieces[key] = pieces.get(key, 0) + step.end - step.start
        ranked = sorted(pieces.items(), key=lambda item: (-item[1], item[0]))
        rows: list[Row] = [
            (what, in_unit(time, self.unit), percent(time, self.total), self.named(command))
            for (what, command), time in ranked[:PIECES]
        ]
        rest = sum(time for _, time in ranked[PIECES:])
        if rest:
            more = f"{len(ranked) - PIECES:,} more"
            rows.append((more, in_unit(rest, self.unit), percent(rest, self.total), ""))
        if rows:
            head = ("critical path", f"time ({self.unit})", "of the run", "")
            yield from self._section("Critical path, the longest first", [head, *rows])

    # -- hazards

    def _hazards(self) -> Iterator[str]:
        hazards = self.document.hazards
        if not hazards:
            return
        observed = sum(hazard.observed for hazard in hazards)
        yield ""
        title = f"Hazards ({len(hazards):,}, of which {observed:,} happen in this timing)"
        yield self.style.paint(title, "strong")
        for hazard in hazards:
            yield from self._hazard(hazard)

    def _hazard(self, hazard: Hazard) -> Iterator[str]:
        place = self.place(self.document.commands[hazard.later])
        word = "observed" if hazard.observed else "not in this timing"
        tone = "hazard" if hazard.observed else "strong"
        head = f"  {self.style.paint(f'{word}[{hazard.rule}]', tone)} {place}"
        yield head
        yield from self.style.wrap("     ", hazard.message)
        if hazard.how:
            yield from self.style.wrap("     here: ", hazard.how)

    def _notes(self) -> Iterator[str]:
        yield ""
        yield self.style.paint("Notes", "strong")
        for note in self.document.notes:
            yield from self.style.wrap("  ", note)


FRONT = ("pfp", "me", "cpu", "copy")
"""Engines that stand at commands."""

CAUSES = {
    "partial-flush": "until the end of",
    "idle": "until the end of",
    "contexts": "until the end of",
    "context-roll": "until the end of",
    "dma": "until the end of",
    "copy": "until the end of",
    "fence": "for the value of",
    "kickoff": "for",
    "pfp": "behind",
    "me": "behind",
}
"""Reason -> what stands before the command that was waited for."""
