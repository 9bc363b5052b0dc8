"""What state each back buffer is in, as spans, and which are drawn over (presentation 3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fencepost.present.replay import Replay
from fencepost.present.settings import Compositor

NO_FRAME = -1
"""What the front buffer shows before the first flip."""


class State(Enum):
    """Of a back buffer (seed 003 "Types of stalls")."""

    AVAILABLE = "available"
    PENDING = "pending"
    VISIBLE = "visible"


@dataclass(frozen=True, slots=True)
class Span:
    """One state of a buffer over [start, end) picoseconds, and the present that it is for."""

    start: int
    end: int
    state: State
    present: int


@dataclass(frozen=True, slots=True)
class Overwrite:
    """The GPU drew over a buffer that was not available, over [start, end) picoseconds."""

    present: int
    plane: int
    buffer: int
    start: int
    end: int


def buffer_spans(replay: Replay, plane: int = 0) -> list[list[Span]]:
    """For each buffer of a plane its states from 0 to the end of the replay, without gaps.

    Present `n` of a plane uses buffer `n` modulo their number; the last one is visible at first.
    """
    count = replay.settings.planes[plane].chain.buffers
    end = end_of(replay)
    presents = replay.presents_of(plane)
    freed = _freed(replay, presents, end)
    rows = []
    for buffer in range(count):
        spans: list[Span] = []
        if buffer == count - 1:
            _append(spans, 0, freed[0], State.VISIBLE, NO_FRAME)
        for at in range(buffer, len(presents), count):
            _append_use(spans, replay, presents[at], freed[at + 1])
        now = spans[-1].end if spans else 0
        _append(spans, now, end, State.AVAILABLE, NO_FRAME)
        rows.append(spans)
    return rows


def end_of(replay: Replay) -> int:
    """Where pictures end: one refresh after the last frame was shown."""
    last = max(replay.timeline.flip)
    return last + replay.composition + replay.settings.display.refresh


def overwrites(replay: Replay, plane: int = 0) -> list[Overwrite]:
    """Where the GPU drew over a buffer in use: one that is bound as a UAV, or the only one."""
    count = replay.settings.planes[plane].chain.buffers
    presents = replay.presents_of(plane)
    freed = _freed(replay, presents, end_of(replay))
    line = replay.timeline
    found = []
    for at, present in enumerate(presents):
        start, end = line.bound[present * line.planes + plane], line.drawn[present]
        if count > 1:
            end = min(end, freed[at - count + 1]) if at >= count - 1 else 0
        if start < end:
            found.append(Overwrite(present, plane, at % count, start, end))
    return found


def _freed(replay: Replay, presents: list[int], end: int) -> list[int]:
    """When the frame before each present, and then the last one, stopped being visible."""
    held = replay.settings.display.compositor is Compositor.HOLD
    more = replay.settings.display.refresh if held else 0
    return [replay.timeline.flip[present] + more for present in presents] + [end]


def _append_use(spans: list[Span], replay: Replay, present: int, freed: int) -> None:
    """A present's buffer: available until its packet is queued, pending, visible."""
    line = replay.timeline
    now = spans[-1].end if spans else 0
    queued = max(now, line.added[present])
    flip = max(now, line.flip[present])
    _append(spans, now, queued, State.AVAILABLE, NO_FRAME)
    _append(spans, queued, flip, State.PENDING, present)
    _append(spans, flip, freed, State.VISIBLE, present)


def _append(spans: list[Span], start: int, end: int, state: State, present: int) -> None:
    if start < end:
        spans.append(Span(start, end, state, present))
