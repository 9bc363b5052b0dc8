"""What a queue may not do: one row a rule (design 2: legality is a rule table of its own).

The rows look at a program, whichever form it came from. They say what cannot be issued at all;
whether what is issued is synchronized is for `coherence`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fencepost.errors import FencepostError, Problems, ProgramProblem, QueueProblem
from fencepost.machine import Machine, find_machine
from fencepost.stream import conditions as broken
from fencepost.stream.assembly import COHERENCY, GUARANTEES
from fencepost.stream.command import (
    Access,
    Command,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    Kickoff,
    PipelinedEvent,
    Present,
    SetLabel,
    SurfaceSync,
    WaitFlip,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.conditions import COMPUTE, CPU, GRAPHICS, PIPELINE, SPELLING, WORKS, Context
from fencepost.stream.limits import MOST_PROBLEMS
from fencepost.stream.program import Program, Queue
from fencepost.stream.resource import Resource, ResourceKind
from fencepost.stream.verbs import VERBS

FENCES = 'seed 000 "EOS and EOP fences"'
POLICIES = 'seed 000 "L1 cache policies"'
SYNC = 'seed 000 "Surface sync"'
TABLE = 'seed 000 "Supported cache operations"'
FORM = "docs/fence-format.md"


Broken = Callable[[Context, Any], Iterable[str | tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Row:
    """A rule: the commands that it looks at, and what breaks it.

    `broken` yields a word, or several, for each thing that is wrong. `message` and `expected` may
    name them (`{0}`, `{1}`), the kind of the queue (`{kind}`) and the machine (`{machine}`).
    """

    id: str
    commands: tuple[type[Command], ...]
    broken: Broken
    message: str
    expected: str
    source: str
    problem: type[ProgramProblem] = ProgramProblem


_FENCE = (EndOfPipe, EndOfShader, WaitMemory, SetLabel)

ROWS: tuple[Row, ...] = (
    Row(
        "command-on-queue",
        tuple(SPELLING),
        broken.wrong_queue,
        "'{0}' cannot run on a {kind} queue",
        "a queue of kind {1}",
        "the machine's commands table",
        QueueProblem,
    ),
    Row(
        "work-on-queue",
        (Work,),
        broken.work_queue,
        "{0} cannot run on a {kind} queue",
        "a queue of kind {1}",
        PIPELINE,
        QueueProblem,
    ),
    Row("verb", (Work,), broken.work_verb, "no work '{0}'", ", ".join(VERBS), FORM),
    Row(
        "unknown-block",
        (Work,),
        broken.unknown_block,
        "'{0}' says nothing here",
        "a shader stage of this work",
        FORM,
    ),
    Row(
        "engine",
        (WaitMemory, SetLabel, SurfaceSync, DmaWait),
        broken.engine,
        "a {kind} queue has no engine '{0}' to tell",
        "one of its own",
        "model 2.1",
        QueueProblem,
    ),
    Row(
        "dma-engine",
        (Work,),
        broken.dma_engine,
        "a {kind} queue has no engine '{0}' to kick CP DMA",
        "one of its own",
        PIPELINE,
        QueueProblem,
    ),
    Row(
        "dma-option",
        (Work,),
        broken.dma_option,
        "'{0}' on a work that is no CP DMA",
        "it on a CP DMA",
        PIPELINE,
    ),
    Row(
        "raw-wait",
        (Work,),
        broken.raw_wait,
        "'raw-wait' beside '{0}', which an engine makes by itself",
        "accesses of the CP DMA",
        PIPELINE,
    ),
    Row(
        "cost",
        (Work,),
        broken.cost_word,
        "'{0}' in a cost",
        "words of letters, digits and _.%/-",
        FORM,
    ),
    Row(
        "event-operation",
        (PipelinedEvent,),
        broken.event_operation,
        "no pipelined event does '{0}'",
        "a CB or DB operation that is pipelined",
        TABLE,
    ),
    Row(
        "eop-operation",
        (EndOfPipe,),
        broken.eop_operation,
        "an end of pipe of {machine} does not carry '{0}'",
        "an operation that is pipelined, on a cache that it carries",
        f"{TABLE}; design 4.3",
    ),
    Row(
        "sync-operation",
        (SurfaceSync,),
        broken.sync_operation,
        "no surface sync does '{0}'",
        "an operation at the top of pipe",
        TABLE,
    ),
    Row(
        "compute-back-end",
        (EndOfPipe, SurfaceSync),
        broken.compute_operation,
        "'{0}' on a compute queue, which has no CB and DB",
        "TCC, TCP, K$ or I$",
        "design 4.3",
        QueueProblem,
    ),
    Row(
        "compute-coherency",
        (SurfaceSync,),
        broken.compute_coherency,
        "coherency '{0}' on a compute queue, which has no graphics contexts",
        "none",
        "design 4.3",
        QueueProblem,
    ),
    Row(
        "coherency",
        (SurfaceSync,),
        broken.coherency,
        "no coherency '{0}'",
        ", ".join(COHERENCY),
        SYNC,
    ),
    Row(
        "repeated-word",
        (EndOfPipe, PipelinedEvent, SurfaceSync),
        broken.repeated,
        "'{0}' twice in one command",
        "it once",
        FORM,
    ),
    Row(
        "sync-range",
        (SurfaceSync,),
        broken.sync_range,
        "no range {0}",
        "start <= end, 48-bit addresses",
        "model 4.6",
    ),
    Row("label", _FENCE, broken.not_a_label, "'{0}' is no label", "a label", FENCES),
    Row(
        "value",
        (EndOfPipe, EndOfShader, SetLabel),
        broken.large_value,
        "value {0} does not fit into the label",
        "an unsigned value of its size",
        FENCES,
    ),
    Row(
        "reference",
        (WaitMemory,),
        broken.large_reference,
        "{0} is no 64-bit value",
        "0 to 0xffffffffffffffff",
        FENCES,
    ),
    Row(
        "value-and-timestamp",
        (EndOfPipe,),
        broken.value_and_timestamp,
        "an end of pipe writes '{0}' and a timestamp",
        "one of them",
        FENCES,
    ),
    Row(
        "back-buffer",
        (Present, WaitFlip),
        broken.not_a_back_buffer,
        "'{0}' is no back buffer",
        "a backbuffer",
        "design 9",
    ),
    Row(
        "whole-back-buffer",
        (Present,),
        broken.part_of_a_buffer,
        "a flip to a part of '{0}'",
        "display.scan of all its pixels",
        "design 9",
    ),
    Row(
        "timestamp",
        (EndOfPipe,),
        broken.foreign_timestamp,
        "a timestamp by '{0}'",
        "cp.write",
        FENCES,
    ),
    Row(
        "kickoff-target",
        (Kickoff,),
        broken.kickoff_target,
        "no queue '{0}' to kick off",
        "on the CPU a graphics or compute queue, on a GPU queue none",
        "model 4.8",
    ),
)


@dataclass(frozen=True, slots=True)
class AccessRow:
    """A rule about one access of a work, or of another command; the bounds have no say."""

    id: str
    broken: Callable[[Machine, WorkKind | None, Access], bool]
    message: str
    expected: str
    source: str


ACCESS_ROWS: tuple[AccessRow, ...] = (
    AccessRow(
        "access-of-work",
        broken.foreign_access,
        "{work} makes no access '{use}'",
        "{blocks}",
        PIPELINE,
    ),
    AccessRow(
        "way",
        broken.no_way,
        "'{use}' does not reach {part} of '{name}'",
        "an access of the machine's ways table",
        'seed 000 "D3D resources and caches"',
    ),
    AccessRow("policy", broken.no_policy, "'{use}' cannot be {policy}", "{policies}", POLICIES),
    AccessRow(
        "gds",
        broken.not_for_gds,
        "'{use}' does not reach GDS",
        "gds-read, gds-write, gds-atomic or a CP DMA",
        "design 4.1",
    ),
)
"""A row that holds ends the search: the next ones would only repeat it."""


class Checker:
    """Walks the rows over a program and keeps what it finds."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.machine = find_machine(program.machine)
        self.problems: list[FencepostError] = []
        self._rows: dict[type[Command], list[Row]] = {}
        self._verdicts: dict[tuple[object, ...], tuple[str, str] | None] = {}

    def run(self) -> list[FencepostError]:
        """Everything that is wrong, up to `MOST_PROBLEMS`."""
        self.problems += program_problems(self.program)
        queues = {queue.name: queue for queue in self.program.queues}
        for queue in self.program.queues:
            self._queue(Context(self.machine, queue, queues))
        return self.problems

    def _queue(self, context: Context) -> None:
        for command in context.queue.commands:
            for row in self._rows_of(type(command)):
                for found in row.broken(context, command):
                    self._note(command, row, found, context)
            for kind, access in _accesses(command):
                self._access(command, kind, access)
            if len(self.problems) >= MOST_PROBLEMS:
                return

    def _rows_of(self, command: type[Command]) -> list[Row]:
        rows = self._rows.get(command)
        if rows is None:
            rows = self._rows[command] = [row for row in ROWS if command in row.commands]
        return rows

    def _note(
        self, command: Command, row: Row, found: str | tuple[str, ...], context: Context
    ) -> None:
        named = {"kind": str(context.kind), "machine": self.machine.name}
        words = (found,) if isinstance(found, str) else found
        message = row.message.format(*words, **named)
        expected = row.expected.format(*words, **named)
        self.problems.append(row.problem(message, command.place, expected))

    def _access(self, command: Command, kind: WorkKind | None, access: Access) -> None:
        key = (kind, access.block, access.use, access.part, access.policy)
        verdict = self._verdicts.get(key, _UNSEEN)
        if verdict is _UNSEEN:
            verdict = self._verdicts[key] = self._judge(kind, access)
        if verdict is not None:
            message, expected = verdict
            message = message.replace(_GAP, access.resource.name)
            self.problems.append(ProgramProblem(message, command.place, expected))
        problem = _outside(access)
        if problem:
            self.problems.append(ProgramProblem(problem, command.place, "a range inside the part"))

    def _judge(self, kind: WorkKind | None, access: Access) -> tuple[str, str] | None:
        """The message (with a gap for the resource) and what was expected, or None."""
        way = self.machine.way(access.block, access.use, access.part)
        words = {
            "work": WORKS[kind].title if kind else "",
            "use": f"{access.block}.{access.use}",
            "part": access.part,
            "name": _GAP,
            "policy": str(access.policy),
            "policies": ", ".join(way.policies if way else ()) or "no policy",
            "blocks": ", ".join(WORKS[kind].blocks if kind else ()),
        }
        for row in ACCESS_ROWS:
            if row.broken(self.machine, kind, access):
                return row.message.format(**words), row.expected.format(**words)
        return None


