"""The figures of a replay, against the plain way."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given

from fencepost.present import FrameTimes, Mode, Settings, replay, summarize
from fencepost.present.outcome import outcome_of, settling
from tests.present.figures import NAMES, play
from tests.present.settled import play as simulated
from tests.present.strategies import frames, settings


@given(frames(), settings())
def test_figures_the_plain_way(made: FrameTimes, under: Settings) -> None:
    assume(len(made) > 1)
    played = replay(made, under)
    found, plain = outcome_of(played), summarize(played)
    assert found.frames == len(made)
    assert found.rate == pytest.approx(plain.rate)
    assert (found.blocked, found.start_wait) == (plain.present_wait, plain.start_wait)
    if under.mode is not Mode.XBOX_360_SYNCHRONOUS:
        assert found.gpu_wait == plain.gpu_wait
    assert found.latency.mean == plain.latency
    assert found.tears == plain.tears
    flips = list(played.timeline.flip)
    longest = max(later - now for now, later in pairwise(flips))
    assert found.display_times.values[-1] == longest
    if longest:
        assert found.low == pytest.approx(1e12 / longest)


@pytest.mark.parametrize("name", NAMES)
def test_late_pictures_of_the_figures(name: str) -> None:
    played = play(name)
    found = outcome_of(played, skip=300)
    refresh = played.settings.display.refresh
    due = played.settings.chain.interval * refresh + refresh // 2
    flips = list(played.timeline.flip)[300:]
    late = [b - a for a, b in pairwise(flips) if b - a > due]
    assert found.late == len(late)


def test_a_low_is_the_mean_of_the_slowest_frames() -> None:
    found = outcome_of(simulated("cpu=5 gpu=spikes(10,40,2) buffers=3 frames=3000"), skip=300)
    slowest = sorted(
        value
        for value, count in zip(found.display_times.values, found.display_times.counts, strict=True)
        for _ in range(count)
    )[-27:]
    assert found.low == pytest.approx(27e12 / sum(slowest))


def test_a_gpu_that_flips_itself_waits_for_the_vsync() -> None:
    """8 of 16.7 ms are work, the rest is the stall (seed 003 "Introduction")."""
    words = "cpu=5 gpu=8 mode=xbox-360-synchronous"
    assert outcome_of(simulated(words), skip=300).gpu_wait == pytest.approx(8_666_666_667, abs=9)
    assert outcome_of(simulated("cpu=16 gpu=8 bind=late"), skip=300).gpu_wait == 0


@pytest.mark.parametrize(("presents", "skipped"), [(2, 1), (10, 5), (600, 300), (10_000, 300)])
def test_settling(presents: int, skipped: int) -> None:
    assert settling(presents) == skipped
