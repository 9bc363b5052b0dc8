"""Carriers: dwords come through with their places, everything else is understood or refused."""

from pathlib import Path

import pytest

from fencepost.capture.pm4 import Ring, is_pm4, load, read_capture
from fencepost.errors import FileProblem, SyntaxProblem
from fencepost.place import Place

HEX = """\
# ctx=1 chunks=4
# chunk IB flags=0x0 ip_type=1 ip_instance=0 ring=2 va=0x1000 bytes=20
IB top depth=0 va=0x1000 dw=5
c0001000 00000000
c0001000 00000001 ffff1000
# chunk id=2 dw=2
# chunk TIMELINE_WAIT 31@2 8@0
# chunk TIMELINE_SIGNAL 31@3
# va 0x1000 +0x4000
"""

MESA = """\
a message of the program
------------------ GFX begin (dw = 0) ------------------
c0001000 NOP:
00000007     a value that Mesa names
             and continues
\x1b[1;36mffff1000 NOP:\x1b[0m
------------------- GFX end (dw = 3) -------------------
"""


def refused(text: str) -> str:
    with pytest.raises(SyntaxProblem) as caught:
        read_capture(text, "stream.txt")
    return str(caught.value)


def test_hex_stream() -> None:
    (row,) = read_capture(HEX, "stream.txt").submissions
    (entry,) = row.entries
    assert row.ring == Ring("compute", 2)
    assert row.ring.name == "compute2"
    assert list(entry.words) == [0xC0001000, 0, 0xC0001000, 1, 0xFFFF1000]
    assert entry.place(3) == Place("stream.txt", 5, 10, 12)
    assert entry.address_of(3) == 0x100C
    assert [(point.handle, point.point, point.place.line) for point in row.waits] == [
        (31, 2, 7),
        (8, 0, 7),
    ]
    assert [(point.handle, point.point) for point in row.signals] == [(31, 3)]


def test_hex_stream_with_windows_line_ends() -> None:
    assert read_capture(HEX.replace("\n", "\r\n"), "stream.txt") == read_capture(HEX, "stream.txt")


def test_several_submissions_in_one_file() -> None:
    first, second = read_capture(HEX + HEX, "stream.txt").submissions
    assert first.entries[0].words == second.entries[0].words
    assert second.place.line == 10


def test_buffers_that_packets_lead_to_are_found_by_address() -> None:
    nested = "IB ib2 depth=1 va=0x8000 dw=2\nffff1000 ffff1000\n"
    (row,) = read_capture(
        HEX.replace("# chunk id=2", nested + "# chunk id=2"), "stream.txt"
    ).submissions
    assert list(row.targets) == [0x8000]
    assert row.targets[0x8000].place(1).line == 7


def test_one_address_may_be_recorded_twice_but_not_differently() -> None:
    nested = "IB ib2 depth=1 va=0x8000 dw=1\nffff1000\n"
    twice = HEX.replace("# chunk id=2", nested + nested + "# chunk id=2")
    assert len(read_capture(twice, "stream.txt").submissions[0].targets) == 1
    other = twice.replace("ffff1000\n# chunk id", "80000000\n# chunk id")
    assert "stream.txt:8:1: address 0x8000 holds other dwords than in line 6" in refused(other)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("chunks=4", "chunks=5", "stream.txt:1:1: the submission has 4 chunks; expected 5"),
        ("chunks=4", "chunks=4 more=1", "stream.txt:1:1: cannot read '# ctx=1 chunks=4 more=1'"),
        ("flags=0x0", "flags=0x1", "stream.txt:2:1: flags=0x1 is not supported; expected flags=0"),
        ("ip_instance=0", "ip_instance=1", "ip_instance=1 is not supported"),
        ("ip_type=1", "ip_type=2", "ip_type=2 does not run PM4"),
        ("bytes=20", "bytes=21", "21 bytes are no whole dwords"),
        ("bytes=20", "bytes=24", "stream.txt:3:1: 5 dwords at 0x1000 were not announced"),
        ("IB top depth=0 va=0x1000", "IB top depth=0 va=0x2000", "were not announced"),
        ("IB top", "IB chain", "the chunk's own command buffer is missing"),
        ("IB top", "IB below", "stream.txt:3:1: cannot read 'IB below"),
        ("dw=5", "dw=5 ", "cannot read"),
        ("ffff1000", "ffff100", "stream.txt:5:19: 'ffff100' is no dword"),
        ("ffff1000", "FFFF1000", "stream.txt:5:19: 'FFFF1000' is no dword"),
        ("ffff1000", "ffff1000  ffff1000", "stream.txt:5:28: '' is no dword"),
        ("ffff1000", "ffff1000 ffff1000", "stream.txt:5:28: more dwords than announced"),
        (" ffff1000", "", "the command buffer of line 3 ends after 4 dwords; expected 5 dwords"),
        ("id=2", "id=3", "chunk id=3 is not supported; expected 2 (user fence), 6"),
        ("31@2 8@0", "31@2 8", "stream.txt:7:1: cannot read '# chunk TIMELINE_WAIT 31@2 8'"),
        ("# va 0x1000", "# vb 0x1000", "stream.txt:9:1: cannot read"),
        ("# ctx=1 chunks=4\n", "", "no PM4 capture"),
        ("c0001000 00000000\n", "\nc0001000 00000000\n", "ends after 0 dwords"),
    ],
)
def test_hex_stream_lines_that_are_wrong(old: str, new: str, message: str) -> None:
    assert old in HEX
    assert message in refused(HEX.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# ctx=1 chunks=0\n", "the submission has no command buffer"),
        ("# ctx=1 chunks=0\nffff1000\n", "stream.txt:2:1: dwords outside a command buffer"),
        ("# ctx=1 chunks=0\nIB top depth=0 va=0x0 dw=1\n", "a command buffer outside a chunk"),
        (HEX.split("IB top", 1)[0], "the command buffer is missing"),
        (HEX.split("IB top", 1)[0] + "# chunk id=2 dw=2\n", "where its command buffer should be"),
    ],
)
def test_hex_streams_that_lack_something(text: str, message: str) -> None:
    assert message in refused(text)


