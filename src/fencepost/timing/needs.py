"""What forks wait for: entries of chains (docs/timing.md 5.3)."""

from __future__ import annotations

from fencepost.timing.code import CHAINS, ForkRow, column, firsts
from fencepost.timing.record import NEVER
from fencepost.timing.state import State


class Needs:
    """Rows `first[fork]:first[fork + 1]`: a chain (`queue * CHAINS + c`), and how many entries."""

    def __init__(self, state: State, rows: list[ForkRow], *, then: bool) -> None:
        self.state = state
        chains, counts, first = column(), column(), firsts()
        for row in rows:
            for chain, count in row.then if then else row.needs:
                chains.append(row.queue * CHAINS + chain)
                counts.append(count)
            first.append(len(chains))
        self.first = first
        self.chain = chains
        self.count = counts

    def met(self, fork: int) -> int:
        """When all that a fork waits for is over; `NEVER` if nobody knows yet."""
        state, met = self.state, 0
        for at in range(self.first[fork], self.first[fork + 1]):
            chain, count = self.chain[at], self.count[at]
            if state.done[chain] < count:
                return NEVER
            if count:
                met = max(met, state.times[state.first[chain] + count - 1])
        return met
