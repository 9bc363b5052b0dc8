"""Captures played again: made-up ones whose settings are known come back exactly."""

from __future__ import annotations

from array import array
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from fencepost.errors import UsageProblem
from fencepost.present import Replay, change, replay, simulation_of
from fencepost.present.analysis import Analysed, replayed
from fencepost.present.capture_replay import CaptureReplay, Error, Errors, frames_of, replay_capture
from fencepost.present.captures.table import MISSING
from fencepost.present.causes import Verdict
from fencepost.present.diagnosis import diagnose
from fencepost.present.observed import Observed, observed_of_replay
from fencepost.present.outcome import outcome_of
from fencepost.present.whatif import parse_what_if
from tests.present.observe import MS, R60, presents

QUEUE = "buffers=3 throttle=off overhead=0"


def played(words: str) -> Replay:
    simulation = simulation_of(words.split())
    return replay(simulation.frames, simulation.settings)


def again(observed: Observed, *words: str) -> CaptureReplay:
    return replay_capture(diagnose(observed), words)


@pytest.mark.parametrize(
    "words",
    [
        "cpu=normal(5,1) gpu=normal(9,3) latency=1",
        "cpu=normal(5,1) gpu=normal(9,3) latency=2",
        "cpu=normal(5,1) gpu=normal(14,2) latency=3",
        "cpu=normal(5,1) gpu=spikes(9,30,5%) latency=3",
        "cpu=spikes(5,40,5%) gpu=normal(9,3) latency=3",
        "cpu=normal(5,1) gpu=normal(12,3) latency=3 refresh=75 start=3",
        "cpu=normal(5,1) gpu=normal(9,1) latency=2 interval=2",
        "cpu=normal(5,1) gpu=normal(9,1) latency=2 compositor=copy",
        "cpu=normal(5,1) gpu=normal(9,3) latency=3 kickoff=0",
        "cpu=normal(15,1) gpu=normal(15,1) buffers=2 bind=early overhead=1.5 throttle=on",
        "cpu=normal(15,1) gpu=normal(15,1) buffers=2 bind=late overhead=1.5 throttle=on",
    ],
)
def test_a_simulated_capture_comes_back(words: str) -> None:
    """Nothing is told: interval, refresh, phase, latency are found; display intervals are exact."""
    queue = "" if "buffers" in words else QUEUE
    original = played(f"{words} {queue}")
    found = again(observed_of_replay(original))
    assert found.displayed.replay.mean < MS // 1000
    assert found.latency.replay.mean < MS // 1000
    assert found.refusal == ""
    assert found.gpu_times == "busy"
    if "bind=late" not in words:  # a late bind without GPU waits is a maximum latency of 1
        assert found.replay.settings.latency == original.settings.latency


def test_what_is_known_of_a_capture_is_taken() -> None:
    """Settings that are told are not chosen."""
    original = played("cpu=16.2 gpu=15.4 buffers=2 bind=early")
    observed = observed_of_replay(original)
    found = again(observed, "buffers=2", "bind=early", "overhead=1.5")
    assert found.displayed.replay == Error(0, 0)
    assert found.replay.settings.swap_throttle
    assert found.chosen == ("kickoff",)


def test_errors_are_those_of_the_second_half() -> None:
    """What is odd in the first half alone does not count against the replay."""
    original = played(f"cpu=5 gpu=normal(9,2) latency=3 frames=400 {QUEUE}")
    observed = observed_of_replay(original)
    assert again(observed).judged == 200


def test_latency_is_from_the_start_of_the_cpu_frame() -> None:
    original = played(f"cpu=normal(5,1) gpu=9 latency=2 {QUEUE}")
    found = again(observed_of_replay(original))
    first = original.latency(1)
    assert found.replay.latency(0) == pytest.approx(first, abs=R60)
    assert found.latency.replay.median == 0


def test_without_gpu_times_other_settings_are_refused() -> None:
    original = played(f"cpu=normal(5,1) gpu=1 latency=3 {QUEUE}")
    observed = replace(observed_of_replay(original), gpu_busy=None, until_gpu_end=None)
    found = again(observed)
    assert found.gpu_times == "none"
    assert "no GPU times" in found.refusal


