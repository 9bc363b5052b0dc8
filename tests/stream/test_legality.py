"""Every row of the legality tables: a program that is legal, and one that differs in one thing."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from fencepost.errors import Problems
from fencepost.machine import MACHINES
from fencepost.stream.builder import FILE, Bytes, ProgramBuilder, Use
from fencepost.stream.command import (
    Access,
    Command,
    EndOfPipe,
    Present,
    SetLabel,
    SurfaceSync,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.conditions import SPELLING, WORKS
from fencepost.stream.legality import (
    ACCESS_ROWS,
    ROWS,
    AccessRow,
    Row,
    check_legality,
    require_legal,
)
from fencepost.stream.limits import MOST_PROBLEMS
from fencepost.stream.program import Program, QueueKind
from fencepost.stream.text import parse_text
from tests.stream.programs import programs

ALL_ROWS: tuple[Row | AccessRow, ...] = (*ROWS, *ACCESS_ROWS)

HEAD = """\
buffer heap 64
color hdr 8x8 rgba8
depth z 8x8 d16
backbuffer back 8x8 rgba8
label fence = 0
gds counters 64
"""

# row, kind of the queue, a legal line, an illegal one, what is said of it
LINES = """
command-on-queue  | compute  | flush cs                  | flush ps                  | 'flush ps' cannot run on a compute queue; expected a queue of kind graphics
command-on-queue  | compute  | eos cs fence = 1          | eos ps fence = 1          | 'eos ps' cannot run on a compute queue
command-on-queue  | compute  | wait idle                 | context                   | 'context' cannot run on a compute queue
command-on-queue  | compute  | frame                     | event                     | 'event' cannot run on a compute queue
command-on-queue  | compute  | eop fence = 1             | present back              | 'present' cannot run on a compute queue
command-on-queue  | copy     | set fence = 1             | eop fence = 1             | 'eop' cannot run on a copy queue
command-on-queue  | copy     | wait fence == 1           | wait idle                 | 'wait idle' cannot run on a copy queue
command-on-queue  | cpu      | wait fence == 1           | sync tcc.wbinv            | 'sync' cannot run on a cpu queue
command-on-queue  | cpu      | set fence = 1             | frame                     | 'frame' cannot run on a cpu queue
work-on-queue     | compute  | dispatch                  | draw                      | a draw cannot run on a compute queue; expected a queue of kind graphics
work-on-queue     | copy     | clear heap                | dispatch                  | a dispatch cannot run on a copy queue
work-on-queue     | copy     | clear heap                | clear as dma dma.write heap | a CP DMA cannot run on a copy queue
work-on-queue     | cpu      | write heap                | clear as copy copy.write heap | an access of a copy queue cannot run on a cpu queue
work-on-queue     | graphics | clear heap                | write heap                | an access of the CPU cannot run on a graphics queue; expected a queue of kind cpu
unknown-block     | graphics | draw ps.unknown           | draw cs.unknown           | 'cs.unknown' says nothing here
unknown-block     | graphics | dispatch cs.unknown       | dispatch ps.unknown       | 'ps.unknown' says nothing here
engine            | compute  | wait me fence == 1        | wait pfp fence == 1       | a compute queue has no engine 'pfp' to tell
engine            | compute  | sync me tcc.wbinv         | sync pfp tcc.wbinv        | a compute queue has no engine 'pfp' to tell
engine            | cpu      | set fence = 1             | set me fence = 1          | a cpu queue has no engine 'me' to tell
dma-engine        | compute  | clear heap                | clear heap by pfp         | a compute queue has no engine 'pfp' to kick CP DMA
event-operation   | graphics | event cb.pixels.wb        | event cb.metadata.wb      | no pipelined event does 'cb.metadata.wb'
event-operation   | graphics | event db.metadata.wbinv   | event tcc.wbinv           | no pipelined event does 'tcc.wbinv'
eop-operation     | graphics | eop with tcc.wbinv        | eop with k.inv            | an end of pipe of xbox-one does not carry 'k.inv'
eop-operation     | graphics | eop with tcp.wbinv        | eop with cb.pixels.wbinv  | an end of pipe of xbox-one does not carry 'cb.pixels.wbinv'
sync-operation    | graphics | sync cb.pixels.wbinv      | sync cb.pixels.wb         | no surface sync does 'cb.pixels.wb'
sync-operation    | graphics | sync tcc.wbinv            | sync tcc.inv              | no surface sync does 'tcc.inv'
sync-operation    | graphics | sync db.pixels.wbinv      | sync db.metadata.wbinv    | no surface sync does 'db.metadata.wbinv'
compute-back-end  | compute  | sync k.inv                | sync cb.pixels.wbinv      | 'cb.pixels.wbinv' on a compute queue, which has no CB and DB
compute-coherency | compute  | sync k.inv                | sync k.inv coherent cb0   | coherency 'cb0' on a compute queue, which has no graphics contexts
repeated-word     | graphics | event cb.pixels.wb        | event cb.pixels.wb cb.pixels.wb | 'cb.pixels.wb' twice in one command
repeated-word     | graphics | sync coherent cb0 db      | sync coherent db cb0 db   | 'db' twice in one command
sync-range        | graphics | sync coherent 0x0:0x0     | sync coherent 0x1:0x0     | no range 0x1:0x0
sync-range        | graphics | sync coherent 0x0:0x1000000000000 | sync coherent 0x0:0x1000000000001 | no range 0x0:0x1000000000001
label             | graphics | eop fence = 1             | eop heap = 1              | 'heap' is no label
label             | graphics | wait fence == 1           | wait hdr == 1             | 'hdr' is no label
label             | cpu      | set fence = 1             | set counters = 1          | 'counters' is no label
value             | graphics | eop fence = 0xffffffffffffffff | eop fence = 18446744073709551616 | value 18446744073709551616 does not fit into the label
reference         | graphics | wait fence == 1 & 0xffffffffffffffff | wait fence == 1 & 18446744073709551616 | 18446744073709551616 is no 64-bit value
back-buffer       | graphics | present back              | present hdr               | 'hdr' is no back buffer
back-buffer       | graphics | wait flip back            | wait flip hdr             | 'hdr' is no back buffer
access-of-work    | graphics | draw ps.texture heap      | draw cs.texture heap      | a draw makes no access 'cs.texture'; expected vs, ps, cb, db, so,
access-of-work    | graphics | draw pfp.index heap       | dispatch pfp.index heap   | a dispatch makes no access 'pfp.index'; expected cs, pfp.args, pfp.predicate
access-of-work    | graphics | draw pfp.args heap        | draw pfp.store heap       | a draw makes no access 'pfp.store'
access-of-work    | graphics | dispatch cs.uav heap      | dispatch cb0.write hdr    | a dispatch makes no access 'cb0.write'
access-of-work    | graphics | clear as dma cp.store heap | clear as dma cp.write heap | a CP DMA makes no access 'cp.write'
way               | graphics | draw cb0.write hdr        | draw cb0.write heap       | 'cb0.write' does not reach bytes of 'heap'
way               | graphics | draw db.write z           | draw db.write heap        | 'db.write' does not reach bytes of 'heap'
way               | graphics | draw ps.gds-read counters | draw ps.gds-read heap     | 'ps.gds-read' does not reach bytes of 'heap'
policy            | graphics | draw ps.texture heap hit-lru | draw ps.constant heap hit-lru | 'ps.constant' cannot be hit-lru; expected no policy
policy            | graphics | draw ps.uav heap miss-lru | draw ps.uav heap hit-lru  | 'ps.uav' cannot be hit-lru; expected miss-lru, miss-evict
policy            | graphics | draw ps.atomic heap miss-evict | draw ps.atomic heap miss-lru | 'ps.atomic' cannot be miss-lru; expected miss-evict
gds               | graphics | draw ps.gds-read counters | draw ps.texture counters  | 'ps.texture' does not reach GDS
gds               | graphics | copy counters from heap   | copy counters from heap through tcc | 'dma.write-tcc' does not reach GDS
"""  # noqa: E501 - a table


def cases() -> list[tuple[str, ...]]:
    """The rows of the table, without padding."""
    return [tuple(map(str.strip, line.split("|"))) for line in LINES.strip().splitlines()]


def template(row: str) -> str:
    """The message of a row as a pattern."""
    messages = {rule.id: rule.message for rule in ALL_ROWS}
    return re.sub(r"\\\{\w+\\\}", ".*", re.escape(messages[row]))


def program(kind: str, line: str, machine: str = "xbox-one") -> str:
    return f"machine {machine}\n{HEAD}queue q: {kind}\n{line}\n"


def complaint(text: str) -> str:
    """The one problem of a text."""
    with pytest.raises(Problems) as caught:
        parse_text(text, "a.fence")
    (problem,) = caught.value.problems
    return str(problem)


@pytest.mark.parametrize(("row", "kind", "right", "wrong", "message"), cases())
def test_a_row_of_the_table(row: str, kind: str, right: str, wrong: str, message: str) -> None:
    parse_text(program(kind, right))
    found = complaint(program(kind, wrong))
    assert found.startswith(f"a.fence:9:1: {message}")
    assert re.search(template(row), found)


# where each command may run, from the seed and design 4.3
G, C, Y, P = QueueKind
RUNS_ON: dict[str, set[QueueKind]] = {
    "flush vs": {G},
    "flush ps": {G},
    "flush cs": {G, C},
    "eos ps fence = 1": {G},
    "eos cs fence = 1": {G, C},
    "eop fence = 1": {G, C},
    "wait fence == 1": {G, C, Y, P},
    "wait idle": {G, C},
    "wait flip back": {G},
    "set fence = 1": {G, C, Y, P},
    "pfp-sync-me": {G},
    "event": {G},
    "sync tcc.wbinv": {G, C},
    "context": {G},
    "dma wait": {G, C},
    "frame": {G, C},
    "present back": {G},
    "draw": {G},
    "dispatch": {G, C},
    "clear as dma": {G, C},
    "clear as copy": {Y},
    "clear as cpu": {P},
}


@pytest.mark.parametrize("kind", list(QueueKind))
@pytest.mark.parametrize("line", list(RUNS_ON))
def test_where_a_command_may_run(line: str, kind: QueueKind) -> None:
    text = program(str(kind), line)
    if kind in RUNS_ON[line]:
        parse_text(text)
    else:
        assert f" cannot run on a {kind} queue" in str(_problems(text)[0])


def _problems(text: str) -> list[object]:
    with pytest.raises(Problems) as caught:
        parse_text(text)
    return list(caught.value.problems)


def test_every_command_is_in_that_table() -> None:
    words = {" ".join(line.split()[:1]) for line in RUNS_ON} | {
        "wait idle",
        "wait flip",
        "dma wait",
    }
    assert set(SPELLING.values()) - words == {"kickoff"}
    assert {kind for kind in WorkKind if kind in WORKS} == set(WorkKind)


@pytest.mark.parametrize("machine", ["gcn2-bonaire", "gcn2-hawaii"])
def test_an_end_of_pipe_of_pm4_carries_back_end_operations(machine: str) -> None:
    line = "eop fence = 1 with cb.pixels.wbinv cb.metadata.wbinv db.pixels.wb tcc.wbinv"
    parse_text(program("graphics", line, machine))
    assert "on a compute queue" in complaint(
        program("compute", "eop fence = 1 with db.metadata.wbinv", machine)
    )


# what no text says: by hand, from a program that is legal
def built() -> tuple[Program, Work]:
    builder = ProgramBuilder("xbox-one")
    heap, back = builder.buffer("heap", 64), builder.back_buffer("back", 8, 8)
    label = builder.label("fence", size=4)
    queue = builder.graphics("q")
    queue.clear(heap).timestamp(Bytes(heap, 0, 8)).present(back).wait(label, 1)
    queue.set(label, 2**32 - 1).sync().work("draw", "", cost=(("a", "b"),))
    queue.end_of_pipe(label, 1)
    program = builder.build()
    command = program.queues[0].commands[0]
    assert isinstance(command, Work)
    return program, command


def changed(program: Program, command: type[Command], **fields: Any) -> Program:  # noqa: ANN401
    """The program with fields of its first such command changed."""
    (queue,) = program.queues
    commands = list(queue.commands)
    index = next(at for at, row in enumerate(commands) if type(row) is command)
    commands[index] = replace(commands[index], **fields)
    return replace(program, queues=(replace(queue, commands=commands),))


def _access(program: Program, **fields: Any) -> tuple[Access, ...]:  # noqa: ANN401
    command = program.queues[0].commands[0]
    assert isinstance(command, Work)
    return (replace(command.accesses[0], **fields),)


Change = Callable[[Program], Program]
BY_HAND: list[tuple[str, Change, str]] = [
    ("verb", lambda p: changed(p, Work, verb="blit"), "no work 'blit'"),
    (
        "dma-option",
        lambda p: changed(p, Work, kind=WorkKind.DRAW, accesses=(), verb="draw", raw_wait=True),
        "'raw-wait' on a work that is no CP DMA",
    ),
    (
        "raw-wait",
        lambda p: changed(
            p,
            Work,
            kind=WorkKind.DMA,
            verb="copy",
            accesses=_access(p, block="pfp", use="store"),
            raw_wait=True,
        ),
        "'raw-wait' beside 'pfp.store', which an engine makes by itself",
    ),
    ("cost", lambda p: changed(p, Work, cost=(("a b", "c"),)), "'a b' in a cost"),
    ("cost", lambda p: changed(p, Work, cost=(("a", ""),)), "'' in a cost"),
    (
        "coherency",
        lambda p: changed(p, SurfaceSync, coherency=("cb8",)),
        "no coherency 'cb8'; expected cb0, cb1,",
    ),
    (
        "value",
        lambda p: changed(p, SetLabel, value=2**32),
        "value 4294967296 does not fit into the label",
    ),
    (
        "reference",
        lambda p: changed(p, WaitMemory, reference=-1),
        "-1 is no 64-bit value",
    ),
    (
        "value-and-timestamp",
        lambda p: changed(p, EndOfPipe, label=p.resources[2], value=1),
        "an end of pipe writes 'fence' and a timestamp",
    ),
    (
        "timestamp",
        lambda p: changed(p, EndOfPipe, timestamp=_access(p, block="dma", use="read")[0]),
        "a timestamp by 'dma.read'",
    ),
    (
        "whole-back-buffer",
        lambda p: changed(p, Present, access=_scan(p, end=p.resources[1].main.start + 4)),
        "a flip to a part of 'back'",
    ),
    (
        "engine",
        lambda p: changed(p, WaitMemory, engine="cpu"),
        "a graphics queue has no engine 'cpu' to tell",
    ),
    ("way", lambda p: changed(p, Work, accesses=_access(p, use="{use}")), "'dma.{use}' does not"),
]


def _scan(program: Program, end: int) -> Access:
    scan = program.resources[1].main
    return Access("display", "scan", program.resources[1], scan.name, scan.start, end)


@pytest.mark.parametrize(("row", "change", "message"), BY_HAND)
def test_a_row_that_no_text_breaks(row: str, change: Change, message: str) -> None:
    program, _ = built()
    assert check_legality(program) == []
    found = [str(problem) for problem in check_legality(change(program))]
    assert any(message in text and re.search(template(row), text) for text in found)
    assert all(text.startswith(FILE + ":") for text in found)


def test_ranges_outside_their_part() -> None:
    program, _ = built()
    part = program.resources[0].main
    for start, end in [(-1, 0), (0, 65), (8, 8), (9, 8)]:
        access = _access(program, start=part.start + start, end=part.start + end)
        (problem,) = check_legality(changed(program, Work, accesses=access))
        assert problem.problem == f"range [{start}:{end}] is not within 'heap'"


def test_parts_that_are_not_there() -> None:
    program, _ = built()
    (problem,) = check_legality(changed(program, Work, accesses=_access(program, part="x")))
    assert problem.problem == "'heap' has no part 'x'"


def test_every_row_is_tested() -> None:
    tested = {row for row, *_ in cases()} | {row for row, *_ in BY_HAND} | {"kickoff-target"}
    assert tested == {row.id for row in ALL_ROWS}


def test_ids_are_unique_and_sources_named() -> None:
    ids = [row.id for row in ALL_ROWS]
    assert len(ids) == len(set(ids))
    assert all(row.source and row.expected for row in ALL_ROWS)


KICKOFFS = """\
machine xbox-one
queue gfx: graphics
  kickoff
  kickoff
