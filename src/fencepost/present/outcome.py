"""A replay in the figures that people compare: rate, latency, who waits, what tears."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fencepost.present.causes import Cause
from fencepost.present.diagnosis import Diagnosis, diagnose
from fencepost.present.evidence import VARIABLE
from fencepost.present.observed import differences, observed_of_replay, picker, presents_of
from fencepost.present.rates import SECOND
from fencepost.present.replay import Replay
from fencepost.present.settings import Mode
from fencepost.present.spread import Spread

SETTLING = 300
"""Frames of a simulation that a queue may take to settle; half of a shorter one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One plane of a replay; times in picoseconds.

    `rate`: frames shown a second; `latency`: from the start of the CPU frame to the screen;
    `blocked`, `gpu_wait`, `start_wait`: means a frame. `late`: display intervals of more refreshes
    than the sync interval asks for; `tears`: flips in the middle of a scan.
    """

    frames: int
    rate: float
    low: float
    display_times: Spread
    latency: Spread
    blocked: int
    gpu_wait: int
    start_wait: int
    late: int
    tears: int
    diagnosis: Diagnosis

    @property
    def cause(self) -> Cause:
        """What limits it."""
        return self.diagnosis.cause


def outcome_of(
    replay: Replay, plane: int = 0, skip: int = 0, gpu_is_known: bool = True, wake: int = 0
) -> Outcome:
    """The presents of a plane after the first `skip`.

    Where the GPU times are bounds only, nothing is said of how full it is. `wake` is what a
    capture's latency is longer under VSync than the model's (`capture_replay`).
    """
    presents = presents_of(replay, plane, skip)
    pick, line, settings = picker(presents), replay.timeline, replay.settings
    chain = settings.planes[plane].chain
    observed = observed_of_replay(replay, plane, skip)
    refresh = VARIABLE if settings.display.longest else settings.display.refresh
    seen = observed if gpu_is_known else replace(observed, gpu_busy=None, until_gpu_end=None)
    diagnosis = diagnose(seen, refresh)
    displayed = diagnosis.display_times
    latest = chain.interval * settings.display.refresh if chain.buffers > 1 else 0
    return Outcome(
        frames=len(presents),
        rate=displayed.count * SECOND / displayed.total if displayed.total else 0.0,
        low=low_of(displayed),
        display_times=displayed,
        latency=Spread(_latency(observed.displays, pick(line.start), wake if latest else 0)),
        blocked=_mean(observed.in_present or ()),
        gpu_wait=_gpu_wait(replay, presents),
        start_wait=_start_wait(replay, presents),
        late=displayed.above(latest + settings.display.refresh // 2) if latest else 0,
        tears=observed.tearing.count(1),
        diagnosis=diagnosis,
    )


def _latency(shown: Sequence[int], start: Sequence[int], wake: int) -> array[int]:
    made = differences(shown, start)
    return array("q", map(wake.__add__, made)) if wake else made


def _gpu_wait(replay: Replay, presents: Sequence[int]) -> int:
    """For visible buffers; where the GPU itself flips, also for the VSync (presentation 6.2)."""
    pick, line = picker(presents), replay.timeline
    if len(replay.settings.planes) > 1:
        return _mean([replay.gpu_wait(n) for n in presents])
    total = sum(pick(line.bound)) - sum(pick(line.reached))
    if replay.settings.mode is Mode.XBOX_360_SYNCHRONOUS:
        total += sum(pick(line.flip)) - sum(pick(line.complete))
    return total // len(presents) if presents else 0


def _start_wait(replay: Replay, presents: Sequence[int]) -> int:
    if not isinstance(presents, range):
        return _mean([replay.start_wait(n) for n in presents])
    line, first = replay.timeline, presents.start
    before = line.added[max(first - 1, 0) : presents.stop - 1]
    total = sum(line.start[first : presents.stop]) - sum(before)
    if not first:
        total -= replay.settings.start
    return total // len(presents) if presents else 0


def settling(presents: int) -> int:
    """How many of so many simulated presents are left out of the figures."""
    return min(SETTLING, presents // 2)


def low_of(displayed: Spread) -> float:
    """The 1 % low, average, of what is shown."""
    if not displayed.count:
        return 0.0
    frames = max(1, round(displayed.count / 100))
    total = displayed.slowest(frames)
    return frames * SECOND / total if total else 0.0


def _mean(times: Sequence[int]) -> int:
    return sum(times) // len(times) if len(times) else 0
