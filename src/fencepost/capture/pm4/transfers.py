"""Packets with which CP itself moves data (docs/pm4.md "Packets and commands")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fencepost.capture.pm4.buffers import DWORD
from fencepost.capture.pm4.layouts import ENGINES_CE
from fencepost.capture.pm4.packets import Packet, address_in
from fencepost.capture.pm4.registers import CONTEXT, NAMES
from fencepost.capture.pm4.state import State
from fencepost.capture.pm4.surfaces import Surface, buffer
from fencepost.capture.pm4.synchronization import Fields
from fencepost.stream.command import (
    Access,
    Command,
    ContextWrite,
    DmaWait,
    SetLabel,
    Work,
    WorkKind,
)
from fencepost.stream.resource import GDS_BASE, Part, ResourceKind

REGISTER, MEMORY, L2, GDS, IMMEDIATE, MEMORY_ASYNC, GPU_CLOCK = 0, 1, 2, 3, 5, 5, 9
DMA_GDS, DMA_DATA, DMA_L2 = 1, 2, 3
"""Numbers of source and destination: of WRITE_DATA and COPY_DATA, of DMA_DATA."""

READ_BY = {"me": ("cp", "read"), "pfp": ("pfp", "read")}
STORE_BY = {"me": ("cp", "store"), "pfp": ("pfp", "store")}
"""How an engine's own accesses are called."""


