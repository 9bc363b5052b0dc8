"""The trace is parsed by Perfetto's own definition of the format, and replayed as a viewer does."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.capture.traces import load_trace
from fencepost.report import protobuf
from fencepost.report.perfetto import write_perfetto
from fencepost.timeline import Activity, Edge, Flow, Timeline, TimelineBuilder, TrackKind, figures
from tests.timeline.make import timeline, timelines
from tests.timeline.test_figures import TWO
from tests.timeline.traces import needs_data, real

PROTOS: Any = importlib.import_module("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
UNKNOWN: Any = importlib.import_module("google.protobuf.unknown_fields")


def parsed(made: Timeline) -> Any:  # noqa: ANN401 - protobuf makes its classes at run time
    trace = PROTOS.Trace()
    trace.ParseFromString(write_perfetto(made))
    return trace


@dataclass
class Slice:
    """A slice as a viewer shows it."""

    track: str
    name: str
    category: str
    start: int
    depth: int
    annotations: dict[str, str]
    end: int = -1


@dataclass
class Viewer:
    """Takes packets one after the other and holds what the format asks of them."""

    names: dict[int, str] = field(default_factory=dict)
    categories: dict[int, str] = field(default_factory=dict)
    tracks: dict[int, Any] = field(default_factory=dict)
    opened: dict[int, list[Slice]] = field(default_factory=dict)
    slices: list[Slice] = field(default_factory=list)
    flows: dict[int, list[Slice]] = field(default_factory=dict)
    now: int = 0

    def take(self, packet: Any) -> None:  # noqa: ANN401
        assert packet.trusted_packet_sequence_id == 1
        if packet.HasField("interned_data"):
            assert packet.sequence_flags == 1
            data = packet.interned_data
            self.names = {item.iid: item.name for item in data.event_names}
            self.categories = {item.iid: item.name for item in data.event_categories}
        elif packet.HasField("track_descriptor"):
            descriptor = packet.track_descriptor
            assert descriptor.uuid not in self.tracks
            assert not descriptor.HasField("parent_uuid") or descriptor.parent_uuid in self.tracks
            self.tracks[descriptor.uuid] = descriptor
        else:
            assert packet.sequence_flags == 2
            assert packet.timestamp >= self.now
            self.now = packet.timestamp
            self.event(packet.track_event)

    def event(self, event: Any) -> None:  # noqa: ANN401
        assert event.track_uuid in self.tracks
        opened = self.opened.setdefault(event.track_uuid, [])
        if event.type == PROTOS.TrackEvent.TYPE_SLICE_BEGIN:
            (category,) = event.category_iids
            item = Slice(
                self.label(event.track_uuid),
                self.names[event.name_iid],
                self.categories[category],
                self.now,
                len(opened),
                {note.name: note.string_value for note in event.debug_annotations},
            )
            opened.append(item)
            self.slices.append(item)
        else:
            assert event.type == PROTOS.TrackEvent.TYPE_SLICE_END
            item = opened.pop()
            item.end = self.now
        for iid in (*event.flow_ids, *event.terminating_flow_ids):
            self.flows.setdefault(iid, []).append(item)

    def label(self, uuid: int) -> str:
        descriptor = self.tracks[uuid]
        parent = self.tracks[descriptor.parent_uuid]
        return f"{parent.name}/{descriptor.name}"


def viewed(made: Timeline) -> Viewer:
    viewer = Viewer()
    for packet in parsed(made).packet:
        viewer.take(packet)
    assert not any(viewer.opened.values())
    return viewer


def expected(made: Timeline) -> Iterator[Slice]:
    """The slices that the timeline asks for, in nanoseconds."""
    for span in made.spans():
        group = {TrackKind.QUEUE: "queues", TrackKind.ENGINE: "engines"}[span.track.kind]
        annotations = {"resources": ", ".join(span.activity.resources)}
        annotations |= {"waits": "yes"} if span.activity.waits else {}
        if not span.activity.resources:
            annotations.pop("resources")
        yield Slice(
            track=f"{span.track.group or group}/{span.track.name}",
            name=span.activity.name,
            category=span.activity.category,
            start=span.start // 1000,
            depth=span.depth,
            annotations=annotations | dict(span.activity.notes),
            end=span.end // 1000,
        )


def key(item: Slice) -> tuple[object, ...]:
    return (item.track, item.start, item.end, item.depth, item.name, str(item))


@given(timelines(scale=700))
def test_a_viewer_shows_the_timeline(made: Timeline) -> None:
    found = viewed(made)
    assert sorted(found.slices, key=key) == sorted(expected(made), key=key)
    assert len(found.slices) == len(made)


@given(timelines(scale=700))
def test_nothing_in_it_is_unknown_to_the_format(made: Timeline) -> None:
    def visit(message: Any) -> Iterator[int]:  # noqa: ANN401
        yield len(UNKNOWN.UnknownFieldSet(message))
        for descriptor, value in message.ListFields():
            if descriptor.message_type:
                for item in value if descriptor.is_repeated else [value]:
                    yield from visit(item)

    trace = parsed(made)
    assert sum(visit(trace)) == 0
    again = PROTOS.Trace()
    again.ParseFromString(trace.SerializeToString())
    assert again == trace


@given(timelines(scale=700))
def test_each_flow_ties_two_slices(made: Timeline) -> None:
    found = viewed(made)
    assert sorted(found.flows) == list(range(1, len(made.flows) + 1))
    slices = list(expected(made))
    for iid, flow in enumerate(made.flows, start=1):
        tied = sorted((replace(item) for item in found.flows[iid]), key=key)
        assert tied == sorted([slices[flow.signal], slices[flow.wait]], key=key)


def edges(made: Timeline) -> Counter[tuple[str, str]]:
    """How often a flow begins or ends at a begin or an end of a slice."""
    found: Counter[tuple[str, str]] = Counter()
    for packet in parsed(made).packet:
        event = packet.track_event
        edge = "start" if event.type == PROTOS.TrackEvent.TYPE_SLICE_BEGIN else "end"
        found["signal", edge] += len(event.flow_ids)
        found["wait", edge] += len(event.terminating_flow_ids)
    return +found


@pytest.mark.parametrize("signal", Edge)
@pytest.mark.parametrize("wait", Edge)
def test_a_flow_is_tied_to_its_edges(signal: Edge, wait: Edge) -> None:
    rows = {"a": [("x", 0, 10)], "b": [("y", 20, 30)]}
    made = timeline(rows, [Flow(0, 1, signal, wait)])
    assert edges(made) == {("signal", signal.value): 1, ("wait", wait.value): 1}


def test_a_signal_comes_before_the_wait_that_it_ends_at_the_same_time() -> None:
    """On the lower track too, which is written later."""
    made = timeline({"a": [("wait", 10, 20)], "b": [("signal", 0, 10)]}, [Flow(1, 0)])
    order = [
        "signal" if packet.track_event.flow_ids else "wait"
        for packet in parsed(made).packet
        if packet.track_event.flow_ids or packet.track_event.terminating_flow_ids
    ]
    assert order == ["signal", "wait"]


def test_an_arrow_is_drawn_for_every_flow_that_time_allows() -> None:
    """As trace_processor does it: the end of a flow that has not begun is dropped."""
    rows = {
        "me": [("wait a", 5, 10), ("wait b", 10, 10)],
        "pfp": [("wait c", 0, 10)],
        "gpu": [("draw", 0, 10), ("label", 10, 10)],
        "copy": [("too late", 11, 20)],
    }
    end = Edge.END
    flows = [Flow(3, 0, wait_edge=end), Flow(4, 1), Flow(1, 2, wait_edge=end), Flow(5, 0, end, end)]
    begun: set[int] = set()
    drawn: set[int] = set()
    made = timeline(rows, flows)
    for packet in parsed(made).packet:
        event = packet.track_event
        drawn.update(begun.intersection(event.terminating_flow_ids))
        begun.update(event.flow_ids)
    assert len(begun) == len(flows)
    late = [flow.signal == 5 for flow in made.flows].index(True) + 1
    assert drawn == begun - {late}


def test_tracks_stand_in_order_and_are_not_merged() -> None:
    builder = TimelineBuilder()
    builder.track("q", group="b")
    builder.track("q", group="b")
    builder.track("ME", TrackKind.ENGINE)
    found = [packet.track_descriptor for packet in parsed(builder.build("t")).packet[1:]]
    root, b, engines, first, second, me = found
    assert (root.name, b.name, engines.name) == ("fencepost", "b", "engines")
    assert (first.parent_uuid, second.parent_uuid, me.parent_uuid) == (b.uuid, b.uuid, engines.uuid)
    assert b.sibling_order_rank < engines.sibling_order_rank
    assert first.sibling_order_rank < second.sibling_order_rank
    descriptor = PROTOS.TrackDescriptor
    assert {item.child_ordering for item in found} == {descriptor.EXPLICIT}
    never = descriptor.SIBLING_MERGE_BEHAVIOR_NONE
    assert {item.sibling_merge_behavior for item in found[1:]} == {never}


def test_names_are_written_once() -> None:
    made = timeline({"a": [("a long name", at, at + 1) for at in range(100)]})
    assert write_perfetto(made).count(b"a long name") == 1


def test_an_activity_says_what_it_is() -> None:
    builder = TimelineBuilder()
    notes = (("caused by", "frame.fence:12"),)
    activity = builder.activity(Activity("draw", "work", ("gbuffer", "hdr"), notes, waits=True))
    builder.span(builder.track("gfx"), 0, 2000, activity)
    (item,) = viewed(builder.build("t")).slices
    assert item.annotations == {
        "resources": "gbuffer, hdr",
        "waits": "yes",
        "caused by": "frame.fence:12",
    }


def test_the_same_timeline_gives_the_same_bytes() -> None:
    assert write_perfetto(TWO) == write_perfetto(replace(TWO))


@needs_data
@pytest.mark.parametrize("beginning", ["trace_diff", "timeline_analysis", "critical_path__cuda"])
def test_a_real_trace_is_all_there(beginning: str) -> None:
    made = load_trace(real(beginning))
    found = viewed(made)
    assert len(found.slices) == len(made)
    assert len(found.flows) == len(made.flows)
    busy = Counter[str]()
    for item in found.slices:
        busy[item.track] += item.end - item.start
    for item_ in figures(made).tracks:
        track = made.tracks[item_.track]
        assert busy[f"{track.group}/{track.name}"] == item_.busy // 1000


@given(st.integers(0, 2**64 - 1))
def test_varints_are_those_of_protobuf(value: int) -> None:
    packet = PROTOS.TracePacket(timestamp=value)
    assert protobuf.number(8, value) == packet.SerializeToString()


@given(st.text(max_size=300), st.integers(0, 2**64 - 1))
def test_fields_are_those_of_protobuf(text: str, value: int) -> None:
    event = PROTOS.TrackEvent(name=text, flow_ids=[value])
    assert protobuf.text(23, text) + protobuf.fixed64(47, value) == event.SerializeToString()
