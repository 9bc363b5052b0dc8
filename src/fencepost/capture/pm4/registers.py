"""Registers that say what a draw accesses: windows, names, values after CLEAR_STATE, fields.

Sources: windows hardware.md 1.2 (LNX cikd.h, Mesa sid.h); addresses and fields Mesa gfx7.json;
values after CLEAR_STATE LNX clearstate_ci.h.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.capture.pm4.fields import bits


@dataclass(frozen=True, slots=True)
class Window:
    """Registers [start, end), by byte address, that one kind of SET packet reaches.

    `rolls`: they belong to a context.
    """

    name: str
    start: int
    end: int
    rolls: bool = False

    def address(self, offset: int) -> int:
        """The byte address of a register offset in dwords."""
        return self.start + 4 * offset


WINDOWS = (
    Window("CONFIG", 0x8000, 0xB000),
    Window("SH", 0xB000, 0xC000),
    Window("CONTEXT", 0x28000, 0x29000, rolls=True),
    Window("UCONFIG", 0x30000, 0x40000),
)
WINDOW_OF = {
    f"{verb}_{window.name}_REG": window for window in WINDOWS for verb in ("SET", "LOAD")
} | {"CONTEXT_REG_RMW": WINDOWS[2]}
"""By packet name."""

CONTEXT = WINDOWS[2]
TARGETS = 8
CB_STRIDE = 0x3C
"""Bytes from one color target's registers to the next one's (Mesa gfx7.json: CB_COLOR0_BASE,
CB_COLOR1_BASE)."""

_SINGLE = {
    "DB_RENDER_CONTROL": 0x28000,
    "DB_DEPTH_VIEW": 0x28008,
    "DB_RENDER_OVERRIDE": 0x2800C,
    "DB_HTILE_DATA_BASE": 0x28014,
    "DB_DEPTH_INFO": 0x2803C,
    "DB_Z_INFO": 0x28040,
    "DB_STENCIL_INFO": 0x28044,
    "DB_Z_READ_BASE": 0x28048,
    "DB_STENCIL_READ_BASE": 0x2804C,
    "DB_Z_WRITE_BASE": 0x28050,
    "DB_STENCIL_WRITE_BASE": 0x28054,
    "DB_DEPTH_SIZE": 0x28058,
    "DB_DEPTH_SLICE": 0x2805C,
    "CB_TARGET_MASK": 0x28238,
    "CB_SHADER_MASK": 0x2823C,
    "DB_STENCIL_CONTROL": 0x2842C,
    "DB_STENCILREFMASK": 0x28430,
    "DB_STENCILREFMASK_BF": 0x28434,
    "DB_DEPTH_CONTROL": 0x28800,
    "CB_COLOR_CONTROL": 0x28808,
    "VGT_STRMOUT_CONFIG": 0x28B94,
    "VGT_STRMOUT_BUFFER_CONFIG": 0x28B98,
    "CP_STRMOUT_CNTL": 0x300FC,
    "VGT_INDEX_TYPE": 0x3090C,
}
_PER_TARGET = {
    "BASE": 0x28C60,
    "PITCH": 0x28C64,
    "SLICE": 0x28C68,
    "VIEW": 0x28C6C,
    "INFO": 0x28C70,
    "ATTRIB": 0x28C74,
    "CMASK": 0x28C7C,
    "CMASK_SLICE": 0x28C80,
    "FMASK": 0x28C84,
    "FMASK_SLICE": 0x28C88,
}
REGISTERS: dict[str, int] = {
    **_SINGLE,
    **{
        f"CB_COLOR{target}_{name}": address + target * CB_STRIDE
        for target in range(TARGETS)
        for name, address in _PER_TARGET.items()
    },
    **{f"CB_BLEND{target}_CONTROL": 0x28780 + 4 * target for target in range(TARGETS)},
}
"""Byte addresses by name."""

NAMES = {address: name for name, address in REGISTERS.items()}

CLEARED = {"CB_TARGET_MASK": 0xFFFFFFFF, "CB_SHADER_MASK": 0xFFFFFFFF}
"""Context registers above that CLEAR_STATE does not set to 0 (LNX clearstate_ci.h)."""


class UnknownRegisterError(Exception):
    """A register that the stream never wrote, or wrote with a value that it does not show."""


class Shadow:
    """What the registers hold, as far as the stream shows it. Nothing is known at first."""

    def __init__(self) -> None:
        self._values: dict[int, int | None] = {}
        self._cleared = False

    def write(self, address: int, value: int | None) -> None:
        """A register gets a value; None: one that the stream does not show."""
        self._values[address] = value

    def clear_state(self) -> None:
        """CLEAR_STATE: every context register gets its value from the clear state."""
        self._values = {
            address: value
            for address, value in self._values.items()
            if not CONTEXT.start <= address < CONTEXT.end
        }
        self._cleared = True

    def read(self, name: str) -> int:
        """A register's value; raises `UnknownRegisterError`."""
        address = REGISTERS[name]
        value = self._values.get(address)
        if value is not None:
            return value
        context = CONTEXT.start <= address < CONTEXT.end
        if address in self._values or not (context and self._cleared):
            raise UnknownRegisterError(name)
        return CLEARED.get(name, 0)

    def field(self, name: str, low: int, high: int) -> int:
        """Bits `low`..`high` of a register."""
        return bits(self.read(name), low, high)

    def flag(self, name: str, bit: int) -> bool:
        """One bit of a register."""
        return self.field(name, bit, bit) == 1
