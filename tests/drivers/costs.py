"""What the forms cost by the machine's table, beside the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from fencepost.machine import find_machine
from fencepost.plan.costs import cost
from fencepost.plan.planning import plan
from tests.drivers.forms import BONAIRE, GUARANTEES, DriverForm, driver_forms
from tests.drivers.judge import hazards_of

DRIVERS = ("radeonsi", "PAL", "RADV", "seed")
MACHINE = find_machine(BONAIRE)


@dataclass(frozen=True, slots=True)
class CostRow:
    """A transition: cycles of the plan, and of each driver's cheapest form that checks clean."""

    transition: str
    planned: int
    forms: dict[str, int]

    def ratio(self, driver: str) -> str:
        """The driver's cycles as a multiple of the plan's; `-` where the plan costs nothing."""
        return f"{self.forms[driver] / self.planned:.2f}" if self.planned else "-"


def cost_rows() -> Iterator[CostRow]:
    """A row a transition, first use and reuse."""
    ordered = sorted(driver_forms(), key=lambda form: form.transition)
    order = list(dict.fromkeys(form.transition for form in driver_forms()))
    groups = {name: list(forms) for name, forms in groupby(ordered, lambda form: form.transition)}
    for transition in order:
        forms = groups[transition]
        program = forms[0].program_without_synchronization
        planned = plan(program, MACHINE, GUARANTEES[BONAIRE])
        yield CostRow(transition, planned.cycles, _cheapest(forms))


def _cheapest(forms: list[DriverForm]) -> dict[str, int]:
    found: dict[str, int] = {}
    for form in forms:
        if not hazards_of(form.synchronized_program):
            cycles = cost(form.synchronized_program, MACHINE)
            found[form.driver] = min(cycles, found.get(form.driver, cycles))
    return found
