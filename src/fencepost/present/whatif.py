"""What-ifs: other settings, and faster or slower work, for the same frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fencepost.errors import UsageProblem
from fencepost.present.frames import FrameTimes, frame_times
from fencepost.present.settings import Settings
from fencepost.present.units import LONGEST, PARTS, decimal_of, shown
from fencepost.present.words import change, fields_of, word_named

_SCALED = ("cpu", "gpu")
_PERCENT = re.compile(r"(.+)%")
_MOST = 1000


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Words as they were given, those that change settings, and millionths of CPU and GPU time."""

    words: tuple[str, ...]
    settings: tuple[str, ...]
    cpu: int = PARTS
    gpu: int = PARTS

    @property
    def name(self) -> str:
        """The words."""
        return " ".join(self.words)


class Contradiction(NamedTuple):
    """A field that is named although the settings leave it without effect."""

    field: str
    applies: Callable[[Settings], bool]
    problem: str
    expected: str


CONTRADICTIONS = (
    Contradiction(
        "threshold",
        lambda it: it.chain.interval == 0 < it.chain.threshold,
        "a threshold means nothing at interval 0, where every flip is at once",
        "interval=1 or more beside it",
    ),
    Contradiction(
        "threshold",
        lambda it: it.chain.buffers == 1 and it.chain.threshold > 0,
        "a threshold means nothing for a single buffer, which is always visible",
        "two or three buffers",
    ),
    Contradiction(
        "interval",
        lambda it: it.chain.buffers == 1 and it.chain.interval > 0,
        "an interval means nothing for a single buffer, which is always visible",
        "two or three buffers",
    ),
    Contradiction(
        "bind",
        lambda it: it.chain.buffers == 1,
        "nothing waits for a single buffer, wherever it is bound",
        "two or three buffers",
    ),
    Contradiction(
        "cap_point",
        lambda it: not it.cap,
        "cap-at without a cap",
        "cap=FPS beside it",
    ),
)


def parse_what_if(words: Iterable[str]) -> WhatIf:
    """Settings as `change` takes them, and `cpu=80%` or `gpu=120%` of each frame's own time.

    Raises `UsageProblem` for words that are unknown, given twice, or no setting of times.
    """
    given = tuple(word.strip() for word in words)
    if not given:
        raise UsageProblem("a what-if without settings", expected="SETTING=VALUE ...")
    scales: dict[str, int] = {}
    settings = []
    for word in given:
        name, _, text = word.partition("=")
        key = name.strip().lower()
        if key not in _SCALED:
            settings.append(word)
        elif key in scales:
            raise UsageProblem(f"{key} is given twice", expected="once")
        else:
            scales[key] = _scale(key, text.strip())
    fields_of(settings, others=_SCALED)
    for word in settings:
        row = word_named(word.partition("=")[0])
        if row.part == "plane":
            raise UsageProblem(
                f"{row.name} says where a plane is shown, which changes no times",
                expected="a setting that does",
            )
    return WhatIf(given, tuple(settings), **scales)


def _scale(name: str, text: str) -> int:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise UsageProblem(
            f"{name} is {shown(text)}", expected=f"a part of each frame's time, like {name}=80%"
        )
    number = decimal_of(match[1], name)
    if not 0 <= number <= _MOST:
        raise UsageProblem(f"{name} is {shown(text)}", expected=f"0 to {_MOST} %")
    return round(number * PARTS / 100)


def apply_what_if(what_if: WhatIf, settings: Settings) -> Settings:
    """The settings changed; raises `UsageProblem` that names the what-if."""
    try:
        changed = change(settings, what_if.settings)
        check_contradictions(what_if.settings, changed)
    except UsageProblem as problem:
        raise UsageProblem(
            f"what-if {shown(what_if.name)!r}: {problem.problem}", expected=problem.expected
        ) from None
    return changed


def check_contradictions(words: Sequence[str], settings: Settings) -> None:
    """Raises `UsageProblem` for words that make no sense together."""
    fields = fields_of(words)
    for row in CONTRADICTIONS:
        if row.field in fields and row.applies(settings):
            raise UsageProblem(row.problem, expected=row.expected)


def scaled(frames: FrameTimes, what_if: WhatIf) -> FrameTimes:
    """The frames with the parts of their times that the what-if asks for."""
    if what_if.cpu == what_if.gpu == PARTS:
        return frames
    return frame_times(
        (_part(time, what_if.cpu) for time in frames.cpu),
        (_part(time, what_if.gpu) for time in frames.gpu),
        frames.masks,
    )


def _part(time: int, parts: int) -> int:
    return min(time * parts // PARTS, LONGEST)
