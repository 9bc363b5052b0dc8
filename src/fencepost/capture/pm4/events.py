"""Event types of GFX7 (VGT_EVENT_INITIATOR): the index each is sent with, what it does here.

Numbers: hardware.md 1.5 (LNX cikd.h, PAL, Mesa gfx7.json). What they do: each row's `source`.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.stream.command import CacheOperation

CB_WB = (CacheOperation("cb.pixels", "wb"),)
DB_WB = (CacheOperation("db.pixels", "wb"),)
CB_PIXELS = (CacheOperation("cb.pixels", "wbinv"),)
CB_METADATA = (CacheOperation("cb.metadata", "wbinv"),)
DB_PIXELS = (CacheOperation("db.pixels", "wbinv"),)
DB_METADATA = (CacheOperation("db.metadata", "wbinv"),)
BACK_END = CB_PIXELS + CB_METADATA + DB_PIXELS + DB_METADATA

TABLE = 'seed 000 "Supported cache operations"; hardware.md 1.5'
PAL_COLOR = "hardware.md 2.1 (PAL: colour to other)"
COUNTS = "hardware.md 1.5 (a counter or marker: no cache, no wait)"
GEOMETRY = "hardware.md 2.1 step 7 (geometry front end: no memory access is ordered)"
SAMPLES = "hardware.md 1.3 (EVENT_WRITE with address)"
DONE = "hardware.md 1.5 (context bookkeeping of CP: no cache, no wait)"

NONE, FLUSH, CACHE, SAMPLE, END_OF_PIPE, END_OF_SHADER, UNCLEAR = (
    "none",
    "flush",
    "cache",
    "sample",
    "end of pipe",
    "end of shader",
    "unclear",
)
"""What an event is for us: nothing to order; a partial flush; cache operations; a counter written
to memory; the moment of a value (EOP, EOS); not established by any source, so refused."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event type and the event index that it must be sent with.

    `stage`: of flushes and end of shader. `size`: bytes of a counter.
    """

    number: int
    name: str
    index: int
    role: str
    source: str
    stage: str = ""
    operations: tuple[CacheOperation, ...] = ()
    size: int = 0


def _row(number: int, name: str, index: int, role: str, source: str) -> EventRow:
    return EventRow(number, name, index, role, source)


ROWS = (
    EventRow(0x01, "SAMPLE_STREAMOUTSTATS1", 3, SAMPLE, SAMPLES, size=16),
    EventRow(0x02, "SAMPLE_STREAMOUTSTATS2", 3, SAMPLE, SAMPLES, size=16),
    EventRow(0x03, "SAMPLE_STREAMOUTSTATS3", 3, SAMPLE, SAMPLES, size=16),
    EventRow(0x04, "CACHE_FLUSH_TS", 5, END_OF_PIPE, TABLE, operations=CB_WB + DB_WB),
    _row(0x05, "CONTEXT_DONE", 0, NONE, DONE),
    EventRow(0x06, "CACHE_FLUSH", 7, CACHE, TABLE, operations=CB_WB + DB_WB),
    EventRow(0x07, "CS_PARTIAL_FLUSH", 4, FLUSH, 'seed 000 "Partial flush"', stage="cs"),
    _row(0x08, "VGT_STREAMOUT_SYNC", 0, NONE, GEOMETRY),
    _row(0x0A, "VGT_STREAMOUT_RESET", 0, NONE, GEOMETRY),
    _row(0x0B, "END_OF_PIPE_INCR_DE", 0, NONE, COUNTS),
    _row(0x0C, "END_OF_PIPE_IB_END", 0, NONE, COUNTS),
    _row(0x0D, "RST_PIX_CNT", 0, NONE, COUNTS),
    EventRow(0x0F, "VS_PARTIAL_FLUSH", 4, FLUSH, 'seed 000 "Partial flush"', stage="vs"),
    EventRow(0x10, "PS_PARTIAL_FLUSH", 4, FLUSH, 'seed 000 "Partial flush"', stage="ps"),
    _row(0x11, "FLUSH_HS_OUTPUT", 0, UNCLEAR, ""),
    _row(0x12, "FLUSH_LS_OUTPUT", 0, UNCLEAR, ""),
    EventRow(0x14, "CACHE_FLUSH_AND_INV_TS_EVENT", 5, END_OF_PIPE, PAL_COLOR, operations=BACK_END),
    EventRow(0x15, "ZPASS_DONE", 1, SAMPLE, SAMPLES, size=16),
    EventRow(0x16, "CACHE_FLUSH_AND_INV_EVENT", 7, CACHE, PAL_COLOR, operations=BACK_END),
    _row(0x17, "PERFCOUNTER_START", 0, NONE, COUNTS),
    _row(0x18, "PERFCOUNTER_STOP", 0, NONE, COUNTS),
    _row(0x19, "PIPELINESTAT_START", 0, NONE, COUNTS),
    _row(0x1A, "PIPELINESTAT_STOP", 0, NONE, COUNTS),
    _row(0x1B, "PERFCOUNTER_SAMPLE", 0, NONE, COUNTS),
    _row(0x1C, "FLUSH_ES_OUTPUT", 0, UNCLEAR, ""),
    _row(0x1D, "FLUSH_GS_OUTPUT", 0, UNCLEAR, ""),
    EventRow(0x1E, "SAMPLE_PIPELINESTAT", 2, SAMPLE, SAMPLES, size=88),
    _row(0x1F, "SO_VGTSTREAMOUT_FLUSH", 0, NONE, GEOMETRY),
    EventRow(0x20, "SAMPLE_STREAMOUTSTATS", 3, SAMPLE, SAMPLES, size=16),
    _row(0x21, "RESET_VTX_CNT", 0, NONE, COUNTS),
    _row(0x22, "BLOCK_CONTEXT_DONE", 0, NONE, DONE),
    _row(0x23, "CS_CONTEXT_DONE", 0, NONE, DONE),
    _row(0x24, "VGT_FLUSH", 0, NONE, GEOMETRY),
    EventRow(0x28, "BOTTOM_OF_PIPE_TS", 5, END_OF_PIPE, 'seed 000 "EOS and EOP fences"'),
    _row(0x29, "FLUSH_SX_TS", 5, UNCLEAR, ""),
    EventRow(0x2A, "DB_CACHE_FLUSH_AND_INV", 0, CACHE, TABLE, operations=DB_PIXELS),
    EventRow(0x2B, "FLUSH_AND_INV_DB_DATA_TS", 5, END_OF_PIPE, TABLE, operations=DB_PIXELS),
    EventRow(0x2C, "FLUSH_AND_INV_DB_META", 0, CACHE, TABLE, operations=DB_METADATA),
    EventRow(0x2D, "FLUSH_AND_INV_CB_DATA_TS", 5, END_OF_PIPE, TABLE, operations=CB_PIXELS),
    EventRow(0x2E, "FLUSH_AND_INV_CB_META", 0, CACHE, TABLE, operations=CB_METADATA),
    EventRow(0x2F, "CS_DONE", 6, END_OF_SHADER, 'seed 000 "EOS and EOP fences"', stage="cs"),
    EventRow(0x30, "PS_DONE", 6, END_OF_SHADER, 'seed 000 "EOS and EOP fences"', stage="ps"),
    EventRow(0x31, "FLUSH_AND_INV_CB_PIXEL_DATA", 0, CACHE, TABLE, operations=CB_PIXELS),
    _row(0x32, "SX_CB_RAT_ACK_REQUEST", 0, UNCLEAR, ""),
    _row(0x33, "THREAD_TRACE_START", 0, NONE, COUNTS),
    _row(0x34, "THREAD_TRACE_STOP", 0, NONE, COUNTS),
    _row(0x35, "THREAD_TRACE_MARKER", 0, NONE, COUNTS),
    _row(0x36, "THREAD_TRACE_FLUSH", 0, NONE, COUNTS),
    _row(0x37, "THREAD_TRACE_FINISH", 0, NONE, COUNTS),
    _row(0x38, "PIXEL_PIPE_STAT_CONTROL", 0, NONE, COUNTS),
    _row(0x39, "PIXEL_PIPE_STAT_DUMP", 0, UNCLEAR, ""),
    _row(0x3A, "PIXEL_PIPE_STAT_RESET", 0, NONE, COUNTS),
    _row(0x3B, "CONTEXT_SUSPEND", 0, UNCLEAR, ""),
)

EVENTS = {row.number: row for row in ROWS}
EVENT_NAMES = {row.number: row.name for row in ROWS}
