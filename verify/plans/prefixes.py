"""A program so far, with replay and costs as they stand behind it; copies to go on from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fencepost.coherence.clocks import join
from fencepost.coherence.contexts import Contexts
from fencepost.coherence.layout import Clock
from fencepost.coherence.memory import Memory, Segment
from fencepost.coherence.queues import ME, PFP, QueueState
from fencepost.plan.costs import DISPATCH, DRAW, CostTable, Walk
from fencepost.stream.command import Command
from fencepost.stream.resource import WHOLE_END


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
    """A program so far, with replay and costs. `works`: where its works are.

    `counts`: for each position how many works stand below it, which is all that a clock can say.
    `known`: what is known of each byte, in numbers of works; only works change it.
    """

    commands: tuple[Command, ...]
    works: tuple[int, ...]
    state: QueueState
    memory: Memory
    walk: Walk
    cycles: int
    values: tuple[Value, ...] = ()
    counts: tuple[int, ...] = (0, 0)
    known: object = ()


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


def parts_of(segment: Segment) -> Iterator[dict[int, int]]:
    """All that a segment holds."""
    yield from (segment.writes, segment.reads, segment.exposed, segment.fresh, segment.old)
    for passed in segment.passed:
        yield from (passed.writes, passed.exposed, passed.old)


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


def ages(walk: Walk, table: CostTable) -> Iterator[int]:
    """How old the works are that a wait may stand for; more than `drain` makes no difference."""
    for starts in (walk.starts, walk.operated):
        for kind in (DRAW, DISPATCH):
            start = starts.get(kind)
            yield table.drain if start is None else min(walk.now - start, table.drain)
    yield walk.confirmed - walk.operations


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
        segment.writes, segment.reads = dict(one.writes), dict(one.reads)
        segment.exposed = dict(one.exposed)
        segment.fresh, segment.old = dict(one.fresh), dict(one.old)
        segment.passed = [replace(passed, old=dict(passed.old)) for passed in one.passed]
    return found


def copied_walk(walk: Walk) -> Walk:
    """A walk to go on from."""
    return replace(
        walk,
        starts=dict(walk.starts),
        operated=dict(walk.operated),
        signals=dict(walk.signals),
    )
