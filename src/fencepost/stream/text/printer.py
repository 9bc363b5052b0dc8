"""A program to `.fence` text."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.errors import ProgramProblem
from fencepost.machine import find_machine
from fencepost.place import Place
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


class Accepted:
    """The suppressions of a program, by the commands that they are about."""

    def __init__(self, suppressions: tuple[Suppression, ...]) -> None:
        self.everywhere = [row for row in suppressions if not row.line]
        self._at: dict[tuple[str, int], list[Suppression]] = {}
        for row in suppressions:
            if row.line:
                self._at.setdefault((row.file, row.line), []).append(row)
        self._used: set[Suppression] = set()

    def at(self, place: Place) -> list[Suppression]:
        """Those of the command at that place."""
        rows = self._at.get((place.file, place.line), ())
        found = [row for row in rows if row.offset in (None, place.offset)]
        self._used.update(found)
        return found

    def finish(self) -> None:
        """Raises `ProgramProblem` for one that no command asked for."""
        for rows in self._at.values():
            for row in rows:
                if row not in self._used:
                    raise ProgramProblem(f"'{row.rule}' is accepted where no command is", row.place)
