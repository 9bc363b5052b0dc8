"""The Xbox One GPU as the seed documents it."""

from __future__ import annotations

from fencepost.machine.commands import DROP_AT_START, NOTHING, command_rows
from fencepost.machine.costs import COSTS
from fencepost.machine.family import ENGINES, GROUPS, OPERATIONS, TOGETHER, caches, ways
from fencepost.machine.tables import Machine, Parameter

DRAW_END = ("vs", "ps", "cb", "db")

XBOX_ONE = Machine(
    name="xbox-one",
    title="Xbox One GPU",
    guarantees="documented",
    engines=ENGINES,
    groups=GROUPS,
    caches=caches(fmask_confirm="fmask"),
    ways=ways("so", TOGETHER),
    operations=OPERATIONS,
    commands=command_rows(DRAW_END, kickoff=NOTHING, frame=DROP_AT_START, only_idle=("fmask",)),
    parameters=(
        Parameter(
            "graphics contexts", 8, "contexts", 'seed 000 "GPU synchronization" (7 for the title)'
        ),
        Parameter("cache line", 64, "bytes", 'seed 000 "Introduction to caches"'),
        Parameter("minimum fence", 800, "cycles", 'seed 000 "EOS and EOP fences"'),
        Parameter("GPU clock", 853_000_000, "Hz", "hardware.md 3.1 (press)"),
        Parameter("compute units", 12, "CUs", "hardware.md 3.1 (press)"),
        Parameter("TCC", 512 * 1024, "bytes", "hardware.md 3.1"),
        Parameter("TCP", 16 * 1024, "bytes per CU", "hardware.md 3.1"),
        Parameter("K$", 16 * 1024, "bytes", "hardware.md 3.1 (sources disagree)"),
        Parameter("I$", 32 * 1024, "bytes", "hardware.md 3.1 (sources disagree)"),
    ),
    costs=COSTS,
    draw_end=DRAW_END,
    so_coherency=True,
    # seed 000 "Putting it all together": WriteValueEndOfPipe with L1/L2 flags; CB and DB by event
    eop_caches=("tcc", "tcp", "tcc.volatile", "tcp.volatile"),
)
