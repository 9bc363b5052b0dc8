"""What each line of `.fence` text means."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from fencepost.place import Place
from fencepost.stream.builder import Bytes, ProgramBuilder, QueueBuilder, Use
from fencepost.stream.command import Command, Kickoff, PartialFlush, SurfaceSync, Work
from fencepost.stream.conditions import SPELLING
from fencepost.stream.program import Program, QueueKind, Suppression
from fencepost.stream.resource import GDS_BASE, Part, Resource
from fencepost.stream.text import parse_text
from tests.stream.programs import plain, plain_value

SKETCH = """\
machine xbox-one
color  gbuffer 1920x1080 rgba8          # pixels only
color  hdr     1920x1080 rgba16f
buffer sprites 64K
buffer args    64
label  gdone = 0, cdone = 0             # starting values

queue gfx: graphics
  draw "sky"       ps.texture gbuffer   # leaves lines in TCP and TCC
  flush ps                              # partial flush: WAR
  draw "gbuffer"   cb0.write gbuffer
  event cb.pixels.wbinv                 # pipelined
  eos ps gdone = 1
  draw "particles" ps.texture sprites; cb1.write hdr
  wait me gdone == 1
  sync me tcc.wbinv tcp.wbinv           # surface sync, top of pipe
  draw "lighting"  ps.texture gbuffer; cb1.blend hdr
  wait pfp cdone >= 1                   # PFP reads the arguments
  draw "tiles"     pfp.args args[0:16]; cb1.blend hdr

queue async: compute
  wait gdone == 1
  sync tcc.wbinv tcp.wbinv
  dispatch "cull"  cs.texture gbuffer; cs.uav-write args[0:16]
  eop cdone = 1 with tcc.wbinv          # L2 first, then the value
