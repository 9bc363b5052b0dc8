"""What somebody may have meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def hint(word: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)`, or nothing where no known word is close."""
    close = difflib.get_close_matches(word[:100], known, 1)
    return f" (did you mean '{close[0]}'?)" if close else ""
