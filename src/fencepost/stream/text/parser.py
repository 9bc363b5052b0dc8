"""Lines to a program: sections, suppressions, recovery after a wrong line."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.errors import FencepostError, Problems, ProgramProblem, SyntaxProblem
from fencepost.place import Place
from fencepost.stream.assembly import Assembly, located
from fencepost.stream.command import Command
from fencepost.stream.layout import Declaration
from fencepost.stream.legality import check_legality
from fencepost.stream.limits import LONGEST_LINE, MOST_PROBLEMS
from fencepost.stream.program import Program, QueueKind, Suppression
from fencepost.stream.text.declarations import DECLARATIONS
from fencepost.stream.text.lexer import END, Cursor, shown, tokens_of
from fencepost.stream.text.references import Scope, Skip, one_of, parse_queue_name, parse_title
from fencepost.stream.text.synchronization import SYNCHRONIZATION
from fencepost.stream.text.work import parse_work
from fencepost.stream.verbs import VERBS
from fencepost.stream.words import PLAIN, hint

WORK = frozenset({*VERBS, "write-combined"})
HEADER = ("machine", "guarantees", "queue", "allow")
STATEMENTS = (*HEADER, *DECLARATIONS, *sorted(WORK), *SYNCHRONIZATION)
DEFAULT_MACHINE = "xbox-one"


def parse_text(text: str, file: str = "<text>") -> Program:
    """The program of a `.fence` text (docs/fence-format.md); raises `Problems`."""
    parser = Parser(file)
    for number, line in enumerate(lines_of(text), 1):
        parser.line(line, number)
        if len(parser.problems) >= MOST_PROBLEMS:
            break
    return parser.program()


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text, with either line end."""
    start = 0
    while True:
        end = text.find("\n", start)
        if end < 0:
            yield text[start:].removesuffix("\r")
            return
        yield text[start:end].removesuffix("\r")
        start = end + 1


