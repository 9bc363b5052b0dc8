"""Draws and dispatches: their exact accesses, and the stages that stay unknown."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.capture.pm4.buffers import DWORD
from fencepost.capture.pm4.packets import Packet, address_in
from fencepost.capture.pm4.registers import UnknownRegisterError
from fencepost.capture.pm4.state import State
from fencepost.capture.pm4.surfaces import buffer
from fencepost.capture.pm4.synchronization import Fields
from fencepost.capture.pm4.targets import target_uses
from fencepost.stream.command import Access, Command, Work, WorkKind

ARGUMENT_BYTES = {
    "DRAW_INDIRECT": 16,
    "DRAW_INDEX_INDIRECT": 20,
    "DRAW_INDIRECT_MULTI": 16,
    "DRAW_INDEX_INDIRECT_MULTI": 20,
    "DISPATCH_INDIRECT": 12,
}
"""Bytes of one set of arguments: 4, 5 or 3 dwords (D3D11 and Vulkan indirect commands)."""


def dispatch(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """DISPATCH_DIRECT and DISPATCH_INDIRECT."""
    accesses: list[Access] = []
    runs = True
    title = packet.name
    if packet.name == "DISPATCH_DIRECT":
        groups = (fields["x"], fields["y"], fields["z"])
        title = f"{packet.name} {groups[0]}x{groups[1]}x{groups[2]}"
        runs = 0 not in groups
    else:
        accesses.append(_arguments(packet, fields, state, ARGUMENT_BYTES[packet.name]))
    yield _work(packet, state, WorkKind.DISPATCH, title, accesses, ("cs",) if runs else ())


def draw(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """Every DRAW packet."""
    accesses: list[Access] = []
    title = packet.name
    if "count" in fields and packet.name not in ARGUMENT_BYTES:
        title = f"{packet.name} {fields['count']}"
        if fields["count"] == 0:
            yield _work(packet, state, WorkKind.DRAW, title, (), ())
            return
    if packet.name in ARGUMENT_BYTES:
        accesses += _indirect(packet, fields, state)
    if "INDEX" in packet.name and packet.name != "DRAW_INDEX_AUTO":
        accesses += _indices(packet, fields, state)
    uses, unknown = target_uses(state.shadow, state.geometry.pipes)
    accesses += [state.resources.access(use.block, use.use, use.surface, use.part) for use in uses]
    stages = ("vs", "ps", *unknown, *_stream_out(state))
    yield _work(packet, state, WorkKind.DRAW, title, accesses, stages)


def _work(
    packet: Packet,
    state: State,
    kind: WorkKind,
    title: str,
    accesses: list[Access] | tuple[()],
    unknown: tuple[str, ...],
) -> Work:
    """The work, with what the annotations say of it."""
    told = state.annotations.of(kind)
    predication = state.predication() if packet.predicated else ()
    return Work(
        name=title,
        place=packet.place,
        kind=kind,
        verb=kind.value,
        accesses=(*predication, *accesses, *told.accesses),
        unknown=tuple(block for block in unknown if block not in told.blocks),
    )


def _arguments(packet: Packet, fields: Fields, state: State, size: int) -> Access:
    """The arguments of one indirect command, or of several that lie `size` bytes."""
    if "address_lo" in fields:
        address = address_in(fields)
    elif state.arguments_base is None:
        raise packet.problem("no SET_BASE of indirect arguments before it", "SET_BASE")
    else:
        address = state.arguments_base + fields["offset"]
    return state.resources.access("pfp", "args", buffer(address, size, "args"))


def _indirect(packet: Packet, fields: Fields, state: State) -> Iterator[Access]:
    size = ARGUMENT_BYTES[packet.name]
    count = fields.get("count", 1)
    if count:
        whole = (count - 1) * fields.get("stride", 0) + size
        yield _arguments(packet, fields, state, whole)
    if fields.get("count_indirect"):
        surface = buffer(address_in(fields, "count"), DWORD, "args")
        yield state.resources.access("pfp", "args", surface)


def _indices(packet: Packet, fields: Fields, state: State) -> Iterator[Access]:
    """The index data: exactly what is read, or the whole index buffer where arguments decide."""
    if state.index_bytes is None:
        raise packet.problem("no index type before it", "INDEX_TYPE")
    if packet.name == "DRAW_INDEX_2":
        start, count = address_in(fields), fields["count"]
    elif state.index_base is None:
        raise packet.problem("no index buffer before it", "INDEX_BASE")
    elif packet.name == "DRAW_INDEX_OFFSET_2":
        start = state.index_base + fields["first"] * state.index_bytes
        count = fields["count"]
    elif state.index_count is None:
        raise packet.problem("no size of the index buffer before it", "INDEX_BUFFER_SIZE")
    else:
        start, count = state.index_base, state.index_count
    if count:
        surface = buffer(start, count * state.index_bytes, "index")
        yield state.resources.access("pfp", "index", surface)


def _stream_out(state: State) -> tuple[str, ...]:
    """Whether the draw streams out: where to is in descriptors, which the stream does not show."""
    try:
        streams = state.shadow.field("VGT_STRMOUT_CONFIG", 0, 3)
        buffers = state.shadow.field("VGT_STRMOUT_BUFFER_CONFIG", 0, 15)
    except UnknownRegisterError:
        return ("so",)
    return ("so",) if streams and buffers else ()
