"""A run that does not end: who waits for what, as one line (docs/timing.md 9)."""

from __future__ import annotations

from bisect import bisect_right

from fencepost.coherence.fences import satisfies
from fencepost.errors import DeadlockProblem
from fencepost.stream.command import FULL_MASK, Command
from fencepost.stream.program import Program
from fencepost.timeline.times import shown
from fencepost.timing import code
from fencepost.timing.code import KICK, SET, WIDTH, Code, WaitRow
from fencepost.timing.front import FINISHED
from fencepost.timing.record import NEVER
from fencepost.timing.run import Run


class Deadlock:
    """Looks at the engines that stand for ever."""

    def __init__(self, program: Program, run: Run) -> None:
        self.program = program
        self.code: Code = run.code
        self.run = run
        self.front = run.front
        self.stuck = [n for n, status in enumerate(self.front.status) if status != FINISHED]

    def problem(self) -> DeadlockProblem:
        """The error: the circle if there is one, else the chain to what never happens."""
        chains = [self._chain(engine) for engine in self.stuck]
        circles = [chain for chain, closed in chains if closed]
        chain = min(circles or [chain for chain, _ in chains], key=len)
        time = shown(self.run.record.last)
        links = " -> ".join(self._link(engine) for engine in chain)
        if circles:
            text = f"deadlock at {time}: {links} -> {self._name(chain[0])}, a circle"
        else:
            text = f"a wait that never ends, at {time}: {links}"
        return DeadlockProblem(text, self._command(chain[0]).place, "a value, written before it")

    def _chain(self, engine: int) -> tuple[list[int], bool]:
        """Whom an engine waits for, and so on; the circle alone where it ends in one."""
        chain: list[int] = []
        while engine >= 0 and engine not in chain:
            chain.append(engine)
            engine = self._blocker(engine)
        return (chain[chain.index(engine) :], True) if engine >= 0 else (chain, False)

    def _blocker(self, engine: int) -> int:
        """The engine that would have to go on first; `NEVER` where nobody can help."""
        queue = self.code.engines[engine].queue
        match self._operation(engine):
            case code.WAIT:
                writer = self._writer(engine)
                return NEVER if writer is None else writer[0]
            case code.PASSED:
                return self.code.pfp_of[queue]
            case code.HANDOVER:
                return self.code.me_of[queue]
            case code.KICKED:
                return self._kicker(queue)
            case _:
                return NEVER

    def _operation(self, engine: int) -> int:
        return self.code.engines[engine].ops[self.front.at[engine]]

    def _kicker(self, queue: int) -> int:
        """The engine that has still to kick off that queue."""
        for engine in self.stuck:
            ops, at = self.code.engines[engine].ops, self.front.at[engine]
            if any(ops[n] == KICK and ops[n + 1] == queue for n in range(at, len(ops), WIDTH)):
                return engine
        return NEVER

    def _writer(self, engine: int) -> tuple[int, int] | None:
        """The engine, and its command, that would write what a wait is for."""
        row = self._wait(engine)
        for other in self.stuck:
            for position, label, value in self._writes(other):
                if label == row.label and satisfies(value, row.comparison, row.reference, row.mask):
                    return other, position
        return None

    def _wait(self, engine: int) -> WaitRow:
        return self.code.waits[self.code.engines[engine].ops[self.front.at[engine] + 1]]

    def _writes(self, engine: int) -> list[tuple[int, int, int]]:
        """Position, label and value of everything that an engine has still to write."""
        own, at = self.code.engines[engine], self.front.at[engine]
        found = []
        for n in range(at, len(own.ops), WIDTH):
            if own.ops[n] == SET:
                position = bisect_right(own.starts, n) - 1
                found.append((position, own.ops[n + 1], own.ops[n + 2]))
        if engine == self.code.me_of[own.queue]:
            found += [
                (fork.position, fork.label, fork.value)
                for number, fork in enumerate(self.code.forks)
                if fork.queue == own.queue and self.run.record.issued[number] < 0
            ]
        return found

    # -- in words

    def _link(self, engine: int) -> str:
        """An engine, where it stands and what for."""
        match self._operation(engine):
            case code.WAIT:
                what = self._condition(engine)
            case code.PASSED:
                what = "PFP"
            case code.HANDOVER:
                what = "ME"
            case code.KICKED:
                what = "a kickoff"
            case _:
                what = "its own work"
        return f"{self._name(engine)} at {self._command(engine).place} waits for {what}"

    def _name(self, engine: int) -> str:
        own = self.code.engines[engine]
        queue = self.program.queues[own.queue].name
        return f"{queue} {own.name.upper()}" if own.name in {"pfp", "me"} else queue

    def _command(self, engine: int) -> Command:
        queue = self.program.queues[self.code.engines[engine].queue]
        return queue.commands[self.front.position[engine]]

    def _condition(self, engine: int) -> str:
        row = self._wait(engine)
        name, value = self.code.labels[row.label], self.run.labels.values[row.label]
        mask = "" if row.mask == FULL_MASK else f" & {row.mask:#x}"
        text = f"{name} {row.comparison} {row.reference}{mask} (it is {value})"
        writer = self._writer(engine)
        if writer is None:
            return f"{text}, which nothing that is still to come writes"
        other, position = writer
        place = self.program.queues[self.code.engines[other].queue].commands[position].place
        return f"{text}, which {place} would write"