class Parser:
    """Takes line after line; a wrong line is noted and left out."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[FencepostError] = []
        self.scope: Scope | None = None
        self.commands: list[Command] | None = None
        self.pending: list[tuple[str, str, Place]] = []

    def line(self, line: str, number: int) -> None:
        """One line of the text."""
        if len(line) > LONGEST_LINE:
            place = Place(self.file, number)
            self.problems.append(
                SyntaxProblem(f"a line of {len(line)} characters", place, f"at most {LONGEST_LINE}")
            )
            return
        tokens = tokens_of(line)
        if not tokens:
            return
        cursor = Cursor(line, tokens, self.file, number)
        try:
            self._statement(cursor)
        except Skip:
            pass
        except FencepostError as error:
            self.problems.append(located(error, cursor.place(0)))

    def _statement(self, cursor: Cursor) -> None:
        word = cursor.take()
        if word == "machine":
            self._machine(cursor)
            return
        scope = self._scope(cursor)
        place = Place(self.file, cursor.number, len(cursor.line) - len(cursor.line.lstrip()) + 1)
        parse = SYNCHRONIZATION.get(word)
        if parse is not None:
            self._append(cursor, parse(cursor, scope, parse_title(cursor), place))
        elif word in WORK:
            self._append(cursor, parse_work(cursor, scope, word, parse_title(cursor), place))
        elif word in DECLARATIONS:
            self._declare(cursor, scope, word)
        elif word == "queue":
            self._queue(cursor, scope, place)
        elif word == "allow":
            self._allow(cursor, place)
        elif word == "guarantees":
            self._guarantees(cursor, scope)
        else:
            raise SyntaxProblem(
                f"no statement {shown(word)}{hint(word, STATEMENTS)}",
                cursor.place(0),
                "a declaration, 'queue' or a command",
            )

    def _scope(self, cursor: Cursor) -> Scope:
        """The scope; without a machine line that is noted once and a machine assumed."""
        if self.scope is None:
            self.problems.append(
                SyntaxProblem("no machine yet", cursor.place(0), "'machine NAME' before all else")
            )
            self.scope = Scope(Assembly(DEFAULT_MACHINE, file=self.file))
        return self.scope

    def _machine(self, cursor: Cursor) -> None:
        name = cursor.word("the name of a machine")
        if self.scope is not None:
            raise ProgramProblem("a second machine", cursor.place(0), "one, before all else")
        try:
            self.scope = Scope(Assembly(name, file=self.file))
        except FencepostError as error:
            self.scope = Scope(Assembly(DEFAULT_MACHINE, file=self.file))
            raise located(error, cursor.place(1)) from None
        cursor.finish()

    def _guarantees(self, cursor: Cursor, scope: Scope) -> None:
        if scope.assembly.guarantees:
            raise ProgramProblem("a second guarantees line", cursor.place(0), "one")
        scope.assembly.guarantees = one_of(cursor, ("documented", "strict"))
        cursor.finish()

    def _declare(self, cursor: Cursor, scope: Scope, word: str) -> None:
        kind, parse = DECLARATIONS[word]
        try:
            for declaration in parse(cursor, scope, kind):
                self._declare_one(scope, declaration)
            cursor.finish()
        except FencepostError:
            scope.broken.update(token for token in cursor.tokens[1:] if PLAIN.fullmatch(token))
            scope.broken.difference_update(scope.assembly.resources)
            raise

    def _declare_one(self, scope: Scope, declaration: Declaration) -> None:
        try:
            scope.assembly.declare(declaration)
        except FencepostError as error:
            raise located(error, declaration.place) from None

    def _queue(self, cursor: Cursor, scope: Scope, place: Place) -> None:
        """`queue NAME: KIND`; without a kind an earlier queue goes on."""
        self._nothing_pending()
        before = cursor.index
        name = parse_queue_name(cursor)
        known = scope.assembly.queues.get(name)
        if known is not None and cursor.peek() is END:
            scope.kind, self.commands = known[0], known[1]
            return
        self.commands = []
        cursor.expect(":")
        scope.kind = QueueKind(one_of(cursor, tuple(str(kind) for kind in QueueKind)))
        try:
            self.commands = scope.assembly.open(name, scope.kind, place)
        except FencepostError as error:
            raise located(error, cursor.place(before)) from None
        cursor.finish()

    def _allow(self, cursor: Cursor, place: Place) -> None:
        """`allow RULE "REASON"`: for the next command; before any queue: for the whole file."""
        rule = cursor.word("the id of a rule")
        reason = parse_title(cursor)
        if not reason:
            raise cursor.unexpected('a reason, like "cleared on the CPU"')
        cursor.finish()
        if self.commands is not None:
            self.pending.append((rule, reason, place))
        elif self.scope is not None:
            self.scope.assembly.suppressions.append(Suppression(rule, self.file, 0, reason, place))

    def _append(self, cursor: Cursor, command: Command) -> None:
        cursor.finish()
        if self.commands is None:
            raise SyntaxProblem("a command outside a queue", cursor.place(0), "'queue NAME: KIND'")
        self.commands.append(command)
        if self.pending and self.scope is not None:
            self.scope.assembly.suppressions += (
                Suppression(rule, self.file, command.place.line, reason, place)
                for rule, reason, place in self.pending
            )
            self.pending = []

    def _nothing_pending(self) -> None:
        for rule, _, place in self.pending:
            self.problems.append(
                ProgramProblem(f"'allow {rule}' is followed by no command", place, "a command")
            )
        self.pending = []

    def program(self) -> Program:
        """The program; raises `Problems` if anything was wrong."""
        self._nothing_pending()
        if self.scope is None and not self.problems:
            self.problems.append(
                SyntaxProblem("an empty stream", Place(self.file, 1), "'machine NAME'")
            )
        if self.scope is None:
            raise Problems(self.problems)
        program = self.scope.assembly.program()
        problems = sorted([*self.problems, *check_legality(program)], key=_line)
        if problems:
            raise Problems(problems[:MOST_PROBLEMS])
        return program


def _line(problem: FencepostError) -> int:
    return problem.place.line if problem.place else 0
