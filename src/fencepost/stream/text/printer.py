"""A program to `.fence` text."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.errors import ProgramProblem
from fencepost.machine import find_machine
from fencepost.stream.accepted import Accepted
from fencepost.stream.program import Program, Queue, Suppression
from fencepost.stream.text.columns import lay_out
from fencepost.stream.text.lexer import quote
from fencepost.stream.text.print_commands import CommandPrinter
from fencepost.stream.text.print_resources import ResourcePrinter
from fencepost.stream.text.spelling import NO_WORDS, name_text


def format_program(program: Program) -> str:
    """The program as laid out text; `parse_text` makes an equal program of it, places aside.

    Raises `ProgramProblem` for what no text says: repeated frames, a suppression of no command.
    """
    if program.frames != 1:
        raise ProgramProblem(f"{program.frames} repeated frames have no text form")
    return lay_out("\n".join(_lines(program)))


def _lines(program: Program) -> Iterator[str]:
    accepted = Accepted(program.suppressions)
    yield f"machine {program.machine}"
    if program.guarantees:
        yield f"guarantees {program.guarantees}"
    yield from map(_allow, accepted.everywhere)
    printer = ResourcePrinter()
    yield from map(printer.line, program.resources)
    for queue in program.queues:
        yield ""
        yield from _queue(program, queue, accepted)
    accepted.finish()


def _queue(program: Program, queue: Queue, accepted: Accepted) -> Iterator[str]:
    printer = CommandPrinter(find_machine(program.machine), queue.kind)
    yield f"queue {name_text(queue.name, NO_WORDS)}: {queue.kind}"
    for command in queue.commands:
        yield from map(_allow, accepted.at(command.place))
        yield printer.line(command)


def _allow(suppression: Suppression) -> str:
    return f"allow {suppression.rule} {quote(suppression.reason)}"
