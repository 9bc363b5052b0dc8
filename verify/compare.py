"""The fast checker and the explorer side by side: the same verdict, at the same command?"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.coherence.checking import Examination
from fencepost.coherence.feedback import find_feedback
from fencepost.coherence.waits import WaitFindings
from fencepost.machine.tables import Machine
from fencepost.stream.program import Program
from fencepost.stream.text.printer import format_program
from verify.alphabet import program_of
from verify.enumerate import Family, Items, Setting
from verify.explore import (
    Tally,
    Verdict,
    acts_ahead,
    explore,
    explore_prefix,
    find_hang,
    joined,
)
from verify.queues import QueueFamily

KEPT = 5
"""Disagreements of a comparison that are kept, the smallest ones."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A program on which the two differ; the checker's position is None where it finds nothing."""

    setting: str
    family: str
    program: Program
    explorer: Verdict
    checker: int | None
    rules: tuple[str, ...]

    @property
    def size(self) -> tuple[int, str]:
        """Smallest first."""
        commands = sum(len(queue.commands) for queue in self.program.queues)
        return commands, self.text()

    def text(self) -> str:
        """The program as a stream, with both verdicts."""
        return (
            f"# {self.setting}, family {self.family}\n"
            f"# explorer: {verdict_text(self.explorer)}\n"
            f"# checker:  {place(self.checker)} {', '.join(self.rules)}\n"
            f"{format_program(self.program)}"
        )


def verdict_text(verdict: Verdict) -> str:
    """A verdict for people."""
    if verdict.clean or verdict.position is not None:
        return f"{place(verdict.position)} {verdict.how}"
    return f"hazard: {verdict.how}"


def place(position: int | None) -> str:
    """A position for people."""
    return "clean" if position is None else f"hazard at command {position}"


@dataclass(slots=True)
class Result:
    """Of a comparison, or of several added up."""

    programs: int = 0
    clean: int = 0
    disagreements: int = 0
    tally: Tally = field(default_factory=Tally)
    smallest: list[Disagreement] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Add another comparison's result."""
        self.programs += other.programs
        self.clean += other.clean
        self.disagreements += other.disagreements
        self.tally.programs += other.tally.programs
        self.tally.bytes += other.tally.bytes
        self.tally.states += other.tally.states
        self.smallest = sorted([*self.smallest, *other.smallest], key=lambda one: one.size)[:KEPT]


class Explorer:
    """Explores programs that share prefixes; a prefix is explored once."""

    def __init__(self, machine: Machine, guarantees: str, tally: Tally) -> None:
        self.machine, self.guarantees, self.tally = machine, guarantees, tally
        self._known: dict[Items, Verdict] = {}

    def verdict(self, items: Items) -> Verdict:
        """What `explore` says of a program of one graphics queue."""
        program = program_of(items, self.machine.name)
        if acts_ahead(program, self.machine):
            return explore(program, self.machine, self.guarantees, self.tally)
        hang = find_hang(program, self.machine, self.guarantees)
        last = max((at for at, item in enumerate(items) if item.is_work), default=-1)
        for position, item in enumerate(items):
            if position == hang.position:
                return hang
            if item.is_work:
                verdict = self._prefix(items[: position + 1], program, kept=position < last)
                if not verdict.clean:
                    return joined(hang, verdict)
        return hang

    def _prefix(self, prefix: Items, program: Program, kept: bool) -> Verdict:
        known = self._known.get(prefix)
        if known is None:
            where = len(prefix) - 1
            known = explore_prefix(program, self.machine, self.guarantees, where, self.tally)
            if kept:
                self._known[prefix] = known
        return known


def agree(verdict: Verdict, position: int | None, one_queue: bool) -> bool:
    """The same verdict and, on one queue, at the same command.

    Where the explorer has no one position, the checker may name any of its `also`.
    """
    if verdict.clean or position is None or not one_queue:
        return verdict.clean == (position is None)
    return position == verdict.position or position in verdict.also


def first_hazard(
    program: Program, machine: Machine, guarantees: str
) -> tuple[int | None, tuple[str, ...]]:
    """The checker's first hazard and the rules that it names there.

    All that `fencepost.coherence.check` looks at to find hazards, but not their wording and fixes,
    which take most of its time.
    """
    examination = Examination(program, machine, guarantees)
    outcome = examination.replay().outcome
    found = [(hit.later.position, hit.rule) for hit in outcome.hits]
    worded = WaitFindings(examination).findings(outcome.stuck)
    worded += find_feedback(program, examination.ways)
    found += [(one.later.position, one.rule) for one in worded]
    first = min((position for position, _ in found), default=None)
    return first, tuple(sorted({rule for position, rule in found if position == first}))


def compare(
    setting: Setting, family: Family | QueueFamily, head: Items, stride: int, first: int = 0
) -> Result:
    """Every `stride`-th program of a family with that head, from the one of number `first` on."""
    result = Result()
    if isinstance(family, QueueFamily):
        for program in family.programs(head, setting.machine.name, stride, first):
            verdict = explore(program, setting.machine, setting.guarantees, result.tally)
            judge(setting, family.name, program, verdict, result)
    else:
        explorer = Explorer(setting.machine, setting.guarantees, result.tally)
        for items in family.programs(head, stride, first):
            program = program_of(items, setting.machine.name)
            judge(setting, family.name, program, explorer.verdict(items), result)
    return result


def judge(
    setting: Setting, family: str, program: Program, verdict: Verdict, result: Result
) -> None:
    """Run the checker too; on one queue the position has to be the same."""
    position, rules = first_hazard(program, setting.machine, setting.guarantees)
    result.programs += 1
    result.clean += verdict.clean
    if not agree(verdict, position, one_queue=len(program.queues) == 1):
        result.disagreements += 1
        one = Disagreement(setting.name, family, program, verdict, position, rules)
        result.smallest = sorted([*result.smallest, one], key=lambda it: it.size)[:KEPT]
