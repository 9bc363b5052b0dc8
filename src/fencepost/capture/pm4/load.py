"""Files to a program in one call."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fencepost.capture.pm4.carriers import read_capture
from fencepost.capture.pm4.translate import DEFAULT_MACHINE, translate
from fencepost.stream.program import Program
from fencepost.stream.reading import name_of, read_text


def load(
    captures: Sequence[Path | str],
    machine: str = DEFAULT_MACHINE,
    annotations: Path | str | None = None,
) -> Program:
    """The program of captures that were recorded one after the other.

    Raises `FileProblem` for what cannot be read, else what `read_capture` and `translate` raise.
    """
    read = [read_capture(read_text(path), name_of(path)) for path in captures]
    if annotations is None:
        return translate(read, machine)
    return translate(read, machine, read_text(annotations), name_of(annotations))
