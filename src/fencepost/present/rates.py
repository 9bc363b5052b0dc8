"""Frame rates, each under the name of its definition: tools mean different things by "1 % low".

Sources: presentation.md 2.3 (who computes what), 1 ("What users ask for", 9).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from fencepost.present.spread import Spread

SECOND = 10**12


class Definition(NamedTuple):
    """A rate: its key, how people call it, who means that, how it is computed (frames a second).

    `least`: frames below which there is none, since a single frame would be all of it.
    """

    key: str
    name: str
    used_by: str
    meaning: str
    compute: Callable[[Spread], float]
    least: int = 1

    def rate(self, times: Spread) -> float | None:
        """Frames a second; None of too few frames."""
        return self.compute(times) if times.count >= self.least else None


def rate_of(time: int) -> float:
    """Frames a second of a frame time in picoseconds; 0 of none."""
    return SECOND / time if time > 0 else 0.0


def _average(times: Spread) -> float:
    return times.count * SECOND / times.total if times.total > 0 else 0.0


def _percentile(percent: float) -> Callable[[Spread], float]:
    return lambda times: rate_of(times.percentile(percent))


def _low_average(percent: float) -> Callable[[Spread], float]:
    def rate(times: Spread) -> float:
        frames = max(1, round(times.count * percent / 100))
        return rate_of(times.slowest(frames) // frames)

    return rate


def _low_integral(percent: float) -> Callable[[Spread], float]:
    return lambda times: rate_of(times.slowest_until(round(times.total * percent / 100)))


DEFINITIONS = (
    Definition("average", "average", "all", "frames / time, not the mean of rates", _average),
    Definition(
        "p97",
        "97th percentile of FPS",
        "MangoHud's 97 %",
        "97 % of the frames are slower: the fast end, not a low",
        _percentile(3),
        34,
    ),
    Definition(
        "median", "median", "CapFrameX P50", "half of the frames are slower", _percentile(50)
    ),
    Definition(
        "p5",
        "5th percentile of FPS",
        "CapFrameX P5; FrameView 95th",
        "5 % of the frames are slower",
        _percentile(95),
        20,
    ),
    Definition(
        "p1",
        "1st percentile of FPS",
        "CapFrameX P1; FrameView and OCAT 99th; MangoHud's 1 %",
        "1 % of the frames are slower",
        _percentile(99),
        100,
    ),
    Definition(
        "p0.1",
        "0.1th percentile of FPS",
        "CapFrameX P0.1; MangoHud's 0.1 %",
        "0.1 % of the frames are slower",
        _percentile(99.9),
        1000,
    ),
    Definition(
        "low-1-average",
        "1 % low, average",
        "CapFrameX 1% low average",
        "1000 / mean of the slowest 1 % of the frames",
        _low_average(1),
        100,
    ),
    Definition(
        "low-0.1-average",
        "0.1 % low, average",
        "CapFrameX 0.1% low average",
        "1000 / mean of the slowest 0.1 % of the frames",
        _low_average(0.1),
        1000,
    ),
    Definition(
        "low-1-integral",
        "1 % low, integral",
        "Afterburner; CapFrameX 1% low integral",
        "the frame with which the slowest ones reach 1 % of the time",
        _low_integral(1),
        100,
    ),
    Definition(
        "low-0.1-integral",
        "0.1 % low, integral",
        "Afterburner; CapFrameX 0.1% low integral",
        "the frame with which the slowest ones reach 0.1 % of the time",
        _low_integral(0.1),
        1000,
    ),
)
