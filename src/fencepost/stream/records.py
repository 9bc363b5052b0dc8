"""The records of the JSON Lines form, one class a `type` (docs/jsonl-format.md).

The published schema is made from these classes, docstrings and descriptions included.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from fencepost.stream.command import Comparison, Policy, WorkKind
from fencepost.stream.program import QueueKind

FORMAT: Literal["fencepost.stream"] = "fencepost.stream"
VERSION: Literal[1] = 1

Count = Annotated[int, Meta(ge=0)]
Size = Annotated[int, Meta(gt=0, description="bytes")]
Address = Annotated[
    int, Meta(ge=0, description="absolute byte address; none: laid out behind the one before")
]
Name = Annotated[str, Meta(min_length=1)]
Operation = Annotated[str, Meta(description="cache and action, like tcc.wbinv")]
Guarantees = Literal["", "documented", "strict"]
Stage = Literal["vs", "ps", "cs"]
EndStage = Literal["ps", "cs"]
Engine = Annotated[
    Literal["", "me", "pfp"], Meta(description="who waits or writes; none: ME, or the queue itself")
]


class Header(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first record of a stream."""

    format: Literal["fencepost.stream"]
    version: Literal[1]
    machine: Annotated[str, Meta(description="as `fencepost machine` lists them")]
    guarantees: Guarantees = ""


