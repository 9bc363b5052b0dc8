"""Which tool wrote a table, told from its header; and what is known but is no record of frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from fencepost.present.captures.columns import OWN


class Dialect(NamedTuple):
    """A format: a header of it has all the names of `needs`, in lower case.

    Where `before` has two names, the first of them stands before the second.
    """

    name: str
    family: str
    needs: frozenset[str]
    before: tuple[str, str] | tuple[()]
    source: str


def _dialect(
    name: str, family: str, needs: str, source: str, before: tuple[str, str] | tuple[()] = ()
) -> Dialect:
    return Dialect(name, family, frozenset(needs.split("|")), before, source)


_VARIANTS = "presentation.md 2.1"

DIALECTS: tuple[Dialect, ...] = (
    _dialect("fencepost", OWN, "present_ps|between_presents_ps", "writing"),
    _dialect("FrameView", "frameview", "msbetweenpresents|render queue depth", _VARIANTS),
    _dialect(
        "PresentMon capture application",
        "presentmon",
        "msbetweenpresents|mscpubusy|psocompilecount",
        _VARIANTS,
    ),
    _dialect(
        "PresentMon capture application",
        "presentmon",
        "msbetweenpresents|mscpubusy|gpuutilization",
        _VARIANTS,
    ),
    _dialect("PresentMon 2.4", "presentmon", "msbetweenpresents|mscpubusy", _VARIANTS),
    _dialect("PresentMon 2.0", "presentmon 2", "swapchainaddress|cpubusy", _VARIANTS),
    _dialect("OCAT", "presentmon", "msbetweenpresents|motherboard", "presentation.md 2.3"),
    _dialect(
        "PresentMon 1.7",
        "presentmon",
        "msbetweenpresents|msinpresentapi",
        _VARIANTS,
        ("msinpresentapi", "msbetweenpresents"),
    ),
    _dialect(
        "PresentMon 1.0",
        "presentmon",
        "msbetweenpresents|allowstearing|presentflags",
        _VARIANTS,
        ("allowstearing", "presentflags"),
    ),
    _dialect("PresentMon 1.3", "presentmon", "msbetweenpresents|presentflags", _VARIANTS),
    _dialect("PresentMon", "presentmon", "msbetweenpresents", _VARIANTS),
    _dialect("PresentMon", "presentmon", "msinpresentapi", _VARIANTS),
    _dialect("PresentMon", "presentmon", "swapchainaddress|timeinseconds", _VARIANTS),
    _dialect("MangoHud", "mangohud", "fps|frametime", "presentation.md 2.3"),
)
"""In this order: the first that fits counts. A version is the first one with such a header."""


class Sampled(NamedTuple):
    """A log that says every now and then how fast it went: its rows are no frames."""

    pattern: re.Pattern[str]
    problem: str
    expected: str
    source: str


_EVERY_FRAME = "a log of every frame: PresentMon, FrameView, OCAT, CapFrameX or MangoHud"

SAMPLED: tuple[Sampled, ...] = (
    Sampled(
        re.compile(r"^\s*[0-9]+\s*,[^\n]*hardware monitoring log", re.IGNORECASE),
        "samples of MSI Afterburner, not frames: they say nothing about pacing or percentiles",
        _EVERY_FRAME,
        "presentation.md 2.3: record type 80, one a second",
    ),
    Sampled(
        re.compile(r"\bfps 1\(%\) low\b", re.IGNORECASE),
        "samples of NVIDIA App, not frames: they say nothing about pacing or percentiles",
        _EVERY_FRAME,
        "presentation.md 2.3: about one in 0.35 s",
    ),
    Sampled(
        re.compile(r"^[^\n]*\bos,cpu,gpu,ram,kernel\b[^\n]*\n[^\n]*(\n[0-9.,\s]*)?$"),
        "a MangoHud log whose columns have no names, as in 2020",
        "fps,frametime,...,elapsed above the rows",
        "presentation.md 2.3",
    ),
)


def dialect_of(names: Sequence[str]) -> Dialect | None:
    """The format of a header, whose names are in lower case; None where it is none."""
    have = frozenset(names)
    for dialect in DIALECTS:
        if dialect.needs <= have and _in_order(names, dialect.before):
            return dialect
    return None


def _in_order(names: Sequence[str], pair: tuple[str, ...]) -> bool:
    return not pair or names.index(pair[0]) < names.index(pair[1])


def sampled_of(head: str) -> Sampled | None:
    """The kind of sampled log that the first lines of a text are of, or None."""
    return next((row for row in SAMPLED if row.pattern.search(head)), None)
