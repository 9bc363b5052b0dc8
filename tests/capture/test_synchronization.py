"""Synchronization packets: what each becomes, field by field; what is refused, and why."""

from __future__ import annotations

import pytest

from fencepost.capture.pm4 import Ring
from fencepost.stream.command import (
    CacheOperation,
    Comparison,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitMemory,
)
from fencepost.stream.legality import check_legality
from fencepost.stream.resource import WHOLE_END, ResourceKind
from tests.capture.build import (
    ACQUIRE_MEM,
    COMPUTE,
    EVENT_WRITE,
    EVENT_WRITE_EOP,
    EVENT_WRITE_EOS,
    GFX,
    PFP_SYNC_ME,
    RELEASE_MEM,
    SURFACE_SYNC,
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

FENCE = 0x1_2345_6000
ALL = 0xFFFFFFFF
ME = 1 << 31


def surface_sync(control: int, size: int = ALL, base: int = 0) -> SurfaceSync:
    found = command(packet(SURFACE_SYNC, control, size, base, 10))
    assert isinstance(found, SurfaceSync)
    return found


@pytest.mark.parametrize(
    ("bit", "operation"),
    [
        (22, "tcp.wbinv"),
        (23, "tcc.wbinv"),
        (25, "cb.pixels.wbinv"),
        (26, "db.pixels.wbinv"),
        (27, "k.inv"),
        (29, "i.inv"),
    ],
)
def test_each_action_bit_is_one_operation(bit: int, operation: str) -> None:
    found = surface_sync(1 << bit)
    assert [str(row) for row in found.operations] == [operation]
    assert found.coherency == ()


@pytest.mark.parametrize("bit", [15, 16, 18, 28])
def test_actions_on_volatile_lines_do_nothing(bit: int) -> None:
    assert surface_sync(1 << bit).operations == ()


@pytest.mark.parametrize(
    ("bit", "name"),
    [
        (0, "base0"),
        (1, "base1"),
        (19, "base2"),
        (21, "base3"),
        (14, "db"),
        *((6 + target, f"cb{target}") for target in range(8)),
    ],
)
def test_each_coherency_bit_is_one_word(bit: int, name: str) -> None:
    found = surface_sync(1 << bit)
    assert found.coherency == (name,)
    assert found.operations == ()


def test_operations_go_from_far_to_near() -> None:
    words = [str(row) for row in surface_sync(0x2EC00000).operations]
    assert words == [
        "cb.pixels.wbinv",
        "db.pixels.wbinv",
        "tcc.wbinv",
        "tcp.wbinv",
        "k.inv",
        "i.inv",
    ]


@pytest.mark.parametrize(("bits", "engine"), [(0, "pfp"), (ME, "me")])
def test_bit_31_is_the_engine(bits: int, engine: str) -> None:
    assert surface_sync(1 << 23 | bits).engine == engine


@pytest.mark.parametrize(
    ("size", "base", "start", "end"),
    [
        (ALL, 0, 0, WHOLE_END),
        (0x0FFFFFFF, 0, 0, WHOLE_END),  # the seed's 0xfffffff00 bytes
        (0x0FFFFFFE, 0, 0, 0xFFFFFFE00),
        (1, 0x1000, 0x100000, 0x100100),
        (ALL, 1, 0x100, 0x100 + ALL * 256),
        (0, 0, 0, 0),
    ],
)
def test_ranges_count_in_256_bytes(size: int, base: int, start: int, end: int) -> None:
    found = surface_sync(1 << 14, size, base)
    assert (found.start, found.end) == (start, end)


def test_acquire_mem_has_a_longer_range_and_no_back_end() -> None:
    everything = 0x2EC07FC0
    words = packet(ACQUIRE_MEM, everything, 2, 1, 3, 4, 10)
    found = command(words, ring=COMPUTE)
    assert isinstance(found, SurfaceSync)
    assert [str(row) for row in found.operations] == ["tcc.wbinv", "tcp.wbinv", "k.inv", "i.inv"]
    assert found.coherency == ()
    assert found.engine == "me"
    start = (3 | 4 << 32) * 256
    assert (found.start, found.end) == (start, start + (2 | 1 << 32) * 256)


def test_ranges_end_with_the_address_space() -> None:
    found = command(packet(ACQUIRE_MEM, 0, ALL, 0xFF, 1, 0, 10), ring=COMPUTE)
    assert isinstance(found, SurfaceSync)
    assert (found.start, found.end) == (256, WHOLE_END)
    beyond = packet(ACQUIRE_MEM, 0, 1, 0, 0, 1 << 8, 10)
    assert "a range from 0x1000000000000; expected 48-bit" in problem(beyond, ring=COMPUTE)


@pytest.mark.parametrize(("event", "stage"), [(0x407, "cs"), (0x40F, "vs"), (0x410, "ps")])
def test_partial_flushes(event: int, stage: str) -> None:
    found = command(packet(EVENT_WRITE, event))
    assert isinstance(found, PartialFlush)
    assert found.stage == stage


@pytest.mark.parametrize(
    ("event", "operations"),
    [
        (0x2A, ["db.pixels.wbinv"]),
        (0x2C, ["db.metadata.wbinv"]),
        (0x2E, ["cb.metadata.wbinv"]),
        (0x31, ["cb.pixels.wbinv"]),
        (0x706, ["cb.pixels.wb", "db.pixels.wb"]),
        (
            0x716,
            ["cb.pixels.wbinv", "cb.metadata.wbinv", "db.pixels.wbinv", "db.metadata.wbinv"],
        ),
        (0x19, []),
        (0x24, []),
        (0x1F, []),
    ],
)
def test_pipelined_events(event: int, operations: list[str]) -> None:
    found = command(packet(EVENT_WRITE, event))
    assert isinstance(found, PipelinedEvent)
    assert [str(row) for row in found.operations] == operations


def test_a_compute_queue_takes_only_its_own_events() -> None:
    (flush,) = commands(packet(EVENT_WRITE, 0x407), packet(EVENT_WRITE, 0x19), ring=COMPUTE)
    assert isinstance(flush, PartialFlush)
    assert "VS_PARTIAL_FLUSH on a compute queue" in problem(
        packet(EVENT_WRITE, 0x40F), ring=COMPUTE
    )
    assert "FLUSH_AND_INV_CB_META on a compute queue" in problem(
        packet(EVENT_WRITE, 0x2E), ring=COMPUTE
    )


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (0x007, "CS_PARTIAL_FLUSH with event index 0; expected index 4"),
        (0x42E, "FLUSH_AND_INV_CB_META with event index 4; expected index 0"),
        (
            0x514,
            "CACHE_FLUSH_AND_INV_TS_EVENT in an EVENT_WRITE; expected an event without",
        ),
        (0x62F, "CS_DONE in an EVENT_WRITE"),
        (0x032, "SX_CB_RAT_ACK_REQUEST: no public source says what it orders"),
        (0x115, "ZPASS_DONE with 2 dwords; expected 4 dwords"),
    ],
)
def test_events_that_are_refused(event: int, message: str) -> None:
    assert message in problem(packet(EVENT_WRITE, event))


