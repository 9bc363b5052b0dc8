"""Registers to CB and DB accesses: sizes by hand, verdicts in pairs that differ in one bit."""

from __future__ import annotations

import pytest

from fencepost.capture.pm4 import load
from fencepost.capture.pm4.registers import REGISTERS, Shadow, UnknownRegisterError
from fencepost.capture.pm4.surfaces import buffer, color_target, depth_target, stencil_target
from fencepost.capture.pm4.targets import target_uses
from fencepost.stream.command import Work
from tests.capture.build import CLEAR_STATE, DRAW, commands, context, packet
from tests.capture.data import RADEONSI, needs_data, radv_streams

PIPES = 4
CB_NORMAL = 0x00CC0010
RGBA8 = 10 << 2
TARGET = {
    "CB_COLOR_CONTROL": CB_NORMAL,
    "CB_TARGET_MASK": 0xF,
    "CB_COLOR0_BASE": 0x1000000,
    "CB_COLOR0_PITCH": 31,
    "CB_COLOR0_SLICE": 1023,  # 32x32 tiles: 256x256 pixels
    "CB_COLOR0_INFO": RGBA8,
    "CB_COLOR0_ATTRIB": 14,  # tile mode: 2D, thin
}
Z_TEST, Z_WRITE, LESS, ALWAYS = 1 << 1, 1 << 2, 1 << 4, 7 << 4
DEPTH = {
    "DB_Z_INFO": 3,
    "DB_Z_READ_BASE": 0x2000000,
    "DB_Z_WRITE_BASE": 0x2000000,
    "DB_DEPTH_SIZE": 31 | 31 << 11,
    "DB_DEPTH_SLICE": 1023,
    "DB_DEPTH_INFO": 5 << 8,  # ADDR_SURF_P4_16x16
    "DB_DEPTH_CONTROL": Z_TEST | Z_WRITE | LESS,
}
HTILE = {"DB_Z_INFO": 3 | 1 << 29, "DB_HTILE_DATA_BASE": 0x2400000}
STENCIL = {
    "DB_STENCIL_INFO": 1,
    "DB_STENCIL_READ_BASE": 0x3000000,
    "DB_STENCIL_WRITE_BASE": 0x3000000,
    "DB_DEPTH_SLICE": 1023,
    "DB_DEPTH_CONTROL": 1 | 7 << 8,  # enabled, always passes
    "DB_STENCIL_CONTROL": 3 << 4,  # replace where depth passes
    "DB_STENCILREFMASK": 0xFF << 16,
}


def shadow(*settings: dict[str, int]) -> Shadow:
    """Registers after CLEAR_STATE and these settings."""
    found = Shadow()
    found.clear_state()
    for setting in settings:
        for name, value in setting.items():
            found.write(REGISTERS[name], value)
    return found


def uses(*settings: dict[str, int]) -> list[str]:
    """`block.use part` of a draw with these registers."""
    found, unknown = target_uses(shadow(*settings), PIPES)
    assert unknown == []
    return [f"{use.block}.{use.use} {use.part}" for use in found]


def test_a_cleared_state_draws_to_nothing() -> None:
    assert uses() == []


def test_a_color_target() -> None:
    surface = color_target(shadow(TARGET), 0, PIPES)
    assert surface is not None
    (pixels,) = surface.parts
    assert (pixels.start, pixels.end) == (0x100000000, 0x100000000 + 256 * 256 * 4)


@pytest.mark.parametrize(
    ("setting", "size"),
    [
        ({"CB_COLOR0_INFO": 1 << 2}, 65_536),  # COLOR_8
        ({"CB_COLOR0_INFO": 14 << 2}, 65_536 * 16),  # COLOR_32_32_32_32
        ({"CB_COLOR0_ATTRIB": 14 | 2 << 12 | 2 << 15}, 65_536 * 4 * 4),  # 4 samples
        ({"CB_COLOR0_SLICE": 0}, 64 * 4),
    ],
)
def test_color_sizes(setting: dict[str, int], size: int) -> None:
    surface = color_target(shadow(TARGET, setting), 0, PIPES)
    assert surface is not None
    assert surface.parts[0].size == size


def test_a_view_of_some_slices() -> None:
    surface = color_target(shadow(TARGET, {"CB_COLOR0_VIEW": 2 | 4 << 13}), 0, PIPES)
    assert surface is not None
    slice_bytes = 65_536 * 4
    assert surface.parts[0].start == 0x100000000 + 2 * slice_bytes
    assert surface.parts[0].end == 0x100000000 + 5 * slice_bytes


