"""Families of programs: each is every way to put its synchronization between its works."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product

from fencepost.machine import find_machine
from fencepost.machine.tables import Machine
from verify.alphabet import (
    CB_AT_END,
    CONTEXT_SYNCS,
    HALVES,
    ODD_SYNCS,
    ODD_WORKS,
    OWN_WORKS,
    SEVERAL_ACCESSES,
    SYNCS,
    WORKS,
    Item,
    concerning,
    read,
)
from verify.queues import QUEUE_FAMILIES, QueueFamily

Items = tuple[Item, ...]

ALL_WORKS = read(WORKS)
ALL_SYNCS = read(SYNCS)
BARRIER = read("wait idle\ndma wait me\npfp-sync-me")
"""Everything is complete, and every cache keeps what it holds."""


@dataclass(frozen=True, slots=True)
class Family:
    """Works by position, and how many synchronization commands go between them.

    `before` stands between the first work and the rest (an earlier access that leaves old lines).
    """

    name: str
    works: tuple[Items, ...]
    most: int
    syncs: Items = ALL_SYNCS
    before: Items = ()

    def heads(self) -> Iterator[Items]:
        """The tuples of works, those left out that write nothing."""
        for works in product(*self.works):
            if any(writes(one) for one in works):
                yield works

    def programs(self, works: Items, stride: int = 1, start: int = 0) -> Iterator[Items]:
        """Every `stride`-th program with these works in this order, fewest commands first."""
        syncs = concerning(works, self.syncs)
        first = (works[0], *self.before)
        gaps = len(works) - 1 if not self.before else len(works) - 2
        rest = works[1:] if not self.before else works[2:]
        opening = first if not self.before else (*first, works[1])
        placed = (
            (chosen, places)
            for count in range(self.most + 1)
            for chosen in product(syncs, repeat=count)
            for places in combinations_with_replacement(range(gaps), count)
        )
        for chosen, places in islice(placed, start, None, stride):
            yield weave(opening, rest, chosen, places)


def weave(opening: Items, rest: Items, chosen: Items, places: tuple[int, ...]) -> Items:
    """`opening`, then before each of `rest` the synchronization that is placed there."""
    program = list(opening)
    for gap, work in enumerate(rest):
        program += [one for one, place in zip(chosen, places, strict=True) if place == gap]
        program.append(work)
    return tuple(program)


def writes(item: Item) -> bool:
    """Whether a work writes (by its use, as the text form spells it)."""
    return any(word in item.text for word in ("write", "atomic", "blend", "clear", "cs.uav buf"))


def named(*fragments: str) -> Items:
    """The works whose line contains one of these, in the order of the alphabet."""
    return tuple(one for one in ALL_WORKS if any(text in one.text for text in fragments))


PRODUCERS = named(
    "dispatch cs.uav-write buf", "ps.atomic", "cb0.write color", "db.write depth", "sync dma.write"
)
CONSUMERS = named(
    "ps.texture buf",
    "cs.texture buf",
    "ps.constant",
    "cb0.blend color",
    "db.test depth",
    "pfp.args",
)
READERS = named(
    "ps.texture buf", "cs.constant", "cb0.read color", "db.test depth", "as dma dma.read-tcc"
)
HALF_WORKS = read(HALVES)
ODDS = read(ODD_WORKS)
OWN = read(OWN_WORKS) + named(
    "draw ps.texture buf", "dispatch cs.uav-write buf", "draw pfp.args", "cb0.write color"
)
SEVERAL = read(SEVERAL_ACCESSES) + named(
    "cs.atomic", "ps.atomic", "draw ps.texture buf", "cs.uav-write buf", "cb0.write color"
)
TEXTURES = named("ps.texture buf", "cs.texture buf", "cs.uav-write buf", "cs.atomic", "pfp.args")

FAMILIES: tuple[Family, ...] = (
    Family("pairs", (ALL_WORKS, ALL_WORKS), 2),
    Family("deep pairs", (PRODUCERS, CONSUMERS), 3),
    Family("old lines", (READERS, PRODUCERS, CONSUMERS), 2, before=BARRIER),
    Family("waves", (TEXTURES, TEXTURES, TEXTURES), 2),
    Family(
        "color",
        (named("ps.texture buf", "cb0", "cs.uav-write buf"),) * 3,
        1,
    ),
    Family("depth", (named("ps.texture buf", "db.", "cs.uav-write buf"),) * 3, 1),
    Family("copies", (named("dma", "ps.texture buf", "cs.uav-write buf"),) * 3, 1),
    Family("half lines", (HALF_WORKS, HALF_WORKS, HALF_WORKS), 1),
    Family("half lines, old", (HALF_WORKS, HALF_WORKS, HALF_WORKS), 1, before=BARRIER),
    Family("odds", (ODDS, ODDS), 2, read(ODD_SYNCS)),
    Family("own accesses", (OWN, OWN), 2),
    Family("several accesses", (SEVERAL, SEVERAL), 2),
)

CONTEXT_WORKS = read(
    """
draw cb0.write color
draw cb1.write color
draw cb0.write masked
draw ps.texture buf; cb0.write masked
draw db.write depth
dispatch cs.uav-write buf
"""
)
CONTEXT_FAMILIES: tuple[Family, ...] = (
    Family("contexts", (CONTEXT_WORKS,) * 2, 3, read(CONTEXT_SYNCS)),
    Family("contexts, three works", (CONTEXT_WORKS,) * 3, 2, read(CONTEXT_SYNCS)),
)
"""Rolls and who is stalled; for machines with so few contexts that rolls retire draws."""

END_FAMILIES: tuple[Family, ...] = (
    Family(
        "end of pipe",
        (named("cb0.write", "cb0.blend"), named("ps.texture buf", "cs.uav-write", "cb0")),
        2,
        ALL_SYNCS + read(CB_AT_END, "gcn2-bonaire"),
    ),
)
"""On machines whose EOP carries CB operations."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A machine and a guarantee level; of its programs every `stride`-th is compared."""

    machine: Machine
    guarantees: str
    stride: int = 1

    @property
    def name(self) -> str:
        """As people write it."""
        few = f", {self.machine.contexts} contexts" if self.machine.contexts < MANY else ""
        return f"{self.machine.name} {self.guarantees}{few}"

    def families(self) -> tuple[Family | QueueFamily, ...]:
        """The families that this machine can run."""
        return (
            self.one_queue()
            if self.machine.contexts < MANY
            else (*self.one_queue(), *QUEUE_FAMILIES)
        )

    def one_queue(self) -> tuple[Family, ...]:
        """Those of one graphics queue."""
        if self.machine.contexts < MANY:
            return CONTEXT_FAMILIES
        carries = "cb.pixels" in self.machine.eop_caches
        return FAMILIES + END_FAMILIES if carries else FAMILIES


MANY = 8
"""Graphics contexts of the real machines; small programs never use them up."""

SETTINGS: tuple[Setting, ...] = (
    Setting(find_machine("xbox-one"), "documented"),
    Setting(find_machine("xbox-one"), "strict"),
    Setting(find_machine("gcn2-bonaire"), "strict", 3),
    Setting(replace(find_machine("xbox-one"), contexts=2), "documented"),
)
