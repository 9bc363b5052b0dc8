"""A replay in a few numbers: rate, latency, who waited, what tore."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fencepost.errors import UsageProblem
from fencepost.present.replay import Replay


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over the presents of a plane, in picoseconds; `rate` is flips a second."""

    presents: int
    rate: float
    latency: int
    present_wait: int
    gpu_wait: int
    start_wait: int
    tears: int


def summarize(replay: Replay, plane: int = 0, skip: int = 0) -> Summary:
    """The presents of a plane after the first `skip`, which a queue may take to settle.

    Raises `UsageProblem` if less than two are left.
    """
    presents = replay.presents_of(plane)[skip:]
    if len(presents) < 2:
        raise UsageProblem(f"{len(presents)} presents to summarize", expected="at least two")
    flips = [replay.timeline.flip[present] for present in presents]
    lasted = flips[-1] - flips[0]
    return Summary(
        presents=len(presents),
        rate=(len(flips) - 1) * 1e12 / lasted if lasted else 0.0,
        latency=_mean(replay.latency, presents),
        present_wait=_mean(replay.present_wait, presents),
        gpu_wait=_mean(replay.gpu_wait, presents),
        start_wait=_mean(replay.start_wait, presents),
        tears=sum(replay.tear_line(present) is not None for present in presents),
    )


def _mean(measure: Callable[[int], int], presents: Sequence[int]) -> int:
    return sum(map(measure, presents)) // len(presents)