def test_gpu_times_out_of_ends() -> None:
    """At a full GPU the ends are one GPU time apart."""
    original = played("cpu=5 gpu=normal(9,1) interval=0 buffers=3 latency=3 throttle=off")
    observed = replace(observed_of_replay(original, skip=300), gpu_busy=None)
    frames, source = frames_of(observed)
    assert source == "ends"
    assert list(frames.gpu)[5:] == list(original.frames.gpu)[306:]


def test_a_row_without_an_end_counts_as_done_when_present_returns() -> None:
    observed = presents([16 * MS] * 20, until_gpu_end=4 * MS)
    assert observed.until_gpu_end is not None
    observed.until_gpu_end[3] = MISSING
    frames, _ = frames_of(observed)
    assert list(frames.gpu[:5]) == [4 * MS, 4 * MS, 0, 4 * MS, 4 * MS]


def test_pictures_that_the_frames_do_not_explain_are_refused() -> None:
    """Pictures come at a steady pace that nothing in the frames explains."""
    observed = presents([R60 + n * n % 7 * MS for n in range(199)], busy=4 * MS, tearing=1)
    moments = array("q", [R60 * n for n in range(200)])
    until = array("q", [a - b for a, b in zip(moments, observed.called, strict=True)])
    observed = replace(observed, until_shown=until, displays=list(moments))
    assert not again(observed).displayed.better
    assert "no better than repeating" in again(observed).refusal


