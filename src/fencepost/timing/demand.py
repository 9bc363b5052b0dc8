"""What a work asks of the machine: wave slots, amounts per unit, caches that it fills.

From its cost where it has one, from its accesses and the machine's rates otherwise (docs/timing.md
3).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fencepost.errors import ProgramProblem
from fencepost.machine.tables import WayRow
from fencepost.stream.command import Access, Work, WorkKind
from fencepost.timing.cost import LONGEST, Cost, read_cost
from fencepost.timing.parameters import SECOND, WHOLE, Parameters, divided


@dataclass(frozen=True, slots=True)
class Job:
    """A work's part on one unit.

    `cap`: the most of the unit that it takes at a time, in parts per million; `amount`: in parts
    per million times picoseconds.
    """

    unit: str
    cap: int
    amount: int


@dataclass(frozen=True, slots=True)
class Footprint:
    """Bytes [start, end) that go through a cache, as cache operations name it."""

    cache: str
    start: int
    end: int
    writes: bool


@dataclass(slots=True)
class Demand:
    """A work, ready to run.

    `time`: alone on the machine, in picoseconds; `vertex`: until the vertex stage has drained.
    `residency`: of the wave slots (0: it needs none); `late`: the part of the work that is done
    when its slots are free again; both in parts per million. `lines_up`: the next work of the queue
    launches nothing before this one runs out of waves.
    """

    time: int
    residency: int = 0
    late: int = 0
    vertex: int = 0
    lines_up: bool = False
    jobs: list[Job] = field(default_factory=list)
    footprints: list[Footprint] = field(default_factory=list)


@dataclass(slots=True)
class Counts:
    """What is counted of a work."""

    vertices: int = 0
    pixels: int = 0
    exports: int = 0
    threads: int = 0
    operations: int = 0
    rays: int = 0
    l1: int = 0
    l2: int = 0
    memory: int = 0

    def by_unit(self) -> dict[str, int]:
        """In the units that the rates count."""
        return {
            "geometry": self.vertices,
            "raster": self.pixels,
            "sm": self.operations,
            "l1": self.l1,
            "l2": self.l2,
            "memory": self.memory,
            "rt": self.rays,
            "rop": self.exports,
        }


class Demands:
    """Makes demands of works; raises `ProgramProblem` for a cost that makes no sense."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.machine = parameters.machine
        self.slots = parameters["wave slots"]

    def of(self, work: Work) -> Demand:
        """The demand of a work."""
        cost = read_cost(work, self.parameters)
        if work.kind in {WorkKind.DRAW, WorkKind.DISPATCH}:
            demand = self._given(work, cost) if cost.time is not None else self._derived(work, cost)
            demand.footprints = list(self._footprints(work))
        else:
            demand = self._transfer(work, cost)
        if demand.time > LONGEST:
            seconds = divided(demand.time, SECOND)
            raise ProgramProblem(f"cost: it takes {seconds:,} s", work.place, "up to 1 s")
        return demand

    # -- given: a duration, and what it says of units

    def _given(self, work: Work, cost: Cost) -> Demand:
        time = cost.time or 0
        loads = dict(cost.loads)
        for unit, count in self._said(work, cost).by_unit().items():
            if count:
                loads[unit] = self._load(work, cost, unit, count, time)
        demand = self._shape(cost, time, self._said_waves(cost))
        demand.vertex = self._vertex_part(work, cost, time)
        demand.jobs = [Job(unit, load, load * time) for unit, load in sorted(loads.items())]
        return demand

    def _load(self, work: Work, cost: Cost, unit: str, count: int, time: int) -> int:
        """The part of the unit that a count takes within a duration."""
        if unit in cost.loads:
            raise ProgramProblem(f"cost: a count and a load of '{unit}'", work.place, "one of them")
        load = divided(self.parameters.amount(f"{unit} rate", count), time)
        if load > WHOLE:
            raise ProgramProblem(
                f"cost: unit '{unit}' cannot do {count} in {time} ps", work.place, "a longer time"
            )
        return load

    def _said(self, work: Work, cost: Cost) -> Counts:
        """The counts that the cost itself names."""
        said = cost.counts
        pixels = said.get("pixels", 0)
        return Counts(
            vertices=said.get("vertices", 0),
            pixels=pixels,
            exports=pixels * max(1, len(self._targets(work))),
            operations=said.get("operations", 0),
            rays=said.get("rays", 0),
            memory=said.get("bytes", 0),
        )

    def _said_waves(self, cost: Cost) -> int:
        """Waves by what the cost names; 0: it does not say."""
        said = cost.counts
        return cost.waves or sum(
            self._waves(said.get(key, 0)) for key in ("vertices", "pixels", "threads")
        )

    def _waves(self, threads: int) -> int:
        return divided(threads, self.parameters["lanes of a wave"])

    def _vertex_part(self, work: Work, cost: Cost, time: int) -> int:
        if work.kind is not WorkKind.DRAW:
            return 0
        part = cost.vertex_part or self.parameters["vertex part of a draw"]
        return divided(time * part, WHOLE)

    def _shape(self, cost: Cost, time: int, waves: int) -> Demand:
        """Residency and the tail, from waves where they are known (0: not)."""
        residency = cost.residency
        if residency is None:
            whole = self.parameters["residency of a work"]
            residency = min(WHOLE, divided(waves * WHOLE, self.slots)) if waves else whole
        resident = residency * self.slots
        if waves * WHOLE <= resident:
            return Demand(time, residency)
        # the last waves retire one after the other over the life of a wave, `resident / waves` of
        # the whole: in the mean their slots are free for half of that
        return Demand(time, residency, resident // (2 * waves), lines_up=True)

    # -- derived: counts, and the machine's rates

    def _derived(self, work: Work, cost: Cost) -> Demand:
        counts = self._count(work, cost)
        waves = cost.waves or (
            self._waves(counts.vertices) + self._waves(counts.pixels) + self._waves(counts.threads)
        )
        floor = self.parameters.cycles("shortest wave")
        residency = self._shape(cost, 0, waves).residency
        cap = min(WHOLE, divided(residency * WHOLE, self.parameters["saturating residency"]))
        jobs = list(self._jobs(counts, cap))
        time = max(floor, *(divided(job.amount, job.cap) for job in jobs), 1)
        demand = self._shape(cost, time, waves)
        demand.jobs = jobs
        if work.kind is WorkKind.DRAW:
            geometry = max((job.amount for job in jobs if job.unit == "geometry"), default=0)
            demand.vertex = max(floor, divided(geometry, cap))
            if cost.vertex_part:
                demand.vertex = self._vertex_part(work, cost, time)
        return demand

    def _jobs(self, counts: Counts, cap: int) -> Iterator[Job]:
        for unit, count in counts.by_unit().items():
            if count:
                yield Job(unit, cap, self.parameters.amount(f"{unit} rate", count))

    def _count(self, work: Work, cost: Cost) -> Counts:
        """What the cost names, and for the rest what the accesses let us assume."""
        said, values = cost.counts, self.parameters
        counts = Counts(rays=said.get("rays", 0))
        touched = self._traffic(work, counts)
        counts.memory = said.get("bytes", counts.memory)
        if work.kind is WorkKind.DRAW:
            targets = self._targets(work)
            counts.vertices = said.get("vertices") or self._vertices(work)
            counts.pixels = said.get("pixels") or max(targets, default=0)
            pixels = said.get("pixels")
            counts.exports = pixels * max(1, len(targets)) if pixels else sum(targets)
        else:
            counts.threads = said.get("threads") or max(
                divided(touched, values["bytes of a thread"]), values["lanes of a wave"]
            )
        counts.operations = said.get("operations") or (
            counts.vertices * values["operations of a vertex"]
            + counts.pixels * values["operations of a pixel"]
            + counts.threads * values["operations of a thread"]
        )
        return counts

    def _vertices(self, work: Work) -> int:
        read = sum(access.end - access.start for access in work.accesses if access.use == "vertex")
        known = divided(read, self.parameters["bytes of a vertex"])
        return known or self.parameters["vertices of a draw"]

    def _targets(self, work: Work) -> list[int]:
        """Pixels of each color and depth target."""
        return [
            self._pixels(access)
            for access in work.accesses
            if access.block[:2] in {"cb", "db"} and access.part == "pixels"
        ]

    def _pixels(self, access: Access) -> int:
        shape, size = access.resource.shape, access.end - access.start
        if shape is None:
            return divided(size, self.parameters["bytes of a pixel"])
        return divided(shape[0] * shape[1] * size, access.resource.main.size)

    def _traffic(self, work: Work, counts: Counts) -> int:
        """Bytes through L1, L2 and to memory; returns the bytes touched.

        Every read comes from memory once; of what is written only what does not fit into its cache
        goes there by itself, the rest is dirty.
        """
        touched = 0
        for access in work.accesses:
            way, size = self._way(access), access.end - access.start
            touched += size
            counts.l1 += size if "tcp" in way.caches else 0
            counts.l2 += size if "tcc" in way.caches else 0
            counts.memory += size if way.reads else 0
            if way.writes:
                home = self._home(way)
                room = self.parameters[f"capacity {home}"] if home else 0
                counts.memory += max(0, size - room)
        return touched

    def _way(self, access: Access) -> WayRow:
        way = self.machine.way(access.block, access.use, access.part)
        if way is None:
            raise KeyError((access.block, access.use, access.part))
        return way

    def _home(self, way: WayRow) -> str:
        """The cache that holds what is written this way, or ""."""
        rows = [self.machine.cache(name) for name in way.caches]
        return next((row.operated_as for row in rows if row.dirty), "")

    def _footprints(self, work: Work) -> Iterator[Footprint]:
        for access in work.accesses:
            way = self._way(access)
            for name in way.caches:
                row = self.machine.cache(name)
                writes = way.writes and row.dirty
                yield Footprint(row.operated_as, access.start, access.end, writes)

    # -- transfers and the CPU

    def _transfer(self, work: Work, cost: Cost) -> Demand:
        size = cost.counts.get("bytes") or sum(a.end - a.start for a in work.accesses)
        if work.kind is WorkKind.CPU:
            return Demand(cost.time or self.parameters.span("CPU bandwidth", size))
        by_queue = work.kind is WorkKind.COPY
        rate = "copy queue rate" if by_queue else "CP DMA rate"
        time = cost.time or self.parameters.span(rate, size)
        jobs = [Job(unit, load, load * time) for unit, load in sorted(cost.loads.items())]
        if by_queue and cost.time is None and size:
            each = self.parameters[rate] * self.parameters["GPU clock"]
            load = min(WHOLE, each * WHOLE // self.parameters["memory rate"])
            jobs = [Job("memory", load, load * time)]
        footprints = list(self._footprints(work)) if not by_queue else []
        return Demand(time, jobs=jobs, footprints=footprints)
