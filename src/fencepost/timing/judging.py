"""Which of the checker's hazards happen in a run."""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.coherence.finding import Finding, Spot
from fencepost.machine.tables import Machine
from fencepost.stream.program import Program
from fencepost.timing.observed import Observed, Observer
from fencepost.timing.timeline import Timeline


def judge(
    program: Program, machine: Machine, timeline: Timeline, hazards: Iterable[Finding]
) -> list[tuple[Finding, Observed | None]]:
    """Each hazard with what goes wrong between its two commands in this run (None: nothing).

    That may be something else than the rule says: what is ordered here may still be in a cache.
    """
    found = list(hazards)
    if not found:
        return []
    numbers = {queue.name: number for number, queue in enumerate(program.queues)}
    observer = Observer(program, machine, timeline)

    def shown(finding: Finding) -> Observed | None:
        if finding.earlier is None:
            return None
        earlier, later = (_place(numbers, spot) for spot in (finding.earlier, finding.later))
        rows = list(observer.between(earlier, later, finding.start, finding.end))
        same = (row for row in rows if row.rule == finding.rule)
        return next(same, rows[0] if rows else None)

    return [(finding, shown(finding)) for finding in found]


def _place(numbers: dict[str, int], spot: Spot) -> tuple[int, int]:
    return numbers[spot.queue], spot.position
