"""Transitions as drivers synchronize them: transitions.forms, which says how it is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from fencepost.stream.program import Program
from fencepost.stream.text import parse_text

FILE = Path(__file__).with_name("transitions.forms")
BONAIRE, XBOX = "gcn2-bonaire", "xbox-one"
GUARANTEES = {BONAIRE: "strict", XBOX: "documented"}
SLOT = "..."


class DriverForm(NamedTuple):
    """One way to synchronize a transition, as programs."""

    name: str
    transition: str
    driver: str
    program_without_synchronization: Program
    synchronized_program: Program


@dataclass(frozen=True, slots=True)
class Case:
    """A machine, and whether the resource is used again."""

    machine: str
    reuse: bool

    @property
    def use(self) -> str:
        """For people."""
        return "reuse" if self.reuse else "first use"

    def __str__(self) -> str:
        return f"{self.machine}-{self.use}"


CASES = (Case(BONAIRE, False), Case(BONAIRE, True), Case(XBOX, False), Case(XBOX, True))
"""In the order of a form's verdicts."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form as written: the lines of each slot, and the verdict of each case."""

    driver: str
    method: str
    verdicts: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    @property
    def title(self) -> str:
        """Driver and method."""
        return f"{self.driver}, {self.method}" if self.method else self.driver

    @property
    def cases(self) -> tuple[tuple[Case, str], ...]:
        """The cases that the form has a verdict for."""
        return tuple(zip(CASES, self.verdicts, strict=False))


@dataclass(frozen=True, slots=True)
class Transition:
    """A section: its header, the stream with its slots, its forms."""

    name: str
    header: dict[str, str]
    stream: tuple[str, ...]
    forms: tuple[Form, ...]

    def text(self, case: Case, form: Form | None) -> str:
        """The stream with the lines of a form; None: without any synchronization."""
        return "\n".join(line for line, _ in self.lines(case, form)) + "\n"

    def lines(self, case: Case, form: Form | None) -> Iterator[tuple[str, bool]]:
        """Each line of the stream, and whether it is the form's."""
        yield f"machine {case.machine}", False
        yield f"guarantees {GUARANTEES[case.machine]}", False
        slots = sum(_bare(line) == SLOT for line in self.stream)
        fill = form.lines if form else ()
        waiting = [*[()] * (slots - len(fill)), *fill]
        for line in self.stream:
            own = _bare(line) == SLOT
            inserted = waiting.pop(0) if own else (_bare(line),)
            if _stands(line[:1], case.reuse, form is not None):
                yield from ((text, own) for text in inserted)

    def program(self, case: Case, form: Form | None) -> Program:
        """The same, as a program."""
        return parse_text(self.text(case, form), f"{self.name}.fence")


def _bare(line: str) -> str:
    return line.lstrip("+*").strip()


def _stands(mark: str, reuse: bool, synchronized: bool) -> bool:
    """Does a line with that mark belong to the stream?"""
    return (reuse and (mark == "+" or synchronized)) if mark in ("+", "*") else True


def driver_forms(machine: str = BONAIRE) -> list[DriverForm]:
    """Every form of every transition that is stated for that machine, first use and reuse."""
    return [
        DriverForm(
            f"{transition.name}, {case.use}: {form.title}",
            f"{transition.name}, {case.use}",
            form.driver,
            transition.program(case, None),
            transition.program(case, form),
        )
        for transition in transitions()
        for form in transition.forms
        for case, _ in form.cases
        if case.machine == machine
    ]


def transitions() -> list[Transition]:
    """All transitions, in the order of the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("== ")]
    ends = [*starts[1:], len(lines)]
    return [_transition(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _transition(lines: list[str]) -> Transition:
    header = lines.index("")
    first = next(number for number, line in enumerate(lines) if line.startswith("-- "))
    pairs = [line.partition(": ") for line in lines[1:header]]
    return Transition(
        name=lines[0].removeprefix("== "),
        header={key: value for key, _, value in pairs},
        stream=tuple(line for line in lines[header:first] if line),
        forms=tuple(_forms(lines[first:])),
    )


def _forms(lines: list[str]) -> Iterator[Form]:
    starts = [number for number, line in enumerate(lines) if line.startswith("-- ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        title, *verdicts = (word.strip() for word in lines[start][3:].split("|"))
        driver, _, method = title.partition(", ")
        slots: list[tuple[str, ...]] = [()]
        for line in lines[start + 1 : end]:
            if line == SLOT:
                slots.append(())
            elif line:
                slots[-1] += (line,)
        yield Form(driver, method, tuple(verdicts), tuple(slots))