@pytest.mark.parametrize(("tile_mode", "start"), [(14, 0x100000000), (8, 0x100001C00)])
def test_low_bits_of_a_macro_tiled_base_are_no_address(tile_mode: int, start: int) -> None:
    setting = {"CB_COLOR0_BASE": 0x100001C, "CB_COLOR0_ATTRIB": tile_mode}
    surface = color_target(shadow(TARGET, setting), 0, PIPES)
    assert surface is not None
    assert surface.parts[0].start == start


FAST_CLEAR, COMPRESSION = 1 << 13, 1 << 14
METADATA = {
    "CB_COLOR0_CMASK": 0x1100000,
    "CB_COLOR0_CMASK_SLICE": 3,  # 2x2 units of 128x128 pixels
    "CB_COLOR0_FMASK": 0x1200000,
    "CB_COLOR0_FMASK_SLICE": 1023,
}


def test_cmask_holds_half_a_byte_a_tile() -> None:
    setting = {"CB_COLOR0_INFO": RGBA8 | FAST_CLEAR}
    surface = color_target(shadow(TARGET, METADATA, setting), 0, PIPES)
    assert surface is not None
    cmask = surface.part("cmask")
    assert cmask is not None
    assert (cmask.start, cmask.size) == (0x110000000, 1024)  # 512, aligned to 4 pipes x 256
    assert surface.part("fmask") is None


def test_fmask_comes_with_compression_and_samples() -> None:
    four = {"CB_COLOR0_ATTRIB": 14 | 2 << 12 | 2 << 15, "CB_COLOR0_INFO": RGBA8 | COMPRESSION}
    surface = color_target(shadow(TARGET, METADATA, four), 0, PIPES)
    assert surface is not None
    fmask = surface.part("fmask")
    assert fmask is not None
    assert (fmask.start, fmask.size) == (0x120000000, 65_536)
    single = {"CB_COLOR0_INFO": RGBA8 | COMPRESSION}
    surface = color_target(shadow(TARGET, METADATA, single), 0, PIPES)
    assert surface is not None
    assert [part.name for part in surface.parts] == ["pixels", "cmask"]


def test_fmask_with_fewer_fragments_than_samples_is_not_guessed() -> None:
    uneven = {"CB_COLOR0_ATTRIB": 14 | 3 << 12 | 2 << 15, "CB_COLOR0_INFO": RGBA8 | COMPRESSION}
    with pytest.raises(UnknownRegisterError):
        color_target(shadow(TARGET, METADATA, uneven), 0, PIPES)
    assert target_uses(shadow(TARGET, METADATA, uneven), PIPES) == ([], ["cb"])


BLEND = 1 << 30


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({}, ["cb0.write pixels"]),
        ({"CB_COLOR_CONTROL": 0}, []),
        ({"CB_TARGET_MASK": 0}, []),
        ({"CB_SHADER_MASK": 0}, []),
        ({"CB_COLOR0_INFO": 0}, []),
        ({"CB_TARGET_MASK": 0x7}, ["cb0.blend pixels"]),
        ({"CB_TARGET_MASK": 0x1, "CB_COLOR0_INFO": 4 << 2}, ["cb0.write pixels"]),
        ({"CB_BLEND0_CONTROL": BLEND | 1}, ["cb0.write pixels"]),  # ONE, ZERO
        ({"CB_BLEND0_CONTROL": 1 | 1 << 8}, ["cb0.write pixels"]),  # not enabled
        ({"CB_BLEND0_CONTROL": BLEND | 1 | 1 << 8}, ["cb0.blend pixels"]),  # ONE, ONE
        ({"CB_BLEND0_CONTROL": BLEND | 8}, ["cb0.blend pixels"]),  # DST_COLOR
        ({"CB_BLEND0_CONTROL": BLEND | 4}, ["cb0.write pixels"]),  # SRC_ALPHA
        ({"CB_BLEND0_CONTROL": BLEND | 1 | 2 << 5}, ["cb0.blend pixels"]),  # MIN
        ({"CB_BLEND0_CONTROL": BLEND | 1 | 1 << 24}, ["cb0.write pixels"]),
        ({"CB_BLEND0_CONTROL": BLEND | 1 | 1 << 24 | 1 << 29}, ["cb0.blend pixels"]),
        ({"CB_COLOR_CONTROL": 0x00AA0010}, ["cb0.blend pixels"]),  # ROP3_NO_OP
        ({"CB_COLOR_CONTROL": 0x00330010}, ["cb0.write pixels"]),  # ROP3_COPY_INVERTED
        ({"CB_COLOR_CONTROL": 0x00AA0010, "CB_BLEND0_CONTROL": 1 << 31}, ["cb0.write pixels"]),
        ({"CB_COLOR_CONTROL": 0x00CC0020}, ["cb0.blend pixels"]),  # eliminate fast clear
        ({"CB_COLOR_CONTROL": 0x00CC0050}, ["cb0.blend pixels"]),  # FMASK decompress
    ],
)
def test_color_verdicts(setting: dict[str, int], expected: list[str]) -> None:
    assert uses(TARGET, setting) == expected


