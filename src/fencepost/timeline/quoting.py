"""Names out of a trace, as a message shows them."""

from __future__ import annotations

LONGEST = 60
"""Characters of a name in a message."""


def quoted(name: str) -> str:
    """The name in quotes, on one line: cut where it is long, `?` for what cannot be printed."""
    return f"'{shortened(name)}'"


def shortened(name: str, longest: int = LONGEST) -> str:
    """The name on one line: cut where it is long, `?` for what cannot be printed."""
    cut = name if len(name) <= longest else name[: longest - 3] + "..."
    return "".join(char if char.isprintable() else "?" for char in cut)
