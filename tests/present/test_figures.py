"""The seed's Figures 1 to 5: 30/60/60 FPS needs an overhead, an ideal queue gives 60/60/60."""

from __future__ import annotations

import pytest

from fencepost.present import (
    Display,
    Replay,
    Settings,
    State,
    buffer_spans,
    change,
    constant,
    replay,
    simulation_of,
)
from fencepost.present.settings import DEFAULT_OVERHEAD
from fencepost.present.units import PICOSECONDS, milliseconds
from tests.present.figures import FIGURES, NAMES, SETTLED, play, rate, table
from tests.present.twin import Twin

REFRESH = Display().refresh
TRIPLE = ("figure-2", "figure-4", "figure-5")


def triple(overhead: str, changes: tuple[str, ...] = ()) -> list[float]:
    """FPS of early bind, late bind, three buffers."""
    words = [f"overhead={overhead}", *changes]
    return [round(rate(play(name, words)), 1) for name in TRIPLE]


def settled(result: Replay) -> range:
    return range(SETTLED, len(result))


def test_examples_state_their_overhead() -> None:
    assert len(NAMES) == 9
    for name in NAMES:
        assert "overhead=1.5" in (FIGURES / f"{name}.txt").read_text(encoding="utf-8")
    assert milliseconds("1.5") == DEFAULT_OVERHEAD


def test_the_table_of_results() -> None:
    assert (FIGURES / "README.md").read_text(encoding="utf-8").endswith(table())


@pytest.mark.parametrize("overhead", ["1.28", "1.5", "1.72"])
def test_figures_2_to_5(overhead: str) -> None:
    assert triple(overhead) == [30, 60, 60]


@pytest.mark.parametrize("overhead", ["0", "0.5", "1", "1.26"])
def test_an_ideal_queue(overhead: str) -> None:
    assert triple(overhead) == [60, 60, 60]


@pytest.mark.parametrize("overhead", ["1.74", "2"])
def test_too_much_overhead(overhead: str) -> None:
    early, late, three = triple(overhead)
    assert (early, three) == (30, 60)
    assert late == pytest.approx(40, abs=0.1)


@pytest.mark.parametrize(
    ("overhead", "rates"),
    [("1.2", [60, 60, 60]), ("1.22", [30, 60, 60]), ("1.6", [30, 60, 60]), ("1.62", [30, 40, 60])],
)
def test_the_window_at_16_6_ms(overhead: str, rates: list[float]) -> None:
    hertz = 1000 / 16.6
    assert triple(overhead, (f"refresh={hertz}",)) == pytest.approx(
        [hertz * fraction / 60 for fraction in rates], rel=0.005
    )


@pytest.mark.parametrize("bind", ["0.5", "0.9", "1"])
def test_where_a_late_bind_lies(bind: str) -> None:
    assert rate(play("figure-4", [f"bind={bind}"])) == pytest.approx(60)


def test_figure_1_cpu_one_frame_ahead_of_gpu_and_nearly_two_of_the_flip() -> None:
    result = play("figure-1")
    line = result.timeline
    for n in settled(result):
        assert result.present_wait(n) > 20 * PICOSECONDS
        assert line.bound[n - 1] <= line.start[n] < line.called[n] < line.drawn[n - 1]
        assert 1.5 < (line.flip[n] - line.called[n]) / (2 * REFRESH) < 2


def test_figure_1_nearly_three_frames_ahead_with_three_buffers() -> None:
    result = play("figure-1-triple")
    line = result.timeline
    for n in settled(result):
        assert result.present_wait(n) > 20 * PICOSECONDS
        assert line.drawn[n - 2] <= line.start[n] < line.called[n] < line.begun[n] + REFRESH
        assert 2.5 < (line.flip[n] - line.called[n]) / (2 * REFRESH) < 3


def test_figure_2_the_gpu_waits_though_cpu_and_gpu_fit() -> None:
    result = play("figure-2")
    assert all(result.gpu_wait(n) > REFRESH for n in settled(result))
    assert all(result.present_wait(n) > REFRESH for n in settled(result))


def test_figure_3_one_buffer_is_visible_and_the_other_pending() -> None:
    """Wherever the GPU waits for the bind."""
    result = play("figure-3")
    rows = buffer_spans(result)
    for n in settled(result):
        moment = (result.timeline.reached[n] + result.timeline.bound[n]) // 2
        states = {span.state for row in rows for span in row if span.start <= moment < span.end}
        assert states == {State.VISIBLE, State.PENDING}


def test_figure_4_a_short_block_in_present() -> None:
    result = play("figure-4")
    assert {result.present_wait(n) for n in settled(result)} == {REFRESH - milliseconds("16.2")}
    assert {result.gpu_wait(n) for n in settled(result)} == {0}


def test_figure_5_one_more_frame_of_latency() -> None:
    double, three = play("figure-4"), play("figure-5")
    assert {double.latency(n) for n in settled(double)} == {2 * REFRESH}
    assert {three.latency(n) for n in settled(three)} == {3 * REFRESH}


def test_not_limited_to_60_fps() -> None:
    names = ("thirty-early", "thirty-late", "thirty-triple")
    assert [round(rate(play(name)), 1) for name in names] == [20, 30, 30]
    assert [round(rate(play(name, ["overhead=0"])), 1) for name in names] == [30, 30, 30]


TIMES = constant(milliseconds("16.2"), milliseconds("15.4"), 60)


def twin_rates(overhead: str, *, queue_first: bool = False, kick: bool = False) -> list[float]:
    """The three settings in a queue of another order of things."""
    rates = []
    for words in (["bind=early"], ["bind=late"], ["buffers=3"]):
        settings = change(Settings(), [f"overhead={overhead}", *words])
        twin = Twin(TIMES, settings, queue_first=queue_first, kick_at_present=kick)
        twin.run()
        lasted = twin.times["flip"][59] - twin.times["flip"][29]
        rates.append(round(30e12 / lasted, 1))
    return rates


def test_order_of_waiting_and_queueing() -> None:
    """Waiting first is the seed's order; queueing first would contradict Figure 4."""
    assert twin_rates("1.5") == [30, 60, 60]
    assert twin_rates("1.5", queue_first=True) == [30, 30, 60]
    assert twin_rates("0", queue_first=True) == [30, 30, 60]


def test_gpu_work_starts_before_present_returns() -> None:
    """Work that waited for Present would contradict Figure 4 too."""
    assert twin_rates("1.5", kick=True) == [30, 30, 60]


@pytest.mark.parametrize(
    ("deviation", "overhead", "rates"),
    [
        ("0.2", "1.5", (31.9, 51.6, 60)),
        ("1", "1.5", (37.1, 45.9, 60)),
        ("1", "0", (51.6, 53.8, 60)),
    ],
)
def test_times_that_vary(deviation: str, overhead: str, rates: tuple[float, ...]) -> None:
    """presentation.md 0.1, measured by another model with another generator."""
    times = simulation_of(
        [f"cpu=normal(16.2,{deviation})", f"gpu=normal(15.4,{deviation})", "frames=6000"]
    ).frames
    found = [
        rate(replay(times, change(play(name).settings, [f"overhead={overhead}"])))
        for name in TRIPLE
    ]
    assert found == pytest.approx(rates, abs=0.7)
