"""What CP moves itself: DMA_DATA, WRITE_DATA, COPY_DATA, stream-out counters."""

from __future__ import annotations

import pytest

from fencepost.stream.command import ContextWrite, DmaWait, SetLabel, Work, WorkKind
from fencepost.stream.legality import check_legality
from fencepost.stream.resource import GDS_BASE
from tests.capture.build import (
    COMPUTE,
    COPY_DATA,
    DISPATCH,
    DMA_DATA,
    STRMOUT_BUFFER_UPDATE,
    WAIT_REG_MEM,
    WRITE_DATA,
    command,
    commands,
    high,
    low,
    packet,
    problem,
    program,
)

SOURCE, TARGET = 0x1_0000_1000, 0x1_0000_9000
L2_TO_L2 = 3 << 20 | 3 << 29
SYNC = 1 << 31


def dma(
    control: int, command_word: int, source: int = SOURCE, target: int = TARGET
) -> tuple[int, ...]:
    return packet(
        DMA_DATA, control, low(source), high(source), low(target), high(target), command_word
    )


def work(*packets: tuple[int, ...]) -> Work:
    found = command(*packets)
    assert isinstance(found, Work)
    return found


def accesses(row: Work) -> list[tuple[str, int, int]]:
    """`block.use`, start, end."""
    return [(f"{found.block}.{found.use}", found.start, found.end) for found in row.accesses]


def test_a_copy_reads_and_writes_memory() -> None:
    found = work(dma(0, 256))
    assert accesses(found) == [
        ("dma.read", SOURCE, SOURCE + 256),
        ("dma.write", TARGET, TARGET + 256),
    ]
    assert (found.kind, found.verb, found.engine) == (WorkKind.DMA, "copy", "me")
    assert (found.synchronous, found.raw_wait, found.unknown) == (False, False, ())


@pytest.mark.parametrize(
    ("control", "uses"),
    [
        (0, ["dma.read", "dma.write"]),
        (3 << 29, ["dma.read-tcc", "dma.write"]),
        (3 << 20, ["dma.read", "dma.write-tcc"]),
        (L2_TO_L2, ["dma.read-tcc", "dma.write-tcc"]),
        (2 << 29, ["dma.write"]),
        (2 << 29 | 3 << 20, ["dma.write-tcc"]),
    ],
)
def test_sides_go_through_tcc_where_selected(control: int, uses: list[str]) -> None:
    found = work(dma(control, 64))
    assert [use for use, _, _ in accesses(found)] == uses
    assert found.verb == ("clear" if control >> 29 & 3 == 2 else "copy")


def test_options_of_a_copy() -> None:
    found = work(dma(SYNC | 1, 64 | 1 << 30))
    assert (found.engine, found.synchronous, found.raw_wait) == ("pfp", True, True)


def test_a_compute_queue_has_one_engine() -> None:
    (found,) = commands(dma(1, 64), ring=COMPUTE)
    assert isinstance(found, Work)
    assert found.engine == "me"


def test_no_bytes_and_cp_sync_is_a_wait() -> None:
    found = command(dma(SYNC, 0))
    assert isinstance(found, DmaWait)
    assert found.engine == "me"


def test_no_bytes_without_cp_sync_does_nothing() -> None:
    assert work(dma(0, 0)).accesses == ()


def test_a_copy_onto_itself_only_reads() -> None:
    found = work(dma(L2_TO_L2, 96, TARGET, TARGET))
    assert accesses(found) == [("dma.read-tcc", TARGET, TARGET + 96)]


def test_a_side_that_does_not_move_is_one_dword() -> None:
    found = work(dma(0, 256 | 1 << 29))
    assert accesses(found)[1] == ("dma.write", TARGET, TARGET + 4)


def test_gds_is_an_address_space_of_its_own() -> None:
    found = work(dma(1 << 20, 64 | 1 << 27, target=0x40))
    assert accesses(found)[1] == ("dma.write", GDS_BASE + 0x40, GDS_BASE + 0x80)
    assert found.accesses[1].resource.name == "gds-0x40"


def test_a_copy_beyond_the_address_space_is_refused() -> None:
    text = problem(dma(0, 256, target=0xFFFF_FFFF_FFF0))
    assert "stream.txt:10 (offset 0x0): 'buffer-0xfffffffffff0' ends beyond the address" in text


def test_a_copy_to_registers_is_refused() -> None:
    assert "a DMA to or from registers is not modelled" in problem(dma(0, 64 | 1 << 27))
    assert "a DMA to or from registers is not modelled" in problem(dma(0, 64 | 1 << 26))


MEMORY, CONFIRM, BY_PFP = 5 << 8, 1 << 20, 1 << 30


def write(control: int, *values: int, target: int = TARGET) -> tuple[int, ...]:
    return packet(WRITE_DATA, control, low(target), high(target), *values)


