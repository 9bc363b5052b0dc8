"""Candidate synchronization for one command's needs: what waits, what writes back, what invalidates (seed "Putting it all together").

The seed's ingredients: a pipelined flush of the producer's block, a barrier (partial flush, EOS fence, EOP fence, surface sync, idle), a
top-of-pipe invalidate for the consumer. Every combination that could serve is offered; whether it does is tried by replay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from fencepost.machine.tables import Machine
from fencepost.plan.needs import Needs
from fencepost.plan.pieces import BEHIND, END, EVENT, FLUSH, LAST, STAND_IN, SYNC, WAIT, Piece
from fencepost.stream.command import (
    CacheOperation,
    Command,
    Comparison,
    DmaWait,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START

Bundle = tuple[Piece, ...]
FAR_TO_NEAR = ("tcc", "tcp", "k", "i")
DRAW_GROUPS = frozenset({"vs", "ps", "cb", "db"})


@dataclass(frozen=True, slots=True)
class Surface:
    """A target that an earlier draw was made to, for a surface sync: block, bytes."""

    block: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Site:
    """Where synchronization may be put: before command `gap` of a queue, which other queues there are, targets drawn to."""

    queue: int
    gap: int
    kinds: tuple[QueueKind, ...]
    surfaces: tuple[Surface, ...]
    documented: bool

    @property
    def kind(self) -> QueueKind:
        """The kind of the queue."""
        return self.kinds[self.queue]


class Bundles:
    """Offers bundles for the needs at a site."""

    def __init__(self, machine: Machine, needs: Needs, site: Site) -> None:
        self.machine = machine
        self.needs = needs
        self.site = site
        self.own = {group: at for (q, group), at in needs.drains.items() if q == site.queue}
        self.others = sorted({q for q, _ in (*needs.drains, *needs.homes) if q != site.queue})
        self.homes = {cache: at for (q, cache), at in needs.homes.items() if q == site.queue}
        far = {"tcc"} if any(cache == "tcc" for _, cache in needs.homes) else set()
        wanted = {c for c in needs.stale if c in FAR_TO_NEAR} | far
        self.operations = tuple(self._operation(name) for name in FAR_TO_NEAR if name in wanted)
        self.blocks = self._block_operations()

    def offers(self) -> Iterator[Bundle]:
        """Every bundle once."""
        seen: set[Bundle] = set()
        for bundle in self._all():
            if bundle and bundle not in seen:
                seen.add(bundle)
                yield bundle

    def _all(self) -> Iterator[Bundle]:
        if self.others:
            yield from self._across()
            return
        if self.site.kind not in (QueueKind.GRAPHICS, QueueKind.COMPUTE):
            return
        for engine in ("me", "pfp") if "pfp" in self.needs.engines else ("me",):
            for waits in self._waits(engine):
                yield from self._with_operations(waits, engine)

    # -- pieces

    def _piece(self, rank: int, command: Command, fence: str = "") -> Piece:
        return Piece(self.site.queue, self.site.gap, rank, command, fence)

    def _behind(self, position: int, command: Command, fence: str = "", queue: int = -1) -> Piece:
        """Behind the command at `position`; events there come before values."""
        number = self.site.queue if queue < 0 else queue
        rank = EVENT if fence else BEHIND
        return Piece(number, position + 1, rank, command, fence)

    def _operation(self, cache: str) -> CacheOperation:
        row = next(row for row in self.machine.operations if row.cache == cache and row.top)
        return CacheOperation(cache, row.action)

    def _block_operations(self) -> tuple[CacheOperation, ...]:
        """Operations on CB and DB: data that must leave, copies that must go."""
        names = {self.machine.cache(cache).operated_as for cache in self.homes}
        names |= {cache for cache in self.needs.stale if cache not in FAR_TO_NEAR}
        return tuple(CacheOperation(name, "wbinv") for name in sorted(names - {"tcc"}))

    def _fence(self, kind: str, position: int) -> str:
        return f"{self.site.queue}:{kind}:{position}:{self.site.gap}"

    # -- barriers

    def _waits(self, engine: str) -> Iterator[tuple[Bundle, str]]:
        """Barriers that cover what has to be drained; with the form that they have (it decides who can carry operations)."""
        groups = set(self.own)
        last = max((*self.own.values(), *self.homes.values()), default=-1)
        dma = (self._piece(WAIT, DmaWait()),) if groups & {"dma", "dma.pfp"} else ()
        rest = groups - {"dma", "dma.pfp"}
        if not rest:
            yield dma, "none"
        stages = self._stages(rest)
        if stages:
            yield (*dma, *(self._piece(FLUSH, PartialFlush(stage=s)) for s in stages)), "flush"
            yield (*dma, *self._eos(stages, last, engine)), "eos"
        if last >= 0:
            yield (*dma, *self._eop(last, engine)), "eop"
        if rest <= DRAW_GROUPS or self.blocks:
            yield dma, "sync"
        if rest & DRAW_GROUPS and "cs" in rest:
            yield (*dma, self._piece(FLUSH, PartialFlush(stage="cs"))), "sync"
        yield (*dma, self._piece(WAIT, WaitIdle())), "idle"

    def _stages(self, groups: set[str]) -> tuple[str, ...]:
        """The stages to drain; PS has VS with it. CB and DB data leave with an event that a PS barrier confirms (documented)."""
        stages = set()
        if groups & {"ps", "cb", "db"} or self.blocks:
            stages.add("ps")
        elif "vs" in groups:
            stages.add("vs")
        if "cs" in groups:
            stages.add("cs")
        return tuple(sorted(stages))

    def _wait(self, engine: str, fence: str) -> Piece:
        command = WaitMemory(
            engine=engine, label=STAND_IN, comparison=Comparison.EQUAL, reference=0
        )
        return self._piece(WAIT, command, fence)

    def _eos(self, stages: tuple[str, ...], last: int, engine: str) -> Bundle:
        pieces: list[Piece] = []
        for stage in stages:
            kind = "ps" if stage in ("vs", "ps") else "cs"
            at = self._last_of(kind, last)
            fence = self._fence(kind, at)
            pieces.append(self._behind(at, EndOfShader(stage=kind, label=STAND_IN, value=0), fence))
            pieces.append(self._wait(engine, fence))
        return tuple(pieces)

    def _last_of(self, kind: str, last: int) -> int:
        groups = ("cs",) if kind == "cs" else ("vs", "ps", "cb", "db")
        found = [self.own[group] for group in groups if group in self.own]
        if kind == "ps":
            found += [at for cache, at in self.homes.items() if cache != "tcc"]
        return max(found, default=last)

    def _eop(self, last: int, engine: str) -> Bundle:
        fence = self._fence("eop", last)
        return (
            self._behind(last, EndOfPipe(label=STAND_IN), fence),
            self._wait(engine, fence),
        )

    # -- operations

    def _with_operations(self, waits: tuple[Bundle, str], engine: str) -> Iterator[Bundle]:
        """A barrier with the operations: in the value's packet, in an EOP of their own, or in a surface sync."""
        barrier, form = waits
        tail = self._tail(engine, form)
        for events, carried in product(self._events(barrier, form), self._carried(form)):
            top = tuple(op for op in self.operations if op not in carried)
            base = self._carry(barrier, form, carried)
            for sync in self._syncs(form, top, bool(events) or bool(self.blocks), engine):
                yield (*events, *base, *sync, *tail)

    def _tail(self, engine: str, form: str) -> Bundle:
        """PFP is held by a wait of its own, or by PFP_SYNC_ME behind what ME waits for."""
        if "pfp" not in self.needs.engines or self.site.kind is not QueueKind.GRAPHICS:
            return ()
        if engine == "pfp" and form in ("eos", "eop"):
            return ()
        return (self._piece(LAST, PfpSyncMe()),)

    def _events(self, barrier: Bundle, form: str) -> list[Bundle]:
        """Events of CB and DB, at the gap, or behind the producer where a value confirms them; or left to an EOP or a sync."""
        if not self.blocks:
            return [()]
        gap = tuple(
            self._piece(EVENT, PipelinedEvent(operations=(operation,))) for operation in self.blocks
        )
        offers: list[Bundle] = [gap]
        last = max(self.homes.values(), default=-1)
        if form == "eos" and last >= 0:
            offers = [self._events_behind(last)]
        if form == "eop" and last >= 0 and not self._eop_carries_blocks():
            return [self._events_behind(last)]
        if form in ("sync", "eop"):
            offers.append(())
        return offers

    def _events_behind(self, last: int) -> Bundle:
        return tuple(
            self._behind(last, PipelinedEvent(operations=(operation,))) for operation in self.blocks
        )

    def _eop_carries_blocks(self) -> bool:
        """Can an EOP of this machine carry CB and DB operations?"""
        return all(operation.cache in self.machine.eop_caches for operation in self.blocks)

    def _carried(self, form: str) -> list[tuple[CacheOperation, ...]]:
        """Operations that an EOP carries: none, or all that it can (TCC and TCP)."""
        able = tuple(op for op in self.operations if op.cache in ("tcc", "tcp"))
        offers: list[tuple[CacheOperation, ...]] = [()]
        if able and (form == "eop" or (form == "flush" and self.site.documented)):
            offers.append(able)
            offers += [(op,) for op in able] if len(able) > 1 else []
        return offers

    def _carry(self, barrier: Bundle, form: str, carried: tuple[CacheOperation, ...]) -> Bundle:
        if form == "eop":
            extra = self.blocks if self._eop_carries_blocks() else ()
            return tuple(self._loaded(piece, carried, extra) for piece in barrier)
        if carried:
            return (self._piece(END, EndOfPipe(operations=carried)), *barrier)
        return barrier

    def _loaded(
        self,
        piece: Piece,
        carried: tuple[CacheOperation, ...],
        blocks: tuple[CacheOperation, ...],
    ) -> Piece:
        if not isinstance(piece.command, EndOfPipe):
            return piece
        command = EndOfPipe(label=STAND_IN, operations=(*blocks, *carried))
        return Piece(piece.queue, piece.gap, piece.rank, command, piece.fence)

    def _syncs(
        self, form: str, top: tuple[CacheOperation, ...], flushed: bool, engine: str
    ) -> Iterator[Bundle]:
        """A surface sync for the rest; where it is the barrier, coherent with each target, or with everything."""
        del engine
        if form != "sync":
            sync = SurfaceSync(engine="me", operations=top)
            yield (self._piece(SYNC, sync),) if top else ()
            return
        for surface in (*self.site.surfaces, None):
            yield (self._piece(SYNC, self._coherent(surface, top)),)
            actions = tuple(op for op in self.blocks if op.cache.endswith("pixels"))
            if actions and flushed:
                yield (self._piece(SYNC, self._coherent(surface, (*actions, *top))),)

    def _coherent(
        self, surface: Surface | None, operations: tuple[CacheOperation, ...]
    ) -> SurfaceSync:
        if surface is not None:
            return SurfaceSync(
                engine="me",
                operations=operations,
                coherency=(surface.block,),
                start=surface.start,
                end=surface.end,
            )
        bits = tuple(dict.fromkeys(surface.block for surface in self.site.surfaces)) or ("cb0",)
        return SurfaceSync(
            engine="me", operations=operations, coherency=bits, start=WHOLE_START, end=WHOLE_END
        )

    # -- across queues

    def _across(self) -> Iterator[Bundle]:
        """A fence from each other queue, with the operations in its packet or at the consumer."""
        for carried in self._carried("eop"):
            top = tuple(op for op in self.operations if op not in carried)
            if top and self.site.kind in (QueueKind.CPU, QueueKind.COPY):
                continue
            sync = (self._piece(SYNC, SurfaceSync(engine="me", operations=top)),) if top else ()
            fences = [piece for other in self.others for piece in self._fence_from(other, carried)]
            yield (*fences, *self._own_flushes(), *sync)

    def _own_flushes(self) -> Bundle:
        stages = self._stages(set(self.own)) if self.own else ()
        return tuple(self._piece(FLUSH, PartialFlush(stage=stage)) for stage in stages)

    def _fence_from(self, other: int, carried: tuple[CacheOperation, ...]) -> Bundle:
        ends = [
            at
            for (q, _), at in (*self.needs.drains.items(), *self.needs.homes.items())
            if q == other
        ]
        last = max(ends)
        fence = f"{other}:eop:{last}:{self.site.queue}:{self.site.gap}"
        kind = self.site.kinds[other]
        signal: Command
        pieces: list[Piece] = []
        if kind in (QueueKind.CPU, QueueKind.COPY):
            signal = SetLabel(engine=str(kind), label=STAND_IN, value=0)
        else:
            homes = {cache for (q, cache) in self.needs.homes if q == other and cache != "tcc"}
            names = sorted({self.machine.cache(cache).operated_as for cache in homes})
            blocks = tuple(CacheOperation(name, "wbinv") for name in names)
            able = all(name in self.machine.eop_caches for name in names)
            signal = EndOfPipe(label=STAND_IN, operations=(*(blocks if able else ()), *carried))
            if not able:
                events = [PipelinedEvent(operations=(operation,)) for operation in blocks]
                pieces = [self._behind(last, event, queue=other) for event in events]
        engine = {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}.get(self.site.kind, "me")
        if "pfp" in self.needs.engines and self.site.kind is QueueKind.GRAPHICS:
            engine = "pfp"
        return (*pieces, self._behind(last, signal, fence, other), self._wait(engine, fence))
