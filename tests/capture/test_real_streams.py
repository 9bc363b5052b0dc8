"""Real streams of Mesa drivers: every packet known, counted alike by two decoders."""

import re
from collections import Counter
from pathlib import Path

import pytest

from fencepost.capture.pm4 import Capture, load, packets, read_capture, translate, walk
from fencepost.coherence import check
from fencepost.machine import find_machine
from fencepost.stream.jsonl import read_jsonl, write_jsonl
from fencepost.stream.legality import check_legality
from fencepost.stream.program import Program
from fencepost.stream.text.parser import parse_text
from fencepost.stream.text.printer import format_program
from tests.capture.data import RADEONSI, needs_data, radv_streams
from tests.capture.scanner import count, dwords_of_hex_stream, dwords_of_mesa_dump

pytestmark = needs_data


def read(path: Path) -> Capture:
    return read_capture(path.read_text("utf-8"), path.name)


def decoded(path: Path) -> Counter[str]:
    """Packets by name, as the decoder walks them."""
    capture = read(path)
    return Counter(packet.name for row in capture.submissions for packet in walk(row))


def test_all_streams_are_there() -> None:
    assert len(radv_streams()) == 28


@pytest.mark.parametrize("path", radv_streams(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_hex_streams_count_as_the_scanner_counts(path: Path) -> None:
    assert decoded(path) == count(dwords_of_hex_stream(path))


def test_mesa_dump_counts_as_the_scanner_counts() -> None:
    assert decoded(RADEONSI) == count(dwords_of_mesa_dump(RADEONSI))


def test_mesa_names_the_same_packets() -> None:
    named = re.findall(r"^[0-9a-f]{8} ([A-Z0-9_]+):$", RADEONSI.read_text("utf-8"), re.MULTILINE)
    assert Counter(named) == decoded(RADEONSI)


def test_mesa_dump_has_the_declared_sizes() -> None:
    capture = read(RADEONSI)
    assert [len(row.entries[0].words) for row in capture.submissions] == [161, 685, 151]
    assert [place.line for place in capture.skipped] == [1]


def test_counts_over_all_streams() -> None:
    total = sum((decoded(path) for path in [*radv_streams(), RADEONSI]), Counter[str]())
    assert total["NOP"] == 16_862
    assert total["DISPATCH_DIRECT"] == 55
    assert total["SURFACE_SYNC"] + total["ACQUIRE_MEM"] == 127
    assert total["DRAW_INDEX_AUTO"] + total["DRAW_INDEX_2"] == 34


def test_every_dword_knows_its_place() -> None:
    for path in radv_streams():
        text = path.read_text("ascii").splitlines()
        for row in read(path).submissions:
            for buffer in (*row.entries, *row.targets.values()):
                for packet in packets(buffer, row.ring.kind):
                    place = packet.place
                    word = text[place.line - 1][place.column - 1 :][:8]
                    assert int(word, 16) == buffer.words[packet.index]
                    assert place.offset == 4 * packet.index


@pytest.mark.parametrize("path", [*radv_streams(), RADEONSI], ids=lambda path: path.stem)
def test_translated_streams_are_legal_and_free_of_hazards(path: Path) -> None:
    program = load([path])
    assert check_legality(program) == []
    report = check(program, find_machine(program.machine))
    assert [finding for finding in report.findings if finding.kind == "hazard"] == []


@pytest.mark.parametrize(("program", "queues"), [("ffmpeg", 4), ("pygfx", 1)])
def test_submissions_of_a_whole_run_fit_together(program: str, queues: int) -> None:
    captures = [read(path) for path in radv_streams(program)]
    whole = translate(captures)
    assert check_legality(whole) == []
    assert len(whole.queues) == queues
    report = check(whole, find_machine(whole.machine))
    assert [finding for finding in report.findings if finding.kind == "hazard"] == []


def test_a_dropped_pfp_sync_me_is_found() -> None:
    """Clean above means something only if the same stream without a barrier is not."""
    text = radv_streams("pygfx")[3].read_text("ascii").replace("c0004200 ", "c0001000 ")
    program = translate([read_capture(text, "changed.txt")])
    report = check(program, find_machine(program.machine))
    (finding,) = [finding for finding in report.findings if finding.kind == "hazard"]
    assert finding.rule == "write-after-read"
    assert finding.later.command.name == "WRITE_DATA"  # by PFP: the next fast clear's value
    assert finding.earlier is not None
    assert finding.earlier.command.name == "COPY_DATA"  # by ME: the last one's, into a register


def findings(program: Program) -> list[tuple[str, str, str]]:
    report = check(program, find_machine(program.machine))
    return [(row.rule, row.message, row.later.command.name) for row in report.findings]


@pytest.mark.parametrize(
    "path", [*radv_streams("pygfx")[:4], *radv_streams("ffmpeg")[4:5], RADEONSI]
)
def test_translated_streams_survive_the_other_forms(path: Path) -> None:
    program = load([path])
    text = format_program(program)
    again = parse_text(text)
    assert format_program(again) == text
    assert findings(again) == findings(program)
    assert findings(read_jsonl(write_jsonl(program))) == findings(program)


def test_the_same_file_gives_the_same_program() -> None:
    path = radv_streams("pygfx")[0]
    assert load([path]) == load([path])