def dma_data(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """DMA_DATA: a copy or a fill by CP DMA; of no bytes, a wait for it."""
    engine = state.engine("PFP" if fields["engine"] else "ME")
    if fields["bytes"] == 0 and fields["synchronous"]:
        yield DmaWait(name="DMA_DATA of no bytes", place=packet.place, engine=engine)
        return
    fill = fields["source"] == DMA_DATA
    yield Work(
        name=f"DMA_DATA {fields['bytes']} bytes",
        place=packet.place,
        kind=WorkKind.DMA,
        verb="clear" if fill else "copy",
        accesses=state.predication() * packet.predicated + _dma_accesses(packet, fields, state),
        engine=engine,
        synchronous=bool(fields["synchronous"]),
        raw_wait=bool(fields["raw_wait"]),
    )


def _dma_accesses(packet: Packet, fields: Fields, state: State) -> tuple[Access, ...]:
    if fields["bytes"] == 0:
        return ()
    source = None if fields["source"] == DMA_DATA else _dma_side(packet, fields, "source")
    target = _dma_side(packet, fields, "destination")
    through = {DMA_L2: "-tcc"}
    accesses: list[Access] = []
    if source is not None:
        use = "read" + through.get(fields["source"], "")
        accesses.append(state.resources.access("dma", use, source))
    if target != source:
        # A copy onto itself leaves every byte as it was: drivers prefetch into TCC that way.
        use = "write" + through.get(fields["destination"], "")
        accesses.append(state.resources.access("dma", use, target))
    return tuple(accesses)


def _dma_side(packet: Packet, fields: Fields, side: str) -> Surface:
    """The bytes that one side of a DMA touches."""
    gds = fields[side] == DMA_GDS
    if fields[f"{side}_space"] and not gds:
        raise packet.problem("a DMA to or from registers is not modelled", "memory or GDS", 7)
    address = address_in(fields, "source" if side == "source" else "address")
    size = DWORD if fields[f"{side}_fixed"] else fields["bytes"]
    if gds:
        return gds_bytes(address, size)
    return buffer(address, size)


def gds_bytes(offset: int, size: int) -> Surface:
    """Bytes of the global data share."""
    start = GDS_BASE + (offset & 0xFFFF)
    return Surface(ResourceKind.GDS, "gds", (Part("gds", start, start + size),))


def write_data(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """WRITE_DATA: registers, a label, or bytes in memory."""
    values = packet.body[3:]
    if fields["destination"] == REGISTER:
        yield from _write_registers(packet, fields, state, values)
        return
    count = 1 if fields["one_address"] else len(values)
    value = sum(word << 32 * at for at, word in enumerate(values[-count:]))
    yield from _store(packet, fields, state, count * DWORD, value)


def _write_registers(
    packet: Packet, fields: Fields, state: State, values: Sequence[int]
) -> Iterator[Command]:
    """Registers by dword address; each value is known."""
    first = fields["address_lo"] * DWORD
    step = 0 if fields["one_address"] else DWORD
    for at, value in enumerate(values):
        yield from _write_register(packet, state, first + at * step, value)


def _write_register(
    packet: Packet, state: State, address: int, value: int | None
) -> Iterator[Command]:
    state.shadow.write(address, value)
    if CONTEXT.start <= address < CONTEXT.end:
        name = f"{packet.name} {NAMES.get(address, f'register {address:#x}')}"
        yield ContextWrite(name=name, place=packet.place)


def _store(
    packet: Packet, fields: Fields, state: State, size: int, value: int | None
) -> Iterator[Command]:
    """CP writes `size` bytes to memory or GDS: a label's value, or plain bytes."""
    engine = _engine(packet, fields, state)
    if fields["destination"] == L2:
        raise packet.problem("a write of CP to L2 is not modelled", "a write to memory", 2)
    if fields["destination"] == GDS:
        raise packet.problem("a write of CP to GDS is not modelled", "a write to memory", 2)
    address = address_in(fields)
    label = state.labels.touching(address, size)
    if label is None:
        if not fields["confirm"]:
            raise packet.problem(
                "a write without a confirm: nothing says when it is finished", "confirm set", 2
            )
        access = state.resources.access(*STORE_BY[engine], buffer(address, size))
        yield _own_work(packet, engine, "clear", (access,))
        return
    if value is None:
        raise packet.problem(f"a hidden value for the label at {address:#x}", "a known value")
    if address != label.main.start or address + size > label.main.end:
        raise packet.problem(
            f"bytes in and beside the label at {label.main.start:#x}", "the label from its start"
        )
    yield SetLabel(name=packet.name, place=packet.place, engine=engine, label=label, value=value)


def _engine(packet: Packet, fields: Fields, state: State) -> str:
    name = ENGINES_CE[fields["engine"]]
    if name == "CE":
        raise packet.problem("the constant engine is not modelled", "ME or PFP", 2)
    return state.engine(name)


def _own_work(packet: Packet, engine: str, verb: str, accesses: tuple[Access, ...]) -> Work:
    """What an engine reads or writes itself, at once."""
    return Work(
        name=packet.name,
        place=packet.place,
        kind=WorkKind.DMA,
        verb=verb,
        accesses=accesses,
        engine=engine,
    )


def copy_data(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """COPY_DATA: one or two dwords between registers, memory, the packet and the GPU clock."""
    size = 2 * DWORD if fields["count"] else DWORD
    engine = _engine(packet, fields, state)
    source = fields["source"]
    if source == MEMORY:
        access = state.resources.access(
            *READ_BY[engine], buffer(address_in(fields, "source"), size)
        )
        yield _own_work(packet, engine, "copy", (access,))
    elif source in (L2, GDS):
        raise packet.problem("a read of CP from L2 or GDS is not modelled", "memory", 2)
    value = None
    if source == IMMEDIATE:
        value = address_in(fields, "source") & (1 << 8 * size) - 1
    if fields["destination"] == REGISTER:
        for at in range(size // DWORD):
            word = None if value is None else value >> 32 * at & 0xFFFFFFFF
            address = (fields["address_lo"] + at) * DWORD
            yield from _write_register(packet, state, address, word)
    else:
        yield from _store(packet, fields, state, size, value)


def stream_out_update(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """STRMOUT_BUFFER_UPDATE: CP keeps a stream-out buffer's filled size, in memory if asked."""
    accesses = []
    if fields["source"] == 2:
        surface = buffer(address_in(fields, "source"), DWORD, "filled-size")
        accesses.append(state.resources.access(*READ_BY["me"], surface))
    if fields["store"]:
        surface = buffer(address_in(fields), DWORD, "filled-size")
        accesses.append(state.resources.access(*STORE_BY["me"], surface))
    if accesses:
        yield _own_work(packet, "me", "copy", tuple(accesses))
