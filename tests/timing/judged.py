"""Streams to judge plans by: transitions one behind the other, as drivers synchronize them.

The plan is the lightest by the table of costs, and beside it the one that is fastest in simulated
time (`plan/fastest.py`).

Each stream is made of the transitions of `tests/drivers/transitions.forms`, with sizes, costs and
independent works drawn by a seeded generator. It exists without synchronization, for `plan`, and
as each driver would send it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from fencepost.machine import find_machine
from fencepost.plan.costs import cost
from fencepost.plan.fastest import fastest
from fencepost.stream.command import Work, WorkKind
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.timing import Options, simulate
from tests.drivers.forms import BONAIRE, GUARANTEES, Case, Form, Transition, transitions
from tests.drivers.judge import hazards_of

DRIVERS = ("RADV", "radeonsi", "PAL")
PLAN, FASTEST = "plan", "fastest"
PLANS = (PLAN, FASTEST)
MACHINE = find_machine(BONAIRE)
LEVEL = GUARANTEES[BONAIRE]
HEAD = f"machine {BONAIRE}\nguarantees {LEVEL}\n"
STREAMS = 200

DURATIONS = (2_000, 8_000, 20_000, 60_000)
"""Cycles of a work; at 1.1 GHz 2 to 55 us."""

RESIDENCIES = (25, 50, 100)
SHAPES = ("8x8", "512x512", "1920x1080")
SIZES = ("256", "256K", "4M")
BETWEEN = ("draw cb0.write apart", "dispatch cs.buffer aside", "draw ps.texture aside2")
DECLARED = "color apart 512x512 rgba8\nbuffer aside 1M\nbuffer aside2 1M\n"

_DECLARATION = re.compile(r"(buffer|color|depth|label|gds)\s+(\S+)")


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to synchronize a stream: table cycles, simulated time and time that it adds."""

    name: str
    cycles: int
    time: int
    added: int


@dataclass(frozen=True, slots=True)
class Judged:
    """A stream and its variants; `bare`: its time without synchronization, in picoseconds.

    `transfers`: CP DMA is among its works.
    """

    name: str
    works: int
    bare: int
    transfers: bool
    variants: tuple[Variant, ...]

    def of(self, name: str) -> Variant | None:
        """The variant of that name, where it is clean."""
        return next((row for row in self.variants if row.name == name), None)

    @property
    def forms(self) -> list[Variant]:
        """Those that are no plans."""
        return [row for row in self.variants if row.name not in PLANS]

    @property
    def untimed(self) -> list[Variant]:
        """Those that were not chosen by simulation."""
        return [row for row in self.variants if row.name != FASTEST]


@cache
def clean_forms(name: str, reuse: bool) -> dict[str, Form]:
    """For each driver its first form of that transition that checks clean."""
    case = Case(BONAIRE, reuse)
    (transition,) = [row for row in transitions() if row.name == name]
    found: dict[str, Form] = {}
    for form in transition.forms:
        if form.driver in found or form.driver not in DRIVERS:
            continue
        if not hazards_of(transition.program(case, form)):
            found[form.driver] = form
    return found


def usable() -> list[Transition]:
    """Transitions of one queue for which every driver has, or can borrow, a clean form."""
    return [
        transition
        for transition in transitions()
        if not any("queue cpu" in line for line in transition.stream)
        and all(clean_forms(transition.name, reuse) for reuse in (False, True))
    ]


