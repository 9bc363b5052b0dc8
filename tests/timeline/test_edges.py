from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fencepost.timeline import Edge, Flow, Timeline
from fencepost.timeline.edges import edges_of
from tests.timeline.make import timeline, timelines

Named = tuple[str, str]


def named(made: Timeline) -> list[Named]:
    """Names of the spans and which edge, in order."""
    edges = edges_of(made)
    return [
        (made.activity_of(edges.spans[at]).name, "start" if edges.begins[at] else "end")
        for at in edges.order
    ]


def test_a_span_ends_before_the_next_one_starts() -> None:
    made = timeline({"a": [("x", 0, 5), ("y", 5, 9), ("in", 5, 9)]})
    assert named(made) == [
        ("x", "start"),
        ("x", "end"),
        ("y", "start"),
        ("in", "start"),
        ("in", "end"),
        ("y", "end"),
    ]


def test_the_edges_of_an_instant_follow_each_other() -> None:
    made = timeline({"a": [("x", 0, 5), ("1", 5, 5), ("2", 5, 5), ("y", 5, 7)]})
    assert [name for name, _ in named(made)] == ["x", "x", "y", "1", "1", "2", "2", "y"]


def test_signals_come_before_waits_also_in_a_chain() -> None:
    rows = {"a": [("wait", 0, 9)], "b": [("relay", 9, 9)], "c": [("work", 0, 9)]}
    flows = [Flow(1, 0, wait_edge=Edge.END), Flow(2, 1)]
    order = named(timeline(rows, flows))
    assert order[2:] == [("work", "end"), ("relay", "start"), ("relay", "end"), ("wait", "end")]


def test_a_circle_of_flows_is_no_endless_loop() -> None:
    rows = {"a": [("x", 0, 9)], "b": [("y", 0, 9)]}
    flows = [Flow(0, 1, wait_edge=Edge.END), Flow(1, 0, wait_edge=Edge.END)]
    assert [name for name, _ in named(timeline(rows, flows))] == ["x", "y", "x", "y"]


@given(timelines())
def test_all_edges_are_there_in_an_order_that_time_and_tracks_allow(made: Timeline) -> None:
    edges = edges_of(made)
    assert sorted(edges.order) == list(range(2 * len(made)))
    times = [edges.times[at] for at in edges.order]
    assert times == sorted(times)
    for track in range(len(made.tracks)):
        own = [at for at in edges.order if edges.tracks[at] == track]
        assert own == sorted(own)
        opened: list[int] = []
        for at in own:
            span = edges.spans[at]
            if edges.begins[at]:
                assert edges.times[at] == made.starts[span]
                opened.append(span)
            else:
                assert edges.times[at] == made.ends[span]
                assert opened.pop() == span
        assert opened == []


STRETCHES = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted)


@given(
    st.lists(STRETCHES, min_size=2, max_size=4),
    st.sampled_from(list(Edge)),
    st.sampled_from(list(Edge)),
)
def test_a_flow_between_tracks_never_runs_against_the_order(
    stretches: list[list[int]], signal_edge: Edge, wait_edge: Edge
) -> None:
    rows = {str(track): [("x", start, end)] for track, (start, end) in enumerate(stretches)}
    made = timeline(rows, [Flow(len(stretches) - 1, 0, signal_edge, wait_edge)])
    edges = edges_of(made)
    place = {
        (edges.spans[at], Edge.START if edges.begins[at] else Edge.END): number
        for number, at in enumerate(edges.order)
    }
    (flow,) = made.flows
    signal, wait = (flow.signal, flow.signal_edge), (flow.wait, flow.wait_edge)
    in_time = made.instant(*signal) <= made.instant(*wait)
    assert (place[signal] < place[wait]) == in_time
