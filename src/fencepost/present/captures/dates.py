"""Clock columns that are dates."""

from __future__ import annotations

import re
from array import array
from datetime import date

from fencepost.present.captures.numbers import ABSENT, NotANumber, Numbers
from fencepost.present.captures.table import MISSING

_DATE = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9}))?", re.ASCII
)
_SECOND = 10**9


def date_numbers(texts: list[str]) -> Numbers:
    """Dates like `2024-4-17 05:30:04.123456789` in nanoseconds since 1970; raises `NotANumber`."""
    values = array("q")
    for row, text in enumerate(texts):
        bare = text.strip()
        try:
            values.append(MISSING if bare.lower() in ABSENT else nanoseconds(bare))
        except (ValueError, OverflowError):
            raise NotANumber(row) from None
    return Numbers(values)


def nanoseconds(text: str) -> int:
    """A date and time, without regard to time zones; raises `ValueError`."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    if hour > 23 or minute > 59 or second > 60:
        raise ValueError(text)
    days = date(year, month, day).toordinal() - date(1970, 1, 1).toordinal()
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    return seconds * _SECOND + int((match[7] or "0").ljust(9, "0"))
