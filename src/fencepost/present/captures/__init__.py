"""Captures of presents: what PresentMon and its like record, as one table (design 9, 11).

`read` makes a `Capture` of a file. It has `chains`, one for each swap chain of each process; a
`Chain` has `frames` (and `generated` ones apart), whose columns are `array("q")` with `MISSING`
where nothing is known; `COLUMNS` says what each one means.
"""

from fencepost.present.captures.reading import read
from fencepost.present.captures.table import (
    APPLICATION,
    COLUMNS,
    FRAME_TYPES,
    MISSING,
    PRESENT_MODES,
    Capture,
    Chain,
    Column,
    Frames,
)

__all__ = [
    "APPLICATION",
    "COLUMNS",
    "FRAME_TYPES",
    "MISSING",
    "PRESENT_MODES",
    "Capture",
    "Chain",
    "Column",
    "Frames",
    "read",
]
