"""The row types of a machine and the machine itself.

Layout follows the seed's and design 4's tables.
"""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.machine.primitives import Step

ALL_POLICIES = ("hit-lru", "hit-evict", "miss-lru", "miss-evict")
WRITE_POLICIES = ("miss-lru", "miss-evict")


@dataclass(frozen=True, slots=True)
class EngineRow:
    """A unit that executes commands or makes accesses."""

    name: str
    title: str
    does: str
    source: str


@dataclass(frozen=True, slots=True)
class GroupRow:
    """How accesses become complete: one monotone position per queue and group (model 2.4)."""

    name: str
    complete_when: str
    source: str


@dataclass(frozen=True, slots=True)
class CacheRow:
    """A cache.

    `operated_as`: its name in cache operations. `dirty`: holds written data back from the next
    level.

    `private`: one copy per CU. `in_order`: the block whose accesses reach it in order. `confirm`:
    the kind of confirm that its
    pipelined operations need ("" = as the command says).
    """

    name: str
    title: str
    operated_as: str
    dirty: bool
    private: bool
    in_order: str
    confirm: str
    source: str


@dataclass(frozen=True, slots=True)
class WayRow:
    """One kind of access: who makes it, what it touches, through which caches, when it is complete.

    `engine`: whose clock it may rely on (`me`, `pfp`, `kick` = the kicking engine, `serial` = CPU
    or copy queue, `end` = down the pipe). `group` "" = the group named like the block.
    `safe_with`: accesses of one queue with the same mark need no order among themselves;
    `safe_across`: nor do those of different queues. `inside`: accesses of one command and block
    with the same mark are the shader's own matter (model 3.6).
    """

    blocks: tuple[str, ...]
    use: str
    part: str
    reads: bool
    writes: bool
    caches: tuple[str, ...]
    engine: str
    group: str
    source: str
    safe_with: str = ""
    safe_across: bool = False
    inside: str = ""
    policies: tuple[str, ...] = ()
    policy: str = ""


@dataclass(frozen=True, slots=True)
class OperationRow:
    """A cache operation that exists.

    Where it may be issued and whether it honours a range (seed's table).
    """

    cache: str
    title: str
    action: str
    top: bool
    pipelined: bool
    ranged: bool
    source: str


@dataclass(frozen=True, slots=True)
class CommandRow:
    """What a synchronization command does. `operand` tells variants apart (a stage, an engine)."""

    command: str
    operand: str
    queues: tuple[str, ...]
    steps: tuple[Step, ...]
    api: str
    packet: str
    guarantees: str
    source: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named number of the machine with its unit.

    `source` is `assumed` where nobody published it.
    """

    name: str
    value: int
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine: tables only. `guarantees` is the default level (`documented` or `strict`).

    `eop_caches`: whose operations an EOP can carry.
    """

    name: str
    title: str
    guarantees: str
    engines: tuple[EngineRow, ...]
    groups: tuple[GroupRow, ...]
    caches: tuple[CacheRow, ...]
    ways: tuple[WayRow, ...]
    operations: tuple[OperationRow, ...]
    commands: tuple[CommandRow, ...]
    parameters: tuple[Parameter, ...]
    costs: tuple[Parameter, ...] = ()
    line: int = 64
    contexts: int = 8
    sync_granularity: int = 256
    draw_end: tuple[str, ...] = ("vs", "ps", "cb", "db")
    so_coherency: bool = False
    double_eop: bool = False
    eop_caches: tuple[str, ...] = (
        *("tcc", "tcp", "tcc.volatile", "tcp.volatile"),
        *("cb.pixels", "cb.metadata", "db.pixels", "db.metadata"),
    )

    def cache(self, name: str) -> CacheRow:
        """The row of that cache; KeyError if there is none."""
        for row in self.caches:
            if row.name == name:
                return row
        raise KeyError(name)

    def way(self, block: str, use: str, part: str) -> WayRow | None:
        """The row of an access: `block` may carry a number (`cb3`).

        None if no engine of this machine makes it.
        """
        kind = block.rstrip("0123456789")
        for row in self.ways:
            if kind in row.blocks and use == row.use and row.part in ("*", part):
                return row
        return None

    def command(self, command: str, operand: str = "") -> CommandRow | None:
        """The row of a synchronization command, or None."""
        for row in self.commands:
            if row.command == command and row.operand in ("", operand):
                return row
        return None

    def operation(self, cache: str, action: str) -> OperationRow | None:
        """The row of a cache operation, or None."""
        for row in self.operations:
            if row.cache == cache and row.action == action:
                return row
        return None
