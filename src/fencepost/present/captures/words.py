"""What is not a time: who presents, present modes, frame types, small integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from fencepost.present.captures.columns import Kind
from fencepost.present.captures.numbers import ABSENT
from fencepost.present.captures.table import APPLICATION, FRAME_TYPES, MISSING, PRESENT_MODES

LONGEST_NAME = 60
_DIGITS = 18


class Key(NamedTuple):
    """What tells swap chains apart."""

    application: str = ""
    process: int | None = None
    address: int | None = None
    runtime: str = ""
    part: str = ""


class Coder(dict[str, int]):
    """Remembers what a function makes of a text; `unknown` counts words that it did not know."""

    def __init__(self, read: Callable[[str], int | None]) -> None:
        super().__init__()
        self._read = read
        self.unknown = 0

    def __missing__(self, text: str) -> int:
        value = self._read(text.strip())
        if value is None:
            self.unknown += 1
            value = PRESENT_MODES.index("Other") if self._read is mode_of else _OTHER_TYPE
        self[text] = value
        return value


def count_of(text: str) -> int:
    """A small integer, `MISSING` for none and for -1; raises `ValueError` for what is none."""
    if text.lower() in ABSENT:
        return MISSING
    if len(text) > _DIGITS or not text.lstrip("+-").isdecimal():
        raise ValueError(text)
    value = int(text)
    return MISSING if value < 0 else value


def yes_of(text: str) -> int:
    """0 or 1, `MISSING` for none; raises `ValueError` for what is none."""
    low = text.lower()
    if low in ABSENT:
        return MISSING
    return _YES[low] if low in _YES else _neither(text)


def mode_of(text: str) -> int | None:
    """The place of a present mode in `PRESENT_MODES`, None for an unknown one."""
    low = text.lower()
    if low in ABSENT:
        return MISSING
    return _place(low, len(PRESENT_MODES)) if low.isdecimal() else _MODES.get(low)


def frame_type_of(text: str) -> int | None:
    """The place of a frame type in `FRAME_TYPES`, None for an unknown one."""
    low = text.lower().replace("_", " ")
    if low in ABSENT or low in _UNSET:
        return APPLICATION
    return _place(low, len(FRAME_TYPES)) if low.isdecimal() else _TYPES.get(low)


def _place(text: str, count: int) -> int | None:
    """A number that is a place in a list of words, or None."""
    return int(text) if len(text) < 3 and int(text) < count else None


def _neither(text: str) -> int:
    raise ValueError(text)


_YES = {"0": 0, "1": 1, "false": 0, "true": 1}
_MODES = {name.lower(): place for place, name in enumerate(PRESENT_MODES)}
_TYPES = {name.lower(): place for place, name in enumerate(FRAME_TYPES)}
_TYPES["intel xefg"] = FRAME_TYPES.index("Intel XeSS-FG")
_OTHER_TYPE = FRAME_TYPES.index("Other")
_UNSET = frozenset({"notset", "unspecified", "unknown"})

CODERS: dict[Kind, Callable[[str], int | None]] = {
    Kind.COUNT: count_of,
    Kind.YES: yes_of,
    Kind.MODE: mode_of,
    Kind.TYPE: frame_type_of,
}
"""How columns of few values are read."""

EXPECTED = {Kind.COUNT: "an integer or NA", Kind.YES: "0, 1 or NA"}
"""What such a column may have, for messages."""


def key_of(names: Iterable[str], texts: Sequence[str]) -> Key:
    """Who presents, from the columns that are there."""
    given = {name: text.strip() for name, text in zip(names, texts, strict=True)}
    return Key(
        application=file_name(given.get("application", "")),
        process=_integer(given.get("process", ""), 10),
        address=_integer(given.get("address", ""), 16),
        runtime=file_name(given.get("runtime", "")),
        part=file_name(given.get("part", "")),
    )


def file_name(text: str) -> str:
    """The last part of a path, printable and not endless; nothing where there is none."""
    name = text.strip().strip('"').replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _word("" if name.lower() in ABSENT or name.startswith("<") else name)


def _word(text: str) -> str:
    low = text.lower()
    cut = text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}..."
    return "" if low in ABSENT else "".join(char if char.isprintable() else "?" for char in cut)


def _integer(text: str, base: int) -> int | None:
    """A number of a process or an address of a swap chain; None where it is not said."""
    try:
        value = int(text, base) if text and len(text) <= _DIGITS + 2 else None
    except ValueError:
        return None
    return None if value is None or value < 0 else value
