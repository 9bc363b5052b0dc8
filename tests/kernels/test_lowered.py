"""The lowered replay, compiled and interpreted, beside the replay of `coherence`.

It may leave a program undecided. What it says is what the replay says: clean or not, and of the
command at which the replay finds the first access that is not right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from benchmarks.generate import program as generated
from fencepost.coherence import check, checking
from fencepost.coherence.checking import (
    LONG,
    Examination,
    check_lowered,
    check_replayed,
)
from fencepost.coherence.feedback import find_feedback
from fencepost.coherence.lowered import examine as caller
from fencepost.coherence.lowered.codes import CLEAN, HAZARD, UNDECIDED
from fencepost.coherence.waits import WaitFindings
from fencepost.machine import find_machine
from fencepost.machine.tables import Machine
from fencepost.stream.program import Program, Queue
from fencepost.stream.reading import load
from tests.coherence.strategies import (
    COMPUTE,
    GRAPHICS,
    command_lists,
    cut_up_programs,
    heaviest_barrier,
    machines,
    make_program,
    one_queue_programs,
    programs,
    spot_lists,
)
from tests.kernels.twice import compiled, interpreted
from tests.project.repository import ROOT
from tests.timing.scenes import read
from verify.alphabet import program_of
from verify.enumerate import SETTINGS, Family, Items, Setting
from verify.queues import QueueFamily

PACKAGE = "fencepost.coherence.lowered"
TAKEN = {
    f"{PACKAGE}.columns": ("Columns",),
    f"{PACKAGE}.walk": ("Walk", "Fates", "Stream"),
}
LEVELS = ("documented", "strict", "cautious")


@dataclass(frozen=True)
class Said:
    """A verdict; the position is that of the first access that is not right, if one is not."""

    status: int
    leaned: bool
    at: tuple[int, int]


def lowered(program: Program, machine: Machine, level: str, *, as_text: bool) -> Said:
    form = interpreted if as_text else compiled
    with pytest.MonkeyPatch.context() as patch:
        for kernel, names in TAKEN.items():
            for name in names:
                patch.setattr(caller, name, getattr(form(kernel), name))
        found = caller.Examined(caller.Lowered(program, machine), level)
    return Said(found.status, found.leaned, (found.queue, found.position))


def replayed(program: Program, machine: Machine, level: str) -> Said:
    examination = Examination(program, machine, level)
    replay = examination.replay()
    outcome = replay.outcome
    others = WaitFindings(examination).findings(outcome.stuck)
    others += find_feedback(program, examination.ways)
    clean = not outcome.hits and not others
    at = (-1, -1)
    if outcome.hits and not others:
        at = (outcome.hits[0].later.queue, outcome.hits[0].later.position)
    return Said(CLEAN if clean else HAZARD, replay.steps.leaned, at)


def agree(ours: Said, due: Said) -> bool:
    if ours.status == UNDECIDED:
        return True
    if ours.status != due.status or (ours.status == CLEAN and ours.leaned != due.leaned):
        return False
    return due.at in ((-1, -1), ours.at)


def hold(program: Program, level: str) -> Said:
    """Both forms say the same, and what the replay says."""
    machine = find_machine(program.machine)
    both = [lowered(program, machine, level, as_text=as_text) for as_text in (False, True)]
    assert both[0] == both[1]
    due = replayed(program, machine, level)
    assert agree(both[0], due), (both[0], due)
    return both[0]


@given(one_queue_programs(), st.sampled_from(LEVELS))
@limits(max_examples=120)
def test_programs_of_one_queue(program: Program, level: str) -> None:
    hold(program, level)


@given(programs(), st.sampled_from(LEVELS))
@limits(max_examples=90)
def test_programs_of_several_queues(program: Program, level: str) -> None:
    hold(program, level)


@given(cut_up_programs(), st.sampled_from(LEVELS))
@limits(max_examples=70)
def test_parts_cut_again_and_again(program: Program, level: str) -> None:
    hold(program, level)


FAMILIES = [(setting, family) for setting in SETTINGS for family in setting.families()]
NAMES = [f"{setting.name} {family.name}" for setting, family in FAMILIES]


@st.composite
def longer_programs(draw: st.DrawFn) -> Program:
    """Sections of a graphics and of a compute queue, with all that a queue can do between them."""
    machine = draw(machines)
    spots = draw(spot_lists)
    kinds = draw(st.sampled_from([(GRAPHICS,), (COMPUTE,), (GRAPHICS, COMPUTE)]))
    queues = []
    for kind in kinds:
        commands = [
            command
            for _ in range(draw(st.integers(4, 9)))
            for part in (heaviest_barrier(machine, kind), draw(command_lists(machine, kind, spots)))
            for command in part
        ]
        queues.append(Queue(kind.value, kind, commands))
    return make_program(machine, queues)


@given(longer_programs(), st.sampled_from(LEVELS))
@limits(max_examples=12)
def test_longer_programs(program: Program, level: str) -> None:
    hold(program, level)


def test_many_events_and_contexts() -> None:
    section = """
  draw cb0.write t; db.write z
  event cb.pixels.wbinv
  event db.pixels.wbinv
  sync me tcc.wbinv tcp.wbinv coherent cb0 t
  draw ps.texture t; cb1.write u
  context
  flush ps
  sync me tcp.wbinv
