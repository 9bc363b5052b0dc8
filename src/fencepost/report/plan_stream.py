"""A planned program as `.fence` text: the text that it was read from, changed, or a new one.

Every inserted line says in a comment what it is for, and keeps the comment of a line that it stands
in for. Of the text everything else stays as it was; only synchronization that the plan does without
goes, with the comment on its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from fencepost.machine.profiles import find_machine
from fencepost.plan.pieces import Woven
from fencepost.report.source import code_region
from fencepost.stream.command import Command, EndOfPipe, EndOfShader, PipelinedEvent, SetLabel
from fencepost.stream.program import Program, Queue
from fencepost.stream.resource import Resource
from fencepost.stream.text import format_program
from fencepost.stream.text.columns import INDENT, lay_out
from fencepost.stream.text.declarations import DECLARATIONS
from fencepost.stream.text.lexer import comment_of, tokens_of
from fencepost.stream.text.print_commands import CommandPrinter
from fencepost.stream.text.spelling import name_text, number_text

Comments = Mapping[tuple[int, int], str]
"""What each inserted command is for, by queue and position in the planned program."""

Added = tuple[Command, str]
"""An inserted command and its comment."""

BEHIND = (PipelinedEvent, EndOfPipe, EndOfShader, SetLabel)
"""Commands that belong to the work in front of them."""


def listing(woven: Woven, comments: Comments) -> str:
    """A new text of the planned program."""
    lines = format_program(woven.program).splitlines()
    for command, at in _command_lines(lines):
        if comments.get(command):
            lines[at] += f"  # {comments[command]}"
    return lay_out("\n".join(lines))


def _command_lines(lines: Sequence[str]) -> Iterator[tuple[tuple[int, int], int]]:
    """For each command of a printed program its queue and position, and its line."""
    queue, position = -1, 0
    for at, line in enumerate(lines):
        word = line.split(maxsplit=1)[0] if line.strip() else ""
        if word == "queue":
            queue, position = queue + 1, 0
        elif queue >= 0 and word not in ("", "allow"):
            yield (queue, position), at
            position += 1


def changed_text(text: str, before: Program, woven: Woven, comments: Comments) -> str:
    """The text of `before` with what the plan changes in it.

    Where the text was laid out and a line went without another in its place, it is laid out again.
    """
    patch = _Patch(text, before, woven, comments)
    changed = patch.text()
    replaced = sum(one is not None and one.replaces for row in woven.pieces for one in row)
    fewer = len(patch.gone) > replaced
    return lay_out(changed) if fewer and lay_out(patch.source) == patch.source else changed


class _Patch:
    """What happens to the lines of a text, by their numbers from 1."""

    def __init__(self, text: str, before: Program, woven: Woven, comments: Comments) -> None:
        self.lines = ["", *(line.removesuffix("\r") for line in text.split("\n"))]
        self.source = "\n".join(self.lines[1:])
        self.before = before
        self.woven = woven
        self.comments = comments
        self.machine = find_machine(before.machine)
        self.above: dict[int, list[str]] = {}
        self.below: dict[int, list[str]] = {}
        self.gone: set[int] = set()
        for number in range(len(before.queues)):
            self._queue(number)
        self._declare()

    def text(self) -> str:
        """The changed text."""
        if not (self.above or self.below or self.gone):
            return self.source
        out: list[str] = []
        for number, line in enumerate(self.lines):
            out += self.above.get(number, [])
            if number and number not in self.gone:
                out.append(line)
            out += self.below.get(number, [])
        return "\n".join(out).rstrip("\n") + "\n"

    # -- one queue

    def _queue(self, number: int) -> None:
        queue = self.before.queues[number]
        waiting: list[Added] = []
        last, kept = queue.place.line, set[int]()
        for position, command in enumerate(self.woven.program.queues[number].commands):
            piece = self.woven.pieces[number][position]
            if piece is not None:
                said = [self.comments.get((number, position), "")]
                if piece.replaces:
                    said.insert(0, comment_of(self.lines[command.place.line]))
                waiting.append((command, "; ".join(filter(None, said))))
                continue
            line = command.place.line
            self._insert(queue, waiting, last if kept else 0, line)
            waiting, last = [], line
            kept.add(line)
            self._keep(queue, command)
        self._insert(queue, waiting, last, 0)
        self._drop(queue, kept)

    def _insert(self, queue: Queue, added: list[Added], last: int, following: int) -> None:
        """Commands between two lines: what belongs to the work before stands right behind it."""
        behind = list(takewhile(lambda row: isinstance(row[0], BEHIND), added)) if last else []
        rest = added[len(behind) :]
        if not following:
            behind, rest = added, []
        if behind:
            self.below.setdefault(last, []).extend(self._printed(queue, behind, last))
        if rest:
            top = self._top(following)
            self.above.setdefault(top, []).extend(self._printed(queue, rest, following))

    def _printed(self, queue: Queue, added: list[Added], beside: int) -> list[str]:
        """Lines indented like the command beside them, or as under the header of a queue."""
        line = self.lines[beside]
        indent = line[: len(line) - len(line.lstrip())]
        if beside == queue.place.line:
            indent += INDENT
        printer = CommandPrinter(self.machine, queue.kind)
        return [
            f"{indent}{printer.line(command)}" + (f"  # {comment}" if comment else "")
            for command, comment in added
        ]

    def _top(self, number: int) -> int:
        """The first of the lines above a command that speak of it: comments, `allow`."""
        top = min([number, *self._allowing(number)])
        while self.lines[top - 1].lstrip().startswith("#"):
            top -= 1
        return top

    def _allowing(self, number: int) -> list[int]:
        return [
            row.place.line
            for row in self.before.suppressions
            if row.line == number and row.place.file == row.file
        ]

    def _keep(self, queue: Queue, command: Command) -> None:
        """The line of a command that is still there, printed anew where the command changed."""
        number = command.place.line
        old = next(row for row in queue.commands if row.place.line == number)
        if old != command:
            line = self.lines[number]
            region = code_region(line, command.place.column - 1)
            code = CommandPrinter(self.machine, queue.kind).line(command)
            self.gone.add(number)
            self.above.setdefault(number, []).append(
                line[: region.start] + code + line[region.end :]
            )

    def _drop(self, queue: Queue, kept: set[int]) -> None:
        for command in queue.commands:
            number = command.place.line
            if number not in kept:
                self.gone |= {number, *self._allowing(number)}

    # -- labels

    def _declare(self) -> None:
        """New labels behind the declarations; at an address of their own where more follow."""
        known = {item.name for item in self.before.resources}
        labels = [item for item in self.woven.program.resources if item.name not in known]
        if not labels:
            return
        declared = [at for at, line in enumerate(self.lines) if _word(line) in DECLARATIONS]
        first = min(queue.place.line for queue in self.before.queues)
        ahead = [at for at in declared if at < first]
        more = len(ahead) < len(declared)
        lines = [_declaration(label, more) for label in labels]
        if ahead:
            self.below.setdefault(ahead[-1], []).extend(lines)
        else:
            self.above.setdefault(self._top(first), []).extend([*lines, ""])


def _word(line: str) -> str:
    tokens = tokens_of(line)
    return tokens[0] if tokens else ""


def _declaration(label: Resource, placed: bool) -> str:
    line = f"label {name_text(label.name)} = {number_text(label.value)}"
    return f"{line} at {label.main.start:#x}" if placed else line
