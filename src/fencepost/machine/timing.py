"""What a machine's time is made of: units with their rates, and every constant with its source.

Nobody published most of these numbers (hardware.md 3.3): `assumed` says so. docs/calibration.md
shows how results move with each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fencepost.errors import UsageProblem
from fencepost.machine.tables import Parameter

PRESS = "hardware.md 3.1 (press)"
ASSUMED = "assumed"
FENCE = 'seed 000 "EOS and EOP fences"'
HALF_A_FENCE = f"assumed: {FENCE} counts two memory transactions in a fence of 800 cycles"
FLUSH = 'assumed: the walk without data; seed 000 "Surface sync" has thousands of cycles in all'
VECTOR_L1 = "AMD's GCN documents: 64 bytes a cycle and CU"
WAVES = "hardware.md 3.1 (PAL, CLRX): 10 waves a SIMD, 4 SIMDs a CU"


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit that works share.

    `counted`: what its rate counts; `stage`: the point of a work that its part holds back (`vs`,
    `shader`, `end`); `works`: the kinds of work that load it.
    """

    name: str
    title: str
    counted: str
    stage: str
    works: tuple[str, ...]
    source: str


DRAWN = ("draw",)
SHADED = ("draw", "dispatch")
DESIGN = "design 8"

UNITS = (
    UnitRow("geometry", "world pipe", "vertices", "vs", DRAWN, DESIGN),
    UnitRow("raster", "rasterizer", "pixels", "shader", DRAWN, DESIGN),
    UnitRow("sm", "SIMDs: issue and ALU", "operations", "shader", SHADED, DESIGN),
    UnitRow("l1", "TCP", "bytes", "shader", SHADED, DESIGN),
    UnitRow("l2", "TCC", "bytes", "shader", (*SHADED, "copy"), DESIGN),
    UnitRow("memory", "memory", "bytes", "shader", (*SHADED, "copy"), DESIGN),
    UnitRow("rt", "ray tracing", "rays", "shader", SHADED, DESIGN),
    UnitRow("rop", "render back end", "pixels", "end", DRAWN, DESIGN),
)
"""In the order of the pipeline. A machine has those for which it has a rate."""


def _rates(
    geometry: int, raster: int, units: int, slices: int, rops: int, source: str
) -> Iterator[Parameter]:
    """Rates of the units, each a cycle; `units` are CUs, `slices` of TCC."""
    yield Parameter("geometry rate", geometry, "vertices a cycle", source)
    yield Parameter("raster rate", raster, "pixels a cycle", "assumed: 16 a shader engine")
    yield Parameter("sm rate", units * 64, "operations a cycle", "hardware.md 3 (64 lanes a CU)")
    yield Parameter("l1 rate", units * 64, "bytes a cycle", VECTOR_L1)
    yield Parameter("l2 rate", slices * 64, "bytes a cycle", "hardware.md 3.2 (press)")
    yield Parameter("rop rate", rops, "pixels a cycle", "hardware.md 3 (LNX)")
    yield Parameter("wave slots", units * 40, "waves", WAVES)


