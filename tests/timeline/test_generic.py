from __future__ import annotations

import json

import pytest

from fencepost.capture.traces import read_trace
from tests.timeline.traces import Json, event, read, refused, rows, slice_, ties

US = 10**6


def test_slices_lie_on_threads_of_processes() -> None:
    made = read(
        [
            slice_("b", 2, 1, tid=10),
            slice_("a", 0, 1, tid=9, cat="gpu"),
            slice_("c", 1, 3, tid="render", pid="game"),
            slice_("d", 1, 3, pid=None, tid=None),
        ]
    )
    assert rows(made) == [
        ("process 0 thread 0", "d", 1 * US, 4 * US),
        ("process 1 thread 9", "a", 0, 1 * US),
        ("process 1 thread 10", "b", 2 * US, 3 * US),
        ("process game thread render", "c", 1 * US, 4 * US),
    ]
    assert {activity.category for activity in made.activities} == {"", "gpu"}


def named(kind: str, name: object, pid: int, tid: int = 0) -> Json:
    return {"ph": "M", "name": kind, "pid": pid, "tid": tid, "args": {"name": name}}


def test_names_may_come_after_the_slices() -> None:
    made = read(
        [
            slice_("x", 0, 1, tid=2),
            slice_("x", 0, 1, tid=3),
            slice_("x", 0, 1, tid=4),
            slice_("x", 0, 1, tid=5),
            named("process_name", "game", 1),
            named("thread_name", "copy", 1, 2),
            named("thread_name", "pool", 1, 3),
            named("thread_name", "pool", 1, 4),
            named("thread_name", 7, 1, 5),
            named("thread_name", "unused", 1, 6),
            named("process_labels", "x", 1),
        ]
    )
    names = ["game copy", "game pool (3)", "game pool (4)", "game thread 5"]
    assert [track.label for track in made.tracks] == names


def test_begin_and_end_make_slices() -> None:
    marks = [
        event("B", 0, name="frame"),
        event("B", 1, name="shadow", cat="pass"),
        event("E", 4, name="shadow"),
        event("B", 4, name="light"),
        event("E", 9),
        event("E", 9),
    ]
    made = read(marks)
    assert [(name, start, end) for _, name, start, end in rows(made)] == [
        ("frame", 0, 9 * US),
        ("shadow", 1 * US, 4 * US),
        ("light", 4 * US, 9 * US),
    ]
    assert list(made.depths) == [0, 1, 1]
    late = [marks[0], marks[4], marks[5], marks[1], marks[2], marks[3]]  # not by time
    assert rows(read(late)) == rows(made)


def test_the_array_form_is_read_closed_or_not() -> None:
    text = json.dumps([slice_("a", 0, 1), slice_("b", 1, 1)])
    made = read_trace(text.encode("utf-8"), "t")
    assert made.notes == ()
    for end in ("", ",", ",\n", "\n"):
        found = read_trace((text[:-1] + end).encode("utf-8"), "t")
        assert rows(found) == rows(made)
        (note,) = found.notes
        assert "not closed" in note


def test_what_is_no_slice_is_counted() -> None:
    made = read(
        [
            slice_("a", 0, 1),
            event("i", 0, s="g"),
            event("C", 0, args={"n": 1}),
            event("C", 1, args={"n": 2}),
            event("b", 0, id=1),
        ]
    )
    assert made.notes == ("not slices, left out: 2 counter, 1 instant, 1 asynchronous",)


def test_a_category_alone_makes_no_stream() -> None:
    made = read([slice_("a", 0, 1, cat="kernel"), slice_("b", 0, 1, tid=2, cat="kernel", args=[])])
    assert [track.label for track in made.tracks] == ["process 1 thread 1", "process 1 thread 2"]


FLOW = {"name": "fence", "cat": "sync", "id": 1}
GPU = [
    slice_("produce", 0, 10),
    slice_("inner", 2, 2),
    slice_("other", 0, 30, tid=2),
    slice_("wait", 12, 3, tid=3),
    slice_("consume", 20, 5, tid=3),
]


@pytest.mark.parametrize(
    ("arrows", "tied"),
    [
        ([event("s", 9, **FLOW), event("f", 21, bp="e", **FLOW | {"tid": 3})], ["produce>consume"]),
        ([event("s", 3, **FLOW), event("f", 13, bp="e", **FLOW | {"tid": 3})], ["inner>wait"]),
        ([event("s", 5, **FLOW), event("f", 13, **FLOW | {"tid": 3})], ["produce>consume"]),
        ([event("s", 5, **FLOW), event("f", 11, **FLOW | {"tid": 3})], ["produce>wait"]),
        ([event("f", 12, bp="e", **FLOW | {"tid": 3}), event("s", 9, **FLOW)], ["produce>wait"]),
        (
            [
                event("s", 1, **FLOW),
                event("t", 12, **FLOW | {"tid": 3}),
                event("f", 20, bp="e", **FLOW | {"tid": 3}),
            ],
            ["produce>wait", "wait>consume"],
        ),
    ],
)
def test_flows_tie_the_slices_that_they_lie_in(arrows: list[Json], tied: list[str]) -> None:
    made = read([*GPU, *arrows])
    assert [">".join(tie) for tie in ties(made)] == tied
    assert made.notes == ()


