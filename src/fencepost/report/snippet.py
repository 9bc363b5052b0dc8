"""The lines of the input that a finding is about, with marks under what it speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from fencepost.coherence.finding import Finding, Link, Spot
from fencepost.report.source import Region, Sources
from fencepost.report.style import Style, cells
from fencepost.report.words import frame_of
from fencepost.stream.program import Program

LATER, EARLIER, BETWEEN = "^", "~", "-"
CONTEXT = 40


@dataclass(frozen=True, slots=True)
class Mark:
    """A command to show, the sign to draw under it, and what is written behind the sign."""

    spot: Spot
    sign: str
    label: str


def finding_marks(program: Program, finding: Finding) -> list[Mark]:
    """The earlier command, those that the chain names, and the later one."""
    ends = [spot for spot in (finding.earlier, finding.later) if spot]
    word = "here" if finding.earlier is None else "later"
    marks = [Mark(finding.later, LATER, _label(word, program, finding.later, ends))]
    if finding.earlier is not None:
        marks.insert(0, Mark(finding.earlier, EARLIER, _label("earlier", program, ends[0], ends)))
    known = {_key(spot) for spot in ends}
    for link in finding.chain:
        if link.by is not None and _key(link.by) not in known:
            known.add(_key(link.by))
            marks.append(Mark(link.by, BETWEEN, answer(link)))
    return marks


def answer(link: Link) -> str:
    """What is written under the command that answers a question of the chain."""
    if link.holds:
        return link.question
    return "brought in" if link.question == "visible" else f"not {link.question}"


def _label(word: str, program: Program, spot: Spot, ends: Sequence[Spot]) -> str:
    """`later`, with the queue and the frame where the two ends differ in them."""
    parts = [word]
    if len({end.queue for end in ends}) > 1:
        parts.append(f"queue {spot.queue}")
    if len({frame_of(program, end) for end in ends}) > 1:
        parts.append(f"frame {frame_of(program, spot)}")
    return ", ".join(parts)


def _key(spot: Spot) -> tuple[str, int, str]:
    return (spot.queue, spot.position, spot.does)


def snippet(marks: Iterable[Mark], sources: Sources, style: Style) -> list[str]:
    """Numbered lines with marks, in the order of the file; packets with their offset instead."""
    rows = sorted(marks, key=lambda mark: _place_order(mark.spot))
    gutters = [_gutter(mark.spot) for mark in rows]
    width = max(map(len, gutters), default=0)
    lines: list[str] = []
    last: Spot | None = None
    for mark, gutter in zip(rows, gutters, strict=True):
        same = last is not None and _place_order(last) == _place_order(mark.spot)
        if last is not None and not same:
            lines += _gap(last, mark.spot, width, sources, style)
        lines += _show(mark, gutter.rjust(width), sources, style, same)
        last = mark.spot
    return lines


def _place_order(spot: Spot) -> tuple[str, int, int, str, int]:
    place = spot.place
    if place.line or place.offset is not None:
        return (place.file, place.line, place.offset or 0, "", 0)
    return (place.file, 0, 0, spot.queue, spot.position)


def _gap(first: Spot, second: Spot, width: int, sources: Sources, style: Style) -> list[str]:
    """What stands between two commands: nothing, the one line itself, or dots."""
    between = replace(first.place, line=first.place.line + 1)
    line = sources.line(between)
    if line is not None and second.place.file == between.file:
        if second.place.line == between.line:
            return []
        if second.place.line == between.line + 1:
            text = _window(line, Region(0, 0), style, width)[2]
            gutter = style.paint(str(between.line).rjust(width), "frame")
            return [f"{gutter} {style.paint('|', 'frame')} {text}".rstrip()]
    return [" " * max(width - 2, 0) + style.paint("...", "frame")]


def _gutter(spot: Spot) -> str:
    if spot.place.offset is not None and not spot.place.line:
        return f"{spot.place.offset:#x}"
    return str(spot.place.line) if spot.place.line else f"{spot.queue}[{spot.position}]"


def _show(mark: Mark, gutter: str, sources: Sources, style: Style, again: bool) -> list[str]:
    """The row of a command, unless it is shown already, and the row with its mark."""
    bar = style.paint("|", "frame")
    line, region = sources.line(mark.spot.place), sources.region(mark.spot)
    if line is None or region is None:
        before, marked, after = _named(mark.spot, style)
    else:
        before, marked, after = _window(line, region, style, len(gutter))
    sign = mark.sign * max(cells(marked), 1)
    below = f"{' ' * len(gutter)} {bar} {' ' * cells(before)}"
    rows = [] if again else [f"{style.paint(gutter, 'frame')} {bar} {before}{marked}{after}"]
    return [*rows, below + _paint(mark, f"{sign} {mark.label}", style)]


def _named(spot: Spot, style: Style) -> tuple[str, str, str]:
    """What stands for a line where there is none: the packet, or the kind of command."""
    name, does = style.clean(spot.title), style.clean(spot.does)
    offset = spot.place.offset if spot.place.line else None
    before = "" if offset is None else f"{offset:#06x}: "
    return (f"{before}{name}  ", does, "") if does else (before, name, "")


def _paint(mark: Mark, text: str, style: Style) -> str:
    return style.paint(text, {LATER: "hazard", EARLIER: "waste"}.get(mark.sign, "frame"))


def _window(line: str, region: Region, style: Style, gutter: int) -> tuple[str, str, str]:
    """The line before, in and after the region, cut to what fits in the width."""
    room = max(style.width - gutter - 3, 20)
    start, end = 0, len(line)
    if end > room:
        start = max(min(region.start - CONTEXT, end - room), 0)
        end = start + room
    last = max(min(region.end, end), region.start)
    before, marked, after = line[start : region.start], line[region.start : last], line[last:end]
    return (
        ("..." if start else "") + style.clean(before),
        style.clean(marked),
        style.clean(after).rstrip() + ("..." if end < len(line) else ""),
    )
