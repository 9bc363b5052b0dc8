"""Packets: cut at their sizes, checked bit by bit, jumps followed."""

import pytest

from fencepost.capture.pm4 import Packet, packets, walk
from fencepost.capture.pm4.buffers import CommandBuffer, Ring, Submission
from fencepost.errors import PacketProblem
from fencepost.place import Place
from tests.capture.build import (
    ACQUIRE_MEM,
    BASE,
    COMPUTE,
    COPY_DATA,
    DISPATCH,
    DISPATCH_INDIRECT,
    DMA_DATA,
    DRAW,
    EVENT_WRITE,
    EVENT_WRITE_EOP,
    GFX,
    INDIRECT_BUFFER,
    NOP,
    PFP_SYNC_ME,
    SET_CONTEXT_REG,
    SURFACE_SYNC,
    WAIT_REG_MEM,
    command_buffer,
    high,
    low,
    packet,
    submission,
)


def cut(*words: tuple[int, ...], queue: str = "graphics") -> list[Packet]:
    return list(packets(command_buffer(*words), queue))


def refused(*words: tuple[int, ...], queue: str = "graphics") -> str:
    with pytest.raises(PacketProblem) as caught:
        cut(*words, queue=queue)
    return str(caught.value)


def test_packets_follow_one_another() -> None:
    found = cut(packet(NOP, 1, 2), (0xFFFF1000, 0x80000000), DRAW)
    assert [row.name for row in found] == ["NOP", "NOP", "filler", "DRAW_INDEX_AUTO"]
    assert [row.index for row in found] == [0, 3, 4, 5]
    assert [len(row.body) for row in found] == [2, 0, 0, 2]
    assert found[3].place == Place("stream.txt", 12, 1, 20)
    assert found[3].address == BASE + 20
    assert found[3].fields()["count"] == 3


@pytest.mark.parametrize("header", [0xFFFF1000, 0xFFFF1001, 0xFFFF1002, 0xFFFF1003])
def test_a_lone_nop_is_its_header_only(header: int) -> None:
    assert [row.name for row in cut((header, header))] == ["NOP", "NOP"]


def test_the_largest_nop() -> None:
    (row,) = cut(packet(NOP, *[0] * 0x3FFF))
    assert len(row.body) == 0x3FFF


def test_an_unknown_carrier_address_stays_unknown() -> None:
    (row,) = packets(command_buffer(DRAW, address=None), "graphics")
    assert row.address is None


@pytest.mark.parametrize(
    ("words", "queue", "message"),
    [
        ((0x00001000, 0), "graphics", "packet of type 0 (header 0x00001000); expected type 3"),
        ((0x40001000, 0), "graphics", "packet of type 1"),
        ((0x80000001,), "graphics", "packet of type 2 (header 0x80000001)"),
        (packet(0x41, 0, 0, 0, 0, 0), "graphics", "unknown opcode 0x41 (CP_DMA of GFX6"),
        (packet(0xEE, 0), "graphics", "unknown opcode 0xee; expected an opcode of GFX7"),
        (packet(0x9F, 0, 0, 0, 0), "graphics", "LOAD_CONTEXT_REG_INDEX of GFX8"),
        (packet(ACQUIRE_MEM, *[0] * 6), "graphics", "ACQUIRE_MEM on a graphics queue; expected a"),
        (packet(SURFACE_SYNC, *[0] * 4), "compute", "SURFACE_SYNC on a compute queue"),
        (packet(PFP_SYNC_ME, 0), "compute", "PFP_SYNC_ME on a compute queue"),
        (packet(PFP_SYNC_ME, 0, predicate=4), "graphics", "PFP_SYNC_ME: reserved bits in header"),
        (packet(PFP_SYNC_ME, 0, 0), "graphics", "PFP_SYNC_ME of 3 dwords; expected 2 dwords"),
        (packet(EVENT_WRITE, 0x407, 0), "graphics", "EVENT_WRITE of 3 dwords; expected 2 or 4"),
        (packet(SET_CONTEXT_REG, 0), "graphics", "of 2 dwords; expected at least 3 dwords"),
        (packet(DISPATCH_INDIRECT, 0, 0, 0), "graphics", "of 4 dwords; expected 3 dwords"),
        (packet(DISPATCH_INDIRECT, 0, 1), "compute", "of 3 dwords; expected 4 dwords"),
        (
            packet(NOP, 1, 2, 3)[:3],
            "graphics",
            "NOP runs past the end of its buffer: 3 dwords are left; expected 4 dwords",
        ),
        (DRAW[:1], "graphics", "DRAW_INDEX_AUTO runs past the end of its buffer: 1 dwords"),
    ],
)
def test_packets_that_are_refused(words: tuple[int, ...], queue: str, message: str) -> None:
    assert message in refused(words, queue=queue)


