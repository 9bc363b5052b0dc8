"""Synchronization packets to commands (docs/pm4.md "Packets and commands")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fencepost.capture.pm4.buffers import DWORD
from fencepost.capture.pm4.events import (
    CACHE,
    CB_PIXELS,
    DB_PIXELS,
    END_OF_PIPE,
    END_OF_SHADER,
    EVENTS,
    FLUSH,
    NONE,
    SAMPLE,
    EventRow,
)
from fencepost.capture.pm4.labels import STORE_VALUE, VALUE_64, VALUE_SIZES
from fencepost.capture.pm4.layouts import COHERENCY_BITS, FUNCTIONS, SYNC_ENGINES
from fencepost.capture.pm4.packets import Packet, address_in
from fencepost.capture.pm4.registers import NAMES
from fencepost.capture.pm4.state import State
from fencepost.capture.pm4.surfaces import buffer
from fencepost.stream.command import (
    CacheOperation,
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    WaitMemory,
)
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Resource

Fields = Mapping[str, int]

ACTIONS: tuple[tuple[str, tuple[CacheOperation, ...]], ...] = (
    ("cb_action", CB_PIXELS),
    ("db_action", DB_PIXELS),
    ("tc_action", (CacheOperation("tcc", "wbinv"),)),
    ("tcl1_action", (CacheOperation("tcp", "wbinv"),)),
    ("sh_kcache_action", (CacheOperation("k", "inv"),)),
    ("sh_icache_action", (CacheOperation("i", "inv"),)),
    ("tc_wb_action", ()),
    ("tc_vol_action", ()),
    ("tcl1_vol_action", ()),
    ("sh_kcache_vol_action", ()),
)
"""Cache actions, far to near [design 4.3; hardware.md 1.4]. The write back of TCC alone and the
volatile ones act on lines that a descriptor marks as volatile only; no driver marks any
(hardware.md 1.6, 4): they do nothing for us."""

UNIT = 256
"""Bytes: CP_COHER_BASE and CP_COHER_SIZE count in these (hardware.md 1.3)."""

WHOLE_UNITS = 0xFFFFFFF
"""From here on a size means everything: the seed writes 0xfffffff00 bytes, drivers all ones
(hardware.md 1.3 range rule)."""

COMPARISONS = {number: Comparison(name) for number, name in FUNCTIONS.items()}

MUTE_REGISTERS = {"CP_STRMOUT_CNTL": "hardware.md 2.2 (stream-out offsets are updated)"}
"""Registers that may be waited for: what they say orders no access."""

REGISTER, MEMORY = 0, 1
TIMESTAMPS = (3, 4)


def operations_of(fields: Fields) -> tuple[CacheOperation, ...]:
    """The cache operations of the action bits that a packet sets."""
    return tuple(
        operation for name, operations in ACTIONS if fields.get(name) for operation in operations
    )


def surface_sync(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """SURFACE_SYNC and ACQUIRE_MEM."""
    units = fields["size"] | fields.get("size_hi", 0) << 32
    start = (fields["base"] | fields.get("base_hi", 0) << 32) * UNIT
    if start >= WHOLE_END:
        raise packet.problem(f"a range from {start:#x}", "48-bit addresses")
    whole = start == 0 and units >= WHOLE_UNITS
    operations, coherency = (
        operations_of(fields),
        tuple(name for _, name in COHERENCY_BITS if fields[name]),
    )
    if not state.graphics:
        # The compute queues' CP masks CB and DB off (hardware.md 1.3).
        operations = tuple(row for row in operations if row not in CB_PIXELS + DB_PIXELS)
        coherency = ()
    yield SurfaceSync(
        name=packet.name,
        place=packet.place,
        engine=state.engine(SYNC_ENGINES[fields["engine"]]),
        operations=operations,
        coherency=coherency,
        start=WHOLE_START if whole else start,
        end=WHOLE_END if whole else min(start + units * UNIT, WHOLE_END),
    )


def event_write(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """EVENT_WRITE: partial flushes, CB and DB events, counters."""
    event = _event(packet, fields)
    name = f"EVENT_WRITE {event.name}"
    if (event.role == SAMPLE) != ("address_lo" in fields):
        expected = "4 dwords" if event.role == SAMPLE else "2 dwords"
        raise packet.problem(f"{event.name} with {len(packet.body) + 1} dwords", expected)
    if not state.graphics and (event.role == CACHE or event.stage in ("vs", "ps")):
        raise packet.problem(f"{event.name} on a compute queue", "a graphics queue")
    if event.role == FLUSH:
        yield PartialFlush(name=name, place=packet.place, stage=event.stage)
    elif event.role == CACHE:
        yield PipelinedEvent(name=name, place=packet.place, operations=event.operations)
    elif event.role == NONE:
        yield from _mute(packet, name, state)
    elif event.role == SAMPLE:
        size = event.size * (state.geometry.back_ends if event.name == "ZPASS_DONE" else 1)
        access = state.resources.access("cp", "write", buffer(address_in(fields), size, "counters"))
        yield EndOfPipe(name=name, place=packet.place, timestamp=access)
    else:
        raise packet.problem(f"{event.name} in an EVENT_WRITE", "an event without a value", 2)


def _event(packet: Packet, fields: Fields) -> EventRow:
    """The event's row; refuses a wrong index and events that no source explains."""
    event = EVENTS[fields["event"]]
    if fields["index"] != event.index:
        raise packet.problem(
            f"{event.name} with event index {fields['index']}", f"index {event.index}", 2
        )
    if not event.source:
        raise packet.problem(
            f"{event.name}: no public source says what it orders", "another event", 2
        )
    return event


