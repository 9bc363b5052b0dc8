"""State strips: what they show is what the replay did."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from fencepost.present import FrameTimes, Settings, replay
from fencepost.present.states import NO_FRAME
from fencepost.present.strips import LOOKED_AT, STATES, Stretch, Strip, strip_of
from fencepost.report.present_strips import LEGEND, MARKS, strip_lines
from fencepost.report.style import Style
from tests.present.figures import play
from tests.present.observe import MS, R60
from tests.present.settled import play as simulated
from tests.present.strategies import frames, settings


def row(strip: Strip, name: str) -> tuple[Stretch, ...]:
    (found,) = [item for item in strip.rows if item.name == name]
    return found.stretches


def test_figure_2() -> None:
    """CPU and GPU each work 16 ms of 33, then wait; one buffer is visible, the other pending."""
    strip = strip_of(play("figure-2"))
    assert strip.end - strip.start == pytest.approx(6 * R60)
    states = {state for _, _, state, _ in row(strip, "CPU")}
    assert states == {"work", "present"}
    assert {state for _, _, state, _ in row(strip, "GPU")} == {"work", "wait"}
    for name in ("buffer 0", "buffer 1"):
        assert {state for _, _, state, _ in row(strip, name)} <= {
            *("visible", "pending", "available"),
        }
    works = [end - start for start, end, state, _ in row(strip, "CPU") if state == "work"]
    assert max(works) == 16_200_000_000


def test_figure_5_has_three_buffers() -> None:
    names = [item.name for item in strip_of(play("figure-5")).rows]
    assert names == ["CPU", "GPU", "buffer 0", "buffer 1", "buffer 2", "screen"]


def test_waits_before_a_frame_are_shown() -> None:
    strip = strip_of(simulated("cpu=4 gpu=5 latency=1 waitable throttle=off overhead=0"))
    assert {state for _, _, state, _ in row(strip, "CPU")} == {"work", "wait"}


def test_long_frames_are_shown_twice() -> None:
    strip = strip_of(simulated("cpu=200 gpu=10 frames=10"))
    assert strip.end - strip.start >= 2 * 200 * MS


def test_a_strip_of_many_frames_is_one_of_the_first() -> None:
    few = strip_of(simulated(f"cpu=normal(9,2) gpu=normal(9,2) frames={LOOKED_AT}"))
    many = strip_of(simulated("cpu=normal(9,2) gpu=normal(9,2) frames=3000"))
    assert few == many


def test_variable_refresh_has_the_scans_that_came() -> None:
    strip = strip_of(simulated("cpu=5 gpu=11 vrr=40 refresh=120 buffers=3 overhead=0"))
    assert len({b - a for a, b in zip(strip.vsyncs, strip.vsyncs[1:], strict=False)}) == 1
    assert strip.vsyncs[1] - strip.vsyncs[0] == 11 * MS


@given(frames(), settings())
def test_rows_never_overlap_and_stay_inside(made: FrameTimes, under: Settings) -> None:
    strip = strip_of(replay(made, under))
    for item in strip.rows:
        assert all(stretch.state in STATES for stretch in item.stretches)
        assert all(stretch.start < stretch.end for stretch in item.stretches)
        for before, after in zip(item.stretches, item.stretches[1:], strict=False):
            assert before.end <= after.start
        if item.stretches:
            assert strip.start <= item.stretches[0].start
            assert item.stretches[-1].end <= strip.end
        if item.name.startswith("buffer") or item.name == "screen":
            length = sum(stretch.end - stretch.start for stretch in item.stretches)
            assert length <= strip.end - strip.start
    lines = list(strip_lines(strip, Style()))
    assert len(lines) == len(strip.rows) + 2
    assert len({len(line) for line in lines[2:]}) == 1


def test_characters() -> None:
    strip = strip_of(play("figure-2"))
    times, vsyncs, cpu, gpu, one, two, screen = strip_lines(strip, Style())
    assert times.split()[:3] == ["ms", "0.0", "16.7"]
    assert vsyncs.count("|") == len(strip.vsyncs)
    assert re.fullmatch(r"  CPU +(\d+P+)+", cpu)
    assert re.fullmatch(r"  GPU +(\d+w+)+", gpu)
    assert re.fullmatch(r"  buffer 0 +[#p]+", one)
    assert re.fullmatch(r"  buffer 1 +[#p]+", two)
    assert re.fullmatch(r"  screen +\d+", screen)


@pytest.mark.parametrize("width", [20, 80, 140])
def test_strips_are_as_wide_as_the_terminal(width: int) -> None:
    lines = list(strip_lines(strip_of(play("figure-1")), Style(width=width)))
    assert all(len(line) <= max(width, 56) for line in lines)


def test_the_legend_explains_every_mark() -> None:
    explained = {text.partition(":")[0] for text in LEGEND}
    assert set(MARKS.values()) <= explained | {"."}


def test_what_was_there_before_the_first_flip_has_no_number() -> None:
    strip = strip_of(simulated("cpu=5 gpu=5 frames=2"))
    assert NO_FRAME in {present for _, _, _, present in row(strip, "screen")}
    screen = list(strip_lines(strip, Style()))[-1]
    assert re.match(r"  screen +\.+", screen)
