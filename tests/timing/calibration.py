"""Writes docs/calibration.md from runs: `python -m tests.timing.calibration` prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from fencepost.machine import find_machine
from fencepost.machine.tables import Parameter
from fencepost.machine.timing import TIMINGS
from fencepost.stream.program import Program
from fencepost.stream.reading import load
from fencepost.stream.text import parse_text
from fencepost.timing import Options, Timeline, simulate
from fencepost.timing.parameters import MAY_BE_ZERO, WHOLE, Parameters

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "xbox-one"
MACHINE = "xbox-one"

FRAME = """
machine xbox-one
buffer meshes    8M
buffer particles 1M
buffer counters  256
color  albedo 1920x1080 rgba8 cmask
color  normal 1920x1080 rgba16f
color  hdr    1920x1080 rgba16f
color  ao     960x540 r8
color  shadow 1024x1024 r32f
depth  scene  1920x1080 d32f htile
backbuffer screen 1920x1080 rgba8
label  geometry = 0, occlusion = 0, simulated = 0

queue gfx: graphics
  draw "shadow"   vs.vertex meshes; cb0.write shadow @ vertices=400000
  draw "depth"    vs.vertex meshes; db.write scene @ vertices=600000
  draw "gbuffer" vs.vertex meshes; cb0.write albedo; cb1.write normal; db.test scene
  event cb.pixels.wbinv cb.metadata.wbinv db.pixels.wbinv db.metadata.wbinv
  eop geometry = 1
  wait me simulated == 1
  sync me tcc.wbinv tcp.wbinv
  draw "particles" vs.buffer particles; cb0.blend hdr @ vertices=200000 pixels=500000
  wait me occlusion == 1
  sync me tcc.wbinv tcp.wbinv
  draw "lighting" ps.texture albedo; ps.texture normal; ps.texture ao; cb0.blend hdr
  event cb.pixels.wbinv
  flush ps
  sync me tcc.wbinv tcp.wbinv
  draw "post"     ps.texture hdr; cb0.write screen
  event cb.pixels.wbinv
  wait idle

queue async: compute
  dispatch "simulate" cs.uav particles; cs.uav-write counters @ threads=65536 operations=40000000
  eop simulated = 1 with tcc.wbinv tcp.wbinv
  wait geometry == 1
  sync tcc.wbinv tcp.wbinv
  dispatch "ssao" cs.texture scene; cs.texture normal; cs.uav-write ao @ operations=90000000
  eop occlusion = 1 with tcc.wbinv tcp.wbinv
"""

CORNERS = """
# a context for each draw, beside a long one
draw cb0.write t @ 90us residency=1%
draw cb0.write u @ 1us residency=1%
draw cb0.write t @ 1us residency=1%
draw cb0.write u @ 1us residency=1%
draw cb0.write t @ 1us residency=1%
draw cb0.write u @ 1us residency=1%
draw cb0.write t @ 1us residency=1%
draw cb0.write u @ 1us residency=1%
---
# works in flight lose what every cache holds for them
dispatch cs.buffer big; cs.constant a; cs.code b @ 20us residency=10% l2=1
draw cb0.blend t; db.write z @ 20us residency=10%
wait me l == 0
sync me tcc.wbinv tcp.wbinv k.inv i.inv
sync me cb.pixels.wbinv db.pixels.wbinv
---
draw cb0.write t; db.write z
flush ps
event cb.pixels.wbinv db.pixels.wbinv cb.metadata.wbinv db.metadata.wbinv
wait idle
---
draw cb0.write raw
pfp-sync-me
copy a from b sync
---
dispatch cs.buffer big @ bytes=1 operations=1
---
queue x: compute
dispatch cs.buffer a @ 20us residency=10%
flush cs
queue y: compute
dispatch cs.buffer a @ 20us residency=10%
flush cs
dispatch cs.buffer a @ 90us residency=10%
---
kickoff
queue cpu: cpu
write a
kickoff gfx
queue sdma: copy
copy big from big
"""
"""Small streams for what the others do not meet."""

FLIP = "present shown\nwait flip shown\n"

CORNER_HEAD = """
machine xbox-one
buffer a   64K
buffer b   64K
buffer big 4M
color  t   256x256 rgba8 cmask
color  u   256x256 rgba8
color  raw 64K
depth  z   256x256 d32f htile
backbuffer shown 64x64 rgba8
label  l = 0
queue gfx: graphics
"""

Case = tuple[str, list[Program]]


def cases() -> list[Case]:
    """What is run: by name, one or several streams whose times add up."""
    figures = EXAMPLES / "figures"
    return [
        ("examples", [load(path) for path in sorted(EXAMPLES.glob("*.fence"))]),
        ("figure 3", [load(figures / "figure-3.fence")]),
        ("figure 4", [load(figures / "figure-4.fence")]),
        ("figure 5", [load(figures / "figure-5.fence")]),
        ("frame", [parse_text(FRAME, "frame.fence")]),
        ("corners", corners()),
        ("flip", [parse_text(CORNER_HEAD + FLIP, "flip.fence")]),
    ]


def corners() -> list[Program]:
    """The small streams."""
    return [parse_text(CORNER_HEAD + text, "corner.fence") for text in CORNERS.split("---\n")]


def total(programs: list[Program], changed: dict[str, int]) -> int:
    """Picoseconds of all of them."""
    return sum(simulate(program, Options(changed)).totals.time for program in programs)


def variants(row: Parameter) -> tuple[int | None, int | None]:
    """Half and double of a parameter; None where that is no value, or the same."""
    half = row.value // 2
    double = min(2 * row.value, WHOLE) if row.unit == "ppm" else 2 * row.value
    least = 0 if row.unit in MAY_BE_ZERO else 1
    return (half if half >= least else None, double if double != row.value else None)


def change(before: int, after: int) -> str:
    """A relative change in percent, to a hundredth, rounded towards zero."""
    hundredths = abs(after - before) * 10_000 // before
    if not hundredths:
        return "0" if after == before else "~0"
    sign = "+" if after > before else "-"
    return f"{sign}{hundredths // 100}.{hundredths % 100:02d}"


def number(value: int) -> str:
    """With commas between thousands."""
    return f"{value:,}"


# -- the page


def page() -> str:
    """docs/calibration.md."""
    return "\n".join([*_head(), *_values(), *_effects(), *_anchors()]) + "\n"


def _head() -> Iterator[str]:
    rows = TIMINGS[MACHINE]
    assumed = sum(row.source.startswith("assumed") for row in rows)
    yield from f"""# Calibration

