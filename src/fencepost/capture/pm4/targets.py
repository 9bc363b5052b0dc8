"""Which accesses CB and DB make for a draw, from registers (docs/pm4.md "Render targets")."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.capture.pm4.registers import TARGETS, Shadow, UnknownRegisterError
from fencepost.capture.pm4.surfaces import (
    COLOR_FORMATS,
    Surface,
    color_target,
    depth_target,
    stencil_target,
)

DISABLE, NORMAL, ELIMINATE_FAST_CLEAR, RESOLVE, DECOMPRESS, FMASK_DECOMPRESS = range(6)
"""CB_COLOR_CONTROL.MODE (Mesa gfx7.json CBMode)."""

IN_PLACE = (ELIMINATE_FAST_CLEAR, DECOMPRESS, FMASK_DECOMPRESS)

BLEND_ZERO = 0
DESTINATION_FACTORS = frozenset({6, 7, 8, 9, 10})
"""Source factors that read the target: DST_ALPHA, DST_COLOR, their complements, SRC_ALPHA_SATURATE
(gfx7.json BlendOp)."""
DESTINATION_FUNCTIONS = frozenset({2, 3})
"""MIN and MAX look at the target whatever the factors are (gfx7.json CombFunc)."""

NEVER, ALWAYS = 0, 7
"""DB_DEPTH_CONTROL.ZFUNC and STENCILFUNC (gfx7.json CompareFrag)."""


@dataclass(frozen=True, slots=True)
class Use:
    """One access of CB or DB: `block.use` of a part of a surface, as the machine's ways name it."""

    block: str
    use: str
    surface: Surface
    part: str


def target_uses(shadow: Shadow, pipes: int) -> tuple[list[Use], list[str]]:
    """What CB and DB access in a draw, and the blocks (`cb`, `db`) whose registers do not tell."""
    uses: list[Use] = []
    unknown: list[str] = []
    for block, find in (("cb", _color_uses), ("db", _depth_uses)):
        try:
            uses += find(shadow, pipes)
        except UnknownRegisterError:
            unknown.append(block)
    return uses, unknown


def _color_uses(shadow: Shadow, pipes: int) -> list[Use]:
    mode = shadow.field("CB_COLOR_CONTROL", 4, 6)
    if mode == DISABLE:
        return []
    mask = shadow.read("CB_TARGET_MASK") & shadow.read("CB_SHADER_MASK")
    uses: list[Use] = []
    for target in range(TARGETS):
        written = mask >> 4 * target & 0xF
        if mode == RESOLVE:
            use = {0: "read", 1: "write"}.get(target, "")
        elif not written:
            use = ""
        elif mode in IN_PLACE:
            use = "blend"
        else:
            use = "blend" if _reads_target(shadow, target, written) else "write"
        if use:
            uses += _all_parts(f"cb{target}", use, color_target(shadow, target, pipes))
    return uses


def _all_parts(block: str, use: str, surface: Surface | None) -> list[Use]:
    return [Use(block, use, surface, part.name) for part in surface.parts] if surface else []


def _reads_target(shadow: Shadow, target: int, written: int) -> bool:
    """Whether a new pixel depends on the old one.

    It does in blending, in some raster operations, and where components are left alone.
    """
    control = f"CB_BLEND{target}_CONTROL"
    number = shadow.field(f"CB_COLOR{target}_INFO", 2, 6)
    components = COLOR_FORMATS.get(number, (0, 0))[1]
    if written.bit_count() < components:
        return True
    if shadow.flag(control, 30):
        alpha = 16 if shadow.flag(control, 29) else 0
        return _blend_reads(shadow, control, 0) or _blend_reads(shadow, control, alpha)
    return not shadow.flag(control, 31) and _raster_reads(shadow.field("CB_COLOR_CONTROL", 16, 23))


def _blend_reads(shadow: Shadow, control: str, low: int) -> bool:
    source = shadow.field(control, low, low + 4)
    function = shadow.field(control, low + 5, low + 7)
    destination = shadow.field(control, low + 8, low + 12)
    return (
        destination != BLEND_ZERO
        or source in DESTINATION_FACTORS
        or function in DESTINATION_FUNCTIONS
    )


def _raster_reads(rop3: int) -> bool:
    """Whether a ROP3 table (indexed by pattern, source, destination) depends on the destination."""
    return rop3 & 0x55 != rop3 >> 1 & 0x55


