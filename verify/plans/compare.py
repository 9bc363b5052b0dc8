"""Programs of two and three works, and their plans side by side with brute force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fencepost.machine import find_machine
from fencepost.machine.tables import Machine
from fencepost.plan.planning import plan
from fencepost.stream.program import Program
from fencepost.stream.text.parser import parse_text
from fencepost.stream.text.printer import format_program
from verify.plans.force import BruteForce

RESOURCES = """
buffer abuffer 64 at 0x1000
color  acolor  64 at 0x1000
depth  adepth  64 at 0x1000
buffer bbuffer 64 at 0x2000
color  bcolor  64 at 0x2000
depth  bdepth  64 at 0x2000
"""

WORKS = (
    "draw vs.texture {}buffer",
    "draw ps.texture {}buffer",
    "dispatch cs.texture {}buffer",
    "draw ps.uav-write {}buffer",
    "dispatch cs.uav-write {}buffer",
    "dispatch cs.uav-read {}buffer",
    "dispatch cs.atomic {}buffer",
    "draw ps.constant {}buffer",
    "dispatch cs.constant {}buffer",
    "draw cb0.write {}color",
    "draw cb0.blend {}color",
    "draw db.test {}depth",
    "draw db.write {}depth",
    "draw pfp.index {}buffer",
    "draw pfp.args {}buffer",
    "dispatch pfp.args {}buffer",
)
"""The alphabet, on one of two resources, each of which is a buffer, a color and a depth target."""

FIRST = tuple(work.format("a") for work in WORKS)
LATER = (*FIRST, *(work.format("b") for work in WORKS))
"""What comes first is on the first resource: the other way round is the same with other names."""

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """A machine and the level that plans are asked for."""

    machine: Machine
    guarantees: str

    @property
    def name(self) -> str:
        """As people write it."""
        return f"{self.machine.name} {self.guarantees}"


SETTINGS = (
    Setting(find_machine("xbox-one"), "documented"),
    Setting(find_machine("xbox-one"), "strict"),
    Setting(find_machine("gcn2-bonaire"), "strict"),
)


@dataclass(slots=True)
class Result:
    """Programs whose plan was compared, prefixes that brute force looked at, what was cheaper."""

    programs: int = 0
    prefixes: int = 0
    worse: list[str] = field(default_factory=list)

    def add(self, other: Result) -> None:
        """Add another one."""
        self.programs += other.programs
        self.prefixes += other.prefixes
        self.worse = sorted([*self.worse, *other.worse], key=len)[:5]


def program_of(words: Sequence[str], machine: str) -> Program:
    """One graphics queue of these works."""
    lines = "\n".join(words)
    return parse_text(f"machine {machine}\n{RESOURCES}\nqueue gfx: graphics\n{lines}\n")


def compare(setting: Setting, words: Sequence[str], *, plain: bool = False) -> Result:
    """Is there anything cheaper than the plan?"""
    program = program_of(words, setting.machine.name)
    planned = plan(program, setting.machine, setting.guarantees)
    force = BruteForce(program, setting.machine, setting.guarantees, plain=plain)
    answer = force.cheaper_than(planned.cycles)
    worse = []
    if answer.program is not None:
        worse.append(
            f"# {setting.name}: {answer.cycles} cycles, the plan costs {planned.cycles}\n"
            f"{format_program(answer.program)}\n# the plan\n{format_program(planned.program)}"
        )
    return Result(1, answer.prefixes, worse)
