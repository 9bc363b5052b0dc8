"""A timeline as a native Perfetto trace: track events, a track for each queue and engine, flows.

Source of the numbers: Perfetto's `perfetto_trace.proto`. Times count from the timeline's start in
nanoseconds, the unit of the format; each instant is rounded down, so order and nesting stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fencepost.report.protobuf import data, fixed64, number, text, varint
from fencepost.timeline.edges import edges_of
from fencepost.timeline.table import Activity, Edge, Timeline, TrackKind
from fencepost.timeline.times import UNITS

TRACE_PACKET = 1

TIMESTAMP = 8
SEQUENCE = 10
TRACK_EVENT = 11
INTERNED = 12
SEQUENCE_FLAGS = 13
TRACK_DESCRIPTOR = 60

EVENT_ANNOTATION = 4
EVENT_TYPE = 9
EVENT_NAME = 10
EVENT_TRACK = 11
EVENT_CATEGORY = 3
EVENT_FLOW = 47
EVENT_FLOW_END = 48

SLICE_BEGIN = 1
SLICE_END = 2

ANNOTATION_NAME = 10
ANNOTATION_TEXT = 6
INTERNED_CATEGORY = 1
INTERNED_NAME = 2

UUID = 1
NAME = 2
PARENT = 5
CHILD_ORDER = 11
EXPLICIT = 3
RANK = 12
MERGING = 15
NEVER = 2

CLEARED = 1
NEEDED = 2
ONE_SEQUENCE = number(SEQUENCE, 1)
NANOSECOND = UNITS["ns"]

_PACKET = varint(TRACE_PACKET << 3 | 2)
_TIME = varint(TIMESTAMP << 3)

GROUPS = {TrackKind.QUEUE: "queues", TrackKind.ENGINE: "engines"}
"""What a group without a name is called."""


def write_perfetto(timeline: Timeline) -> bytes:
    """The trace as bytes, for ui.perfetto.dev and trace_processor; the same for the same input."""
    packets = [_opening(timeline), *_tracks(timeline), _events(timeline)]
    return b"".join(packets)


def _packet(*fields: bytes) -> bytes:
    return data(TRACE_PACKET, b"".join((*fields, ONE_SEQUENCE)))


def _opening(timeline: Timeline) -> bytes:
    """Every name and category, each with the number that events call it by, from 1."""
    names = _distinct(activity.name for activity in timeline.activities)
    categories = _distinct(activity.category for activity in timeline.activities)
    tables = [
        data(field, number(1, iid) + text(2, name))
        for field, words in ((INTERNED_CATEGORY, categories), (INTERNED_NAME, names))
        for name, iid in words.items()
    ]
    return _packet(number(SEQUENCE_FLAGS, CLEARED), data(INTERNED, b"".join(tables)))


def _distinct(words: Iterable[str]) -> dict[str, int]:
    return {word: iid for iid, word in enumerate(dict.fromkeys(words), start=1)}


def _tracks(timeline: Timeline) -> Iterator[bytes]:
    """A track for each group, in it the others; all stand in the order of the timeline."""
    groups = _distinct(track.group or GROUPS[track.kind] for track in timeline.tracks)
    root = len(timeline.tracks) + len(groups) + 1
    yield _track(root, "fencepost", 0, 0)
    for group, rank in groups.items():
        yield _track(len(timeline.tracks) + rank, group, root, rank)
    for uuid, track in enumerate(timeline.tracks, start=1):
        parent = len(timeline.tracks) + groups[track.group or GROUPS[track.kind]]
        yield _track(uuid, track.name, parent, uuid)


def _track(uuid: int, name: str, parent: int, rank: int) -> bytes:
    fields = [number(UUID, uuid), text(NAME, name)]
    if parent:
        fields += [number(PARENT, parent), number(RANK, rank), number(MERGING, NEVER)]
    fields.append(number(CHILD_ORDER, EXPLICIT))
    return _packet(data(TRACK_DESCRIPTOR, b"".join(fields)))


def _events(timeline: Timeline) -> bytes:
    """A packet for each start and each end, by time."""
    edges = edges_of(timeline)
    tails = _Tails(timeline)
    kinds = timeline.kinds
    out = bytearray()
    for at in edges.order:
        span, track = edges.spans[at], edges.tracks[at]
        tail = tails.begin(track, span, kinds[span]) if edges.begins[at] else tails.end(track, span)
        body = _TIME + varint(edges.times[at] // NANOSECOND) + tail
        out += _PACKET + varint(len(body)) + body
    return bytes(out)


class _Tails:
    """What follows the time in the packet of an edge; edges without flows share theirs."""

    def __init__(self, timeline: Timeline) -> None:
        self.begins = _begins(timeline)
        self.begin_flows = _flow_fields(timeline, Edge.START)
        self.end_flows = _flow_fields(timeline, Edge.END)
        self.known: dict[tuple[int, int], bytes] = {}

    def begin(self, track: int, place: int, kind: int) -> bytes:
        """Of the begin of a span."""
        return self._tail(track, kind, self.begin_flows.get(place, b""))

    def end(self, track: int, place: int) -> bytes:
        """Of the end of a span."""
        return self._tail(track, -1, self.end_flows.get(place, b""))

    def _tail(self, track: int, kind: int, flows: bytes) -> bytes:
        """`kind` is what begins, or -1."""
        known = None if flows else self.known.get((track, kind))
        if known is not None:
            return known
        what = self.begins[kind] if kind >= 0 else number(EVENT_TYPE, SLICE_END)
        event = data(TRACK_EVENT, what + number(EVENT_TRACK, track + 1) + flows)
        made = event + number(SEQUENCE_FLAGS, NEEDED) + ONE_SEQUENCE
        if not flows:
            self.known[track, kind] = made
        return made


def _begins(timeline: Timeline) -> list[bytes]:
    """For each activity the fields of an event that begins a slice of it."""
    names = _distinct(activity.name for activity in timeline.activities)
    categories = _distinct(activity.category for activity in timeline.activities)
    return [
        b"".join(
            (
                number(EVENT_TYPE, SLICE_BEGIN),
                number(EVENT_NAME, names[activity.name]),
                number(EVENT_CATEGORY, categories[activity.category]),
                *(
                    data(
                        EVENT_ANNOTATION, text(ANNOTATION_NAME, key) + text(ANNOTATION_TEXT, value)
                    )
                    for key, value in _annotations(activity)
                ),
            )
        )
        for activity in timeline.activities
    ]


def _annotations(activity: Activity) -> Iterator[tuple[str, str]]:
    if activity.resources:
        yield "resources", ", ".join(activity.resources)
    if activity.waits:
        yield "waits", "yes"
    yield from activity.notes


def _flow_fields(timeline: Timeline, edge: Edge) -> dict[int, bytes]:
    """For each span the fields that tie flows to that edge of it; flows are 1, 2 ..."""
    fields: dict[int, bytes] = {}
    for iid, flow in enumerate(timeline.flows, start=1):
        if flow.signal_edge is edge:
            fields[flow.signal] = fields.get(flow.signal, b"") + fixed64(EVENT_FLOW, iid)
        if flow.wait_edge is edge:
            fields[flow.wait] = fields.get(flow.wait, b"") + fixed64(EVENT_FLOW_END, iid)
    return fields
