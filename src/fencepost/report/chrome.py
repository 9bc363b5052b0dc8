"""A timeline as Chrome trace events, for chrome://tracing, Perfetto and Speedscope.

Source of the format: "Trace Event Format" of the Chromium project. Times have all their digits, so
that `fencepost timeline` reads the same timeline back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from fencepost._version import __version__
from fencepost.timeline.table import Activity, Edge, Timeline
from fencepost.timeline.times import exact

FORMAT = "fencepost.timeline"
VERSION = 1


def write_chrome(timeline: Timeline) -> bytes:
    """The trace as UTF-8 JSON, an event a line. A process stands for a group of tracks."""
    head = {
        "format": FORMAT,
        "version": VERSION,
        "writer": f"fencepost {__version__}",
        "origin_ps": timeline.origin,
    }
    threads = _threads(timeline)
    lines = [*_names(timeline), *_slices(timeline, threads), *_flows(timeline, threads)]
    return b"".join(
        (
            b'{"displayTimeUnit":"ns","otherData":',
            msgspec.json.encode(head),
            b',"traceEvents":[\n',
            ",\n".join(lines).encode("utf-8"),
            b"\n]}\n",
        )
    )


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode("utf-8")


def _processes(timeline: Timeline) -> dict[str, int]:
    """Group -> pid, from 1 in the order of the tracks."""
    groups = dict.fromkeys(track.group for track in timeline.tracks)
    return {group: pid for pid, group in enumerate(groups, start=1)}


def _threads(timeline: Timeline) -> list[str]:
    """The fields that say which track an event is on."""
    processes = _processes(timeline)
    return [
        f'"pid":{processes[track.group]},"tid":{tid}'
        for tid, track in enumerate(timeline.tracks, start=1)
    ]


def _names(timeline: Timeline) -> Iterator[str]:
    processes = _processes(timeline)
    for group, pid in processes.items():
        yield _metadata("process_name", pid, 0, {"name": group or "fencepost"})
        yield _metadata("process_sort_index", pid, 0, {"sort_index": pid})
    for tid, track in enumerate(timeline.tracks, start=1):
        pid = processes[track.group]
        names = {"name": track.name, "kind": track.kind.value, "group": track.group}
        yield _metadata("thread_name", pid, tid, names)
        yield _metadata("thread_sort_index", pid, tid, {"sort_index": tid})


def _metadata(name: str, pid: int, tid: int, arguments: Mapping[str, object]) -> str:
    return f'{{"ph":"M","pid":{pid},"tid":{tid},"name":"{name}","args":{_json(arguments)}}}'


def _slices(timeline: Timeline, threads: Sequence[str]) -> Iterator[str]:
    """The spans in the order of the table, which flows count."""
    heads = [_activity(activity) for activity in timeline.activities]
    starts, ends, kinds = timeline.starts, timeline.ends, timeline.kinds
    for track, thread in enumerate(threads):
        for place in timeline.on_track(track):
            start, end = starts[place], ends[place]
            times = f'"ts":{exact(start, "us")},"dur":{exact(end - start, "us")}'
            yield f'{{"ph":"X",{thread},{times},{heads[kinds[place]]}}}'


def _activity(activity: Activity) -> str:
    """The fields of an event that say what it is."""
    arguments: dict[str, object] = {}
    if activity.resources:
        arguments["resources"] = activity.resources
    if activity.waits:
        arguments["waits"] = True
    if activity.notes:
        arguments["notes"] = dict(activity.notes)
    fields = [f'"name":{_json(activity.name)}']
    if activity.category:
        fields.append(f'"cat":{_json(activity.category)}')
    if arguments:
        fields.append(f'"args":{_json(arguments)}')
    return ",".join(fields)


def _flows(timeline: Timeline, threads: Sequence[str]) -> Iterator[str]:
    for number, flow in enumerate(timeline.flows, start=1):
        common = f'"id":{number},"name":{_json(flow.name)},"cat":"flow"'
        signal = _instant(timeline, threads, flow.signal, flow.signal_edge)
        wait = _instant(timeline, threads, flow.wait, flow.wait_edge)
        yield f'{{"ph":"s",{common},{signal}}}'
        yield f'{{"ph":"f","bp":"e",{common},{wait}}}'


def _instant(timeline: Timeline, threads: Sequence[str], span: int, edge: Edge) -> str:
    """One end of a flow; viewers want it within its slice, so an end lies a picosecond before."""
    time = timeline.instant(span, edge)
    if edge is Edge.END and time > timeline.starts[span]:
        time -= 1
    arguments = _json({"span": span, "edge": edge.value})
    return f'{threads[timeline.track_of(span)]},"ts":{exact(time, "us")},"args":{arguments}'