@pytest.mark.parametrize(("engine", "use"), [(0, "cp.store"), (BY_PFP, "pfp.store")])
def test_write_data_stores_at_once(engine: int, use: str) -> None:
    found = work(write(MEMORY | CONFIRM | engine, 1, 2))
    assert accesses(found) == [(use, TARGET, TARGET + 8)]
    assert (found.verb, found.synchronous) == ("clear", False)


def test_write_data_to_one_address() -> None:
    found = work(write(MEMORY | CONFIRM | 1 << 16, 1, 2))
    assert accesses(found) == [("cp.store", TARGET, TARGET + 4)]


def test_write_data_to_registers_is_known_afterwards() -> None:
    found = commands(write(0, 3, 4, target=0x28238 // 4))
    assert [type(row) for row in found] == [ContextWrite, ContextWrite]
    assert [row.name for row in found] == [
        "WRITE_DATA CB_TARGET_MASK",
        "WRITE_DATA CB_SHADER_MASK",
    ]
    assert commands(write(0, 3, target=0x3090C // 4)) == []


@pytest.mark.parametrize(
    ("control", "message"),
    [
        (MEMORY, "a write without a confirm: nothing says when it is finished"),
        (2 << 8 | CONFIRM, "a write of CP to L2 is not modelled"),
        (3 << 8 | CONFIRM, "a write of CP to GDS is not modelled"),
        (MEMORY | CONFIRM | 2 << 30, "the constant engine is not modelled"),
    ],
)
def test_writes_that_are_refused(control: int, message: str) -> None:
    assert message in problem(write(control, 1))


def copy(control: int, source: int = SOURCE, target: int = TARGET) -> tuple[int, ...]:
    return packet(COPY_DATA, control, low(source), high(source), low(target), high(target))


def test_copy_data_from_memory_to_memory() -> None:
    read, store = commands(copy(1 | MEMORY | CONFIRM | 1 << 16))
    assert isinstance(read, Work)
    assert isinstance(store, Work)
    assert accesses(read) == [("cp.read", SOURCE, SOURCE + 8)]
    assert accesses(store) == [("cp.store", TARGET, TARGET + 8)]


def test_copy_data_by_pfp() -> None:
    read, store = commands(copy(1 | MEMORY | CONFIRM | BY_PFP))
    assert isinstance(read, Work)
    assert isinstance(store, Work)
    assert [accesses(read)[0][0], accesses(store)[0][0]] == ["pfp.read", "pfp.store"]


def test_copy_data_of_the_clock_and_of_a_register() -> None:
    for source in (0, 9):
        found = work(copy(source | MEMORY | CONFIRM))
        assert accesses(found) == [("cp.store", TARGET, TARGET + 4)]


def test_copy_data_into_a_context_register_rolls_the_context() -> None:
    read, write = commands(copy(1, target=0x2802C // 4))
    assert isinstance(read, Work)
    assert isinstance(write, ContextWrite)


def test_copy_data_of_a_value_in_the_packet_sets_a_label() -> None:
    wait = packet(WAIT_REG_MEM, 0x13, low(TARGET), high(TARGET), 7, 0xFFFFFFFF, 10)
    found, _ = commands(copy(5 | MEMORY, source=7), wait)
    assert isinstance(found, SetLabel)
    assert found.value == 7
    assert "a hidden value for the label at 0x100009000" in problem(copy(1 | MEMORY), wait)


def test_copies_that_are_refused() -> None:
    assert "a read of CP from L2 or GDS is not modelled" in problem(copy(2 | MEMORY | CONFIRM))
    assert "the constant engine is not modelled" in problem(copy(1 | MEMORY | 2 << 30))


def test_stream_out_counters() -> None:
    update = packet(
        STRMOUT_BUFFER_UPDATE, 1 | 2 << 1, low(TARGET), high(TARGET), low(SOURCE), high(SOURCE)
    )
    found = work(update)
    assert accesses(found) == [
        ("cp.read", SOURCE, SOURCE + 4),
        ("cp.store", TARGET, TARGET + 4),
    ]
    assert commands(packet(STRMOUT_BUFFER_UPDATE, 3 << 1, 0, 0, 0, 0)) == []


def test_all_of_it_is_legal() -> None:
    found = program(
        dma(0, 256),
        dma(SYNC | 1, 64),
        dma(SYNC, 0),
        dma(1 << 20, 64 | 1 << 27, target=0x40),
        write(MEMORY | CONFIRM | BY_PFP, 1),
        copy(1 | MEMORY | CONFIRM),
    )
    assert check_legality(found) == []
    compute = program(dma(1, 256), DISPATCH, write(MEMORY | CONFIRM, 1), ring=COMPUTE)
    assert check_legality(compute) == []
