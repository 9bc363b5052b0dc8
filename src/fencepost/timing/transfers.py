"""CP DMA: one transfer after the other, on a path of its own (docs/timing.md 3.6)."""

from __future__ import annotations

from fencepost.timing.code import DMA, DMA_PFP, Code
from fencepost.timing.parameters import Parameters
from fencepost.timing.record import NEVER
from fencepost.timing.room import zeros
from fencepost.timing.state import State
from fencepost.timing.table import Table


class Transfers:
    """All CP DMA: when each is through is known when it is handed over.

    `last` of each queue; `by_me`: how many ME has handed over.
    """

    def __init__(self, state: State, table: Table, code: Code, parameters: Parameters) -> None:
        queues = len(code.me_of)
        self.state = state
        self.table = table
        self.trip = parameters.cycles("memory round trip")
        self.by_me = zeros(queues)
        self.last = zeros(queues)
        for queue in range(queues):
            self.last[queue] = NEVER

    def issue(self, work: int) -> None:
        """An engine hands a transfer over."""
        table, now = self.table, self.state.now
        queue = table.queue[work]
        before, start, end = self.last[queue], now, 0
        if before >= 0:
            end = table.end_done[before]
            start = max(now, end if table.in_turn[work] else table.released[before])
            table.launched_by[work] = before
        table.handed[work] = table.ready[work] = now
        table.launched[work] = start
        table.released[work] = start + table.time[work]
        end = max(end, table.released[work] + self.trip)
        table.shader_done[work] = table.end_done[work] = end
        self.last[queue] = work
        if not table.by_pfp[work]:
            self.by_me[queue] += 1
        self.state.finish(queue, DMA_PFP if table.by_pfp[work] else DMA, work, end)
