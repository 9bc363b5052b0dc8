"""Raw hits and facts in people's words."""

from __future__ import annotations

from fencepost.coherence.finding import Link, Spot
from fencepost.coherence.hits import Actor, Fact, Hit
from fencepost.coherence.issue import accesses_of
from fencepost.coherence.observing import Relation
from fencepost.coherence.ways import Way, Ways
from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Command
from fencepost.stream.program import Program

MESSAGES = {
    "read-after-write": "{later} may read {what} before {earlier} has written it",
    "write-after-read": "{later} may overwrite {what} while {earlier} still reads it",
    "write-after-write": "{later} may write {what} before {earlier} does",
    "not-written-back": (
        "{later} may miss what {earlier} wrote to {what}: it may still be in {home}"
    ),
    "lost-write": "what {earlier} wrote to {what} may come out of {home} after {later} wrote it",
    "stale-cache-line": (
        "{later} may hit an old copy of {what} in {cache}, from before {earlier} wrote it"
    ),
}

BLOCKS = {
    "vs": "flush vs",
    "ps": "flush ps",
    "cs": "flush cs",
    "cb": "a surface sync coherent with the target, or an EOP fence",
    "db": "a surface sync coherent with the target, or an EOP fence",
    "so": "a full synchronization (wait idle)",
    "dma": "a DMA wait",
    "dma.pfp": "a DMA wait",
    "serial": "a fence, or a kickoff",
    "wc": "a kickoff",
    "eop": "a wait for that value",
    "flip": "a wait for the flip",
}
"""What makes an engine wait for a group (design 4.3)."""


