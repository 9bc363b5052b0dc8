"""Findings about waits: never satisfied, deadlock, may hang (model 6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.coherence.fences import LabelWrite, Wait
from fencepost.coherence.finding import Finding, Kind, Spot
from fencepost.coherence.replay import Stuck

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination


class WaitFindings:
    """Writes the findings about the waits of one examination."""

    def __init__(self, examination: Examination) -> None:
        self.examination = examination

    def findings(self, stuck: list[Stuck]) -> list[Finding]:
        """Waits that hang for certain, then waits that may hang."""
        found = [self._deadlock(one) if one.others else self._never(one) for one in stuck]
        lost = {(one.queue, one.position) for one in stuck}
        fences = self.examination.fences
        for key, wait in fences.waits.items():
            if key not in lost and wait.sources:
                spoiler = fences.may_hang(wait)
                if spoiler is not None:
                    found.append(self._may_hang(wait, spoiler))
        return found

    def _spot(self, queue: int, position: int, does: str = "") -> Spot:
        row = self.examination.program.queues[queue]
        return Spot(row.name, position, row.commands[position], does)

    @staticmethod
    def _condition(wait: Wait) -> str:
        return f"{wait.label} {wait.comparison} {wait.reference}"

    def _wait(self, one: Stuck) -> Wait:
        return self.examination.fences.waits[one.queue, one.position]

    def _never(self, one: Stuck) -> Finding:
        wait = self._wait(one)
        label = self.examination.fences.labels[wait.label]
        values = sorted({w.value for writes in label.lists() for w in writes} | {label.start})
        listed = ", ".join(str(value) for value in values[:8])
        return Finding(
            rule="wait-never-satisfied",
            kind=Kind.HAZARD,
            message=f"nothing that can come before this wait makes {self._condition(wait)} true",
            later=self._spot(one.queue, one.position, self._condition(wait)),
            resource=wait.label,
            missing=f"a write of a value that satisfies it (values of {wait.label}: {listed})",
            properties=(("label", wait.label),),
        )

    def _deadlock(self, one: Stuck) -> Finding:
        wait = self._wait(one)
        names = "; ".join(
            f"{self._spot(queue, position).queue} at {self._spot(queue, position).place} waits for "
            f"{self._condition(self.examination.fences.waits[queue, position])}"
            for queue, position in one.others
        )
        others = [other for other in one.others if other != (one.queue, one.position)]
        return Finding(
            rule="deadlock",
            kind=Kind.HAZARD,
            message=f"queues wait for each other: {names}",
            later=self._spot(one.queue, one.position, self._condition(wait)),
            earlier=self._spot(*others[0]) if others else None,
            resource=wait.label,
            missing="one of the values, written before its queue's wait",
            properties=(("label", wait.label),),
        )

    def _may_hang(self, wait: Wait, spoiler: LabelWrite) -> Finding:
        return Finding(
            rule="wait-may-hang",
            kind=Kind.HAZARD,
            message=f"{wait.label} may be set to {spoiler.value} before this wait has seen "
            f"{self._condition(wait)}",
            later=self._spot(wait.queue, wait.position, self._condition(wait)),
            earlier=self._spot(spoiler.queue, spoiler.position, f"{wait.label} = {spoiler.value}"),
            resource=wait.label,
            missing="an order between that write and the wait, or rising values and >=",
            properties=(("label", wait.label),),
        )