@pytest.mark.parametrize(
    "arrows",
    [
        [event("f", 21, bp="e", **FLOW | {"tid": 3})],
        [event("s", 9, **FLOW), event("f", 21, bp="e", **FLOW | {"tid": 3, "id": 2})],
        [event("s", 11, **FLOW), event("f", 21, bp="e", **FLOW | {"tid": 3})],
        [event("s", 9, **FLOW), event("f", 16, bp="e", **FLOW | {"tid": 3})],
        [event("s", 9, **FLOW), event("f", 26, **FLOW | {"tid": 3})],
        [event("s", 9, **FLOW), event("f", 21, **FLOW | {"tid": 99})],
        [event("s", 9, **FLOW), event("f", 21, bp="e", **FLOW | {"tid": 3, "cat": "b"})],
    ],
)
def test_a_flow_without_both_slices_is_counted(arrows: list[Json]) -> None:
    made = read([*GPU, *arrows])
    assert made.flows == ()
    assert made.notes == ("1 flow events without their beginning or their slice, left out",)


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([slice_("a", 0, 10), slice_("b", 9, 5)], "'b' starts 1.000 us before 'a' (t.json:1)"),
        ([event("X", 0, name="a")], "'a' has no dur"),
        ([{"ph": "X", "name": "a", "dur": 1}], "'a' has no ts"),
        ([slice_("a", 0, -1)], "'a' has a negative dur"),
        ([event("B", 0, name="a")], "'a' begins and never ends, so it has no duration"),
        ([event("B", 0, name="a"), event("E", 1, name="b")], "'b' ends while 'a' is open"),
        ([event("E", 1, name="b")], "'b' ends, but nothing is open"),
        ([event("B", 5, name="a"), event("E", 1)], "'' ends, but nothing is open"),
        ([event("q", 5, name="a")], "'a' has the phase (ph) 'q'; expected one of X B E i"),
        ([event("", 5, name="a")], "'a' has the phase (ph) ''"),
        ([{"ph": "X"}], "an unnamed X has no ts"),
        ([{"name": "a"}], "'a' has the phase (ph) ''"),
        ([slice_("a", 0, 1), event("s", -1)], "has a negative ts"),
        ([slice_("a", 0, 1, name=7)], "Expected `str | null`, got `int` - at `$.name`"),
        ([slice_("a", 0, 1, pid=1.5)], "at `$.pid`"),
        ([slice_("a", 0, True)], "at `$.dur`"),
    ],
)
def test_bad_events_are_named(events: list[Json], said: str) -> None:
    assert said in refused(events)


def test_the_place_is_the_line_of_the_event() -> None:
    lines = ",\n".join(json.dumps(item) for item in (slice_("a", 0, 1), event("X", 5, name="b")))
    text = refused(f'{{"a": {{}},\n"traceEvents": [\n{lines}\n]}}'.encode())
    assert text.startswith("t.json:4:1: 'b' has no dur")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"traceEvents": [', "the JSON is cut short"),
        (b'{"traceEvents": [{"ph": "X", "na', "the JSON is cut short"),
        (b'[{"ph": "X", "na', "the JSON is cut short"),
        (b'[{"ph": "i"}, 1', "Expected `object`, got `int`"),
        (b'{"traceEvents": 5}', "no trace (Expected `array`, got `int`"),
        (b'{"displayTimeUnit": "ms"}', "no trace (Object missing required field `traceEvents`)"),
        (b'{"traceEvents": []}', "no slices"),
        (b"[]", "no slices"),
        (b'{"traceEvents": [1]}', "Expected `object`, got `int`"),
        (b'{"traceEvents": [{}]} x', "trailing characters"),
        (b'{"traceEvents": [{"ph": "X", "name": "\xff"}]}', "UTF-8"),
        (b'{"a":' * 100_000, "t.json"),
        (b'{"traceEvents": [' + b"[" * 100_000, "t.json"),
        (b'{"traceEvents": [{"ph": "X", "args": ' + b"[" * 10**5 + b"]" * 10**5 + b"}]}", "t.json"),
    ],
)
def test_what_is_no_trace_is_one_line(data: bytes, said: str) -> None:
    assert said in refused(data)
