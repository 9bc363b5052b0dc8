"""Ways compiled for the replay.

Integers and offsets instead of names, and what holds between each two of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.coherence.layout import Layout, home_of
from fencepost.machine.tables import CacheRow, Machine, WayRow
from fencepost.stream.command import Access

WAY_BITS = 12
"""A way's number fits into so many bits; a key is `queue << WAY_BITS | way`."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A cache on a way.

    `kill` is the point that says a copy left here is gone; `hit`: this access may hit in it.

    `through`: the point of the cache's invalidation, whatever the policy.
    """

    cache: int
    kill: int
    through: int
    hit: bool
    private: bool


@dataclass(frozen=True, slots=True)
class Pair:
    """Between an earlier access on one way and a later one on another.

    `free`: needs nothing in one queue; `free_across`: nor between queues; `ordered`: one in-order
    block makes both. `meets`: how many hops of the later way are nearer than the level that both
    share. `through`: the data must have been written back to memory (else the shared level is the
    writer's own home). `clean`: for each of those hops, the offset of the point that says it was
    invalidated after the data was there (-1: an in-order block has none).
    """

    free: bool
    free_across: bool
    ordered: bool
    meets: int
    through: bool
    clean: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """One kind of access, compiled.

    `done`, `wb` and the hops' points are offsets into a queue's block of points.

    `order`: the offset of its in-order block's point (-1: none); `drawn`: it is complete when its
    draw is over. `home`: the number of the cache that takes this way's writes (-1: memory); `wb`:
    the offset of its write-back point. `after`: what it needs after each other way, by number,
    filled as asked for.
    """

    number: int
    row: WayRow
    block: str
    reads: bool
    writes: bool
    done: int
    group: str
    hops: tuple[Hop, ...]
    home: int
    home_name: str
    wb: int
    order: int
    drawn: bool
    after: dict[int, Pair] = field(default_factory=dict, compare=False)

    @property
    def title(self) -> str:
        """As people write it: `cb0.write`."""
        return f"{self.block}.{self.row.use}"


class Ways:
    """All ways that a program uses, numbered as they come."""

    def __init__(self, machine: Machine, layout: Layout) -> None:
        self.machine = machine
        self.layout = layout
        self.all: list[Way] = []
        self.cache_names = [cache.name for cache in machine.caches]
        self._numbers: dict[tuple[str, str, str, str | None, str], Way] = {}

    def find(self, access: Access, engine: str) -> Way:
        """The way of an access that `engine` kicks (only CP DMA cares)."""
        key = (access.block, access.use, access.part, access.policy, engine)
        way = self._numbers.get(key)
        if way is None:
            way = self._numbers[key] = self._compile(access, engine)
            self.all.append(way)
        return way

    def _compile(self, access: Access, engine: str) -> Way:
        row = self.machine.way(access.block, access.use, access.part)
        if row is None:
            raise KeyError((access.block, access.use, access.part))
        group = row.group or access.block
        if row.engine == "kick" and engine == "pfp":
            group = "dma.pfp"
        policy = str(access.policy or row.policy)
        home = home_of(self.machine, row)
        return Way(
            number=len(self.all),
            row=row,
            block=access.block,
            reads=row.reads,
            writes=row.writes,
            done=self.layout.done[group],
            group=group,
            hops=tuple(self._hop(self.machine.cache(c), group, policy, row) for c in row.caches),
            home=self.cache_names.index(home) if home else -1,
            home_name=home,
            wb=self.layout.wb[home, group] if home else -1,
            order=self.layout.order[block] if (block := self._in_order(row)) else -1,
            drawn=group in self.machine.draw_end,
        )

    def _in_order(self, row: WayRow) -> str:
        """The in-order block that makes such accesses, or ""."""
        return next((b for name in row.caches if (b := self.machine.cache(name).in_order)), "")

    def _hop(self, cache: CacheRow, group: str, policy: str, row: WayRow) -> Hop:
        """A private cache obeys the policy.

        `*_EVICT` copies are gone once their stage has drained (model 3.5).
        """
        evict = cache.private and policy.endswith("evict")
        through = self.layout.inv[cache.name, group]
        kill = self.layout.done[group] if evict else through
        hit = row.reads and not (cache.private and policy.startswith("miss"))
        return Hop(self.cache_names.index(cache.name), kill, through, hit, cache.private)

    def pair(self, earlier: Way, later: Way) -> Pair:
        """What a later access needs after an earlier one (model 5.3)."""
        pair = later.after.get(earlier.number)
        if pair is None:
            pair = later.after[earlier.number] = self._relate(earlier, later)
        return pair

    def _relate(self, earlier: Way, later: Way) -> Pair:
        """Private caches are no level to meet at.

        The first common cache from the consumer's side is.
        """
        mark = earlier.row.safe_with
        free = bool(mark) and mark == later.row.safe_with
        level = len(later.hops)
        for at, hop in enumerate(later.hops):
            if not hop.private and any(hop.cache == other.cache for other in earlier.hops):
                level = at
                break
        writer = (earlier.group, earlier.home_name)
        clean = tuple(
            self.layout.clean.get((self.cache_names[hop.cache], writer), -1)
            for hop in later.hops[:level]
        )
        across = free and earlier.row.safe_across
        block = self._in_order(earlier.row)
        ordered = bool(block) and block == self._in_order(later.row)
        return Pair(
            free, across, ordered, level, level == len(later.hops) and earlier.home >= 0, clean
        )