queue sdma: copy
queue cpu: cpu
  kickoff gfx
  kickoff gfx
"""


def test_kickoffs() -> None:
    parse_text(KICKOFFS)
    for name in ("gfy", "sdma", "cpu"):
        text = KICKOFFS.replace("kickoff gfx\n", f"kickoff {name}\n", 1)
        assert f"no queue '{name}' to kick off" in complaint(text)
    assert complaint(KICKOFFS + "  kickoff gfx\n").startswith(
        "a.fence:9:3: queue 'gfx' has no further 'kickoff' mark to submit;"
    )


def test_one_graphics_queue() -> None:
    text = "machine xbox-one\nqueue a: graphics\nqueue b: compute\nqueue c: compute\n"
    parse_text(text)
    assert complaint(text + "queue d: graphics\n").startswith(
        "a.fence:5:1: a second graphics queue 'd'"
    )


def test_labels_may_lie_beside_one_another_but_not_on_one_another() -> None:
    text = "machine xbox-one\nlabel a at 0x100\nlabel b 4 at {}\n"
    parse_text(text.format("0x108"))
    parse_text(text.format("0xfc"))
    for address in ("0x100", "0x104", "0xfd", "0x107"):
        assert "on the bytes of label" in complaint(text.format(address))


def test_a_label_may_lie_on_a_buffer() -> None:
    parse_text("machine xbox-one\nbuffer heap 64 at 0x100\nlabel a at 0x108\n")


def test_names_are_looked_at_in_programs_of_any_origin() -> None:
    program, _ = built()
    twice = replace(program, resources=(*program.resources, program.resources[0]))
    assert "a second resource 'heap'" in str(check_legality(twice)[0])
    queues = (*program.queues, replace(program.queues[0], kind=QueueKind.COMPUTE, commands=()))
    assert "a second queue 'q'" in str(check_legality(replace(program, queues=queues))[0])
    assert "no guarantees 'lax'" in str(check_legality(replace(program, guarantees="lax"))[0])


def test_problems_stop_at_what_people_read() -> None:
    program, command = built()
    many = [replace(command, verb="blit")] * 1000
    queues = (replace(program.queues[0], commands=many),)
    assert len(check_legality(replace(program, queues=queues))) == MOST_PROBLEMS


def test_require_legal_raises_them_all() -> None:
    program, _ = built()
    assert require_legal(program) is program
    with pytest.raises(Problems, match="no work 'blit'"):
        require_legal(changed(program, Work, verb="blit"))


@given(programs())
def test_what_is_made_by_the_rules_is_legal(program: Program) -> None:
    assert check_legality(program) == []


@pytest.mark.parametrize("machine", list(MACHINES))
def test_every_way_that_a_machine_has_can_be_used(machine: str) -> None:
    """No row of the ways table is out of reach of every kind of work, but the CP's own values."""
    spelled = {row for work in WORKS.values() for row in work.blocks}
    unused = {
        f"{block}.{way.use}"
        for way in MACHINES[machine].ways
        for block in way.blocks
        if block not in spelled and f"{block}.{way.use}" not in spelled
    }
    assert unused == {"cp.write", "display.scan"}


def test_uses_of_the_builder_are_looked_at_too() -> None:
    builder = ProgramBuilder("xbox-one")
    heap = builder.buffer("heap", 64)
    builder.compute("c").dispatch("d", Use("ps.texture", heap))
    with pytest.raises(Problems, match=r"<builder>:3:1: a dispatch makes no access 'ps.texture'"):
        builder.build()
