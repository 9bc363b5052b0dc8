"""Draws, dispatches and the packets that prepare them."""

from __future__ import annotations

import pytest

from fencepost.stream.command import ContextWrite, Work, WorkKind
from fencepost.stream.legality import check_legality
from tests.capture.build import (
    BASE,
    CLEAR_STATE,
    COMPUTE,
    CONTEXT_REG_RMW,
    DISPATCH,
    DISPATCH_INDIRECT,
    DRAW,
    DRAW_INDEX_2,
    DRAW_INDEX_INDIRECT,
    DRAW_INDEX_OFFSET_2,
    DRAW_INDIRECT,
    DRAW_INDIRECT_MULTI,
    INDEX_BASE,
    INDEX_BUFFER_SIZE,
    INDEX_TYPE,
    LOAD_CONTEXT_REG,
    SET_BASE,
    SET_CONTEXT_REG,
    SET_PREDICATION,
    SET_SH_REG,
    SET_UCONFIG_REG,
    SURFACE_SYNC,
    commands,
    context,
    high,
    low,
    packet,
    problem,
    program,
)

INDICES, ARGUMENTS = 0x1_0000_4000, 0x1_0000_8000
CLEAR = packet(CLEAR_STATE, 0)
WORDS_16, WORDS_32 = packet(INDEX_TYPE, 0), packet(INDEX_TYPE, 1)
ARGS_AT = packet(SET_BASE, 1, low(ARGUMENTS), high(ARGUMENTS))


def last(*packets: tuple[int, ...]) -> Work:
    found = commands(*packets)[-1]
    assert isinstance(found, Work)
    return found


def accesses(row: Work) -> list[tuple[str, int, int]]:
    return [(f"{found.block}.{found.use}", found.start, found.end) for found in row.accesses]


def test_a_dispatch_is_unknown_but_named() -> None:
    found = last(DISPATCH)
    assert (found.kind, found.verb, found.name) == (
        WorkKind.DISPATCH,
        "dispatch",
        "DISPATCH_DIRECT 8x4x1",
    )
    assert (found.accesses, found.unknown) == ((), ("cs",))
    assert (found.place.line, found.place.offset) == (10, 0)


def test_a_dispatch_without_groups_does_nothing() -> None:
    assert last((*DISPATCH[:2], 0, *DISPATCH[3:])).unknown == ()


def test_an_indirect_dispatch_reads_its_arguments() -> None:
    found = last(ARGS_AT, packet(DISPATCH_INDIRECT, 0x20, 1))
    assert accesses(found) == [("pfp.args", ARGUMENTS + 0x20, ARGUMENTS + 0x2C)]
    words = packet(DISPATCH_INDIRECT, low(ARGUMENTS), high(ARGUMENTS), 1)
    (found_compute,) = commands(words, ring=COMPUTE)
    assert isinstance(found_compute, Work)
    assert accesses(found_compute) == [("pfp.args", ARGUMENTS, ARGUMENTS + 12)]


def test_a_draw_without_indices() -> None:
    found = last(CLEAR, DRAW)
    assert (found.name, found.accesses, found.unknown) == ("DRAW_INDEX_AUTO 3", (), ("vs", "ps"))


def test_a_draw_of_nothing_touches_nothing() -> None:
    found = last((DRAW[0], 0, DRAW[2]))
    assert (found.accesses, found.unknown) == ((), ())


def draw_index_2(count: int) -> tuple[int, ...]:
    return packet(DRAW_INDEX_2, 100, low(INDICES), high(INDICES), count, 0)


@pytest.mark.parametrize(("index_type", "size"), [(WORDS_16, 2), (WORDS_32, 4)])
def test_index_data_is_as_long_as_the_draw(index_type: tuple[int, ...], size: int) -> None:
    found = last(CLEAR, index_type, draw_index_2(30))
    assert accesses(found) == [("pfp.index", INDICES, INDICES + 30 * size)]


