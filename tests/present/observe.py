"""Presents of one swap chain made up for tests."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from fencepost.present.captures.table import MISSING
from fencepost.present.evidence import Evidence
from fencepost.present.observed import Observed

MS = 10**9
R60 = 16_666_666_667

PLAIN = Evidence(
    start=0,
    end=1000 * MS,
    frames=60,
    frame_time=R60,
    blocked=0.01,
    cpu=16 * MS,
    gpu_busy=0.5,
    gpu=8 * MS,
    gpu_behind=0.4,
    utilisation=None,
    never_shown=0.0,
    shown=60,
    refresh=None,
    on_grid=None,
    refreshes=None,
    queued=1.0,
    interval=0,
    composed=0.0,
    tearing=0.0,
    steadiness=0.3,
)
"""A window in which the GPU idles half of the time and Present does not wait."""

VSYNC = replace(PLAIN, refresh=R60, on_grid=1.0, refreshes=1.0, interval=1)
"""The same under VSync, one frame a refresh."""


def presents(
    times: Sequence[int],
    *,
    blocked: int | None = 0,
    busy: int | None = None,
    until_gpu_end: int | None = None,
    until_shown: int | None = 10 * MS,
    lost: Sequence[int] = (),
    interval: int = 0,
    tearing: int = 0,
    composed: int = 0,
    utilisation: int | None = None,
    displays: Sequence[int] | None = None,
) -> Observed:
    """Presents these times apart; each of the other columns has one value, None is no column.

    `lost`: places of frames that were never shown.
    """
    called = array("q", accumulate(times, initial=0))
    count = len(called)

    def column(value: int | None) -> array[int] | None:
        return None if value is None else array("q", [value]) * count

    shown = column(until_shown)
    for place in lost:
        if shown is not None:
            shown[place] = MISSING
    if displays is None:
        rows = zip(called, shown or (), strict=False)
        displays = sorted(time + until for time, until in rows if until != MISSING)
    return Observed(
        called=called,
        in_present=column(blocked),
        gpu_busy=column(busy),
        until_gpu_end=column(until_gpu_end),
        until_shown=shown,
        displays=list(displays),
        intervals=bytes([interval]) * count,
        composed=bytes([composed]) * count,
        tearing=bytes([tearing]) * count,
        utilisation=None if utilisation is None else column(utilisation * 10**9),
    )
