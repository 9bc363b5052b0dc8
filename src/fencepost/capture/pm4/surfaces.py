"""Where render targets lie and how large they are (docs/pm4.md "Render targets").

Sizes: registers count tiles of 8x8 pixels [Mesa gfx7.json TILE_MAX fields]; CMASK holds 4 bits and
HTILE 32 bits a tile, their slices are aligned to pipes x 256 bytes [Mesa ac_surface.c
ac_compute_cmask, radeon winsys htile size]. Checked against the placement of the surfaces in real
streams.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.capture.pm4.registers import Shadow, UnknownRegisterError
from fencepost.stream.resource import Part, ResourceKind

TILE_PIXELS = 64
PIPE_INTERLEAVE = 256
"""Bytes that one pipe holds before the next one's turn (GB_ADDR_CONFIG of all GFX7 parts, LNX
cik.c)."""

COLOR_FORMATS: dict[int, tuple[int, int]] = {
    1: (1, 1),  # COLOR_8
    2: (2, 1),  # COLOR_16
    3: (2, 2),  # COLOR_8_8
    4: (4, 1),  # COLOR_32
    5: (4, 2),  # COLOR_16_16
    6: (4, 3),  # COLOR_10_11_11
    7: (4, 3),  # COLOR_11_11_10
    8: (4, 4),  # COLOR_10_10_10_2
    9: (4, 4),  # COLOR_2_10_10_10
    10: (4, 4),  # COLOR_8_8_8_8
    11: (8, 2),  # COLOR_32_32
    12: (8, 4),  # COLOR_16_16_16_16
    14: (16, 4),  # COLOR_32_32_32_32
    16: (2, 3),  # COLOR_5_6_5
    17: (2, 4),  # COLOR_1_5_5_5
    18: (2, 4),  # COLOR_5_5_5_1
    19: (2, 4),  # COLOR_4_4_4_4
    20: (4, 2),  # COLOR_8_24
    21: (4, 2),  # COLOR_24_8
    22: (8, 2),  # COLOR_X24_8_32_FLOAT
}
"""Bytes a pixel and components, by CB_COLORn_INFO.FORMAT (Mesa gfx7.json ColorFormat)."""

DEPTH_BYTES = {1: 2, 2: 4, 3: 4}
"""By DB_Z_INFO.FORMAT: Z_16, Z_24, Z_32_FLOAT (Mesa gfx7.json ZFormat)."""

FMASK_BYTES = {1: 1, 2: 1, 3: 4}
"""Bytes a pixel by log2 of the samples, as many fragments as samples (Mesa ac_surface.c)."""

UNSWIZZLED_TILE_MODES = frozenset({5, 8, 9, 13, 27})
"""Tile mode indices that are linear or 1D tiled (LNX cik.c cik_tiling_mode_table_init): their bases
carry no swizzle."""

PIPES_OF_CONFIG = {
    **dict.fromkeys(range(3), 4),
    **dict.fromkeys(range(4, 8), 4),
    **dict.fromkeys(range(8, 15), 8),
    16: 16,
    17: 16,
}
"""Pipes by DB_DEPTH_INFO.PIPE_CONFIG (Mesa gfx7.json PipeConfig); GFX7 lays HTILE of 2 pipes out as
for 4."""

HTILE_BLOCK = {4: (64, 32), 8: (64, 64), 16: (128, 64)}
"""Tiles that one HTILE cache line covers, by pipes (Mesa radeon winsys)."""

BANKS = 16
"""The most that a GFX7 part has; bank and pipe swizzle stand in the low bits of a macro-tiled
base."""

PIPES = {"gcn2-bonaire": 4, "gcn2-hawaii": 16, "xbox-one": 4}
"""Pipes of each machine (LNX cik.c cik_gpu_init max_tile_pipes; `xbox-one` assumed as Bonaire)."""


@dataclass(frozen=True, slots=True)
class Surface:
    """The byte ranges of one thing that packets name: the first part names it."""

    kind: ResourceKind
    prefix: str
    parts: tuple[Part, ...]

    def part(self, name: str) -> Part | None:
        """The part of that name, or None."""
        return next((part for part in self.parts if part.name == name), None)


def buffer(start: int, size: int, prefix: str = "buffer") -> Surface:
    """Plain bytes."""
    return Surface(ResourceKind.BUFFER, prefix, (Part("bytes", start, start + size),))


def color_target(shadow: Shadow, target: int, pipes: int) -> Surface | None:
    """Color target `target` as its registers describe it, None when it has no format.

    Raises `UnknownRegisterError` when a register or the meaning of a value is not known.
    """
    name = f"CB_COLOR{target}"
    number = shadow.field(f"{name}_INFO", 2, 6)
    if number == 0:
        return None
    if number not in COLOR_FORMATS:
        raise UnknownRegisterError(f"{name}_INFO.FORMAT {number}")
    samples = shadow.field(f"{name}_ATTRIB", 12, 14)
    fragments = shadow.field(f"{name}_ATTRIB", 15, 16)
    slice_bytes = _tiles(shadow, f"{name}_SLICE") * COLOR_FORMATS[number][0] << fragments
    swizzled = shadow.field(f"{name}_ATTRIB", 0, 4) not in UNSWIZZLED_TILE_MODES
    view = (shadow.field(f"{name}_VIEW", 0, 10), shadow.field(f"{name}_VIEW", 13, 23))
    base = _base(shadow, f"{name}_BASE", pipes if swizzled else 0)
    parts = [_slices("pixels", base, slice_bytes, view)]
    compressed = shadow.flag(f"{name}_INFO", 14)
    if compressed or shadow.flag(f"{name}_INFO", 13):
        # A CMASK unit is 128x128 pixels of half a byte a tile.
        cmask = (shadow.field(f"{name}_CMASK_SLICE", 0, 13) + 1) * 128
        parts.append(_slices("cmask", _base(shadow, f"{name}_CMASK"), _align(cmask, pipes), view))
    if compressed and samples:
        if samples != fragments or samples not in FMASK_BYTES:
            raise UnknownRegisterError(f"the size of an FMASK with CB_COLOR{target}_ATTRIB")
        fmask = _tiles(shadow, f"{name}_FMASK_SLICE") * FMASK_BYTES[samples]
        parts.append(_slices("fmask", _base(shadow, f"{name}_FMASK", pipes), fmask, view))
    return Surface(ResourceKind.COLOR, "color", tuple(parts))


def depth_target(shadow: Shadow, direction: str) -> Surface | None:
    """The depth surface that DB reads or writes (`direction` READ or WRITE), with its HTILE."""
    number = shadow.field("DB_Z_INFO", 0, 1)
    if number == 0:
        return None
    parts = [_depth_part(shadow, f"DB_Z_{direction}_BASE", DEPTH_BYTES[number])]
    if shadow.flag("DB_Z_INFO", 29):
        parts.append(_htile(shadow))
    return Surface(ResourceKind.DEPTH, "depth", tuple(parts))


def stencil_target(shadow: Shadow, direction: str) -> Surface | None:
    """The stencil surface; HTILE belongs to the depth surface unless there is none."""
    if shadow.field("DB_STENCIL_INFO", 0, 0) == 0:
        return None
    parts = [_depth_part(shadow, f"DB_STENCIL_{direction}_BASE", 1)]
    if shadow.field("DB_Z_INFO", 0, 1) == 0 and shadow.flag("DB_Z_INFO", 29):
        parts.append(_htile(shadow))
    return Surface(ResourceKind.DEPTH, "stencil", tuple(parts))


def _depth_part(shadow: Shadow, base: str, bytes_a_pixel: int) -> Part:
    samples = shadow.field("DB_Z_INFO", 2, 3)
    slice_bytes = _tiles(shadow, "DB_DEPTH_SLICE") * bytes_a_pixel << samples
    return _slices("pixels", _base(shadow, base), slice_bytes, _depth_view(shadow))


def _htile(shadow: Shadow) -> Part:
    config = shadow.field("DB_DEPTH_INFO", 8, 12)
    if config not in PIPES_OF_CONFIG:
        raise UnknownRegisterError(f"DB_DEPTH_INFO.PIPE_CONFIG {config}")
    pipes = PIPES_OF_CONFIG[config]
    width = shadow.field("DB_DEPTH_SIZE", 0, 10) + 1
    height = shadow.field("DB_DEPTH_SIZE", 11, 21) + 1
    across, down = HTILE_BLOCK[pipes]
    tiles = _round_up(width, across) * _round_up(height, down)
    base = _base(shadow, "DB_HTILE_DATA_BASE")
    return _slices("htile", base, _align(tiles * 4, pipes), _depth_view(shadow))


def _depth_view(shadow: Shadow) -> tuple[int, int]:
    return shadow.field("DB_DEPTH_VIEW", 0, 10), shadow.field("DB_DEPTH_VIEW", 13, 23)


def _tiles(shadow: Shadow, register: str) -> int:
    """Pixels of a slice, from its number of tiles."""
    return (shadow.field(register, 0, 21) + 1) * TILE_PIXELS


def _base(shadow: Shadow, register: str, swizzled_by: int = 0) -> int:
    """A base in bytes; `swizzled_by` pipes, its low bits are a swizzle and no address."""
    value = shadow.read(register)
    if swizzled_by:
        value &= ~(swizzled_by * BANKS - 1)
    return value << 8


def _slices(name: str, base: int, size: int, view: tuple[int, int]) -> Part:
    first, last = view
    return Part(name, base + first * size, base + (max(first, last) + 1) * size)


def _align(size: int, pipes: int) -> int:
    return _round_up(size, pipes * PIPE_INTERLEAVE)


def _round_up(value: int, unit: int) -> int:
    return (value + unit - 1) // unit * unit
