from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import TimelineProblem
from fencepost.timeline import (
    Activity,
    Edge,
    Figures,
    Flow,
    Timeline,
    TimelineBuilder,
    figures,
)
from tests.timeline.brute import overlap_by_depth, sampled
from tests.timeline.make import timeline, timelines

TWO = timeline(
    {
        "gfx": [("shadow", 0, 10), ("gbuffer", 10, 20), ("light", 50, 60)],
        "async": [("cull", 15, 30), ("ssao", 40, 45)],
    },
    [Flow(signal=4, wait=2)],
)


def test_a_small_timeline_by_hand() -> None:
    found = figures(TWO)
    assert (found.start, found.end, found.window) == (0, 60, 60)
    assert (found.busy, found.overlapped, found.idle) == (45, 5, 15)
    assert found.running == (15, 40, 5)
    assert found.together == {(0, 1): 5}
    assert Fraction(found.overlap_share).limit_denominator(100) == Fraction(1, 9)
    gfx, compute = found.tracks
    assert (gfx.spans, gfx.busy, gfx.alone, gfx.before, gfx.after) == (3, 30, 25, 0, 0)
    assert (gfx.gaps, gfx.bubbles, gfx.others_run, gfx.all_idle) == (1, 30, 15, 15)
    assert (compute.spans, compute.busy, compute.alone) == (2, 20, 15)
    assert (compute.before, compute.after, compute.bubbles, compute.others_run) == (15, 15, 10, 0)


def test_the_longest_gaps_say_what_ended_them() -> None:
    first, second = figures(TWO).gaps
    assert (first.track, first.start, first.end, first.others) == (0, 20, 50, 15)
    assert TWO.activity_of(first.before).name == "gbuffer"
    assert TWO.activity_of(first.after).name == "light"
    assert first.waits_for is not None
    assert TWO.activity_of(first.waits_for.signal).name == "ssao"
    assert first.last_end is not None
    assert TWO.activity_of(first.last_end).name == "ssao"
    assert (second.track, second.length, second.waits_for) == (1, 10, None)
    assert second.last_end is None  # gbuffer ended before it
    assert figures(TWO, gaps=1).gaps == (first,)
    assert figures(TWO, gaps=0).gaps == ()


def test_of_several_signals_the_last_one_counts() -> None:
    rows = {"a": [("x", 0, 5), ("y", 30, 40)], "b": [("p", 0, 20), ("q", 22, 29)]}
    early, late = Flow(2, 1), Flow(3, 1)
    for flows in ([early, late], [late, early]):
        (gap,) = [gap for gap in figures(timeline(rows, flows)).gaps if gap.track == 0]
        assert gap.waits_for is not None
        assert gap.waits_for.signal == 3
    at_the_end = Flow(3, 1, wait_edge=Edge.END)  # ends no gap: the span runs already
    (gap,) = [gap for gap in figures(timeline(rows, [at_the_end])).gaps if gap.track == 0]
    assert gap.waits_for is None


def test_equal_gaps_come_by_time_then_by_track() -> None:
    rows = {
        "a": [("x", 0, 10), ("x", 20, 30), ("x", 40, 50)],
        "b": [("x", 0, 10), ("x", 20, 30)],
    }
    found = [(gap.start, gap.track) for gap in figures(timeline(rows)).gaps]
    assert found == [(10, 0), (10, 1), (30, 0)]


def test_a_child_is_no_second_run_and_touching_is_no_overlap() -> None:
    found = figures(timeline({"a": [("p", 0, 10), ("c", 2, 4)], "b": [("q", 10, 20)]}))
    assert (found.busy, found.overlapped, found.gaps) == (20, 0, ())
    assert found.tracks[0].busy == 10


def test_a_wait_is_idle_time() -> None:
    def made(waits: bool) -> Timeline:
        builder = TimelineBuilder()
        me, gpu = builder.track("ME"), builder.track("GPU")
        work = builder.activity(Activity("draw"))
        builder.span(me, 0, 10, work)
        builder.span(me, 10, 30, builder.activity(Activity("wait me x == 1", waits=waits)))
        builder.span(me, 30, 40, work)
        builder.span(gpu, 0, 40, work)
        return builder.build("t")

    assert figures(made(waits=False)).overlapped == 40
    found = figures(made(waits=True))
    assert (found.overlapped, found.tracks[0].busy, found.tracks[0].others_run) == (20, 20, 20)