_UNSEEN: tuple[str, str] = ("", "")
_GAP = "\0"


def _accesses(command: Command) -> Iterable[tuple[WorkKind | None, Access]]:
    if isinstance(command, Work):
        return [(command.kind, access) for access in command.accesses]
    if isinstance(command, Present):
        return [(None, command.access)]
    if isinstance(command, EndOfPipe) and command.timestamp is not None:
        return [(None, command.timestamp)]
    return ()


def _outside(access: Access) -> str:
    part = access.resource.part(access.part)
    if part is None:
        return f"'{access.resource.name}' has no part '{access.part}'"
    if not part.start <= access.start < access.end <= part.end:
        first, last = access.start - part.start, access.end - part.start
        return f"range [{first}:{last}] is not within '{access.resource.name}'"
    return ""


def program_problems(program: Program) -> Iterator[FencepostError]:
    """What is wrong with the program as a whole: names, labels, queues, guarantees."""
    if program.guarantees and program.guarantees not in GUARANTEES:
        problem = f"no guarantees '{program.guarantees}'"
        yield ProgramProblem(problem, None, " or ".join(GUARANTEES))
    yield from _second(program.resources, "resource")
    yield from _second(program.queues, "queue")
    yield from _overlapping_labels(program)
    yield from _second_graphics_queue(program)
    yield from _kickoffs_without_mark(program)
    for label in program.resources:
        if label.value < 0 or label.value.bit_length() > 8 * label.main.size:
            problem = f"starting value {label.value} does not fit into '{label.name}'"
            yield ProgramProblem(problem, label.place, f"a value of {label.main.size} bytes")