"""
    program = read(section * 120)
    said = [hold(program, level) for level in LEVELS]
    assert [one.status for one in said] == [CLEAN] * len(LEVELS)


def programs_of(setting: Setting, family: Family | QueueFamily, head: Items) -> Iterator[Program]:
    machine = setting.machine.name
    if isinstance(family, QueueFamily):
        return iter(family.programs(head, machine, 503))
    return (program_of(items, machine) for items in family.programs(head, 503))


@pytest.mark.parametrize(("setting", "family"), FAMILIES, ids=NAMES)
def test_the_families_of_the_explorer(setting: Setting, family: Family | QueueFamily) -> None:
    seen = 0
    for head in islice(family.heads(), 0, None, 13):
        for program in islice(programs_of(setting, family, head), 6):
            ours = lowered(program, setting.machine, setting.guarantees, as_text=False)
            due = replayed(program, setting.machine, setting.guarantees)
            assert agree(ours, due), (ours, due)
            seen += 1
    assert seen


@pytest.mark.parametrize("clean", [True, False])
@pytest.mark.parametrize("level", LEVELS)
def test_long_streams(clean: bool, level: str) -> None:
    program = generated(1_500, clean=clean)
    said = hold(program, level)
    assert said.status == (CLEAN if clean else HAZARD)
    if not clean:
        assert said.at > (0, 0)


# -- the report


@given(st.one_of(one_queue_programs(), programs()), st.sampled_from(("documented", "strict")))
@limits(max_examples=120)
def test_a_lowered_report_is_the_replayed_one(program: Program, level: str) -> None:
    machine = find_machine(program.machine)
    report = check_lowered(program, machine, level)
    assert report is None or report == check_replayed(program, machine, level)


EXAMPLES = sorted((ROOT / "examples" / "xbox-one").glob("*.fence"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_have_the_same_report(path: Path) -> None:
    program = load(path)
    machine = find_machine(program.machine)
    report = check_lowered(program, machine, "documented")
    assert report is None or report == check_replayed(program, machine, "documented")


def test_a_long_clean_stream_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(f"{PACKAGE}.walk")
    monkeypatch.setattr(checking, "check_replayed", None)
    program = generated(LONG)
    assert check(program, find_machine(program.machine)).findings == ()


def test_one_with_a_hazard_is(monkeypatch: pytest.MonkeyPatch) -> None:
    replayed_ones: list[Program] = []
    monkeypatch.setattr(checking, "check_replayed", lambda *row: replayed_ones.append(row[0]))
    program = generated(LONG, clean=False)
    check(program, find_machine(program.machine))
    assert replayed_ones == [program]
