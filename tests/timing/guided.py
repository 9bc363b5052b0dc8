"""Walks the explorer's machine along a timeline: is it an execution that the explorer allows?

`verify/` lowers a program to steps of engines, steps down the pipe and touches of one byte. Here
each of these is given the time at which the timeline says that it happened, and they are taken in
that order. A step that the explorer does not allow at its time raises `NotAllowed`.

With `memory` the caches of `tests.verify.plain` go along: which TCP is used, and whether a touch
reads, writes or only brings its line in at the start or the end of its window, is left open, so a
set of states is kept. `leaks`: lines may be dropped and written back unasked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from fencepost.machine.tables import Machine
from fencepost.stream.command import SurfaceSync, WaitMemory, Work
from fencepost.stream.program import Program, QueueKind
from fencepost.timing.parameters import Parameters
from fencepost.timing.timeline import Timeline
from fencepost.timing.windows import ENDLESS, Progress, Window, windows
from tests.verify.plain import NOTHING, Plain, Wrong, act, drain, happen, leak, newer
from verify.lower import lower
from verify.machine import ByteProgram, Control, Step, Touch
from verify.values import Before, in_program_order

ISSUES = ("ME handles the work", "DMA starts")
"""Steps at which a work is handed over; what comes before them in a command is no later."""


class When(Enum):
    """When the cache operations of a command act, which take a while and are one moment here.

    START: when the last one begins; END: the only one ends, of several as START. FIRST, when the
    first one of a surface sync begins, is too early for the others, LAST, when the last one ends,
    too late.
    """

    FIRST = "first"
    START = "start"
    END = "end"
    LAST = "last"


class NotAllowed(Exception):
    """The timeline does what the explorer does not allow."""


Move = Callable[[Plain], Iterator[Plain]]
"""What may become of a state."""


@dataclass(slots=True)
class Moment:
    """Something that happens at a time; no state comes of it where the explorer forbids it."""

    time: int
    text: str
    move: Move


@dataclass
class Guide:
    """One byte of a program along its timeline."""

    program: Program
    machine: Machine
    timeline: Timeline
    byte: int
    guarantees: str
    memory: bool = True
    whens: tuple[When, ...] = ()
    leaks: bool = False
    before: Before = in_program_order
    lowered: ByteProgram = field(init=False)
    moments: list[Moment] = field(default_factory=list)
    operated: int = 0

    def __post_init__(self) -> None:
        self.lowered = lower(self.program, self.machine, self.guarantees, self.byte, self.before)
        self.progress = Progress(self.program, self.timeline)
        self.trip = Parameters(self.machine).cycles("memory round trip")
        self.handed = {(w.queue, w.position): w.handed for w in self.timeline.works}
        self.starts: dict[tuple[int, int], list[tuple[str, int, int]]] = {}
        for row in self.timeline.operations:
            key = (row.queue, row.position)
            self.starts.setdefault(key, []).append((row.cache, row.start, row.end))
        self.values = {(w.queue, w.position): w.time for w in self.timeline.writes}
        self._engines()
        self._pipe()
        self._touches()
        self.moments.sort(key=lambda moment: moment.time)

    def _when(self) -> When:
        """When the next operation acts: as said for it, or for the last one of which it is said."""
        self.operated += 1
        said = self.whens or (When.START,)
        return said[min(self.operated, len(said)) - 1]

    def _moment(self, own: list[tuple[str, int, int]], *, in_order: bool = False) -> int:
        """When operations act that are one step; those of a block in order when they begin."""
        starts, ends = [start for _, start, _ in own], [end for _, _, end in own]
        when = self._when()
        if when is When.LAST or (when is When.END and len(own) == 1):
            return max(ends)
        return min(starts) if in_order or when is When.FIRST else max(starts)

    # -- when everything happens

    def _engines(self) -> None:
        number = 0
        for queue, row in enumerate(self.program.queues):
            kinds = {QueueKind.GRAPHICS: ("me", "pfp"), QueueKind.COMPUTE: ("me",)}
            for name in kinds.get(row.kind, (str(row.kind),)):
                self._engine(number, queue, name)
                number += 1
        assert number == len(self.lowered.engines)

    def _engine(self, number: int, queue: int, name: str) -> None:
        time = 0
        for index, step in enumerate(self.lowered.engines[number]):
            time = max(time, self._step_time(number, index, step, queue, name))
            self._step(time, step, number)

    def _step_time(self, number: int, index: int, step: Step, queue: int, name: str) -> int:
        if step.text == "access" or step.text.endswith("gets here"):
            # the CPU or a copy queue is behind its access, another engine comes to its own
            return self.progress.reached(queue, name, step.position)
        command = self.program.queues[queue].commands[step.position]
        own = self.lowered.engines[number][index:]
        hands_over = [s for s in own if s.position == step.position and s.text in ISSUES]
        if isinstance(command, Work) and hands_over and (queue, step.position) in self.handed:
            return self.handed[queue, step.position]
        left = self.progress.passed(queue, name, step.position)
        if isinstance(command, WaitMemory):  # what it saw is older than that by a way from memory
            return left - self.trip
        operations = self.starts.get((queue, step.position), [])
        if isinstance(command, SurfaceSync) and step.text.endswith("stall"):
            return min([left, *(start for _, start, _ in operations)])
        if isinstance(command, SurfaceSync) and step.effects:
            names = {self.machine.cache(effect.cache).operated_as for effect in step.effects}
            acting = [row for row in operations if row[0] in names]
            return self._moment(acting) if acting else left
        return left

    def _pipe(self) -> None:
        for step in self.lowered.pipe:
            queue = self._queue_of(step)
            key = (queue, step.position)
            rows = self.starts.get(key, [])
            caches = {effect.cache for effect in step.effects}
            operated = {self.machine.cache(cache).operated_as for cache in caches}
            own = [row for row in rows if row[0] in operated]
            if step.label is not None:
                time = self.values[key]
            elif own:
                time = self._moment(own, in_order=all(effect.bit for effect in step.effects))
            else:  # volatile lines: there are none
                ends = [end for _, _, end in rows]
                time = max([*ends, self._end_of_pipe(queue, step.position)])
            self._step(time, step, None)
            for effect in step.effects:
                name = self.machine.cache(effect.cache).operated_as
                for cache, _, end in own:
                    if cache == name and effect.bit:
                        self._landing(max(end, time), effect.cache, effect.bit, step)

    def _end_of_pipe(self, queue: int, position: int) -> int:
        """When everything before a command has passed the end of pipe."""
        works = (w for w in self.timeline.works if w.queue == queue and w.position < position)
        ends = [w.end for w in works if w.kind in ("draw", "dispatch")]
        return max([self.progress.passed(queue, "me", position), *ends])

    def _queue_of(self, step: Step) -> int:
        """The queue of a step down the pipe: that of the engine behind which it comes."""
        engine = step.after[0][0]
        number = 0
        for queue, row in enumerate(self.program.queues):
            number += 2 if row.kind is QueueKind.GRAPHICS else 1
            if engine < number:
                return queue
        raise AssertionError(engine)

    def _step(self, time: int, step: Step, engine: int | None) -> None:
        taken = step if self.memory else replace(step, effects=())

        def move(state: Plain) -> Iterator[Plain]:
            yield from act(state, taken, engine)

        self.moments.append(Moment(time, f"{step.position} {step.text}", move))

    def _landing(self, time: int, cache: str, bit: int, step: Step) -> None:
        """What a CB/DB operation wrote back is in memory."""

        def move(state: Plain) -> Iterator[Plain]:
            if not step.acts & state.control[3]:
                return
            while any(bits & bit for _, bits in state.flying(cache)):
                first, *rest = state.flying(cache)
                state = replace(state, memory=newer(state.memory, first[0]))
                state = state.fly(cache, tuple(rest))
            yield state

        self.moments.append(Moment(time, f"{step.position} landed", move))

    def _touches(self) -> None:
        found = windows(self.program, self.machine, self.timeline)
        for touch in self.lowered.touches:
            window = next(w for w in found if self._is_of(w, touch))
            last = min(window.last, ENDLESS)
            for time in (window.first, last, last):  # one may bring a line that the other leaves
                self._piece(time, touch)
            if window.last < ENDLESS:
                self._drained(window.last, touch)

    def _is_of(self, window: Window, touch: Touch) -> bool:
        if window.spot != (touch.queue, touch.position):
            return False
        line = self.machine.line
        low, high = self.byte // line * line, (self.byte // line + 1) * line
        access, way = window.access, window.way
        target = access.start <= self.byte < access.end
        near = access.start < high and low < access.end
        kind = (way.reads, way.writes, way.caches)
        group = way.group or access.block.rstrip("0123456789")
        group = "dma" if group == "dma.pfp" else group
        same = kind == (touch.reads, touch.writes, touch.fills) and group == touch.group
        evicts = window.policy in ("hit-evict", "miss-evict")
        return near and target == touch.target and same and evicts == touch.evicts

    def _piece(self, time: int, touch: Touch) -> None:
        """A piece of a touch may happen now, or not."""

        def move(state: Plain) -> Iterator[Plain]:
            if self._is_open(touch, state.control):
                noted = _noted(state, touch)
                if not self.memory or noted is None:
                    yield from () if noted is None else (noted,)
                    return
                yield state
                yield from happen(state, touch)
            elif touch.bit & state.control[1]:
                yield state

        self.moments.append(Moment(time, f"{touch.position} {touch.path}", move))

    def _drained(self, time: int, touch: Touch) -> None:
        def move(state: Plain) -> Iterator[Plain]:
            if touch.bit & state.control[1]:
                yield state
            elif self._is_open(touch, state.control):
                yield from drain(state, touch)

        self.moments.append(Moment(time, f"{touch.position} drained", move))

    def _is_open(self, touch: Touch, control: Control) -> bool:
        at, closed, *_ = control
        started = 0
        for engine, index in enumerate(at):
            started |= self.lowered.opens[engine][index]
        return bool(touch.bit & started & ~closed)

    # -- walking

    def walk(self) -> bool:
        """Whether the byte may go wrong in this timing; raises `NotAllowed`."""
        names = ("tcp0", "tcp1", "tcc", "k", "i", *self.lowered.blocks)
        control: Control = (
            (0,) * len(self.lowered.engines),
            0,
            0,
            0,
            self.lowered.labels,
        )
        states = {Plain(control, 0, tuple((name, NOTHING) for name in names), ())}
        wrong = False
        at = 0
        while at < len(self.moments):
            until = at
            while until < len(self.moments) and self.moments[until].time == self.moments[at].time:
                until += 1
            states, failed = self._together(states, self.moments[at:until])
            wrong |= failed
            if self.leaks:
                states, failed = leaked(states)
                wrong |= failed
            if wrong:
                return True
            at = until
        return wrong

    def _together(self, states: set[Plain], moments: list[Moment]) -> tuple[set[Plain], bool]:
        """What happens at one time, in any order that is allowed: one is found by trying."""
        waiting = list(moments)
        while waiting:
            for moment in waiting:
                after, failed = _moved(states, moment)
                if failed:
                    return after, True
                if after:
                    states = after
                    waiting.remove(moment)
                    break
            else:
                texts = ", ".join(moment.text for moment in waiting)
                raise NotAllowed(f"at {waiting[0].time}: {texts}")
        return states, False


def _noted(state: Plain, touch: Touch) -> Plain | None:
    """A touch happens, whatever it finds; None where it cannot yet."""
    at, closed, done, acted, labels = state.control
    if touch.before & ~acted or touch.earlier_writes & ~done:
        return None
    bits = touch.bit if touch.writes and touch.target else 0
    return replace(state, control=(at, closed | touch.earlier, done | bits, acted, labels))


def leaked(states: set[Plain]) -> tuple[set[Plain], bool]:
    """All states that lines dropped and written back unasked may lead to."""
    found, waiting, wrong = set(states), list(states), False
    while waiting:
        try:
            for after in leak(waiting.pop()):
                if after not in found:
                    found.add(after)
                    waiting.append(after)
        except Wrong:
            wrong = True
    return found, wrong


def _moved(states: set[Plain], moment: Moment) -> tuple[set[Plain], bool]:
    """The states behind a moment; whether one of them went wrong (it is left out)."""
    found: set[Plain] = set()
    wrong = False
    for state in states:
        try:
            for after in moment.move(state):
                found.add(after)
        except Wrong:
            wrong = True
    return found, wrong
