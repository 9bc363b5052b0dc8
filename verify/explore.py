"""Every execution of a program: is it clean and, on one queue, from which command on not?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Kickoff, SetLabel, WaitMemory, Work
from fencepost.stream.program import Program
from verify.feedback import feeds_back
from verify.lower import lower
from verify.machine import ByteMachine, State, Wrong
from verify.races import find_order

FOR_EVER = "PFP waits for ever"
NOWHERE = -1
"""An address that nothing touches."""


@dataclass(slots=True)
class Tally:
    """How much was explored: programs (or prefixes of them), bytes followed, states visited."""

    programs: int = 0
    bytes: int = 0
    states: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Clean or not; `position` of the first command that can go wrong, where there is one queue.

    `how` is one execution's fault. `also`: positions that are as good: other waits that are stuck,
    other faults where a DMA that PFP kicks brings old lines in, all behind and before a wait of PFP
    that never ends.
    """

    clean: bool
    position: int | None = None
    how: str = ""
    also: tuple[int, ...] = ()


CLEAN = Verdict(clean=True)


def explore(program: Program, machine: Machine, guarantees: str, tally: Tally) -> Verdict:
    """The verdict on a program (model 5.2). Raises `Unsupported`."""
    if len(program.queues) > 1:
        return explore_together(program, machine, guarantees, tally)
    hang = find_hang(program, machine, guarantees)
    if acts_ahead(program, machine):
        return joined(hang, explore_whole(program, machine, guarantees, tally))
    for position, command in enumerate(program.queues[0].commands):
        if position == hang.position:
            return hang
        if isinstance(command, Work):
            verdict = explore_prefix(program, machine, guarantees, position, tally)
            if not verdict.clean:
                return joined(hang, verdict)
    return hang


def joined(hang: Verdict, fault: Verdict) -> Verdict:
    """The first of the two; with what is as good as either, where a fault has no one position."""
    first = first_of(hang, fault)
    if fault.also or hang.how == FOR_EVER:
        return replace(first, also=(*hang.also, *fault.also))
    return first


def first_of(*verdicts: Verdict) -> Verdict:
    """The one with the first hazard."""
    wrong = [one for one in verdicts if one.position is not None]
    return min(wrong, key=lambda one: one.position or 0, default=CLEAN)


def acts_ahead(program: Program, machine: Machine) -> bool:
    """Whether commands can matter to earlier ones.

    PFP runs ahead of ME: it may set a label, or have the CP DMA bring an old line into TCC, which
    then matters to a work that reads what another one has written.
    """
    works = 0
    for command in program.queues[0].commands:
        if isinstance(command, SetLabel) and command.engine == "pfp":
            return True
        if isinstance(command, Work):
            works += 1
            if works > 2 and early_fill(command, machine):
                return True
    return False


def early_fill(work: Work, machine: Machine) -> bool:
    """Whether PFP kicks a DMA that brings lines into a cache."""
    if work.engine != "pfp":
        return False
    ways = [machine.way(one.block, one.use, one.part) for one in work.accesses]
    return any(way and way.engine == "kick" and way.caches for way in ways)


def explore_prefix(
    program: Program, machine: Machine, guarantees: str, position: int, tally: Tally
) -> Verdict:
    """Whether the program up to the work at `position` can go wrong, where less of it cannot.

    What goes wrong then involves that work. What is behind it starts later, and to accesses before
    it could do only what may happen anyway: lines written back, clean lines dropped.
    """
    queue = program.queues[0]
    commands = queue.commands[: position + 1]
    work = commands[position]
    assert isinstance(work, Work)
    tally.programs += 1
    if feeds_back(work, machine):
        return Verdict(False, position, "feedback loop")
    prefix = replace(program, queues=(replace(queue, commands=commands),))
    for byte in bytes_of_interest(prefix, work.accesses, machine.line):
        fault = first_fault(ByteMachine(lower(prefix, machine, guarantees, byte)), tally)
        if fault:
            return Verdict(False, position, f"byte {byte:#x}: {fault}")
    return CLEAN


def explore_whole(program: Program, machine: Machine, guarantees: str, tally: Tally) -> Verdict:
    """Every fault that comes first in some execution; of these the first command's."""
    tally.programs += 1
    commands = program.queues[0].commands
    found = [
        Verdict(False, position, "feedback loop")
        for position, command in enumerate(commands)
        if isinstance(command, Work) and feeds_back(command, machine)
    ]
    accesses = [access for work in works_of(program) for access in work.accesses]
    for byte in bytes_of_interest(program, accesses, machine.line):
        runner = ByteMachine(lower(program, machine, guarantees, byte), collect=True)
        first_fault(runner, tally)
        found += [Verdict(False, at, f"byte {byte:#x}: {how}") for at, how in runner.faults.items()]
    first = first_of(*found)
    if any(isinstance(one, Work) and early_fill(one, machine) for one in commands):
        return replace(first, also=tuple(sorted({one.position or 0 for one in found})))
    return first


