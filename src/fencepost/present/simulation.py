"""Frames that no capture shows: times and settings as words (`cpu=16.2 gpu=15.4 buffers=2`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.errors import UsageProblem
from fencepost.present.distributions import distribution_of
from fencepost.present.frames import BOTH, FIRST, SECOND, FrameTimes, frame_times
from fencepost.present.settings import Settings
from fencepost.present.units import require_range, shown
from fencepost.present.words import change, read_integer

PRESENTS = {"1": FIRST, "2": SECOND, "both": BOTH}
"""What a present is for: the lower plane, the upper one, both together."""

DEFAULTS = {"frames": "600", "seed": "0", "presents": "1"}
_NAMES = frozenset({"cpu", "gpu", *DEFAULTS})
_MOST_FRAMES = 10_000_000


@dataclass(frozen=True, slots=True)
class Simulation:
    """Frame times and the settings to play them under."""

    frames: FrameTimes
    settings: Settings


def simulation_of(words: Iterable[str]) -> Simulation:
    """Frames and settings of words: those of `change`, and five of its own.

    `cpu`, `gpu`: times or distributions, in milliseconds; `frames`: how many; `seed`; `presents`:
    the planes in turn (`both`, `1,2,2`). Raises `UsageProblem`.
    """
    given, others = _split(words)
    count = read_integer("frames", given["frames"])
    require_range("frames", count, 1, _MOST_FRAMES)
    frames = frame_times(
        cpu=_times("cpu", given, count),
        gpu=_times("gpu", given, count),
        masks=_masks(given["presents"], count),
    )
    return Simulation(frames, change(Settings(), others, sorted(_NAMES)))


def _split(words: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    given: dict[str, str] = {}
    others = []
    for item in words:
        name, _, text = item.partition("=")
        key = name.strip().lower()
        if key not in _NAMES:
            others.append(item)
        elif key in given:
            raise UsageProblem(f"{key} is given twice", expected="once")
        else:
            given[key] = text.strip()
    return {**DEFAULTS, **given}, others


def _times(name: str, given: dict[str, str], count: int) -> list[int]:
    if name not in given:
        raise UsageProblem(f"no {name} time", expected=f"{name}=MILLISECONDS")
    seed = read_integer("seed", given["seed"])
    return distribution_of(given[name], name).draw(count, f"{seed} {name}")


def _masks(text: str, count: int) -> list[int]:
    turns = text.split(",")
    unknown = [turn for turn in turns if turn not in PRESENTS]
    if unknown:
        raise UsageProblem(
            f"presents is {shown(text)}", expected="1, 2 or both, with commas between"
        )
    return ([PRESENTS[turn] for turn in turns] * (count // len(turns) + 1))[:count]
