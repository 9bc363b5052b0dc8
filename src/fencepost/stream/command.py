"""Commands: work with its accesses, and synchronization (design 4.1, 4.3; model 4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fencepost.place import NOWHERE, Place
from fencepost.stream.resource import WHOLE_END, WHOLE_START, Resource


class Policy(StrEnum):
    """L1 (TCP) policies [seed 000 "L1 cache policies"]."""

    HIT_LRU = "hit-lru"
    HIT_EVICT = "hit-evict"
    MISS_LRU = "miss-lru"
    MISS_EVICT = "miss-evict"


@dataclass(frozen=True, slots=True)
class Access:
    """One use of bytes by one block: `block.use resource.part[start:end]`.

    `block` is `vs`, `ps`, `cs`, `cb0`..`cb7`, `db`, `so`, `pfp`, `dma`, `cpu`, `copy`, `cp`,
    `display`; `use` is a row of
    the machine's ways (`texture`, `uav-write`, `write`, `args`, ...). Addresses are absolute,
    half-open.
    """

    block: str
    use: str
    resource: Resource
    part: str
    start: int
    end: int
    policy: Policy | None = None


class WorkKind(StrEnum):
    """Who executes a work; it decides start, completion and legality."""

    DRAW = "draw"
    DISPATCH = "dispatch"
    DMA = "dma"
    CPU = "cpu"
    COPY = "copy"


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Anything in a queue. `name` is the quoted name or packet name that people see."""

    name: str = ""
    place: Place = NOWHERE

    @property
    def foreign(self) -> bool:
        """Did the kernel add it (its name says so)? It is no waste of this stream's author."""
        return self.name.startswith("kernel ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(Command):
    """A command that accesses memory.

    `verb` is the word it was written with (`draw`, `dispatch`, `copy`, `clear`, `resolve`, `read`,
    `write`). `unknown` names the blocks
    whose accesses the input does not show (`vs`, `ps`, `cs`). For CP DMA: `engine` (`me`, `pfp`)
    kicks it, `synchronous` is CP_SYNC,
    `raw_wait` orders it behind earlier DMAs. `cost` holds `key=value` pairs from after `@`, unread
    here.
    """

    kind: WorkKind
    verb: str
    accesses: tuple[Access, ...]
    unknown: tuple[str, ...] = ()
    engine: str = "me"
    synchronous: bool = False
    raw_wait: bool = False
    cost: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CacheOperation:
    """One cache operation.

    `cache` as the machine's operations table names it, `action` is `wb`, `inv` or `wbinv`.
    """

    cache: str
    action: str

    def __str__(self) -> str:
        return f"{self.cache}.{self.action}"


FULL_MASK = 0xFFFF_FFFF_FFFF_FFFF
"""A wait that compares every bit."""


class Comparison(StrEnum):
    """How a wait compares `value & mask` with `reference & mask` [hardware.md 1.3 WAIT_REG_MEM]."""

    ALWAYS = "always"
    LESS = "<"
    LESS_EQUAL = "<="
    EQUAL = "=="
    NOT_EQUAL = "!="
    GREATER_EQUAL = ">="
    GREATER = ">"


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialFlush(Command):
    """ME waits until the stage (`vs`, `ps`, `cs`) of all earlier work has drained (model 4.1)."""

    stage: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfPipe(Command):
    """Cache operations, then a value, at the end of pipe (model 4.2).

    `timestamp` writes a clock value to `access` instead.
    """

    label: Resource | None = None
    value: int = 0
    operations: tuple[CacheOperation, ...] = ()
    timestamp: Access | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndOfShader(Command):
    """A value when the stage (`ps`, `cs`) of all earlier work has drained (model 4.3)."""

    stage: str
    label: Resource
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitMemory(Command):
    """An engine (`me`, `pfp`, `cpu`, `copy`) waits for a label (model 4.4)."""

    engine: str
    label: Resource
    comparison: Comparison
    reference: int
    mask: int = FULL_MASK


@dataclass(frozen=True, slots=True, kw_only=True)
class SetLabel(Command):
    """An engine (`me`, `pfp`, `cpu`, `copy`) writes a label at once (WRITE_DATA.

    A CPU store) (model 4.4).
    """

    engine: str
    label: Resource
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PfpSyncMe(Command):
    """PFP waits until ME has handled everything before here (model 4.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitIdle(Command):
    """ME waits until the queue is idle and its flushes are finished (model 4.4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelinedEvent(Command):
    """CB/DB cache operations at the end of pipe of the preceding draws (model 4.5).

    With no operations it is an event that orders nothing here (statistics, markers).
    """

    operations: tuple[CacheOperation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceSync(Command):
    """Coherency and cache operations at the top of pipe (model 4.6).

    `coherency` holds `cb0`..`cb7`, `db`, `base0`..`base3`; the byte range [start, end) is one for
    all of them. `surface` is the resource
    that the range was written as, for people.
    """

    engine: str
    operations: tuple[CacheOperation, ...] = ()
    coherency: tuple[str, ...] = ()
    start: int = WHOLE_START
    end: int = WHOLE_END
    surface: Resource | None = None
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextWrite(Command):
    """A context register is written: the next draw needs a new context (model 4.7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DmaWait(Command):
    """The engine waits until the CP DMA is idle (model 4.9)."""

    engine: str = "me"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kickoff(Command):
    """On the CPU: submit `queue`'s next part.

    On a GPU queue (`queue` empty): where that part starts (model 4.8).
    """

    queue: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame(Command):
    """A new frame starts (model 4.8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Present(Command):
    """Queue a flip to this back buffer; `access` is the display's read (model 4.10)."""

    access: Access


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitFlip(Command):
    """ME waits until no earlier present of this buffer is visible (model 4.10)."""

    buffer: Resource
