"""What a walk reads: ways, pairs of ways, operations of shapes, bytes, as arrays of integers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from fencepost.coherence.layout import Layout
from fencepost.coherence.lowered.columns import Columns, Track
from fencepost.coherence.lowered.operations import LowerCommand, Operations
from fencepost.coherence.lowered.shapes import Unsupported
from fencepost.coherence.queues import ME, OWN_GROUP
from fencepost.coherence.ways import Pair, Way, Ways
from fencepost.stream.command import Work
from fencepost.stream.resource import WHOLE_END


def narrow(values: Iterable[int]) -> array[int]:
    """Integers of 32 bits."""
    return array("i", values)


def rows(lists: Iterable[Iterable[int]]) -> tuple[array[int], array[int]]:
    """Lists one behind the other, and where each begins and the last ends."""
    firsts: list[int] = [0]
    values: list[int] = []
    for one in lists:
        values += one
        firsts.append(len(values))
    return narrow(firsts), narrow(values)


def joined(lists: list[array[int]]) -> tuple[array[int], array[int]]:
    """As `rows`, of long lists."""
    firsts, values = narrow([0]), narrow([])
    for one in lists:
        values += one
        firsts.append(len(values))
    return firsts, values


class WayTables:
    """The ways of a program's accesses, numbered as the shapes; hops and pairs of ways in rows."""

    def __init__(self, columns: Columns, ways: Ways, layout: Layout) -> None:
        every = [ways.find(access, engine) for access, engine in columns.table.accesses]
        if [way.number for way in every] != list(range(len(every))):
            raise Unsupported
        self.count = len(every)
        self.engine = narrow(columns.table.access_engines)
        self.reads = narrow(way.reads for way in every)
        self.writes = narrow(way.writes for way in every)
        self.done = narrow(way.done for way in every)
        self.home = narrow(way.home for way in every)
        self.wb = narrow(way.wb for way in every)
        self.order = narrow(way.order for way in every)
        self.drawn = narrow(way.drawn for way in every)
        self.safe = narrow(bool(way.row.safe_with) for way in every)
        self._hops(every)
        pairs = [ways.pair(earlier, later) for earlier in every for later in every]
        self._pairs(pairs)
        self.feedback = narrow(_conflict(one, two) for one in every for two in every)
        names = ways.cache_names
        spans = [layout.ranged.get(name, {}) for name in names]
        self.ranged_first = rows([[0] * len(one) for one in spans])[0]
        flat = [(span, points) for one in spans for span, points in one.items()]
        self.ranged_start = array("q", [span[0] for span, _ in flat])
        self.ranged_end = array("q", [span[1] for span, _ in flat])
        self.ranged_wb = narrow(points[0] for _, points in flat)
        self.ranged_inv = narrow(points[1] for _, points in flat)

    def _hops(self, every: list[Way]) -> None:
        hops = [hop for way in every for hop in way.hops]
        self.hop_first = rows([[0] * len(way.hops) for way in every])[0]
        self.hop_cache = narrow(hop.cache for hop in hops)
        self.hop_kill = narrow(hop.kill for hop in hops)
        self.hop_through = narrow(hop.through for hop in hops)
        self.hop_hit = narrow(hop.hit for hop in hops)
        self.hop_private = narrow(hop.private for hop in hops)

    def _pairs(self, pairs: list[Pair]) -> None:
        self.free = narrow(pair.free for pair in pairs)
        self.free_across = narrow(pair.free_across for pair in pairs)
        self.ordered = narrow(pair.ordered for pair in pairs)
        self.meets = narrow(pair.meets for pair in pairs)
        self.through = narrow(pair.through for pair in pairs)
        self.clean_first, self.clean = rows([pair.clean for pair in pairs])


def _conflict(one: Way, two: Way) -> bool:
    """Is a command that does both to the same bytes wrong by itself (model 3.6)?"""
    first, second = one.row, two.row
    if not (first.writes or second.writes):
        return False
    if first.safe_with and first.safe_with == second.safe_with:
        return False
    same_shader = one.block == two.block and first.inside
    return not (same_shader and first.inside == second.inside)


class SurfaceTables:
    """The surfaces of draws and each queue's contexts, as `contexts.Contexts` knows them.

    Rows of queue `q`: starts and draws; of queue `q` and surface `s`, if `used`: its draws.
    """

    def __init__(self, columns: Columns, *, used: bool) -> None:
        tracks = columns.tracks
        self.count = len(columns.surface_spans) if used else 0
        self.starts_first, self.starts = joined([track.starts.done() for track in tracks])
        self.draws_first, self.draws = joined([track.draws.done() for track in tracks])
        self.uses_first, self.uses = rows(
            positions for track in tracks for positions in self._positions(track)
        )
        spans, chosen = columns.spans, columns.surface_spans[: self.count]
        self.start = array("q", [spans.starts[span] for span in chosen])
        self.end = array("q", [spans.ends[span] for span in chosen])
        names = {number: name for name, number in columns.table.blocks.items()}
        self.blocks = [names[block] for block in columns.surface_blocks[: self.count]]

    def _positions(self, track: Track) -> list[list[int]]:
        found: list[list[int]] = [[] for _ in range(self.count)]
        if self.count:
            pairs = zip(track.surface_uses.done(), track.surface_positions.done(), strict=True)
            for surface, position in pairs:
                found[surface].append(position)
        return found


