"""The limits that the diagnosis compares with, each with its reason (docs/present.md).

Nearly all are assumed. Moving one by a fifth changes no verdict that is known.
"""

from __future__ import annotations

from typing import NamedTuple


class Threshold(NamedTuple):
    """A limit: its name, its value, the unit, why it is there; `assumed`: nobody published it."""

    name: str
    value: float
    unit: str
    reason: str
    assumed: bool = True


LEAST_FRAMES = Threshold(
    "least-frames",
    12,
    "frames",
    "below this one slow frame decides everything",
)
WINDOW = Threshold(
    "window",
    1000,
    "ms",
    "evidence is gathered a second at a time: long against a frame, short against a scene",
)
MOST_WINDOWS = Threshold(
    "most-windows",
    1000,
    "windows",
    "longer captures get longer windows: a report with more segments is not read",
)
BLOCKED = Threshold(
    "blocked",
    0.10,
    "of the time",
    "a call of Present that does not wait takes a small part of a frame (0.1 to 0.5 ms)",
)
GPU_FULL = Threshold(
    "gpu-full",
    0.90,
    "of the time",
    "submissions leave short gaps on a GPU that never waits for anything",
)
GPU_IDLE = Threshold(
    "gpu-idle",
    0.80,
    "of the time",
    "between this and full CPU and GPU may wait for each other in turn: neither is the limit alone",
)
UTILISATION_FULL = Threshold(
    "utilisation-full",
    95,
    "%",
    "utilisation is sampled, and counts other programs too: it has to say more than GPU busy",
)
UTILISATION_IDLE = Threshold(
    "utilisation-idle",
    80,
    "%",
    "between this and full the sampling cannot tell",
)
ON_GRID = Threshold(
    "on-grid",
    0.80,
    "of the display intervals",
    "chance would put 2 x 4 % of them there",
)
GRID_WIDTH = Threshold(
    "grid-width",
    0.04,
    "of a refresh",
    "timestamps of flips jitter by some hundredths of a millisecond, by more in a compositor",
)
SLOWEST_DISPLAY = Threshold(
    "slowest-display",
    47,
    "Hz",
    "a picture that changes 30 times a second is taken for two refreshes of 60 Hz, not one of 30",
)
NEVER_SHOWN = Threshold(
    "never-shown",
    0.10,
    "of the frames",
    "a capture's edges and a change of mode lose a frame here and there",
)
MOSTLY = Threshold(
    "mostly",
    0.50,
    "of the presents",
    "more than half: what is true of most presents of a window",
)
STEADY = Threshold(
    "steady",
    0.05,
    "of the median",
    "10th to 90th percentile of frame times under a limiter; the work of a scene varies by more",
)
PACE = Threshold(
    "pace",
    8,
    "frames",
    "a limiter before the frame lets single frame times vary with the work, not what 8 last",
)
PACED = Threshold(
    "paced",
    0.20,
    "of the spread of single frame times",
    "that of the mean of 8 frames; 8 independent ones would have 0.35 of it",
)
NEIGHBOURS = Threshold(
    "neighbours",
    2,
    "windows",
    "before and behind a window that are asked whether the frame rate moves",
)
KEPT = Threshold(
    "kept",
    0.01,
    "of the frame time",
    "where the GPU is nearly full a limiter is one that keeps its rate for seconds; scenes do not",
)
AT_THE_REFRESH = Threshold(
    "at-the-refresh",
    0.03,
    "of the interval",
    "the mean frame time against the sync interval: over a second a frame more or less is 2 %",
)
ROUNDED_UP = Threshold(
    "rounded-up",
    1.25,
    "of the sync interval",
    "a quarter of the frames take a refresh more than was asked for",
)
GPU_BEHIND = Threshold(
    "gpu-behind",
    1.0,
    "frames",
    "the GPU ends a frame this long after its Present: there is always a next one to draw",
)
STUTTER = Threshold(
    "stutter",
    2.5,
    "of the moving average",
    "CapFrameX's name for a stutter is a frame longer than a multiple of its moving average",
)
STUTTER_WINDOW = Threshold(
    "stutter-window",
    31,
    "frames",
    "the moving average: half a second at 60 FPS, the frame itself in the middle",
)
FULL_QUEUE = Threshold(
    "full-queue",
    2.5,
    "frames",
    "presentation.md 2.4: a queue this deep is full (the default of Direct3D is 3)",
    assumed=False,
)

REPLAY_NOISE = Threshold(
    "replay-noise",
    0.05,
    "ms",
    "timestamps of flips jitter by this much: a replay that is nearer than that is not judged",
)

THRESHOLDS: tuple[Threshold, ...] = (
    LEAST_FRAMES,
    WINDOW,
    MOST_WINDOWS,
    BLOCKED,
    GPU_FULL,
    GPU_IDLE,
    UTILISATION_FULL,
    UTILISATION_IDLE,
    ON_GRID,
    GRID_WIDTH,
    SLOWEST_DISPLAY,
    NEVER_SHOWN,
    MOSTLY,
    STEADY,
    PACE,
    PACED,
    NEIGHBOURS,
    KEPT,
    AT_THE_REFRESH,
    ROUNDED_UP,
    GPU_BEHIND,
    STUTTER,
    STUTTER_WINDOW,
    FULL_QUEUE,
    REPLAY_NOISE,
)