def test_an_event_with_an_address_it_has_no_use_for() -> None:
    assert "PS_PARTIAL_FLUSH with 4 dwords; expected 2" in problem(packet(EVENT_WRITE, 0x410, 0, 0))


@pytest.mark.parametrize(("event", "size"), [(0x115, 64), (0x21E, 88), (0x320, 16)])
def test_counters_are_written_down_the_pipe(event: int, size: int) -> None:
    found = command(packet(EVENT_WRITE, event, 0x8000, 1))
    assert isinstance(found, EndOfPipe)
    assert found.timestamp is not None
    assert (found.timestamp.block, found.timestamp.use) == ("cp", "write")
    assert found.timestamp.start == 0x1_0000_8000
    assert found.timestamp.end - found.timestamp.start == size
    assert found.label is None


def eop(control: int, select: int = 1, data: tuple[int, int] = (7, 0)) -> tuple[int, ...]:
    """EVENT_WRITE_EOP that writes to FENCE."""
    return packet(EVENT_WRITE_EOP, control, low(FENCE), high(FENCE) | select << 29, *data)


def test_end_of_pipe_writes_its_value_into_a_label() -> None:
    found = command(eop(0x528))
    assert isinstance(found, EndOfPipe)
    assert found.label is not None
    assert found.label.name == "label-0x123456000"
    assert found.label.kind is ResourceKind.LABEL
    assert (found.label.main.size, found.value, found.operations) == (4, 7, ())


