"""How engines, reasons and hazards of a simulation are called in every report."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.machine.tables import Machine
from fencepost.timeline.times import shown
from fencepost.timing.observed import Observed
from fencepost.timing.timeline import Spot
from fencepost.timing.windows import ENDLESS

ENGINES = {
    "pfp": "PFP",
    "me": "ME",
    "cpu": "CPU",
    "dma": "CP DMA",
    "copy": "copies",
    "vs": "VS",
    "ps": "PS",
    "cs": "CS",
    "back-end": "back end",
    "memory": "memory",
    "display": "display",
}
"""Engine -> what reports call it, in the order of the pipeline."""

Title = Callable[[Spot], str]
"""What a command is called."""


def how(row: Observed, title: Title, machine: Machine) -> str:
    """What this timing shows of a hazard, in one clause."""
    early = shown(row.early)
    endless = row.early >= ENDLESS
    titles = {cache.operated_as: cache.title.split(" (")[0] for cache in machine.caches}
    titles |= {cache.name: cache.title for cache in machine.caches}
    cache = titles.get(row.cache, row.cache)
    if row.rule == "not-written-back":
        when = "and is never written back" if endless else f"for {early} more"
        return f"it reads while the data is in {cache}, {when}"
    if row.rule == "stale-cache-line":
        bringer = title(row.bringer) if row.bringer is not None else "an earlier access"
        when = "which is never emptied" if endless else f"which is emptied {early} later"
        return f"it may hit what {bringer} brought into {cache}, {when}"
    if row.rule == "lost-write":
        return f"the older data comes out of {cache} {early} after it starts to write"
    when = "which is never complete" if endless else f"which is complete {early} later"
    return f"it starts before {title(row.earlier)}, {when}"
