"""Numbers, sizes and durations as the text form writes them."""

from __future__ import annotations

import re

from fencepost.errors import SyntaxProblem

UNITS: dict[str, int] = {"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
"""Units of a size, in bytes; powers of 1024."""

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}")
_SIZE = re.compile(r"(0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20})([A-Za-z]*)")
_DURATION = re.compile(r"[0-9]{1,20}(\.[0-9]{1,20})?(ps|ns|us|ms|s)")


def parse_number(text: str) -> int | None:
    """A decimal or 0x number, or None; more than 20 digits (16 after 0x) are no number."""
    if not _NUMBER.fullmatch(text):
        return None
    return int(text, 16) if text[:2] in ("0x", "0X") else int(text)


def parse_size(text: str) -> int:
    """A number of bytes with an optional unit; raises `SyntaxProblem` that names a wrong unit."""
    match = _SIZE.fullmatch(text)
    if not match:
        raise SyntaxProblem(f"'{text}' is not a size", expected="bytes: a number, or one like 64K")
    number = parse_number(match[1])
    unit = UNITS.get(match[2])
    if number is None or unit is None:
        raise SyntaxProblem(f"wrong unit '{match[2]}'", expected="B, K, M or G (powers of 1024)")
    return number * unit


def print_size(size: int) -> str:
    """The shortest exact form: `64K`, `100`."""
    for unit in ("G", "M", "K"):
        if size and size % UNITS[unit] == 0:
            return f"{size // UNITS[unit]}{unit}"
    return str(size)


def is_duration(text: str) -> bool:
    """Whether the text is a number of ps, ns, us, ms or s."""
    return _DURATION.fullmatch(text) is not None
