"""What a run knows: the clock, what is due, how far every chain is, and what has been logged."""

from __future__ import annotations

import heapq

from fencepost.timing.code import CHAINS, FLIP, Code

ENGINE, READY, VERTEX, TAIL, BACK_END, SLOTS_DUE, UNIT_DUE, EVENT_DUE = range(8)
ARRIVED, OPERATED, VALUE, ACTED, KICKED_OFF, TRANSFERRED, FLIPPED = range(8, 15)
"""Kinds of what may be due: an engine goes on; a work may launch; its vertex stage, its last waves,
its back end are through; slots or a unit have served somebody; a CB/DB event is in memory; a fork
has come down the pipe, its operations are finished, its value is in memory; an unconfirmed action
is finished; a kickoff has arrived; a CP DMA is through; a flip is over."""

NEVER = -1

NO_CAUSE, BY_CHAIN, BY_VALUE, BY_ENGINE, BY_KICK = range(5)
"""What ended a stall, and the numbers that name it: an entry of a chain (chain, entry), a value in
memory (write), another engine (engine, time), a kickoff (number)."""

LOG = 7
"""Integers of a log entry: start, end, position, reason, kind of cause, and two that name it."""


class State:
    """Shared by the parts of a run; times in picoseconds, `NEVER` where not yet.

    `times[q * CHAINS + c]` are the times at which the entries of a chain were done, `entries` what
    they were: works, and forks as `~fork` (of ACTION: their numbers). `order` holds the entries of
    VS, PS, END and CS that have been handed over; `rank`, `end_rank` and `fork_end_rank` say
    where they stand there, `fork_rank` where in its line a fork stands.
    """

    def __init__(self, code: Code) -> None:
        queues, works, forks = len(code.me_of), len(code.works.queue), len(code.forks)
        self.code = code
        self.now = 0
        self.last = 0
        self.heap: list[tuple[int, int, int, int]] = []
        self.sequence = 0
        self.settle: dict[int, None] = {}
        self.times: list[list[int]] = [[] for _ in range(queues * CHAINS)]
        self.entries: list[list[int]] = [[] for _ in range(queues * CHAINS)]
        self.order: list[list[int]] = [[] for _ in range(queues * CHAINS)]
        self.log: list[list[int]] = [[] for _ in code.engines]
        self.values = list(code.values)
        self.written: list[tuple[int, int, int, int, int, int]] = []
        self.operations: list[tuple[int, int, int, int, int, int]] = []
        self.handed = [NEVER] * works
        self.ready = [NEVER] * works
        self.launched = [NEVER] * works
        self.launched_by = [NEVER] * works
        self.released = [NEVER] * works
        self.shaded_by = [NEVER] * works
        self.ended_by = [NEVER] * works
        self.rank = [NEVER] * works
        self.end_rank = [NEVER] * works
        self.fork_rank = [NEVER] * forks
        self.fork_end_rank = [NEVER] * forks
        self.vertex_ready = [NEVER] * works
        self.shader_ready = [NEVER] * works
        self.end_ready = [NEVER] * works
        self.vertex_done = [NEVER] * works
        self.shader_done = [NEVER] * works
        self.end_done = [NEVER] * works
        self.issued = [NEVER] * forks
        self.arrived = [NEVER] * forks
        self.operated_from = [NEVER] * forks
        self.operated = [NEVER] * forks
        self.sent = [NEVER] * forks
        self.arrived_value = [NEVER] * forks

    def push(self, time: int, kind: int, argument: int) -> None:
        """Something is due at that time; what is due together comes in the order of pushing."""
        self.sequence += 1
        heapq.heappush(self.heap, (time, self.sequence, kind, argument))

    def pop(self) -> tuple[int, int]:
        """The next thing that is due; the clock goes there."""
        time, _, kind, argument = heapq.heappop(self.heap)
        self.now = time
        return kind, argument

    def finish(self, queue: int, chain: int, entry: int) -> None:
        """One more entry of a chain is done now."""
        at = queue * CHAINS + chain
        self.times[at].append(self.now)
        self.entries[at].append(entry)
        if chain != FLIP:
            self.last = max(self.last, self.now)
        self.settle[queue] = None

    def done(self, queue: int, chain: int) -> int:
        """How many entries of a chain are done."""
        return len(self.times[queue * CHAINS + chain])

    def note(
        self,
        engine: int,
        start: int,
        end: int,
        position: int,
        reason: int,
        cause: int = NO_CAUSE,
        first: int = NEVER,
        second: int = NEVER,
    ) -> None:
        """Log what an engine did, or why it stood, from start to end."""
        if end > start:
            self.log[engine] += (start, end, position, reason, cause, first, second)
            self.last = max(self.last, end)
