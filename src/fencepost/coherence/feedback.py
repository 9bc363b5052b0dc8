"""Commands that are wrong by themselves.

The same bytes in two ways that nothing orders (model 3.6).
"""

from __future__ import annotations

from fencepost.coherence.finding import Finding, Kind, Spot
from fencepost.coherence.ways import Ways
from fencepost.coherence.wording import name_bytes
from fencepost.machine.tables import WayRow
from fencepost.stream.command import Access, Work
from fencepost.stream.program import Program


def find_feedback(program: Program, ways: Ways) -> list[Finding]:
    """All feedback loops of a program."""
    found = []
    for queue in program.queues:
        for position, command in enumerate(queue.commands):
            if isinstance(command, Work) and len(command.accesses) > 1:
                found += _loops(Spot(queue.name, position, command), command, ways)
    return found


def _loops(spot: Spot, work: Work, ways: Ways) -> list[Finding]:
    uses = [(access, ways.find(access, work.engine).row) for access in work.accesses]
    if not any(row.writes for _, row in uses):
        return []
    return [
        _finding(spot, one[0], two[0])
        for at, one in enumerate(uses)
        for two in uses[:at]
        if _conflict(one, two)
    ]


def _conflict(one: tuple[Access, WayRow], two: tuple[Access, WayRow]) -> bool:
    (first, first_row), (second, second_row) = one, two
    if not (first_row.writes or second_row.writes):
        return False
    if first.start >= second.end or second.start >= first.end:
        return False
    if first_row.safe_with and first_row.safe_with == second_row.safe_with:
        return False
    same_shader = first.block == second.block and first_row.inside
    return not (same_shader and first_row.inside == second_row.inside)


def _finding(spot: Spot, later: Access, earlier: Access) -> Finding:
    start, end = max(later.start, earlier.start), min(later.end, earlier.end)
    what = name_bytes(later, start, end)
    does = f"{later.block}.{later.use} {what}"
    other = f"{earlier.block}.{earlier.use} {name_bytes(earlier, start, end)}"
    return Finding(
        rule="feedback-loop",
        kind=Kind.HAZARD,
        message=f"one command uses {what} as {later.block}.{later.use} and as "
        f"{earlier.block}.{earlier.use}",
        later=Spot(spot.queue, spot.position, spot.command, does),
        earlier=Spot(spot.queue, spot.position, spot.command, other),
        resource=what,
        start=start,
        end=end,
        missing="nothing can order the two: use another resource for one of them",
        properties=(
            ("later", f"{later.block}.{later.use}"),
            ("earlier", f"{earlier.block}.{earlier.use}"),
        ),
    )
