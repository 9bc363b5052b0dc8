"""Settings as words: `buffers=3 bind=late vrr`, as the command line and files give them.

Every word is a row: what it sets, how its value is read, its other names, its source.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import Any, NamedTuple

from fencepost.errors import UsageProblem
from fencepost.present.settings import (
    EARLY,
    LATE,
    CapPoint,
    Compositor,
    Mode,
    Plane,
    Settings,
)
from fencepost.present.units import milliseconds, parts_of, period_of, shown

Reader = Callable[[str, str], object]
"""Name and text to a value; raises `UsageProblem`."""

Changes = dict[tuple[str, int], dict[str, Any]]
"""Part and plane to the fields that change."""


def read_integer(name: str, text: str) -> int:
    """A whole number; raises `UsageProblem`."""
    try:
        return int(text)
    except ValueError:
        raise UsageProblem(f"{name} is {shown(text)}", expected="an integer") from None


def _switch(name: str, text: str) -> bool:
    if text not in {"", "on", "off"}:
        raise UsageProblem(f"{name} is {shown(text)}", expected="on or off")
    return text != "off"


def _one_of(kind: type[Enum]) -> Reader:
    def read(name: str, text: str) -> object:
        values = [item.value for item in kind]
        if text not in values:
            raise UsageProblem(f"{name} is {shown(text)}", expected=", ".join(values))
        return kind(text)

    return read


def _bind(name: str, text: str) -> int:
    named = {"early": EARLY, "late": LATE}
    return named[text] if text in named else parts_of(text, name)


def _part(name: str, text: str) -> int:
    return parts_of(text, name)


def _time(name: str, text: str) -> int:
    return milliseconds(text, name)


def _rate(name: str, text: str) -> int:
    return period_of(text, name)


def _rate_or_off(name: str, text: str) -> int:
    return 0 if text == "off" else period_of(text, name)


def _slowest(name: str, text: str) -> int:
    return _rate_or_off(name, text or "1")


def _limit(name: str, text: str) -> int | None:
    return None if text == "off" else read_integer(name, text)


class Word(NamedTuple):
    """A setting: the part it belongs to and its field there."""

    name: str
    part: str
    field: str
    read: Reader
    source: str
    aliases: tuple[str, ...] = ()


_IMMEDIATE = "presentation.md 5: the call's own name for seed 003's PresentIntervalThreshold"

WORDS = (
    Word("buffers", "chain", "buffers", read_integer, 'seed 003 "Introduction"'),
    Word("bind", "chain", "bind", _bind, 'seed 003 "Scenario C"'),
    Word("interval", "chain", "interval", read_integer, "seed 003", ("SyncInterval",)),
    Word(
        "threshold",
        "chain",
        "threshold",
        read_integer,
        _IMMEDIATE,
        ("PresentIntervalThreshold", "PresentImmediateThreshold"),
    ),
    Word("uav", "chain", "bound_as_uav", _switch, 'seed 003 "Scenario B"'),
    Word("x", "plane", "x", read_integer, "presentation.md 5"),
    Word("y", "plane", "y", read_integer, "presentation.md 5"),
    Word("width", "plane", "width", read_integer, "presentation 8"),
    Word("height", "plane", "height", read_integer, "presentation 8"),
    Word("scale-x", "plane", "scale_x", read_integer, "presentation.md 5", ("ScaleFactorHorz",)),
    Word("scale-y", "plane", "scale_y", read_integer, "presentation.md 5", ("ScaleFactorVert",)),
    Word("opacity", "plane", "opacity", read_integer, "presentation 8"),
    Word("refresh", "display", "refresh", _rate, "hertz"),
    Word("vrr", "display", "longest", _slowest, "presentation 7.1: hertz at least, or off"),
    Word("lines", "display", "lines", read_integer, "presentation 4.7"),
    Word("compositor", "display", "compositor", _one_of(Compositor), "presentation 7.5"),
    Word("mode", "settings", "mode", _one_of(Mode), "presentation 6"),
    Word("overhead", "settings", "overhead", _time, "presentation 5: milliseconds"),
    Word("kickoff", "settings", "kickoff", _part, "presentation 2.2"),
    Word("throttle", "settings", "swap_throttle", _switch, 'seed 003 "Scenario A"'),
    Word("in-flight", "settings", "frames_in_flight", _limit, "presentation 7.4"),
    Word("latency", "settings", "latency", _limit, "presentation 7.3"),
    Word("waitable", "settings", "waitable", _switch, "presentation 7.3"),
    Word("cap", "settings", "cap", _rate_or_off, "presentation 7.2: frames a second, or off"),
    Word("cap-at", "settings", "cap_point", _one_of(CapPoint), "presentation 7.2"),
    Word("start", "settings", "start", _time, "presentation 4.1: milliseconds after a VSync"),
)

_BY_NAME = {name.lower(): word for word in WORDS for name in (word.name, *word.aliases)}
_PLANES = {"plane1": 0, "plane2": 1}


def change(settings: Settings, words: Iterable[str], others: Iterable[str] = ()) -> Settings:
    """The settings changed by words such as `buffers=3` or `plane2.interval=2`.

    A first word for plane 2 adds it. Raises `UsageProblem` for a word that is unknown, given twice,
    or has a bad value; `others` are words that would be known beside settings.
    """
    changes: Changes = {}
    planes = len(settings.planes)
    for item in words:
        name, _, text = item.partition("=")
        word, plane = _find(name.strip(), others)
        part = changes.setdefault((word.part, plane), {})
        if word.field in part:
            raise UsageProblem(f"{word.name} is given twice", expected="once")
        part[word.field] = word.read(word.name, text.strip())
        planes = max(planes, plane + 1)
    return _apply(settings, planes, changes)


def fields_of(words: Iterable[str], others: Iterable[str] = ()) -> set[str]:
    """The fields that words set, of whatever plane.

    Raises `UsageProblem` for unknown ones; `others` are words that would be known beside settings.
    """
    return {_find(item.partition("=")[0].strip(), others)[0].field for item in words}


def word_named(name: str) -> Word:
    """The setting of a name, `plane2.` before it or not; raises `UsageProblem`."""
    return _find(name.strip())[0]


def _find(name: str, others: Iterable[str] = ()) -> tuple[Word, int]:
    prefix, dot, rest = name.lower().rpartition(".")
    word = _BY_NAME.get(rest)
    of_plane = word is not None and word.part in {"chain", "plane"}
    if word is None or (dot and not (of_plane and prefix in _PLANES)):
        names = {known: row.name for known, row in _BY_NAME.items()} | {it: it for it in others}
        meant = difflib.get_close_matches(rest[:100], names, 1) if word is None else []
        hint = f" (did you mean '{names[meant[0]]}'?)" if meant else ""
        known = ", ".join([*others, *(row.name for row in WORDS)])
        raise UsageProblem(f"unknown setting {shown(name)!r}{hint}", expected=f"one of {known}")
    return word, _PLANES.get(prefix, 0)


def _apply(settings: Settings, planes: int, changes: Changes) -> Settings:
    made = []
    for number in range(planes):
        plane = settings.planes[number] if number < len(settings.planes) else Plane()
        chain = replace(plane.chain, **changes.get(("chain", number), {}))
        made.append(replace(plane, chain=chain, **changes.get(("plane", number), {})))
    display = replace(settings.display, **changes.get(("display", 0), {}))
    others = changes.get(("settings", 0), {})
    return replace(settings, planes=tuple(made), display=display, **others)


def words_of(text: str) -> list[str]:
    """The words of a text: blanks and lines between, comments from `#` to the end of a line."""
    return [word for line in text.splitlines() for word in line.partition("#")[0].split()]