def test_one_submission_runs_on_one_ring() -> None:
    chunk = HEX.split("\n", 1)[1].split("# chunk id", 1)[0]
    text = HEX.replace("# chunk id", chunk.replace("ring=2", "ring=3") + "# chunk id")
    assert "one submission on two rings" in refused(text.replace("chunks=4", "chunks=5"))


def test_mesa_dump() -> None:
    capture = read_capture(MESA, "stream.txt")
    (row,) = capture.submissions
    (entry,) = row.entries
    assert row.ring == Ring("graphics", 0)
    assert list(entry.words) == [0xC0001000, 7, 0xFFFF1000]
    assert entry.place(1) == Place("stream.txt", 4, 1, 4)
    assert entry.address_of(1) is None
    assert [place.line for place in capture.skipped] == [1]


def test_mesa_dump_may_begin_with_its_size() -> None:
    assert len(read_capture(MESA.replace("dw = 0", "dw = 3"), "stream.txt").submissions) == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("GFX end (dw = 3)", "GFX end (dw = 4)", "stream.txt:7:1: 3 dwords were found; expected"),
        ("begin (dw = 0)", "begin (dw = 4)", "3 dwords were found; expected dw = 4"),
        ("GFX end", "IB end", "'IB' ends without a beginning"),
        ("GFX begin", "SDMA begin", "the queue of a stream named 'SDMA' is not known"),
        ("             and", "and", "stream.txt:5:1: a line that is neither a dword nor its"),
        ("00000007 ", "0000007 ", "stream.txt:4:1: a line that is neither a dword"),
        ("a message", "ffff1000 a", "stream.txt:1:1: a dword outside the marked streams"),
        ("------------------- GFX end (dw = 3) -------------------\n", "", "has no end"),
        ("c0001000 NOP:", "-------- GFX begin (dw = 0) --------", "a stream inside a stream"),
    ],
)
def test_mesa_dump_lines_that_are_wrong(old: str, new: str, message: str) -> None:
    assert old in MESA
    assert message in refused(MESA.replace(old, new, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "stream.txt:1:1: no PM4 capture; expected '# ctx=' (hex stream) or"),
        ("\n\n", "no PM4 capture"),
        ("machine xbox-one\n", "no PM4 capture"),
    ],
)
def test_what_is_no_capture(text: str, message: str) -> None:
    assert message in refused(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "junk"
    path.write_bytes(b"# ctx=1 chunks=0\nab\xff\xfe")
    with pytest.raises(FileProblem, match=r"junk:2:3: byte 0xff is no UTF-8"):
        load([path])
    path.write_bytes(b"")
    for wrong, message in ((path, "is empty"), (tmp_path, "directory"), (tmp_path / "no", "no")):
        with pytest.raises(FileProblem, match=message):
            load([wrong])


def test_a_file_tells_by_its_head_whether_it_is_a_capture() -> None:
    assert is_pm4(HEX)
    assert is_pm4(MESA)
    assert is_pm4(MESA.replace("\n", "\r\n"))
    assert not is_pm4("machine xbox-one\nqueue gfx: graphics\n")
    assert not is_pm4("")
