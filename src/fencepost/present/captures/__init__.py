"""Captures of presents: what PresentMon and its like record, as one table (design 9, 11).

`read` makes a `Capture` of a file, `read_data` of bytes. It has `chains`, one for each swap chain
of each process; a `Chain` has `frames` (and `generated` ones apart), whose columns are
`array("q")`, not to be changed, with `MISSING` where nothing is known; `COLUMNS` says what each
one means.
"""

from fencepost.present.captures.reading import read, read_data
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
    "read_data",
]
