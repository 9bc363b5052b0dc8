from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import TimelineProblem
from fencepost.place import Place
from fencepost.timeline import Activity, Flow, Timeline, TimelineBuilder
from fencepost.timeline.times import LONGEST
from tests.timeline.make import timeline, timelines


def names(made: Timeline) -> list[str]:
    return [span.activity.name for span in made.spans()]


def test_spans_are_ordered_and_flows_follow_them() -> None:
    rows = {"a": [("late", 20, 30), ("early", 0, 10)], "b": [("mid", 5, 8)]}
    made = timeline(rows, [Flow(signal=2, wait=0)])
    assert names(made) == ["early", "late", "mid"]
    (flow,) = made.flows
    assert (names(made)[flow.signal], names(made)[flow.wait]) == ("mid", "late")
    assert [made.track_of(place) for place in range(3)] == [0, 0, 1]


def test_nested_spans_have_depths() -> None:
    made = timeline({"a": [("in", 2, 5), ("all", 0, 9), ("deep", 2, 3), ("next", 5, 9)]})
    assert [(span.activity.name, span.depth) for span in made.spans()] == [
        ("all", 0),
        ("in", 1),
        ("deep", 2),
        ("next", 1),
    ]


def test_equal_activities_are_one() -> None:
    made = timeline({"a": [("x", 0, 1), ("x", 1, 2), ("y", 2, 3)]})
    assert len(made.activities) == 2


def test_the_first_start_is_the_origin() -> None:
    builder = TimelineBuilder()
    track, work = builder.track("a"), builder.activity(Activity("x"))
    epoch = 1_700_000_000 * 10**12
    builder.span(track, epoch + 5, epoch + 7, work)
    builder.span(track, epoch + 3, epoch + 4, work)
    made = builder.build("t")
    assert (made.origin, list(made.starts), list(made.ends)) == (epoch + 3, [0, 2], [1, 4])


@pytest.mark.parametrize(
    "rows",
    [
        [("x", 0, 10), ("y", 10, 20)],  # touching
        [("x", 0, 10), ("y", 2, 10)],  # nested, ends together
        [("x", 0, 10), ("y", 0, 5)],  # nested, starts together
        [("x", 0, 10), ("y", 0, 10)],  # the same stretch
        [("x", 0, 10), ("y", 10, 10), ("z", 10, 12)],  # an instant between
    ],
)
def test_apart_and_nested_are_allowed(rows: list[tuple[str, int, int]]) -> None:
    assert len(timeline({"a": rows})) == len(rows)
    assert len(timeline({"a": rows[::-1]})) == len(rows)


@pytest.mark.parametrize(
    "rows",
    [
        [("x", 0, 10), ("y", 9, 11)],
        [("x", 0, 10), ("y", 2, 11)],
        [("all", 0, 30), ("x", 0, 10), ("y", 9, 11)],
    ],
)
def test_a_partial_overlap_names_both(rows: list[tuple[str, int, int]]) -> None:
    builder = TimelineBuilder()
    track = builder.track("stream 7", group="device 0")
    numbers = {
        builder.span(track, start, end, builder.activity(Activity(name))): name
        for name, start, end in reversed(rows)
    }
    with pytest.raises(TimelineProblem) as caught:
        builder.build("f", lambda number: Place("f", "xyall".index(numbers[number][0]) + 1))
    text = str(caught.value)
    assert text.startswith("f:2:1: 'y' starts ")
    assert "before 'x' (f:1) ends, both on device 0 stream 7" in text
    assert text.endswith("; expected slices of a track that are apart, or one within the other")


def built(spans: list[tuple[int, int]], tolerance: int) -> Timeline:
    builder = TimelineBuilder(tolerance)
    track = builder.track("a")
    for number, (start, end) in enumerate(spans):
        builder.span(track, start, end, builder.named(str(number)))
    return builder.build("t", origin=0)


@pytest.mark.parametrize(
    ("spans", "tolerance", "ends", "cut"),
    [
        ([(0, 10), (9, 20)], 1, [9, 20], 1),
        ([(0, 10), (9, 20), (18, 30)], 2, [9, 18, 30], 2),
        ([(0, 10), (0, 8), (7, 12)], 3, [7, 7, 12], 2),
        ([(0, 10), (9, 10), (10, 20)], 5, [10, 10, 20], 0),
        ([(0, 10), (2, 9), (8, 10)], 1, [10, 8, 10], 1),
    ],
)
def test_small_overlaps_may_be_cut(
    spans: list[tuple[int, int]], tolerance: int, ends: list[int], cut: int
) -> None:
    made = built(spans, tolerance)
    assert list(made.ends) == ends
    assert [note.split()[0] for note in made.notes] == ([str(cut)] if cut else [])
    if cut:
        with pytest.raises(TimelineProblem):
            built(spans, tolerance - 1)


def test_the_same_spans_on_two_tracks_are_right() -> None:
    assert len(timeline({"a": [("x", 0, 10)], "b": [("y", 9, 11)]})) == 2


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (5, 4, "'x' lasts -1 ps; expected a duration of 0 or more"),
        (0, LONGEST + 1, "at most 106 days apart"),
        (10**20, 10**20 + 1, "at most 106 days apart"),
    ],
)
def test_impossible_times_are_refused(start: int, end: int, said: str) -> None:
    with pytest.raises(TimelineProblem, match=said):
        timeline({"a": [("x", start, end)]})
    assert len(timeline({"a": [("x", 0, LONGEST)]})) == 1


def test_a_long_name_is_cut_in_a_message() -> None:
    with pytest.raises(TimelineProblem) as caught:
        timeline({"a": [("k" * 500, 1, 0)]})
    assert len(str(caught.value)) < 120


@given(timelines())
def test_the_table_is_in_order(made: Timeline) -> None:
    assert made.bounds[0] == 0
    assert made.bounds[-1] == len(made)
    for track in range(len(made.tracks)):
        places = made.on_track(track)
        assert all(made.track_of(place) == track for place in places)
        keys = [(made.starts[place], -made.ends[place]) for place in places]
        assert keys == sorted(keys)
        for place in places:
            around = [
                other
                for other in places
                if other < place
                and made.starts[other] <= made.starts[place] < made.ends[other]
                and made.ends[place] <= made.ends[other]
            ]
            assert made.depths[place] == len(around)


@given(st.permutations([("a", 0, 5), ("b", 5, 9), ("c", 1, 2), ("d", 20, 30)]))
def test_the_order_of_giving_does_not_matter(rows: list[tuple[str, int, int]]) -> None:
    assert names(timeline({"t": rows})) == ["a", "c", "b", "d"]
