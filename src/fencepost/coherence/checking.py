"""The entry points: check a program, explain a command."""

from __future__ import annotations

from fencepost._kernels import is_compiled
from fencepost.coherence.feedback import find_feedback
from fencepost.coherence.fences import Fences
from fencepost.coherence.finding import Counts, Explanation, Finding, Report
from fencepost.coherence.hazards import Hazards
from fencepost.coherence.issue import accesses_of, ranged_operations, used_ways
from fencepost.coherence.labelling import find_fences
from fencepost.coherence.layout import make_layout
from fencepost.coherence.observing import FactFinder
from fencepost.coherence.repeated import Repeats
from fencepost.coherence.replay import Replay
from fencepost.coherence.unknown import find_unknown
from fencepost.coherence.waits import WaitFindings
from fencepost.coherence.waste import find_waste
from fencepost.coherence.ways import Ways
from fencepost.errors import UsageProblem
from fencepost.machine.tables import Machine
from fencepost.stream.command import Work
from fencepost.stream.program import Program

MOST_PASSES = 16
"""Passes over the waits alone, to find out which writes can satisfy them.

Each pass knows at least what the last one did.
"""


LONG = 1_000
"""From so many commands on it pays to lower a program first."""


class Examination:
    """A program on a machine, with its waits resolved; it can be replayed as often as needed."""

    def __init__(self, program: Program, machine: Machine, guarantees: str) -> None:
        self.program = program
        self.machine = machine
        self.guarantees = guarantees
        self.layout = make_layout(
            machine, used_ways(program, machine), ranged_operations(program, machine)
        )
        self.ways = Ways(machine, self.layout)
        self.fences: Fences = find_fences(program, machine, self.layout)
        self._resolve_waits()

    def _resolve_waits(self) -> None:
        if not self.fences.waits:
            return
        self.fences.resolve()
        for _ in range(MOST_PASSES):
            stuck = self.replay(accesses=False).outcome.stuck
            if stuck or not self.fences.resolve():
                return

    def replay(self, accesses: bool = True) -> Replay:
        """One pass over all queues; its `outcome` has the hits."""
        replay = self.prepare(accesses)
        replay.run()
        return replay

    def prepare(self, accesses: bool = True) -> Replay:
        """A replay that has not run yet, to be listened to."""
        return Replay(
            self.program,
            self.machine,
            self.guarantees,
            self.fences,
            self.layout,
            self.ways,
            accesses,
        )

    def again(self, program: Program) -> Examination:
        """The same questions about another program."""
        return Examination(program, self.machine, self.guarantees)


def check(program: Program, machine: Machine, guarantees: str = "") -> Report:
    """Is the program correctly synchronized on that machine?

    `guarantees` is `documented` or `strict`; "" takes the program's own, else the machine's
    default (design 4.5). The program must be
    legal (`stream.legality`). Findings come in the order of the stream.
    """
    level = guarantees or program.guarantees or machine.guarantees
    report = None
    if sum(len(queue.commands) for queue in program.queues) >= LONG:
        from fencepost.coherence.lowered import walk  # noqa: PLC0415 - short streams start fast

        if is_compiled(walk):
            report = check_lowered(program, machine, level)
    return report or check_replayed(program, machine, level)


def check_lowered(program: Program, machine: Machine, level: str) -> Report | None:
    """The report of a clean program, found by walks over integers; None if the replay must look."""
    from fencepost.coherence.lowered.examine import examine  # noqa: PLC0415 - as in `check`

    found = examine(program, machine, level)
    if found is None:
        return None
    lowered, leans = found
    findings = find_unknown(program) if lowered.shapes.unknown else []
    if lowered.shapes.holds_pfp or lowered.shapes.null_range:
        examination = Examination(program, machine, level)
        findings += find_waste(examination, Repeats(examination))
    return Report(
        program=program,
        machine=machine.name,
        guarantees=level,
        findings=in_order(program, findings),
        leaning=_leaning(program, machine, findings) if leans else (),
        counts=lowered.counts(),
    )


def check_replayed(program: Program, machine: Machine, level: str) -> Report:
    """The report of any program, found by the replay."""
    examination = Examination(program, machine, level)
    replay = examination.prepare()
    repeats = Repeats(examination)
    replay.repeats = repeats
    replay.run()
    findings = hazards_of(examination, replay)
    findings += find_feedback(program, examination.ways)
    findings += find_unknown(program)
    findings += find_waste(examination, repeats)
    return Report(
        program=program,
        machine=machine.name,
        guarantees=level,
        findings=in_order(program, findings),
        leaning=_leaning(program, machine, findings) if replay.steps.leaned else (),
        counts=count(program),
    )


def hazards_of(examination: Examination, replay: Replay) -> list[Finding]:
    """The hazards that one replay shows; those inside one command do not need it."""
    found = Hazards(examination, replay).findings(replay.outcome.hits)
    found += WaitFindings(examination).findings(replay.outcome.stuck)
    return found


def _leaning(program: Program, machine: Machine, findings: list[Finding]) -> tuple[Finding, ...]:
    """What would go wrong if the seed's unexplained guarantees did not hold.

    The verdict leans on them (design 4.5).
    """
    strict = Examination(program, machine, "strict")
    known = {(f.later.queue, f.later.position, f.later.does) for f in findings}
    more = [
        finding
        for finding in hazards_of(strict, strict.replay())
        if (finding.later.queue, finding.later.position, finding.later.does) not in known
    ]
    return in_order(program, more)


def in_order(program: Program, findings: list[Finding]) -> tuple[Finding, ...]:
    """Findings by queue and position, as the stream has them."""
    queues = {queue.name: number for number, queue in enumerate(program.queues)}
    found = sorted(findings, key=lambda f: (queues[f.later.queue], f.later.position))
    return tuple(found)


def count(program: Program) -> Counts:
    """How much there was to check."""
    commands = [command for queue in program.queues for command in queue.commands]
    works = [command for command in commands if isinstance(command, Work)]
    return Counts(
        queues=len(program.queues),
        commands=len(commands),
        works=len(works),
        accesses=sum(len(work.accesses) for work in works),
        synchronizations=len(commands) - len(works),
    )


def why(
    program: Program, machine: Machine, guarantees: str, file: str, line: int
) -> tuple[Explanation, ...]:
    """What makes the accesses of the commands on that line right, or where their chain breaks.

    Raises `UsageProblem` if no work stands there.
    """
    level = guarantees or program.guarantees or machine.guarantees
    wanted = {
        (number, position)
        for number, queue in enumerate(program.queues)
        for position, command in enumerate(queue.commands)
        if command.place.line == line and command.place.file == file and accesses_of(command)
    }
    if not wanted:
        raise UsageProblem(f"no command with accesses at {file}:{line}")
    examination = Examination(program, machine, level)
    replay = examination.prepare()
    finder = FactFinder(wanted)
    finder.attach(replay)
    replay.run()
    return tuple(Hazards(examination, replay).explanations(finder.relations))
