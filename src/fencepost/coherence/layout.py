"""Where each point of a clock lies: a clock is one flat list of integers (design 2).

For every queue a clock holds one block of points: how far each completion group is known to be
complete (`done`); for every cache and group how far accesses are known to be written back (`wb`)
and the copies that they left invalidated (`inv`); and for every in-order block up to where
everything is over when its next access comes (`order`); for every cache and kind of writer how far
an invalidation is known to have come after the data was available beyond that cache (`clean`):
what the cache holds since then is new. A value `t` covers all positions below `t`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fencepost.machine.tables import Machine, WayRow

Clock = list[int]
Range = tuple[int, int]
Writer = tuple[str, str]
"""A kind of writer: the group that completes it, and the cache that takes its data ("": memory)."""


@dataclass(slots=True)
class Layout:
    """Offsets inside one queue's block of points.

    `ranged`: for caches that honour a range, one extra pair a range. `clean_in`: by the number of a
    cache and the kind of writer, its `clean` point for data that was written back by range.
    """

    done: dict[str, int] = field(default_factory=dict)
    wb: dict[tuple[str, str], int] = field(default_factory=dict)
    inv: dict[tuple[str, str], int] = field(default_factory=dict)
    clean: dict[tuple[str, Writer], int] = field(default_factory=dict)
    cleaning: dict[str, list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)
    order: dict[str, int] = field(default_factory=dict)
    ranged: dict[str, dict[Range, tuple[int, int]]] = field(default_factory=dict)
    clean_in: dict[tuple[int, str, str], dict[Range, int]] = field(default_factory=dict)
    stride: int = 0
    names: list[str] = field(default_factory=list)

    def new(self, name: str) -> int:
        """Add a point to the block; its offset."""
        self.names.append(name)
        self.stride += 1
        return self.stride - 1


def _groups(way: WayRow) -> list[str]:
    """The groups that may complete accesses of this way."""
    if way.engine == "kick":
        return ["dma", "dma.pfp"]
    return [way.group] if way.group else list(way.blocks)


def _readers(machine: Machine, ways: Iterable[WayRow]) -> dict[str, list[str]]:
    """For each cache, the groups of the accesses that go through it, in table order."""
    found: dict[str, list[str]] = {cache.name: [] for cache in machine.caches}
    for way in ways:
        for cache in way.caches:
            found[cache] += [group for group in _groups(way) if group not in found[cache]]
    return found


def home_of(machine: Machine, way: WayRow) -> str:
    """The nearest cache that takes the data of a way's writes; "" if memory does."""
    return next((name for name in way.caches if machine.cache(name).dirty), "")


def _writers(machine: Machine, ways: Iterable[WayRow]) -> list[Writer]:
    pairs = [(group, home_of(machine, way)) for way in ways if way.writes for group in _groups(way)]
    return list(dict.fromkeys(pairs))


def make_layout(
    machine: Machine, ways: Sequence[WayRow], ranges: Iterable[tuple[str, Range]]
) -> Layout:
    """The layout for a machine and the ways that a program uses.

    `ranges` are the (cache, byte range) pairs that ranged operations name.
    """
    layout = Layout()
    for row in machine.groups:
        layout.done[row.name] = layout.new(f"done:{row.name}")
    for cache, groups in _readers(machine, ways).items():
        for group in groups:
            if machine.cache(cache).dirty:
                layout.wb[cache, group] = layout.new(f"wb:{cache}:{group}")
            layout.inv[cache, group] = layout.new(f"inv:{cache}:{group}")
    for block in sorted({cache.in_order for cache in machine.caches} - {""}):
        layout.order[block] = layout.new(f"order:{block}")
    for cache, span in ranges:
        spans = layout.ranged.setdefault(cache, {})
        if span not in spans:
            name = f"{cache}:{span[0]:#x}-{span[1]:#x}"
            spans[span] = (layout.new(f"wb:{name}"), layout.new(f"inv:{name}"))
    _add_clean_points(layout, machine, ways)
    return layout


def _add_clean_points(layout: Layout, machine: Machine, ways: Sequence[WayRow]) -> None:
    """One point for every cache and kind of writer; far caches first, near ones build on them.

    `cleaning` says of which points the new one is the least when that cache is invalidated.
    In-order blocks need none: their
    own order says which copies are gone.
    """
    paths = list(dict.fromkeys(way.caches for way in ways if way.caches))
    numbers = {cache.name: number for number, cache in enumerate(machine.caches)}
    for cache in reversed(machine.caches):
        if cache.in_order:
            continue
        beyond = _beyond(cache.name, paths)
        for group, home in _writers(machine, ways):
            if home == cache.name or not any(cache.name in path for path in paths):
                continue
            sources = [layout.done[group]]
            if home and home not in beyond:
                sources = [layout.wb[home, group]]
            if home not in beyond:
                sources += [layout.clean[far, (group, home)] for far in beyond]
            point = layout.new(f"clean:{cache.name}:{group}:{home}")
            layout.clean[cache.name, (group, home)] = point
            layout.cleaning.setdefault(cache.name, []).append((point, tuple(sources)))
            for span, (written_back, _) in layout.ranged.get(home, {}).items():
                known = [layout.clean_in[numbers[far], group, home][span] for far in beyond]
                at = layout.new(f"clean:{cache.name}:{group}:{home}:{span[0]:#x}-{span[1]:#x}")
                layout.clean_in.setdefault((numbers[cache.name], group, home), {})[span] = at
                layout.cleaning[cache.name].append((at, (written_back, *known)))


def _beyond(cache: str, paths: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The caches behind this one on the ways through it (the same on all of them)."""
    for path in paths:
        if cache in path:
            return path[path.index(cache) + 1 :]
    return ()