Every constant of the [model of time](timing.md), where it comes from, and what results do when
it is another. {assumed} of {len(rows)} are assumed: nobody has published them. This page is written
by `python -m tests.timing.calibration > docs/calibration.md` from runs of the simulator.

A parameter is changed by its name: `--param launch=50`, in Python
`Options(parameters={{"launch": 50}})`.
""".splitlines()
    yield ""


def _values() -> Iterator[str]:
    yield "## Values"
    yield ""
    yield "| parameter | xbox-one | gcn2-bonaire | gcn2-hawaii | unit | source |"
    yield "|---|---|---|---|---|---|"
    by_machine = [{row.name: row for row in TIMINGS[name]} for name in TIMINGS]
    for row in TIMINGS[MACHINE]:
        rows = [names[row.name] for names in by_machine]
        values = " | ".join(number(other.value) for other in rows)
        sources = list(dict.fromkeys(other.source for other in rows))
        yield f"| {row.name} | {values} | {row.unit} | {' / '.join(sources)} |"
    yield ""
    yield "Sources that differ stand in the order of the machines."
    yield ""


EFFECTS = f"""Machine {MACHINE}. Change of the total time in percent, with half the value / with
twice the value; `~0`: less than a hundredth; `-`: not a value, or the same one. *examples*: the
streams of `examples/xbox-one` one after the other, their works taken from their accesses;
*figures*: those of `examples/xbox-one/figures`; *frame*: two queues with counts; *corners*: small
streams for what the others do not meet; *flip*: a wait for a flip (these three in
`tests/timing/calibration.py`).

More of something slow can make a stream faster by a little: a flush that comes later meets fewer
works in flight, whose caches it would empty."""


def _effects() -> Iterator[str]:
    chosen = cases()
    before = [total(programs, {}) for _, programs in chosen]
    yield "## What moves with them"
    yield ""
    yield from EFFECTS.splitlines()
    yield ""
    yield f"| parameter | {' | '.join(name for name, _ in chosen)} |"
    yield f"|---{'|---' * len(chosen)}|"
    times = " | ".join(f"{number(time)} ps" for time in before)
    yield f"| *as they are* | {times} |"
    for row in TIMINGS[MACHINE]:
        cells = [
            _cell(row, programs, time) for (_, programs), time in zip(chosen, before, strict=True)
        ]
        yield f"| {row.name} | {' | '.join(cells)} |"
    yield ""


def _cell(row: Parameter, programs: list[Program], before: int) -> str:
    texts = [
        "-" if value is None else change(before, total(programs, {row.name: value}))
        for value in variants(row)
    ]
    return " / ".join(texts) if set(texts) - {"0"} else "0"


def _anchors() -> Iterator[str]:
    values = Parameters(find_machine(MACHINE))
    clock = values["GPU clock"]
    fence = _run("draw cb0.write t @ 10us\neos ps l = 1\nwait me l == 1\n")
    flush = _run("dispatch cs.uav-write big @ 50us\nflush cs\nsync me tcc.wbinv\n")
    empty = _run("sync me tcc.wbinv\n")
    idle = _run("wait idle\n")
    waited = fence.stalls[-1].end - fence.works[0].shader
    rows = (
        ("a fence, from the last wave to ME", waited, "seed 000: at least 800 cycles, 1 us"),
        ("a flush of a TCC full of dirty lines", _length(flush), "seed 000: thousands of cycles"),
        ("a flush of a clean TCC", _length(empty), ""),
        ("a wait until idle on an idle machine", idle.totals.time, "seed 000: its shortest"),
    )
    yield "## Anchors"
    yield ""
    yield f"What was published, and what comes out ({MACHINE}):"
    yield ""
    yield "| what | ps | cycles | published |"
    yield "|---|---|---|---|"
    for what, span, published in rows:
        yield f"| {what} | {number(span)} | {number(span * clock // 10**12)} | {published} |"


def _run(text: str) -> Timeline:
    return simulate(parse_text(CORNER_HEAD + text, "anchor.fence"))


def _length(timeline: Timeline) -> int:
    (row,) = timeline.operations
    return row.end - row.start


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(page())
