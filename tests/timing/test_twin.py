"""The engine beside a second simulator that takes one picosecond after the other."""

from __future__ import annotations

import copy
from dataclasses import dataclass

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.timing import Options, simulate
from tests.timing.twin import PARAMETERS, WHOLE, Queue, Sync, Twin, Work, works_of

HEAD = """machine gcn2-hawaii
label l = 0, m = 0, n = 0, x = 0, y = 0
"""
SHADED = ("sm", "memory", "l2")
DRAWN = (*SHADED, "geometry", "raster", "rop")
PARTS = (100_000, 250_000, 400_000, 500_000, 700_000, WHOLE)
SLOTS = PARAMETERS["wave slots"]


@dataclass
class Line:
    """A command in both forms."""

    text: str
    command: Work | Sync


@st.composite
def works(draw: st.DrawFn, *, graphics: bool) -> Line:
    is_draw = graphics and draw(st.booleans())
    time = draw(st.integers(1, 40))
    work = Work(is_draw, time)
    words = [f"cycles={time}"]
    units = DRAWN if is_draw else SHADED
    for unit in sorted(draw(st.lists(st.sampled_from(units), max_size=3, unique=True))):
        work.loads[unit] = draw(st.sampled_from(PARTS))
        words.append(f"{unit}={work.loads[unit] / WHOLE}")
    if draw(st.booleans()):
        work.residency = draw(st.sampled_from(PARTS))
        words.append(f"residency={work.residency / WHOLE}")
    if draw(st.booleans()):
        waves = draw(st.sampled_from((1, 7, 50, 150, 1000)))
        words.append(f"waves={waves}")
        _shape(work, waves, given="residency" in words[-2])
    if is_draw:
        part = draw(st.sampled_from(PARTS))
        work.vertex = -(-time * part // WHOLE)
        words.append(f"vs={part / WHOLE}")
    return Line(f"{'draw' if is_draw else 'dispatch'} @ {' '.join(words)}", work)


def _shape(work: Work, waves: int, *, given: bool) -> None:
    """What waves say (docs/timing.md 3.4)."""
    if not given:
        work.residency = min(WHOLE, -(-waves * WHOLE // SLOTS))
    if waves * WHOLE > work.residency * SLOTS:
        work.many = True
        work.late = work.residency * SLOTS // (2 * waves)


@st.composite
def lines(draw: st.DrawFn, *, graphics: bool, labels: str) -> list[Line]:
    found: list[Line] = []
    values = dict.fromkeys(labels, 0)
    for _ in range(draw(st.integers(1, 7))):
        if draw(st.integers(0, 2)):
            found.append(draw(works(graphics=graphics)))
            continue
        kind = draw(st.sampled_from(("flush", "value", "wait", "idle")))
        label = draw(st.sampled_from(labels))
        if kind == "flush":
            stage = draw(st.sampled_from(("vs", "ps", "cs") if graphics else ("cs",)))
            found.append(Line(f"flush {stage}", Sync("flush", stage)))
        elif kind == "idle":
            found.append(Line("wait idle", Sync("idle")))
        elif kind == "wait":
            value = values[label]
            text = f"wait me {label} >= {value}"
            found.append(Line(text, Sync("wait", label=label, value=value)))
        else:
            values[label] += 1
            found.append(_value(label, values[label]))
    return found


def _value(label: str, value: int) -> Line:
    """Each label has one way to be written, so its values arrive in order."""
    stage = {"l": "ps", "m": "cs", "x": "cs"}.get(label, "")
    if stage:
        return Line(f"eos {stage} {label} = {value}", Sync("eos", stage, label, value))
    return Line(f"eop {label} = {value}", Sync("eop", label=label, value=value))


@st.composite
def scenes(draw: st.DrawFn) -> tuple[list[Line], list[Line]]:
    """Commands of a graphics queue, and of a compute queue that may wait for it."""
    graphics = draw(lines(graphics=True, labels="lmn"))
    compute = draw(lines(graphics=False, labels="xy")) if draw(st.booleans()) else []
    written = [line.command for line in graphics if isinstance(line.command, Sync)]
    values = [sync for sync in written if sync.kind in {"eop", "eos"}]
    if compute and values and draw(st.booleans()):
        sync = draw(st.sampled_from(values))
        wait = Sync("wait", label=sync.label, value=sync.value)
        compute.insert(0, Line(f"wait {sync.label} >= {sync.value}", wait))
    return graphics, compute


def program_of(graphics: list[Line], compute: list[Line]) -> Program:
    text = HEAD + "queue gfx: graphics\n" + "".join(f"{line.text}\n" for line in graphics)
    if compute:
        rows = "".join(f"{line.text.replace(' me ', ' ')}\n" for line in compute)
        text += f"queue async: compute\n{rows}"
    return parse_text(text, "twin.fence")


@settings(max_examples=250)
@given(scenes())
def test_both_simulators_agree_to_the_picosecond(scene: tuple[list[Line], list[Line]]) -> None:
    queues = [
        Queue([copy.deepcopy(line.command) for line in rows], graphics)
        for rows, graphics in zip(scene, (True, False), strict=True)
        if rows
    ]
    twin = Twin(queues)
    twin.run()
    assume(not twin.tied())
    timeline = simulate(program_of(*scene), Options(PARAMETERS, refills=False))
    found = sorted(timeline.works, key=lambda work: (work.queue, work.position))
    engine = [(work.launched, work.shader, work.end) for work in found]
    slow = [
        (work.launched, work.shader_done, work.end_done)
        for queue in queues
        for work in works_of(queue)
    ]
    assert engine == slow
    assert timeline.totals.time == twin.finished_at
    written = sorted((write.label, write.value, write.time) for write in timeline.writes)
    assert written == sorted(
        (label, value, time) for label, rows in twin.values.items() for time, value in rows
    )
