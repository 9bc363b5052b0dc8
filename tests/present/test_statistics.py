"""Frame statistics: the seed's structure, its history of 17, its example of 16 frames."""

from __future__ import annotations

import dataclasses
import os
import re
from pathlib import Path

import pytest

from fencepost.errors import UsageProblem
from fencepost.present import FrameStatistics, Replay, frame_statistics
from fencepost.present.statistics import FIELDS, HISTORY
from tests.present.settled import play

DATA = os.environ.get("FENCEPOST_DATA", "")

FIGURE_4 = "cpu=16.2 gpu=15.4 bind=late"
TWO_CHAINS = (
    "cpu=1 gpu=1 presents=1,2 buffers=3 interval=4 plane2.buffers=3 plane2.interval=4 frames=60"
)
"""Both chains fill their queues: two frames each."""


def displayed(result: Replay, count: int) -> int:
    """The moment of the last of the first `count` flips."""
    return sorted(result.timeline.flip)[count - 1]


@pytest.mark.skipif(not DATA, reason="FENCEPOST_DATA is not set")
def test_fields_are_those_of_the_seed() -> None:
    page = (Path(DATA) / "seeds" / "003_ddde736732b7a827.txt").read_text(encoding="utf-8")
    body = page.partition("typedef struct _DXGIX_FRAME_STATISTICS")[2].partition("}")[0]
    members = re.findall(r"^\s*(UINT64|UINT32|FLOAT|VOID\*)\s+(\w+)(\[2\])?;", body, re.MULTILINE)
    assert [(name, kind + size) for kind, name, size in members] == [
        (row.api_name, row.api_type) for row in FIELDS
    ]


def test_fields_are_those_of_the_record() -> None:
    assert [row.name for row in FIELDS] == [
        item.name for item in dataclasses.fields(FrameStatistics)
    ]


def test_the_seeds_example() -> None:
    """The history holds 4 queued and 13 displayed; 16 asked for: 4 with VSyncCount 0, then 12."""
    result = play(TWO_CHAINS)
    moment = next(
        added
        for added in result.timeline.added
        if sum(flip <= added for flip in result.timeline.flip) == 14
        and sum(one <= added for one in result.timeline.added) == 18
    )
    for asked, displayed_then in ((16, 12), (17, 13)):
        found = frame_statistics(result, moment, asked)
        assert [item.vsync_count > 0 for item in found] == [False] * 4 + [True] * displayed_then


@pytest.mark.parametrize(("buffers", "most"), [(1, 1), (2, 1), (3, 2)])
def test_one_chain_queues_a_frame_less_than_it_has_buffers(buffers: int, most: int) -> None:
    result = play(f"cpu=1 gpu=1 interval=4 buffers={buffers}")
    lengths = {
        item.queue_length_added_to_queue
        for moment in result.timeline.added
        for item in frame_statistics(result, moment, HISTORY)
    }
    assert max(lengths) == most


def test_two_chains_of_three_buffers_queue_four() -> None:
    result = play(TWO_CHAINS)
    newest = [frame_statistics(result, moment, 1)[0] for moment in result.timeline.added]
    assert max(item.queue_length_added_to_queue for item in newest) == 4


def test_a_queued_frame_has_three_valid_fields() -> None:
    result = play(FIGURE_4)
    line = result.timeline
    (item,) = frame_statistics(result, line.added[100], 1, cookies=[(n, 0) for n in range(600)])
    assert item == FrameStatistics(line.called[100], line.added[100], 1)
    valid = {row.name for row in FIELDS if row.while_queued}
    assert valid == {row.name for row in FIELDS if getattr(item, row.name) not in (0, (0, 0))}


def test_a_displayed_frame_has_all_fields() -> None:
    result = play("cpu=10 gpu=17.17 buffers=3 threshold=50")
    line = result.timeline
    n = next(n for n in range(100, 600) if result.tear_line(n))
    queued = sum(added <= line.flip[n] for added in line.added)
    found = frame_statistics(result, line.flip[n], 17, cookies=[(n, -n) for n in range(600)])
    item = found[queued - 1 - n]
    assert item.cpu_time_present_called == line.called[n]
    assert item.cpu_time_added_to_queue == line.added[n]
    assert item.cpu_time_frame_complete == item.gpu_time_frame_complete == line.complete[n]
    assert item.gpu_count_title_used == 17_170_000_000
    assert item.gpu_count_system_used == 0
    assert (
        item.cpu_time_vsync
        == item.gpu_time_vsync
        == line.flip[n] // 16_666_666_667 * (16_666_666_667)
    )
    assert item.cpu_time_flip == item.gpu_time_flip == line.flip[n] > item.cpu_time_vsync
    assert item.vsync_count == line.flip[n] // 16_666_666_667 + 1
    late = item.cpu_time_flip - item.cpu_time_vsync
    assert item.percent_scanned == pytest.approx(100 * late / 16_666_666_667)
    assert 0 < item.percent_scanned <= 50
    assert item.cookie == (n, -n)


def test_newest_first_and_no_more_than_17() -> None:
    result = play(FIGURE_4)
    moment = displayed(result, 200)
    found = frame_statistics(result, moment, 100)
    called = [item.cpu_time_present_called for item in found]
    assert len(found) == HISTORY
    assert called == sorted(called, reverse=True)
    assert frame_statistics(result, moment, 5) == found[:5]


def test_as_many_as_there_are() -> None:
    result = play(FIGURE_4)
    assert frame_statistics(result, 0, 17) == []
    assert len(frame_statistics(result, result.timeline.added[2], 17)) == 3


def test_the_first_frame_of_all_is_no_queued_one() -> None:
    """A flip at time 0 is at a VSync that counts."""
    result = play("cpu=0 gpu=0 overhead=0")
    assert frame_statistics(result, 0, 17)[-1].vsync_count == 1


@pytest.mark.parametrize("frames", [0, -1])
def test_less_than_one_frame_is_refused(frames: int) -> None:
    with pytest.raises(UsageProblem, match=f"statistics of {frames} frames; expected 1 or more"):
        frame_statistics(play(FIGURE_4), 0, frames)


def test_a_cookie_short_is_refused() -> None:
    with pytest.raises(UsageProblem, match="1 cookies; expected 600"):
        frame_statistics(play(FIGURE_4), 0, 1, cookies=[(1, 2)])
