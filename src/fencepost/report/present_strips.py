"""State strips as characters: who does what when (seed 003, Figures 1 to 5)."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.present.states import NO_FRAME
from fencepost.present.strips import Row, Strip
from fencepost.present.units import PICOSECONDS
from fencepost.report.style import Style

MARKS = {"present": "P", "wait": "w", "available": ".", "pending": "p", "visible": "#"}
IDLE = "."
LEGEND = (
    "digits: work on that frame, or its picture",
    "P: waits in Present",
    "w: waits for a visible buffer (Xbox 360: for the VSync), or before a frame",
    "p: pending",
    "#: visible",
    ".: idle or available",
)
_NAMES = 10


def strip_lines(strip: Strip, style: Style) -> Iterator[str]:
    """A line of times, one of VSyncs, one for each row."""
    width = max(style.width - _NAMES - 4, 40)
    names = max(_NAMES, *(len(row.name) for row in strip.rows))
    yield f"  {'ms':<{names}}{_times(strip, width)}".rstrip()
    yield f"  {'VSync':<{names}}{_vsyncs(strip, width)}".rstrip()
    for row in strip.rows:
        yield f"  {row.name:<{names}}{_row(row, strip, width)}"


def legend_lines(style: Style) -> Iterator[str]:
    """What the characters of strips mean."""
    yield from style.wrap(f"  {'':<{_NAMES}}", "; ".join(LEGEND))


def _place(time: int, strip: Strip, width: int) -> int:
    """The column of a moment."""
    return (time - strip.start) * width // (strip.end - strip.start)


def _times(strip: Strip, width: int) -> str:
    line = ""
    for vsync in strip.vsyncs:
        at = _place(vsync, strip, width)
        if not line or at > len(line):
            line = line.ljust(at) + f"{(vsync - strip.start) / PICOSECONDS:.1f}"
    return line


def _vsyncs(strip: Strip, width: int) -> str:
    marks = [" "] * width
    for vsync in strip.vsyncs:
        marks[min(_place(vsync, strip, width), width - 1)] = "|"
    return "".join(marks)


def _row(row: Row, strip: Strip, width: int) -> str:
    """What holds in the middle of each column; short stretches show where they have the most."""
    marks = [IDLE] * width
    most = [0] * width
    length = strip.end - strip.start
    for stretch in row.stretches:
        mark = MARKS.get(stretch.state) or (
            IDLE if stretch.present == NO_FRAME else str(stretch.present % 10)
        )
        first, last = (_place(time, strip, width) for time in (stretch.start, stretch.end - 1))
        for at in range(first, min(last, width - 1) + 1):
            begin, end = (
                strip.start + length * at // width,
                strip.start + length * (at + 1) // width,
            )
            inside = min(stretch.end, end) - max(stretch.start, begin)
            if inside > most[at]:
                most[at], marks[at] = inside, mark
    return "".join(marks)
