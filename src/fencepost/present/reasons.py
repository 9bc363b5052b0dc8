"""The figures behind a verdict as sentences, the same for text, JSON and HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fencepost.present.evidence import Evidence
from fencepost.present.thresholds import (
    BLOCKED,
    FULL_QUEUE,
    GPU_FULL,
    GPU_IDLE,
    NEVER_SHOWN,
    ON_GRID,
    PACE,
    STEADY,
)
from fencepost.present.units import PICOSECONDS


class Reason(NamedTuple):
    """One figure: what it is of, what the capture says, the limit it is held against."""

    name: str
    says: str
    limit: str


def reasons(it: Evidence) -> list[Reason]:
    """All figures, also those that the capture lacks."""
    return [reason for make in _MAKERS for reason in make(it)]


def milliseconds_of(time: float) -> str:
    """`16.67 ms`."""
    return f"{time / PICOSECONDS:,.2f} ms"


def percent_of(part: float) -> str:
    """`46 %`, with a digit more below 10 %."""
    digits = 0 if part >= 0.0995 or part < 0.0005 else 1
    return f"{100 * part:.{digits}f} %"


def _present(it: Evidence) -> Iterator[Reason]:
    limit = f"waits from {percent_of(BLOCKED.value)} on"
    if it.blocked is None:
        yield Reason("in Present", "not in the capture", limit)
        return
    blocked = milliseconds_of(it.blocked_a_frame or 0)
    says = f"{blocked} of {milliseconds_of(it.frame_time)} a frame ({percent_of(it.blocked)})"
    yield Reason("in Present", says, limit)


def _cpu(it: Evidence) -> Iterator[Reason]:
    if it.cpu is not None:
        says = f"{milliseconds_of(it.cpu)} a frame: CPU work, and waits elsewhere"
        yield Reason("outside Present", says, "")


def _gpu(it: Evidence) -> Iterator[Reason]:
    limit = f"full from {percent_of(GPU_FULL.value)} on, idle below {percent_of(GPU_IDLE.value)}"
    if it.gpu_busy is not None and it.gpu is not None:
        idle = max(0, it.frame_time - it.gpu)
        says = (
            f"{milliseconds_of(it.gpu)} a frame ({percent_of(it.gpu_busy)}), "
            f"idle {milliseconds_of(idle)}"
        )
        yield Reason("GPU busy", says, limit)
    else:
        yield Reason("GPU busy", "not in the capture", limit)
    if it.utilisation is not None:
        yield Reason("GPU utilisation", f"{it.utilisation:.0f} %, sampled, of all programs", "")
    if it.gpu_busy is None and it.gpu_behind is not None:
        says = f"{it.gpu_behind:.1f} frames after its Present"
        yield Reason("GPU ends a frame", says, "")


def _display(it: Evidence) -> Iterator[Reason]:
    limit = f"VSync from {percent_of(ON_GRID.value)} on"
    if it.refresh is None or it.on_grid is None or it.refreshes is None:
        what = "no refresh that display intervals are multiples of" if it.shown > 1 else "none"
        yield Reason("display intervals", what, limit)
        return
    rate = 1000 * PICOSECONDS / it.refresh
    says = (
        f"{percent_of(it.on_grid)} are whole refreshes of {rate:.2f} Hz, "
        f"{it.refreshes:.2f} in the mean"
    )
    yield Reason("display intervals", says, limit)


def _interval(it: Evidence) -> Iterator[Reason]:
    yield Reason("sync interval", "not known" if it.interval is None else str(it.interval), "")


def _shown(it: Evidence) -> Iterator[Reason]:
    if it.never_shown is not None and it.never_shown > 0:
        limit = f"many from {percent_of(NEVER_SHOWN.value)} on"
        yield Reason("never shown", f"{percent_of(it.never_shown)} of the frames", limit)
    if it.tearing > 0:
        yield Reason("tearing", f"allowed in {percent_of(it.tearing)} of the presents", "")
    if it.composed > 0:
        yield Reason("compositor", f"shows {percent_of(it.composed)} of the frames", "")


def _queue(it: Evidence) -> Iterator[Reason]:
    if it.queued is not None:
        full = ": the queue is full" if it.queued >= FULL_QUEUE.value else ""
        says = f"{it.queued:.1f} frames between Present and the screen{full}"
        yield Reason("queued", says, f"full from {FULL_QUEUE.value} on")


def _steadiness(it: Evidence) -> Iterator[Reason]:
    says = f"10th to 90th percentile within {percent_of(it.steadiness)} of the median"
    if it.pace is not None:
        says += f"; of what {PACE.value} last, within {percent_of(it.pace)}"
    yield Reason("frame times", says, f"a limiter up to {percent_of(STEADY.value)}")


_MAKERS: tuple[Callable[[Evidence], Iterator[Reason]], ...] = (
    _present,
    _cpu,
    _gpu,
    _display,
    _interval,
    _queue,
    _shown,
    _steadiness,
)
