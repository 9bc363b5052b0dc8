"""Reports made by hand: what the writers are given, without the replay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from fencepost.coherence.finding import (
    Counts,
    Explanation,
    Finding,
    Fix,
    Kind,
    Link,
    Report,
    Spot,
    Suppressed,
)
from fencepost.place import Place
from fencepost.report.result import Checked
from fencepost.report.source import Sources
from fencepost.stream.command import (
    CacheOperation,
    Command,
    ContextWrite,
    EndOfShader,
    PartialFlush,
    PipelinedEvent,
    SurfaceSync,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.command import Comparison as Compare
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import Part, Resource, ResourceKind

Json: TypeAlias = Any
"""A decoded JSON document."""

FILE = "frames/frame.fence"
TEXT = """machine xbox-one
color  gbuffer 1920x1080 rgba8   # pixels only
color  hdr     1920x1080 rgba16f
label  gdone = 0

queue gfx: graphics
  draw "sky"       ps.texture gbuffer   # leaves lines in TCP and TCC
  flush ps
  draw "gbuffer"   cb0.write gbuffer
  event cb.pixels.wbinv
  eos ps gdone = 1
  draw "particles" cb1.write hdr
  wait me gdone == 1
  sync me tcc.wbinv
  draw "lighting"  ps.texture gbuffer; cb1.blend hdr
"""


def target(name: str, start: int, size: int) -> Resource:
    return Resource(name, ResourceKind.COLOR, (Part("pixels", start, start + size),))


GBUFFER = target("gbuffer", 0x100000, 1920 * 1080 * 4)
HDR = target("hdr", 0x1000000, 1920 * 1080 * 8)
GDONE = Resource("gdone", ResourceKind.LABEL, (Part("bytes", 0x40, 0x44),))


def at(line: int, column: int = 3) -> Place:
    return Place(FILE, line, column)


def draw(name: str, place: Place) -> Work:
    return Work(name=name, place=place, kind=WorkKind.DRAW, verb="draw", accesses=())


def wbinv(*caches: str) -> tuple[CacheOperation, ...]:
    return tuple(CacheOperation(cache, "wbinv") for cache in caches)


COMMANDS: tuple[Command, ...] = (
    draw("sky", at(7)),
    PartialFlush(place=at(8), stage="ps"),
    draw("gbuffer", at(9)),
    PipelinedEvent(place=at(10), operations=wbinv("cb.pixels")),
    EndOfShader(place=at(11), stage="ps", label=GDONE, value=1),
    draw("particles", at(12)),
    WaitMemory(place=at(13), engine="me", label=GDONE, comparison=Compare.EQUAL, reference=1),
    SurfaceSync(place=at(14), engine="me", operations=wbinv("tcc")),
    draw("lighting", at(15)),
)
PROGRAM = Program(
    "xbox-one",
    (GBUFFER, HDR, GDONE),
    (Queue("gfx", QueueKind.GRAPHICS, COMMANDS),),
    file=FILE,
)


def spot(position: int, does: str = "") -> Spot:
    return Spot("gfx", position, COMMANDS[position], does)


CHAIN = (
    Link("ordered", True, 'the wait sees the value of "gbuffer"\'s PS_DONE', spot(6)),
    Link("available", True, "CB pixels are written back to memory", spot(3)),
    Link("visible", False, 'TCP may still hold the lines that "sky" read', None),
)
STALE = Finding(
    "stale-cache-line",
    Kind.HAZARD,
    '"lighting" may read an old copy of gbuffer from TCP',
    later=spot(8, "ps.texture gbuffer"),
    earlier=spot(2, "cb0.write gbuffer"),
    resource="gbuffer.pixels[0:8294400]",
    start=GBUFFER.main.start,
    end=GBUFFER.main.end,
    chain=CHAIN,
    missing='an invalidation of TCP between "sky" and "lighting", at top of pipe',
    fix=Fix(("sync me tcp.wbinv",), spot(8), "nothing of TCP is dirty: one invalidation is enough"),
    properties=(("cache", "tcp"), ("lines", "129600")),
)
UNKNOWN = Finding(
    "unknown-access",
    Kind.UNKNOWN,
    "the input does not show what VS of this draw accesses",
    later=spot(5, "vs"),
    missing="an annotation of these works",
)
WASTE = Finding(
    "repeated-flush",
    Kind.WASTE,
    "TCC was written back and invalidated already, and nothing has used it since",
    later=spot(7, "tcc.wbinv"),
    earlier=spot(3, "cb.pixels.wbinv"),
    properties=(("cache", "tcc"),),
)
COUNTS = Counts(queues=1, commands=9, works=4, accesses=6, synchronizations=5)
SOURCES = Sources({FILE: TEXT}, frozenset({FILE}))


def report(*findings: Finding, program: Program = PROGRAM) -> Report:
    return Report(program, "xbox-one", "documented", findings, counts=COUNTS)


CLEAN = Checked(report())
HAZARD = Checked(report(STALE))
ALL = Checked(
    replace(
        report(STALE, UNKNOWN, WASTE),
        suppressed=(Suppressed(replace(STALE, rule="lost-write"), "the debug view is never read"),),
        leaning=(replace(STALE, rule="not-written-back", message="CB may still hold the data"),),
    ),
    hidden=2,
)

PM4_FILE = "dumps/avgblur.txt"


def packet(position: int, name: str, offset: int, does: str = "") -> Spot:
    place = Place(PM4_FILE, 3 + position, 1, offset)
    work = Work(name=name, place=place, kind=WorkKind.DISPATCH, verb="dispatch", accesses=())
    return Spot("ib0", position, work, does)


PM4 = Checked(
    report(
        Finding(
            "read-after-write",
            Kind.HAZARD,
            "the second dispatch may read before the first has written",
            later=packet(40, "DISPATCH_DIRECT", 0x1F4, "cs.texture blurred"),
            earlier=packet(12, "DISPATCH_DIRECT", 0xA4, "cs.uav-write blurred"),
            resource="blurred[0:4096]",
            start=0x200000,
            end=0x201000,
            chain=(Link("ordered", False, "nothing between the two waits for CS", None),),
            missing="a CS partial flush between the two",
            fix=Fix(
                ("flush cs",), packet(40, "DISPATCH_DIRECT", 0x1F4), "the producer is just before"
            ),
        ),
        program=Program("gcn2-bonaire", (), (Queue("ib0", QueueKind.COMPUTE, ()),), file=PM4_FILE),
    )
)
EXPLAINED = (
    Explanation(
        spot(8, "ps.texture gbuffer"), spot(2, "cb0.write gbuffer"), "gbuffer.pixels", CHAIN
    ),
    Explanation(
        spot(8, "cb1.blend hdr"),
        spot(5, "cb1.write hdr"),
        "hdr.pixels",
        (Link("ordered", True, "CB takes draws in order"),),
    ),
)
CONTEXT = ContextWrite()
