"""A second machine, plainer and slower than `verify.machine`, to try its shortcuts against.

It shares the steps of engines (`verify.walk`) and how a step fires. What `verify.machine` leaves
out is all here: two TCPs, each touch one event that goes from cache to cache, clean lines dropped
by steps of their own, stages that drain whenever they can, every engine step a choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from verify.machine import ABSENT, ByteProgram, Control, Effect, Step, Touch, fire

Line = tuple[int, int]
"""Value and dirty; in a TCP: value and the touch that it leaves with."""

NOTHING: Line = (ABSENT, 0)


@dataclass(frozen=True, slots=True)
class Plain:
    """A state: control as in `verify.machine`, memory, caches by name, data in flight by cache."""

    control: Control
    memory: int
    caches: tuple[tuple[str, Line], ...]
    flight: tuple[tuple[str, tuple[tuple[int, int], ...]], ...]

    def line(self, cache: str) -> Line:
        return dict(self.caches)[cache]

    def put(self, cache: str, line: Line) -> Plain:
        return replace(self, caches=tuple({**dict(self.caches), cache: line}.items()))

    def flying(self, cache: str) -> tuple[tuple[int, int], ...]:
        return dict(self.flight).get(cache, ())

    def fly(self, cache: str, data: tuple[tuple[int, int], ...]) -> Plain:
        return replace(self, flight=tuple({**dict(self.flight), cache: data}.items()))


class Wrong(Exception):
    """Something went wrong."""


def goes_wrong(program: ByteProgram) -> bool:
    """Whether some execution does."""
    names = ("tcp0", "tcp1", "tcc", "k", "i", *program.blocks)
    control: Control = ((0,) * len(program.engines), 0, 0, 0, program.labels)
    start = Plain(control, 0, tuple((name, NOTHING) for name in names), ())
    seen, waiting = {start}, [start]
    try:
        while waiting:
            for state in following(program, waiting.pop()):
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
    except Wrong:
        return True
    return False


def following(program: ByteProgram, state: Plain) -> Iterator[Plain]:
    at, closed, _, acted, _ = state.control
    started = 0
    for engine, index in enumerate(at):
        started |= program.opens[engine][index]
    for touch in program.touches:
        if touch.bit & started & ~closed:
            yield from happen(state, touch)
            yield from drain(state, touch)
    for engine, steps in enumerate(program.engines):
        if at[engine] < len(steps):
            yield from act(state, steps[at[engine]], engine)
    for step in program.pipe:
        if step.acts & ~acted:
            yield from act(state, step, None)
    yield from leak(state)


def drain(state: Plain, touch: Touch) -> Iterator[Plain]:
    """The touch is over; its write has happened."""
    at, closed, done, acted, labels = state.control
    if not touch.writes or not touch.target or touch.bit & done:
        after = replace(state, control=(at, closed | touch.bit, done, acted, labels))
        for name in ("tcp0", "tcp1"):
            if after.line(name)[1] == touch.bit:
                after = after.put(name, NOTHING)
        yield after


def happen(state: Plain, touch: Touch) -> Iterator[Plain]:
    """One piece of a touch: it brings the line in along its way, reads, writes."""
    at, closed, done, acted, labels = state.control
    if touch.before & ~acted or touch.earlier_writes & ~done:
        return
    state = replace(state, control=(at, closed | touch.earlier, done, acted, labels))
    for near in ("tcp0", "tcp1") if "tcp" in touch.fills else ("",):
        after, value = bring(state, touch, near)
        if touch.target and touch.reads and value & ~touch.free != touch.due:
            raise Wrong
        yield after
        if touch.target and touch.writes:
            yield store(after, touch, near, touch.value | (value if touch.atomic else 0))


def bring(state: Plain, touch: Touch, near: str) -> tuple[Plain, int]:
    """The line comes into each cache of the way; the value that is found."""
    way = [near if cache == "tcp" else cache for cache in touch.fills]
    found, level = ABSENT, len(way)
    for number, cache in enumerate(way):
        value = state.line(cache)[0]
        misses = cache == near and touch.path == "tcc"
        if value != ABSENT and not misses:
            found, level = value, number
            break
    if level == len(way):
        found = state.memory
        if way and state.flying(way[-1]):
            found = state.flying(way[-1])[-1][0]
    for cache in way[:level]:
        state = state.put(cache, (found, touch.bit if cache == near and touch.evicts else 0))
    return state, found


def store(state: Plain, touch: Touch, near: str, value: int) -> Plain:
    at, closed, done, acted, labels = state.control
    state = replace(state, control=(at, closed, done | touch.bit, acted, labels))
    if not touch.fills:
        return replace(state, memory=newer(state.memory, value))
    home = touch.fills[-1]
    newer(state.line(home)[0], value)
    state = state.put(home, (value, 1))
    if near:
        state = state.put(near, (value, state.line(near)[1]))
    return state


def newer(old: int, new: int) -> int:
    """What replaces `old`; it must hold all that was there."""
    if old != ABSENT and old & ~new:
        raise Wrong
    return new


def act(state: Plain, step: Step, engine: int | None) -> Iterator[Plain]:
    """A step waits for drained touches; it does not drain them itself."""
    fired = fire(step, state.control, engine)
    if fired is None or fired[0][1] != state.control[1]:
        return
    if any(bits & fired[1] for _, data in state.flight for _, bits in data):
        return
    after = replace(state, control=fired[0])
    for effect in step.effects:
        after = operate(after, effect)
    yield after


def operate(state: Plain, effect: Effect) -> Plain:
    names = ("tcp0", "tcp1") if effect.cache == "tcp" else (effect.cache,)
    for name in names:
        if name not in dict(state.caches):
            continue
        value, dirty = state.line(name)
        if name.startswith("tcp") or name in ("k", "i"):
            state = state.put(name, NOTHING)
        elif name == "tcc":
            if dirty and effect.clean_only:
                continue
            if dirty:
                state = replace(state, memory=newer(state.memory, value))
            state = state.put(name, NOTHING)
        else:
            data = state.flying(name)
            if dirty:
                data = (*data, (value, effect.bit))
            elif data:
                data = (*data[:-1], (data[-1][0], data[-1][1] | effect.bit))
            state = state.fly(name, data).put(name, NOTHING if effect.drops else (value, 0))
    return state


def leak(state: Plain) -> Iterator[Plain]:
    """Lines dropped, written back, landing."""
    for name, (value, dirty) in state.caches:
        if name.startswith("tcp") or not dirty:
            if value != ABSENT:
                yield state.put(name, NOTHING)
        elif not state.flying(name):
            yield replace(state, memory=newer(state.memory, value)).put(name, (value, 0))
    for name, data in state.flight:
        if data:
            landed = replace(state, memory=newer(state.memory, data[0][0]))
            yield landed.fly(name, data[1:])