def second(setting: dict[str, int]) -> dict[str, int]:
    return {name.replace("CB_COLOR0", "CB_COLOR1"): value for name, value in setting.items()}


def test_several_targets() -> None:
    both = {"CB_TARGET_MASK": 0xFF, "CB_BLEND1_CONTROL": BLEND | 1 | 1 << 8}
    assert uses(TARGET, second(TARGET), both) == ["cb0.write pixels", "cb1.blend pixels"]


def test_a_resolve_reads_one_target_and_writes_the_other() -> None:
    resolve = {"CB_COLOR_CONTROL": 0x00CC0030}
    assert uses(TARGET, second(TARGET), resolve) == ["cb0.read pixels", "cb1.write pixels"]


def test_metadata_goes_with_the_pixels() -> None:
    setting = {"CB_COLOR0_INFO": RGBA8 | FAST_CLEAR}
    assert uses(TARGET, METADATA, setting) == ["cb0.write pixels", "cb0.write cmask"]


def test_a_depth_target() -> None:
    surface = depth_target(shadow(DEPTH, HTILE), "WRITE")
    assert surface is not None
    pixels, htile = surface.parts
    assert (pixels.start, pixels.size) == (0x200000000, 65_536 * 4)
    # 32x32 tiles, rounded up to 64x32, four bytes each
    assert (htile.start, htile.size) == (0x240000000, 64 * 32 * 4)


def test_depth_formats() -> None:
    for number, size in ((1, 2), (2, 4), (3, 4)):
        surface = depth_target(shadow(DEPTH, {"DB_Z_INFO": number}), "READ")
        assert surface is not None
        assert surface.parts[0].size == 65_536 * size
    assert depth_target(shadow(DEPTH, {"DB_Z_INFO": 0}), "READ") is None


def test_a_stencil_target() -> None:
    surface = stencil_target(shadow(STENCIL), "WRITE")
    assert surface is not None
    assert (surface.parts[0].start, surface.parts[0].size) == (0x300000000, 65_536)


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({}, ["db.write pixels"]),
        ({"DB_Z_INFO": 0}, []),
        ({"DB_DEPTH_CONTROL": 0}, []),
        ({"DB_DEPTH_CONTROL": Z_TEST | LESS}, ["db.test pixels"]),
        ({"DB_DEPTH_CONTROL": Z_TEST | ALWAYS}, []),
        ({"DB_DEPTH_CONTROL": Z_TEST | Z_WRITE}, []),  # never passes
        ({"DB_DEPTH_CONTROL": Z_TEST | Z_WRITE | ALWAYS}, ["db.write pixels"]),
        ({"DB_DEPTH_CONTROL": Z_WRITE | LESS}, []),
        ({"DB_DEPTH_VIEW": 1 << 24}, ["db.test pixels"]),
        ({"DB_DEPTH_CONTROL": 1 << 3}, ["db.test pixels"]),  # depth bounds
        ({"DB_RENDER_CONTROL": 1}, ["db.write pixels"]),
        (
            {"DB_RENDER_CONTROL": 1, "DB_DEPTH_CONTROL": Z_TEST | Z_WRITE | ALWAYS},
            ["db.clear pixels"],
        ),
        ({"DB_DEPTH_CONTROL": 0, "DB_RENDER_CONTROL": 1 << 2}, ["db.test pixels"]),  # copy
        ({"DB_DEPTH_CONTROL": 0, "DB_RENDER_CONTROL": 1 << 6}, []),  # nothing to expand
    ],
)
def test_depth_verdicts(setting: dict[str, int], expected: list[str]) -> None:
    assert uses(DEPTH, setting) == expected


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({}, ["db.write pixels", "db.write htile"]),
        ({"DB_DEPTH_CONTROL": Z_TEST | LESS}, ["db.test pixels", "db.test htile"]),
        (
            {"DB_DEPTH_CONTROL": Z_TEST | LESS, "DB_RENDER_CONTROL": 1 << 4},
            ["db.test pixels", "db.write htile"],
        ),
        (
            {"DB_DEPTH_CONTROL": 0, "DB_RENDER_CONTROL": 1 << 6},
            ["db.write pixels", "db.write htile"],
        ),
        (
            {"DB_RENDER_CONTROL": 1, "DB_DEPTH_CONTROL": Z_TEST | Z_WRITE | ALWAYS},
            ["db.clear pixels", "db.clear htile"],
        ),
    ],
)
def test_htile_verdicts(setting: dict[str, int], expected: list[str]) -> None:
    assert uses(DEPTH, HTILE, setting) == expected