"""

HEAD = """\
machine gcn2-bonaire
buffer heap 1M
buffer args 64
color hdr 64x64 rgba16f cmask fmask
color plain 64x64 rgba8
depth z 64x64 d24s8 htile
backbuffer back 64x64 rgba8
label a = 0, b = 5
gds counters 256
"""


def sketch_in_python() -> Program:
    builder = ProgramBuilder("xbox-one")
    gbuffer = builder.color("gbuffer", 1920, 1080, "rgba8")
    hdr = builder.color("hdr", 1920, 1080, "rgba16f")
    sprites = builder.buffer("sprites", 64 * 1024)
    args = builder.buffer("args", 64)
    gdone, cdone = builder.label("gdone"), builder.label("cdone")
    gfx = builder.graphics("gfx")
    gfx.draw("sky", Use("ps.texture", gbuffer)).flush("ps")
    gfx.draw("gbuffer", Use("cb0.write", gbuffer)).event("cb.pixels.wbinv")
    gfx.end_of_shader("ps", gdone, 1)
    gfx.draw("particles", Use("ps.texture", sprites), Use("cb1.write", hdr))
    gfx.wait(gdone, 1).sync("tcc.wbinv tcp.wbinv")
    gfx.draw("lighting", Use("ps.texture", gbuffer), Use("cb1.blend", hdr))
    gfx.wait(cdone, 1, ">=", engine="pfp")
    gfx.draw("tiles", Use("pfp.args", args, 0, 16), Use("cb1.blend", hdr))
    compute = builder.compute("async")
    compute.wait(gdone, 1).sync("tcc.wbinv tcp.wbinv")
    compute.dispatch("cull", Use("cs.texture", gbuffer), Use("cs.uav-write", args, 0, 16))
    compute.end_of_pipe(cdone, 1, "tcc.wbinv")
    return builder.build()


def one(line: str, kind: str = "graphics") -> Command:
    """The command of one line, on a queue of that kind behind all resources."""
    program = parse_text(f"{HEAD}queue q: {kind}\n{line}\n", "one.fence")
    return program.queues[0].commands[-1]


def work(line: str, kind: str = "graphics") -> Work:
    command = one(line, kind)
    assert isinstance(command, Work)
    return command


def uses(command: Work) -> list[str]:
    """Each access as `block.use name.part[start:end] policy`."""
    texts = []
    for access in command.accesses:
        part = access.resource.part(access.part)
        assert part is not None
        bounds = f"[{access.start - part.start}:{access.end - part.start}]"
        policy = f" {access.policy}" if access.policy else ""
        name = f"{access.resource.name}.{access.part}"
        texts.append(f"{access.block}.{access.use} {name}{bounds}{policy}")
    return texts


def declared(line: str) -> tuple[Resource, ...]:
    return parse_text(f"machine xbox-one\n{line}\n").resources


def test_the_sketch_says_what_the_builder_says() -> None:
    assert plain(parse_text(SKETCH)) == plain(sketch_in_python())


def test_line_ends_of_windows_make_the_same_program() -> None:
    assert parse_text(SKETCH.replace("\n", "\r\n")) == parse_text(SKETCH)


def test_commands_know_file_line_and_column() -> None:
    program = parse_text(SKETCH, "frame.fence")
    tiles = program.queues[0].commands[-1]
    assert tiles.place == Place("frame.fence", 19, 3)
    assert program.file == "frame.fence"
    assert program.resources[0].place == Place("frame.fence", 2, 8)
    assert program.queues[1].place == Place("frame.fence", 21, 1)


@pytest.mark.parametrize("text", ["guarantees strict", "guarantees documented"])
def test_guarantees(text: str) -> None:
    assert parse_text(f"machine xbox-one\n{text}\n").guarantees == text.split()[1]


def test_guarantees_are_the_machines_unless_named() -> None:
    assert parse_text("machine xbox-one\n").guarantees == ""


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("buffer x 64", [("bytes", 64)]),
        ("buffer x 64B", [("bytes", 64)]),
        ("buffer x 0x40", [("bytes", 64)]),
        ("buffer x 2K", [("bytes", 2048)]),
        ("buffer x 3M", [("bytes", 3 << 20)]),
        ("buffer x 1G", [("bytes", 1 << 30)]),
        ("color x 10x20 rgba8", [("pixels", 800)]),
        ("color x 10x20 rgba8-4x", [("pixels", 3200)]),
        ("color x 8x8 rgba16f cmask", [("pixels", 512), ("cmask", 1)]),
        ("color x 8x8 r8 fmask cmask", [("pixels", 64), ("cmask", 1), ("fmask", 64)]),
        ("color x 64K", [("pixels", 65536)]),
        ("color x 64K cmask 512 fmask 1K", [("pixels", 65536), ("cmask", 512), ("fmask", 1024)]),
        ("color x 8x8 VK_FORMAT_42 64K", [("pixels", 65536)]),
        ("depth x 16x8 d24s8 htile", [("pixels", 512), ("htile", 8)]),
        ("backbuffer x 4x4 bgra8", [("pixels", 64)]),
        ("label x", [("bytes", 8)]),
        ("label x 4", [("bytes", 4)]),
        ("gds x 1K", [("gds", 1024)]),
    ],
)
def test_sizes_of_parts(line: str, parts: list[tuple[str, int]]) -> None:
    (resource,) = declared(line)
    assert [(part.name, part.size) for part in resource.parts] == parts


def test_labels_share_a_line() -> None:
    first, second = declared("label a = 3, b 4 = 0x10 per-frame at 0x40")
    assert (first.value, first.per_frame, first.placed) == (3, False, False)
    assert (second.value, second.per_frame, second.placed) == (16, True, True)
    assert second.parts == (Part("bytes", 0x40, 0x44),)


def test_a_shape_is_kept() -> None:
    (resource,) = declared("color x 10x20 rgba8")
    assert resource.shape == (10, 20, "rgba8")


def test_explicit_addresses() -> None:
    (resource,) = declared("color x 8x8 rgba8 at 0x1000 cmask fmask 1K at 0x9000")
    assert resource.placed
    assert [(part.start, part.end) for part in resource.parts] == [
        (0x1000, 0x1100),
        (0x1100, 0x1101),
        (0x9000, 0x9400),
    ]


def test_a_resource_may_lie_on_another() -> None:
    heap, alias, inner = declared(
        "buffer heap 64K\nbuffer alias 1K at heap\ncolor inner 8x8 rgba8 at heap+0x100"
    )
    assert alias.main.start == heap.main.start
    assert inner.main.start == heap.main.start + 256


def test_gds_is_an_address_space_of_its_own() -> None:
    first, second = declared("gds a 100\ngds b 100 at 0x40")
    assert first.main == Part("gds", GDS_BASE, GDS_BASE + 100)
    assert second.main == Part("gds", GDS_BASE + 64, GDS_BASE + 164)


def test_names_in_backquotes() -> None:
    (resource,) = declared("buffer `me` 64")
    assert resource.name == "me"
    (resource,) = declared(r"buffer `a \` \u00e9 \\ #` 64  # comment")
    assert resource.name == "a ` é \\ #"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("draw ps.texture heap", ["ps.texture heap.bytes[0:1048576]"]),
        ("draw ps.texture heap[16:0x20]", ["ps.texture heap.bytes[16:32]"]),
        ("draw ps.texture heap[:4K]", ["ps.texture heap.bytes[0:4096]"]),
        ("draw ps.texture heap[1023K:]", ["ps.texture heap.bytes[1047552:1048576]"]),
        ("draw ps.texture heap hit-evict", ["ps.texture heap.bytes[0:1048576] hit-evict"]),
        ("draw ps.texture heap[0:4] miss-lru", ["ps.texture heap.bytes[0:4] miss-lru"]),
        ("draw ps.texture hdr", ["ps.texture hdr.pixels[0:32768]"]),
        ("draw ps.texture hdr.fmask", ["ps.texture hdr.fmask[0:4096]"]),
        ("draw ps.texture hdr.cmask[0:2]", ["ps.texture hdr.cmask[0:2]"]),
        ("draw cb3.write plain", ["cb3.write plain.pixels[0:16384]"]),
        (
            "draw cb0.write hdr",
            [
                "cb0.write hdr.pixels[0:32768]",
                "cb0.write hdr.cmask[0:32]",
                "cb0.write hdr.fmask[0:4096]",
            ],
        ),
        ("draw cb0.write hdr.pixels", ["cb0.write hdr.pixels[0:32768]"]),
        ("draw cb0.write hdr[0:64]", ["cb0.write hdr.pixels[0:64]"]),
        ("draw db.write z", ["db.write z.pixels[0:16384]", "db.write z.htile[0:256]"]),
        ("draw db.test z.htile", ["db.test z.htile[0:256]"]),
        ("draw ps.gds-atomic counters[0:4]", ["ps.gds-atomic counters.gds[0:4]"]),
        (
            "draw pfp.index heap[0:64]; vs.vertex heap[64:128];ps.constant args ; cb0.write plain",
            [
                "pfp.index heap.bytes[0:64]",
                "vs.vertex heap.bytes[64:128]",
                "ps.constant args.bytes[0:64]",
                "cb0.write plain.pixels[0:16384]",
            ],
        ),
        (
            "copy heap[0:16] from args[0:16]",
            ["dma.read args.bytes[0:16]", "dma.write heap.bytes[0:16]"],
        ),
        (
            "copy heap[0:8] from args[0:8] through tcc",
            ["dma.read-tcc args.bytes[0:8]", "dma.write-tcc heap.bytes[0:8]"],
        ),
        (
            "copy heap[0:8] from args[0:8] through tcc-write",
            ["dma.read args.bytes[0:8]", "dma.write-tcc heap.bytes[0:8]"],
        ),
        (
            "copy counters from heap[0:256]",
            ["dma.read heap.bytes[0:256]", "dma.write counters.gds[0:256]"],
        ),
        ("clear args", ["dma.write args.bytes[0:64]"]),
        ("clear args through tcc", ["dma.write-tcc args.bytes[0:64]"]),
        ("clear as dispatch cs.uav-write args", ["cs.uav-write args.bytes[0:64]"]),
        (
            "copy as dma dma.read-tcc args; dma.write heap[0:64]",
            ["dma.read-tcc args.bytes[0:64]", "dma.write heap.bytes[0:64]"],
        ),
        (
            "resolve as draw ps.texture hdr; cb0.write plain",
            ["ps.texture hdr.pixels[0:32768]", "cb0.write plain.pixels[0:16384]"],
        ),
    ],
)
def test_accesses(line: str, expected: list[str]) -> None:
    assert uses(work(line)) == expected


@pytest.mark.parametrize(
    ("line", "kind", "expected"),
    [
        ("read args", "cpu", ["cpu.read args.bytes[0:64]"]),
        ("write args[0:4]", "cpu", ["cpu.write args.bytes[0:4]"]),
        ("write-combined args[0:4]", "cpu", ["cpu.write-combined args.bytes[0:4]"]),
        (
            "copy args from heap[0:64]",
            "copy",
            ["copy.read heap.bytes[0:64]", "copy.write args.bytes[0:64]"],
        ),
        ("clear args", "copy", ["copy.write args.bytes[0:64]"]),
        ("dispatch pfp.args args[0:12]", "compute", ["pfp.args args.bytes[0:12]"]),
    ],
)
def test_accesses_of_other_queues(line: str, kind: str, expected: list[str]) -> None:
    assert uses(work(line, kind)) == expected


@pytest.mark.parametrize(
    ("line", "kind", "verb", "executor"),
    [
        ("draw", "graphics", "draw", "draw"),
        ("dispatch", "graphics", "dispatch", "dispatch"),
        ("copy args from args", "graphics", "copy", "dma"),
        ("copy as dispatch", "graphics", "copy", "dispatch"),
        ("clear as draw", "graphics", "clear", "draw"),
        ("resolve as dispatch", "compute", "resolve", "dispatch"),
        ("copy args from args", "copy", "copy", "copy"),
        ("read args", "cpu", "read", "cpu"),
        ("write-combined args", "cpu", "write", "cpu"),
        ("write as cpu cpu.write args; cpu.write heap", "cpu", "write", "cpu"),
    ],
)
def test_verbs_and_who_executes_them(line: str, kind: str, verb: str, executor: str) -> None:
    command = work(line, kind)
    assert (command.verb, command.kind) == (verb, executor)


@pytest.mark.parametrize(
    ("options", "engine", "synchronous", "raw_wait"),
    [
        ("", "me", False, False),
        ("async", "me", False, False),
        ("sync", "me", True, False),
        ("by pfp", "pfp", False, False),
        ("by me raw-wait", "me", False, True),
        ("raw-wait sync by pfp through tcc", "pfp", True, True),
    ],
)
def test_options_of_a_dma(options: str, engine: str, synchronous: bool, raw_wait: bool) -> None:
    command = work(f"copy args from heap[0:64] {options}")
    assert (command.engine, command.synchronous, command.raw_wait) == (
        engine,
        synchronous,
        raw_wait,
    )


def test_options_stand_before_the_accesses_of_a_spelled_out_dma() -> None:
    command = work("clear as dma by pfp sync dma.write args")
    assert (command.engine, command.synchronous) == ("pfp", True)
    assert uses(command) == ["dma.write args.bytes[0:64]"]


def test_unknown_accesses() -> None:
    command = work("draw ps.unknown; cb0.write plain; vs.unknown")
    assert command.unknown == ("ps", "vs")
    assert uses(command) == ["cb0.write plain.pixels[0:16384]"]


@pytest.mark.parametrize(
    ("line", "cost"),
    [
        ("draw @ 1.5ms", (("time", "1.5ms"),)),
        ("draw ps.texture heap @ alu=12 bytes=4M", (("alu", "12"), ("bytes", "4M"))),
        ("copy args from args @ 3us note=a/b-c", (("time", "3us"), ("note", "a/b-c"))),
        ("draw", ()),
    ],
)
def test_costs_are_kept_as_written(line: str, cost: tuple[tuple[str, str], ...]) -> None:
    assert work(line).cost == cost


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('draw "sky"', "sky"),
        ('draw "a \\"b\\" # \\\\ \\u00e9 \\n"  # c', 'a "b" # \\ é \n'),
        ('flush "drain" ps', "drain"),
        ('pfp-sync-me "x"', "x"),
        ('event "marker"', "marker"),
        ("frame", ""),
    ],
)
def test_names_of_commands(line: str, name: str) -> None:
    assert one(line).name == name


Build = Callable[[QueueBuilder, dict[str, Resource]], object]


def by_builder(build: Build, kind: str) -> Command:
    """The command that the builder makes, with the same resources."""
    builder = ProgramBuilder("gcn2-bonaire")
    found = {
        "heap": builder.buffer("heap", 1 << 20),
        "args": builder.buffer("args", 64),
        "hdr": builder.color("hdr", 64, 64, "rgba16f", "cmask", "fmask"),
        "plain": builder.color("plain", 64, 64, "rgba8"),
        "z": builder.depth("z", 64, 64, "d24s8", "htile"),
        "back": builder.back_buffer("back", 64, 64, "rgba8"),
        "a": builder.label("a"),
        "b": builder.label("b", 5),
        "counters": builder.gds("counters", 256),
    }
    build(builder.queue("q", QueueKind(kind)), found)
    return builder.build().queues[0].commands[-1]


SYNCHRONIZATION: list[tuple[str, str, Build]] = [
    ("flush vs", "graphics", lambda q, _: q.flush("vs")),
    ("flush ps", "graphics", lambda q, _: q.flush("ps")),
    ("flush cs", "compute", lambda q, _: q.flush("cs")),
    ("eos ps a = 1", "graphics", lambda q, r: q.end_of_shader("ps", r["a"], 1)),
    ("eos cs a = 0x10", "compute", lambda q, r: q.end_of_shader("cs", r["a"], 16)),
    ("eop a = 1", "graphics", lambda q, r: q.end_of_pipe(r["a"], 1)),
    (
        "eop a = 2 with tcc.wbinv tcp.volatile.wb",
        "graphics",
        lambda q, r: q.end_of_pipe(r["a"], 2, "tcc.wbinv tcp.volatile.wb"),
    ),
    (
        "eop with cb.pixels.wbinv",
        "graphics",
        lambda q, _: q.end_of_pipe(operations="cb.pixels.wbinv"),
    ),
    ("eop", "compute", lambda q, _: q.end_of_pipe()),
    (
        "eop timestamp heap[8:16] with tcc.wbinv",
        "graphics",
        lambda q, r: q.timestamp(Bytes(r["heap"], 8, 16), "tcc.wbinv"),
    ),
    ("wait me a == 1", "graphics", lambda q, r: q.wait(r["a"], 1, engine="me")),
    ("wait a == 1", "graphics", lambda q, r: q.wait(r["a"], 1, engine="me")),
    ("wait pfp a >= 1", "graphics", lambda q, r: q.wait(r["a"], 1, ">=", engine="pfp")),
    ("wait a != 1 & 0xff", "compute", lambda q, r: q.wait(r["a"], 1, "!=", mask=255)),
    ("wait a < 3", "copy", lambda q, r: q.wait(r["a"], 3, "<", engine="copy")),
    ("wait a <= 3", "cpu", lambda q, r: q.wait(r["a"], 3, "<=", engine="cpu")),
    ("wait a > 3", "cpu", lambda q, r: q.wait(r["a"], 3, ">")),
    ("wait a always 0", "graphics", lambda q, r: q.wait(r["a"], 0, "always")),
    ("wait idle", "compute", lambda q, _: q.wait_idle()),
    ("wait flip back", "graphics", lambda q, r: q.wait_flip(r["back"])),
    ("set a = 7", "graphics", lambda q, r: q.set(r["a"], 7, engine="me")),
    ("set pfp a = 7", "graphics", lambda q, r: q.set(r["a"], 7, engine="pfp")),
    ("set a = 7", "cpu", lambda q, r: q.set(r["a"], 7, engine="cpu")),
    ("pfp-sync-me", "graphics", lambda q, _: q.pfp_sync_me()),
    (
        "event cb.pixels.wb db.metadata.wbinv",
        "graphics",
        lambda q, _: q.event("cb.pixels.wb db.metadata.wbinv"),
    ),
    ("event", "graphics", lambda q, _: q.event()),
    (
        "sync me tcc.wbinv tcp.wbinv",
        "graphics",
        lambda q, _: q.sync("tcc.wbinv tcp.wbinv", engine="me"),
    ),
    ("sync k.inv", "compute", lambda q, _: q.sync("k.inv")),
    (
        "sync pfp tcc.wbinv coherent cb0 db base3 all",
        "graphics",
        lambda q, _: q.sync("tcc.wbinv", "cb0 db base3", engine="pfp"),
    ),
    ("sync coherent cb0", "graphics", lambda q, _: q.sync("", "cb0")),
    ("sync coherent cb7 hdr", "graphics", lambda q, r: q.sync("", "cb7", r["hdr"])),
    (
        "sync coherent cb0 hdr.cmask[0:8]",
        "graphics",
        lambda q, r: q.sync("", "cb0", Bytes(r["hdr"], 0, 8, "cmask")),
    ),
    ("dma wait", "graphics", lambda q, _: q.dma_wait("me")),
    ("dma wait pfp", "graphics", lambda q, _: q.dma_wait("pfp")),
    ("context", "graphics", lambda q, _: q.context()),
    ("frame", "compute", lambda q, _: q.frame()),
    ("kickoff", "compute", lambda q, _: q.kickoff()),
    ("present back", "graphics", lambda q, r: q.present(r["back"])),
]


@pytest.mark.parametrize(("line", "kind", "build"), SYNCHRONIZATION)
def test_synchronization(line: str, kind: str, build: Build) -> None:
    assert plain_value(one(line, kind)) == plain_value(by_builder(build, kind))


def test_every_synchronization_command_has_a_line() -> None:
    made = {type(one(line, kind)) for line, kind, _ in SYNCHRONIZATION}
    assert made == set(SPELLING)


def test_raw_ranges_of_a_surface_sync() -> None:
    sync = one("sync coherent base0 0x1000:0x2000")
    assert isinstance(sync, SurfaceSync)
    assert (sync.start, sync.end, sync.surface) == (0x1000, 0x2000, None)


def test_a_kickoff_on_the_cpu_names_a_queue() -> None:
    text = f"{HEAD}queue q: graphics\nkickoff\nqueue cpu: cpu\nkickoff q\n"
    kickoff = parse_text(text).queues[1].commands[0]
    assert isinstance(kickoff, Kickoff)
    assert kickoff.queue == "q"


def test_a_queue_may_go_on_later() -> None:
    text = "queue q: graphics\nflush ps\nqueue c: compute\nflush cs\nqueue q\nflush vs\n"
    first, second = parse_text(f"machine xbox-one\n{text}").queues
    assert [type(command) for command in first.commands] == [PartialFlush, PartialFlush]
    assert len(second.commands) == 1


def test_queues_may_have_any_word_as_a_name() -> None:
    text = "machine xbox-one\nqueue copy: copy\nqueue cpu: cpu\nqueue `a b`: compute\n"
    assert [queue.name for queue in parse_text(text).queues] == ["copy", "cpu", "a b"]


def test_suppressions() -> None:
    text = """\
