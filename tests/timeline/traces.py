"""Traces for tests: small ones from rows, and the real ones."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from fencepost.capture.traces import read_trace
from fencepost.errors import FencepostError
from fencepost.timeline import Timeline

Json = dict[str, Any]

_DIRECTORY = os.environ.get("FENCEPOST_DATA", "")
TRACES = Path(_DIRECTORY or ".") / "captures" / "trace" / "hta"
needs_data = pytest.mark.skipif(not _DIRECTORY, reason="FENCEPOST_DATA is not set")


def real(beginning: str) -> Path:
    (path,) = TRACES.glob(f"{beginning}*")
    return path


def real_events(beginning: str) -> list[Json]:
    """The events of a real trace, as the standard library reads them."""
    with gzip.open(real(beginning), "rt", encoding="utf-8") as stream:
        events: list[Json] = json.load(stream)["traceEvents"]
    return events


def work(
    name: str, stream: int, ts: float, dur: float, call: int, cat: str = "kernel", device: int = 0
) -> Json:
    """Work on a stream, as Kineto writes it."""
    arguments = {"device": device, "stream": stream, "correlation": call}
    head = {"ph": "X", "cat": cat, "name": name, "pid": device, "tid": stream}
    return {**head, "ts": ts, "dur": dur, "args": arguments}


def wait(stream: int, call: int, on_stream: int, on_call: int, /, **other: object) -> Json:
    """A stream that is made to wait for an event, as Kineto writes it."""
    arguments = {
        "device": 0,
        "stream": stream,
        "correlation": call,
        "wait_on_stream": on_stream,
        "wait_on_cuda_event_record_corr_id": on_call,
        **other,
    }
    head = {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": stream}
    return {**head, "ts": 0, "dur": 0, "args": arguments}


def host(**fields: object) -> Json:
    """An event of the CPU."""
    return {
        "ph": "X",
        "cat": "cpu_op",
        "name": "op",
        "pid": 9,
        "tid": 9,
        "ts": 0,
        "dur": 9,
    } | fields


def slice_(name: str, ts: float, dur: float, /, **fields: object) -> Json:
    """A slice of anybody's trace."""
    return {"ph": "X", "name": name, "ts": ts, "dur": dur, "pid": 1, "tid": 1, **fields}


def event(ph: str, ts: float, **fields: object) -> Json:
    """Any event on the same thread."""
    return {"ph": ph, "ts": ts, "pid": 1, "tid": 1, **fields}


def encoded(events: list[Json], **beside: object) -> bytes:
    return json.dumps({"traceEvents": events, **beside}).encode("utf-8")


def read(events: list[Json], **beside: object) -> Timeline:
    return read_trace(encoded(events, **beside), "t.json")


def refused(data: bytes | list[Json]) -> str:
    """The error that a trace makes: one line that names the file."""
    with pytest.raises(FencepostError) as caught:
        read_trace(data if isinstance(data, bytes) else encoded(data), "t.json")
    text = str(caught.value)
    assert text.startswith("t.json:")
    assert "\n" not in text
    return text


def rows(timeline: Timeline) -> list[tuple[str, str, int, int]]:
    """Track, name, start and end of every span."""
    return [
        (span.track.label, span.activity.name, span.start, span.end) for span in timeline.spans()
    ]


def ties(timeline: Timeline) -> list[tuple[str, str]]:
    """The names of the spans that flows tie together."""
    return [
        (timeline.activity_of(flow.signal).name, timeline.activity_of(flow.wait).name)
        for flow in timeline.flows
    ]
