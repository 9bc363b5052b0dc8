"""PC parts of the same family: Bonaire and Hawaii under the Linux drivers' rules."""

from __future__ import annotations

from dataclasses import replace

from fencepost.machine.commands import FLUSH_AT_START, NOTHING, command_rows
from fencepost.machine.costs import COSTS
from fencepost.machine.family import ENGINES, GROUPS, OPERATIONS, caches, ways
from fencepost.machine.tables import Machine, Parameter

DRAW_END = ("vs", "ps", "cb", "db")

_CONTEXTS = Parameter("graphics contexts", 8, "contexts", "hardware.md 1.7 (LNX cik.c)")
_LINE = Parameter("cache line", 64, "bytes", "hardware.md 3.1")
_TCP = Parameter("TCP", 16 * 1024, "bytes per CU", "hardware.md 3.2 (LNX kfd_crat)")

GCN2_BONAIRE = Machine(
    name="gcn2-bonaire",
    title="GCN generation 2, Bonaire (R7 260X)",
    guarantees="strict",
    engines=ENGINES,
    groups=GROUPS,
    caches=caches(fmask_confirm=""),
    ways=ways("vs", "hardware.md 2.2 (RADV, radeonsi and PAL wait for VS)"),
    operations=OPERATIONS,
    commands=command_rows(DRAW_END, kickoff=FLUSH_AT_START, frame=NOTHING, only_idle=()),
    parameters=(
        _CONTEXTS,
        _LINE,
        Parameter("compute units", 14, "CUs", "hardware.md 3.2 (PAL, LNX)"),
        Parameter("TCC", 512 * 1024, "bytes", "hardware.md 3.2 (PAL, LNX)"),
        _TCP,
    ),
    costs=COSTS,
    draw_end=DRAW_END,
    double_eop=True,
)

GCN2_HAWAII = replace(
    GCN2_BONAIRE,
    name="gcn2-hawaii",
    title="GCN generation 2, Hawaii (R9 290X)",
    parameters=(
        _CONTEXTS,
        _LINE,
        Parameter("compute units", 44, "CUs", "hardware.md 3.2 (LNX, PAL)"),
        Parameter("TCC", 1024 * 1024, "bytes", "hardware.md 3.2 (PAL, Mesa)"),
        _TCP,
    ),
)
