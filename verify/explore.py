"""Every execution of a program: is it clean and, on one queue, from which command on not?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Kickoff, WaitMemory, Work
from fencepost.stream.program import Program
from verify.feedback import feeds_back
from verify.lower import lower
from verify.machine import ByteMachine, State, Wrong
from verify.races import find_order

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

    `how` is one execution's fault.
    """

    clean: bool
    position: int | None = None
    how: str = ""


CLEAN = Verdict(clean=True)


def explore(program: Program, machine: Machine, guarantees: str, tally: Tally) -> Verdict:
    """The verdict on a program (model 5.2). Raises `Unsupported`."""
    if len(program.queues) > 1:
        return explore_together(program, machine, guarantees, tally)
    for position, command in enumerate(program.queues[0].commands):
        if isinstance(command, Work):
            verdict = explore_last(program, machine, guarantees, position, tally)
            if not verdict.clean:
                return verdict
    return CLEAN


def explore_last(
    program: Program, machine: Machine, guarantees: str, position: int, tally: Tally
) -> Verdict:
    """The verdict on the prefix that ends with the work at `position`; shorter ones are clean.

    An execution of a prefix is the start of an execution of the whole. So what goes wrong in the
    shortest prefix that can go wrong involves its last command, and no command before that can go
    wrong as long as only it and earlier ones have started.
    """
    queue = program.queues[0]
    commands = queue.commands[: position + 1]
    work = commands[position]
    assert isinstance(work, Work)
    tally.programs += 1
    prefix = replace(program, queues=(replace(queue, commands=commands),))
    hang = first_hang(prefix, machine, guarantees)
    if hang is not None:
        return Verdict(False, hang, "an engine may wait for ever")
    if feeds_back(work, machine):
        return Verdict(False, position, "feedback loop")
    for byte in bytes_of_interest(prefix, work.accesses, machine.line):
        how = first_fault(ByteMachine(lower(prefix, machine, guarantees, byte)), tally)
        if how:
            return Verdict(False, position, f"byte {byte:#x}: {how}")
    return CLEAN


def explore_together(program: Program, machine: Machine, guarantees: str, tally: Tally) -> Verdict:
    """Several queues: the whole program, clean or not."""
    tally.programs += 1
    if first_hang(program, machine, guarantees) is not None:
        return Verdict(False, how="an engine may wait for ever")
    works = list(works_of(program))
    if any(feeds_back(work, machine) for work in works):
        return Verdict(False, how="feedback loop")
    accesses = [access for work in works for access in work.accesses]
    for byte in bytes_of_interest(program, accesses, machine.line):
        before = find_order(ByteMachine(lower(program, machine, guarantees, byte)))
        if before is None:
            return Verdict(False, how=f"byte {byte:#x}: a race between queues")
        runner = ByteMachine(lower(program, machine, guarantees, byte, before))
        how = first_fault(runner, tally)
        if how:
            return Verdict(False, how=f"byte {byte:#x}: {how}")
    return CLEAN


def first_fault(machine: ByteMachine, tally: Tally) -> str:
    """How the byte can go wrong; empty if it cannot, in any execution."""
    seen = {machine.start()}
    tally.bytes += 1
    try:
        for _ in walk_states(machine, seen):
            pass
    except Wrong as fault:
        return str(fault)
    finally:
        tally.states += len(seen)
    return ""


def first_hang(program: Program, machine: Machine, guarantees: str) -> int | None:
    """The first wait at which some execution stops for ever (model 6.2)."""
    commands = [one for queue in program.queues for one in queue.commands]
    if not any(isinstance(one, WaitMemory | Kickoff) for one in commands):
        return None
    runner = ByteMachine(lower(program, machine, guarantees, NOWHERE))
    dead = (s for s in walk_states(runner, {runner.start()}) if not runner.successors(s))
    return min((at for at in map(runner.blocked, dead) if at is not None), default=None)


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
            lines = [str(fault)]
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
