"""What PCs have: variable refresh, caps, maximum latency, compositors, against known situations.

The ids are those of the collected reports on presentation (`present_bug_reports.csv`).
"""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.present.settled import ms, play, settled

QUEUE = "overhead=0 throttle=off"
"""Direct3D's queue: Present waits for the maximum latency, not for a buffer."""

REFRESH = 16_666_666_667


@pytest.mark.parametrize(("buffers", "rate"), [(2, 30), (3, 50)])
def test_p02_images_for_frames_of_20_ms(buffers: int, rate: float) -> None:
    assert settled(f"cpu=5 gpu=20 buffers={buffers} {QUEUE} latency=3").rate == pytest.approx(
        rate, abs=0.2
    )


@pytest.mark.parametrize(
    ("compositor", "buffers", "rate", "latency"),
    [("none", 2, 60, 33.3), ("copy", 2, 60, 50), ("hold", 2, 30, 66.7), ("hold", 3, 60, 50)],
)
def test_p05_compositors(compositor: str, buffers: int, rate: float, latency: float) -> None:
    result = settled(f"cpu=5 gpu=10 buffers={buffers} overhead=0 compositor={compositor}")
    assert result.rate == pytest.approx(rate)
    assert ms(result.latency) == pytest.approx(latency, abs=0.1)


def test_p20_a_waitable_object_moves_the_wait_before_the_frame() -> None:
    blocking = settled(f"cpu=4 gpu=5 {QUEUE} latency=1")
    waitable = settled(f"cpu=4 gpu=5 {QUEUE} latency=1 waitable")
    assert blocking.present_wait == waitable.start_wait > 12_000_000_000
    assert blocking.start_wait == waitable.present_wait == 0
    assert blocking.latency - waitable.latency == REFRESH


@pytest.mark.parametrize("latency", [1, 2, 3, 5])
def test_p22_each_queued_frame_is_a_refresh_of_latency(latency: int) -> None:
    result = settled(f"cpu=4 gpu=5 buffers=3 {QUEUE} latency={latency}")
    assert result.latency == (latency + 1) * REFRESH


def test_p26_a_maximum_latency_of_0_is_the_default_of_3() -> None:
    words = f"cpu=4 gpu=5 buffers=3 {QUEUE}"
    assert settled(f"{words} latency=0") == settled(f"{words} latency=3")
    assert settled(f"{words} latency=0") != settled(f"{words} latency=1")


@pytest.mark.parametrize(("compositor", "latency"), [("none", 16.7), ("copy", 33.3)])
def test_p23_waitable_with_one_frame_in_flight(compositor: str, latency: float) -> None:
    result = settled(f"cpu=4 gpu=5 {QUEUE} latency=1 waitable compositor={compositor}")
    assert ms(result.latency) == pytest.approx(latency, abs=0.1)


@pytest.mark.parametrize(("latency", "rate"), [(1, 30), (2, 60), (3, 60)])
def test_p29_a_latency_of_1_kills_overlap(latency: int, rate: float) -> None:
    result = settled(f"cpu=9 gpu=12 buffers=3 {QUEUE} latency={latency} waitable")
    assert result.rate == pytest.approx(rate)


def test_p13_an_interval_of_2_steadies_a_30_fps_title() -> None:
    def lengths(words: str) -> list[int]:
        line = play(f"cpu=10 gpu=normal(30,2) buffers=3 overhead=0 {words}").timeline
        scans = list(line.scan_count)[10:]
        return sorted({later - earlier for earlier, later in pairwise(scans)})

    assert lengths("interval=1") == [1, 2, 3]
    assert lengths("interval=2") == [2]


def test_p17_a_producer_faster_than_the_display_fills_the_queue() -> None:
    result = settled("cpu=16.62 gpu=5 refresh=59.94 overhead=0 frames=2000", skip=1900)
    assert result.rate == pytest.approx(59.94)
    assert result.present_wait > 0


def test_p19_a_late_frame_flips_at_once_and_tears() -> None:
    relaxed = settled("cpu=5 gpu=18 overhead=0 threshold=100 buffers=3")
    strict = settled("cpu=5 gpu=18 overhead=0 threshold=0 buffers=2")
    assert (relaxed.tears > 250, strict.tears) == (True, 0)
    assert relaxed.rate == pytest.approx(1000 / 18)
    assert strict.rate == pytest.approx(30)
    assert settled("cpu=5 gpu=12 overhead=0 threshold=100").tears == 0


def test_p34_throttle_at_the_start_of_a_frame_not_at_its_end() -> None:
    inside = settled("cpu=5 gpu=8 buffers=3 overhead=0 cap=30")
    before_present = settled("cpu=5 gpu=8 buffers=3 overhead=0 cap=30 cap-at=present")
    withheld = settled("cpu=5 gpu=8 buffers=3 overhead=0 interval=2")
    assert inside.rate == before_present.rate == withheld.rate == pytest.approx(30)
    assert inside.latency < before_present.latency < withheld.latency
    assert withheld.latency - inside.latency > 4 * REFRESH


def test_p35_a_cap_below_the_refresh_keeps_the_queue_empty() -> None:
    words = "cpu=normal(4,0.3) gpu=normal(5,0.5) buffers=3 overhead=0 refresh=120 vrr=40"
    full, equal, below = settled(words), settled(f"{words} cap=120"), settled(f"{words} cap=117")
    assert ms(full.latency) == pytest.approx(25, abs=0.1)
    assert below.latency < equal.latency < full.latency
    assert ms(below.latency) < 4 + 5 + 0.5
    assert below.rate == pytest.approx(117, abs=0.1)


def test_frames_in_flight_hold_the_cpu_back() -> None:
    one = settled("cpu=10 gpu=10 buffers=3 interval=0 in-flight=1")
    two = settled("cpu=10 gpu=10 buffers=3 interval=0 in-flight=2")
    assert (one.rate, two.rate) == pytest.approx((50, 100))


def test_variable_refresh_shows_a_frame_when_it_comes() -> None:
    result = play("cpu=5 gpu=20 overhead=0 refresh=120 vrr=40 buffers=3")
    line = result.timeline
    assert all(line.flip[n] == line.complete[n] for n in range(1, 600))
    assert settled("cpu=5 gpu=20 overhead=0 refresh=120 vrr=40 buffers=3").rate == pytest.approx(50)
    assert settled("cpu=5 gpu=20 overhead=0 refresh=120 buffers=2").rate == pytest.approx(40)


def test_variable_refresh_keeps_the_shortest_refresh() -> None:
    result = settled("cpu=5 gpu=2 overhead=0 refresh=120 vrr=40")
    assert result.rate == pytest.approx(120)
    assert result.tears == 0


def test_variable_refresh_repeats_a_frame_that_stays_too_long() -> None:
    """Ready every 30 ms at 40 Hz or more: a repeat starts after 25 ms and is scanned out first."""
    line = play("cpu=5 gpu=30 overhead=0 refresh=100 vrr=40 buffers=3 frames=4").timeline
    assert list(line.complete) == [time * 1_000_000_000 for time in (35, 65, 95, 125)]
    assert list(line.flip) == [time * 1_000_000_000 for time in (35, 70, 95, 130)]
    assert [later - earlier for earlier, later in pairwise(line.scan_count)] == [2, 1, 2]


def test_variable_refresh_tears_at_interval_0_only() -> None:
    words = "cpu=2 gpu=3 overhead=0 refresh=120 vrr=40"
    assert settled(words).tears == 0
    assert settled(f"{words} interval=0").tears > 150
