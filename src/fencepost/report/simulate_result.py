"""A simulated stream, as the reports of all forms take it."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.coherence.finding import Finding, Kind, Report
from fencepost.stream.program import Program
from fencepost.timing import Options, Timeline
from fencepost.timing.observed import Observed
from fencepost.timing.parameters import Parameters

Judged = tuple[Finding, Observed | None]
"""A hazard of the checker's, and what this timing shows of it."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """A stream and its timeline.

    `options.guarantees` is the level that was used; `checked` is what the checker says of the
    stream, `hazards` its hazards with what happens here.
    """

    program: Program
    timeline: Timeline
    parameters: Parameters
    options: Options
    checked: Report
    hazards: tuple[Judged, ...] = ()

    @property
    def unknown(self) -> int:
        """How many accesses the input does not show."""
        return len(self.checked.of(Kind.UNKNOWN))