def end_of_pipe(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """EVENT_WRITE_EOP, and RELEASE_MEM with an end-of-pipe event."""
    event = _event(packet, fields)
    if event.role == END_OF_SHADER and packet.name == "RELEASE_MEM":
        yield _end_of_shader_release(packet, fields, event, state)
        return
    if event.role != END_OF_PIPE:
        raise packet.problem(f"{event.name} is no end-of-pipe event", "an event with index 5", 2)
    _check_in_memory(packet, fields)
    operations = (event.operations if state.graphics else ()) + operations_of(fields)
    command = EndOfPipe(
        name=f"{packet.name} {event.name}", place=packet.place, operations=operations
    )
    yield _with_value(command, packet, fields, state)


def _with_value(command: EndOfPipe, packet: Packet, fields: Fields, state: State) -> EndOfPipe:
    """The end of pipe with the value or the timestamp that it writes."""
    select = fields["data_select"]
    if select in TIMESTAMPS:
        surface = buffer(address_in(fields), 8, "timestamp")
        access = state.resources.access("cp", "write", surface)
        return EndOfPipe(
            name=command.name,
            place=command.place,
            operations=command.operations,
            timestamp=access,
        )
    if select not in VALUE_SIZES:
        return command
    value = fields["data_lo"] | (fields["data_hi"] << 32 if select == VALUE_64 else 0)
    label, value = _label_value(packet, state, address_in(fields), VALUE_SIZES[select], value)
    return EndOfPipe(
        name=command.name,
        place=command.place,
        operations=command.operations,
        label=label,
        value=value,
    )


def _end_of_shader_release(
    packet: Packet, fields: Fields, event: EventRow, state: State
) -> EndOfShader:
    _check_in_memory(packet, fields)
    if operations_of(fields) or fields["data_select"] not in VALUE_SIZES:
        raise packet.problem(f"{event.name} with a cache action or no value", "a value alone", 2)
    size = VALUE_SIZES[fields["data_select"]]
    value = fields["data_lo"] | (fields["data_hi"] << 32 if size > DWORD else 0)
    label, value = _label_value(packet, state, address_in(fields), size, value)
    name = f"{packet.name} {event.name}"
    return EndOfShader(name=name, place=packet.place, stage=event.stage, label=label, value=value)


def end_of_shader(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """EVENT_WRITE_EOS."""
    event = _event(packet, fields)
    if event.role != END_OF_SHADER:
        raise packet.problem(f"{event.name} is no end-of-shader event", "CS_DONE or PS_DONE", 2)
    if fields["command"] != STORE_VALUE:
        raise packet.problem("data of GDS at end of shader is not modelled", "a 32-bit value", 4)
    label, value = _label_value(packet, state, address_in(fields), DWORD, fields["data"])
    yield EndOfShader(
        name=f"EVENT_WRITE_EOS {event.name}",
        place=packet.place,
        stage=event.stage,
        label=label,
        value=value,
    )


def _check_in_memory(packet: Packet, fields: Fields) -> None:
    if fields["destination"]:
        raise packet.problem("a value written to L2 is not modelled", "a value in memory")


def wait_reg_mem(packet: Packet, fields: Fields, state: State) -> Iterator[Command]:
    """WAIT_REG_MEM."""
    if fields["operation"]:
        raise packet.problem("write, wait, write is not modelled", "a plain wait", 2)
    if fields["space"] == REGISTER:
        yield from _mute(packet, f"WAIT_REG_MEM {_waited_register(packet, fields)}", state)
        return
    if fields["space"] != MEMORY:
        raise packet.problem("a wait through L2 is not modelled", "a wait on memory", 2)
    if fields["engine"] > 1:
        raise packet.problem("the constant engine is not modelled", "ME or PFP", 2)
    address = address_in(fields)
    label = state.labels.covering(address, DWORD)
    if label is None:
        raise packet.problem(f"no label at {address:#x}", "a label")
    shift = 8 * (address - label.main.start)
    yield WaitMemory(
        name=packet.name,
        place=packet.place,
        engine=state.engine("PFP" if fields["engine"] else "ME"),
        label=label,
        comparison=COMPARISONS[fields["function"]],
        reference=fields["reference"] << shift,
        mask=fields["mask"] << shift,
    )


def _waited_register(packet: Packet, fields: Fields) -> str:
    register = NAMES.get(fields["address_lo"] * DWORD, f"register {fields['address_lo']:#x}")
    if register not in MUTE_REGISTERS:
        expected = " or ".join(MUTE_REGISTERS)
        raise packet.problem(f"a wait for {register} is not modelled", expected, 3)
    return register


def _mute(packet: Packet, name: str, state: State) -> Iterator[Command]:
    """What orders no access: shown where there is a command for it, on the graphics queue."""
    if state.graphics:
        yield PipelinedEvent(name=name, place=packet.place)


def pfp_sync_me(packet: Packet, _fields: Fields, _state: State) -> Iterator[Command]:
    """PFP_SYNC_ME."""
    yield PfpSyncMe(name=packet.name, place=packet.place)


def _label_value(
    packet: Packet, state: State, address: int, size: int, value: int
) -> tuple[Resource, int]:
    """The label at an address, and a value as it stands in that label."""
    label = state.labels.covering(address, size)
    if label is None:
        raise packet.problem(f"no label at {address:#x}", "a label")
    if address != label.main.start:
        raise packet.problem(
            f"a value in the upper half of the label at {label.main.start:#x}", "its lower half"
        )
    return label, value
