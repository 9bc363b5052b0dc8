"""What a run leaves behind: when every work, fork and chain came how far, and who stood why."""

from __future__ import annotations

from array import array
from itertools import accumulate

from fencepost.timing.code import Code

NEVER = -1

FURTHEST = 4 * 10**18
"""Picoseconds that a run may take: 46 days. Sums of times and amounts stay below 2^63, since no
work and nothing that a machine does takes longer than a second."""

NO_CAUSE, BY_CHAIN, BY_VALUE, BY_ENGINE, BY_KICK = range(5)
"""What ended a stall, and the numbers that name it: an entry of a chain (chain, entry), a value in
memory (write), another engine (engine, time), a kickoff (number)."""

LOG = 7
"""Integers of a log entry: start, end, position, reason, kind of cause, and two that name it."""


def never(count: int) -> array[int]:
    """A column of times that have not come yet."""
    return array("q", [NEVER]) * count


class Record:
    """Times in picoseconds, `NEVER` where not yet; `last`: the end of the run.

    Of works: handed over, ready for their first wave, launched (and which work made room), without
    waves to launch, their stages ready to retire and retired, the units that were last; their rank
    in the chains. Of forks (what goes down the pipe): issued, there, operations begun and finished,
    value sent and in memory; where they stand in the chain of the end of pipe and in their line.

    The entries of chain `c` of queue `q` are rows from `first[q * CHAINS + c]` of `entries` and
    `times`; `done` of them are over. Entries are works, and forks as `~fork` (of ACTION: their
    numbers).
    """

    def __init__(self, code: Code) -> None:
        works, forks = len(code.works.queue), len(code.forks)
        self.code = code
        self.last = 0
        self.first = array("q", accumulate(code.chain_sizes, initial=0))
        self.done = array("q", [0]) * len(code.chain_sizes)
        self.entries = never(self.first[-1])
        self.times = never(self.first[-1])
        self.handed = never(works)
        self.ready = never(works)
        self.launched = never(works)
        self.launched_by = never(works)
        self.released = never(works)
        self.vertex_ready = never(works)
        self.vertex_done = never(works)
        self.shader_ready = never(works)
        self.shader_done = never(works)
        self.shaded_by = never(works)
        self.end_ready = never(works)
        self.end_done = never(works)
        self.ended_by = never(works)
        self.rank = never(works)
        self.issued = never(forks)
        self.arrived = never(forks)
        self.operated_from = never(forks)
        self.operated = never(forks)
        self.sent = never(forks)
        self.arrived_value = never(forks)
        self.fork_end_rank = never(forks)
        self.fork_rank = never(forks)
        self.log: list[array[int]] = []
        self.written: list[tuple[int, int, int, int, int, int]] = []
        self.operations: list[tuple[int, int, int, int, int, int]] = []
        self.kickoffs: list[tuple[int, int, int, int]] = []
        self.actions: list[tuple[int, int, int, int]] = []

    def entry(self, chain: int, number: int) -> int:
        """An entry of a chain (`q * CHAINS + c`)."""
        return self.entries[self.first[chain] + number]

    def time(self, chain: int, number: int) -> int:
        """When it was over."""
        return self.times[self.first[chain] + number]