def error(median: int, mean: int) -> Error:
    return Error(median * MS // 1000, mean * MS // 1000)


@pytest.mark.parametrize(
    ("mine", "other", "better"),
    [
        (error(100, 200), error(101, 201), True),
        (error(100, 200), error(100, 201), False),
        (error(100, 200), error(101, 200), False),
        (error(50, 50), error(1, 1), True),
        (error(51, 50), error(1, 1), False),
        (error(50, 51), error(1, 1), False),
    ],
)
def test_better_is_nearer_or_within_the_noise(mine: Error, other: Error, better: bool) -> None:
    assert Errors(mine, other, other).better is better


@pytest.mark.parametrize(
    ("observed", "message"),
    [
        (presents([R60] * 14), "15 frames shown are too few"),
        (presents([R60] * 50, until_shown=None), "0 frames shown are too few"),
        (presents([R60] * 50, blocked=None), "does not say how long Present takes"),
        (replace(presents([R60] * 50), generated=7), "frames are generated between"),
        (presents([R60] * 50, composed=1), "compositor drops frames that do not wait for a VSync"),
        (
            presents([R60 + n * n % 11 * MS for n in range(50)], interval=1),
            "the display's refresh cannot be found",
        ),
    ],
)
def test_what_cannot_be_played(observed: Observed, message: str) -> None:
    with pytest.raises(UsageProblem, match=message):
        again(observed)


def test_a_refresh_that_is_told_is_taken() -> None:
    observed = presents([R60 + n * n % 11 * MS for n in range(50)], interval=1, busy=MS)
    found = again(observed, "refresh=144", "vrr=40")
    assert found.replay.settings.display.longest > 0


@examples(max_examples=60)
@given(
    st.lists(st.integers(0, 40 * MS), min_size=15, max_size=60),
    st.lists(st.integers(-5 * MS, 40 * MS) | st.just(MISSING), min_size=61, max_size=61),
    st.sampled_from([0, 1, 255]),
)
def test_anything_is_played_or_refused(times: list[int], until: list[int], interval: int) -> None:
    observed = presents(times, blocked=3 * MS, busy=5 * MS, interval=interval)
    shown = array("q", until[: len(observed)])
    displays = sorted(
        time + delay for time, delay in zip(observed.called, shown, strict=True) if delay != MISSING
    )
    observed = replace(observed, until_shown=shown, displays=displays)
    try:
        found = again(observed)
    except UsageProblem:
        return
    assert found.judged > 0
    assert len(found.replay) == len(observed) - 1


def test_where_gpu_times_are_bounds_nothing_is_said_of_the_gpu() -> None:
    """Only what the GPU does after Present has returned is known: no verdict, no faster GPU."""
    original = played("cpu=5 gpu=normal(9,1) interval=0 buffers=3 latency=3 throttle=off")
    observed = replace(observed_of_replay(original), gpu_busy=None)
    analysed = Analysed("a", diagnose(observed))
    made = replayed(analysed, [parse_what_if(["latency=1"])], ())
    assert [it.outcome.cause.verdict for it in (made.own, *made.what_ifs) if it] == [
        *(Verdict.UNKNOWN, Verdict.UNKNOWN),
    ]
    with pytest.raises(UsageProblem, match="does not say how long the GPU works"):
        replayed(analysed, [parse_what_if(["gpu=80%"])], ())
    replayed(
        Analysed("a", diagnose(observed_of_replay(original))), [parse_what_if(["gpu=80%"])], ()
    )


@pytest.mark.parametrize(
    "other",
    [
        "latency=1",
        "interval=2",
        "refresh=120",
        "buffers=2 throttle=on latency=off",
        "buffers=2 throttle=on latency=off bind=late",
        "threshold=20",
        "latency=1 waitable",
        "cap=40",
        "vrr=40 refresh=144",
        "interval=0",
    ],
)
def test_a_what_if_on_a_capture_is_what_the_title_would_have_done(other: str) -> None:
    """The capture shows the frames under one setting; under the other they are simulated too."""
    work = "cpu=normal(7,2) gpu=lognormal(14,4) frames=900"
    captured = played(f"{work} {QUEUE} latency=3")
    truth = replay(captured.frames, change(captured.settings, other.split()))
    analysed = Analysed("a", diagnose(observed_of_replay(captured)))
    (made,) = replayed(analysed, [parse_what_if(other.split())], ()).what_ifs
    found, expected = made.outcome, outcome_of(truth)
    assert found.rate == pytest.approx(expected.rate, rel=0.01)
    # where the scans of another refresh, or the ticks of a limiter, begin is not known
    phase = R60 // 2 if other in {"refresh=120", "cap=40"} else 0
    assert found.latency.percentile(50) == pytest.approx(
        expected.latency.percentile(50), rel=0.03, abs=phase
    )
    assert found.blocked == pytest.approx(expected.blocked, rel=0.05, abs=MS // 10)


def test_a_cpu_that_wakes_late_is_a_constant_of_latency() -> None:
    """Present returns half a millisecond after the flip that it waited for."""
    original = played(f"cpu=normal(5,1) gpu=normal(9,1) latency=2 {QUEUE}")
    observed = observed_of_replay(original)
    assert observed.in_present is not None
    late = array("q", [wait + MS // 2 for wait in observed.in_present])
    # the work of the next frame is that much shorter, so that everything else stays as it was
    found = again(replace(observed, in_present=late))
    assert found.wake == pytest.approx(-MS // 2, abs=MS // 20)
    assert found.latency.replay.median < MS // 20
    assert found.displayed.replay.median == 0


def test_a_refresh_of_latency_is_no_waking_up() -> None:
    """A frame more in the queue, told wrongly, stays an error."""
    original = played(f"cpu=normal(5,1) gpu=normal(9,1) latency=3 {QUEUE}")
    found = again(observed_of_replay(original), "latency=2", "buffers=3", "throttle=off")
    assert found.wake == 0
    assert found.latency.replay.median == pytest.approx(R60, rel=0.01)


def test_without_vsync_nothing_is_added_to_latency() -> None:
    original = played("cpu=normal(9,1) gpu=5 interval=0 buffers=3 latency=3 throttle=off")
    assert again(observed_of_replay(original)).wake == 0


def test_outcomes_under_vsync_have_the_constant() -> None:
    original = played(f"cpu=normal(5,1) gpu=normal(9,1) latency=2 {QUEUE}")
    plain, later = outcome_of(original), outcome_of(original, wake=MS)
    assert later.latency.percentile(50) - plain.latency.percentile(50) == MS
    free = played("cpu=5 gpu=9 interval=0")
    assert outcome_of(free, wake=MS).latency.values == outcome_of(free).latency.values
