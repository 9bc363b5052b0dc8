"""Which carrier a capture is, and its dwords."""

from __future__ import annotations

from fencepost.capture.pm4.buffers import Capture
from fencepost.capture.pm4.hex_stream import read_hex_stream
from fencepost.capture.pm4.mesa_dump import COLOR, MARKER, read_mesa_dump
from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.stream.text.parser import lines_of

HEX_STREAM_START = "# ctx="


def is_pm4(head: str) -> bool:
    """Whether a text that starts with `head` (some thousand characters) is a PM4 capture."""
    return head.lstrip().startswith(HEX_STREAM_START) or any(map(_is_marker, lines_of(head)))


def read_capture(text: str, file: str) -> Capture:
    """The dwords of a capture of either carrier.

    Raises `SyntaxProblem` at the first line that its carrier does not allow.
    """
    numbered = enumerate(lines_of(text), start=1)
    if text.lstrip().startswith(HEX_STREAM_START):
        return Capture(file, read_hex_stream(numbered, file))
    if any(map(_is_marker, lines_of(text))):
        return read_mesa_dump(numbered, file)
    raise SyntaxProblem(
        "no PM4 capture",
        Place(file, 1),
        f"'{HEX_STREAM_START}' (hex stream) or '--- GFX begin (dw = 0) ---' (Mesa dump)",
    )


def _is_marker(line: str) -> bool:
    return MARKER.fullmatch(COLOR.sub("", line)) is not None
