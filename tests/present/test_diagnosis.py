"""Verdicts on whole chains: made-up presents, and simulated ones whose limit is known."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.present import replay, simulation_of
from fencepost.present.captures.table import MISSING
from fencepost.present.causes import Verdict
from fencepost.present.diagnosis import Diagnosis, count_stutters, diagnose
from fencepost.present.evidence import Columns
from fencepost.present.observed import observed_of_replay
from tests.present.figures import NAMES, play
from tests.present.observe import MS, R60, presents

FIGURES = {
    "figure-1": "swap-throttle",
    "figure-1-triple": "swap-throttle",
    "figure-2": "visible-buffer",
    "figure-3": "visible-buffer",
    "figure-4": "at-the-refresh",
    "figure-5": "at-the-refresh",
    "thirty-early": "visible-buffer",
    "thirty-late": "at-the-refresh",
    "thirty-triple": "at-the-refresh",
}


def diagnosed(words: str, refresh: int | None = None) -> Diagnosis:
    """A simulation as a capture would show it, settled."""
    simulation = simulation_of(words.split())
    played = replay(simulation.frames, simulation.settings)
    return diagnose(observed_of_replay(played, skip=300), refresh)


@pytest.mark.parametrize("name", NAMES)
def test_the_seeds_figures(name: str) -> None:
    played = play(name)
    found = diagnose(observed_of_replay(played, skip=300), played.settings.display.refresh)
    assert (found.cause.id, found.share) == (FIGURES[name], 1.0)


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("cpu=normal(5,0.5) gpu=normal(8,0.5)", "swap-throttle"),
        ("cpu=normal(5,0.5) gpu=normal(8,0.5) interval=0", "gpu-full"),
        ("cpu=normal(9,0.8) gpu=normal(4,0.4) interval=0 throttle=off", "cpu-side"),
        ("cpu=normal(4,0.5) gpu=normal(4,0.5) interval=0 cap=90", "steady-pace"),
        ("cpu=normal(4,0.5) gpu=normal(4,0.5) cap=90 refresh=120 vrr=40", "steady-pace"),
        ("cpu=normal(5,0.5) gpu=normal(20,0.5) buffers=3", "gpu-full"),
        ("cpu=normal(5,0.5) gpu=normal(20,0.5) buffers=2", "whole-refreshes"),
        ("cpu=normal(5,0.5) gpu=normal(8,0.5) compositor=copy", "swap-throttle"),
        ("cpu=normal(5,0.5) gpu=normal(8,0.5) refresh=144 interval=2", "swap-throttle"),
        ("cpu=normal(5,0.5) gpu=normal(8,0.5) latency=1 waitable buffers=3", "at-the-refresh"),
    ],
)
def test_simulated_limits(words: str, cause: str) -> None:
    """The refresh is not told: it is found."""
    assert diagnosed(words).cause.id == cause


def test_a_lock_at_30_needs_the_refresh_to_be_seen_as_two() -> None:
    found = diagnosed("cpu=16.2 gpu=15.4 buffers=2 bind=early")
    assert found.cause.id == "visible-buffer"
    assert found.evidence.refreshes == pytest.approx(2)
    assert found.late == found.display_times.count


def steady(count: int, time: int) -> list[int]:
    return [time] * count


def varied(count: int, time: int, seed: int = 0) -> list[int]:
    random = Random(seed)
    return [time * random.randint(70, 130) // 100 for _ in range(count)]


def test_segments_follow_what_happens() -> None:
    """Three seconds of a full GPU, then three of an idle one."""
    times = varied(600, 10 * MS)
    observed = presents(times, busy=0, tearing=1)
    busy = observed.gpu_busy
    assert busy is not None
    for place in range(300):
        busy[place + 1] = times[place]
    found = diagnose(observed)
    assert [row.cause.id for row in found.segments] == ["gpu-full", "cpu-side"]
    (first, second) = found.segments
    assert (first.start, second.end) == (observed.called[0], observed.called[-1])
    assert first.end == second.start == pytest.approx(observed.called[300], rel=0.35)
    assert sum(found.shares.values()) == pytest.approx(1)


def test_a_chain_that_keeps_changing_has_no_verdict() -> None:
    """Windows in turn full, idle and steady: none has half of the time."""
    times, busy = [], []
    for number in range(12):
        part = steady(100, 10 * MS) if number % 3 == 2 else varied(100, 10 * MS, number)
        times += part
        busy += part if number % 3 == 0 else [2 * MS] * 100
    observed = presents(times, busy=0, tearing=1)
    assert observed.gpu_busy is not None
    observed.gpu_busy[1:] = type(observed.gpu_busy)("q", busy)
    found = diagnose(observed)
    assert found.cause.verdict is Verdict.UNKNOWN
    assert "changes over time" in found.cause.meaning
    assert found.share < 0.5


def test_frames_that_the_compositor_drops() -> None:
    """119 FPS on 60 Hz, every other frame lost; the GPU is not known (P55)."""
    times = varied(1000, 8_400_000_000)
    shown = [n * R60 for n in range(sum(times) // R60)]
    observed = presents(
        times,
        blocked=MS // 2,
        interval=255,
        composed=1,
        lost=range(0, 1001, 2),
        displays=shown,
    )
    found = diagnose(observed)
    assert found.cause.id == "frames-never-shown"
    assert found.presents is not None
    assert found.presents.id == "undecided"
    assert found.shown_rate == pytest.approx(60, abs=0.1)


@pytest.mark.parametrize(
    ("percent", "cause"), [(99, "gpu-full"), (90, "undecided"), (60, "cpu-side")]
)
def test_utilisation_stands_in_for_gpu_busy(percent: int, cause: str) -> None:
    found = diagnose(presents(varied(300, 20 * MS), blocked=MS // 5, utilisation=percent))
    assert found.cause.id == cause
    assert found.evidence.utilisation == percent


def test_a_single_present_says_nothing() -> None:
    found = diagnose(presents([]))
    assert found.cause.id == "too-few-frames"
    assert (found.segments, found.late, found.stutters) == ((), None, 0)


def test_presents_at_one_moment_say_nothing() -> None:
    assert diagnose(presents([0] * 50)).cause.id == "too-few-frames"


def test_missing_rows_are_not_zeros() -> None:
    """Means are over the rows that are known."""
    observed = presents(varied(200, 10 * MS), busy=MS, until_gpu_end=4 * MS, lost=range(50))
    assert observed.until_gpu_end is not None
    for place in range(0, 201, 3):
        observed.until_gpu_end[place] = MISSING
    whole = Columns(observed).whole()
    assert whole.gpu_behind == pytest.approx(4 * MS / whole.frame_time)
    assert whole.queued == pytest.approx(10 * MS / whole.frame_time)
    assert whole.never_shown == pytest.approx(50 / 201)


COLUMNS = ("in_present", "gpu_busy", "until_gpu_end", "until_shown", "utilisation")


@given(
    st.lists(st.integers(0, 40 * MS), max_size=120),
    st.sets(st.sampled_from(COLUMNS)),
    st.sampled_from([0, 1, 2, 255]),
    st.booleans(),
)
def test_anything_has_a_verdict(
    times: list[int], absent: set[str], interval: int, composed: bool
) -> None:
    """Windows lie end to end, shares add up, and nothing raises."""
    observed = presents(
        times,
        blocked=2 * MS,
        busy=5 * MS,
        until_gpu_end=MS,
        utilisation=50,
        interval=interval,
        composed=composed,
    )
    nothing: dict[str, Any] = dict.fromkeys(absent)
    observed = replace(observed, **nothing)
    found = diagnose(observed)
    if found.segments:
        assert found.segments[0].start == observed.called[0]
        assert found.segments[-1].end == observed.called[-1]
        assert all(
            a.end == b.start for a, b in zip(found.segments, found.segments[1:], strict=False)
        )
    assert not found.shares or sum(found.shares.values()) == pytest.approx(1)
    assert 0 <= found.share <= 1


@given(st.lists(st.integers(1, 100), max_size=80))
def test_stutters_the_plain_way(times: list[int]) -> None:
    plain = 0
    for at in range(15, len(times) - 15):
        average = sum(times[at - 15 : at + 16]) / 31
        plain += times[at] > 2.5 * average
    assert count_stutters(times) == plain


def test_one_long_frame_is_a_stutter() -> None:
    assert count_stutters([10] * 40 + [30] + [10] * 40) == 1
    assert count_stutters([10] * 40 + [20] + [10] * 40) == 0
    assert count_stutters([10] * 10 + [90] + [10] * 10) == 0  # too few around it


def test_a_million_presents_are_quick() -> None:
    """Not a benchmark: ten times the time that is allowed on a machine of its own."""
    import time

    observed = presents([15 * MS, 17 * MS, 16 * MS, 18 * MS] * 25_000, blocked=3 * MS, busy=4 * MS)
    start = time.perf_counter()
    diagnose(observed)
    assert time.perf_counter() - start < 1.2
