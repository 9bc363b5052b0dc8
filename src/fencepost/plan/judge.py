"""Judges plans by simulation: is a program with these pieces right, and how long does it take?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.coherence.checking import Examination, hazards_of
from fencepost.coherence.hits import Hit
from fencepost.errors import DeadlockProblem
from fencepost.machine.tables import Machine
from fencepost.plan.costs import cost
from fencepost.plan.pieces import Piece, Woven, weave
from fencepost.plan.single import planned_level
from fencepost.stream.program import Program
from fencepost.timing import Options, Timeline, simulate

Pieces = frozenset[Piece]

Score = tuple[int, int]
"""Picoseconds, then cycles by the machine's table: the less, the better."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Pieces that are right, and their score.

    `stalls`: for how many picoseconds an engine stands at each piece.
    """

    pieces: Pieces
    woven: Woven
    score: Score
    stalls: Counter[Piece]


class _Wrong(Exception):
    """The first hazard ends a replay."""


class Judge:
    """Judges pieces of one program, each set of them once.

    `left`: how many commands may still be replayed or simulated; `tried`: how many sets of pieces
    there were.
    """

    def __init__(self, program: Program, machine: Machine, guarantees: str, left: int) -> None:
        self.program, self.machine, self.guarantees = program, machine, guarantees
        self.level = planned_level(guarantees)
        self.left = left
        self._right: dict[Pieces, bool] = {}
        self._timed: set[Pieces] = set()

    @property
    def tried(self) -> int:
        """How many plans were looked at."""
        return len(self._right)

    def is_right(self, pieces: Pieces) -> bool:
        """Does a replay with these pieces come to its end without a hazard?"""
        found = self._right.get(pieces)
        if found is None:
            program = weave(self.program, pieces).program
            found = self._right[pieces] = self._is_right(program)
        return found

    def better(self, pieces: Pieces, than: Score) -> Judged | None:
        """Pieces that are right, with their score, if that is better.

        Nothing where they have been simulated before.
        """
        if pieces in self._timed:
            return None
        self._timed.add(pieces)
        woven = weave(self.program, pieces)
        try:
            timeline = self._simulated(woven.program)
        except DeadlockProblem:
            return None
        if timeline.totals.time > than[0]:
            return None
        found = self._measured(pieces, woven, timeline)
        return found if found.score < than and self._is_clean(woven.program) else None

    def judged(self, pieces: Iterable[Piece]) -> Judged:
        """Pieces that are right, with their score. Where they lean on events, others may too.

        Raises what `simulate` does.
        """
        every = frozenset(pieces)
        self._timed.add(every)
        if not self.is_right(every):
            self.level = self.guarantees
        woven = weave(self.program, every)
        return self._measured(every, woven, self._simulated(woven.program))

    def bare_time(self) -> int:
        """What the program takes without any pieces, in picoseconds; 0 where it does not end."""
        try:
            return self._simulated(self.program).totals.time
        except DeadlockProblem:
            return 0

    def _measured(self, pieces: Pieces, woven: Woven, timeline: Timeline) -> Judged:
        stalls: Counter[Piece] = Counter()
        for row in timeline.costs:
            piece = woven.pieces[row.queue][row.position]
            if piece is not None:
                stalls[piece] += row.stalled
        score = timeline.totals.time, cost(woven.program, self.machine)
        return Judged(pieces, woven, score, stalls)

    def _simulated(self, program: Program) -> Timeline:
        self._spend(program)
        return simulate(program, Options(guarantees=self.guarantees), self.machine)

    def _is_right(self, program: Program) -> bool:
        self._spend(program)
        replay = Examination(program, self.machine, self.level).prepare()
        replay.accesses.report = _stop
        try:
            replay.run()
        except _Wrong:
            return False
        return not replay.outcome.stuck

    def _is_clean(self, program: Program) -> bool:
        """Does the checker find nothing at all?"""
        self._spend(program)
        examination = Examination(program, self.machine, self.level)
        return not hazards_of(examination, examination.replay())

    def _spend(self, program: Program) -> None:
        self.left -= sum(len(queue.commands) for queue in program.queues)


def _stop(_: Hit) -> None:
    raise _Wrong
