"""What the Vulkan words of a barrier are on the machine: which works they stand for.

A word is a stage with an access. Its first scope holds the writes of that access, and every read
of that stage and of the stages before it (an execution dependency is enough for a write after a
read); its second scope the accesses, and every write of that stage and of the stages behind it.
`b`, `c` and `d` are a buffer, a color target and a depth target on the same bytes.
"""

from __future__ import annotations

from dataclasses import dataclass


def _reads(verb: str, stage: str) -> tuple[str, ...]:
    """What a shader stage may read through: VMEM as texture or UAV, SMEM as constant."""
    return tuple(f"{verb} {stage}.{use} b" for use in ("texture", "uav-read", "constant"))


def _writes(verb: str, stage: str) -> tuple[str, ...]:
    return tuple(f"{verb} {stage}.{use} b" for use in ("uav-write", "uav", "atomic"))


HOST_WRITE = "write b"
HOST_READ = "read b"

# RADV copies and fills with CP DMA (its last packet has CP_SYNC), with dispatches, or with draws
TRANSFER_READS = ("copy other from b sync", "dispatch cs.texture b", "draw ps.texture b")
TRANSFER_WRITES = (
    "clear b sync",
    "dispatch cs.uav-write b",
    "draw cb0.write c",
    "draw db.clear d",  # a depth copy's test always passes: DB only writes
)

READS: dict[str, tuple[str, ...]] = {
    "draw indirect": ("draw pfp.args b", "dispatch pfp.args b"),
    "index input": ("draw pfp.index b",),
    "attribute input": ("draw vs.vertex b",),
    "vertex shader": _reads("draw", "vs"),
    "fragment shader": _reads("draw", "ps"),
    "fragment tests": ("draw db.test d",),
    "color output": ("draw cb0.read c",),
    "compute shader": _reads("dispatch", "cs"),
    "transfer": TRANSFER_READS,
}
WRITES: dict[str, tuple[str, ...]] = {
    "vertex shader": _writes("draw", "vs"),
    "transform feedback": ("draw so.write b",),
    "fragment shader": _writes("draw", "ps"),
    "fragment tests": ("draw db.write d", "draw db.clear d"),
    "color output": ("draw cb0.write c", "draw cb0.blend c"),
    "compute shader": _writes("dispatch", "cs"),
    "transfer": TRANSFER_WRITES,
}

# depth may be tested early or late, so only "fragment tests" and "color output" cover it
INPUT = ("draw indirect", "index input", "attribute input")
UP_TO_VERTEX = (*INPUT, "vertex shader")
UP_TO_FRAGMENT = (*UP_TO_VERTEX, "fragment shader")
GRAPHICS = (*UP_TO_FRAGMENT, "fragment tests", "color output")
ALL = (*GRAPHICS, "compute shader", "transfer", "transform feedback")
FROM_FRAGMENT = ("fragment shader", "fragment tests", "color output")
FROM_VERTEX = ("vertex shader", "transform feedback", *FROM_FRAGMENT)
FROM_INDIRECT = (*FROM_VERTEX, "compute shader")


@dataclass(frozen=True, slots=True)
class Scope:
    """One side of a barrier.

    `stages`: those that an execution dependency covers; `accesses`: the works that the memory
    dependency covers.
    """

    stages: tuple[str, ...] = ()
    accesses: tuple[str, ...] = ()

    @property
    def reads(self) -> tuple[str, ...]:
        """Every read of its stages."""
        return tuple(dict.fromkeys(line for stage in self.stages for line in READS.get(stage, ())))

    @property
    def writes(self) -> tuple[str, ...]:
        """Every write of its stages."""
        return tuple(dict.fromkeys(line for stage in self.stages for line in WRITES.get(stage, ())))


def _of(table: dict[str, tuple[str, ...]], stages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for stage in stages for line in table.get(stage, ())))


COMPUTE = ("draw indirect", "compute shader")

FIRST: dict[str, Scope] = {
    # what the submission itself orders: the host's writes before it
    "": Scope((), (HOST_WRITE,)),
    "none/top": Scope((), (HOST_WRITE,)),
    "compute exec": Scope(COMPUTE),
    "compute shader_write": Scope(COMPUTE, WRITES["compute shader"]),
    "vertex shader exec": Scope(UP_TO_VERTEX),
    "vertex shader_write": Scope(UP_TO_VERTEX, WRITES["vertex shader"]),
    "fragment exec": Scope(UP_TO_FRAGMENT),
    "fragment shader_write": Scope(UP_TO_FRAGMENT, WRITES["fragment shader"]),
    "color write": Scope(GRAPHICS, WRITES["color output"]),
    "depth write": Scope((*UP_TO_FRAGMENT, "fragment tests"), WRITES["fragment tests"]),
    "transfer write": Scope(("transfer",), WRITES["transfer"]),
    "host write": Scope((), (HOST_WRITE,)),
    "xfb write": Scope(UP_TO_VERTEX, WRITES["transform feedback"]),
    "indirect read": Scope(("draw indirect",)),
    "all memory_write": Scope(ALL, (*_of(WRITES, ALL), HOST_WRITE)),
}
"""The first scope of each source word. A write of the host comes before the submission."""

SECOND: dict[str, Scope] = {
    "compute exec": Scope(("compute shader",)),
    "compute shader_read": Scope(("compute shader",), READS["compute shader"]),
    "compute shader_write": Scope(("compute shader",), ("dispatch cs.uav-write b",)),
    "compute uniform": Scope(("compute shader",), ("dispatch cs.constant b",)),
    "fragment shader_read": Scope(FROM_FRAGMENT, READS["fragment shader"]),
    "input attachment": Scope(FROM_FRAGMENT, ("draw ps.texture b",)),
    "vertex attr": Scope(FROM_VERTEX, READS["attribute input"]),
    "index": Scope(FROM_VERTEX, READS["index input"]),
    "indirect": Scope(FROM_INDIRECT, (*READS["draw indirect"], "dispatch cs.constant b")),
    "color rw": Scope(("color output",), ("draw cb0.read c", *WRITES["color output"])),
    "depth rw": Scope(FROM_FRAGMENT, ("draw db.test d", *WRITES["fragment tests"])),
    "transfer read": Scope(("transfer",), TRANSFER_READS),
    "transfer write": Scope(("transfer",), TRANSFER_WRITES),
    "host read": Scope((), (HOST_READ,)),
    "predication": Scope((), ("draw pfp.predicate b",)),
    "bottom": Scope(),
    "all memory_rw": Scope(
        ALL, (*_of(READS, ALL), *_of(WRITES, ALL), "draw pfp.predicate b", HOST_READ)
    ),
}
"""The second scope of each destination word.

RADV reads the size of an indirect dispatch in the shader too (SMEM): `cs.constant` of "indirect".
"""

EVENTS: dict[str, Scope] = {
    "top": Scope(),
    "draw_indirect": Scope(("draw indirect",)),
    "compute": Scope(COMPUTE),
    "vertex": Scope(UP_TO_VERTEX),
    "fragment": Scope(UP_TO_FRAGMENT),
    "color": Scope(GRAPHICS),
    "transfer": Scope(("transfer",)),
    "bottom": Scope(ALL),
    "all": Scope(ALL),
}
"""The first scope of each stage that an event is set at: it has no accesses."""
