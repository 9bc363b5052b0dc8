"""State strips: who does what when, as the seed's figures show it (seed 003, Figures 1 to 5)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fencepost.present.frames import frame_times
from fencepost.present.outcome import settling
from fencepost.present.replay import Replay, replay
from fencepost.present.settings import Mode
from fencepost.present.states import NO_FRAME, buffer_spans

REFRESHES = 6
"""What a strip shows: so many refreshes, or two frames if they last longer."""

LOOKED_AT = 700
"""Presents of which strips are made: a replay of the first ones is the beginning of all."""


class Stretch(NamedTuple):
    """[start, end) picoseconds in one state, for one present (`NO_FRAME`: none)."""

    start: int
    end: int
    state: str
    present: int


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a strip; what its states are is in `STATES`."""

    name: str
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """Rows over [start, end) picoseconds, and the VSyncs in it."""

    start: int
    end: int
    vsyncs: tuple[int, ...]
    rows: tuple[Row, ...]


STATES = {
    "work": "CPU or GPU works on a frame",
    "present": "the CPU waits in Present (BlockOnFence_SwapThrottle)",
    "wait": "the CPU waits before a frame; the GPU at the bind of a visible buffer, or for a VSync",
    "available": "back buffer: free, or drawn to",
    "pending": "back buffer: presented, not flipped",
    "visible": "back buffer: on the screen",
    "frame": "the screen shows a frame",
}


def strip_of(whole: Replay, plane: int = 0) -> Strip:
    """A few refreshes of the settled part of a replay."""
    played = _beginning(whole)
    presents = played.presents_of(plane)
    line, refresh = played.timeline, played.settings.display.refresh
    settled = settling(len(presents))
    first, after = presents[settled], presents[min(settled + 2, len(presents) - 1)]
    start = line.begun[first] // refresh * refresh
    frames = max(line.flip[after] - line.flip[first], line.start[after] - line.start[first])
    end = start + max(REFRESHES, -(-frames // refresh) + 1) * refresh
    rows = [
        Row("CPU", _cut(_cpu(played), start, end)),
        Row("GPU", _cut(_gpu(played), start, end)),
        *_buffers(played, plane, start, end),
        Row("screen", _cut(_screen(played, plane, end), start, end)),
    ]
    return Strip(start, end, tuple(_vsyncs(played, start, end)), tuple(rows))


def _beginning(whole: Replay) -> Replay:
    if len(whole) <= LOOKED_AT:
        return whole
    frames = whole.frames
    few = frame_times(frames.cpu[:LOOKED_AT], frames.gpu[:LOOKED_AT], frames.masks[:LOOKED_AT])
    return replay(few, whole.settings)


def _cut(stretches: Iterator[Stretch], start: int, end: int) -> tuple[Stretch, ...]:
    """The parts that lie within [start, end)."""
    return tuple(
        item._replace(start=max(item.start, start), end=min(item.end, end))
        for item in stretches
        if max(item.start, start) < min(item.end, end)
    )


def _cpu(played: Replay) -> Iterator[Stretch]:
    line = played.timeline
    before = played.settings.start
    for n, work in enumerate(played.frames.cpu):
        yield Stretch(before, line.start[n], "wait", n)
        done = line.start[n] + work
        yield Stretch(line.start[n], done, "work", n)
        yield Stretch(done, line.called[n], "wait", n)
        yield Stretch(line.called[n], line.added[n], "present", n)
        before = line.added[n]


def _gpu(played: Replay) -> Iterator[Stretch]:
    line = played.timeline
    for n in range(len(played)):
        now = line.begun[n]
        for at in sorted(played.binds(n), key=lambda at: line.reached[at]):
            yield Stretch(now, line.reached[at], "work", n)
            yield Stretch(line.reached[at], line.bound[at], "wait", n)
            now = line.bound[at]
        yield Stretch(now, line.drawn[n], "work", n)
        if played.settings.mode is Mode.XBOX_360_SYNCHRONOUS:
            yield Stretch(line.complete[n], line.flip[n], "wait", n)


def _buffers(played: Replay, plane: int, start: int, end: int) -> Iterator[Row]:
    for number, spans in enumerate(buffer_spans(played, plane)):
        stretches = (Stretch(it.start, it.end, it.state.value, it.present) for it in spans)
        yield Row(f"buffer {number}", _cut(stretches, start, end))


def _screen(played: Replay, plane: int, end: int) -> Iterator[Stretch]:
    presents = played.presents_of(plane)
    before, now = NO_FRAME, 0
    for n in presents:
        yield Stretch(now, played.shown(n), "frame", before)
        before, now = n, played.shown(n)
    yield Stretch(now, max(now, end), "frame", before)


def _vsyncs(played: Replay, start: int, end: int) -> Iterator[int]:
    """The starts of scans; of a variable refresh those that showed a frame first."""
    display = played.settings.display
    if not display.longest:
        yield from range(start, end, display.refresh)
        return
    scans = sorted(set(played.timeline.scan_begin))
    yield from scans[bisect_left(scans, start) : bisect_left(scans, end)]
