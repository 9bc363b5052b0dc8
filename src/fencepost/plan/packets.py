"""What packets cost at least that do what a state of a plan lacks, and what they may be for.

The lightest mix that the machine's table of costs allows. What one packet takes from it is never
more than what the packet costs: so a search can leave a packet aside without carrying it out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.machine.tables import Machine
from fencepost.plan.costs import CostTable
from fencepost.plan.menu import READ_CACHES
from fencepost.stream.command import (
    Command,
    EndOfPipe,
    EndOfShader,
    PfpSyncMe,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
)

Interval = tuple[int, int]
"""The first and the last stop in whose gap something may be put."""


@dataclass(frozen=True, slots=True)
class Priced:
    """A command's cycles, and the most of them that may be for what is lacking.

    `operations`: cache and cycles; `waits`: it makes something known; `pfp`, `across`: for PFP, for
    another queue.
    """

    cycles: int
    packet: int
    operations: tuple[tuple[str, int], ...]
    waits: bool
    pfp: int
    across: int


@dataclass(frozen=True, slots=True)
class Lacking:
    """What is still to be put costs at least `cycles`, its packets alone `packets`.

    `caches`: those that lack an operation. `waits`: something has to wait; `pfp`: PFP has to;
    `across`: for another queue; `behind`: the stops of the works that it is about; `useful`: the
    caches on which an operation may help.
    """

    cycles: int = 0
    packets: int = 0
    caches: frozenset[str] = frozenset()
    waits: bool = False
    pfp: bool = False
    across: bool = False
    behind: frozenset[int] = frozenset()
    useful: frozenset[str] = frozenset()

    @property
    def kinds(self) -> tuple[object, ...]:
        """All that credits depend on."""
        return self.packets, self.caches, self.waits, self.pfp, self.across

    def credit(self, piece: Priced) -> int:
        """The most that a piece takes from what is lacking, without what it waits for."""
        serves = False
        found = 0
        for cache, cycles in piece.operations:
            if cache in self.caches:
                found += cycles
                serves = True
        if serves or (piece.waits and self.waits):
            found += min(piece.packet, self.packets)
        if piece.pfp and self.pfp:
            found += piece.pfp
        return found + (piece.across if self.across else 0)


NOTHING = Lacking()


@dataclass(slots=True)
class Rest:
    """Where what is still to be put may stand.

    `own`: what the program's own commands cost; `loaded`: operations that one of these could carry.
    `waits`: what makes something known; `operated`: an operation, `drains`: the end of works.
    `behind`: the stops of the works that it is about; `useful`: operations that may help.
    """

    own: int = 0
    caches: dict[str, list[Interval]] = field(default_factory=dict)
    loaded: dict[str, list[Interval]] = field(default_factory=dict)
    waits: list[Interval] = field(default_factory=list)
    drains: list[Interval] = field(default_factory=list)
    operated: list[Interval] = field(default_factory=list)
    dispatches: list[Interval] = field(default_factory=list)
    pfp: list[Interval] = field(default_factory=list)
    pfp_dispatches: list[Interval] = field(default_factory=list)
    across: dict[int, list[Interval]] = field(default_factory=dict)
    stalls: list[tuple[int, int, int]] = field(default_factory=list)
    behind: set[int] = field(default_factory=set)
    useful: set[str] = field(default_factory=set)


class Packets:
    """What packets cost at least that do what is lacking."""

    def __init__(self, table: CostTable, machine: Machine, documented: bool) -> None:
        self.table = table
        self._operations = {
            row.cache: table.cycles(f"operation {row.cache}") for row in machine.operations
        }
        self._top = {row.cache for row in machine.operations if row.top}
        self._event, self._end = table.cycles("PipelinedEvent"), table.cycles("EndOfPipe")
        self._sync, self._bit = table.cycles("SurfaceSync"), table.cycles("coherency")
        self._flush, self._wait = table.cycles("PartialFlush"), table.cycles("WaitMemory")
        self._confirm = min(table.cycles("confirm"), self._wait - self._flush)
        self._hear = 0 if documented else self._wait - self._flush
        self._pfp = table.cycles("SurfaceSync pfp") - self._sync
        wait = table.cycles("WaitMemory pfp") - self._flush
        self._pfp_sync = max(self._pfp, min(table.cycles("PfpSyncMe"), wait))

    def lacking(self, found: Rest) -> Lacking:
        """The sum of it all."""
        cycles, reads, targets, metadata = found.own, 0, 0, 0
        for cache in found.loaded.keys() - found.caches.keys():
            cycles += stabs(found.loaded[cache]) * self._operations[cache]
        for cache, intervals in found.caches.items():
            times = stabs(intervals)
            cycles += times * self._operations[cache]
            if cache in READ_CACHES:
                reads = max(reads, times)
            elif cache in self._top:
                targets = max(targets, times)
            else:
                metadata = max(metadata, times)
        every = (found.waits, found.operated, found.drains, found.dispatches)
        packets = self._fewest(reads, targets, metadata, *map(stabs, every))
        pfp = stabs(found.pfp) * self._pfp, stabs(found.pfp_dispatches) * self._pfp_sync
        cycles += max(pfp) + stalled(found.stalls)
        for intervals in found.across.values():
            cycles += stabs(intervals) * self._wait
        return Lacking(
            cycles + packets,
            packets,
            frozenset(found.caches) | frozenset(found.loaded),
            bool(found.waits),
            bool(found.pfp),
            bool(found.across),
            frozenset(found.behind),
            frozenset(found.useful),
        )

    def _fewest(
        self,
        reads: int,
        targets: int,
        metadata: int,
        waits: int,
        operated: int,
        drains: int,
        dispatches: int,
    ) -> int:
        """The cheapest mix of surface syncs, ends of pipe, events and other waits.

        A surface sync makes the end of its operations known by itself; it waits for draws only with
        a coherency bit. A flush hears of operations at the level `documented` only.
        """
        most = max(reads, targets, metadata, waits)
        mixes = []
        for syncs in range(most + 1):
            others = max(waits - syncs, dispatches, 0)
            packets = syncs * self._sync + others * self._flush
            packets += max(0, operated - syncs) * self._hear
            packets += max(0, drains - others) * self._bit
            for ends in range(max(0, reads - syncs), max(reads, targets, metadata) + 1):
                events = max(0, metadata - ends, targets - syncs - ends)
                confirms = self._confirm if reads > syncs else 0
                mixes.append(packets + ends * self._end + events * self._event + confirms)
        return min(mixes)

    def priced(self, command: Command) -> Priced:
        """A command's cycles, and what of them may be for what is lacking."""
        operations = tuple(
            (one.cache, self.table.cycles(f"operation {one.cache}"))
            for one in getattr(command, "operations", ())
        )
        cycles = self.table.command(command)
        packet, pfp = 0, self._pfp if getattr(command, "engine", "") == "pfp" else 0
        waits, across = True, 0
        match command:
            case SurfaceSync():
                packet = self._sync + (self._bit if command.coherency else 0)
            case PipelinedEvent():
                packet, waits = self._event, False
            case EndOfPipe():
                packet, waits = self._end + self._confirm, False
            case EndOfShader() | SetLabel():
                waits = False
            case WaitMemory():
                packet, across = self._flush + self._hear, self._wait
                pfp = pfp and self._pfp_sync
            case WaitIdle():
                packet = self._flush + self._hear
            case PfpSyncMe():
                packet, pfp, across = self._flush, self._pfp_sync, self._wait
            case _:
                packet = self._flush
        return Priced(cycles, packet, operations, waits, pfp, across)


def stabs(intervals: list[Interval]) -> int:
    """The fewest places that have one in each interval."""
    if len(intervals) < 2:
        return len(intervals)
    count, last = 0, -1
    for first, until in sorted(intervals, key=lambda one: one[1]):
        if first > last:
            count, last = count + 1, until
    return count


def stalled(stalls: list[tuple[int, int, int]]) -> int:
    """The least time that gives each (until, first, time) what it asks for, between the two."""
    given: list[tuple[int, int]] = []
    for until, first, time in sorted(stalls):
        missing = time - sum(cycles for place, cycles in given if place >= first)
        if missing > 0:
            given.append((until, missing))
    return sum(cycles for _, cycles in given)
