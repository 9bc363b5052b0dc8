"""The presentation queue, compiled and interpreted: the same moments, integer for integer."""

from __future__ import annotations

import importlib
from array import array
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from fencepost.present import FrameTimes, Settings, frame_times, replay
from tests.kernels.twice import compiled, interpreted
from tests.present.strategies import frames, settings

CALLER = importlib.import_module("fencepost.present.replay")
KERNEL = "fencepost.present.recurrence"
TAKEN = ("Chain", "Cpu", "Screen", "Timeline", "run")
CASES = st.integers(1, 2).flatmap(lambda n: st.tuples(frames(planes=n), settings(planes=n)))


def moments(kernel: ModuleType, times: FrameTimes, setting: Settings) -> dict[str, array[int]]:
    """Every column of the timeline."""
    with pytest.MonkeyPatch.context() as patch:
        for name in TAKEN:
            patch.setattr(CALLER, name, getattr(kernel, name))
        line = replay(times, setting).timeline
    names = ("start", "called", "added", "begun", "reached", "bound", "drawn", "complete", "flip")
    return {name: getattr(line, name) for name in (*names, "scan_begin", "scan_count")}


@given(CASES)
@limits(max_examples=120)
def test_both_forms_say_the_same(case: tuple[FrameTimes, Settings]) -> None:
    assert moments(compiled(KERNEL), *case) == moments(interpreted(KERNEL), *case)


def test_both_forms_say_the_same_at_the_end_of_time() -> None:
    longest = 10**15
    times = frame_times([longest] * 2_000, [longest] * 2_000)
    found = [moments(form(KERNEL), times, Settings()) for form in (compiled, interpreted)]
    assert found[0] == found[1]
    assert max(found[0]["flip"]) > 1 << 60


@given(st.integers(0, 1 << 62), st.integers(0, 1_000_000))
def test_a_part_is_rounded_down_and_stays_within_64_bits(time: int, parts: int) -> None:
    both = {form(KERNEL).part(time, parts) for form in (compiled, interpreted)}
    assert both == {time // 1_000_000 * parts + time % 1_000_000 * parts // 1_000_000}
