"""The synchronization commands that could be put into a gap.

(seed 000 "Putting it all together").

A pipelined flush of the producer's block, a barrier, a top-of-pipe invalidate for the consumer:
here is every command of these kinds that does something that is wanted. Values and waits for them
are in `moves`, since they stand in different gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

from fencepost.machine.tables import Machine
from fencepost.plan.pieces import DRAIN, END, EVENT, IDLE, LAST, SYNC
from fencepost.plan.tracks import Surface
from fencepost.plan.wants import Wants
from fencepost.stream.command import (
    CacheOperation,
    Command,
    DmaWait,
    EndOfPipe,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    WaitIdle,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START

READ_CACHES = ("tcc", "tcp", "k", "i")
TARGET_CACHES = ("cb.pixels", "cb.metadata", "db.pixels", "db.metadata")
DRAW_GROUPS = frozenset({"vs", "ps", "cb", "db"})

Item = tuple[int, Command]
"""A rank (`pieces`) and a command."""

T = TypeVar("T")


def subsets(items: Iterable[T]) -> Iterator[tuple[T, ...]]:
    """Every subset, smallest first; the empty one too."""
    listed = tuple(items)
    for size in range(len(listed) + 1):
        yield from combinations(listed, size)


class Menu:
    """What a queue of that kind may do about some wants."""

    def __init__(self, machine: Machine, documented: bool, kind: QueueKind) -> None:
        self.machine, self.documented, self.kind = machine, documented, kind
        self.graphics = kind is QueueKind.GRAPHICS

    def items(self, wants: Wants, surfaces: tuple[Surface, ...]) -> tuple[Item, ...]:
        """Everything but fences, in the order in which it would stand in a gap."""
        if self.kind not in (QueueKind.GRAPHICS, QueueKind.COMPUTE):
            return ()
        return (
            *((EVENT, one) for one in self.events(wants)),
            *((END, EndOfPipe(operations=some)) for some in self.carried(wants) if some),
            *((DRAIN, one) for one in self._drains(wants)),
            *([(IDLE, WaitIdle())] if wants.groups or wants.heard else []),
            *((SYNC, one) for one in self._syncs(wants, surfaces)),
            *([(LAST, PfpSyncMe())] if wants.pfp and self.graphics else []),
        )

    # -- operations

    def _operation(self, cache: str, *, top: bool) -> CacheOperation:
        """The strongest operation of that cache there."""
        rows = [row for row in self.machine.operations if row.cache == cache]
        able = [row for row in rows if (row.top if top else row.pipelined)]
        strongest = max(able, key=lambda row: len(row.action))
        return CacheOperation(cache, strongest.action)

    def _targets(self, wants: Wants) -> list[str]:
        """The caches of CB and DB that an event could be about."""
        if not self.graphics:
            return []
        return [cache for cache in TARGET_CACHES if cache in wants.caches]

    def events(self, wants: Wants) -> list[Command]:
        """Pipelined events, one packet each."""
        operations = [self._operation(cache, top=False) for cache in self._targets(wants)]
        return [PipelinedEvent(operations=some) for some in subsets(operations) if some]

    def carried(self, wants: Wants) -> list[tuple[CacheOperation, ...]]:
        """What an end of pipe may carry: each subset, nothing too."""
        able = self._targets(wants) + [c for c in ("tcc", "tcp") if c in wants.caches]
        able = [cache for cache in able if cache in self.machine.eop_caches]
        return list(subsets(self._operation(cache, top=False) for cache in able))

    # -- more for what is there

    def stronger(
        self, command: Command | None, wants: Wants, surfaces: tuple[Surface, ...]
    ) -> Iterator[Command]:
        """A command of the program with more of what is wanted."""
        if isinstance(command, EndOfPipe):
            yield from self._with_more(command, self.carried(wants))
        elif isinstance(command, PipelinedEvent):
            targets = [self._operation(one, top=False) for one in self._targets(wants)]
            yield from self._with_more(command, subsets(targets))
        elif isinstance(command, SurfaceSync):
            yield from self._stronger_sync(command, wants, surfaces)

    @staticmethod
    def _with_more(
        command: EndOfPipe | PipelinedEvent | SurfaceSync,
        sets: Iterable[tuple[CacheOperation, ...]],
    ) -> Iterator[EndOfPipe | PipelinedEvent | SurfaceSync]:
        """With each set of operations that are all new to it."""
        there = {operation.cache for operation in command.operations}
        for some in sets:
            if some and not there & {operation.cache for operation in some}:
                every = (*command.operations, *some)
                yield replace(command, operations=tuple(sorted(every, key=_far_to_near)))

    def _stronger_sync(
        self, command: SurfaceSync, wants: Wants, surfaces: tuple[Surface, ...]
    ) -> Iterator[Command]:
        """With operations, with bits of the targets, with both."""
        bits = [_bit(block) for block, _, _ in surfaces] if self.graphics else []
        more = [bit for bit in dict.fromkeys(bits) if bit not in command.coherency]
        pixels = [c for c in ("cb.pixels", "db.pixels") if self.graphics and c in wants.caches]
        caches = [*(c for c in READ_CACHES if c in wants.caches), *pixels]
        sets = list(subsets(self._operation(cache, top=True) for cache in caches))
        for some in subsets(more):
            other = replace(command, coherency=(*command.coherency, *some))
            if some:
                yield other
            yield from self._with_more(other, sets)

    # -- waits

    def _drains(self, wants: Wants) -> Iterator[Command]:
        if self.graphics and "vs" in wants.groups:
            yield PartialFlush(stage="vs")
        confirms = self.documented and wants.heard
        if self.graphics and (wants.groups & DRAW_GROUPS or confirms):
            yield PartialFlush(stage="ps")
        if "cs" in wants.groups or confirms:
            yield PartialFlush(stage="cs")
        if wants.groups & {"dma", "dma.pfp"}:
            yield DmaWait()
            if wants.pfp and self.graphics:
                yield DmaWait(engine="pfp")

    # -- surface syncs

    def _syncs(self, wants: Wants, surfaces: tuple[Surface, ...]) -> Iterator[Command]:
        top = [self._operation(c, top=True) for c in READ_CACHES if c in wants.caches]
        pixels = [c for c in ("cb.pixels", "db.pixels") if self.graphics and c in wants.caches]
        acts = [self._operation(cache, top=True) for cache in pixels]
        engines = ("me", "pfp") if wants.pfp and self.graphics else ("me",)
        places = self._places(wants, surfaces)
        for engine in engines:
            for some in subsets(top):
                if some:
                    yield SurfaceSync(engine=engine, operations=some)
                for bits, start, end in places:
                    for more in subsets(a for a in acts if _coherent(a, bits)):
                        yield SurfaceSync(
                            engine=engine,
                            operations=(*more, *some),
                            coherency=bits,
                            start=start,
                            end=end,
                        )

    def _places(
        self, wants: Wants, surfaces: tuple[Surface, ...]
    ) -> list[tuple[tuple[str, ...], int, int]]:
        """Bits and ranges of coherency: each target, or everything; bits of one block, or two."""
        about = wants.groups & (DRAW_GROUPS | {"so"}) or wants.caches & set(TARGET_CACHES)
        if not self.graphics or not about:
            return []
        bits = {"base" if block == "so" else block[:2]: _bit(block) for block, _, _ in surfaces}
        found: dict[tuple[tuple[str, ...], int, int], None] = {}
        for block, start, end in surfaces:
            own = _bit(block)
            others = [bit for kind, bit in sorted(bits.items()) if not own.startswith(kind)]
            for more in subsets(others):
                found[(own, *more), start, end] = None
        for some in subsets(bit for _, bit in sorted(bits.items())):
            if some:
                found[some, WHOLE_START, WHOLE_END] = None
        return list(found)


def _far_to_near(operation: CacheOperation) -> int:
    every = (*TARGET_CACHES, *READ_CACHES)
    return every.index(operation.cache) if operation.cache in every else len(every)


def _bit(block: str) -> str:
    return "base0" if block == "so" else block


def _coherent(operation: CacheOperation, bits: tuple[str, ...]) -> bool:
    return any(operation.cache.startswith(bit.rstrip("0123456789") + ".") for bit in bits)
