"""Cold caches: what works bring back behind an invalidation (docs/timing.md 6.4)."""

from __future__ import annotations

from fencepost.timing.code import BACK, COPIED, SHADER, Code, FlushRow
from fencepost.timing.parameters import THROUGH_TCC, Parameters
from fencepost.timing.shaders import Shaders
from fencepost.timing.table import Table

AT_THE_END = ("cb.pixels", "cb.metadata", "db.pixels", "db.metadata")


class Refills:
    """Knows what each cache can hold, and the unit and the stage that bring its lines back."""

    def __init__(self, shaders: Shaders, table: Table, code: Code, parameters: Parameters) -> None:
        self.shaders = shaders
        self.table = table
        self.parameters = parameters
        self.capacity = [parameters[f"capacity {name}"] for name in code.caches]
        units = ["l2" if name in THROUGH_TCC else "memory" for name in code.caches]
        self.rates = [f"{unit} rate" for unit in units]
        self.units = [code.units.index(unit) for unit in units]
        self.stages = [BACK if name in AT_THE_END else SHADER for name in code.caches]

    def refill(self, row: FlushRow) -> None:
        """Works whose waves run bring back what an invalidation has taken from their caches."""
        self._forget_those_that_are_through()
        for at, cache in enumerate(row.caches):
            if row.invalidates[at]:
                for number in range(self.shaders.running_count):
                    self._refill(self.shaders.running[number], cache)

    def _forget_those_that_are_through(self) -> None:
        shaders, kept = self.shaders, 0
        for number in range(shaders.running_count):
            work = shaders.running[number]
            if shaders.lacks(SHADER, work) or shaders.lacks(BACK, work):
                shaders.running[kept] = work
                kept += 1
        shaders.running_count = kept

    def _refill(self, work: int, cache: int) -> None:
        stage = self.stages[cache]
        through = stage == SHADER and not self.shaders.lacks(SHADER, work)
        if through or self.table.kind[work] == COPIED:
            return
        size = min(self._footprint(work, cache), self.capacity[cache])
        if size:
            amount = self.parameters.amount(self.rates[cache], size)
            self.shaders.refill(work, stage, self.units[cache], amount)

    def _footprint(self, work: int, cache: int) -> int:
        table, size = self.table, 0
        for at in range(table.first_print[work], table.first_print[work + 1]):
            if table.print_cache[at] == cache:
                size += table.print_end[at] - table.print_start[at]
        return size
