"""What the parts of a run share: the clock, what is due, how far every chain is, what is logged."""

from __future__ import annotations

from array import array

from fencepost.timing.agenda import Agenda, check_time
from fencepost.timing.code import CHAINS, FLIP, WIDTH
from fencepost.timing.record import LOG, Record
from fencepost.timing.room import doubled, zeros

LINE = LOG + 1
"""Integers of a line of the common log: the engine, and its entry."""


class State:
    """Writes the record of a run.

    Chains of works (VS, PS, END, CS) hold their entries from the moment when they are handed over:
    `known` of them. `reached`: when the last of a chain's `done` entries was over, which may be
    later than now. `marked` queues have something to settle, in the order of `line`.
    """

    def __init__(self, record: Record) -> None:
        queues = len(record.code.me_of)
        self.agenda = Agenda()
        self.now = 0
        self.last = 0
        self.first = record.first
        self.done = record.done
        self.entries = record.entries
        self.times = record.times
        self.known = zeros(len(record.done))
        self.reached = zeros(len(record.done))
        self.queues = queues
        self.marked = zeros(queues)
        self.line = zeros(queues)
        self.head = 0
        self.marks = 0
        operations = sum(len(engine.ops) for engine in record.code.engines) // WIDTH
        self.log = zeros(LINE * (operations + 1))
        self.room = len(self.log)
        self.logged = 0

    # -- chains

    def stand(self, queue: int, chain: int, entry: int) -> int:
        """An entry stands in a chain, handed over; returns its rank there."""
        at = queue * CHAINS + chain
        rank = self.known[at]
        self.entries[self.first[at] + rank] = entry
        self.known[at] = rank + 1
        return rank

    def next_of(self, at: int) -> int:
        """The entry of a chain that is over next."""
        return self.entries[self.first[at] + self.done[at]]

    def retire(self, at: int, time: int) -> int:
        """The next entry that stands in a chain is over, no sooner than the one before it."""
        then = max(time, self.reached[at])
        self.times[self.first[at] + self.done[at]] = then
        self.done[at] += 1
        self.reached[at] = then
        self.last = max(self.last, then)
        return then

    def finish(self, queue: int, chain: int, entry: int, time: int) -> None:
        """One more entry of a chain is over."""
        at = queue * CHAINS + chain
        row = self.first[at] + self.done[at]
        self.entries[row] = entry
        self.times[row] = time
        self.done[at] += 1
        self.reached[at] = time
        if chain != FLIP and time > self.last:
            self.last = time
        self.mark(queue)

    # -- queues that have something to settle

    def mark(self, queue: int) -> None:
        """Something has happened in a queue."""
        if not self.marked[queue]:
            self.marked[queue] = 1
            self.line[(self.head + self.marks) % self.queues] = queue
            self.marks += 1

    def next_marked(self) -> int:
        """The queue that has waited longest; it is not marked any more."""
        queue = self.line[self.head]
        self.head = (self.head + 1) % self.queues
        self.marks -= 1
        self.marked[queue] = 0
        return queue

    # -- the log

    def note(self, engine: int, start: int, end: int, position: int, reason: int) -> None:
        """Log what an engine did, or why it stood, from start to end."""
        self.note_cause(engine, start, end, position, reason, 0, -1, -1)

    def note_cause(
        self,
        engine: int,
        start: int,
        end: int,
        position: int,
        reason: int,
        cause: int,
        first: int,
        second: int,
    ) -> None:
        """The same, and what ended it."""
        if end <= start:
            return
        check_time(end)
        while self.logged + LINE > self.room:
            self.log = doubled(self.log)
            self.room *= 2
        at = self.logged
        self.log[at] = engine
        self.log[at + 1] = start
        self.log[at + 2] = end
        self.log[at + 3] = position
        self.log[at + 4] = reason
        self.log[at + 5] = cause
        self.log[at + 6] = first
        self.log[at + 7] = second
        self.logged = at + LINE
        self.last = max(self.last, end)

    def logs(self, engines: int) -> list[array[int]]:
        """The log of each engine."""
        sizes = [0] * engines
        for at in range(0, self.logged, LINE):
            sizes[self.log[at]] += LOG
        return [self._log_of(engine, size) for engine, size in enumerate(sizes)]

    def _log_of(self, engine: int, size: int) -> array[int]:
        found = array("q", [0]) * size
        cells = found
        row = 0
        for at in range(0, self.logged, LINE):
            if self.log[at] == engine:
                for part in range(LOG):
                    cells[row + part] = self.log[at + 1 + part]
                row += LOG
        return found
