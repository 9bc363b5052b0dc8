"""Programs as JSON Lines: one record a line, the first says format and version."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec

from fencepost.errors import FencepostError, Problems, ProgramProblem, SyntaxProblem
from fencepost.place import Place
from fencepost.stream import records
from fencepost.stream.assembly import Assembly, located
from fencepost.stream.from_records import Scene, command_of, declaration_of
from fencepost.stream.legality import check_legality
from fencepost.stream.limits import LONGEST_LINE, MOST_PROBLEMS
from fencepost.stream.program import Program, QueueKind, Suppression
from fencepost.stream.to_records import program_records
from fencepost.stream.words import hint

SCHEMA_FILE = Path(__file__).with_name("jsonl.schema.json")
"""The published schema of one line."""

_HEADER = msgspec.json.Decoder(records.Header)
_RECORD: msgspec.json.Decoder[records.AnyRecord] = msgspec.json.Decoder(records.AnyRecord)
_FIRST = '{"format": "fencepost.stream", "version": 1, "machine": ...} as the first line'


def read_jsonl(source: str | Iterable[str], file: str = "<jsonl>") -> Program:
    """The program of a text, or of lines; raises `Problems` (docs/jsonl-format.md)."""
    lines = source.split("\n") if isinstance(source, str) else source
    reader = _Reader(file)
    for number, line in enumerate(lines, 1):
        reader.line(line, number)
        if len(reader.problems) >= MOST_PROBLEMS or reader.stopped:
            break
    return reader.program()


def write_jsonl(program: Program) -> str:
    """The program as JSON Lines; `read_jsonl` makes an equal program of it, places aside.

    Raises `ProgramProblem` for what no record says: repeated frames, a suppression of no command.
    """
    encoder = msgspec.json.Encoder()
    lines = [encoder.encode(record).decode("utf-8") for record in program_records(program)]
    return "\n".join(lines) + "\n"


def json_schema() -> str:
    """The schema of one line, made from `records`; `jsonl.schema.json` holds the same."""
    (header, record), definitions = msgspec.json.schema_components(
        [records.Header, records.AnyRecord], ref_template="#/$defs/{name}"
    )
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "fencepost stream, one line",
        "description": "The first line is a Header, every other line one of the other records.",
        "anyOf": [header, record],
        "$defs": definitions,
    }
    return json.dumps(schema, indent=2) + "\n"


class _Reader:
    """Takes line after line; a wrong record is noted and left out."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[FencepostError] = []
        self.stopped = False
        self.assembly: Assembly | None = None

    def line(self, line: str, number: int) -> None:
        """One line; a blank one is passed over."""
        if not line or line.isspace():
            return
        place = Place(self.file, number)
        try:
            if len(line) > LONGEST_LINE:
                raise SyntaxProblem(
                    f"a line of {len(line)} characters", expected=f"at most {LONGEST_LINE}"
                )
            if self.assembly is None:
                self.assembly = self._header(line)
            else:
                self._record(self.assembly, _decode(_RECORD, line), place)
        except FencepostError as error:
            self.problems.append(located(error, place))
            self.stopped = self.assembly is None

    def _header(self, line: str) -> Assembly:
        """Without a sound first line nothing else is looked at: it may be of another format."""
        try:
            header = _HEADER.decode(line)
        except (ValueError, RecursionError) as error:
            raise SyntaxProblem(f"no stream: {error}", expected=_FIRST) from None
        return Assembly(header.machine, header.guarantees, self.file)

    def _record(self, assembly: Assembly, record: records.AnyRecord, place: Place) -> None:
        if isinstance(record, records.Command):
            self._command(assembly, record, place)
        elif isinstance(record, records.Queue):
            assembly.open(record.name, QueueKind(record.kind), place)
        elif isinstance(record, records.AllowAll):
            self._allow(assembly, record, place, 0)
        else:
            assembly.declare(declaration_of(record, place))

    def _command(self, assembly: Assembly, record: records.Command, place: Place) -> None:
        queue = assembly.queues.get(record.queue)
        if queue is None:
            raise ProgramProblem(
                f"no queue '{record.queue}'{hint(record.queue, assembly.queues)}",
                expected="a queue declared before",
            )
        kind, commands, _ = queue
        commands.append(command_of(record, Scene(assembly, kind, place)))
        for allow in record.allow:
            self._allow(assembly, allow, place, place.line)

    def _allow(
        self, assembly: Assembly, allow: records.Allow | records.AllowAll, place: Place, line: int
    ) -> None:
        assembly.suppressions.append(Suppression(allow.rule, self.file, line, allow.reason, place))

    def program(self) -> Program:
        """The program; raises `Problems` if anything was wrong."""
        if self.assembly is None:
            empty = SyntaxProblem("an empty stream", Place(self.file, 1), _FIRST)
            raise Problems(self.problems or [empty])
        program = self.assembly.program()
        problems = sorted([*self.problems, *check_legality(program)], key=_line)
        if problems:
            raise Problems(problems[:MOST_PROBLEMS])
        return program


def _decode(decoder: msgspec.json.Decoder[records.AnyRecord], line: str) -> records.AnyRecord:
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        raise SyntaxProblem(f"{error}{_meant(line)}", expected="a record of the schema") from None
    except (ValueError, RecursionError) as error:
        raise SyntaxProblem(f"no JSON: {error}", expected="one JSON object a line") from None


def _meant(line: str) -> str:
    """A hint where the type of the record is a word close to one that exists."""
    try:
        word = json.loads(line).get("type")
    except (ValueError, RecursionError, AttributeError):
        return ""
    known = isinstance(word, str) and word not in records.TYPES
    return hint(word, records.TYPES) if known else ""


def _line(problem: FencepostError) -> int:
    return problem.place.line if problem.place else 0
