"""How long CPU and GPU work on each frame, and which planes each present is for."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.errors import UsageProblem
from fencepost.present.units import LONGEST, shown

FIRST, SECOND, BOTH = 1, 2, 3
"""What a present is for: the lower plane, the upper one, or both together."""


@dataclass(frozen=True, slots=True)
class FrameTimes:
    """Picoseconds of CPU and GPU work of each present, in order; made by `frame_times`.

    `total` is the sum of all times, `planes` how many planes the presents need.
    """

    cpu: array[int]
    gpu: array[int]
    masks: array[int]
    total: int
    planes: int

    def __len__(self) -> int:
        return len(self.cpu)


def frame_times(
    cpu: Iterable[int], gpu: Iterable[int], masks: Iterable[int] | None = None
) -> FrameTimes:
    """Times in picoseconds; without `masks` every present is for the lowest plane.

    Raises `UsageProblem` for no frames, unequal numbers of them, and a time that is no integer,
    negative or over 1000 s.
    """
    cpu_times, gpu_times = _times("CPU time", cpu), _times("GPU time", gpu)
    count = len(cpu_times)
    planes = array("q", [FIRST]) * count if masks is None else _masks(masks)
    if not count:
        raise UsageProblem("no frames", expected="at least one")
    if not count == len(gpu_times) == len(planes):
        raise UsageProblem(
            f"{count} CPU times, {len(gpu_times)} GPU times, {len(planes)} presents",
            expected="as many of each",
        )
    total = sum(cpu_times) + sum(gpu_times)
    return FrameTimes(cpu_times, gpu_times, planes, total, 1 if max(planes) == FIRST else 2)


def constant(cpu: int, gpu: int, count: int) -> FrameTimes:
    """The same frame `count` times; times in picoseconds."""
    return frame_times([cpu] * count, [gpu] * count)


def _times(name: str, values: Iterable[int]) -> array[int]:
    times = _integers(name, values, "picoseconds")
    if times and not 0 <= min(times) <= max(times) <= LONGEST:
        frame = next(n for n, time in enumerate(times) if not 0 <= time <= LONGEST)
        raise UsageProblem(
            f"{name} of frame {frame} is {times[frame]} ps", expected=f"0 to {LONGEST} ps"
        )
    return times


def _masks(values: Iterable[int]) -> array[int]:
    masks = _integers("present", values, "planes")
    wrong = [n for n, mask in enumerate(masks) if mask not in (FIRST, SECOND, BOTH)]
    if wrong:
        raise UsageProblem(
            f"present {wrong[0]} is for planes {masks[wrong[0]]}",
            expected="1 (the lower), 2 (the upper) or 3 (both)",
        )
    return masks


def _integers(name: str, values: Iterable[int], unit: str) -> array[int]:
    items = values if isinstance(values, array) else list(values)
    try:
        return array("q", items)
    except (TypeError, OverflowError):
        frame = next(
            n for n, item in enumerate(items) if not isinstance(item, int) or item.bit_length() > 63
        )
        raise UsageProblem(
            f"{name} of frame {frame} is {shown(items[frame])}", expected=f"an integer of {unit}"
        ) from None
