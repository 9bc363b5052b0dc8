"""Settings as the words that `change` reads."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from fencepost.present.settings import EARLY, LATE, Settings
from fencepost.present.units import PARTS, PICOSECONDS
from fencepost.present.words import WORDS, Word

ALWAYS = frozenset({"buffers", "interval", "refresh", "overhead"})
"""Words that are written although they have their default."""

RATES = frozenset({"refresh", "vrr", "cap"})
TIMES = frozenset({"overhead", "start"})
FRACTIONS = frozenset({"kickoff", "bind"})
BINDS = {EARLY: "early", LATE: "late"}


def spelled(settings: Settings, digits: int = 9) -> list[str]:
    """Words that make these settings out of the defaults, to so many digits."""
    return list(_words(settings, digits))


def _words(settings: Settings, digits: int) -> Iterator[str]:
    plain = Settings()
    for number in range(len(settings.planes)):
        prefix = f"plane{number + 1}." if number else ""
        for word in WORDS:
            if number and word.part not in {"chain", "plane"}:
                continue
            value = _value(settings, word, number)
            if value != _value(plain, word, 0) or word.name in ALWAYS:
                yield f"{prefix}{word.name}={_spell(word.name, value, digits)}"


def _value(settings: Settings, word: Word, plane: int) -> object:
    owner: object = settings
    if word.part == "display":
        owner = settings.display
    elif word.part in {"plane", "chain"}:
        owner = settings.planes[plane]
        owner = settings.planes[plane].chain if word.part == "chain" else owner
    return getattr(owner, word.field)


def _spell(name: str, value: object, digits: int) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Enum):
        return str(value.value)
    if not isinstance(value, int) or (name in RATES and not value):
        return "off"
    if name == "bind" and value in BINDS:
        return BINDS[value]
    return _spell_number(name, value, digits)


def _spell_number(name: str, value: int, digits: int) -> str:
    if name in RATES:
        return f"{1000 * PICOSECONDS / value:.{digits}g}"
    if name in TIMES:
        return f"{value / PICOSECONDS:.{digits}g}"
    return f"{value / PARTS:.{digits}g}" if name in FRACTIONS else str(value)
