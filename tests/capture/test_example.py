"""The bundled stream: the bug that shipped in FFmpeg's avgblur_vulkan is found, and only that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fencepost.capture.pm4 import load, read_capture, translate
from fencepost.coherence import Finding, check
from fencepost.machine import find_machine
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program
from tests.capture.data import needs_data, radv_streams

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "pm4"
STREAM = EXAMPLES / "ffmpeg-avgblur.txt"
NOTES = EXAMPLES / "ffmpeg-avgblur.notes"


def hazards(program: Program) -> list[Finding]:
    assert check_legality(program) == []
    report = check(program, find_machine(program.machine))
    return [finding for finding in report.findings if finding.kind == "hazard"]


def with_notes(text: str) -> Program:
    return translate([read_capture(text, "stream.txt")], annotations=NOTES.read_text("utf-8"))


def test_the_read_after_write_is_found() -> None:
    found = hazards(load([STREAM], annotations=NOTES))
    assert {finding.rule for finding in found} == {"read-after-write"}
    for finding in found:
        assert finding.earlier is not None
        earlier, later = finding.earlier.command, finding.later.command
        assert (earlier.name, later.name) == ("DISPATCH_DIRECT 8x128x1", "DISPATCH_DIRECT 256x4x1")
        assert (earlier.place.line, earlier.place.offset) == (42, 0x80)
        assert (later.place.line, later.place.offset) == (45, 0xF8)


def test_nothing_of_the_compute_stage_is_unknown() -> None:
    program = load([STREAM], annotations=NOTES)
    report = check(program, find_machine(program.machine))
    assert [finding for finding in report.findings if finding.kind == "unknown"] == []
    bare = check(load([STREAM]), find_machine(program.machine))
    assert len([row for row in bare.findings if row.kind == "unknown"]) == 2


FLUSH = ["c0004600", "00000407"]  # CS_PARTIAL_FLUSH
INVALIDATE = [
    "c0055802",
    "00400000",
    "ffffffff",
    "000000ff",
    "00000000",
    "00000000",
    "0000000a",
]  # TCL1


def mended(*words: str) -> Program:
    """The example with packets in place of the prefetch between the two dispatches."""
    head, buffer, tail = re.split(
        r"(?<=dw=256\n)([0-9a-f \n]+)(?=# chunk id)", STREAM.read_text("ascii")
    )
    found = buffer.split()
    at = found.index("00229500") - 2
    found[at : at + 7] = words
    found = (found + 7 * ["ffff1000"])[:256]
    return with_notes(f"{head}{' '.join(found)}\n{tail}")


def test_a_partial_flush_and_an_invalidation_mend_it() -> None:
    assert {finding.rule for finding in hazards(mended())} == {"read-after-write"}
    assert "read-after-write" not in {finding.rule for finding in hazards(mended(*FLUSH))}
    assert hazards(mended(*FLUSH, *INVALIDATE)) == []


@needs_data
def test_the_example_is_the_capture() -> None:
    assert STREAM.read_bytes() == radv_streams("ffmpeg")[4].read_bytes()


@needs_data
@pytest.mark.parametrize("number", [4, 11, 18])
def test_every_frame_has_the_bug(number: int) -> None:
    """The same two dispatches in each of the three frames; the notes' addresses are the first's."""
    found = hazards(with_notes(radv_streams("ffmpeg")[number].read_text("ascii")))
    assert {finding.rule for finding in found} == {"read-after-write"}
