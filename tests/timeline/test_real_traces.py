"""The real traces, against figures that are computed here from their JSON in another way."""

from __future__ import annotations

from collections import defaultdict

import pytest

from fencepost.capture.traces import load_trace
from fencepost.timeline import Timeline, figures
from tests.timeline.brute import Stretch, overlap_by_depth
from tests.timeline.traces import needs_data, real, real_events, ties

pytestmark = needs_data

MICROSECOND = 10**6
BEGINNINGS = (
    "amd_trace",
    "critical_path__alexnet",
    "critical_path__cuda_event",
    "timeline_analysis",
    "trace_diff",
)
WORK = {"kernel", "gpu_memcpy", "gpu_memset"}


def load(beginning: str) -> Timeline:
    return load_trace(real(beginning))


@pytest.mark.parametrize(
    ("beginning", "busy", "share"),
    [("trace_diff", 388_587, "26.77"), ("timeline_analysis", 547_656, "10.99")],
)
def test_the_share_of_busy_time_in_which_streams_overlap(
    beginning: str, busy: int, share: str
) -> None:
    found = figures(load(beginning))
    assert found.busy == busy * MICROSECOND
    assert f"{found.overlap_share * 100:.2f}" == share


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_it_is_the_share_that_a_running_depth_gives(beginning: str) -> None:
    stretches: dict[tuple[int, int], list[Stretch]] = defaultdict(list)
    for event in real_events(beginning):
        if event.get("cat") in WORK:
            start = round(event["ts"] * 1000)  # nanoseconds: all that these traces resolve
            stream = (event["args"]["device"], event["args"]["stream"])
            stretches[stream].append((start, start + round(event["dur"] * 1000)))
    made = load(beginning)
    found = figures(made)
    assert (found.busy, found.overlapped) == tuple(
        1000 * time for time in overlap_by_depth(stretches.values())
    )
    assert len(made) == sum(map(len, stretches.values()))
    labels = [f"device {device} stream {stream}" for device, stream in sorted(stretches)]
    assert [track.label for track in made.tracks] == labels
    for item, stream in zip(found.tracks, sorted(stretches), strict=True):
        assert item.busy == 1000 * sum(end - start for start, end in stretches[stream])


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_no_slice_of_a_stream_lies_on_another(beginning: str) -> None:
    assert set(load(beginning).depths) == {0}


def test_the_event_wait_is_a_flow() -> None:
    made = load("critical_path__cuda_event")
    assert ties(made) == [("ampere_sgemm_128x64_nn", "Memset (Device)")]
    (flow,) = made.flows
    signal, wait = made.span(flow.signal), made.span(flow.wait)
    assert (signal.track.label, wait.track.label) == ("device 0 stream 20", "device 0 stream 24")
    assert signal.end <= wait.start
    assert figures(made).backward == 0


def test_waits_for_streams_without_work_are_counted() -> None:
    made = load("critical_path__alexnet")
    assert len(made.flows) == 6
    assert [note for note in made.notes if note.startswith("14 of 20 stream waits")]
    (longest, *_) = figures(made).gaps
    assert longest.waits_for is not None
    assert "max_pool_forward" in made.activity_of(longest.waits_for.signal).name


def test_nothing_of_the_host_is_kept() -> None:
    made = load("amd_trace")
    assert {activity.category for activity in made.activities} == {"kernel", "gpu_memcpy"}
    assert made.origin == 4203669603454206 * 1000
    assert [note for note in made.notes if "70 cpu_op" in note]