def _second(things: Iterable[Resource] | Iterable[Queue], what: str) -> Iterator[FencepostError]:
    seen: set[str] = set()
    for thing in things:
        if thing.name in seen:
            yield ProgramProblem(f"a second {what} '{thing.name}'", thing.place, "a new name")
        seen.add(thing.name)


def _overlapping_labels(program: Program) -> Iterator[FencepostError]:
    """Two labels on the same bytes: a wait would see writes under a false name."""
    labels = [row for row in program.resources if row.kind is ResourceKind.LABEL]
    labels.sort(key=lambda label: label.main.start)
    widest: Resource | None = None
    for label in labels:
        if widest is not None and label.main.start < widest.main.end:
            problem = f"label '{label.name}' lies on the bytes of label '{widest.name}'"
            yield ProgramProblem(problem, label.place, "bytes of its own")
        if widest is None or label.main.end > widest.main.end:
            widest = label


def _second_graphics_queue(program: Program) -> Iterator[FencepostError]:
    for queue in [queue for queue in program.queues if queue.kind is GRAPHICS][1:]:
        problem = f"a second graphics queue '{queue.name}'"
        yield ProgramProblem(problem, queue.place, "at most one (model 1.3)")


def _kickoffs_without_mark(program: Program) -> Iterator[FencepostError]:
    """The n-th kickoff of a queue submits what stands behind its n-th mark (model 4.8)."""
    marks = Counter(
        queue.name
        for queue in program.queues
        if queue.kind is not CPU
        for command in queue.commands
        if isinstance(command, Kickoff)
    )
    names = {queue.name for queue in program.queues if queue.kind in (GRAPHICS, COMPUTE)}
    for queue in program.queues:
        for command in queue.commands if queue.kind is CPU else ():
            if isinstance(command, Kickoff) and command.queue in names:
                marks[command.queue] -= 1
                if marks[command.queue] < 0:
                    problem = f"queue '{command.queue}' has no further 'kickoff' mark to submit"
                    yield ProgramProblem(problem, command.place, "one mark a kickoff")


def check_legality(program: Program) -> list[FencepostError]:
    """What cannot be issued; empty: all can. Raises `UsageProblem` for an unknown machine."""
    return Checker(program).run()


def require_legal(program: Program) -> Program:
    """The program; raises `Problems` with what cannot be issued."""
    problems = check_legality(program)
    if problems:
        raise Problems(problems)
    return program
