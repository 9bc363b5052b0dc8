"""Which form a trace has, and its timeline."""

from __future__ import annotations

from pathlib import Path

from fencepost.capture.traces.opening import open_trace, unpacked
from fencepost.errors import FileProblem, TimelineProblem
from fencepost.place import Place
from fencepost.stream.reading import decode, name_of
from fencepost.timeline.table import Timeline

MARK = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which JSON does not know."""


def load_trace(path: Path | str, tolerance: int = 0) -> Timeline:
    """The timeline in a file, or on standard input for `-`.

    Slices of one track that overlap by `tolerance` picoseconds or less are cut.

    Raises `FileProblem` for what cannot be read, `SyntaxProblem` for what is no trace,
    `TimelineProblem` for one whose slices are impossible.
    """
    file = name_of(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return read_trace(open_trace(path), file, tolerance)


def read_trace(data: bytes, file: str, tolerance: int = 0) -> Timeline:
    """The timeline of a trace; what starts like JSON is trace events, anything else is CSV."""
    text = unpacked(data, file).removeprefix(MARK)
    if not text.strip():
        raise FileProblem("is empty", Place(file, 0), "a trace")
    if text.lstrip()[:1] in (b"{", b"["):
        from fencepost.capture.traces.events import read_events  # noqa: PLC0415 - msgspec
        from fencepost.capture.traces.slices import timeline_of  # noqa: PLC0415

        made = timeline_of(read_events(text, file), tolerance)
        if not len(made):
            raise TimelineProblem("holds no slices", Place(file, 0), "at least one")
        return made
    from fencepost.capture.traces.table import read_table  # noqa: PLC0415

    return read_table(decode(text, file), file, tolerance)