machine xbox-one
allow repeated-flush "whole file"
queue q: graphics
  allow write-after-read "one"
  allow read-after-write "two"
  draw
  draw
"""
    program = parse_text(text, "a.fence")
    assert program.suppressions == (
        Suppression("repeated-flush", "a.fence", 0, "whole file", Place("a.fence", 2, 1)),
        Suppression("write-after-read", "a.fence", 6, "one", Place("a.fence", 4, 3)),
        Suppression("read-after-write", "a.fence", 6, "two", Place("a.fence", 5, 3)),
    )


def test_equal_accesses_of_a_file_are_one_object() -> None:
    text = f"{HEAD}queue q: graphics\ndraw ps.texture heap\ndraw ps.texture heap\n"
    first, second = parse_text(text).queues[0].commands
    assert isinstance(first, Work)
    assert isinstance(second, Work)
    assert first.accesses[0] is second.accesses[0]


def test_a_long_stream_is_read_in_linear_time() -> None:
    body = SKETCH.split("queue gfx: graphics\n")[1].split("\nqueue async", maxsplit=1)[0]
    text = SKETCH.split("queue gfx", maxsplit=1)[0] + "queue gfx: graphics\n" + body * 5000
    begin = time.process_time()
    program = parse_text(text)
    assert len(program.queues[0].commands) == 55_000
    assert time.process_time() - begin < 5
