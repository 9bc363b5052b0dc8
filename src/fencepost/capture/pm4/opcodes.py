"""Type-3 opcodes of GFX7: name, sizes, queues, layout.

Numbers: hardware.md 1.2; sizes: PAL pm4defs, LNX cikd.h.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.capture.pm4 import layouts
from fencepost.capture.pm4.fields import Layout

ANY = (1 << 14) + 1
"""The count has 14 bits: a header and at most 2^14 dwords behind it (hardware.md 1.1)."""

GRAPHICS = ("graphics",)
COMPUTE = ("compute",)
BOTH = ("graphics", "compute")


@dataclass(frozen=True, slots=True)
class Opcode:
    """One opcode on the rings that run it.

    `least`..`most` dwords, header included, in steps of `step`.

    `refused` says why fencepost does not translate it; empty: it does.
    """

    number: int
    name: str
    least: int
    most: int
    source: str
    queues: tuple[str, ...] = BOTH
    layout: Layout | None = None
    step: int = 1
    refused: str = ""

    def allows(self, dwords: int) -> bool:
        """Whether a packet of this opcode may have that many dwords."""
        return self.least <= dwords <= self.most and (dwords - self.least) % self.step == 0

    @property
    def sizes(self) -> str:
        """The allowed sizes, for a message."""
        if self.least == self.most:
            return f"{self.least} dwords"
        if self.most >= ANY:
            return f"at least {self.least} dwords"
        return " or ".join(str(size) for size in range(self.least, self.most + 1, self.step))


HW = "hardware.md 1.2, 1.3"
PAL = "hardware.md 1.2; PAL pm4defs"
LNX = "hardware.md 1.2; LNX"

CONTROL_FLOW = "whether what follows runs depends on memory that the stream does not show"
CONSTANT_ENGINE = "the constant engine is not modelled"
ATOMIC = "atomics of CP are not modelled"
HIDDEN_REGISTER = "the value depends on a register that the stream does not show"


def _set(number: int, name: str, queues: tuple[str, ...] = BOTH) -> Opcode:
    return Opcode(number, name, 3, ANY, HW, queues, layouts.SET_REGISTER)


def _load(number: int, name: str) -> Opcode:
    return Opcode(number, name, 5, ANY, PAL, GRAPHICS, layouts.LOAD_REGISTER, step=2)


ROWS = (
    Opcode(0x10, "NOP", 2, ANY, HW),
    Opcode(0x11, "SET_BASE", 4, 4, PAL, layout=layouts.SET_BASE),
    Opcode(0x12, "CLEAR_STATE", 2, 2, PAL, GRAPHICS, layouts.CLEAR_STATE),
    Opcode(0x13, "INDEX_BUFFER_SIZE", 2, 2, PAL, GRAPHICS, layouts.INDEX_BUFFER_SIZE),
    Opcode(0x15, "DISPATCH_DIRECT", 5, 5, HW, layout=layouts.DISPATCH_DIRECT),
    Opcode(0x16, "DISPATCH_INDIRECT", 3, 3, HW, GRAPHICS, layouts.DISPATCH_INDIRECT),
    Opcode(0x16, "DISPATCH_INDIRECT", 4, 4, HW, COMPUTE, layouts.DISPATCH_INDIRECT_MEC),
    Opcode(0x1D, "ATOMIC_GDS", 11, 11, PAL, refused=ATOMIC),
    Opcode(0x1E, "ATOMIC_MEM", 9, 9, PAL, refused=ATOMIC),
    Opcode(0x1F, "OCCLUSION_QUERY", 5, 5, PAL, GRAPHICS, refused="it sums up hidden counters"),
    Opcode(0x20, "SET_PREDICATION", 3, 3, PAL, GRAPHICS, layouts.SET_PREDICATION),
    Opcode(0x21, "REG_RMW", 4, 4, PAL, refused=HIDDEN_REGISTER),
    Opcode(0x22, "COND_EXEC", 5, 5, PAL, refused=CONTROL_FLOW),
    Opcode(0x23, "PRED_EXEC", 2, 2, PAL, GRAPHICS, refused=CONTROL_FLOW),
    Opcode(0x24, "DRAW_INDIRECT", 5, 5, HW, GRAPHICS, layouts.DRAW_INDIRECT),
    Opcode(0x25, "DRAW_INDEX_INDIRECT", 5, 5, HW, GRAPHICS, layouts.DRAW_INDIRECT),
    Opcode(0x26, "INDEX_BASE", 3, 3, PAL, GRAPHICS, layouts.INDEX_BASE),
    Opcode(0x27, "DRAW_INDEX_2", 6, 6, HW, GRAPHICS, layouts.DRAW_INDEX_2),
    Opcode(0x28, "CONTEXT_CONTROL", 3, 3, HW, GRAPHICS, layouts.CONTEXT_CONTROL),
    Opcode(0x2A, "INDEX_TYPE", 2, 2, PAL, GRAPHICS, layouts.INDEX_TYPE),
    Opcode(0x2C, "DRAW_INDIRECT_MULTI", 10, 10, PAL, GRAPHICS, layouts.DRAW_INDIRECT_MULTI),
    Opcode(0x2D, "DRAW_INDEX_AUTO", 3, 3, HW, GRAPHICS, layouts.DRAW_INDEX_AUTO),
    Opcode(0x2F, "NUM_INSTANCES", 2, 2, PAL, GRAPHICS, layouts.NUM_INSTANCES),
    Opcode(
        0x30,
        "DRAW_INDEX_MULTI_AUTO",
        4,
        4,
        PAL,
        GRAPHICS,
        refused="no public source says what its indices read",
    ),
    Opcode(0x33, "INDIRECT_BUFFER_CONST", 4, 4, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x34, "STRMOUT_BUFFER_UPDATE", 6, 6, PAL, GRAPHICS, layouts.STRMOUT_BUFFER_UPDATE),
    Opcode(0x35, "DRAW_INDEX_OFFSET_2", 5, 5, PAL, GRAPHICS, layouts.DRAW_INDEX_OFFSET_2),
    Opcode(0x36, "DRAW_PREAMBLE", 4, 4, PAL, GRAPHICS),
    Opcode(0x37, "WRITE_DATA", 5, ANY, HW, layout=layouts.WRITE_DATA),
    Opcode(0x38, "DRAW_INDEX_INDIRECT_MULTI", 10, 10, PAL, GRAPHICS, layouts.DRAW_INDIRECT_MULTI),
    Opcode(0x39, "MEM_SEMAPHORE", 3, 3, HW, refused="counting semaphores are not modelled"),
    Opcode(0x3B, "COPY_DW", 6, 6, LNX, GRAPHICS, refused="no public source gives its fields"),
    Opcode(0x3C, "WAIT_REG_MEM", 7, 7, HW, layout=layouts.WAIT_REG_MEM),
    Opcode(0x3F, "INDIRECT_BUFFER", 4, 4, HW, layout=layouts.INDIRECT_BUFFER),
    Opcode(0x40, "COPY_DATA", 6, 6, HW, layout=layouts.COPY_DATA),
    Opcode(0x42, "PFP_SYNC_ME", 2, 2, HW, GRAPHICS, layouts.PFP_SYNC_ME),
    Opcode(0x43, "SURFACE_SYNC", 5, 5, HW, GRAPHICS, layouts.SURFACE_SYNC),
    Opcode(0x45, "COND_WRITE", 9, 9, PAL, refused=CONTROL_FLOW),
    Opcode(0x46, "EVENT_WRITE", 2, 4, HW, layout=layouts.EVENT_WRITE, step=2),
    Opcode(0x47, "EVENT_WRITE_EOP", 6, 6, HW, GRAPHICS, layouts.EVENT_WRITE_EOP),
    Opcode(0x48, "EVENT_WRITE_EOS", 5, 5, HW, GRAPHICS, layouts.EVENT_WRITE_EOS),
    Opcode(0x49, "RELEASE_MEM", 7, 7, HW, COMPUTE, layouts.RELEASE_MEM),
    Opcode(0x4A, "PREAMBLE_CNTL", 2, 2, PAL, GRAPHICS),
    Opcode(0x50, "DMA_DATA", 7, 7, HW, layout=layouts.DMA_DATA),
    Opcode(0x51, "CONTEXT_REG_RMW", 4, 4, PAL, GRAPHICS, layouts.CONTEXT_REGISTER_RMW),
    Opcode(0x58, "ACQUIRE_MEM", 7, 7, HW, COMPUTE, layouts.ACQUIRE_MEM),
    Opcode(0x59, "REWIND", 2, 2, PAL, refused=CONTROL_FLOW),
    _load(0x5E, "LOAD_UCONFIG_REG"),
    _load(0x5F, "LOAD_SH_REG"),
    _load(0x60, "LOAD_CONFIG_REG"),
    _load(0x61, "LOAD_CONTEXT_REG"),
    _set(0x68, "SET_CONFIG_REG"),
    _set(0x69, "SET_CONTEXT_REG", GRAPHICS),
    Opcode(0x73, "SET_CONTEXT_REG_INDIRECT", 3, ANY, PAL, GRAPHICS, refused=HIDDEN_REGISTER),
    _set(0x76, "SET_SH_REG"),
    Opcode(0x77, "SET_SH_REG_OFFSET", 4, 4, PAL),
    Opcode(0x78, "SET_QUEUE_REG", 3, ANY, PAL, refused="queue registers are the kernel's"),
    _set(0x79, "SET_UCONFIG_REG"),
    Opcode(0x80, "LOAD_CONST_RAM", 5, 5, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x81, "WRITE_CONST_RAM", 3, ANY, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x83, "DUMP_CONST_RAM", 5, 5, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x84, "INCREMENT_CE_COUNTER", 2, 2, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x85, "INCREMENT_DE_COUNTER", 2, 2, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x86, "WAIT_ON_CE_COUNTER", 2, 2, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x88, "WAIT_ON_DE_COUNTER_DIFF", 2, 2, PAL, GRAPHICS, refused=CONSTANT_ENGINE),
    Opcode(0x8B, "SWITCH_BUFFER", 2, 2, LNX, GRAPHICS),
)

OPCODES: dict[tuple[str, int], Opcode] = {
    (queue, row.number): row for row in ROWS for queue in row.queues
}
"""By queue kind and number."""

KNOWN_NUMBERS: dict[int, Opcode] = {row.number: row for row in ROWS}
"""By number alone, for messages about the wrong queue."""

ELSEWHERE = {
    0x41: "CP_DMA of GFX6; GFX7 has DMA_DATA",
    0x63: "LOAD_SH_REG_INDEX of GFX8",
    0x87: "WAIT_ON_DE_COUNTER of GFX6",
    0x9B: "SET_SH_REG_INDEX of later chips",
    0x9F: "LOAD_CONTEXT_REG_INDEX of GFX8",
}
"""Numbers that mean something on other generations (hardware.md 1.2; PAL opcodes)."""
