"""What every writer of a report gets: one `Checked` an input."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.coherence.finding import Explanation, Report
from fencepost.stream.program import Suppression


@dataclass(frozen=True, slots=True)
class Checked:
    """An input's report, with what suppressions and baseline did to it.

    `unused`: suppressions that no finding met; `hidden`: findings left out because the baseline has
    them; `explanations`: what `--why` asked for; `notes`: what was not looked for.
    """

    report: Report
    unused: tuple[Suppression, ...] = ()
    hidden: int = 0
    explanations: tuple[Explanation, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        """The name of the input."""
        return self.report.program.file
