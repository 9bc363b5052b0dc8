"""Limits on what is read, so that memory stays bounded and messages few."""

from __future__ import annotations

LONGEST_LINE = 1 << 20
"""Bytes (characters of decoded text) of a line; a longer one is refused before it is read whole."""

MOST_PROBLEMS = 20
"""Problems of one input that are shown; looking for more stops there."""
