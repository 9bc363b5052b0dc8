"""Sync interval, threshold, tears, single buffers, the UAV hazard, the modes of Xbox 360."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from fencepost.present import FrameTimes, Settings, change, frame_times, overwrites, replay
from tests.present.settled import ms, play, settled
from tests.present.strategies import frames, settings

REFRESH = 16_666_666_667


@pytest.mark.parametrize("interval", [1, 2, 3, 4])
def test_an_interval_paces(interval: int) -> None:
    result = settled(f"cpu=5 gpu=5 interval={interval}")
    assert result.rate == pytest.approx(60 / interval)
    assert result.tears == 0


@pytest.mark.parametrize(("cpu", "gpu"), [(16.2, 15.4), (5, 15.4), (12, 3)])
@pytest.mark.parametrize("bind", ["early", "late"])
def test_interval_0_is_limited_by_cpu_and_gpu_alone(cpu: float, gpu: float, bind: str) -> None:
    """Seed 003 "Types of stalls": whatever the overhead."""
    result = settled(f"cpu={cpu} gpu={gpu} interval=0 bind={bind}")
    assert result.rate == pytest.approx(1000 / max(cpu, gpu))
    assert result.tears > 200


def test_interval_0_stalls_in_present_for_the_gpu_only() -> None:
    assert settled("cpu=12 gpu=3 interval=0").present_wait == 0
    assert ms(settled("cpu=3 gpu=12 interval=0").present_wait) == pytest.approx(9)


@pytest.mark.parametrize("interval", [2, 3, 4])
def test_threshold_100_still_paces(interval: int) -> None:
    """Design 9: it equals interval 0 only once the interval has passed."""
    words = f"cpu=5 gpu=5 interval={interval}"
    assert settled(f"{words} threshold=100").rate == pytest.approx(60 / interval)
    assert settled("cpu=5 gpu=5 interval=0").rate == pytest.approx(200)


@given(frames(), settings())
@limits(max_examples=300)
def test_threshold_100_is_interval_0_where_frames_take_longer(
    times: FrameTimes, setting: Settings
) -> None:
    """A GPU frame of a refresh or more lets an interval of 1 pass by itself."""
    slow = [time + 2 * setting.display.refresh for time in times.gpu]
    words = ["mode=xbox-one", "compositor=none", "vrr=off", "start=0"]
    free = change(setting, [*words, "interval=0", "threshold=0"])
    late = change(setting, [*words, "interval=1", "threshold=100"])
    longer = frame_times(times.cpu, slow)
    one, two = replay(longer, free).timeline, replay(longer, late).timeline
    assert one.flip == two.flip
    assert one.added == two.added


@pytest.mark.parametrize("threshold", [0, 1, 10, 25, 99])
def test_tears_stay_within_the_threshold(threshold: int) -> None:
    result = play(f"cpu=10 gpu=normal(17,3) threshold={threshold} frames=1000")
    lines = {result.tear_line(n) for n in range(len(result))}
    deepest = max(line or 0 for line in lines)
    assert deepest <= 1080 * threshold // 100
    assert deepest > 1080 * threshold // 100 - 60
    assert max(map(result.percent_scanned, range(len(result)))) <= threshold


def test_a_threshold_allows_a_brief_dip() -> None:
    """Seed 003 "Introduction": no full stall for a frame that is a little late."""
    words = "cpu=5 gpu=spikes(15,17.5,5) overhead=0"
    strict, lenient = settled(words), settled(f"{words} threshold=20")
    assert (strict.tears, lenient.tears > 0) == (0, True)
    assert lenient.rate > strict.rate + 1.5


def test_a_late_frame_flips_at_once_only_within_the_threshold() -> None:
    """The second frame is ready 1 ms into scan 2; 6 % of 16.667 ms is 1 ms."""
    words = "cpu=0 gpu=17.17 buffers=2 bind=1 overhead=0 frames=2 start=0"
    late = play(f"{words} threshold=7").timeline
    assert list(late.flip) == [17_170_000_000, 2 * 17_170_000_000]
    missed = play(f"{words} threshold=5").timeline
    assert list(missed.flip) == [17_170_000_000, 3 * REFRESH]


def test_a_single_buffer_waits_for_nothing_and_tears() -> None:
    result = settled("cpu=5 gpu=12 buffers=1")
    assert result.rate == pytest.approx(1000 / 12)
    assert (result.present_wait, result.gpu_wait) == (0, 0)
    assert result.tears > 290
    assert len(overwrites(play("cpu=5 gpu=12 buffers=1"))) == 600


def test_two_buffers_wait_and_do_not_tear() -> None:
    result = settled("cpu=5 gpu=12 buffers=2 overhead=0")
    assert result.rate == pytest.approx(60)
    assert result.present_wait > 0
    assert result.tears == 0
    assert overwrites(play("cpu=5 gpu=12 buffers=2")) == []


def test_a_uav_is_drawn_over() -> None:
    """Seed 003 "Scenario B": the driver did not track the hazard for UAVs."""
    words = "cpu=16.2 gpu=15.4 buffers=2 bind=early"
    tracked, untracked = play(words), play(f"{words} uav")
    assert overwrites(tracked) == []
    found = overwrites(untracked)
    assert len(found) > 500
    for item in found[5:]:
        assert item.start == untracked.timeline.begun[item.present]
        assert item.end <= untracked.timeline.flip[item.present - 1]
    assert settled(words).gpu_wait > 0
    assert settled(f"{words} uav").gpu_wait == 0


def test_a_uav_with_a_late_bind_is_right_here() -> None:
    assert overwrites(play("cpu=16.2 gpu=15.4 buffers=2 bind=late uav")) == []


def test_synchronous_the_gpu_waits_for_the_vsync() -> None:
    """Seed 003 "Introduction": the next frame starts once the last flip is done."""
    line = play("cpu=5 gpu=10 mode=xbox-360-synchronous").timeline
    assert all(line.begun[n] >= line.flip[n - 1] for n in range(1, 600))
    assert settled("cpu=5 gpu=10 mode=xbox-360-synchronous").rate == pytest.approx(60)


def test_synchronous_leaves_the_gpu_no_slack() -> None:
    """Frames of 15 ms that vary by 2: the asynchronous queue evens them out."""
    words = "cpu=5 gpu=normal(15,2) buffers=3"
    assert settled(f"{words} mode=xbox-360-synchronous").rate < 52
    assert settled(f"{words} mode=xbox-360-asynchronous").rate > 59.9


@given(frames(), settings())
@limits(max_examples=100)
def test_asynchronous_swaps_are_the_queue_of_xbox_one(times: FrameTimes, setting: Settings) -> None:
    one = replay(times, change(setting, ["mode=xbox-one"])).timeline
    other = replay(times, change(setting, ["mode=xbox-360-asynchronous"])).timeline
    assert vars(one) == vars(other)


@given(st.integers(1, 2).flatmap(lambda n: st.tuples(frames(planes=n), settings(planes=n))))
@limits(max_examples=300)
def test_flips_are_in_order_and_none_is_dropped(case: tuple[FrameTimes, Settings]) -> None:
    times, setting = case
    result = replay(times, setting)
    for plane in range(len(setting.planes)):
        flips = [result.timeline.flip[n] for n in result.presents_of(plane)]
        assert flips == sorted(flips)
        interval = setting.planes[plane].chain.interval
        if setting.planes[plane].chain.buffers > 1 and interval and not setting.display.longest:
            scans = [flip // setting.display.refresh for flip in flips]
            gaps = [later - earlier for earlier, later in pairwise(scans)]
            assert all(gap >= interval for gap in gaps)
