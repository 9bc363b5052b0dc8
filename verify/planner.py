"""The plan against brute force: is there anything cheaper that the checker calls clean?

All ways to put synchronization into a program are walked through, cheapest first: every command of
every kind, any number of them in any order in every gap, values and waits for them wherever they
may stand. Each prefix is judged by the checker's own replay, command by command. Prefixes that
leave the replay in the same state are one. What already costs as much as the plan is left.

So is a prefix that another one beats in everything (`Front`), and one that lacks more than the
plan's cost has room for (`BruteForce.rest`); `plain` does without these two.

Shared with the planner: the table of costs and its walk, the checker, the records. Nothing else.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from fencepost.coherence.contexts import Contexts
from fencepost.coherence.fences import Fences, LabelWrite, Wait
from fencepost.coherence.history import History
from fencepost.coherence.hits import Hit
from fencepost.coherence.issue import ranged_operations, release_group, used_ways
from fencepost.coherence.layout import Clock, join, make_layout
from fencepost.coherence.memory import Memory, Segment
from fencepost.coherence.observing import FactFinder, Relation
from fencepost.coherence.queues import ME, PFP, QueueState
from fencepost.coherence.replay import Replay
from fencepost.coherence.ways import Ways
from fencepost.machine.tables import Machine
from fencepost.plan.costs import DISPATCH, DRAW, CostTable, Walk
from fencepost.plan.levels import planned_level
from fencepost.stream.command import (
    FULL_MASK,
    Command,
    Comparison,
    EndOfPipe,
    PipelinedEvent,
    WaitMemory,
    Work,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import WHOLE_END
from verify.commands import label, labelled, synchronization, wait_for

DRAWN = frozenset({"vs", "ps", "cb", "db"})


@dataclass(slots=True)
class Value:
    """A value that the command of that number has written, and what it guarantees.

    `used`: somebody waits for it.
    """

    number: int
    clock: Clock
    used: bool = False


@dataclass(slots=True)
class Prefix:
    """A program so far, and where replay and costs stand behind it.

    `works`: where its works are.
    """

    commands: tuple[Command, ...]
    works: tuple[int, ...]
    state: QueueState
    memory: Memory
    walk: Walk
    cycles: int
    values: tuple[Value, ...] = ()

    def counted(self) -> list[int]:
        """For each position how many works stand below it: all that a clock can say."""
        found, works = [], 0
        for position in range(len(self.commands) + 2):
            found.append(works)
            works += position in self.works
        return found


@dataclass(frozen=True, slots=True)
class Answer:
    """The cheapest clean program below the limit, if there is one; how much was looked at."""

    program: Program | None
    cycles: int
    prefixes: int


class BruteForce:
    """All synchronization for the works of one graphics queue."""

    def __init__(
        self, program: Program, machine: Machine, guarantees: str, *, plain: bool = False
    ) -> None:
        self.program, self.machine, self.plain = program, machine, plain
        self.works = [c for c in program.queues[0].commands if isinstance(c, Work)]
        self.table = CostTable(machine)
        syncs = tuple(synchronization(self.works, machine))
        self.syncs = [(command, *self._parts(command)) for command in syncs]
        probe = replace(program, queues=(queue_of((*self.works, *syncs)),))
        self.layout = make_layout(
            machine, used_ways(probe, machine), ranged_operations(probe, machine)
        )
        self.groups = {at: group for group, at in self.layout.done.items()}
        self.ways = Ways(machine, self.layout)
        self.fences = Fences({})
        empty = replace(program, queues=(queue_of(()),))
        level = planned_level(guarantees)
        self.replay = Replay(empty, machine, level, self.fences, self.layout, self.ways)
        self.replay.history = Forgetful()
        self.hits: list[Hit] = []
        self.replay.accesses.report = self.hits.append
        self.prefixes = 0
        self._rests: dict[object, tuple[int, frozenset[str]]] = {}

    def _parts(self, command: Command) -> tuple[int, tuple[tuple[str, int], ...]]:
        """What a command costs that takes nothing from what is lacking.

        And its operations' costs.

        The former is the packet, less what `Lacks` counts for one and for a wait; with the wait
        that its value is for.
        """
        operations = getattr(command, "operations", ())
        parts = tuple(
            (one.cache, self.table.cycles(f"operation {one.cache}")) for one in operations
        )
        packet = self.table.command(command) - sum(cycles for _, cycles in parts)
        if operations:
            packet -= max(packet_of(cache, self.table) for cache, _ in parts)
        if getattr(command, "label", None) is not None:
            packet += self.table.cycles("WaitMemory")
        elif not isinstance(command, EndOfPipe | PipelinedEvent):
            packet -= self.table.cycles("coherency")
        return packet, parts

    def cheaper_than(self, limit: int) -> Answer:
        """The cheapest clean program that costs less."""
        start = Prefix((), (), self.replay.queues[0], Memory(), Walk(self.table), 0)
        ties = count()
        heap = [(0, next(ties), start)]
        front = Front(self.table)
        while heap:
            least, _, prefix = heapq.heappop(heap)
            if len(prefix.works) == len(self.works):
                return Answer(self.written(prefix), prefix.cycles, self.prefixes)
            if front.seen(prefix):
                continue
            self.prefixes += 1
            lacking = frozenset[str]()
            room = limit
            if not self.plain:
                lacking, room = self.rest(prefix)[1], limit - least
            for child in self.children(prefix, room, lacking):
                total = child.cycles + (0 if self.plain else self.rest(child)[0])
                if total < limit and (self.plain or front.survives(child)):
                    heapq.heappush(heap, (total, next(ties), child))
        return Answer(None, limit, self.prefixes)

    def written(self, prefix: Prefix) -> Program:
        """The program of a prefix, with its labels."""
        labels = [label(value.number) for value in prefix.values]
        queues = (queue_of(prefix.commands),)
        return replace(self.program, resources=(*self.program.resources, *labels), queues=queues)

    # -- one command more

    def children(self, prefix: Prefix, room: int, lacking: frozenset[str]) -> Iterator[Prefix]:
        """Every prefix with one command more that is not the same as without it.

        `room`: what the command may cost beside operations on the caches that are lacking, waiting,
        and what it takes from the rest otherwise.
        """
        child = self.carried(prefix, self.works[len(prefix.works)])
        if not self.hits:
            yield child
        for command, packet, parts in self.syncs:
            extra = sum([cycles for cache, cycles in parts if cache not in lacking])
            if packet + extra >= room:
                continue
            child = self.carried(prefix, labelled(command, len(prefix.commands)))
            if child.values is not prefix.values or differs(prefix.state, child.state):
                yield child
        for value in prefix.values:
            for engine in (ME, PFP):
                child = self.carried(prefix, wait_for(value.number, engine), value)
                if differs(prefix.state, child.state):
                    yield child

    def carried(self, prefix: Prefix, command: Command, value: Value | None = None) -> Prefix:
        """The prefix with that command; `hits` holds what it does wrong."""
        work = isinstance(command, Work)
        commands = (*prefix.commands, command)
        state = copied(prefix.state, draws=work)
        state.queue = queue_of(commands)
        here = state.position
        memory = copied_memory(prefix.memory) if work else prefix.memory
        write = self._prepare(command, here, value)
        self._step(state, memory, command)
        values = prefix.values
        if value is not None and not value.used:
            used = replace(value, used=True)
            values = tuple(used if one is value else one for one in values)
        if write is not None and write.clock is not None:
            values = (*values, Value(here, list(write.clock)))
        walk = copied_walk(prefix.walk)
        cycles = prefix.cycles + walk.step(command)
        works = (*prefix.works, here) if work else prefix.works
        return Prefix(commands, works, state, memory, walk, cycles, values)

    def _step(self, state: QueueState, memory: Memory, command: Command) -> None:
        self.hits.clear()
        self.replay.queues[0] = state
        self.replay.accesses.memory = memory
        self.replay.step(state, command)

    def _prepare(self, command: Command, here: int, value: Value | None) -> LabelWrite | None:
        """Tell the replay of the value that the command writes or waits for."""
        self.fences.writes.clear()
        self.fences.waits.clear()
        if value is not None:
            source = (0, value.number)
            wait = Wait(0, here, "", Comparison.GREATER_EQUAL, 1, FULL_MASK, 0)
            wait.sources = [source]
            self.fences.waits[0, here] = wait
            self.fences.writes[source] = LabelWrite(*source, 1, 0, clock=value.clock)
        if getattr(command, "label", None) is None or isinstance(command, WaitMemory):
            return None
        group = release_group(command, QueueKind.GRAPHICS, self.machine)
        write = LabelWrite(0, here, 1, self.layout.done[group])
        self.fences.writes[0, here] = write
        return write

    # -- what is lacking

    def rest(self, prefix: Prefix) -> tuple[int, frozenset[str]]:
        """What a prefix lacks costs at least so much; the caches that lack an operation.

        The works that are left are tried twice. With every engine knowing all that is under way,
        they may lack cache operations: each has to stand behind the work that it is for. As it is,
        an engine may lack knowledge: something has to wait, and the pipeline may run empty. Beside
        that a value without a wait would be for nothing.
        """
        table = prefix.counted()
        clocks = [everything(prefix), prefix.state.clocks[ME], prefix.state.clocks[PFP]]
        key = (
            len(prefix.works),
            tuple([table[value] for clock in clocks for value in clock]),
            memory_key(prefix.memory, table),
            tuple(ages(prefix.walk, self.table)),
        )
        found = self._rests.get(key)
        if found is None:
            lacks = Lacks(self.table)
            self._try(prefix, clocks[0], lacks)
            self._try(prefix, None, lacks)
            found = self._rests[key] = lacks.cycles(), frozenset(lacks.operations)
        unused = sum(not value.used for value in prefix.values)
        return found[0] + unused * self.table.cycles("WaitMemory"), found[1]

    def _try(self, prefix: Prefix, clock: Clock | None, lacks: Lacks) -> None:
        """Try the works that are left, with that clock for all engines (None: as it is)."""
        state, memory = copied(prefix.state, draws=True), copied_memory(prefix.memory)
        for own in state.clocks.values() if clock is not None else ():
            own[:] = clock or ()
        starts = dict(zip(prefix.works, self._starts(prefix), strict=True))
        now = prefix.walk.now
        for work in self.works[len(prefix.works) :]:
            here = state.position
            state.queue = queue_of((*state.queue.commands, work))
            finder = FactFinder({(0, here)})
            finder.attach(self.replay)
            self._step(state, memory, work)
            self.replay.accesses.observer = None
            for relation in finder.relations:
                if clock is not None:
                    self._lack_operations(lacks, relation)
                else:
                    self._lack_knowledge(lacks, relation, starts, now)
            if work.kind in (DRAW, DISPATCH):
                now += self.table.overlap
            starts[here] = now

    def _starts(self, prefix: Prefix) -> list[int]:
        """When each work was started: a walk over the prefix says it."""
        walk, found = Walk(self.table), []
        for command in prefix.commands:
            walk.step(command)
            if isinstance(command, Work):
                found.append(walk.now)
        return found

    def _lack_operations(self, lacks: Lacks, relation: Relation) -> None:
        for fact in relation.facts:
            drained = fact.point % self.layout.stride in self.groups
            if not fact.holds and fact.question != "ordered" and not drained:
                since = fact.at if fact.bringer is None else fact.bringer.position
                cache = self.machine.cache(self.ways.cache_names[fact.cache]).operated_as
                lacks.operation(cache, since, relation.later.position)

    def _lack_knowledge(
        self, lacks: Lacks, relation: Relation, starts: dict[int, int], now: int
    ) -> None:
        """Of the end of some work. No event stands in for a barrier at the levels of plans."""
        in_order = self.ways.all[relation.later.way].order >= 0
        for fact in relation.facts:
            if fact.holds:
                continue
            if fact.question == "ordered":
                group = self.groups.get(fact.point % self.layout.stride, "")
                waits = group == "cs" or group in DRAWN
            else:
                waits = not (fact.question == "visible" and in_order)
            if waits:
                since = min(fact.at, fact.at if fact.bringer is None else fact.bringer.position)
                lacks.wait(since, relation.later.position, now - starts[since])


class Forgetful(History):
    """Explains nothing."""

    def note(self, queue: int, engine: str, position: int, clock: Clock) -> None:
        """Nothing is kept."""


class Lacks:
    """What works lack, each between two positions: the least that gives it all."""

    def __init__(self, table: CostTable) -> None:
        self.table = table
        self.operations: dict[str, list[tuple[int, int]]] = {}
        self.waits: list[tuple[int, int, int]] = []

    def operation(self, cache: str, since: int, until: int) -> None:
        """An operation on that cache has to stand behind `since` and before `until`."""
        self.operations.setdefault(cache, []).append((until, since))

    def wait(self, since: int, until: int, age: int) -> None:
        """Work of that age, once `until` comes, has to be over by then."""
        self.waits.append((until, since, max(0, self.table.drain - age)))

    def cycles(self) -> int:
        """As late as possible, one serves as many as it can: operations, packets, waits."""
        total = packets = 0
        for cache, lacks in self.operations.items():
            times = served(lacks)
            total += times * self.table.cycles(f"operation {cache}")
            packets = max(packets, times * packet_of(cache, self.table))
        waits = served([(until, since) for until, since, _ in self.waits])
        return total + packets + waits * self.table.cycles("coherency") + self._stalls()

    def _stalls(self) -> int:
        stood: list[tuple[int, int]] = []
        for until, since, time in sorted(self.waits):
            missing = time - sum(cycles for at, cycles in stood if at > since)
            if missing > 0:
                stood.append((until, missing))
        return sum(cycles for _, cycles in stood)


def packet_of(cache: str, table: CostTable) -> int:
    """The lightest command that carries such an operation."""
    if cache[:2] in ("cb", "db"):
        return table.cycles("PipelinedEvent")
    return min(table.cycles("EndOfPipe"), table.cycles("SurfaceSync"))


def served(lacks: Iterable[tuple[int, int]]) -> int:
    """How many commands it takes to have one in each (until, since)."""
    times, placed = 0, -1
    for until, since in sorted(lacks):
        if placed <= since:
            times, placed = times + 1, until
    return times


# -- prefixes that are the same, or beaten


class Front:
    """Prefixes by what they can be compared in."""

    def __init__(self, table: CostTable) -> None:
        self.table = table
        self._seen: set[object] = set()
        self._kept: dict[object, list[Standing]] = {}

    def seen(self, prefix: Prefix) -> bool:
        """Has a prefix that is the same been looked at, or one that beats it been found?"""
        standing = self._standing(prefix)
        key = (standing.group, standing.clocks, standing.ages, standing.values)
        if key in self._seen:
            return True
        self._seen.add(key)
        kept = self._kept.get(standing.group)
        return kept is not None and all(one.prefix is not prefix for one in kept)

    def survives(self, prefix: Prefix) -> bool:
        """Does none that was found beat it? Those that it beats are dropped."""
        standing = self._standing(prefix)
        kept = self._kept.setdefault(standing.group, [])
        if any(one.beats(standing) for one in kept):
            return False
        kept[:] = [one for one in kept if not standing.beats(one)]
        kept.append(standing)
        return True

    def _standing(self, prefix: Prefix) -> Standing:
        table = prefix.counted()
        state, contexts = prefix.state, prefix.state.contexts
        known = [state.clocks[ME], state.clocks[PFP]]
        pending = [state.pending.get(kind, [0] * len(known[0])) for kind in PENDING]
        events = [clock for _, clocks in contexts.events.values() for clock in clocks]
        chained = [state.chains.get("eop", [0] * len(known[0]))]
        clocks = tuple([table[v] for clock in (*known, *pending, *chained, *events) for v in clock])
        values = tuple(self._value(prefix, value, table) for value in prefix.values)
        group = (
            len(prefix.works),
            memory_key(prefix.memory, table),
            contexts_key(contexts, table),
        )
        size = len(known[0])
        return Standing(
            group, clocks, tuple(ages(prefix.walk, self.table)), values, prefix.cycles, size, prefix
        )

    def _value(self, prefix: Prefix, value: Value, table: Sequence[int]) -> tuple[int, ...]:
        """What a value guarantees, and the ages of the works that it tells of."""
        signals = prefix.walk.signals.get(label(value.number).name)
        starts = signals[0].starts if signals else {}
        found = [self._age(prefix.walk.now, starts.get(kind)) for kind in (DRAW, DISPATCH)]
        operations = signals[0].operations - prefix.walk.operations if signals else 0
        return (*[table[v] for v in value.clock], *found, operations)

    def _age(self, now: int, start: int | None) -> int:
        return self.table.drain if start is None else min(now - start, self.table.drain)


PENDING = ("event", "eop", "action", "fmask")


@dataclass(slots=True)
class Standing:
    """Where a prefix stands, in numbers that are better the higher they are.

    `group`: what has to be equal to compare two. The first two times `size` clocks are ME's and
    PFP's.
    """

    group: object
    clocks: tuple[int, ...]
    ages: tuple[int, ...]
    values: tuple[tuple[int, ...], ...]
    cycles: int
    size: int
    prefix: Prefix

    def beats(self, other: Standing) -> bool:
        """No dearer, and in nothing worse?

        A value that tells PFP and ME nothing is worth nothing.
        """
        return (
            self.cycles <= other.cycles
            and all(map(int.__ge__, self.clocks, other.clocks))
            and all(map(int.__ge__, self.ages, other.ages))
            and all(self._has(value) for value in other.values)
        )

    def _has(self, value: tuple[int, ...]) -> bool:
        me, pfp = self.clocks[: self.size], self.clocks[self.size : 2 * self.size]
        if all(map(int.__ge__, me, value)) and all(map(int.__ge__, pfp, value)):
            return (
                True  # (map ends with the clock: what a value tells beside it gives no knowledge)
            )
        return any(all(map(int.__ge__, mine, value)) for mine in self.values)


def ages(walk: Walk, table: CostTable) -> Iterator[int]:
    """How old the works are that a wait may stand for; more than `drain` makes no difference."""
    for starts in (walk.starts, walk.operated):
        for kind in (DRAW, DISPATCH):
            start = starts.get(kind)
            yield table.drain if start is None else min(walk.now - start, table.drain)
    yield walk.confirmed - walk.operations


def contexts_key(contexts: Contexts, table: Sequence[int]) -> object:
    """Where the contexts begin, and in which one each event is."""
    events = tuple(
        tuple(sum(start <= at for start in contexts.starts) for at in positions)
        for positions, _ in contexts.events.values()
    )
    return tuple(table[start] for start in contexts.starts), events, contexts.targets


def memory_key(memory: Memory, table: Sequence[int]) -> object:
    """What is known of each byte, in numbers of works."""
    return tuple(
        (one.start, one.end, *[_counted(part, table) for part in parts_of(one)])
        for one in memory.cover(0, WHOLE_END)
    )


def _counted(part: dict[int, int], table: Sequence[int]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((key, table[at]) for key, at in part.items()))


def parts_of(segment: Segment) -> tuple[dict[int, int], ...]:
    """All that a segment holds."""
    return segment.writes, segment.reads, segment.exposed, segment.fresh, segment.old


def everything(prefix: Prefix) -> Clock:
    """All that is known to somebody, or will be once something under way is confirmed."""
    state = prefix.state
    found = list(state.clocks[ME])
    more: Iterable[Clock] = (
        state.clocks[PFP],
        *state.pending.values(),
        *state.chains.values(),
        *[value.clock for value in prefix.values],
    )
    for clock in more:
        join(found, clock)
    return found


def differs(one: QueueState, other: QueueState) -> bool:
    """Has anything changed but the position?"""
    return (
        one.clocks != other.clocks
        or one.pending != other.pending
        or one.contexts.starts != other.contexts.starts
        or one.contexts.events != other.contexts.events
    )


# -- copies


def copied(state: QueueState, *, draws: bool) -> QueueState:
    """A queue's state to go on from; `draws`: with its own list of draws."""
    contexts, old = Contexts(state.contexts.limit), state.contexts
    contexts.starts = list(old.starts)
    contexts.draws = list(old.draws) if draws else old.draws
    contexts.surfaces = old.surfaces
    if draws:
        contexts.surfaces = {surface: list(at) for surface, at in old.surfaces.items()}
    contexts.targets = old.targets
    contexts.events = {
        block: (list(positions), list(clocks)) for block, (positions, clocks) in old.events.items()
    }
    return QueueState(
        number=state.number,
        queue=state.queue,
        base=state.base,
        clocks={engine: list(clock) for engine, clock in state.clocks.items()},
        contexts=contexts,
        position=state.position,
        pending={kind: list(clock) for kind, clock in state.pending.items()},
        chains=dict(state.chains),
    )


def copied_memory(memory: Memory) -> Memory:
    """Another memory with the same history."""
    found = Memory()
    for one in memory.cover(0, WHOLE_END):
        (segment,) = found.cover(one.start, one.end)
        for mine, other in zip(parts_of(segment), parts_of(one), strict=True):
            mine.update(other)
    return found


def copied_walk(walk: Walk) -> Walk:
    """A walk to go on from."""
    return replace(
        walk,
        starts=dict(walk.starts),
        operated=dict(walk.operated),
        signals=dict(walk.signals),
    )


def queue_of(commands: tuple[Command, ...]) -> Queue:
    """The one queue."""
    return Queue("gfx", QueueKind.GRAPHICS, commands)