class ShapeTables:
    """What a walk does for each shape of a command, and for each queue.

    Operations of a shape are rows `first[s]:first[s + 1]` of `codes`; of a work's shape those that
    come before its accesses are rows `first[s]:middle[s]`.
    """

    def __init__(self, columns: Columns, out: Operations, surfaces: SurfaceTables) -> None:
        table, slots = columns.table, out.slots
        first, middle, works, kicks = [0], [], [], []
        for queue, command in table.commands:
            lower = LowerCommand(out, queue, command)
            if isinstance(command, Work):
                lower.before_work(command)
                middle.append(len(out))
                lower.after_work(command)
                kicks.append(slots.engine(queue, command.engine))
            else:
                middle.append(len(out))
                lower.synchronization()
                kicks.append(0)
            works.append(
                isinstance(command, Work) + (isinstance(command, Work) and command.raw_wait)
            )
            first.append(len(out))
        self.first, self.middle = narrow(first), narrow(middle)
        self.works, self.kicks = narrow(works), narrow(kicks)
        self.codes = narrow(out.codes)
        self.slots = len(slots)
        queues = range(len(out.queues))
        self.engine_slots = narrow(
            slots.engine(queue, engine) for queue in queues for engine in (ME, "pfp", "", "", "")
        )
        self.has_me = narrow(ME in slots.engines[queue] for queue in queues)
        self.arrive_first, self.arrivals = rows(self._arrivals(out, queue) for queue in queues)
        self._stalls(out, surfaces.blocks)
        self._streams(out)

    @staticmethod
    def _arrivals(out: Operations, queue: int) -> list[int]:
        """Slot, point, and what is added to the position, for each engine."""
        done, base = out.layout.done, queue * out.layout.stride
        engines = out.slots.engines[queue]
        found = [
            value
            for name, slot in engines.items()
            for value in (slot, base + done[OWN_GROUP[name]], 0)
        ]
        if ME in engines:
            found += (engines[ME], base + done["pfp"], 1)
        return found

    def _stalls(self, out: Operations, surfaces: list[str]) -> None:
        """`stall_surfaces[n * count + s]`: is surface `s` meant by the names of stall `n`?"""
        self.stall_start = array("q", [span[0] for _, span, _ in out.stalls])
        self.stall_end = array("q", [span[1] for _, span, _ in out.stalls])
        self.stall_whole = narrow(s == 0 and e >= WHOLE_END for _, (s, e), _ in out.stalls)
        names = [names for names, _, _ in out.stalls]
        self.stall_surfaces = narrow(block in chosen for chosen in names for block in surfaces)
        self.stall_blocks_first, self.stall_blocks = rows(
            [out.blocks.index(block) for block in blocks if block in out.blocks]
            for _, _, blocks in out.stalls
        )
        so = out.machine.so_coherency
        self.stall_so = narrow(so and "base" in blocks for _, _, blocks in out.stalls)
        self.draw_end = narrow(out.layout.done[group] for group in out.machine.draw_end)
        self.so_done = out.layout.done["so"]
        self.blocks = len(out.blocks)

    def _streams(self, out: Operations) -> None:
        pairs = [out.pairs(out.names[cache], out.layout.inv) for cache in out.stream_caches]
        self.stream_first, self.stream_targets = rows([p[0] for p in one] for one in pairs)
        self.stream_sources = rows([p[1] for p in one] for one in pairs)[1]


class ByteTables:
    """Distinct byte ranges as runs of cells, which are the bytes between two neighbouring ends.

    Range `s` is cells `low[s]` to `high[s]`; `before[s]` and `behind[s]` are the ranges of the rest
    of its first and its last line, or -1. Cell `c` begins at `address[c]`.
    """

    def __init__(self, columns: Columns, line: int) -> None:
        spans = columns.spans
        count = spans.size
        before, behind = [-1] * count, [-1] * count
        for number in range(count):
            start, end = spans.starts[number], spans.ends[number]
            low, high = start // line * line, -(-end // line) * line
            if low < start:
                before[number] = spans.find(low, start)
            if end < high:
                behind[number] = spans.find(end, high)
        more = spans.size - count
        self.before, self.behind = narrow(before + [-1] * more), narrow(behind + [-1] * more)
        points = sorted({*spans.starts, *spans.ends})
        places = {point: number for number, point in enumerate(points)}
        self.low = narrow(places[start] for start in spans.starts)
        self.high = narrow(places[end] for end in spans.ends)
        self.address = array("q", points)