def explore_together(program: Program, machine: Machine, guarantees: str, tally: Tally) -> Verdict:
    """Several queues: the whole program, clean or not."""
    tally.programs += 1
    hang = find_hang(program, machine, guarantees)
    if not hang.clean:
        return replace(hang, position=None)
    works = list(works_of(program))
    if any(feeds_back(work, machine) for work in works):
        return Verdict(False, how="feedback loop")
    accesses = [access for work in works for access in work.accesses]
    for byte in bytes_of_interest(program, accesses, machine.line):
        before = find_order(ByteMachine(lower(program, machine, guarantees, byte)))
        if before is None:
            return Verdict(False, how=f"byte {byte:#x}: a race between queues")
        runner = ByteMachine(lower(program, machine, guarantees, byte, before))
        fault = first_fault(runner, tally)
        if fault:
            return Verdict(False, how=f"byte {byte:#x}: {fault}")
    return CLEAN


def first_fault(machine: ByteMachine, tally: Tally) -> str:
    """How the byte can go wrong; empty if it cannot, in any execution."""
    seen = {machine.start()}
    tally.bytes += 1
    try:
        for _ in walk_states(machine, seen):
            pass
    except Wrong as fault:
        return fault.how
    finally:
        tally.states += len(seen)
    return ""


def find_hang(program: Program, machine: Machine, guarantees: str) -> Verdict:
    """Where some execution stops for ever (model 6.2); no byte matters to that.

    The checker judges what stands behind a wait of PFP that never ends as if it could happen, and
    PFP's stores there matter to earlier waits of ME: then any command is as good.
    """
    commands = [one for queue in program.queues for one in queue.commands]
    if not any(isinstance(one, WaitMemory | Kickoff) for one in commands):
        return CLEAN
    runner = ByteMachine(lower(program, machine, guarantees, NOWHERE))
    ends = [
        set(runner.blocked(state))
        for state in walk_states(runner, {runner.start()})
        if not runner.successors(state)
    ]
    stuck = set().union(*ends)
    if not stuck:
        return CLEAN
    always = set.intersection(*ends) if len(program.queues) == 1 else set()
    if any(getattr(commands[position], "engine", "") == "pfp" for position in always):
        stuck.update(range(len(commands)))
        return Verdict(False, min(always), FOR_EVER, tuple(sorted(stuck)))
    return Verdict(False, min(stuck), "an engine may wait for ever", tuple(sorted(stuck)))


def walk_states(machine: ByteMachine, seen: set[State]) -> Iterator[State]:
    """Every state that can be reached from those in `seen`, which grows."""
    waiting = list(seen)
    while waiting:
        state = waiting.pop()
        for one in machine.successors(state):
            if one not in seen:
                seen.add(one)
                waiting.append(one)
        yield state


def trace(machine: ByteMachine) -> list[str]:
    """A shortest execution that goes wrong, a state a line; empty if there is none."""
    start = machine.start()
    before: dict[State, State | None] = {start: None}
    waiting = [start]
    for state in waiting:
        try:
            following = machine.successors(state)
        except Wrong as fault:
            lines = [fault.how]
            step: State | None = state
            while step is not None:
                lines.append(f"{machine.controls[step[0]]} {step[1]}")
                step = before[step]
            return lines[::-1]
        for one in following:
            if one not in before:
                before[one] = state
                waiting.append(one)
    return []


def works_of(program: Program) -> Iterator[Work]:
    """All works of all queues."""
    for queue in program.queues:
        for command in queue.commands:
            if isinstance(command, Work):
                yield command


def bytes_of_interest(program: Program, near: Iterable[Access], line: int) -> list[int]:
    """One byte for each piece of the lines of `near` that the program's accesses tell apart."""
    lines = {number for access in near for number in lines_of(access, line)}
    accesses = [access for work in works_of(program) for access in work.accesses]
    bounds: set[int] = set()
    for access in accesses:
        touched = lines & set(lines_of(access, line))
        bounds |= {number * line for number in touched}
        if touched:
            bounds |= {access.start, access.end}
    return [
        byte
        for byte in sorted(bounds)
        if byte // line in lines and any(a.start <= byte < a.end for a in accesses)
    ]


def lines_of(access: Access, line: int) -> range:
    """The numbers of the lines that an access touches."""
    return range(access.start // line, -(-access.end // line))