def test_an_instant_counts_as_a_span_but_takes_no_time() -> None:
    found = figures(timeline({"a": [("x", 0, 10), ("label", 15, 15), ("y", 20, 30)]}))
    assert (found.tracks[0].spans, found.tracks[0].gaps, found.idle) == (3, 1, 10)
    nothing = figures(timeline({"a": [("x", 5, 5)]}))
    assert (nothing.window, nothing.busy, nothing.overlap_share) == (0, 0, 0.0)


def test_only_the_chosen_tracks_count() -> None:
    rows = {"a": [("x", 0, 10)], "b": [("x", 5, 20)], "c": [("x", 100, 110)], "empty": []}
    assert [item.track for item in figures(timeline(rows)).tracks] == [0, 1, 2]
    found = figures(timeline(rows), [0, 1])
    assert (found.window, found.overlapped, found.together) == (20, 5, {(0, 1): 5})
    assert figures(timeline(rows), [0, 2]).overlapped == 0


@pytest.mark.parametrize("tracks", [None, [1], []])
def test_no_span_is_no_figure(tracks: list[int] | None) -> None:
    with pytest.raises(TimelineProblem, match="no slices"):
        figures(timeline({"a": [("x", 0, 1)] if tracks else [], "b": []}), tracks)


def test_a_wait_that_ends_before_its_signal_is_counted() -> None:
    rows = {"a": [("x", 0, 10)], "b": [("y", 5, 20)]}
    assert figures(timeline(rows, [Flow(0, 1)])).backward == 1
    assert figures(timeline(rows, [Flow(0, 1, signal_edge=Edge.START)])).backward == 0


def has_spans(made: Timeline) -> bool:
    return len(made) > 0


@given(timelines().filter(has_spans))
def test_figures_are_what_every_instant_shows(made: Timeline) -> None:
    found = figures(made)
    seen = sampled(made, found.start, found.end)
    assert {n: time for n, time in enumerate(found.running) if time} == seen.running
    assert found.together == seen.together
    for item in found.tracks:
        assert item.busy == seen.busy[item.track]
        assert item.alone == seen.alone[item.track]
        assert item.bubbles == seen.bubbles[item.track]
        assert item.others_run == seen.others[item.track]
        assert item.before + item.after == seen.edges[item.track] or not item.busy
        assert item.busy + item.before + item.bubbles + item.after == found.window


@given(timelines().filter(has_spans))
def test_all_gaps_together_are_the_bubbles(made: Timeline) -> None:
    found = figures(made, gaps=1000)
    assert len(found.gaps) == sum(item.gaps for item in found.tracks)
    assert sum(gap.length for gap in found.gaps) == sum(item.bubbles for item in found.tracks)
    assert sum(gap.others for gap in found.gaps) == sum(item.others_run for item in found.tracks)
    assert [gap.length for gap in found.gaps] == sorted(
        (g.length for g in found.gaps), reverse=True
    )
    assert figures(made, gaps=2).gaps == found.gaps[:2]


@given(timelines().filter(has_spans), st.integers(1, 10**9))
def test_figures_scale_with_time(made: Timeline, factor: int) -> None:
    builder = TimelineBuilder()
    for track, item in enumerate(made.tracks):
        builder.track(item.name)
        for place in made.on_track(track):
            activity = builder.activity(made.activity_of(place))
            start, end = made.starts[place], made.ends[place]
            builder.span(track, start * factor, end * factor, activity)
    before, after = figures(made), figures(builder.build("t", origin=0))
    assert after.running == tuple(time * factor for time in before.running)
    assert after.overlap_share == pytest.approx(before.overlap_share)


@given(
    st.dictionaries(
        st.integers(0, 5),
        st.lists(st.integers(0, 10**6), max_size=20, unique=True).map(sorted),
        min_size=1,
    )
)
def test_overlap_equals_that_of_a_running_depth(edges: dict[int, list[int]]) -> None:
    stretches = {
        track: list(zip(times[::2], times[1::2], strict=False)) for track, times in edges.items()
    }
    rows = {str(track): [("", *pair) for pair in pairs] for track, pairs in stretches.items()}
    if any(stretches.values()):
        found: Figures = figures(timeline(rows))
        assert (found.busy, found.overlapped) == overlap_by_depth(stretches.values())
