"""Files to a program in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fencepost.capture.lines import open_capture, read_lines
from fencepost.capture.pm4.buffers import Capture
from fencepost.capture.pm4.carriers import read_capture_file
from fencepost.capture.pm4.translate import DEFAULT_MACHINE, translate
from fencepost.stream.program import Program


def load(
    captures: Sequence[Path | Capture],
    machine: str = DEFAULT_MACHINE,
    notes: Path | None = None,
) -> Program:
    """The program of captures, files or read already, recorded one after the other.

    Raises what `read_capture_file` and `translate` raise, `FileProblem` for the notes.
    """
    read = [row if isinstance(row, Capture) else read_capture_file(row) for row in captures]
    if notes is None:
        return translate(read, machine)
    with open_capture(notes) as stream:
        return translate(read, machine, read_lines(stream, str(notes)), str(notes))