def test_end_of_pipe_with_64_bits() -> None:
    found = command(eop(0x528, 2, (7, 1)))
    assert isinstance(found, EndOfPipe)
    assert found.label is not None
    assert (found.label.main.size, found.value) == (8, 7 | 1 << 32)


@pytest.mark.parametrize("select", [3, 4])
def test_end_of_pipe_with_a_timestamp(select: int) -> None:
    found = command(eop(0x528, select))
    assert isinstance(found, EndOfPipe)
    assert found.label is None
    assert found.timestamp is not None
    assert (found.timestamp.start, found.timestamp.end) == (FENCE, FENCE + 8)


def test_end_of_pipe_without_a_value() -> None:
    found = command(eop(0x514, 0))
    assert isinstance(found, EndOfPipe)
    assert (found.label, found.timestamp) == (None, None)
    assert len(found.operations) == 4


@pytest.mark.parametrize(
    ("control", "operations"),
    [
        (0x528 | 1 << 17, ["tcc.wbinv"]),
        (0x528 | 1 << 16, ["tcp.wbinv"]),
        (0x528 | 1 << 15 | 1 << 13 | 1 << 12, []),
        (0x504, ["cb.pixels.wb", "db.pixels.wb"]),
        (0x52D, ["cb.pixels.wbinv"]),
        (0x52B | 3 << 16, ["db.pixels.wbinv", "tcc.wbinv", "tcp.wbinv"]),
    ],
)
def test_operations_of_an_end_of_pipe(control: int, operations: list[str]) -> None:
    found = command(eop(control))
    assert isinstance(found, EndOfPipe)
    assert [str(row) for row in found.operations] == operations


def test_ends_of_pipe_that_are_refused() -> None:
    through_l2 = packet(EVENT_WRITE_EOP, 0x528, 0, 1 << 16 | 1 << 29, 0, 0)
    assert "a value written to L2 is not modelled" in problem(through_l2)
    assert "CS_PARTIAL_FLUSH is no end-of-pipe event" in problem(eop(0x407))
    assert "CS_DONE is no end-of-pipe event" in problem(eop(0x62F))
    assert "FLUSH_SX_TS: no public source says" in problem(eop(0x529))


@pytest.mark.parametrize(("event", "stage"), [(0x62F, "cs"), (0x630, "ps")])
def test_end_of_shader(event: int, stage: str) -> None:
    words = packet(EVENT_WRITE_EOS, event, low(FENCE), high(FENCE) | 2 << 29, 9)
    found = command(words)
    assert isinstance(found, EndOfShader)
    assert (found.stage, found.value, found.label.main.start) == (stage, 9, FENCE)


def test_ends_of_shader_that_are_refused() -> None:
    assert "BOTTOM_OF_PIPE_TS is no end-of-shader event" in problem(
        packet(EVENT_WRITE_EOS, 0x528, 0, 2 << 29, 9)
    )
    assert "data of GDS at end of shader is not modelled" in problem(
        packet(EVENT_WRITE_EOS, 0x62F, 0, 1 << 29, 9)
    )


def release(control: int, select: int = 1, destination: int = 0) -> tuple[int, ...]:
    where = destination << 16 | select << 29
    return packet(RELEASE_MEM, control, where, low(FENCE), high(FENCE), 7, 0)


def test_release_mem_is_an_end_of_pipe_without_back_end() -> None:
    found = command(release(0x514 | 3 << 16), ring=COMPUTE)
    assert isinstance(found, EndOfPipe)
    assert [str(row) for row in found.operations] == ["tcc.wbinv", "tcp.wbinv"]
    assert found.label is not None


def test_release_mem_with_cs_done_is_an_end_of_shader() -> None:
    found = command(release(0x62F), ring=COMPUTE)
    assert isinstance(found, EndOfShader)
    assert (found.stage, found.value) == ("cs", 7)
    assert "with a cache action or no value" in problem(release(0x62F | 1 << 17), ring=COMPUTE)
    assert "a value written to L2" in problem(release(0x62F, destination=1), ring=COMPUTE)


def wait(
    function: int = 3, engine: int = 0, address: int = FENCE, mask: int = ALL, space: int = 1
) -> tuple[int, ...]:
    control = function | space << 4 | engine << 8
    return packet(WAIT_REG_MEM, control, low(address), high(address), 7, mask, 10)


