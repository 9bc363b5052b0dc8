"""The commands that enumerated programs are made of, written as lines of the text form.

All works use one cache line, whole or half: as a buffer, a color target, a depth target, or as
CMASK, FMASK or HTILE of targets whose pixels lie elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.stream.command import (
    Command,
    ContextWrite,
    DmaWait,
    EndOfPipe,
    Frame,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    Work,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.text.parser import parse_text

RESOURCES = """
buffer buf    64 at 0x1000
color  color  64 at 0x1000
color  masked 64 at 0x4000 cmask 64 at 0x1000 fmask 64 at 0x1000
depth  depth  64 at 0x1000
depth  tiled  64 at 0x5000 htile 64 at 0x1000
label  label = 0 at 0x9000
"""

WORKS = """
draw vs.texture buf
draw ps.texture buf
draw ps.texture buf miss-lru
draw ps.texture buf hit-evict
dispatch cs.texture buf
dispatch cs.texture buf miss-evict
draw vs.constant buf
draw ps.constant buf
dispatch cs.constant buf
draw ps.code buf
dispatch cs.uav-read buf
draw ps.uav-write buf
dispatch cs.uav-write buf
dispatch cs.uav-write buf miss-evict
dispatch cs.uav buf
draw ps.atomic buf
dispatch cs.atomic buf
draw cb0.write color
draw cb0.blend color
draw cb0.read color
draw cb0.write masked.cmask
draw cb0.blend masked.cmask
draw cb0.write masked.fmask
draw db.test depth
draw db.write depth
draw db.clear depth
draw db.test tiled.htile
draw db.write tiled.htile
draw pfp.index buf
draw pfp.args buf
dispatch pfp.args buf
copy as dma dma.read buf
copy as dma sync dma.read buf
copy as dma by pfp dma.read buf
copy as dma dma.write buf
copy as dma sync dma.write buf
copy as dma raw-wait dma.write buf
copy as dma by pfp dma.write buf
copy as dma dma.read-tcc buf
copy as dma by pfp dma.read-tcc buf
copy as dma dma.write-tcc buf
"""

HALVES = """
draw ps.texture buf[0:32]
draw ps.texture buf[32:64]
dispatch cs.texture buf[0:32]
dispatch cs.texture buf[32:64]
draw ps.constant buf[32:64]
dispatch cs.uav-write buf[0:32]
dispatch cs.uav-write buf[32:64]
dispatch cs.atomic buf[0:32]
draw cb0.write color[0:32]
draw cb0.blend color[32:64]
draw db.write depth[32:64]
draw pfp.args buf[0:32]
copy as dma dma.write buf[0:32]
copy as dma by pfp dma.read-tcc buf[32:64]
"""

ODD_WORKS = """
draw so.write buf
draw so.write buf[0:32]
draw pfp.predicate buf
draw vs.vertex buf
draw ps.uav-read buf miss-evict
dispatch cs.uav buf miss-evict
draw cb1.write color
draw cb1.blend color
draw ps.texture buf; cb0.write masked
draw cb0.blend color; cb1.write masked
draw cb0.write color; db.write tiled
draw vs.texture buf[0:32]; ps.constant buf[32:64]
draw ps.uav-write buf[0:32]; cb0.blend color[32:64]
dispatch cs.uav-write buf[0:32]; cs.constant buf[32:64]
dispatch cs.atomic buf; cs.texture masked
dispatch cs.uav-read buf; cs.atomic buf
copy as dma dma.read buf[0:32]; dma.write buf[32:64]
"""

SEVERAL_ACCESSES = """
dispatch cs.uav-write buf; cs.atomic buf
dispatch cs.atomic buf; cs.uav-write buf
dispatch cs.uav-read buf; cs.uav-write buf
dispatch cs.uav-write buf[0:32]; cs.atomic buf
draw ps.uav-write buf; ps.atomic buf
draw ps.atomic buf; ps.uav-write buf
draw vs.atomic buf; ps.atomic buf
draw so.write buf; so.write buf
"""
"""What one work does to the same bytes, twice."""

OWN_WORKS = """
copy as dma cp.read buf
copy as dma cp.store buf
copy as dma cp.store buf[0:32]
copy as dma pfp.read buf
copy as dma pfp.store buf
copy as dma pfp.store buf[0:32]
"""
"""What ME and PFP access themselves."""

SYNCS = """
flush vs
flush ps
flush cs
wait idle
eop label = 1
eop label = 1 with tcc.wbinv tcp.wbinv
eop label = 1 with tcc.wbinv
eop label = 1 with tcp.wbinv
eop with tcc.wbinv tcp.wbinv
eop with tcc.wbinv
eop with tcp.wbinv
eos ps label = 1
eos cs label = 1
wait me label == 1
wait pfp label == 1
pfp-sync-me
context
frame
dma wait me
dma wait pfp
sync me tcc.wbinv tcp.wbinv
sync me tcc.wbinv
sync me tcp.wbinv
sync pfp tcc.wbinv tcp.wbinv
sync me k.inv
sync me tcc.wbinv k.inv
sync me i.inv
sync me tcc.wbinv i.inv
event cb.pixels.wb
event cb.pixels.wbinv
event cb.metadata.wbinv
event db.pixels.wb
event db.pixels.wbinv
event db.metadata.wbinv
event cb.pixels.wbinv db.pixels.wbinv
sync me coherent cb0 0x1000:0x1040
sync me coherent cb0 0x8000:0x8040
sync me coherent cb1 0x1000:0x1040
sync me coherent cb1 all
sync me tcc.wbinv tcp.wbinv coherent cb0 0x1000:0x1040
sync me cb.pixels.wbinv tcc.wbinv tcp.wbinv coherent cb0 0x1000:0x1040
sync me cb.pixels.wbinv coherent cb0 0x1000:0x1040
sync me cb.pixels.wbinv
sync pfp cb.pixels.wbinv tcc.wbinv tcp.wbinv coherent cb0 0x1000:0x1040
sync pfp coherent cb0 0x1000:0x1040
sync me coherent db 0x1000:0x1040
sync me coherent db 0x8000:0x8040
sync me tcc.wbinv tcp.wbinv coherent db 0x1000:0x1040
sync me db.pixels.wbinv tcc.wbinv tcp.wbinv coherent db 0x1000:0x1040
sync me db.pixels.wbinv coherent db all
sync me db.pixels.wbinv coherent 0x8000:0x8040
sync me db.pixels.wbinv
sync pfp db.pixels.wbinv tcc.wbinv tcp.wbinv coherent db 0x1000:0x1040
"""

ODD_SYNCS = """
flush vs
flush ps
flush cs
wait idle
dma wait me
pfp-sync-me
event
event cb.metadata.wbinv db.metadata.wbinv
event cb.pixels.wbinv
context
eop label = 1 with tcc.wbinv tcp.wbinv
eop label = 2
eos ps label = 2
set me label = 1
set me label = 2
set pfp label = 1
wait me label == 0
wait me label >= 1
wait me label == 2
wait pfp label != 0
sync me coherent base0 all
sync me coherent base0 0x1000:0x1040
sync me coherent base0 cb0 db all
sync me coherent cb1 0x1000:0x1040
sync pfp coherent cb0 db all
sync pfp cb.pixels.wbinv db.pixels.wbinv coherent cb0 db all
sync me tcc.wbinv tcp.wbinv k.inv
sync pfp tcc.wbinv k.inv i.inv
"""

CONTEXT_SYNCS = """
context
flush ps
event cb.pixels.wbinv
event db.pixels.wbinv
sync me
sync me coherent cb0 color
sync me coherent cb1 all
sync pfp coherent cb0 color
sync me cb.pixels.wbinv coherent cb0 color
"""
"""What concerns graphics contexts, and little else."""

CB_AT_END = """
eop with cb.pixels.wbinv
eop label = 1 with cb.pixels.wbinv tcc.wbinv tcp.wbinv
"""
"""What only PM4 can say: an EOP with CB operations."""


@dataclass(frozen=True, slots=True)
class Item:
    """A command and the line it was written as. `topics`: what it is about, for choosing."""

    text: str
    command: Command
    topics: frozenset[str]

    @property
    def is_work(self) -> bool:
        """Whether it accesses memory."""
        return isinstance(self.command, Work)


def read(lines: str, machine: str = "xbox-one", kind: str = "graphics") -> tuple[Item, ...]:
    """Lines of a queue as items."""
    texts = [line.strip() for line in lines.strip().splitlines()]
    listing = "\n".join(texts)
    other = "queue gfx: graphics\nkickoff\n" if "kickoff gfx" in texts else ""
    program = parse_text(f"machine {machine}\n{RESOURCES}\nqueue here: {kind}\n{listing}\n{other}")
    commands = program.queues[0].commands
    return tuple(
        Item(text, command, frozenset(topics(command)))
        for text, command in zip(texts, commands, strict=True)
    )


def topics(command: Command) -> Iterable[str]:
    """The blocks and caches that a command is about; nothing if it is about all."""
    match command:
        case Work(accesses=accesses):
            for access in accesses:
                yield access.block.rstrip("0123456789")
                yield access.part
                yield {"constant": "k", "code": "i"}.get(access.use, "")
                if access.block in ("vs", "ps", "cs") or access.use.endswith("tcc"):
                    yield "tcc"
        case EndOfPipe(operations=operations) | PipelinedEvent(operations=operations):
            yield from (cache_topic(one.cache) for one in operations)
        case SurfaceSync(operations=operations, coherency=coherency):
            found = {cache_topic(one.cache) for one in operations}
            found |= {name.rstrip("0123456789") for name in coherency}
            yield from found - {"tcc"} or found
        case ContextWrite():
            yield from ("cb", "db")
        case DmaWait():
            yield "dma"
        case Frame():
            yield "tcc"
        case PfpSyncMe():
            yield from ("pfp", "dma")


def cache_topic(cache: str) -> str:
    """The word that says which works an operation on this cache concerns."""
    return {"tcp": "tcc", "cb.metadata": "cmask", "db.metadata": "htile"}.get(
        cache, cache.removesuffix(".pixels")
    )


def concerning(works: Iterable[Item], syncs: Iterable[Item]) -> tuple[Item, ...]:
    """The synchronization that is about everything, or about something that these works use."""
    words: frozenset[str] = frozenset().union(*(one.topics for one in works))
    if "fmask" in words:
        words |= {"cmask"}
    return tuple(one for one in syncs if not one.topics or one.topics & words)


def program_of(items: Iterable[Item], machine: str) -> Program:
    """A program of one graphics queue."""
    queue = Queue("gfx", QueueKind.GRAPHICS, tuple(item.command for item in items))
    return Program(machine, NAMED, (queue,))


NAMED = parse_text(f"machine xbox-one\n{RESOURCES}").resources
