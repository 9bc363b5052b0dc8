"""Words: which ones the text form writes bare, and what somebody may have meant by another."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

WORD = re.compile(r"[A-Za-z0-9_.%/-]+")
"""Formats, keys and values of costs, rule ids."""

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
"""A name that needs no backquotes."""


def is_word(text: str) -> bool:
    """Whether the text form can write it bare, as one word."""
    return WORD.fullmatch(text) is not None


def hint(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)`, or nothing where no known word is close."""
    close = difflib.get_close_matches(word[:100], known, 3)
    # of words that are equally close the one that repeats this word's letters: `==` for `=`
    best = max(close, key=lambda other: (_ratio(word, other), set(other) <= set(word)), default="")
    return f" (did you mean '{best}'?)" if best else ""


def _ratio(word: str, other: str) -> float:
    return difflib.SequenceMatcher(a=word[:100], b=other).ratio()