def _depth_uses(shadow: Shadow, _pipes: int) -> list[Use]:
    depth, stencil = _depth_use(shadow), _stencil_use(shadow)
    uses: list[Use] = []
    for use, find in ((depth, depth_target), (stencil, stencil_target)):
        surface = find(shadow, "READ" if use == "test" else "WRITE") if use else None
        if surface is not None:
            uses += [
                Use("db", use, surface, part.name)
                for part in surface.parts
                if part.name == "pixels"
            ]
    return uses + _htile_uses(shadow, depth, stencil)


def _htile_uses(shadow: Shadow, depth: str, stencil: str) -> list[Use]:
    """HTILE serves depth and stencil: one access for both, the strongest."""
    used = {use for use in (depth, stencil) if use}
    if not used:
        return []
    if shadow.flag("DB_RENDER_CONTROL", 4):  # RESUMMARIZE_ENABLE
        used.add("write")
    use = "write" if "write" in used else "test" if "test" in used else "clear"
    surface = depth_target(shadow, "WRITE") or stencil_target(shadow, "WRITE")
    if surface is None or surface.part("htile") is None:
        return []
    return [Use("db", use, surface, "htile")]


def _depth_use(shadow: Shadow) -> str:
    """What DB does with depth: `test`, `write` (reads too), `clear` (only writes) or nothing."""
    if shadow.field("DB_Z_INFO", 0, 1) == 0:
        return ""
    if shadow.flag("DB_RENDER_CONTROL", 6) and shadow.flag("DB_Z_INFO", 29):
        return "write"  # DEPTH_COMPRESS_DISABLE expands in place what HTILE says is compressed
    enabled = shadow.flag("DB_DEPTH_CONTROL", 1)
    function = shadow.field("DB_DEPTH_CONTROL", 4, 6)
    writes = (
        enabled
        and shadow.flag("DB_DEPTH_CONTROL", 2)
        and function != NEVER
        and not shadow.flag("DB_DEPTH_VIEW", 24)
    )
    tests = enabled and function not in (NEVER, ALWAYS)
    reads = tests or shadow.flag("DB_DEPTH_CONTROL", 3) or _extra_depth_reads(shadow)
    if writes:
        return "clear" if shadow.flag("DB_RENDER_CONTROL", 0) and not reads else "write"
    return "test" if reads else ""


def _extra_depth_reads(shadow: Shadow) -> bool:
    """DEPTH_COPY, RESUMMARIZE_ENABLE and FORCE_Z_READ read depth without a test."""
    return (
        shadow.flag("DB_RENDER_CONTROL", 2)
        or shadow.flag("DB_RENDER_CONTROL", 4)
        or shadow.flag("DB_RENDER_OVERRIDE", 11)
    )


def _stencil_use(shadow: Shadow) -> str:
    """As `_depth_use`, for stencil."""
    if shadow.field("DB_STENCIL_INFO", 0, 0) == 0:
        return ""
    expands = shadow.flag("DB_RENDER_CONTROL", 5)  # STENCIL_COMPRESS_DISABLE
    if expands and shadow.flag("DB_Z_INFO", 29) and not shadow.flag("DB_STENCIL_INFO", 29):
        return "write"
    if not shadow.flag("DB_DEPTH_CONTROL", 0):
        copies = shadow.flag("DB_RENDER_CONTROL", 3) or shadow.flag("DB_RENDER_OVERRIDE", 12)
        return "test" if copies else ""
    if _stencil_writes(shadow) and not shadow.flag("DB_DEPTH_VIEW", 25):
        cleared = shadow.flag("DB_RENDER_CONTROL", 1)
        return "clear" if cleared and not _stencil_tests(shadow) else "write"
    return "test" if _stencil_tests(shadow) else ""


def _faces(shadow: Shadow) -> list[tuple[int, int, str]]:
    """Per face in use: the lowest bits of its function and operations, and its mask register."""
    front = (8, 0, "DB_STENCILREFMASK")
    back = (20, 12, "DB_STENCILREFMASK_BF")
    return [front, back] if shadow.flag("DB_DEPTH_CONTROL", 7) else [front]


def _stencil_tests(shadow: Shadow) -> bool:
    return any(
        shadow.field("DB_DEPTH_CONTROL", low, low + 2) not in (NEVER, ALWAYS)
        for low, _, _ in _faces(shadow)
    )


def _stencil_writes(shadow: Shadow) -> bool:
    """Whether any face has an operation other than KEEP and a bit that it may write."""
    return any(
        shadow.field("DB_STENCIL_CONTROL", low, low + 11) != 0 and shadow.field(mask, 16, 23) != 0
        for _, low, mask in _faces(shadow)
    )
