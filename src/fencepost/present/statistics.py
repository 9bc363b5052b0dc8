"""Frame statistics as the title sees them while it runs (seed 003 "Present frame statistics").

The structure of DXGIXGetFrameStatistics, field for field; what a field means beyond its name is
our reading (presentation 9).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fencepost.errors import UsageProblem
from fencepost.present.replay import Replay

HISTORY = 17
"""Queued and displayed frames that are remembered (seed 003)."""


@dataclass(frozen=True, slots=True)
class FrameStatistics:
    """DXGIX_FRAME_STATISTICS; times and counts in picoseconds, 0 where nothing is known."""

    cpu_time_present_called: int
    cpu_time_added_to_queue: int
    queue_length_added_to_queue: int
    cpu_time_frame_complete: int = 0
    gpu_time_frame_complete: int = 0
    gpu_count_title_used: int = 0
    gpu_count_system_used: int = 0
    cpu_time_vsync: int = 0
    gpu_time_vsync: int = 0
    cpu_time_flip: int = 0
    gpu_time_flip: int = 0
    vsync_count: int = 0
    percent_scanned: float = 0.0
    cookie: tuple[int, int] = (0, 0)


class Field(NamedTuple):
    """A field: ours, the structure's name and type, and whether it is valid while queued."""

    name: str
    api_name: str
    api_type: str
    while_queued: bool


FIELDS = (
    Field("cpu_time_present_called", "CPUTimePresentCalled", "UINT64", while_queued=True),
    Field("cpu_time_added_to_queue", "CPUTimeAddedToQueue", "UINT64", while_queued=True),
    Field("queue_length_added_to_queue", "QueueLengthAddedToQueue", "UINT32", while_queued=True),
    Field("cpu_time_frame_complete", "CPUTimeFrameComplete", "UINT64", while_queued=False),
    Field("gpu_time_frame_complete", "GPUTimeFrameComplete", "UINT64", while_queued=False),
    Field("gpu_count_title_used", "GPUCountTitleUsed", "UINT64", while_queued=False),
    Field("gpu_count_system_used", "GPUCountSystemUsed", "UINT64", while_queued=False),
    Field("cpu_time_vsync", "CPUTimeVSync", "UINT64", while_queued=False),
    Field("gpu_time_vsync", "GPUTimeVSync", "UINT64", while_queued=False),
    Field("cpu_time_flip", "CPUTimeFlip", "UINT64", while_queued=False),
    Field("gpu_time_flip", "GPUTimeFlip", "UINT64", while_queued=False),
    Field("vsync_count", "VSyncCount", "UINT64", while_queued=False),
    Field("percent_scanned", "PercentScanned", "FLOAT", while_queued=False),
    Field("cookie", "Cookie", "VOID*[2]", while_queued=False),
)


def frame_statistics(
    replay: Replay, moment: int, frames: int, cookies: Sequence[tuple[int, int]] = ()
) -> list[FrameStatistics]:
    """What DXGIXGetFrameStatistics tells at `moment`: newest first, at most 17.

    `cookies` holds one pair a present, one of each plane. Raises `UsageProblem` for less than one
    frame, and for cookies that are not as many as presents.
    """
    if frames < 1:
        raise UsageProblem(f"statistics of {frames} frames", expected="1 or more")
    if cookies and len(cookies) != len(replay):
        raise UsageProblem(f"{len(cookies)} cookies", expected=f"{len(replay)}, one a present")
    queued = bisect_right(replay.timeline.added, moment)
    oldest = max(0, queued - min(frames, HISTORY))
    return [
        _statistics(replay, present, moment, cookies[present] if cookies else (0, 0))
        for present in range(queued - 1, oldest - 1, -1)
    ]


def _statistics(
    replay: Replay, present: int, moment: int, cookie: tuple[int, int]
) -> FrameStatistics:
    line = replay.timeline
    called, added = line.called[present], line.added[present]
    length = _queue_length(replay, present)
    if line.flip[present] > moment:
        return FrameStatistics(called, added, length)
    complete, vsync, flip = line.complete[present], line.scan_begin[present], line.flip[present]
    return FrameStatistics(
        cpu_time_present_called=called,
        cpu_time_added_to_queue=added,
        queue_length_added_to_queue=length,
        cpu_time_frame_complete=complete,
        gpu_time_frame_complete=complete,
        gpu_count_title_used=replay.frames.gpu[present],
        cpu_time_vsync=vsync,
        gpu_time_vsync=vsync,
        cpu_time_flip=flip,
        gpu_time_flip=flip,
        vsync_count=line.scan_count[present] + 1,
        percent_scanned=replay.percent_scanned(present),
        cookie=cookie,
    )


def _queue_length(replay: Replay, present: int) -> int:
    """Frames in the queue once this one is in it, itself included."""
    line = replay.timeline
    added = line.added[present]
    length, unseen = 1, (1 << len(replay.settings.planes)) - 1
    for before in range(present - 1, -1, -1):
        if line.flip[before] > added:
            length += 1
        else:
            unseen &= ~replay.frames.masks[before]  # flips of a plane are in order
        if not unseen:
            break
    return length
