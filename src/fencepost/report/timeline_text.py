"""The figures of a timeline for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.report.style import Style, cells
from fencepost.report.words import plural
from fencepost.timeline.figures import Figures, TrackFigures
from fencepost.timeline.gaps import Gap
from fencepost.timeline.quoting import shortened
from fencepost.timeline.table import Timeline
from fencepost.timeline.times import in_unit, percent, shown, unit_for

PAIRS = 20
"""Pairs of tracks that are listed; the others are counted."""

Row = Sequence[str]


def write_timeline(timeline: Timeline, figures: Figures, style: Style) -> str:
    """The report: totals, tracks, pairs that overlap, the longest bubbles, notes."""
    return "\n".join(_Writer(timeline, figures, style).lines()) + "\n"


class _Writer:
    """Writes all times of a report in one unit, that of the window."""

    def __init__(self, timeline: Timeline, figures: Figures, style: Style) -> None:
        self.timeline = timeline
        self.figures = figures
        self.style = style
        self.unit = unit_for(figures.window)

    def lines(self) -> Iterator[str]:
        yield from self._totals()
        yield from self._section("Tracks", self._tracks())
        if self.figures.together:
            yield from self._section("Pairs that run at once", self._pairs())
        yield from self._bubbles()
        yield from self._notes()

    def time(self, time: int) -> str:
        return f"{in_unit(time, self.unit)} {self.unit}"

    def track(self, track: int) -> str:
        return self.style.clean(shortened(self.timeline.tracks[track].label, 40))

    def name(self, span: int) -> str:
        """What a span is."""
        name = shortened(self.timeline.activity_of(span).name, 44) or "(no name)"
        return self.style.clean(name)

    def elsewhere(self, span: int) -> str:
        """What a span of another track is, and where."""
        return f"{self.name(span)} on {self.track(self.timeline.track_of(span))}"

    def _totals(self) -> Iterator[str]:
        found = self.figures
        tracks = plural(len(found.tracks), "track")
        share = percent(found.overlapped, found.busy)
        headline = f"{self.timeline.file}: two or more of {tracks} run in {share} of busy time"
        yield self.style.paint(self.style.clean(headline), "strong")
        slices = plural(sum(item.spans for item in found.tracks), "slice")
        flows = plural(len(self.timeline.flows), "wait edge")
        yield f"  {slices}, {flows}, {self.time(found.window)} from the first start to the last end"
        rows = [
            ("busy", found.busy, "at least one track runs"),
            ("overlapped", found.overlapped, "two or more run"),
            ("idle", found.idle, "none runs"),
        ]
        yield from self._columns(
            [
                (name, self.time(time), percent(time, found.window), what)
                for name, time, what in rows
            ],
            right=(1, 2),
        )

    def _section(self, title: str, rows: Sequence[Row]) -> Iterator[str]:
        yield ""
        yield self.style.paint(title, "strong")
        yield from self._columns(rows, right=range(1, len(rows[0])))

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

    def _tracks(self) -> list[Row]:
        head = (
            "track",
            "slices",
            f"busy ({self.unit})",
            "of window",
            "alone",
            "before",
            "bubbles",
            "others run",
            "all idle",
            "after",
        )
        return [head, *map(self._track, self.figures.tracks)]

    def _track(self, item: TrackFigures) -> Row:
        times = (
            item.alone,
            item.before,
            item.bubbles,
            item.others_run,
            item.all_idle,
            item.after,
        )
        return (
            self.track(item.track),
            f"{item.spans:,}",
            in_unit(item.busy, self.unit),
            percent(item.busy, self.figures.window),
            *(in_unit(time, self.unit) for time in times),
        )

    def _pairs(self) -> list[Row]:
        busy = {item.track: item.busy for item in self.figures.tracks}
        pairs = sorted(self.figures.together.items(), key=lambda item: (-item[1], item[0]))
        rows: list[Row] = [("pair", f"both ({self.unit})", "of the first", "of the second")]
        for (a, b), time in pairs[:PAIRS]:
            pair = f"{self.track(a)} + {self.track(b)}"
            shares = (percent(time, busy[a]), percent(time, busy[b]))
            rows.append((pair, in_unit(time, self.unit), *shares))
        if len(pairs) > PAIRS:
            rest = sum(time for _, time in pairs[PAIRS:])
            rows.append((f"{len(pairs) - PAIRS} more", in_unit(rest, self.unit), "", ""))
        return rows

    def _bubbles(self) -> Iterator[str]:
        count = sum(item.gaps for item in self.figures.tracks)
        if not self.figures.gaps:
            return
        yield ""
        title = f"Longest bubbles ({len(self.figures.gaps):,} of {count:,})"
        yield self.style.paint(title, "strong")
        for number, gap in enumerate(self.figures.gaps, start=1):
            yield from self._bubble(number, gap)

    def _bubble(self, number: int, gap: Gap) -> Iterator[str]:
        others = f"others run {self.time(gap.others)} of it" if gap.others else "nothing else runs"
        start = f"from {self.time(gap.start - self.figures.start)}"
        yield f"  {number}. {self.time(gap.length)} on {self.track(gap.track)} {start}; {others}"
        for what, text in self._around(gap):
            yield from self.style.wrap(f"     {what}: ", text)

    def _around(self, gap: Gap) -> Iterator[tuple[str, str]]:
        """The slices around a bubble, what it waited for, and what ended last in it."""
        yield "after", self.name(gap.before)
        yield "ends with", self.name(gap.after)
        flow = gap.waits_for
        if flow is not None:
            signal = self.timeline.instant(flow.signal, flow.signal_edge)
            why = f" ({shortened(flow.name)})" if flow.name else ""
            yield "which waits for", f"{self.elsewhere(flow.signal)}, {self._ago(gap, signal)}{why}"
        if gap.last_end is not None and (flow is None or flow.signal != gap.last_end):
            ended = self._ago(gap, self.timeline.ends[gap.last_end])
            yield "last to end in it", f"{self.elsewhere(gap.last_end)}, {ended}"

    def _ago(self, gap: Gap, time: int) -> str:
        late = gap.end - time
        return f"{shown(late)} earlier" if late >= 0 else f"{shown(-late)} later"

    def _notes(self) -> Iterator[str]:
        notes = list(self.timeline.notes)
        if self.figures.backward:
            count = plural(self.figures.backward, "wait")
            notes.append(f"{count} ended before the signal: the tracks may not share one clock")
        if notes:
            yield ""
            yield self.style.paint("Notes", "strong")
        for note in notes:
            yield from self.style.wrap("  ", note)
