"""Traces of a simulation: read by Perfetto's own definition; the counts are those of JSON."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fencepost.capture.traces import load_trace
from tests.cli.run import run
from tests.cli.test_simulate_document import TEXTS
from tests.timeline.test_perfetto import PROTOS, Viewer

KINDS = ("spans", "stalls", "writes")


def traces(tmp_path: Path, name: str) -> tuple[dict[str, Any], Path, Path]:
    """The JSON of a simulation, and both its traces."""
    native, chrome = tmp_path / "native", tmp_path / "chrome.json"
    words = ("--format", "json", "--perfetto", native, "--chrome", chrome)
    result = run("simulate", "-", *words, stdin=TEXTS[name].encode())
    assert (result.code, result.err) == (0, "")
    return json.loads(result.raw), native, chrome


def viewed(path: Path) -> Viewer:
    trace = PROTOS.Trace()
    trace.ParseFromString(path.read_bytes())
    viewer = Viewer()
    for packet in trace.packet:
        viewer.take(packet)
    assert not any(viewer.opened.values())
    return viewer


def kickoffs(data: dict[str, Any]) -> int:
    return sum(signal["kind"] == "kickoff" for signal in data["signals"])


@pytest.mark.parametrize("name", TEXTS)
def test_everything_is_in_the_perfetto_trace(tmp_path: Path, name: str) -> None:
    data, native, _ = traces(tmp_path, name)
    viewer = viewed(native)
    found = Counter(item.category for item in viewer.slices)
    assert found["work"] + found["synchronization"] == len(data["spans"])
    assert found["stall"] == len(data["stalls"])
    assert found["value"] == len(data["writes"]) + kickoffs(data)
    assert len(viewer.flows) == len(data["signals"])
    ends = Counter((item.start, item.end) for item in viewer.slices if item.category == "stall")
    rows = data["stalls"]
    assert ends == Counter((row["start"] // 1000, row["end"] // 1000) for row in rows)
    groups = {item.track.split("/")[0] for item in viewer.slices}
    assert groups <= {queue["name"] for queue in data["queues"]}


@pytest.mark.parametrize("name", TEXTS)
def test_no_two_slices_of_a_track_overlap(tmp_path: Path, name: str) -> None:
    _, native, _ = traces(tmp_path, name)
    tracks: dict[str, list[tuple[int, int]]] = {}
    for item in viewed(native).slices:
        tracks.setdefault(item.track, []).append((item.start, item.end))
    for spans in tracks.values():
        spans.sort()
        assert all(one[1] <= two[0] for one, two in pairwise(spans))


@pytest.mark.parametrize("name", TEXTS)
def test_the_chrome_trace_is_the_same_timeline_to_the_picosecond(tmp_path: Path, name: str) -> None:
    data, _, chrome = traces(tmp_path, name)
    again = load_trace(str(chrome))
    spans = Counter((again.starts[n], again.ends[n]) for n in range(len(again)))
    rows = Counter((r["start"], r["end"]) for key in ("spans", "stalls") for r in data[key])
    rows += Counter((row["sent"], row["time"]) for row in data["writes"])
    rows += Counter((s["time"], s["time"]) for s in data["signals"] if s["kind"] == "kickoff")
    assert spans == rows
    assert len(again.flows) == len(data["signals"])


def test_an_arrow_leads_from_the_value_to_the_wait(tmp_path: Path) -> None:
    data, native, _ = traces(tmp_path, "frame")
    viewer = viewed(native)
    assert len(data["signals"]) == 3
    for tied in viewer.flows.values():
        value, wait = sorted(tied, key=lambda item: item.end)
        assert value.category == "value"
        assert wait.category == "stall"
        assert wait.name.startswith("fence: wait")
        assert value.name.split(" = ")[0] in wait.name


def test_stalls_say_why(tmp_path: Path) -> None:
    _, native, _ = traces(tmp_path, "frame")
    stalls = [item for item in viewed(native).slices if item.category == "stall"]
    (flush,) = [item for item in stalls if item.name.startswith("partial-flush")]
    assert flush.annotations["waits for"] == "lighting"
    assert flush.annotations["waits"] == "yes"
    assert flush.annotations["place"].startswith("<stdin>:")
    assert flush.annotations["command"] == "flush ps"