def _caches(units: int, tcc: int, back_ends: int) -> Iterator[Parameter]:
    """What each cache holds, all copies together."""
    kib = 1024
    shared = -(-units // 4)
    guess = "assumed: nothing published for GFX7 (hardware.md 3.1)"
    disagree = "hardware.md 3.1 (sources disagree), one for 4 CUs"
    yield Parameter("capacity tcc", tcc * kib, "bytes", "hardware.md 3.1, 3.2 (PAL, Mesa)")
    yield Parameter("capacity tcp", units * 16 * kib, "bytes", "hardware.md 3.1 (LNX kfd_crat)")
    yield Parameter("capacity k", shared * 16 * kib, "bytes", disagree)
    yield Parameter("capacity i", shared * 32 * kib, "bytes", disagree)
    for block in ("cb", "db"):
        yield Parameter(f"capacity {block}.pixels", back_ends * 16 * kib, "bytes", guess)
        yield Parameter(f"capacity {block}.metadata", back_ends * 4 * kib, "bytes", guess)


def _cycles(name: str, value: int, source: str = ASSUMED) -> Parameter:
    return Parameter(name, value, "cycles", source)


FRONT_END = (
    _cycles("PFP packet", 10),
    _cycles("ME packet", 20),
    _cycles("work packet", 60),
    _cycles("launch", 100),
    _cycles("drain signal", 60),
    _cycles("back end", 100),
    _cycles("memory round trip", 400, HALF_A_FENCE),
    _cycles("minimum fence", 800, FENCE),
    _cycles("idle check", 100),
    _cycles("PFP_SYNC_ME", 200),
    _cycles("kickoff", 2000),
    Parameter(
        "contexts in flight", 7, "contexts", 'seed 000 "GPU synchronization"; hardware.md 1.7'
    ),
    Parameter("partial flushes at a time", 1, "flushes", 'seed 000 "Partial flush"'),
)
"""`launch`: from ME to the first wave. `drain signal`: from the last wave back to ME. `back end`:
from the last wave to the end of pipe. `idle check`: what a wait until idle asks beyond a fence.
"""

OPERATIONS = (
    _cycles("operation tcc", 200, FLUSH),
    _cycles("operation tcp", 100, FLUSH),
    _cycles("operation k", 50, FLUSH),
    _cycles("operation i", 50, FLUSH),
    _cycles("operation cb.pixels", 100, FLUSH),
    _cycles("operation cb.metadata", 50, FLUSH),
    _cycles("operation db.pixels", 100, FLUSH),
    _cycles("operation db.metadata", 50, FLUSH),
)
"""What a cache operation takes beside the bytes that it writes back."""

WORKS = (
    Parameter("residency of a work", 1_000_000, "ppm", "assumed, where a work names none"),
    Parameter("saturating residency", 250_000, "ppm", ASSUMED),
    Parameter("vertex part of a draw", 500_000, "ppm", ASSUMED),
    Parameter("lanes of a wave", 64, "lanes", "hardware.md 3.1 (768 lanes in 12 CUs)"),
    _cycles("shortest wave", 500),
    Parameter("vertices of a draw", 1000, "vertices", ASSUMED),
    Parameter("bytes of a vertex", 32, "bytes", ASSUMED),
    Parameter("bytes of a pixel", 4, "bytes", "assumed, where a target has no shape"),
    Parameter("bytes of a thread", 16, "bytes", ASSUMED),
    Parameter("operations of a vertex", 50, "operations", ASSUMED),
    Parameter("operations of a pixel", 50, "operations", ASSUMED),
    Parameter("operations of a thread", 50, "operations", ASSUMED),
)
"""What a work is taken to be where its cost does not say (docs/timing.md 3)."""


def _transfers(cpu: int, cpu_source: str) -> Iterator[Parameter]:
    yield Parameter("CP DMA rate", 16, "bytes a cycle", ASSUMED)
    yield Parameter("copy queue rate", 32, "bytes a cycle", ASSUMED)
    yield Parameter("CPU bandwidth", cpu, "bytes/s", cpu_source)
    yield Parameter("VBlank period", 16_666_666_667, "ps", "assumed: 60 Hz (seed 003 has 16.6 ms)")


_COMMON = (*FRONT_END, *OPERATIONS, *WORKS)

TIMINGS: dict[str, tuple[Parameter, ...]] = {
    "xbox-one": (
        Parameter("GPU clock", 853_000_000, "Hz", PRESS),
        Parameter("memory rate", 68_300_000_000, "bytes/s", "hardware.md 3.1 (DDR3; no ESRAM)"),
        *_rates(2, 32, units=12, slices=4, rops=16, source=PRESS),
        *_caches(units=12, tcc=512, back_ends=4),
        *_transfers(30_000_000_000, "assumed (hardware.md 3.1, not verified there)"),
        *_COMMON,
    ),
    "gcn2-bonaire": (
        Parameter("GPU clock", 1_100_000_000, "Hz", "reviews of the R7 260X (TechPowerUp)"),
        Parameter("memory rate", 104_000_000_000, "bytes/s", "reviews of the R7 260X"),
        *_rates(2, 32, units=14, slices=4, rops=16, source="assumed: as Xbox One"),
        *_caches(units=14, tcc=512, back_ends=4),
        *_transfers(12_000_000_000, "assumed: PCIe 3.0 x16 in practice"),
        *_COMMON,
    ),
    "gcn2-hawaii": (
        Parameter("GPU clock", 1_000_000_000, "Hz", "hardware.md 3.2 (LNX, PAL, press)"),
        Parameter("memory rate", 320_000_000_000, "bytes/s", "hardware.md 3.2 (press)"),
        *_rates(4, 64, units=44, slices=16, rops=64, source="assumed: one a shader engine"),
        *_caches(units=44, tcc=1024, back_ends=16),
        *_transfers(12_000_000_000, "assumed: PCIe 3.0 x16 in practice"),
        *_COMMON,
    ),
}
"""The parameters of each machine."""


def find_timing(machine: str) -> tuple[Parameter, ...]:
    """The rows of that machine; raises `UsageProblem` where it has none."""
    if machine not in TIMINGS:
        raise UsageProblem(
            f"machine '{machine}' has no timing", expected=f"one of {', '.join(TIMINGS)}"
        )
    return TIMINGS[machine]
