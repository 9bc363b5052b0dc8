"""Verdicts against what would happen: what limits a frame rate is what raises it when it is eased.

An independent way to a verdict: the frames are simulated again with a faster CPU, a faster GPU,
without VSync, without the cap. No verdict may name what gains nothing while something else does.
"""

from __future__ import annotations

from itertools import product

import pytest

from fencepost.present import FrameTimes, Settings, change, replay, simulation_of
from fencepost.present.diagnosis import Diagnosis, diagnose
from fencepost.present.observed import observed_of_replay
from fencepost.present.outcome import outcome_of
from fencepost.present.whatif import parse_what_if, scaled

QUEUES = (
    "buffers=3 throttle=off latency=3 overhead=0",
    "buffers=2 bind=early overhead=1.5",
    "buffers=2 bind=late overhead=1.5",
    "buffers=3 overhead=0",
)
PACES = (
    "interval=1",
    "interval=0",
    "interval=2",
    "interval=0 cap=40",
    "interval=1 cap=40 refresh=144",
)
TIMES = (3, 11, 19)
NOTHING, MUCH = 1.02, 1.08
"""Gains that are none, and that are clear."""

KNOWN = {(24, 11, "buffers=2 bind=early overhead=1.5", "interval=1")}
"""Where a verdict is known to be wrong (docs/present.md): mending one is noticed here."""


def rate(frames: FrameTimes, settings: Settings) -> float:
    return outcome_of(replay(frames, settings), skip=100).rate


def judged(cpu: int, gpu: int, queue: str, pace: str) -> tuple[Diagnosis, dict[str, float]]:
    """The verdict on a simulated capture, and what easing each limit would gain."""
    words = f"cpu=normal({cpu},{cpu * 0.06}) gpu=normal({gpu},{gpu * 0.06}) frames=500"
    made = simulation_of(f"{words} {queue} {pace}".split())
    base = rate(made.frames, made.settings)
    eased = {
        "cpu-bound": (scaled(made.frames, parse_what_if(["cpu=80%"])), made.settings),
        "gpu-bound": (scaled(made.frames, parse_what_if(["gpu=80%"])), made.settings),
        "capped": (made.frames, change(made.settings, ["cap=off"])),
        "present-bound": (made.frames, change(made.settings, ["interval=0"])),
    }
    found = diagnose(observed_of_replay(replay(made.frames, made.settings), skip=100))
    return found, {name: rate(*other) / base for name, other in eased.items()}


def contradicted(found: Diagnosis, gains: dict[str, float]) -> bool:
    verdict = found.cause.verdict.value
    if verdict not in gains:
        return False
    others = max(gain for name, gain in gains.items() if name != verdict)
    return gains[verdict] < NOTHING and others > MUCH


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("queue", QUEUES)
def test_no_verdict_is_contradicted(queue: str, pace: str) -> None:
    for cpu, gpu in product(TIMES, TIMES):
        found, gains = judged(cpu, gpu, queue, pace)
        assert not contradicted(found, gains), (cpu, gpu, found.cause.id, gains)


def test_most_simulated_captures_have_a_verdict() -> None:
    verdicts = [
        judged(cpu, gpu, QUEUES[0], pace)[0].cause.verdict.value
        for cpu, gpu, pace in product(TIMES, TIMES, PACES)
    ]
    assert verdicts.count("unknown") <= 2
    assert {"cpu-bound", "gpu-bound", "present-bound", "capped"} <= set(verdicts)


@pytest.mark.parametrize("case", sorted(KNOWN))
def test_known_gaps(case: tuple[int, int, str, str]) -> None:
    assert contradicted(*judged(*case))
