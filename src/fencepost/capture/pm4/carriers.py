"""Which carrier a capture is, and its dwords."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from fencepost.capture.lines import open_capture, read_lines
from fencepost.capture.pm4.buffers import Capture
from fencepost.capture.pm4.hex_stream import read_hex_stream
from fencepost.capture.pm4.mesa_dump import COLOR, MARKER, read_mesa_dump
from fencepost.errors import SyntaxProblem
from fencepost.place import Place

HEX_STREAM_START = "# ctx="
MARKER_WITHIN = 10_000
"""A Mesa dump shares standard error with its program: how many lines of that may come first."""


def is_pm4(head: bytes) -> bool:
    """Whether a file that starts with `head` (some thousand bytes) is a PM4 capture."""
    lines = head.decode("utf-8", "replace").splitlines()
    return any(_starts_hex_stream(line) or _is_marker(line) for line in lines)


def read_capture(stream: BinaryIO, file: str) -> Capture:
    """The dwords of a capture of either carrier.

    Raises `SyntaxProblem` at the first line that its carrier does not allow.
    """
    lines = read_lines(stream, file)
    head: list[tuple[int, str]] = []
    for number, text in itertools.islice(lines, MARKER_WITHIN):
        head.append((number, text))
        if _starts_hex_stream(text) and not any(line for _, line in head[:-1]):
            return Capture(file, read_hex_stream(_joined(head, lines), file))
        if _is_marker(text):
            return read_mesa_dump(_joined(head, lines), file)
    if not head:
        raise SyntaxProblem("the file is empty", Place(file, 1), "a PM4 capture")
    raise SyntaxProblem(
        "no PM4 capture",
        Place(file, 1),
        f"'{HEX_STREAM_START}' (hex stream) or '--- GFX begin (dw = 0) ---' (Mesa dump)",
    )


def read_capture_file(path: Path) -> Capture:
    """`read_capture` of a file; raises `FileProblem` when it cannot be read."""
    with open_capture(path) as stream:
        return read_capture(stream, str(path))


def _joined(
    head: list[tuple[int, str]], rest: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, str]]:
    yield from head
    yield from rest


def _starts_hex_stream(text: str) -> bool:
    return text.startswith(HEX_STREAM_START)


def _is_marker(text: str) -> bool:
    return bool(MARKER.fullmatch(COLOR.sub("", text)))
