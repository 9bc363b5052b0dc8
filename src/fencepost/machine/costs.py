"""What synchronization costs, in GPU cycles: an additive table (design 7).

Nobody published these numbers but the fence's (seed: two memory round trips, at least 800 cycles)
and that a cache flush takes up to thousands of cycles; the rest is `assumed`, chosen so that the
order of the forms is the seed's.
"""

from __future__ import annotations

from fencepost.machine.tables import Parameter

FENCE = 'seed 000 "EOS and EOP fences"'
FLUSH = 'assumed, between hundreds and the thousands of seed 000 "Surface sync"'
ASSUMED = "assumed"


def _cycles(name: str, value: int, source: str = ASSUMED) -> Parameter:
    return Parameter(name, value, "cycles", source)


COSTS = (
    _cycles("PartialFlush", 100),
    _cycles("EndOfShader", 100),
    _cycles("EndOfPipe", 150),
    _cycles("WaitMemory", 800, FENCE),
    _cycles("WaitMemory pfp", 1200),
    _cycles("WaitIdle", 1400),
    _cycles("PipelinedEvent", 100),
    _cycles("SurfaceSync", 200),
    _cycles("SurfaceSync pfp", 500),
    _cycles("PfpSyncMe", 600),
    _cycles("DmaWait", 100),
    _cycles("DmaWait pfp", 400),
    _cycles("SetLabel", 100),
    _cycles("SetLabel pfp", 100),
    _cycles("ContextWrite", 20),
    _cycles("WaitFlip", 800),
    _cycles("Kickoff", 2000),
    _cycles("confirm", 400),
    _cycles("coherency", 20),
    _cycles("whole range", 100),
    _cycles("operation tcc", 3000, FLUSH),
    _cycles("operation tcp", 400, FLUSH),
    _cycles("operation k", 150, FLUSH),
    _cycles("operation i", 150, FLUSH),
    _cycles("operation cb.pixels", 900, FLUSH),
    _cycles("operation cb.metadata", 200, FLUSH),
    _cycles("operation db.pixels", 900, FLUSH),
    _cycles("operation db.metadata", 200, FLUSH),
    _cycles("drain", 3000),
    _cycles("overlap", 1500),
)
"""`drain`: the pipeline runs empty behind the work that is waited for. `overlap`: what each work in
between hides of it. `coherency`: each bit of a surface sync. `whole range`: it names no surface, so
it waits for every context. `Kickoff`: a submission by the CPU, and its mark.
"""
