"""What limits a frame rate, and what other settings would do, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fencepost.present.analysis import Analysed, Analysis, Played
from fencepost.present.capture_replay import CaptureReplay
from fencepost.present.captures.table import MISSING, PRESENT_MODES
from fencepost.present.causes import Cause, Verdict
from fencepost.present.diagnosis import Diagnosis, Segment
from fencepost.present.outcome import low_of
from fencepost.present.rates import DEFINITIONS, Definition
from fencepost.present.reasons import percent_of, reasons
from fencepost.present.spelling import spelled
from fencepost.present.spread import Spread
from fencepost.present.thresholds import STUTTER
from fencepost.present.units import PICOSECONDS
from fencepost.report.present_strips import legend_lines, strip_lines
from fencepost.report.style import Style, cells
from fencepost.report.words import plural

SEGMENTS = 12
"""Segments that are listed; the others are counted."""

DIGITS = 6
"""Of settings; the JSON report has all that can be read back."""

Row = Sequence[str]

TONES = {
    Verdict.GPU: "hazard",
    Verdict.CPU: "hazard",
    Verdict.PRESENT: "unknown",
    Verdict.CAPPED: "waste",
    Verdict.COMPOSITOR: "unknown",
    Verdict.UNKNOWN: "frame",
}


def write_present(analysis: Analysis, style: Style) -> str:
    """The report: verdict, evidence, rates, what-ifs, advice; other chains in a table."""
    return "\n".join(_Writer(analysis, style).lines()) + "\n"


def ms(time: float) -> str:
    """A time in milliseconds with two decimals, without its unit."""
    return f"{time / PICOSECONDS:,.2f}"


class _Writer:
    def __init__(self, analysis: Analysis, style: Style) -> None:
        self.analysis = analysis
        self.style = style

    def lines(self) -> Iterator[str]:
        first, *others = self.analysis.chains
        if self.analysis.simulated:
            for number, item in enumerate(self.analysis.chains):
                yield from [""] * bool(number)
                yield from self._simulated(item)
            return
        yield from self._capture(first)
        if others:
            yield from self._section("Other swap chains", self._others(others))
        yield from self._notes([*first.notes, *self.analysis.notes])

    # -- captures

    def _capture(self, item: Analysed) -> Iterator[str]:
        found = item.diagnosis
        yield from self._headline(self.analysis.file, found)
        yield from self.style.wrap("  ", self._what(item))
        yield from self.style.wrap("  ", found.cause.meaning)
        if found.presents is not None:
            why = f"the presents themselves: {self._verdict(found.presents)}, "
            yield from self.style.wrap("  ", why + found.presents.meaning)
        yield from self._section("Evidence", [])
        yield from self._evidence(found)
        yield from self._advice(item)
        yield from self._shares(found)
        yield from self._rates(found)
        yield from self._replay(item)

    def _headline(self, name: str, found: Diagnosis) -> Iterator[str]:
        cause = found.cause
        yield (
            self.style.paint(self.style.clean(f"{name}: "), "strong")
            + self.style.paint(cause.verdict.value, TONES[cause.verdict])
            + f" ({cause.id}, {percent_of(found.share)} of the time)"
        )

    def _verdict(self, cause: Cause) -> str:
        return f"{cause.verdict.value} ({cause.id})"

    def _what(self, item: Analysed) -> str:
        found = item.diagnosis
        observed = found.observed
        length = (found.evidence.end - found.evidence.start) / (1000 * PICOSECONDS)
        parts = [f"{plural(len(observed), 'frame')} in {length:,.1f} s"]
        if observed.generated:
            parts.append(f"{observed.generated:,} generated between them")
        lost = 0 if observed.until_shown is None else observed.until_shown.count(MISSING)
        if observed.until_shown is None:
            parts.append("nothing is known of the screen")
        elif lost:
            parts.append(f"{lost:,} never shown")
        return f"{item.label}: {', '.join(parts + self._modes(item))}"

    def _modes(self, item: Analysed) -> list[str]:
        if item.chain is None:
            return []
        modes = Counter(item.chain.frames.mode)
        modes.pop(MISSING, None)
        found = sorted(modes.items(), key=lambda row: (-row[1], row[0]))
        if len(found) == 1:
            return [PRESENT_MODES[found[0][0]]]
        return [f"{PRESENT_MODES[mode]} {count:,}" for mode, count in found]

    def _evidence(self, found: Diagnosis) -> Iterator[str]:
        rows = reasons(found.evidence)
        width = max(len(row.name) for row in rows)
        for row in rows:
            limit = f" ({row.limit})" if row.limit else ""
            yield from self.style.wrap(f"  {row.name:<{width}}  ", row.says + limit)

    def _rates(self, found: Diagnosis) -> Iterator[str]:
        if not found.frame_times.count:
            return
        rows = [(row.name, _rate(row, found.frame_times), row.used_by) for row in DEFINITIONS]
        shown = found.shown_rate
        if shown is not None:
            rows.insert(1, ("shown", f"{shown:.1f}", "pictures on the screen"))
        few = any(cell == "-" for _, cell, _ in rows)
        note = " (-: too few frames)" if few else ""
        yield from self._section("Frames a second" + note, [*rows], right=(1,))
        yield from self._section("Milliseconds", self._times(found), right=range(1, 7))
        yield from self._counts(found)

    def _times(self, found: Diagnosis) -> list[Row]:
        named: list[tuple[str, Spread]] = [
            ("between presents", found.frame_times),
            ("between pictures", found.display_times),
            ("Present to screen", found.until_shown),
        ]
        head: Row = ("", "least", "median", "95 %", "99 %", "99.9 %", "most")
        rows: list[Row] = [head]
        for name, spread in named:
            if spread.count:
                middle = [_percentile(spread, percent) for percent in (50, 95, 99, 99.9)]
                rows.append((name, ms(spread.values[0]), *middle, ms(spread.values[-1])))
        return rows

    def _counts(self, found: Diagnosis) -> Iterator[str]:
        stutters = plural(found.stutters, "stutter")
        yield f"  {stutters}: frames over {STUTTER.value} times the moving average"
        if found.late is not None:
            late = plural(found.late, "picture")
            yield f"  {late} stayed for more refreshes than the sync interval asks for"

    def _shares(self, found: Diagnosis) -> Iterator[str]:
        if len(found.segments) < 2:
            return
        shares = [f"{key.value} {percent_of(part)}" for key, part in found.shares.items()]
        yield ""
        yield self.style.paint("Over time", "strong") + f" ({', '.join(shares)})"
        head: Row = ("from", "to (s)", "verdict", "cause", "FPS", "in Present", "GPU busy")
        rows = [head, *(self._segment(row, found) for row in found.segments[:SEGMENTS])]
        yield from self._columns(rows, right=(0, 1, 4, 5, 6))
        if len(found.segments) > SEGMENTS:
            yield f"  and {len(found.segments) - SEGMENTS:,} more"

    def _segment(self, row: Segment, found: Diagnosis) -> Row:
        it = found.evidence_of(row)
        return (
            self._seconds(row.start, found),
            self._seconds(row.end, found),
            row.cause.verdict.value,
            row.cause.id,
            f"{1000 * PICOSECONDS / it.frame_time:.1f}" if it.frame_time else "-",
            "-" if it.blocked is None else percent_of(it.blocked),
            "-" if it.gpu_busy is None else percent_of(it.gpu_busy),
        )

    def _seconds(self, time: int, found: Diagnosis) -> str:
        return f"{(time - found.evidence.start) / (1000 * PICOSECONDS):.1f}"

    def _replay(self, item: Analysed) -> Iterator[str]:
        if item.not_replayed:
            yield from self._section("Played again", [])
            yield from self.style.wrap("  ", f"not possible: {item.not_replayed}")
        again = item.replay
        if again is None or item.own is None:
            return
        yield from self._section("Played again", [])
        yield from self.style.wrap(
            "  own settings: ", " ".join(spelled(again.replay.settings, DIGITS))
        )
        half = f"on the first half of the frames chosen: {', '.join(again.chosen) or 'nothing'}"
        yield from self.style.wrap(
            "  ", f"{half}; errors on the {again.judged:,} of the second half"
        )
        wake = f"{again.wake / PICOSECONDS:+.2f}"
        if float(wake):
            note = f"latency under VSync: the model's {wake} ms, chosen so too"
            yield from self.style.wrap("  ", note)
        rows: list[Row] = [("off by, in ms", "replay", "repeating the last", "always the same")]
        for name, errors in (("between pictures", again.displayed), ("latency", again.latency)):
            pairs = (errors.replay, errors.repeated, errors.constant)
            rows.append((name, *(f"{ms3(it.median)} (mean {ms3(it.mean)})" for it in pairs)))
        yield from self._columns(rows, right=range(1, 4))
        if again.refusal:
            yield from self.style.wrap("  no what-ifs: ", again.refusal)
            return
        if again.gpu_times == "ends":
            note = (
                "how long the GPU works is not in the capture: what it does after Present has "
                "returned counts, so settings that need more of it may do worse than they look"
            )
            yield from self.style.wrap("  ", note)
        if not again.displayed.tested:
            note = (
                "a constant interval would be as near: "
                "this capture does not show that the replay follows other work"
            )
            yield from self.style.wrap("  ", note)
        if not again.latency.better:
            off = ms(again.latency.replay.median)
            note = f"latencies are off by {off} ms: smaller differences between rows mean nothing"
            yield from self.style.wrap("  ", note)
        yield from self._what_ifs(item.own, item.what_ifs, _measured(again, item.diagnosis))

    # -- simulations and what-ifs

    def _simulated(self, item: Analysed) -> Iterator[str]:
        own = item.own
        if own is None:
            return
        yield from self._headline(item.label, item.diagnosis)
        yield from self.style.wrap("  ", " ".join(self.analysis.words))
        yield from self.style.wrap("  ", item.diagnosis.cause.meaning)
        yield from self._advice(item)
        yield from self._notes(item.notes)
        yield from self._what_ifs(own, item.what_ifs)
        for played in (own, *item.what_ifs):
            if played.strip is not None and not played.same:
                yield ""
                yield self.style.paint(self.style.clean(played.name), "strong")
                yield from strip_lines(played.strip, self.style)
        yield from legend_lines(self.style)

    def _what_ifs(
        self, own: Played, others: Sequence[Played], measured: Row | None = None
    ) -> Iterator[str]:
        head: Row = (
            "",
            "FPS",
            "1 % low",
            "latency",
            "in Present",
            "GPU waits",
            "late",
            "tears",
            "verdict",
        )
        rows = [head, *([measured] if measured else [])]
        rows += [self._outcome(played) for played in (own, *others)]
        yield ""
        yield self.style.paint("What if" if others else "Played", "strong") + (
            " (latency: CPU start to screen, median, ms; waits: mean a frame, ms)"
        )
        yield from self._columns(rows, right=range(1, 8))

    def _outcome(self, played: Played) -> Row:
        it = played.outcome
        verdict = f"{it.cause.verdict.value} ({it.cause.id})"
        return (
            self.style.clean(played.name),
            f"{it.rate:.1f}",
            f"{it.low:.1f}",
            ms(it.latency.percentile(50)),
            ms(it.blocked),
            ms(it.gpu_wait),
            f"{it.late:,}",
            f"{it.tears:,}",
            "changes nothing" if played.same else verdict,
        )

    # -- all

    def _advice(self, item: Analysed) -> Iterator[str]:
        yield from self._section("What helps", [])
        played = {it.advice: it.played for it in item.tried}
        for advice in item.diagnosis.cause.advice:
            yield from self.style.wrap("  - ", advice)
            if advice in played and item.own is not None:
                yield from self.style.wrap("    ", _tried(played[advice], item.own))

    def _others(self, others: Iterable[Analysed]) -> list[Row]:
        rows: list[Row] = [("swap chain", "frames", "FPS", "verdict", "cause")]
        for item in others:
            found = item.diagnosis
            rate = _rate(DEFINITIONS[0], found.frame_times)
            cause = found.cause
            label = self.style.clean(item.label)
            rows.append((label, f"{len(found.observed):,}", rate, cause.verdict.value, cause.id))
        return rows

    def _notes(self, notes: Sequence[str]) -> Iterator[str]:
        if notes:
            yield from self._section("Notes", [])
        for note in notes:
            yield from self.style.wrap("  ", note)

    def _section(self, title: str, rows: Sequence[Row], right: Sequence[int] = ()) -> Iterator[str]:
        yield ""
        yield self.style.paint(title, "strong")
        yield from self._columns(rows, right)

    def _columns(self, rows: Sequence[Row], right: Sequence[int] = ()) -> Iterator[str]:
        """Columns as wide as their widest cell."""
        widths = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]) if rows else 0)]
        for row in rows:
            padded = [
                " " * (width - cells(cell)) + cell
                if at in right
                else cell + " " * (width - cells(cell))
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            yield "  " + "  ".join(padded).rstrip()


def _percentile(spread: Spread, percent: float) -> str:
    """A percentile; none of so few that a single one would be all that lies above."""
    enough = spread.count * (100 - percent) >= 100
    return ms(spread.percentile(percent)) if enough else "-"


def _rate(row: Definition, times: Spread) -> str:
    rate = row.rate(times)
    return "-" if rate is None else f"{rate:.1f}"


def _measured(again: CaptureReplay, found: Diagnosis) -> Row:
    """The capture itself, in the columns of the outcomes."""
    blocked, rate = found.evidence.blocked_a_frame, found.shown_rate
    return (
        "measured",
        "-" if rate is None else f"{rate:.1f}",
        f"{low_of(found.display_times):.1f}",
        ms(again.measured.percentile(50)),
        "-" if blocked is None else ms(blocked),
        "-",
        "-" if found.late is None else f"{found.late:,}",
        "-",
        f"{found.cause.verdict.value} ({found.cause.id})",
    )


def _tried(played: Played, own: Played) -> str:
    """What a piece of advice comes to."""
    it, before = played.outcome, own.outcome
    latency, instead = (ms(one.latency.percentile(50)) for one in (it, before))
    return (
        f"played, {played.name}: {it.rate:.1f} FPS and {latency} ms of latency, "
        f"instead of {before.rate:.1f} and {instead}"
    )


def ms3(time: int) -> str:
    """A time in milliseconds with three decimals, without its unit."""
    return f"{time / PICOSECONDS:,.3f}"