@dataclass(frozen=True, slots=True)
class Piece:
    """A transition within a stream, with its own names, sizes, costs and works between."""

    transition: Transition
    reuse: bool
    number: int
    shape: str
    size: str
    costs: tuple[str, ...]
    between: tuple[str, ...]

    def lines(self, driver: str) -> Iterator[str]:
        """Its lines; without synchronization if no driver is named."""
        form = None
        if driver:
            forms = clean_forms(self.transition.name, self.reuse)
            form = forms.get(driver) or next(iter(forms.values()))
        costs = iter(self.costs)
        for line, _ in self.transition.lines(Case(BONAIRE, self.reuse), form):
            if line.startswith(("machine", "guarantees", "queue")):
                continue
            yield self._line(line, costs)
            if line.split('"')[1:2] == ["producer"]:
                yield from self.between

    def _line(self, line: str, costs: Iterator[str]) -> str:
        line = re.sub(r"\b8x8\b", self.shape, line)
        line = re.sub(r"^(buffer\s+\S+\s+)256$", rf"\g<1>{self.size}", line)
        for name in self._names():
            word = rf"(?<![\w\".-]){re.escape(name)}(?![\w\"-])"
            line = re.sub(word, f"{name}{self.number}", line)
        return f"{line} @ {next(costs)}" if line.startswith(("draw", "dispatch")) else line

    def _names(self) -> list[str]:
        lines = (line.lstrip("+*").strip() for line in self.transition.stream)
        declared = [line for line in lines if _DECLARATION.match(line)]
        labels = [name for line in declared for name in re.findall(r"(\w+) = 0", line)]
        return [*dict.fromkeys([*(line.split()[1] for line in declared), *labels])]


def pieces(number: int) -> list[Piece]:
    """The transitions of a stream; the same for the same number."""
    choice = random.Random(f"stream {number}")
    rows = []
    for at in range(choice.randint(2, 4)):
        costs = tuple(
            f"cycles={choice.choice(DURATIONS)} residency={choice.choice(RESIDENCIES)}%"
            for _ in range(12)
        )
        between = tuple(
            f"{choice.choice(BETWEEN)} @ cycles={choice.choice(DURATIONS)} residency=50%"
            for _ in range(choice.randint(0, 3))
        )
        reuse = choice.random() < 0.5
        shape, size = choice.choice(SHAPES), choice.choice(SIZES)
        rows.append(Piece(choice.choice(usable()), reuse, at, shape, size, costs, between))
    return rows


def program(rows: list[Piece], driver: str) -> Program:
    """The stream as that driver sends it; without synchronization if none is named."""
    lines = [line for row in rows for line in row.lines(driver)]
    declared = [line for line in lines if _DECLARATION.match(line)]
    commands = [line for line in lines if not _DECLARATION.match(line)]
    text = "\n".join([*declared, "queue gfx: graphics", *commands])
    return parse_text(f"{HEAD}{DECLARED}{text}\n", "stream.fence")


def simulated(stream: Program) -> int:
    """Its time in picoseconds."""
    return simulate(stream, Options(guarantees=LEVEL), MACHINE).totals.time


def judged(name: str, bare: Program, forms: dict[str, Program]) -> Judged:
    """All variants of a stream that check clean, and the plans."""
    time = simulated(bare)
    found = fastest(bare, MACHINE, LEVEL)
    ways = {PLAN: found.lightest.program, FASTEST: found.plan.program, **forms}
    rows = []
    for way, stream in ways.items():
        if hazards_of(stream):
            continue
        took = simulated(stream)
        rows.append(Variant(way, cost(stream, MACHINE), took, took - time))
    works = [command for command in bare.queues[0].commands if isinstance(command, Work)]
    transfers = any(work.kind is WorkKind.DMA for work in works)
    return Judged(name, len(works), time, transfers, tuple(rows))


def random_stream(number: int) -> Judged:
    """One of the 200 streams."""
    rows = pieces(number)
    forms = {driver: program(rows, driver) for driver in DRIVERS}
    return judged(f"stream {number}", program(rows, ""), forms)


def transition_streams() -> Iterator[Judged]:
    """Each transition alone, with every form that checks clean."""
    for transition in transitions():
        if any("queue cpu" in line for line in transition.stream):
            continue
        for reuse in (False, True):
            case = Case(BONAIRE, reuse)
            forms = {form.title: transition.program(case, form) for form in transition.forms}
            bare = transition.program(case, None)
            yield judged(f"{transition.name}, {case.use}", bare, forms)