def test_the_index_type_may_come_through_its_register() -> None:
    index_type = packet(SET_UCONFIG_REG, (0x3090C - 0x30000) // 4 | 2 << 28, 1)
    assert accesses(last(CLEAR, index_type, draw_index_2(1)))[0][2] == INDICES + 4


def test_an_index_buffer_with_an_offset() -> None:
    base = packet(INDEX_BASE, low(INDICES), high(INDICES))
    found = last(CLEAR, WORDS_16, base, packet(DRAW_INDEX_OFFSET_2, 100, 10, 5, 0))
    assert accesses(found) == [("pfp.index", INDICES + 20, INDICES + 30)]


def test_indirect_draws() -> None:
    found = last(CLEAR, ARGS_AT, packet(DRAW_INDIRECT, 0x40, 0, 0, 2))
    assert accesses(found) == [("pfp.args", ARGUMENTS + 0x40, ARGUMENTS + 0x50)]


def test_indirect_indexed_draws_may_read_every_index() -> None:
    base = packet(INDEX_BASE, low(INDICES), high(INDICES))
    size = packet(INDEX_BUFFER_SIZE, 50)
    found = last(CLEAR, ARGS_AT, WORDS_32, base, size, packet(DRAW_INDEX_INDIRECT, 0, 0, 0, 0))
    assert accesses(found) == [
        ("pfp.args", ARGUMENTS, ARGUMENTS + 20),
        ("pfp.index", INDICES, INDICES + 200),
    ]


def test_several_indirect_draws_with_a_count_in_memory() -> None:
    multi = packet(DRAW_INDIRECT_MULTI, 0, 0, 0, 1 << 30, 3, 0x100, 2, 32, 2)
    found = last(CLEAR, ARGS_AT, multi)
    assert accesses(found) == [
        ("pfp.args", ARGUMENTS, ARGUMENTS + 80),
        ("pfp.args", 0x2_0000_0100, 0x2_0000_0104),
    ]


@pytest.mark.parametrize(
    ("packets", "message"),
    [
        ((draw_index_2(3),), "DRAW_INDEX_2: no index type before it; expected INDEX_TYPE"),
        ((WORDS_16, packet(DRAW_INDEX_OFFSET_2, 9, 0, 3, 0)), "no index buffer before it"),
        ((packet(DRAW_INDIRECT, 0, 0, 0, 2),), "no SET_BASE of indirect arguments before it"),
        ((packet(DISPATCH_INDIRECT, 0, 1),), "no SET_BASE of indirect arguments before it"),
        (
            (WORDS_16, packet(INDEX_BASE, 0, 1), ARGS_AT, packet(DRAW_INDEX_INDIRECT, 0, 0, 0, 0)),
            "no size of the index buffer before it",
        ),
    ],
)
def test_draws_that_lack_something(packets: tuple[tuple[int, ...], ...], message: str) -> None:
    assert message in problem(*packets)


STREAM_OUT = (context(0x28B94, 1), context(0x28B98, 0xF))


def test_stream_out_is_unknown() -> None:
    assert last(CLEAR, *STREAM_OUT, DRAW).unknown == ("vs", "ps", "so")
    assert last(CLEAR, STREAM_OUT[0], DRAW).unknown == ("vs", "ps")


def predication(operation: int) -> tuple[int, ...]:
    return packet(SET_PREDICATION, 0x5000, 1 | operation << 16)


@pytest.mark.parametrize(("operation", "size"), [(1, 64), (2, 32), (3, 8)])
def test_a_predicated_draw_reads_the_predicate(operation: int, size: int) -> None:
    predicated = (DRAW[0] | 1, *DRAW[1:])
    found = last(CLEAR, predication(operation), predicated)
    assert accesses(found) == [("pfp.predicate", 0x1_0000_5000, 0x1_0000_5000 + size)]
    assert last(CLEAR, predication(operation), DRAW).accesses == ()
    assert last(CLEAR, predication(operation), predication(0), predicated).accesses == ()


def test_synchronization_must_not_depend_on_the_predicate() -> None:
    sync = packet(SURFACE_SYNC, 1 << 23, 1, 0, 10, predicate=1)
    assert "SURFACE_SYNC: whether it runs depends on the predicate" in problem(sync)


def test_context_registers_roll_and_others_do_not() -> None:
    found = commands(
        context(0x28238, 0xF),
        packet(SET_SH_REG, 8, 1),
        packet(SET_UCONFIG_REG, 0x280, 0, 0),
        packet(SET_CONTEXT_REG, 0x200, 0),
    )
    assert [type(row) for row in found] == [ContextWrite, ContextWrite]
    assert [row.name for row in found] == [
        "SET_CONTEXT_REG CB_TARGET_MASK",
        "SET_CONTEXT_REG DB_DEPTH_CONTROL",
    ]


def test_a_register_outside_its_window() -> None:
    assert "register 0x29000 lies outside the CONTEXT window; expected 0x28000 to" in problem(
        packet(SET_CONTEXT_REG, 0x3FF, 1, 2)
    )
    assert "lies outside the SH window" in problem(packet(SET_SH_REG, 0x400, 1))


COLOR = (
    context(0x28808, 0x00CC0010),
    context(0x28238, 0xF),
    context(0x28C60, 0x1000000, 31, 1023, 0, 10 << 2, 14),
)


def test_modified_registers_are_known_only_when_replaced_whole() -> None:
    mask = (0x28238 - 0x28000) // 4
    whole = packet(CONTEXT_REG_RMW, mask, 0xFFFFFFFF, 0)
    part = packet(CONTEXT_REG_RMW, mask, 0xF, 0)
    assert [row[0] for row in accesses(last(CLEAR, *COLOR, DRAW))] == ["cb0.write"]
    assert last(CLEAR, *COLOR, whole, DRAW).accesses == ()
    assert last(CLEAR, *COLOR, whole, DRAW).unknown == ("vs", "ps")
    assert last(CLEAR, *COLOR, part, DRAW).unknown == ("vs", "ps", "cb")


def test_loaded_registers_are_read_and_unknown() -> None:
    mask = (0x28238 - 0x28000) // 4
    load = packet(LOAD_CONTEXT_REG, 0x7000, 1, mask, 2)
    found = commands(CLEAR, *COLOR, load, DRAW)
    read, roll, draw = found[-3:]
    assert isinstance(read, Work)
    assert isinstance(roll, ContextWrite)
    assert isinstance(draw, Work)
    start = 0x1_0000_7000 + 4 * mask
    assert accesses(read) == [("cp.read", start, start + 8)]
    assert draw.unknown == ("vs", "ps", "cb")


def test_opcodes_that_are_known_and_not_translated() -> None:
    assert "COND_EXEC: not translated: whether what follows runs depends on memory" in problem(
        packet(0x22, 0, 0, 0, 0)
    )
    assert "MEM_SEMAPHORE: not translated: counting semaphores" in problem(packet(0x39, 0, 0))


def test_places_tell_line_and_offset() -> None:
    found = commands(CLEAR, DRAW, DISPATCH)
    assert [(row.place.line, row.place.offset) for row in found] == [(10, 0), (11, 8), (12, 20)]
    assert str(found[1].place) == "stream.txt:11 (offset 0x8)"


def test_what_was_translated_is_legal() -> None:
    found = program(
        CLEAR,
        *COLOR,
        *STREAM_OUT,
        ARGS_AT,
        WORDS_16,
        packet(INDEX_BASE, 0, 1),
        packet(INDEX_BUFFER_SIZE, 9),
        predication(3),
        (DRAW[0] | 1, *DRAW[1:]),
        draw_index_2(3),
        packet(DRAW_INDEX_INDIRECT, 0, 0, 0, 0),
        packet(DISPATCH_INDIRECT, 0, 1),
        (DISPATCH[0] | 1, *DISPATCH[1:]),
    )
    assert check_legality(found) == []
    assert check_legality(program(DRAW)) == []


def test_one_address_with_several_sizes_is_several_resources() -> None:
    found = program(CLEAR, WORDS_16, draw_index_2(3), draw_index_2(5), draw_index_2(3))
    assert [(row.name, row.main.size) for row in found.resources] == [
        ("index-0x100004000", 6),
        ("index-0x100004000-2", 10),
    ]
    assert BASE < INDICES
