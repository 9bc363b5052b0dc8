"""Layouts of packets: which bits mean what on GFX7 (docs/pm4.md "Packets").

Sources: hardware.md 1.3-1.5, which collects PAL (pm4defs of GFX6-8), Mesa (sid.h, pkt3.json) and
Linux (cikd.h).
"""

from __future__ import annotations

from fencepost.capture.pm4.events import EVENT_NAMES
from fencepost.capture.pm4.fields import Field, Layout

PAL = "PAL pm4defs"
SYNC = "hardware.md 1.3"

ENGINES = {0: "ME", 1: "PFP"}
ENGINES_CE = {0: "ME", 1: "PFP", 2: "CE"}
SYNC_ENGINES = {0: "PFP", 1: "ME"}
ZERO = {0: "no"}
POLICIES = {0: "LRU", 1: "STREAM", 2: "BYPASS"}
FUNCTIONS = {0: "always", 1: "<", 2: "<=", 3: "==", 4: "!=", 5: ">=", 6: ">"}
DATA_SELECT = {0: "discard", 1: "32 bits", 2: "64 bits", 3: "GPU clock", 4: "counter"}
INTERRUPTS = {0: "none", 1: "interrupt", 2: "interrupt on confirm", 3: "data on confirm"}
INDEX_SIZES = {0: "16 bits", 1: "32 bits"}

COHERENCY_BITS = (
    (0, "base0"),
    (1, "base1"),
    *((6 + target, f"cb{target}") for target in range(8)),
    (14, "db"),
    (19, "base2"),
    (21, "base3"),
)
ACTION_BITS = (
    (15, "tcl1_vol_action"),
    (16, "tc_vol_action"),
    (18, "tc_wb_action"),
    (22, "tcl1_action"),
    (23, "tc_action"),
    (25, "cb_action"),
    (26, "db_action"),
    (27, "sh_kcache_action"),
    (28, "sh_kcache_vol_action"),
    (29, "sh_icache_action"),
)
"""CP_COHER_CNTL on GFX7 (hardware.md 1.4). Bits 2, 3 and 30 came with GFX8: reserved here."""


def _coherency() -> tuple[Field, ...]:
    """CP_COHER_CNTL and the engine, dword 2."""
    rows = sorted((*COHERENCY_BITS, *ACTION_BITS))
    single = tuple(Field(name, 2, bit, bit) for bit, name in rows)
    return (*single, Field("engine", 2, 31, 31, SYNC_ENGINES))


def _event() -> tuple[Field, ...]:
    return (Field("event", 2, 0, 5, EVENT_NAMES), Field("index", 2, 8, 11))


def _end_of_pipe_actions() -> tuple[Field, ...]:
    """Cache actions of dword 2 that EVENT_WRITE_EOP and RELEASE_MEM share."""
    return (
        Field("tcl1_vol_action", 2, 12, 12),
        Field("tc_vol_action", 2, 13, 13),
        Field("tc_wb_action", 2, 15, 15),
        Field("tcl1_action", 2, 16, 16),
        Field("tc_action", 2, 17, 17),
        Field("policy", 2, 25, 26, POLICIES),
        Field("volatile", 2, 27, 27),
    )


def _address(name: str, dword: int, high: int = 15) -> tuple[Field, ...]:
    """A 64-bit address in two dwords, `high` + 33 bits of it."""
    return (Field(f"{name}_lo", dword), Field(f"{name}_hi", dword + 1, 0, high))


def _initiator(dword: int) -> tuple[Field, ...]:
    """VGT_DRAW_INITIATOR (Mesa gfx7.json)."""
    return (
        Field("source", dword, 0, 1, {0: "index DMA", 2: "auto index"}),
        Field("major_mode", dword, 2, 3),
        Field("sprite", dword, 4, 4),
        Field("not_eop", dword, 5, 5),
        Field("use_opaque", dword, 6, 6),
    )


def _dispatch_initiator(dword: int) -> tuple[Field, ...]:
    """COMPUTE_DISPATCH_INITIATOR (Mesa gfx7.json)."""
    return (
        Field("shader_enable", dword, 0, 0),
        Field("partial_groups", dword, 1, 1),
        Field("force_start_at_000", dword, 2, 2),
        Field("ordered_append", dword, 3, 4),
        Field("use_thread_dimensions", dword, 5, 5),
        Field("order_mode", dword, 6, 6),
        Field("cache_control", dword, 7, 9),
        Field("scalar_l1_inv_vol", dword, 10, 10),
        Field("vector_l1_inv_vol", dword, 11, 11),
        Field("data_atc", dword, 12, 12),
        Field("restore", dword, 14, 14),
    )