class Words:
    """Names commands, ranges, caches and engines of one program on one machine."""

    def __init__(self, program: Program, machine: Machine, ways: Ways) -> None:
        self.program = program
        self.machine = machine
        self.ways = ways
        self.titles = [cache.title for cache in machine.caches]

    def command(self, queue: int, position: int) -> Command:
        """The command at that position."""
        return self.program.queues[queue].commands[position]

    def access(self, actor: Actor, start: int, end: int) -> Access | None:
        """The access of that way which touches [start, end), or comes nearest."""
        way = self.ways.all[actor.way] if actor.way >= 0 else None
        for access in accesses_of(self.command(actor.queue, actor.position)):
            same = way is None or (access.block, access.use) == (way.block, way.row.use)
            if same and access.start < end and start < access.end:
                return access
        return None

    def spot(self, actor: Actor, start: int, end: int) -> Spot:
        """Where an access stands and what it does there."""
        access = self.access(actor, start, end)
        does = "" if access is None else f"{access.block}.{access.use} {name_range(access)}"
        queue = self.program.queues[actor.queue].name
        return Spot(queue, actor.position, self.command(actor.queue, actor.position), does)

    def place(self, queue: int, position: int) -> Spot:
        """A command that is not named for an access."""
        name = self.program.queues[queue].name
        return Spot(name, position, self.command(queue, position))

    def bringer(self, actor: Actor, start: int, end: int) -> Spot:
        """Who brought a line in: an access on the same 64-byte lines."""
        line = self.machine.line
        return self.spot(actor, start // line * line, -(-end // line) * line)

    def bytes_of(self, actor: Actor, start: int, end: int) -> str:
        """The bytes [start, end) as a part and relative range of the accessed resource."""
        access = self.access(actor, start, end)
        if access is None:
            return f"{start:#x}:{end:#x}"
        return name_bytes(access, start, end)

    def message(self, hit: Hit, start: int, end: int) -> str:
        """One sentence: what goes wrong."""
        write = self.ways.all[hit.earlier.way]
        homes = {cache.name: cache.title for cache in self.machine.caches}
        unordered = hit.earlier.queue != hit.later.queue and hit.broken.question == "ordered"
        return MESSAGES[hit.rule].format(
            later=short(self.spot(hit.later, start, end)),
            earlier=short(self.spot(hit.earlier, start, end)),
            what=self.bytes_of(hit.later, start, end),
            home=homes.get(write.home_name, "memory"),
            cache=self.titles[hit.cache] if hit.cache >= 0 else "",
        ) + (": nothing orders the two queues" if unordered else "")

    def missing(self, hit: Hit) -> str:
        """The missing piece."""
        earlier = self.ways.all[hit.earlier.way]
        later = self.ways.all[hit.later.way]
        engine = self._engine(later)
        across = hit.earlier.queue != hit.later.queue
        match hit.rule:
            case "not-written-back" | "lost-write":
                return (
                    f"a write-back of {self._title(earlier)} after the write, known to be finished"
                )
            case "stale-cache-line":
                return (
                    f"an invalidation of {self.titles[hit.cache]} after the write, before the read"
                )
            case _ if across:
                return "a fence from that queue, or what it stands for, that this queue waits for"
            case _:
                wait = BLOCKS.get(earlier.group, "a wait")
                return f"{wait}, between the two, that holds {engine}"

    def _title(self, way: Way) -> str:
        return next((c.title for c in self.machine.caches if c.name == way.home_name), "memory")

    # -- the chain

    def link(self, relation: Relation, fact: Fact, by: Spot | None) -> Link:
        """One fact as a line of the chain."""
        earlier = relation.earlier
        if earlier is None or fact.question == "in order":
            return Link("ordered", True, "one in-order block, or atomics: they need no wait", None)
        way = self.ways.all[earlier.way]
        spot = self.spot(earlier, relation.start, relation.end)
        if not fact.holds and fact.bringer is not None:
            by = self.bringer(fact.bringer, relation.start, relation.end)
        return Link(fact.question, fact.holds, self._text(relation, fact, way, spot), by)

    def _text(self, relation: Relation, fact: Fact, way: Way, earlier: Spot) -> str:
        engine = self._engine(self.ways.all[relation.later.way])
        title = self.titles[fact.cache]
        match fact.question, fact.holds:
            case "ordered", True:
                return f"{short(earlier)} is complete ({self._group(way)})"
            case "ordered", False:
                until = f"{short(earlier)} is complete ({self._group(way)})"
                return f"nothing holds {engine} until {until}"
            case "available", True:
                return f"{title} has been written back"
            case "available", False:
                return f"no finished write-back of {title} after it"
            case "visible", True:
                return f"{title} was invalidated after the data was there"
            case _:
                return self._old(relation, fact, title)

    @staticmethod
    def _engine(way: Way) -> str:
        """Who performs an access, or lets it start."""
        return {"pfp": "PFP", "serial": way.block.upper(), "kick": "the CP DMA"}.get(
            way.row.engine, "ME"
        )

    def _group(self, way: Way) -> str:
        row = next(group for group in self.machine.groups if group.name == way.group)
        return row.complete_when

    def _old(self, relation: Relation, fact: Fact, cache: str) -> str:
        if fact.bringer is None:
            return f"{cache} may hold an old copy"
        spot = self.bringer(fact.bringer, relation.start, relation.end)
        return f"{cache} may hold an old copy, brought in by {short(spot)}"


def short(spot: Spot) -> str:
    """`draw "sky"`, the packet, or the kind of command with its line."""
    return spot.title if spot.command.name else f"{spot.title} (line {spot.place.line})"


def name_range(access: Access) -> str:
    """`hdr.pixels[0:64]`, shortened where the access is the whole part."""
    return name_bytes(access, access.start, access.end)


def name_bytes(access: Access, start: int, end: int) -> str:
    """The bytes of an access as people write them."""
    part = access.resource.part(access.part)
    if part is None:
        return f"{access.resource.name}[{start:#x}:{end:#x}]"
    name = access.resource.name
    if part is not access.resource.main:
        name += f".{part.name}"
    low, high = max(start, part.start), min(end, part.end)
    if (low, high) == (part.start, part.end):
        return name
    return f"{name}[{low - part.start}:{high - part.start}]"
