"""What can limit a frame rate: rows that are tried in order, the first that applies decides.

The order is that of presentation.md 2.4, with what its own captures taught (docs/present.md,
"How a verdict is found"). A row names what it looks at; the limits are `thresholds`.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple

from fencepost.present.evidence import Evidence
from fencepost.present.thresholds import (
    AT_THE_REFRESH,
    BLOCKED,
    GPU_BEHIND,
    GPU_FULL,
    GPU_IDLE,
    KEPT,
    LEAST_FRAMES,
    MOSTLY,
    NEVER_SHOWN,
    ON_GRID,
    PACED,
    ROUNDED_UP,
    STEADY,
    UTILISATION_FULL,
    UTILISATION_IDLE,
)


class Verdict(Enum):
    """What limits the frames that are shown (design 9)."""

    GPU = "gpu-bound"
    CPU = "cpu-bound"
    PRESENT = "present-bound"
    CAPPED = "capped"
    COMPOSITOR = "compositor-limited"
    UNKNOWN = "unknown"


class Cause(NamedTuple):
    """Why a window has its verdict: a stable id, when it applies, what it means, its source.

    `trials`: the what-if that stands for each piece of advice, empty where none does.
    """

    id: str
    verdict: Verdict
    applies: Callable[[Evidence], bool]
    meaning: str
    advice: tuple[str, ...]
    source: str
    trials: tuple[str, ...] = ()


def blocks(it: Evidence) -> bool:
    """A noticeable part of the time is spent inside Present."""
    return it.blocked is not None and it.blocked >= BLOCKED.value


def passes(it: Evidence) -> bool:
    """Present returns at once, and is known to."""
    return it.blocked is not None and not blocks(it)


def gpu_full(it: Evidence) -> bool:
    """The GPU hardly idles."""
    if it.gpu_busy is not None:
        return it.gpu_busy >= GPU_FULL.value
    if it.utilisation is not None:
        return it.utilisation >= UTILISATION_FULL.value
    return False


def gpu_idles(it: Evidence) -> bool:
    """The GPU is known to have nothing to do for a noticeable part of the time.

    What it does for frames that it generates is in no frame's busy time.
    """
    if it.gpu_busy is not None:
        return it.gpu_busy < GPU_IDLE.value and not it.generated
    return it.utilisation is not None and it.utilisation < UTILISATION_IDLE.value


def gpu_not_full(it: Evidence) -> bool:
    """The GPU is known to idle now and then."""
    if it.gpu_busy is None:
        return it.utilisation is not None and not gpu_full(it)
    return not gpu_full(it) and not it.generated


def on_grid(it: Evidence) -> bool:
    """The picture changes at VSyncs; frames that may tear are not asked."""
    grid = it.on_grid is not None and it.on_grid >= ON_GRID.value
    return grid and it.tearing < MOSTLY.value


def asked(it: Evidence) -> int:
    """The sync interval; one that is not known counts as 1."""
    return 1 if it.interval is None else it.interval


def rounded_up(it: Evidence) -> bool:
    """Frames stay on the screen for longer than the sync interval asks for."""
    return asked(it) > 0 and (it.refreshes or 0) >= ROUNDED_UP.value * asked(it)


def _due(it: Evidence) -> int:
    """The frame time that the sync interval allows; picoseconds."""
    return asked(it) * (it.refresh or 0)


def _fits(time: int | None, it: Evidence) -> bool:
    return time is not None and time <= _due(it)


def _few(it: Evidence) -> bool:
    return it.frames < LEAST_FRAMES.value or it.frame_time <= 0


def _never_shown(it: Evidence) -> bool:
    dropped = it.never_shown is not None and it.never_shown >= NEVER_SHOWN.value
    return dropped and it.composed >= MOSTLY.value and on_grid(it)


def _throttled(it: Evidence) -> bool:
    if not asked(it) or not on_grid(it) or rounded_up(it) or not blocks(it):
        return False
    return not (_late(it) and gpu_full(it))


def _late(it: Evidence) -> bool:
    """Pictures stay for noticeably longer than the sync interval, if not by much."""
    return (it.refreshes or 0) > (1 + AT_THE_REFRESH.value) * asked(it)


def _at_the_refresh(it: Evidence) -> bool:
    if it.interval == 0 or not on_grid(it) or not _due(it) or _late(it):
        return False
    return abs(it.frame_time - _due(it)) <= AT_THE_REFRESH.value * _due(it)


def _visible(it: Evidence) -> bool:
    waits = on_grid(it) and rounded_up(it) and blocks(it) and gpu_not_full(it)
    return waits and _fits(it.cpu, it) and _fits(it.gpu, it)


def _whole_refreshes(it: Evidence) -> bool:
    idle = gpu_not_full(it) and blocks(it)
    return on_grid(it) and rounded_up(it) and idle


def _no_tearing(it: Evidence) -> bool:
    if it.interval != 0 or it.tearing >= MOSTLY.value or not on_grid(it) or not it.refresh:
        return False
    at_the_refresh = abs(it.frame_time - it.refresh) <= AT_THE_REFRESH.value * it.refresh
    return at_the_refresh and blocks(it)


def _gpu_behind(it: Evidence) -> bool:
    if it.gpu_busy is not None or it.utilisation is not None or it.gpu_behind is None:
        return False
    return it.interval == 0 and blocks(it) and it.gpu_behind >= GPU_BEHIND.value


def _steady(it: Evidence) -> bool:
    if not passes(it):
        return False
    if gpu_idles(it):
        return it.steadiness <= STEADY.value or _paced(it)
    kept = it.drift is not None and it.drift <= KEPT.value
    return gpu_not_full(it) and it.steadiness <= STEADY.value and kept


def _paced(it: Evidence) -> bool:
    """Frame times vary, but what several last does not: a clock starts the frames."""
    if it.pace is None:
        return False
    return it.pace <= STEADY.value and it.pace <= PACED.value * it.steadiness


def _cpu(it: Evidence) -> bool:
    return passes(it) and gpu_idles(it)


_BOUND = "take GPU time out: that is what a frame lasts"
_QUEUE = (
    "CPU and GPU have time to spare: fidelity is free until one of them fills the interval",
    "for less latency let the frame begin later (waitable swap chain, maximum latency 1)",
)

CAUSES = (
    Cause(
        "too-few-frames",
        Verdict.UNKNOWN,
        _few,
        "too few frames to tell",
        ("capture more frames",),
        "presentation.md 2.4",
    ),
    Cause(
        "swap-throttle",
        Verdict.PRESENT,
        _throttled,
        "the CPU is ahead: Present waits for a back buffer, or for the maximum latency "
        "(PIX: BlockOnFence_SwapThrottle)",
        _QUEUE,
        'seed 003 "Scenario A"',
        ("", "latency=1 waitable"),
    ),
    Cause(
        "frames-never-shown",
        Verdict.COMPOSITOR,
        _never_shown,
        "the compositor shows a frame each refresh and drops the others",
        (
            "full screen or a mode with independent flip shows every frame",
            "a cap at the refresh rate saves the work of frames that nobody sees",
        ),
        "presentation.md 3: frames that were never shown",
    ),
    Cause(
        "interval-0-without-tearing",
        Verdict.PRESENT,
        _no_tearing,
        "the sync interval is 0 and tearing is not allowed: frames still wait for the refresh",
        ("create the swap chain with ALLOW_TEARING and present with it",),
        "presentation.md 1: ALLOW_TEARING needs interval 0 and the flag of the swap chain",
    ),
    Cause(
        "at-the-refresh",
        Verdict.PRESENT,
        _at_the_refresh,
        "a frame for each sync interval: the wait, if any, lies outside Present, or work just fits",
        (
            "the display takes no more frames at this sync interval",
            "little may be left: a frame that takes longer costs a whole refresh with two buffers",
        ),
        "presentation.md 4: blocking can surface outside Present",
    ),
    Cause(
        "visible-buffer",
        Verdict.PRESENT,
        _visible,
        "CPU and GPU fit into the interval, but flips take longer: "
        "the GPU waits for a buffer that is still visible",
        (
            "bind the back buffer as late in the frame as you can (bind=late)",
            "or use a third buffer (buffers=3): it holds the rate, at a frame more latency",
        ),
        'seed 003 "Scenario B" and "Scenario C"',
        ("bind=late", "buffers=3"),
    ),
    Cause(
        "whole-refreshes",
        Verdict.PRESENT,
        _whole_refreshes,
        "frames take more than the interval and wait for the next refresh; the GPU idles meanwhile",
        (
            "use a third buffer (buffers=3): the GPU goes on while a frame waits",
            "or let a late frame flip at once (a threshold, variable refresh)",
        ),
        "presentation.md 4: two images halve the rate as soon as work passes a refresh",
        ("buffers=3", "threshold=100"),
    ),
    Cause(
        "gpu-full",
        Verdict.GPU,
        gpu_full,
        "the GPU hardly idles",
        (_BOUND, "frames queue up ahead of it: a lower maximum latency takes latency out"),
        "presentation.md 2.4",
        ("gpu=90%", "latency=1"),
    ),
    Cause(
        "gpu-behind",
        Verdict.GPU,
        _gpu_behind,
        "the GPU ends a frame after the next one is presented, and Present waits",
        (_BOUND, "a capture with GPU busy times would say how full it is"),
        "presentation.md 2.4",
    ),
    Cause(
        "steady-pace",
        Verdict.CAPPED,
        _steady,
        "a steady pace while the GPU idles and Present does not wait: a limiter",
        (
            "raise or remove the limiter",
            "one that waits before the frame begins adds no latency, one before Present does",
        ),
        "presentation.md 2.4: a constant interval while the GPU idles",
        ("cap=off", ""),
    ),
    Cause(
        "cpu-side",
        Verdict.CPU,
        _cpu,
        "the GPU idles and Present does not wait: CPU work, or a wait outside Present, "
        "which a capture cannot tell apart",
        ("look at the CPU: work on the presenting thread, then its waits for other threads",),
        "presentation.md 1: what CPUBusy is",
    ),
)
"""In the order in which they are tried."""


def _unknown(it: Evidence) -> str:
    if it.blocked is None:
        return "the capture does not say how long Present takes"
    if it.gpu_busy is None and it.utilisation is None:
        return "the capture does not say how busy the GPU is"
    if it.generated:
        return "the GPU also works on frames that it generates, which the capture does not count"
    if blocks(it):
        return "Present waits, but the picture does not change at VSyncs and the GPU idles"
    return "the GPU is nearly full, but idles: CPU and GPU may wait for each other in turn"


UNDECIDED = Cause(
    "undecided",
    Verdict.UNKNOWN,
    lambda _: True,
    "no rule applies",
    ("capture with PresentMon 2 and GPU tracking: GPU busy decides most cases",),
    "presentation.md 2.4: unknown stays unknown",
)


def cause_of(it: Evidence) -> Cause:
    """The first cause that applies; `UNDECIDED` where none does."""
    for cause in CAUSES:
        if cause.applies(it):
            return cause
    return UNDECIDED._replace(meaning=_unknown(it))


def behind(it: Evidence) -> Cause:
    """What limits the presents of frames of which the compositor shows only some."""
    for cause in CAUSES:
        if cause.verdict in {Verdict.GPU, Verdict.CAPPED, Verdict.CPU} and cause.applies(it):
            return cause
    return UNDECIDED._replace(meaning=_unknown(it))
