from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from fencepost.capture.traces import read_trace
from fencepost.report.chrome import write_chrome
from fencepost.timeline import Activity, Edge, Flow, Timeline, TimelineBuilder, TrackKind, figures
from tests.timeline.make import timeline, timelines
from tests.timeline.test_figures import TWO, has_spans
from tests.timeline.traces import Json, refused


def again(made: Timeline) -> Timeline:
    return replace(read_trace(write_chrome(made), made.file), notes=made.notes)


@given(timelines().filter(has_spans))
def test_what_is_written_reads_back(made: Timeline) -> None:
    found = again(made)
    assert found == replace(made, activities=found.activities, kinds=found.kinds)
    assert list(found.spans()) == list(made.spans())
    assert figures(found) == figures(made)


def test_picoseconds_and_the_origin_are_kept() -> None:
    builder = TimelineBuilder()
    track = builder.track("gfx", TrackKind.ENGINE, "gpu")
    activity = Activity("draw", "work", ("a", "b"), (("line", "f:3"),), waits=True)
    builder.span(track, 1_700_000_000_123_456_789_012, 1_700_000_000_123_456_790_000, 0)
    builder.activity(activity)
    made = builder.build("t")
    assert again(made) == made
    assert again(made).span(0).activity == activity


def events(made: Timeline) -> list[Json]:
    found: dict[str, Any] = json.loads(write_chrome(made), parse_float=Decimal)
    return list(found["traceEvents"])


def test_every_span_is_a_slice_where_viewers_look_for_it() -> None:
    found = events(TWO)
    slices = [event for event in found if event["ph"] == "X"]
    assert [(event["name"], event["tid"]) for event in slices] == [
        ("shadow", 1),
        ("gbuffer", 1),
        ("light", 1),
        ("cull", 2),
        ("ssao", 2),
    ]
    assert slices[0]["ts"] == 0
    assert slices[2]["ts"] == Decimal("0.00005")
    names = [event["args"]["name"] for event in found if event["name"] == "thread_name"]
    assert names == ["gfx", "async"]


def test_the_ends_of_a_flow_lie_within_their_slices() -> None:
    begin, end = (event for event in events(TWO) if event["ph"] in "sf")
    assert (begin["ph"], begin["tid"], begin["ts"]) == ("s", 2, Decimal("0.000044"))
    assert (end["ph"], end["tid"], end["ts"], end["bp"]) == ("f", 1, Decimal("0.00005"), "e")
    assert (begin["id"], begin["name"], begin["cat"]) == (end["id"], end["name"], end["cat"])


def test_groups_are_processes() -> None:
    builder = TimelineBuilder()
    for group in ("device 0", "device 1", "device 0", ""):
        builder.track("q", group=group)
    made = builder.build("t")
    pids = [event["pid"] for event in events(made) if event["name"] == "thread_name"]
    assert pids == [1, 2, 1, 3]
    names = [event["args"]["name"] for event in events(made) if event["name"] == "process_name"]
    assert names == ["device 0", "device 1", "fencepost"]


def test_the_same_timeline_gives_the_same_bytes() -> None:
    assert write_chrome(TWO) == write_chrome(again(TWO))
    assert write_chrome(TWO).endswith(b"\n]}\n")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"version":1', '"version":2', "version 2 of fencepost.timeline; expected version 1"),
        ('"span":4', '"span":5', "'tie' names slice 5"),
        ('"span":4', '"span":-1', "'tie' names slice -1"),
        ('"span":4', '"span":"4"', "'tie' has other args"),
        ('"edge":"end"', '"edge":"middle"', "'tie' has other args"),
        ('"ph":"s"', '"ph":"t"', "'tie' has the phase (ph) 't'"),
        ('"kind":"queue"', '"kind":"lane"', "'thread_name' has other args"),
        ('"tid":2,"ts":0.000015', '"tid":7,"ts":0.000015', "'cull' is on a thread without a name"),
        ('"dur":0.000015', '"dur":-1', "'cull' has a negative dur"),
    ],
)
def test_a_trace_that_was_changed_since_is_refused(before: str, after: str, said: str) -> None:
    made = replace(TWO, flows=tuple(replace(flow, name="tie") for flow in TWO.flows))
    text = write_chrome(made).decode("utf-8")
    assert before in text
    changed = text.replace(before, after).encode("utf-8")
    assert said in refused(changed)


def test_without_its_mark_it_is_anybodys_trace() -> None:
    text = write_chrome(TWO).replace(b'"format":"fencepost.timeline"', b'"format":"x"')
    made = read_trace(text, "t")
    assert figures(made).running == figures(TWO).running
    assert [(flow.signal, flow.wait) for flow in made.flows] == [(4, 2)]


def test_edges_of_flows_are_kept() -> None:
    rows = {"a": [("all", 0, 20), ("half", 10, 20)], "b": [("x", 0, 20)]}
    flows = [Flow(a, 2, edge, other) for a in (0, 1) for edge in Edge for other in Edge]
    made = timeline(rows, flows)
    assert again(made).flows == made.flows
