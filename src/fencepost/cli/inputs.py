"""Inputs of every form: what a file is, and the program that it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from fencepost.errors import FencepostError, Problems, UsageProblem
from fencepost.report.source import Sources
from fencepost.stream.program import Program
from fencepost.stream.reading import (
    form_of_name,
    form_of_text,
    name_of,
    read_source,
    read_text,
)

Result = TypeVar("Result")

HEAD = 1 << 16
"""Characters that are enough to tell the forms apart."""


class Form(StrEnum):
    """The forms of a stream."""

    TEXT = "text"
    JSONL = "jsonl"
    PM4 = "pm4"


@dataclass(frozen=True, slots=True)
class Input:
    """A program, the form that it was read from, and its text where it has one."""

    program: Program
    form: Form
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """How inputs are read: the machine that was asked for, and the annotations of a capture."""

    machine: str = ""
    annotations: str = ""


def read_inputs(names: Sequence[str], reading: Reading) -> list[Input]:
    """All inputs, each once; raises `Problems` that name what is wrong in every one of them."""
    return for_each(names, lambda name: read_input(name, reading))


def for_each(names: Iterable[str], work: Callable[[str], Result]) -> list[Result]:
    """What `work` makes of each name, given once; raises `Problems` with all that went wrong."""
    found: list[Result] = []
    problems: list[FencepostError] = []
    for name in dict.fromkeys(names):
        try:
            found.append(work(name))
        except Problems as several:
            problems += several.problems
        except FencepostError as error:
            problems.append(error)
    if problems:
        raise Problems(problems)
    return found


def read_input(name: str, reading: Reading = Reading()) -> Input:
    """One input, `-` for standard input; raises `FencepostError` for what is none."""
    file = printable(name_of(name))
    text = read_text(name)
    form = form_of(text, name)
    if reading.annotations and form is not Form.PM4:
        raise UsageProblem(
            f"{file} is no capture: --annotations says nothing about it", expected="a PM4 capture"
        )
    if form is Form.PM4:
        return Input(_translated(text, file, reading), form, "")
    return Input(_on_machine(read_source(text, file, form), reading), form, text)


def form_of(text: str, name: str) -> Form:
    """Which form an input has: by the end of its name, else by how it starts."""
    if form_of_name(name):
        return Form(form_of_name(name))
    from fencepost.capture.pm4.carriers import is_pm4  # noqa: PLC0415

    if is_pm4(text[:HEAD]):
        return Form.PM4
    return Form(form_of_text(text))


def printable(name: str) -> str:
    """A file's name without the bytes that are no text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _on_machine(program: Program, reading: Reading) -> Program:
    """The program on the machine that was asked for, where that can run it."""
    if reading.machine in ("", program.machine):
        return program
    from fencepost.stream.legality import require_legal  # noqa: PLC0415

    return require_legal(replace(program, machine=reading.machine))


def _translated(text: str, file: str, reading: Reading) -> Program:
    """The program of a capture, with what the annotations say of its shaders."""
    from fencepost.capture.pm4 import DEFAULT_MACHINE, read_capture, translate  # noqa: PLC0415

    capture = read_capture(text, file)
    machine, annotations = reading.machine or DEFAULT_MACHINE, reading.annotations
    if not annotations:
        return translate([capture], machine)
    return translate([capture], machine, read_text(annotations), printable(annotations))


def sources_of(inputs: Iterable[Input]) -> Sources:
    """The texts of the inputs, for reports that show lines."""
    items = [item for item in inputs if item.text]
    return Sources(
        {item.program.file: item.text for item in items},
        frozenset(item.program.file for item in items if item.form is Form.TEXT),
    )
