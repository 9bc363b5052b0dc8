"""Timelines whose pages the tests look at."""

from __future__ import annotations

import random
from pathlib import Path

from fencepost.report.html_timeline import write_timeline_html
from fencepost.timeline import Activity, Flow, Timeline, TimelineBuilder, figures

US = 1_000_000
"""Picoseconds."""

HOSTILE = (
    "</script><img src=x onerror=document.title='hit'>",
    "<!--<script>",
    "]]>&amp;&lt;b&gt;\"'`${1}",
    "\u202eright to left\u0000\u2028\u2029",
    "half \ud800 a pair",
    "{}__proto__",
)


def write(timeline: Timeline, file: Path) -> Path:
    """The page of a timeline, as a file."""
    file.write_bytes(write_timeline_html(timeline, figures(timeline)))
    return file


def frame() -> Timeline:
    """A frame of 100 us on two queues of one device, with a fence from each to the other."""
    builder = TimelineBuilder()
    graphics, compute = (builder.track(name, group="gpu") for name in ("graphics", "compute"))

    def span(track: int, name: str, start: int, end: int) -> int:
        activity = builder.activity(Activity(name, "pass", ("depth",), (("pass", name),)))
        return builder.span(track, start * US, end * US, activity)

    gbuffer = span(graphics, "gbuffer", 0, 40)
    span(graphics, "decals", 10, 20)
    ssao = span(compute, "ssao", 42, 70)
    lighting = span(graphics, "lighting", 72, 100)
    builder.flow(Flow(gbuffer, ssao, name="depth is written"))
    builder.flow(Flow(ssao, lighting))
    return builder.build("frame")


def many(spans: int, tracks: int = 8) -> Timeline:
    """A timeline of that many spans, at random."""
    chance = random.Random(1)
    builder = TimelineBuilder()
    for track in range(tracks):
        builder.track(f"stream {track}", group="device 0")
    kernels = [builder.named(f"kernel {number}") for number in range(300)]
    now = [0] * tracks
    for _ in range(spans):
        track = chance.randrange(tracks)
        start = now[track] + chance.randrange(5 * US)
        now[track] = start + chance.randrange(1, 20 * US)
        builder.span(track, start, now[track], chance.choice(kernels))
    return builder.build("many")


def signals(count: int) -> Timeline:
    """As many waits, one after the other, each for a signal of the other queue."""
    builder = TimelineBuilder()
    tracks = [builder.track(name) for name in ("signals", "waits")]
    kinds = [builder.named(name) for name in ("signal", "wait")]
    for at in range(count):
        signal, wait = (
            builder.span(track, (at * 10 + 5 * place) * US, (at * 10 + 5 * place + 4) * US, kind)
            for place, (track, kind) in enumerate(zip(tracks, kinds, strict=True))
        )
        builder.flow(Flow(signal, wait))
    return builder.build("signals")


def hostile() -> Timeline:
    """Names that want to be markup, everywhere where a name can be."""
    builder = TimelineBuilder()
    for name in HOSTILE:
        track = builder.track(name, group=name)
        activity = builder.activity(Activity(name, name, (name,), ((name, name),)))
        first, second = (builder.span(track, at, at + US, activity) for at in (0, 5 * US))
        builder.flow(Flow(first, second, name=name))
    builder.note(HOSTILE[0])
    return builder.build(HOSTILE[0])


STREAM = """\
machine xbox-one
buffer results 64K
color  target 256x256 rgba8
label  done = 0

queue gfx: graphics
  dispatch "first" cs.uav-write results @ 100us residency=25%
  draw "second" cb0.write target @ 200us residency=50%
  eos cs done = 1
  flush ps
  wait me done == 1
  sync me tcc.wbinv tcp.wbinv
  draw "third" ps.buffer results; cb0.write target @ 50us residency=25%
  wait idle
"""
"""A stream that is right, with a flush and a fence that stand."""

HAZARD = STREAM.replace("  flush ps\n  wait me done == 1\n  sync me tcc.wbinv tcp.wbinv\n", "")
"""The same without what makes it right."""
