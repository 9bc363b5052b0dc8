"""What the input does not show: never silently clean (design 6)."""

from __future__ import annotations

from fencepost.coherence.finding import Finding, Kind, Spot
from fencepost.stream.command import Work
from fencepost.stream.program import Program

ANNOTATION = "an annotation that names its accesses"
REGISTERS = "the packets that set its registers"

WHO = {
    "vs": ("the vertex shader", ANNOTATION),
    "ps": ("the pixel shader", ANNOTATION),
    "cs": ("the compute shader", ANNOTATION),
    "so": ("stream-out", ANNOTATION),
    "cb": ("the color block", REGISTERS),
    "db": ("the depth block", REGISTERS),
}
"""Who accesses what is not shown, and what would show it."""


def find_unknown(program: Program) -> list[Finding]:
    """One finding for every stage of every work whose accesses are not shown."""
    return [
        _finding(Spot(queue.name, position, command, f"{stage}.unknown"), stage)
        for queue in program.queues
        for position, command in enumerate(queue.commands)
        if isinstance(command, Work)
        for stage in command.unknown
    ]


def _finding(spot: Spot, stage: str) -> Finding:
    who, missing = WHO[stage]
    return Finding(
        rule="unknown-access",
        kind=Kind.UNKNOWN,
        message=f"the input does not show what {who} accesses",
        later=spot,
        missing=missing,
        properties=(("stage", stage),),
    )
