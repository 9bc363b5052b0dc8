"""What the input does not show: never silently clean (design 6)."""

from __future__ import annotations

from fencepost.coherence.finding import Finding, Kind, Spot
from fencepost.stream.command import Work
from fencepost.stream.program import Program

STAGES = {"vs": "vertex", "ps": "pixel", "cs": "compute"}


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
    return Finding(
        rule="unknown-access",
        kind=Kind.UNKNOWN,
        message=f"the input does not show what the {STAGES.get(stage, stage)} shader accesses",
        later=spot,
        missing="an annotation that names its accesses",
        properties=(("stage", stage),),
    )
