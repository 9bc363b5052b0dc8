"""Packets that set state: registers, bases, index type, predication.

They access no memory of the program.
"""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.capture.pm4.buffers import DWORD
from fencepost.capture.pm4.packets import Packet, address_in
from fencepost.capture.pm4.registers import CONTEXT, NAMES, REGISTERS, WINDOW_OF, Window
from fencepost.capture.pm4.state import State
from fencepost.capture.pm4.surfaces import buffer
from fencepost.capture.pm4.synchronization import Fields
from fencepost.capture.pm4.transfers import READ_BY
from fencepost.stream.command import Command, ContextWrite, Work, WorkKind

INDEX_BYTES = {0: 2, 1: 4}
INDIRECT_ARGUMENTS = 1
"""SET_BASE index of draw and dispatch arguments (hardware.md 1.3)."""

PREDICATE_CLEAR, PREDICATE_ZPASS, PREDICATE_PRIMCOUNT, PREDICATE_MEMORY = range(4)


def set_registers(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """SET_CONFIG_REG, SET_SH_REG, SET_CONTEXT_REG, SET_UCONFIG_REG."""
    window = WINDOW_OF[packet.name]
    values = packet.body[1:]
    _check_window(packet, window, fields["offset"], len(values))
    first = window.address(fields["offset"])
    for at, value in enumerate(values):
        _write(state, first + at * DWORD, value)
    if window.rolls:
        yield _context_write(packet, first)


def _write(state: State, address: int, value: int | None) -> None:
    state.shadow.write(address, value)
    if address == REGISTERS["VGT_INDEX_TYPE"]:
        state.index_bytes = None if value is None else INDEX_BYTES.get(value & 3)


def _check_window(packet: Packet, window: Window, offset: int, count: int) -> None:
    last = window.address(offset + count - 1)
    if last >= window.end:
        raise packet.problem(
            f"register {last:#x} lies outside the {window.name} window",
            f"{window.start:#x} to {window.end:#x}",
            2,
        )


def _context_write(packet: Packet, address: int) -> ContextWrite:
    name = f"{packet.name} {NAMES[address]}" if address in NAMES else packet.name
    return ContextWrite(name=name, place=packet.place)


def load_registers(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """LOAD_*_REG: ME reads values that the stream does not show."""
    window = WINDOW_OF[packet.name]
    base = address_in(fields)
    accesses = []
    for offset, count in zip(packet.body[2::2], packet.body[3::2], strict=True):
        if count == 0:
            continue
        _check_window(packet, window, offset, count)
        for at in range(count):
            _write(state, window.address(offset + at), None)
        surface = buffer(base + offset * DWORD, count * DWORD)
        accesses.append(state.resources.access(*READ_BY["me"], surface))
    yield Work(
        name=packet.name,
        place=packet.place,
        kind=WorkKind.DMA,
        verb="copy",
        accesses=tuple(accesses),
    )
    if window.rolls:
        yield _context_write(packet, CONTEXT.start)


def modify_context_register(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """CONTEXT_REG_RMW: known only where the mask keeps nothing of the old value."""
    _check_window(packet, CONTEXT, fields["offset"], 1)
    address = CONTEXT.address(fields["offset"])
    whole = fields["mask"] == 0xFFFFFFFF
    state.shadow.write(address, fields["data"] if whole else None)
    yield _context_write(packet, address)


def clear_state(packet: Packet, _fields: Fields, state: State) -> Iterator[Command]:
    """CLEAR_STATE."""
    state.shadow.clear_state()
    yield ContextWrite(name=packet.name, place=packet.place)


def set_base(_packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """SET_BASE."""
    if fields["base"] == INDIRECT_ARGUMENTS:
        state.arguments_base = address_in(fields)
    yield from ()


def index_type(_packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """INDEX_TYPE."""
    state.index_bytes = INDEX_BYTES[fields["type"]]
    yield from ()


def index_base(_packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """INDEX_BASE."""
    state.index_base = address_in(fields)
    yield from ()


def index_buffer_size(_packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """INDEX_BUFFER_SIZE."""
    state.index_count = fields["indices"]
    yield from ()


def set_predication(_packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """SET_PREDICATION: what PFP will read for predicated packets."""
    sizes = {
        PREDICATE_ZPASS: 16 * state.geometry.back_ends,
        PREDICATE_PRIMCOUNT: 32,
        PREDICATE_MEMORY: 8,
    }
    size = sizes.get(fields["operation"])
    state.predicate = None if size is None else buffer(address_in(fields), size, "predicate")
    yield from ()


def nothing(_packet: Packet, _fields: Fields, _state: State) -> Iterator[Command]:
    """NOP, CONTEXT_CONTROL and their like: no access, no order."""
    yield from ()