def _layout(source: str, *fields: Field) -> Layout:
    return Layout(fields, source)


SURFACE_SYNC = _layout(
    f"{SYNC}, 1.4",
    *_coherency(),
    Field("size", 3),
    Field("base", 4),
    Field("poll", 5),
)
ACQUIRE_MEM = _layout(
    f"{SYNC}, 1.4",
    *_coherency(),
    Field("size", 3),
    Field("size_hi", 4, 0, 7),
    Field("base", 5),
    Field("base_hi", 6, 0, 23),
    Field("poll", 7, 0, 15),
)
EVENT_WRITE = _layout(
    f"{SYNC}, 1.5",
    *_event(),
    Field("offload", 2, 31, 31),
    *_address("address", 3),
)
EVENT_WRITE_EOP = _layout(
    f"{SYNC}, 1.5",
    *_event(),
    *_end_of_pipe_actions(),
    *_address("address", 3),
    Field("destination", 4, 16, 16, {0: "memory", 1: "L2"}),
    Field("interrupt", 4, 24, 25, INTERRUPTS),
    Field("data_select", 4, 29, 31, DATA_SELECT),
    Field("data_lo", 5),
    Field("data_hi", 6),
)
EVENT_WRITE_EOS = _layout(
    f"{SYNC}, 1.5",
    *_event(),
    *_address("address", 3),
    Field("command", 4, 29, 31, {0: "append count", 1: "GDS to memory", 2: "32 bits"}),
    Field("data", 5),
)
RELEASE_MEM = _layout(
    f"{SYNC}, 1.5",
    *_event(),
    *_end_of_pipe_actions(),
    Field("destination", 3, 16, 17, {0: "memory", 1: "L2"}),
    Field("interrupt", 3, 24, 26, INTERRUPTS),
    Field("data_select", 3, 29, 31, {**DATA_SELECT, 5: "GDS"}),
    *_address("address", 4),
    Field("data_lo", 6),
    Field("data_hi", 7),
)
WAIT_REG_MEM = _layout(
    SYNC,
    Field("function", 2, 0, 2, FUNCTIONS),
    Field("space", 2, 4, 5, {0: "register", 1: "memory", 2: "L2"}),
    Field("operation", 2, 6, 7, {0: "wait", 1: "write, wait, write"}),
    Field("engine", 2, 8, 9, ENGINES_CE),
    *_address("address", 3),
    Field("reference", 5),
    Field("mask", 6),
    Field("poll", 7),
)
PFP_SYNC_ME = _layout(SYNC, Field("dummy", 2))
WRITE_DATA = _layout(
    SYNC,
    Field(
        "destination",
        2,
        8,
        11,
        {0: "register", 1: "memory", 2: "L2", 3: "GDS", 5: "memory, asynchronous"},
    ),
    Field("one_address", 2, 16, 16),
    Field("confirm", 2, 20, 20),
    Field("policy", 2, 25, 26, POLICIES),
    Field("volatile", 2, 27, 27),
    Field("engine", 2, 30, 31, ENGINES_CE),
    *_address("address", 3),
)
COPY_DATA = _layout(
    SYNC,
    Field(
        "source",
        2,
        0,
        3,
        {0: "register", 1: "memory", 2: "L2", 3: "GDS", 5: "immediate", 9: "GPU clock"},
    ),
    Field(
        "destination",
        2,
        8,
        11,
        {0: "register", 1: "memory", 2: "L2", 3: "GDS", 5: "memory, asynchronous"},
    ),
    Field("source_policy", 2, 13, 14, POLICIES),
    Field("source_volatile", 2, 15, 15),
    Field("count", 2, 16, 16, {0: "32 bits", 1: "64 bits"}),
    Field("confirm", 2, 20, 20),
    Field("destination_policy", 2, 25, 26, POLICIES),
    Field("destination_volatile", 2, 27, 27),
    Field("engine", 2, 30, 31, ENGINES_CE),
    Field("source_lo", 3),
    Field("source_hi", 4),
    *_address("address", 5),
)
DMA_DATA = _layout(
    SYNC,
    Field("engine", 2, 0, 0, ENGINES),
    Field("source_policy", 2, 13, 14, POLICIES),
    Field("source_volatile", 2, 15, 15),
    Field("destination", 2, 20, 21, {0: "memory", 1: "GDS", 3: "L2"}),
    Field("destination_policy", 2, 25, 26, POLICIES),
    Field("destination_volatile", 2, 27, 27),
    Field("source", 2, 29, 30, {0: "memory", 1: "GDS", 2: "data", 3: "L2"}),
    Field("synchronous", 2, 31, 31),
    *_address("source", 3),
    *_address("address", 5),
    Field("bytes", 7, 0, 20),
    Field("no_confirm", 7, 21, 21),
    Field("source_swap", 7, 22, 23),
    Field("destination_swap", 7, 24, 25),
    Field("source_space", 7, 26, 26, {0: "memory", 1: "register"}),
    Field("destination_space", 7, 27, 27, {0: "memory", 1: "register"}),
    Field("source_fixed", 7, 28, 28),
    Field("destination_fixed", 7, 29, 29),
    Field("raw_wait", 7, 30, 30),
)
INDIRECT_BUFFER = _layout(
    SYNC,
    *_address("address", 2),
    Field("size", 4, 0, 19),
    Field("chain", 4, 20, 20),
    Field("offload", 4, 21, 21),
    Field("volatile", 4, 22, 22),
    Field("valid", 4, 23, 23),
    Field("vmid", 4, 24, 27),
    Field("policy", 4, 28, 29, POLICIES),
)
SET_REGISTER = _layout(
    SYNC,
    Field("offset", 2, 0, 15),
    Field("index", 2, 28, 31, dict.fromkeys(range(4), "write index")),
)
LOAD_REGISTER = _layout(
    PAL,
    Field("address_lo", 2),
    Field("address_hi", 3, 0, 15),
    Field("wait_idle", 3, 31, 31),
)
CONTEXT_REGISTER_RMW = _layout(PAL, Field("offset", 2, 0, 15), Field("mask", 3), Field("data", 4))
CONTEXT_CONTROL = _layout(SYNC, Field("load", 2), Field("shadow", 3))
CLEAR_STATE = _layout(PAL, Field("dummy", 2))
SET_BASE = _layout(
    PAL,
    Field("base", 2, 0, 3, {0: "display list", 1: "indirect arguments", 2: "CE", 3: "patch table"}),
    *_address("address", 3),
)
INDEX_TYPE = _layout(PAL, Field("type", 2, 0, 1, INDEX_SIZES), Field("swap", 2, 2, 3, {0: "none"}))
INDEX_BASE = _layout(PAL, Field("address_lo", 2), Field("address_hi", 3, 0, 15))
INDEX_BUFFER_SIZE = _layout(PAL, Field("indices", 2))
NUM_INSTANCES = _layout(PAL, Field("instances", 2))
DRAW_INDEX_2 = _layout(
    SYNC,
    Field("most", 2),
    *_address("address", 3, high=7),
    Field("count", 5),
    *_initiator(6),
)
DRAW_INDEX_OFFSET_2 = _layout(
    PAL, Field("most", 2), Field("first", 3), Field("count", 4), *_initiator(5)
)
DRAW_INDEX_AUTO = _layout(SYNC, Field("count", 2), *_initiator(3))
DRAW_INDIRECT = _layout(
    SYNC,
    Field("offset", 2),
    Field("base_vertex", 3, 0, 15),
    Field("start_instance", 4, 0, 15),
    *_initiator(5),
)
DRAW_INDIRECT_MULTI = _layout(
    PAL,
    Field("offset", 2),
    Field("base_vertex", 3, 0, 15),
    Field("start_instance", 4, 0, 15),
    Field("draw_index", 5, 0, 15),
    Field("count_indirect", 5, 30, 30),
    Field("draw_index_enable", 5, 31, 31),
    Field("count", 6),
    Field("count_lo", 7),
    Field("count_hi", 8, 0, 15),
    Field("stride", 9),
    *_initiator(10),
)
DISPATCH_DIRECT = _layout(
    SYNC, Field("x", 2), Field("y", 3), Field("z", 4), *_dispatch_initiator(5)
)
DISPATCH_INDIRECT = _layout(SYNC, Field("offset", 2), *_dispatch_initiator(3))
DISPATCH_INDIRECT_MEC = _layout(SYNC, *_address("address", 2), *_dispatch_initiator(4))
STRMOUT_BUFFER_UPDATE = _layout(
    PAL,
    Field("store", 2, 0, 0),
    Field(
        "source",
        2,
        1,
        2,
        {0: "the packet", 1: "VGT_STRMOUT_BUFFER_FILLED_SIZE", 2: "memory", 3: "none"},
    ),
    Field("data_type", 2, 7, 7),
    Field("buffer", 2, 8, 9),
    *_address("address", 3),
    *_address("source", 5),
)
SET_PREDICATION = _layout(
    PAL,
    Field("address_lo", 2),
    Field("address_hi", 3, 0, 7),
    Field("boolean", 3, 8, 8),
    Field("hint", 3, 12, 12),
    Field("operation", 3, 16, 18, {0: "clear", 1: "ZPASS", 2: "PRIMCOUNT", 3: "memory"}),
    Field("continue", 3, 31, 31),
)