@pytest.mark.parametrize(
    ("words", "queue", "dword", "message"),
    [
        (packet(SURFACE_SYNC, 1 << 2, 0, 0, 10), "graphics", 2, "bit 2 of dword 2 is reserved"),
        (packet(SURFACE_SYNC, 1 << 30, 0, 0, 10), "graphics", 2, "bit 30 of dword 2 is reserved"),
        (packet(ACQUIRE_MEM, 0, 0, 1 << 8, 0, 0, 10), "compute", 4, "bit 8 of dword 4"),
        (packet(EVENT_WRITE, 0x025), "graphics", 2, "event 0x25 is unknown; expected 1 (SAMPLE_"),
        (packet(EVENT_WRITE, 0x407 | 1 << 6), "graphics", 2, "bit 6 of dword 2 is reserved"),
        (packet(EVENT_WRITE_EOP, 0x514, 0, 6 << 29, 0, 0), "graphics", 4, "data_select 0x6 is unk"),
        (packet(WAIT_REG_MEM, 0x17, 0, 0, 0, 0, 10), "graphics", 2, "function 0x7 is unknown"),
        (packet(WAIT_REG_MEM, 0x33, 0, 0, 0, 0, 10), "graphics", 2, "space 0x3 is unknown"),
        (packet(DMA_DATA, 2 << 20, 0, 0, 0, 0, 16), "graphics", 2, "destination 0x2 is unknown"),
        (packet(COPY_DATA, 8, 0, 0, 0, 0), "graphics", 2, "source 0x8 is unknown"),
        (packet(SET_CONTEXT_REG, 4 << 28, 0), "graphics", 2, "index 0x4 is unknown"),
        (packet(SET_CONTEXT_REG, 1 << 16, 0), "graphics", 2, "bit 16 of dword 2 is reserved"),
        ((0xC0012D00, 3, 1), "graphics", 3, "source 0x1 is unknown; expected 0 (index DMA), 2"),
        ((0xC0012D00, 3, 0x82), "graphics", 3, "bit 7 of dword 3 is reserved on GFX7; expected 0"),
    ],
)
def test_bits_that_mean_nothing_are_named(
    words: tuple[int, ...], queue: str, dword: int, message: str
) -> None:
    text = refused(DRAW if queue == "graphics" else DISPATCH, words, queue=queue)
    skipped = len(DRAW if queue == "graphics" else DISPATCH)
    assert message in text
    assert text.startswith(f"stream.txt:11 (offset {4 * (skipped + dword - 1):#x}): ")


def jump(address: int, dwords: int, *, chain: bool = False) -> tuple[int, ...]:
    """INDIRECT_BUFFER as drivers write it."""
    control = dwords | (1 << 20 | 1 << 23 if chain else 0)
    return packet(INDIRECT_BUFFER, low(address), high(address), control)


A, B = 0x2_0000_0000, 0x3_0000_0000


def walked(row: Submission) -> list[str]:
    return [packet.name for packet in walk(row)]


def test_calls_return_and_chains_do_not() -> None:
    called = command_buffer(DISPATCH, address=A)
    chained = command_buffer(packet(NOP, 0), address=B)
    row = submission(
        jump(A, 5), DRAW, jump(A, 5), jump(B, 2, chain=True), targets=(called, chained)
    )
    assert walked(row) == [
        "INDIRECT_BUFFER",
        "DISPATCH_DIRECT",
        "DRAW_INDEX_AUTO",
        "INDIRECT_BUFFER",
        "DISPATCH_DIRECT",
        "INDIRECT_BUFFER",
        "NOP",
    ]


def test_a_called_buffer_may_chain() -> None:
    first = command_buffer(jump(B, 3, chain=True), address=A)
    second = command_buffer(DRAW, address=B)
    row = submission(jump(A, 4), DISPATCH, targets=(first, second))
    assert walked(row)[2:] == ["DRAW_INDEX_AUTO", "DISPATCH_DIRECT"]


def test_jumps_that_are_refused() -> None:
    target = command_buffer(DRAW, address=A)
    ring = command_buffer(jump(A, 4, chain=True), address=A)
    deep = command_buffer(jump(B, 3), address=A)
    rows = {
        "the command buffer at 0x200000000 is not in the capture": submission(jump(A, 3)),
        "has 3 dwords; expected 4 as this packet says": submission(jump(A, 4), targets=(target,)),
        "nothing leads to the command buffer at 0x200000000": submission(DRAW, targets=(target,)),
        "the command buffers run in a circle": submission(jump(A, 4, chain=True), targets=(ring,)),
        "a call inside a called command buffer": submission(
            jump(A, 4), targets=(deep, command_buffer(DRAW, address=B))
        ),
        "dwords behind a chain are never read": submission(
            jump(A, 3, chain=True), DRAW, targets=(target,)
        ),
    }
    for message, row in rows.items():
        with pytest.raises(PacketProblem, match=message):
            walked(row)


def test_an_entry_that_chains_to_itself_is_a_circle() -> None:
    row = submission(jump(BASE, 4, chain=True))
    row.targets[BASE] = row.entries[0]
    with pytest.raises(PacketProblem, match="run in a circle"):
        walked(row)


def test_an_empty_buffer_has_no_packets_and_still_a_place() -> None:
    empty = CommandBuffer("stream.txt", 7, None)
    assert list(packets(empty, "graphics")) == []
    assert empty.place(0) == Place("stream.txt", 7, 1, 0)


def test_rings_are_named_after_their_kind() -> None:
    assert (GFX.name, COMPUTE.name, Ring("compute", 0).name) == ("gfx", "compute1", "compute0")