@pytest.mark.parametrize(
    ("setting", "expected"),
    [
        ({}, ["db.write pixels"]),
        ({"DB_STENCIL_CONTROL": 0}, []),
        ({"DB_STENCILREFMASK": 0}, []),
        ({"DB_DEPTH_VIEW": 1 << 25}, []),
        ({"DB_DEPTH_CONTROL": 1 | 2 << 8, "DB_STENCIL_CONTROL": 0}, ["db.test pixels"]),
        ({"DB_DEPTH_CONTROL": 7 << 8}, []),
        ({"DB_RENDER_CONTROL": 1 << 1}, ["db.clear pixels"]),
        ({"DB_RENDER_CONTROL": 1 << 1, "DB_DEPTH_CONTROL": 1 | 2 << 8}, ["db.write pixels"]),
        ({"DB_STENCIL_CONTROL": 3 << 16, "DB_STENCILREFMASK_BF": 0xFF << 16}, []),
        (
            {
                "DB_STENCIL_CONTROL": 3 << 16,
                "DB_STENCILREFMASK_BF": 0xFF << 16,
                "DB_DEPTH_CONTROL": 1 | 7 << 8 | 7 << 20 | 1 << 7,
            },
            ["db.write pixels"],
        ),
    ],
)
def test_stencil_verdicts(setting: dict[str, int], expected: list[str]) -> None:
    assert uses(STENCIL, setting) == expected


def test_registers_that_were_never_written_leave_their_block_unknown() -> None:
    assert target_uses(Shadow(), PIPES) == ([], ["cb", "db"])
    hidden = shadow(TARGET)
    hidden.write(REGISTERS["CB_COLOR0_BASE"], None)
    assert target_uses(hidden, PIPES) == ([], ["cb"])


def test_clear_state_gives_defaults_and_leaves_other_windows_alone() -> None:
    found = Shadow()
    found.write(REGISTERS["VGT_INDEX_TYPE"], 1)
    found.write(REGISTERS["CB_TARGET_MASK"], 3)
    found.clear_state()
    assert found.read("CB_TARGET_MASK") == 0xFFFFFFFF
    assert found.read("DB_Z_INFO") == 0
    assert found.read("VGT_INDEX_TYPE") == 1
    with pytest.raises(UnknownRegisterError):
        found.read("CP_STRMOUT_CNTL")


def test_a_draw_names_its_targets() -> None:
    settings = [context(REGISTERS[name], value) for name, value in (TARGET | DEPTH).items()]
    *_, draw = commands(packet(CLEAR_STATE, 0), *settings, DRAW)
    assert isinstance(draw, Work)
    assert [(row.block, row.resource.name) for row in draw.accesses] == [
        ("cb0", "color-0x100000000"),
        ("db", "depth-0x200000000"),
    ]
    assert draw.unknown == ("vs", "ps")


def test_a_draw_without_clear_state_is_unknown_where_registers_are() -> None:
    (draw,) = commands(DRAW)
    assert isinstance(draw, Work)
    assert draw.unknown == ("vs", "ps", "cb", "db", "so")


def test_a_buffer_is_its_bytes() -> None:
    (part,) = buffer(0x1000, 16).parts
    assert (part.name, part.start, part.end) == ("bytes", 0x1000, 0x1010)


@needs_data
def test_surfaces_of_a_real_frame_lie_side_by_side() -> None:
    """A driver places them one after the other: where one ends, the next begins."""
    program = load([radv_streams("pygfx")[3]])
    parts = {
        (row.name, part.name): part
        for row in program.resources
        for part in row.parts
        if row.kind in ("color", "depth")
    }
    shadow_map = parts["depth-0x100284000", "pixels"]
    assert shadow_map.size == 1024 * 1024 * 4
    assert shadow_map.end == parts["depth-0x100284000", "htile"].start
    # RADV keeps the fast clear value in the dword pair behind HTILE
    values = {row.main.start for row in program.resources if row.main.size == 4}
    ends = {part.end + 4 for (_, name), part in parts.items() if name == "htile"}
    assert values == ends
    color, depth = parts["color-0x100808000", "pixels"], parts["depth-0x100a38000", "pixels"]
    assert color.end == depth.start


@needs_data
def test_targets_of_the_radeonsi_run() -> None:
    program = load([RADEONSI])
    assert [row.name for row in program.resources if row.kind in ("color", "depth")] == [
        "color-0x100040000",
        "depth-0x100400000",
        "color-0x100080000",
    ]
    assert [row.main.size for row in program.resources if row.kind == "color"] == [
        256 * 256 * 4,
        256 * 256 * 4,
    ]
