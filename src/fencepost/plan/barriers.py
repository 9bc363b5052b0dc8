"""Other forms of what a plan has in a gap: every barrier, with every way to carry its operations.

A partial flush, a coherent surface sync, a fence from further ahead, an idle; operations on CB and
DB in an event, in an end of pipe or in the surface sync, those on other caches there or at the end
of pipe (seed 000 "Putting it all together"). Which of them are right is for the checker to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from fencepost.machine.tables import Machine
from fencepost.plan.menu import READ_CACHES, subsets
from fencepost.plan.pieces import (
    DRAIN,
    END,
    EVENT,
    IDLE,
    LAST,
    STAND_IN,
    SYNC,
    VALUE,
    WAIT,
    Piece,
)
from fencepost.plan.tracks import Surface, Track
from fencepost.plan.values import fence_name
from fencepost.stream.command import (
    CacheOperation,
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
    Work,
)
from fencepost.stream.program import QueueKind
from fencepost.stream.resource import WHOLE_END, WHOLE_START

MOST_BACK = 8
"""A fence comes from behind one of so many works."""

MOST_SURFACES = 4
"""A surface sync is about one of so many targets, those that were drawn to last, or about all."""

DRAINED = {"vs": frozenset({"vs"}), "ps": frozenset({"vs", "ps"}), "cs": frozenset({"cs"})}
"""What ends with a stage."""

EVERYTHING = frozenset({"vs", "ps", "cs", "end of pipe"})

FLUSHES = (("vs",), ("ps",), ("cs",), ("cs", "vs"), ("cs", "ps"))
"""Partial flushes that stand together, those that wait for less first."""

ON_MEMORY = WaitMemory(engine="me", label=STAND_IN, comparison=Comparison.EQUAL, reference=0)

Form = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Forms:
    """Forms of one barrier; behind a wrong one all are wrong.

    `sooner`: each goes on no later than the one before. `kind`: barriers of one kind differ in what
    they wait for (`waits`) alone: one that waits for more than another is no faster.
    """

    forms: tuple[Form, ...]
    kind: tuple[str, ...]
    waits: frozenset[str]
    sooner: bool = False


class Coherency(NamedTuple):
    """What a surface sync waits for: bits, and a range that is one for all of them."""

    bits: tuple[str, ...]
    start: int
    end: int

    def sync(self, operations: tuple[CacheOperation, ...]) -> SurfaceSync:
        """A surface sync that waits for it."""
        return SurfaceSync(
            engine="me",
            operations=operations,
            coherency=self.bits,
            start=self.start,
            end=self.end,
        )

    @property
    def waits(self) -> frozenset[str]:
        """What it waits for, so that everything is more than any target."""
        if self.end >= WHOLE_END:
            return frozenset({"everything"})
        return frozenset({f"{self.bits} {self.start} {self.end}"})

    def covers(self, cache: str) -> bool:
        """May a surface sync with these bits carry an operation on that cache?"""
        return cache.endswith("pixels") and any(cache.startswith(bit[:2]) for bit in self.bits)


class Barriers:
    """The barriers that a queue of a machine has."""

    def __init__(self, machine: Machine, number: int, track: Track) -> None:
        self.machine, self.number, self.track = machine, number, track
        self.graphics = track.queue.kind is QueueKind.GRAPHICS

    def forms(self, gap: int, unit: Iterable[Piece]) -> Iterator[Forms]:
        """What could do in that gap what these pieces do."""
        pieces = tuple(unit)
        caches = {one.cache for piece in pieces for one in operations_of(piece.command)}
        found = _Gap(self, gap, caches).barriers()
        if any(_is_for_pfp(piece.command) for piece in pieces):
            return (more for forms in found for more in self._for_pfp(gap, forms))
        return found

    def operation(self, cache: str, *, top: bool) -> CacheOperation | None:
        """The strongest operation of a cache, at the top or at the end of pipe, if it has any."""
        rows = [row for row in self.machine.operations if row.cache == cache]
        able = [row for row in rows if (row.top if top else row.pipelined)]
        if not able:
            return None
        return CacheOperation(cache, max(able, key=lambda row: len(row.action)).action)

    def operations(self, caches: Iterable[str], *, top: bool) -> tuple[CacheOperation, ...]:
        """Those of all these caches."""
        found = (self.operation(cache, top=top) for cache in caches)
        return tuple(one for one in found if one is not None)

    def coherencies(self, gap: int) -> list[Coherency]:
        """That of each of the last targets before that gap, and that of everything."""
        rows: list[tuple[int, Surface]] = []
        for surface, draws in self.track.surfaces.items():
            before = [draw for draw in draws if draw < gap]
            rows += [(before[-1], surface)] if before else []
        surfaces = [surface for _, surface in sorted(rows, reverse=True)]
        bits = {block[:2]: _bit(block) for block, _, _ in reversed(surfaces)}
        found = [Coherency((_bit(block),), *span) for block, *span in surfaces[:MOST_SURFACES]]
        if bits:
            every = tuple(bit for _, bit in sorted(bits.items()))
            found.append(Coherency(every, WHOLE_START, WHOLE_END))
        return found

    def sources(self, gap: int) -> list[int]:
        """Gaps behind works from which a fence that ends in that gap may come; the last first."""
        commands = self.track.queue.commands
        return [at for at in range(gap, 0, -1) if isinstance(commands[at - 1], Work)][:MOST_BACK]

    def _for_pfp(self, gap: int, found: Forms) -> Iterator[Forms]:
        """The same for PFP: it waits for ME behind it, or for itself."""
        sync = Piece(self.number, gap, LAST, PfpSyncMe())
        behind = tuple((*form, sync) for form in found.forms)
        yield replace(found, forms=behind, kind=(*found.kind, "me"))
        itself = tuple(tuple(map(_on_pfp, form)) for form in found.forms)
        if itself != found.forms:
            yield replace(found, forms=itself, kind=(*found.kind, "pfp"))


class _Gap:
    """One gap, and the caches that something is to be done about there."""

    def __init__(self, queue: Barriers, gap: int, caches: set[str]) -> None:
        self.queue, self.gap = queue, gap
        self.reads = [cache for cache in READ_CACHES if cache in caches]
        self.targets = sorted(caches.difference(READ_CACHES))

    def barriers(self) -> Iterator[Forms]:
        """All of them, those of a kind that wait for less first."""
        graphics = self.queue.graphics
        yield self._drained((), frozenset())
        for stages in FLUSHES if graphics else (("cs",),):
            flushes = tuple(self._piece(DRAIN, PartialFlush(stage=stage)) for stage in stages)
            yield self._drained(flushes, frozenset().union(*(DRAINED[one] for one in stages)))
        yield self._drained((self._piece(IDLE, WaitIdle()),), EVERYTHING)
        for stage in ("ps", "cs") if graphics else ("cs",):
            yield self._fence(EndOfShader(stage=stage, label=STAND_IN, value=0), DRAINED[stage])
        for carried in subsets(cache for cache in self._able() if cache in self._caches()):
            operations = self.queue.operations(carried, top=False)
            yield self._fence(EndOfPipe(label=STAND_IN, operations=operations), EVERYTHING)
        if graphics:
            yield from self._coherent()

    def _caches(self) -> list[str]:
        return [*self.reads, *self.targets]

    def _able(self) -> list[str]:
        """The caches that an end of pipe can operate on."""
        eop = self.queue.machine.eop_caches
        return [cache for cache in eop if self.queue.operation(cache, top=False) is not None]

    # -- packets

    def _piece(self, rank: int, command: Command, gap: int = -1, fence: str = "") -> Piece:
        return Piece(self.queue.number, self.gap if gap < 0 else gap, rank, command, fence)

    def _event(self, caches: Iterable[str], gap: int) -> Form:
        operations = self.queue.operations(caches, top=False)
        return (self._piece(EVENT, PipelinedEvent(operations=operations), gap),)[: len(operations)]

    def _sync(self, caches: Iterable[str], rank: int = SYNC) -> Form:
        operations = self.queue.operations(caches, top=True)
        return (self._piece(rank, SurfaceSync(engine="me", operations=operations)),)[
            : len(operations)
        ]

    # -- barriers

    def _drained(self, barrier: Form, waits: frozenset[str]) -> Forms:
        """Invalidates behind the barrier; before it, so that they go on while others run."""
        event = self._event(self.targets, self.gap)
        forms = [(*event, *barrier, *self._sync(self.reads))]
        if self.reads and barrier:
            forms.append((*event, *self._sync(self.reads, END), *barrier))
        return Forms(tuple(forms), ("drain",), waits)

    def _fence(self, value: EndOfPipe | EndOfShader, waits: frozenset[str]) -> Forms:
        """That value from further and further ahead, and the wait for it here."""
        carried = tuple(one.cache for one in operations_of(value))
        targets = [cache for cache in self.targets if cache not in carried]
        sync = self._sync(cache for cache in self.reads if cache not in carried)
        forms = []
        for source in self.queue.sources(self.gap):
            fence = f"{fence_name(self.queue.number, source, value)}>{self.gap}"
            pair = (
                self._piece(VALUE, value, source, fence),
                self._piece(WAIT, ON_MEMORY, fence=fence),
            )
            forms.append((*self._event(targets, source), *pair, *sync))
        return Forms(tuple(forms), ("fence", *carried), waits, sooner=True)

    def _coherent(self) -> Iterator[Forms]:
        """Surface syncs that wait for targets, alone or behind a flush of the dispatches."""
        flush = self._piece(DRAIN, PartialFlush(stage="cs"))
        every = frozenset[str]()
        for coherency in self.queue.coherencies(self.gap):
            every |= coherency.waits
            waits = every if coherency.end >= WHOLE_END else coherency.waits
            acts = [cache for cache in self.targets if coherency.covers(cache)]
            for some in ([], acts) if acts else ([],):
                yield self._coherent_with(coherency, some, (), waits)
                yield self._coherent_with(coherency, some, (flush,), waits | {"cs"})

    def _coherent_with(
        self, coherency: Coherency, acts: list[str], flush: Form, waits: frozenset[str]
    ) -> Forms:
        """With these operations on CB and DB in the packet; with those on other caches, or not."""
        event = self._event([cache for cache in self.targets if cache not in acts], self.gap)
        operations = self.queue.operations([*acts, *self.reads], top=True)
        forms = [(*event, *flush, self._piece(SYNC, coherency.sync(operations)))]
        if self.reads:
            own = self._piece(SYNC, coherency.sync(self.queue.operations(acts, top=True)))
            forms.append((*event, *self._sync(self.reads, END), *flush, own))
        return Forms(tuple(forms), ("coherent", *acts), waits)


def operations_of(command: Command) -> tuple[CacheOperation, ...]:
    """Its cache operations, if it has any."""
    found: tuple[CacheOperation, ...] = getattr(command, "operations", ())
    return found


def _is_for_pfp(command: Command) -> bool:
    return isinstance(command, PfpSyncMe) or getattr(command, "engine", "") == "pfp"


def _on_pfp(piece: Piece) -> Piece:
    command = piece.command
    if isinstance(command, WaitMemory | SurfaceSync):
        return replace(piece, command=replace(command, engine="pfp"))
    return piece


def _bit(block: str) -> str:
    return "base0" if block == "so" else block
