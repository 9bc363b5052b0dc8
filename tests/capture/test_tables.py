"""Our tables against the public description of the registers, and against themselves."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.capture.pm4 import layouts
from fencepost.capture.pm4.events import (
    CACHE,
    END_OF_PIPE,
    END_OF_SHADER,
    EVENTS,
    FLUSH,
    ROWS,
    SAMPLE,
    UNCLEAR,
    EventRow,
)
from fencepost.capture.pm4.fields import MASK, Field, Layout, bits
from fencepost.capture.pm4.opcodes import ELSEWHERE, KNOWN_NUMBERS, OPCODES
from fencepost.capture.pm4.opcodes import ROWS as OPCODE_ROWS
from fencepost.capture.pm4.registers import CB_STRIDE, NAMES, REGISTERS, WINDOWS
from fencepost.capture.pm4.surfaces import COLOR_FORMATS, PIPES_OF_CONFIG
from fencepost.capture.pm4.translate import HANDLERS
from fencepost.machine import MACHINES
from tests.capture.data import CAPTURES, needs_data
from tests.capture.scanner import opcode_names

DATABASE = CAPTURES / "mesa_register_db"
LAYOUTS = {name: row for name, row in vars(layouts).items() if isinstance(row, Layout)}


def mesa_fields(file: str, register: str) -> dict[str, tuple[int, int]]:
    """Fields of a register or packet dword: name to lowest and highest bit."""
    base = json.loads((DATABASE / file).read_text(encoding="utf-8"))
    rows = base["register_types"][register]["fields"]
    return {row["name"]: (row["bits"][0], row["bits"][1]) for row in rows}


def mesa_values(enum: str) -> dict[int, str]:
    """Numbers and names of an enumeration."""
    base = json.loads((DATABASE / "gfx7.json").read_text(encoding="utf-8"))
    return {row["value"]: row["name"] for row in base["enums"][enum]["entries"]}


def mesa_registers() -> dict[str, int]:
    """Names and byte addresses."""
    base = json.loads((DATABASE / "gfx7.json").read_text(encoding="utf-8"))
    return {row["name"]: row["map"]["at"] for row in base["register_mappings"]}


def spans(layout: Layout, dword: int) -> set[tuple[int, int]]:
    return {(row.low, row.high) for row in layout.fields if row.dword == dword}


@pytest.mark.parametrize("name", LAYOUTS)
def test_fields_do_not_overlap(name: str) -> None:
    taken: dict[int, int] = {}
    for row in LAYOUTS[name].fields:
        assert row.dword >= 2
        assert 0 <= row.low <= row.high < 32
        mask = bits(MASK, 0, row.high - row.low) << row.low
        assert not taken.get(row.dword, 0) & mask, row.name
        taken[row.dword] = taken.get(row.dword, 0) | mask
    assert sorted(taken) == list(range(2, LAYOUTS[name].dwords + 1))


@pytest.mark.parametrize("name", LAYOUTS)
def test_field_names_are_told_apart(name: str) -> None:
    names = [row.name for row in LAYOUTS[name].fields]
    assert len(names) == len(set(names))
    assert LAYOUTS[name].source


def test_a_layout_describes_no_more_than_its_packet_holds() -> None:
    for row in OPCODE_ROWS:
        if row.layout is not None:
            assert row.layout.dwords <= row.most
            if row.least == row.most:
                assert row.layout.dwords == row.least, row.name


def test_reserved_bits_are_what_no_field_covers() -> None:
    layout = Layout((Field("a", 2, 0, 3), Field("b", 2, 8, 31), Field("c", 3)), "test")
    assert layout.reserved == ((2, 0xF0),)
    assert list(layout.faults((0xFFFFFF0F, MASK))) == []
    (fault,) = layout.faults((0x40, 0))
    assert (fault.dword, fault.problem) == (2, "bit 6 of dword 2 is reserved on GFX7")


@given(st.sampled_from(sorted(LAYOUTS)), st.lists(st.integers(0, MASK), min_size=9, max_size=9))
def test_decoded_fields_hold_every_bit(name: str, words: list[int]) -> None:
    """Putting the fields back where they stand gives the packet, reserved bits aside."""
    layout = LAYOUTS[name]
    body = words[: layout.dwords - 1]
    back = [0] * len(body)
    for row in layout.fields:
        back[row.dword - 2] |= layout.decode(body)[row.name] << row.low
    reserved = dict(layout.reserved)
    assert back == [word & ~reserved.get(at, 0) for at, word in enumerate(body, start=2)]


def test_opcodes_have_a_handler_or_a_reason() -> None:
    for row in OPCODE_ROWS:
        assert (row.name in HANDLERS) != bool(row.refused), row.name
        assert row.source
        assert 2 <= row.least <= row.most
        assert set(row.queues) <= {"graphics", "compute"}
    assert not set(ELSEWHERE) & set(KNOWN_NUMBERS)


@needs_data
def test_opcodes_are_those_of_the_reference() -> None:
    ours = {row.number: row.name for row in OPCODES.values()}
    theirs = opcode_names()
    del theirs[0x41]  # exists on GFX6 only
    assert {number: ours.get(number) for number in theirs} == theirs
    extra = {name for number, name in ours.items() if number not in theirs}
    # written together in cells of that table
    assert extra == {
        *("LOAD_UCONFIG_REG", "LOAD_SH_REG", "LOAD_CONFIG_REG", "LOAD_CONTEXT_REG"),
        *("LOAD_CONST_RAM", "WRITE_CONST_RAM", "DUMP_CONST_RAM"),
        *("INCREMENT_CE_COUNTER", "INCREMENT_DE_COUNTER"),
        *("WAIT_ON_CE_COUNTER", "WAIT_ON_DE_COUNTER_DIFF"),
    }


@needs_data
def test_coherency_bits_are_those_of_mesa() -> None:
    fields = mesa_fields("gfx7.json", "CP_COHER_CNTL")
    ours = {row.name: row.low for row in layouts.SURFACE_SYNC.fields if row.dword == 2}
    assert ours.pop("engine") == 31
    renamed = {
        name.lower().removesuffix("_ena").replace("dest_base_", "base"): low
        for name, (low, _) in fields.items()
    }
    renamed = {name.removesuffix("_dest_base"): low for name, low in renamed.items()}
    assert ours == renamed


@needs_data
def test_event_types_are_those_of_mesa() -> None:
    theirs = mesa_values("VGT_EVENT_TYPE")
    theirs = {key: name for key, name in theirs.items() if not name.startswith("Reserved")}
    # no driver sends these two: they are not in the public lists of what software may send
    del theirs[0x26], theirs[0x27]
    assert {row.number: row.name for row in ROWS} == theirs


@needs_data
@pytest.mark.parametrize(
    ("layout", "dword", "register"),
    [
        (layouts.DMA_DATA, 2, "DMA_DATA_WORD0_cik"),
        (layouts.DMA_DATA, 7, "COMMAND"),
        (layouts.WRITE_DATA, 2, "CONTROL_cik"),
        (layouts.INDIRECT_BUFFER, 4, "IB_CONTROL"),
    ],
)
def test_packet_fields_hold_those_of_mesa(layout: Layout, dword: int, register: str) -> None:
    assert spans(layout, dword) >= set(mesa_fields("pkt3.json", register).values())


@needs_data
@pytest.mark.parametrize(
    ("layout", "dword", "register"),
    [
        (layouts.DRAW_INDEX_AUTO, 3, "VGT_DRAW_INITIATOR"),
        (layouts.DISPATCH_DIRECT, 5, "COMPUTE_DISPATCH_INITIATOR"),
    ],
)
def test_initiators_cover_the_bits_of_mesa(layout: Layout, dword: int, register: str) -> None:
    covered = {bit for low, high in spans(layout, dword) for bit in range(low, high + 1)}
    theirs = mesa_fields("gfx7.json", register).values()
    assert covered == {bit for low, high in theirs for bit in range(low, high + 1)}


@needs_data
def test_registers_lie_where_mesa_says() -> None:
    theirs = mesa_registers()
    assert {name: theirs.get(name) for name in REGISTERS} == REGISTERS
    assert theirs["CB_COLOR1_BASE"] - theirs["CB_COLOR0_BASE"] == CB_STRIDE
    assert len(NAMES) == len(REGISTERS)


@needs_data
def test_color_formats_are_those_of_mesa() -> None:
    for number, name in mesa_values("ColorFormat").items():
        if name == "COLOR_INVALID" or "RESERVED" in name:
            assert number not in COLOR_FORMATS
            continue
        sizes = [int(part) for part in name.split("_")[1:] if part.isdigit()]
        if name != "COLOR_X24_8_32_FLOAT":
            assert COLOR_FORMATS[number] == (sum(sizes) // 8, len(sizes)), name


@needs_data
def test_pipes_are_what_the_name_of_the_configuration_says() -> None:
    for number, name in mesa_values("PipeConfig").items():
        if number in PIPES_OF_CONFIG:
            pipes = int(name.split("_")[2].removeprefix("P"))
            assert PIPES_OF_CONFIG[number] == max(pipes, 4), name


def test_windows_do_not_overlap() -> None:
    ordered = sorted(WINDOWS, key=lambda row: row.start)
    for before, after in itertools.pairwise(ordered):
        assert before.end <= after.start
    assert [row.name for row in WINDOWS if row.rolls] == ["CONTEXT"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_events_say_what_they_are_for(row: EventRow) -> None:
    assert bool(row.source) == (row.role != UNCLEAR)
    assert bool(row.stage) == (row.role in (FLUSH, END_OF_SHADER))
    assert bool(row.size) == (row.role == SAMPLE)
    assert not row.operations or row.role in (CACHE, END_OF_PIPE)
    assert EVENTS[row.number] is row
    index = {FLUSH: {4}, CACHE: {0, 7}, END_OF_PIPE: {5}, END_OF_SHADER: {6}, SAMPLE: {1, 2, 3}}
    assert row.index in index.get(row.role, {0, 5})


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_operations_of_events_exist_on_the_machine(row: EventRow) -> None:
    machine = MACHINES["gcn2-bonaire"]
    for operation in row.operations:
        found = machine.operation(operation.cache, operation.action)
        assert found is not None
        assert found.pipelined
