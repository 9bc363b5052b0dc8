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
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import NamedTuple

from fencepost.coherence.fences import Fences, LabelWrite, Wait
from fencepost.coherence.history import History
from fencepost.coherence.hits import Hit
from fencepost.coherence.issue import ranged_operations, release_group, used_ways
from fencepost.coherence.layout import Clock, make_layout
from fencepost.coherence.memory import Memory
from fencepost.coherence.observing import FactFinder, Relation
from fencepost.coherence.queues import ME, PFP, QueueState
from fencepost.coherence.replay import Replay
from fencepost.coherence.ways import Ways
from fencepost.machine.tables import Machine
from fencepost.plan.costs import (
    DISPATCH,
    DRAW,
    CostTable,
    Walk,
    confirms_operations,
    waited_kinds,
)
from fencepost.stream.command import (
    FULL_MASK,
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    PipelinedEvent,
    WaitMemory,
    Work,
)
from fencepost.stream.program import Program, QueueKind
from verify.plans.commands import label, labelled, queue_of, synchronization, wait_for
from verify.plans.front import Front
from verify.plans.lacks import Lacks, packet_of
from verify.plans.levels import planned_level
from verify.plans.prefixes import (
    Prefix,
    Value,
    ages,
    copied,
    copied_memory,
    copied_walk,
    differs,
    everything,
    memory_key,
)

DRAWN = frozenset({"vs", "ps", "cb", "db"})


@dataclass(frozen=True, slots=True)
class Answer:
    """The cheapest clean program below the limit, if there is one; how much was looked at."""

    program: Program | None
    cycles: int
    prefixes: int


class Rest(NamedTuple):
    """What is lacking costs at least so much, of which so much waiting; the caches that lack."""

    cycles: int
    stalls: int
    lacking: frozenset[str]


NOTHING = Rest(0, 1 << 62, frozenset())
"""Nothing is known of what is lacking: it could be any waiting."""


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
        self._rests: dict[object, Rest] = {}
        self._costs: dict[frozenset[str], list[tuple[int, int, Command]]] = {}
        self._waiting: list[Command] = []
        for command in syncs:
            self._number(command)

    def _parts(self, command: Command) -> tuple[int, tuple[tuple[str, int], ...]]:
        """What a command costs that takes nothing from what is lacking, and its operations' costs.

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
            room, rest = (limit, NOTHING) if self.plain else (limit - least, self.rest(prefix))
            for child in self.children(prefix, room, rest):
                total = child.cycles + (0 if self.plain else self.rest(child).cycles)
                if total < limit and (self.plain or front.survives(child)):
                    heapq.heappush(heap, (total, next(ties), child))
        return Answer(None, limit, self.prefixes)

    def written(self, prefix: Prefix) -> Program:
        """The program of a prefix, with its labels."""
        labels = [label(value.number) for value in prefix.values]
        queues = (queue_of(prefix.commands),)
        return replace(self.program, resources=(*self.program.resources, *labels), queues=queues)

    # -- one command more

    def children(self, prefix: Prefix, room: int, rest: Rest) -> Iterator[Prefix]:
        """Every prefix with one command more that is not the same as without it.

        `room`: what the command may cost beside what it takes from the rest: operations on caches
        that are lacking, and so much waiting as the rest has.
        """
        child = self.carried(prefix, self.works[len(prefix.works)])
        if not self.hits:
            yield child
        stalls = [prefix.walk.stall(prefix.walk.waits_for(one)) for one in self._waiting]
        beyond = [max(0, stall - rest.stalls) for stall in stalls]
        for least, waiting, command in self._by_cost(rest.lacking):
            if least >= room:
                break
            if least + beyond[waiting] >= room:
                continue
            child = self.carried(prefix, labelled(command, len(prefix.commands)))
            if child.values is not prefix.values or differs(prefix.state, child.state):
                yield child
        for value in prefix.values:
            for engine in (ME, PFP):
                child = self.carried(prefix, wait_for(value.number, engine), value)
                if differs(prefix.state, child.state):
                    yield child

    def _by_cost(self, lacking: frozenset[str]) -> list[tuple[int, int, Command]]:
        """All synchronization, by what it costs beside operations on what is lacking.

        Beside it the number of a command that waits for the same.
        """
        found = self._costs.get(lacking)
        if found is None:
            costs = []
            for command, packet, parts in self.syncs:
                extra = sum(cycles for cache, cycles in parts if cache not in lacking)
                costs.append((packet + extra, self._number(command), command))
            found = self._costs[lacking] = sorted(costs, key=lambda row: row[0])
        return found

    def _number(self, command: Command) -> int:
        """Where the first command stands that waits for the same works."""
        for number, one in enumerate(self._waiting):
            if waits_like(one) == waits_like(command):
                return number
        self._waiting.append(command)
        return len(self._waiting) - 1

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
        counts = (*prefix.counts[: here + 1], len(works), len(works))
        known = memory_key(memory, counts) if work else prefix.known
        return Prefix(commands, works, state, memory, walk, cycles, values, counts, known)

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

    def rest(self, prefix: Prefix) -> Rest:
        """What a prefix lacks, at least.

        The works that are left are tried twice. With every engine knowing all that is under way,
        they may lack cache operations: each has to stand behind the work that it is for. As it is,
        an engine may lack knowledge: something has to wait, and the pipeline may run empty. Beside
        that a value without a wait would be for nothing.
        """
        table = prefix.counts
        clocks = [everything(prefix), prefix.state.clocks[ME], prefix.state.clocks[PFP]]
        key = (
            len(prefix.works),
            tuple([table[value] for clock in clocks for value in clock]),
            prefix.known,
            tuple(ages(prefix.walk, self.table)),
        )
        found = self._rests.get(key)
        if found is None:
            lacks = Lacks(self.table)
            self._try(prefix, clocks[0], lacks)
            self._try(prefix, None, lacks)
            found = Rest(lacks.cycles(), lacks.stalls(), frozenset(lacks.operations))
            self._rests[key] = found
        unused = sum(not value.used for value in prefix.values)
        cycles = found.cycles + unused * self.table.cycles("WaitMemory")
        return Rest(cycles, found.stalls, found.lacking)

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


def waits_like(command: Command) -> object:
    """Commands for which this is the same wait for the same works."""
    sends = isinstance(command, EndOfPipe | EndOfShader)
    return sends or (waited_kinds(command), confirms_operations(command))


class Forgetful(History):
    """Explains nothing."""

    def note(self, queue: int, engine: str, position: int, clock: Clock) -> None:
        """Nothing is kept."""
