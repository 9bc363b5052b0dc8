"""Waste in recorded PM4 streams: what is certain, and what no known access needs.

A stream does not hold what shaders access. What `check` calls waste is waste whatever that is.
Taking the unknown accesses for none gives the other end: more cannot be waste.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fencepost.capture.pm4 import load
from fencepost.coherence import Finding, Kind, check
from fencepost.machine import find_machine
from fencepost.plan.excess import add_excess
from fencepost.stream.command import (
    Command,
    ContextWrite,
    Frame,
    Kickoff,
    PipelinedEvent,
    Present,
    Work,
)
from fencepost.stream.program import Program

At = tuple[str, int]
"""The name of a queue and a position in it."""


@dataclass(frozen=True, slots=True)
class Waste:
    """Packets that could go, packets that could be less, and the rules that say so.

    `mends`: what could stand in a packet's place, where a finding has it as commands. `note`: up to
    where it was looked for, "" for all of it.
    """

    goes: frozenset[At]
    less: frozenset[At]
    rules: dict[At, frozenset[str]]
    mends: list[tuple[At, tuple[Command, ...]]]
    note: str

    @property
    def all(self) -> frozenset[At]:
        """All packets with a finding."""
        return self.goes | self.less


@dataclass(frozen=True, slots=True)
class Counted:
    """A program: its synchronization packets by name, and the two ends of its waste."""

    program: Program
    packets: dict[At, str]
    works: int
    unknown: int
    certain: Waste
    most: Waste


def counted(paths: Sequence[Path]) -> Counted:
    """The streams, one after the other, as one program."""
    program = load(list(paths))
    works = [one for one in _commands(program).values() if isinstance(one, Work)]
    return Counted(
        program,
        {at: one.name for at, one in _commands(program).items() if is_synchronization(one)},
        len(works),
        sum(len(work.unknown) for work in works),
        waste(program),
        waste(without_unknown(program)),
    )


def waste(program: Program) -> Waste:
    """What `fencepost check` calls waste."""
    machine = find_machine(program.machine)
    report, notes = add_excess(check(program, machine), machine)
    assert not report.of(Kind.HAZARD)
    found = report.of(Kind.WASTE)
    rules: dict[At, frozenset[str]] = {}
    for finding in found:
        at = _at(finding)
        rules[at] = rules.get(at, frozenset()) | {finding.rule}
    goes = frozenset(_at(finding) for finding in found if can_go(finding))
    mends = [(_at(one), one.fix.commands) for one in found if one.fix and one.fix.commands]
    return Waste(goes, frozenset(rules) - goes, rules, mends, " ".join(notes))


def can_go(finding: Finding) -> bool:
    """Whether nothing stands in the packet's place once it is mended.

    A finding whose change cannot be made along with all others has no fix and says so.
    """
    if finding.fix is None:
        return finding.missing.startswith("drop it;")
    return not finding.fix.lines


def _at(finding: Finding) -> At:
    return finding.later.queue, finding.later.position


def is_synchronization(command: Command) -> bool:
    """Whether a packet of the stream does nothing but synchronize."""
    if isinstance(command, PipelinedEvent):
        return bool(command.operations)
    others = isinstance(command, Work | ContextWrite | Kickoff | Frame | Present)
    return not others and not command.foreign


def without_unknown(program: Program) -> Program:
    """The program as if the stages whose accesses it does not show accessed nothing."""
    return replace(
        program,
        queues=tuple(
            replace(
                queue,
                commands=tuple(
                    replace(one, unknown=()) if isinstance(one, Work) else one
                    for one in queue.commands
                ),
            )
            for queue in program.queues
        ),
    )


def _commands(program: Program) -> dict[At, Command]:
    return {
        (queue.name, position): command
        for queue in program.queues
        for position, command in enumerate(queue.commands)
    }
