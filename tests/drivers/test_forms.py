"""Every transition as seed, RADV, radeonsi and PAL synchronize it: verdict, witness, form."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from fencepost.stream.command import Command, EndOfPipe, Kickoff, WaitMemory, Work
from fencepost.stream.program import Program
from tests.drivers.forms import (
    BONAIRE,
    CASES,
    XBOX,
    Case,
    Form,
    Transition,
    driver_forms,
    transitions,
)
from tests.drivers.judge import CLEAN, explored_clean, hazards_of, verdict_of
from tests.drivers.rows import DATA, read_rows

TRANSITIONS = transitions()
STATED = [
    pytest.param(
        transition,
        form,
        case,
        verdict,
        id=f"{transition.name}-{form.title}-{case.machine}-{case.use}",
    )
    for transition in TRANSITIONS
    for form in transition.forms
    for case, verdict in form.cases
]
IN_ORDER = {
    ("cpu-to-shader", BONAIRE, False): "the start of a command buffer flushes",
    ("cpu-to-shader", BONAIRE, True): "the start of a command buffer flushes",
    ("cpu-to-shader", XBOX, False): "no cache holds a line of the buffer yet",
}
"""Streams that need no synchronization."""


@pytest.mark.parametrize(("transition", "form", "case", "verdict"), STATED)
def test_the_verdict_is_the_stated_one(
    transition: Transition, form: Form, case: Case, verdict: str
) -> None:
    assert verdict_of(transition.program(case, form)) == verdict


@pytest.mark.parametrize(("transition", "form", "case", "verdict"), STATED)
def test_the_explorer_agrees(transition: Transition, form: Form, case: Case, verdict: str) -> None:
    assert explored_clean(transition.program(case, form)) is (verdict == CLEAN)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("transition", TRANSITIONS, ids=lambda transition: transition.name)
def test_a_transition_needs_synchronization(transition: Transition, case: Case) -> None:
    free = (transition.name, case.machine, case.reuse) in IN_ORDER
    assert bool(hazards_of(transition.program(case, None))) is not free


def works(program: Program) -> list[list[tuple[object, ...]]]:
    """What the queues of a program do, without places and synchronization."""
    return [
        [
            (command.name, command.accesses if isinstance(command, Work) else command.queue)
            for command in queue.commands
            if isinstance(command, Work | Kickoff)
        ]
        for queue in program.queues
    ]


def test_forms_add_synchronization_alone() -> None:
    for form in driver_forms():
        bare, whole = form.program_without_synchronization, form.synchronized_program
        assert works(bare) == works(whole), form.name
        assert bare.resources == whole.resources, form.name
        assert not synchronization(bare), form.name


def synchronization(program: Program) -> list[Command]:
    """Commands that are neither work nor an order between queues."""
    return [
        command
        for queue in program.queues
        for command in queue.commands
        if not isinstance(command, Work | Kickoff)
        and not (len(program.queues) > 1 and isinstance(command, EndOfPipe | WaitMemory))
    ]


def test_every_transition_of_the_table_has_its_forms() -> None:
    titles = [transition.header["title"].split(",")[0] for transition in TRANSITIONS]
    assert len(set(titles)) == 12
    for title in titles:
        drivers = {
            form.driver
            for transition in TRANSITIONS
            if transition.header["title"].split(",")[0] == title
            for form in transition.forms
        }
        assert drivers == {"seed", "RADV", "radeonsi", "PAL"}, title


def test_names_are_unique() -> None:
    names = [form.name for form in driver_forms()]
    assert len(set(names)) == len(names) > 100
    assert len(driver_forms(XBOX)) < len(names)


def rows_named(transition: Transition) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of RADV's row, and the lines that the transition states for it."""
    (form,) = (form for form in transition.forms if form.driver == "RADV")
    if "leaves" in transition.header:
        yield transition.header["leaves"], form.lines[0]
    if "RADV" in transition.header:
        yield transition.header["RADV"], form.lines[-1]


@pytest.mark.skipif(not DATA, reason="FENCEPOST_DATA is not set")
def test_the_forms_of_radv_are_its_packets() -> None:
    rows = {f"{row.source} -> {row.destination}": row.lines for row in read_rows()}
    stated = [pair for t in TRANSITIONS if "RADV" in t.header for pair in rows_named(t)]
    assert len(stated) == 12
    for words, lines in stated:
        ours = [line for line in lines if line != "dma wait"]  # CP_SYNC of the copy itself
        theirs = list(rows[words])
        assert ours == theirs or ours == without_events(theirs), words


def without_events(lines: list[str]) -> list[str]:
    """RADV's rows flush metadata that the target may not have."""
    return [line for line in lines if not re.match(r"event [cd]b.metadata", line)]