class Record(Struct, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Any record but the first."""


class Part(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A metadata part; without a size or address as the layout decides."""

    size: Size | None = None
    address: Address | None = None


class Buffer(Record, tag="buffer"):
    """A resource: plain bytes."""

    name: Name
    size: Size
    address: Address | None = None


class Target(Record):
    """What all targets say: a shape, or a size, or both."""

    name: Name
    width: Count = 0
    height: Count = 0
    format: Annotated[str, Meta(description="like rgba8, rgba16f-4x, d24s8")] = ""
    size: Size | None = None
    address: Address | None = None


class Color(Target, tag="color"):
    """A resource: a color target."""

    cmask: Part | None = None
    fmask: Part | None = None


class BackBuffer(Target, tag="backbuffer"):
    """A resource: a color target that can be presented."""

    cmask: Part | None = None
    fmask: Part | None = None


class Depth(Target, tag="depth"):
    """A resource: a depth target."""

    htile: Part | None = None


class Label(Record, tag="label"):
    """A resource: a fence's location in memory, with its starting value."""

    name: Name
    value: Count = 0
    size: Size = 8
    per_frame: Annotated[bool, Meta(description="starts anew in each repeated frame")] = False
    address: Address | None = None


class Gds(Record, tag="gds"):
    """A resource: a range of the global data share; its address counts from the start of GDS."""

    name: Name
    size: Size
    address: Address | None = None


class Queue(Record, tag="queue"):
    """A queue; its commands name it."""

    name: Name
    kind: QueueKind


class Allow(Struct, forbid_unknown_fields=True):
    """A rule that is accepted, and why."""

    rule: Name
    reason: Name


class AllowAll(Record, tag="allow"):
    """A rule that is accepted in the whole stream, and why."""

    rule: Name
    reason: Name


class Span(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Bytes [start, end) of a part of a resource, counted from the start of the part."""

    resource: Name
    part: Annotated[str, Meta(description="none: the main part")] = ""
    start: Count | None = None
    end: Count | None = None


class Access(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One use of bytes by one block. Without part and range: every part that the block touches."""

    block: Annotated[str, Meta(description="vs, ps, cs, cb0 to cb7, db, so, pfp, dma, cpu, copy")]
    use: Annotated[str, Meta(description="as `fencepost machine NAME` lists the ways")]
    resource: Name
    part: str = ""
    start: Annotated[int, Meta(ge=0, description="first byte, within the part")] | None = None
    end: Annotated[int, Meta(ge=0, description="the byte behind the last")] | None = None
    policy: Policy | None = None


class Command(Record):
    """What all commands say."""

    queue: Name
    name: Annotated[str, Meta(description="what people see")] = ""
    allow: list[Allow] = []


class Work(Command):
    """What all work says. `kind` where the verb does not say who executes it."""

    accesses: list[Access] = []
    unknown: Annotated[
        list[Literal["vs", "ps", "cs", "cb", "db", "so"]],
        Meta(description="blocks whose accesses are not shown"),
    ] = []
    kind: WorkKind | None = None
    engine: Annotated[Literal["me", "pfp"], Meta(description="who kicks a CP DMA")] = "me"
    synchronous: Annotated[bool, Meta(description="CP DMA: the engine waits for it")] = False
    raw_wait: Annotated[bool, Meta(description="CP DMA: waits for earlier ones")] = False
    cost: dict[str, str] = {}


class Draw(Work, tag="draw"):
    """A draw."""


class Dispatch(Work, tag="dispatch"):
    """A dispatch."""


class Copy(Work, tag="copy"):
    """A copy: by CP DMA, by the copy queue, or as `kind` says."""


class Clear(Work, tag="clear"):
    """A clear: by CP DMA, by the copy queue, or as `kind` says."""


class Resolve(Work, tag="resolve"):
    """A resolve, as the draw or dispatch that `kind` says."""


class Read(Work, tag="read"):
    """A read by the CPU."""


class Write(Work, tag="write"):
    """A write by the CPU."""


class Flush(Command, tag="flush", kw_only=True):
    """A partial flush."""

    stage: Stage


class EndOfPipe(Command, tag="eop"):
    """At the end of pipe: cache operations, then a value or a timestamp."""

    label: str = ""
    value: Count = 0
    operations: list[Operation] = []
    timestamp: Span | None = None


class EndOfShader(Command, tag="eos", kw_only=True):
    """At the end of shader: a value."""

    stage: EndStage
    label: Name
    value: Count


class Wait(Command, tag="wait", kw_only=True):
    """A wait on memory: `(label & mask) comparison (value & mask)`."""

    label: Name
    value: Count
    comparison: Comparison = Comparison.EQUAL
    mask: Count | None = None
    engine: Engine = ""


class Set(Command, tag="set", kw_only=True):
    """A value written at once."""

    label: Name
    value: Count
    engine: Engine = ""


class PfpSyncMe(Command, tag="pfp-sync-me"):
    """PFP waits for ME."""


class WaitIdle(Command, tag="wait-idle"):
    """A wait until idle."""


class Event(Command, tag="event"):
    """A pipelined event with its CB and DB cache operations."""

    operations: list[Operation] = []


class Sync(Command, tag="sync"):
    """A surface sync. `start`, `end` count within the surface; without one they are addresses."""

    operations: list[Operation] = []
    coherency: Annotated[list[str], Meta(description="cb0 to cb7, db, base0 to base3")] = []
    surface: str = ""
    part: str = ""
    start: Count | None = None
    end: Count | None = None
    engine: Engine = ""


class Context(Command, tag="context"):
    """A context register is written."""


class DmaWait(Command, tag="dma-wait"):
    """A wait until the CP DMA is idle."""

    engine: Engine = ""


class Kickoff(Command, tag="kickoff"):
    """On the CPU: submit the next part of `target`. On a GPU queue: where that part starts."""

    target: str = ""


class Frame(Command, tag="frame"):
    """A new frame starts."""


class Present(Command, tag="present", kw_only=True):
    """A flip to this back buffer."""

    buffer: Name


class WaitFlip(Command, tag="wait-flip", kw_only=True):
    """A wait until no earlier flip of this back buffer is visible."""

    buffer: Name


Resource = Buffer | Color | BackBuffer | Depth | Label | Gds
AnyWork = Draw | Dispatch | Copy | Clear | Resolve | Read | Write
Synchronization = (
    Flush
    | EndOfPipe
    | EndOfShader
    | Wait
    | Set
    | PfpSyncMe
    | WaitIdle
    | Event
    | Sync
    | Context
    | DmaWait
    | Kickoff
    | Frame
    | Present
    | WaitFlip
)
AnyRecord = Resource | Queue | AllowAll | AnyWork | Synchronization
"""Every record but the first."""

WORKS: tuple[type[Work], ...] = (Draw, Dispatch, Copy, Clear, Resolve, Read, Write)
TYPES: tuple[str, ...] = tuple(str(record.__struct_config__.tag) for record in get_args(AnyRecord))
"""What `type` may say."""


def tag_of(record: type[Record]) -> str:
    """What `type` says in records of that class."""
    return str(record.__struct_config__.tag)
