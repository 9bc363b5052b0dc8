"""The machines that fencepost knows."""

from __future__ import annotations

import difflib

from fencepost.errors import UsageProblem
from fencepost.machine.gcn2 import GCN2_BONAIRE, GCN2_HAWAII
from fencepost.machine.tables import Machine
from fencepost.machine.xbox_one import XBOX_ONE

MACHINES: dict[str, Machine] = {
    machine.name: machine for machine in (XBOX_ONE, GCN2_BONAIRE, GCN2_HAWAII)
}


def find_machine(name: str) -> Machine:
    """The machine of that name; raises `UsageProblem` that lists the known ones."""
    if name in MACHINES:
        return MACHINES[name]
    close = difflib.get_close_matches(name, MACHINES, 1)
    hint = f" (did you mean '{close[0]}'?)" if close else ""
    raise UsageProblem(f"no machine '{name}'{hint}", expected=", ".join(MACHINES))