@pytest.mark.parametrize(
    ("function", "comparison"),
    [
        (0, Comparison.ALWAYS),
        (1, Comparison.LESS),
        (2, Comparison.LESS_EQUAL),
        (3, Comparison.EQUAL),
        (4, Comparison.NOT_EQUAL),
        (5, Comparison.GREATER_EQUAL),
        (6, Comparison.GREATER),
    ],
)
def test_waits_compare(function: int, comparison: Comparison) -> None:
    found = command(wait(function))
    assert isinstance(found, WaitMemory)
    assert (found.comparison, found.reference, found.mask) == (comparison, 7, ALL)


@pytest.mark.parametrize(
    ("engine", "ring", "name"), [(0, GFX, "me"), (1, GFX, "pfp"), (1, COMPUTE, "me")]
)
def test_waits_hold_an_engine(engine: int, ring: Ring, name: str) -> None:
    found = command(wait(engine=engine), ring=ring)
    assert isinstance(found, WaitMemory)
    assert found.engine == name


def test_a_wait_for_half_of_a_64_bit_value() -> None:
    _, lower, upper = commands(eop(0x528, 2), wait(), wait(address=FENCE + 4, mask=0xFF))
    assert isinstance(lower, WaitMemory)
    assert isinstance(upper, WaitMemory)
    assert lower.label is upper.label
    assert (lower.reference, lower.mask) == (7, ALL)
    assert (upper.reference, upper.mask) == (7 << 32, 0xFF << 32)


def test_waits_that_are_refused() -> None:
    assert "write, wait, write is not modelled" in problem(packet(WAIT_REG_MEM, 0x143, *[0] * 5))
    assert "a wait through L2 is not modelled" in problem(wait(space=2))
    assert "the constant engine is not modelled" in problem(wait(engine=2))
    assert "a wait for register 0x2000 is not modelled; expected CP_STRMOUT_CNTL" in problem(
        wait(space=0, address=0x2000)
    )


def test_a_wait_for_stream_out_counters_orders_nothing() -> None:
    found = command(wait(space=0, address=0x300FC // 4))
    assert isinstance(found, PipelinedEvent)
    assert found.name == "WAIT_REG_MEM CP_STRMOUT_CNTL"
    assert commands(wait(space=0, address=0x300FC // 4), ring=COMPUTE) == []


def test_pfp_sync_me() -> None:
    assert isinstance(command(packet(PFP_SYNC_ME, 0)), PfpSyncMe)


CONFIRMED = 5 << 8 | 1 << 20


def test_write_data_to_a_waited_address_sets_the_label() -> None:
    write = packet(WRITE_DATA, CONFIRMED | 1 << 30, low(FENCE), high(FENCE), 7)
    found, _ = commands(write, wait(engine=1))
    assert isinstance(found, SetLabel)
    assert (found.engine, found.value, found.label.main.start) == ("pfp", 7, FENCE)


def test_labels_that_overlap_are_refused() -> None:
    first = eop(0x528, 2)
    beside = packet(EVENT_WRITE_EOP, 0x528, low(FENCE + 4), high(FENCE) | 2 << 29, 7, 0)
    assert "the values at 0x123456000 overlap one another; expected at most 64" in problem(
        first, beside
    )
    upper = packet(EVENT_WRITE_EOP, 0x528, low(FENCE + 4), high(FENCE) | 1 << 29, 7, 0)
    assert "a value in the upper half of the label at 0x123456000" in problem(first, upper)
    wide = packet(WRITE_DATA, CONFIRMED, low(FENCE), high(FENCE), 1, 2, 3)
    assert "bytes in and beside the label at 0x123456000" in problem(first, wide)


def test_neighbouring_labels_are_two() -> None:
    upper = packet(EVENT_WRITE_EOP, 0x528, low(FENCE + 4), high(FENCE) | 1 << 29, 7, 0)
    found = program(eop(0x528), upper)
    assert [row.name for row in found.resources] == ["label-0x123456000", "label-0x123456004"]
    assert check_legality(found) == []


def test_a_fence_and_its_wait_are_legal() -> None:
    found = program(eop(0x514 | 3 << 16), wait(), wait(engine=1), packet(PFP_SYNC_ME, 0))
    assert check_legality(found) == []


def test_tcc_operation_is_spelled_as_the_machine_does() -> None:
    assert CacheOperation("tcc", "wbinv") in surface_sync(1 << 23).operations
