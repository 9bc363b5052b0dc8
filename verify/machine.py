"""The step-by-step machine: one byte, every engine, every cache, every moment (model 2-5).

A state is (control, memory). Control says how far everything is: (at, closed, done, acted,
labels): `at` is the step that each engine stands before, `closed` the touches that are complete,
`done` the writes that have happened at least once, `acted` what has happened down the pipe,
`labels` their values. Memory says what each level holds: (memory, tcc, dirty, tcp, leaver, k, i,
blocks). A held value is the set of writes that the byte is made of, as bits; ABSENT where the line
is not held. `leaver` is the touch whose completion drops the TCP's copy (`*_EVICT`), 0 if none.
`blocks` are the caches of CB and DB that may hold the byte: (value, dirty, in flight); in flight,
oldest first: (value, operations that are finished once it has landed).

What is left out, and why no execution is lost by that:

* A clean line may be dropped at any moment. That shows only at its next use, so it is dropped
  there: a use that finds a clean line may also behave as if there were none.
* A read changes nothing but caches, and may happen in many pieces (waves, texels), at every moment
  of its window. So a state is wrong as soon as one open read could see a wrong value, and bringing
  a line in is a step of its own, possible while any touch that goes this way is open. Likewise a
  write may happen again while it is open.
* Of the many TCPs one is watched. A TCP is written through and TCC never reads from it, so what
  happens in the others reaches the watched one only through TCC, and every touch may run in one of
  them, with the same effect on TCC.
* A stage drains when something that waits for it goes on, not before. A touch that stays open
  longer can do all that it could before, and nothing else notices. So a wait is one step, and it
  closes windows.
* A step that only lets more happen (an engine passes a work, or a wait that is satisfied) is taken
  at once.
* What one command does to TCC, TCP, K$, I$, far to near, is one moment. What could run in between
  could as well run before (if it hits the nearer cache) or after (if it misses it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

ABSENT = -1

Flight = tuple[tuple[int, int], ...]
Block = tuple[int, int, Flight]
Memory = tuple[int, int, int, int, int, int, int, tuple[Block, ...]]
Control = tuple[tuple[int, ...], int, int, int, tuple[int, ...]]
State = tuple[int, Memory]
Condition = tuple[int, int, int, int, int]


class Wrong(Exception):
    """An execution went wrong: how, and at which command.

    Of two commands in conflict it is the later one: the reader of an old value, the writer of one
    that comes too early, the newer of two writes.
    """

    def __init__(self, position: int, how: str) -> None:
        super().__init__(how)
        self.position, self.how = position, how


@dataclass(slots=True)
class Touch:
    """One access of the byte, or only of its line (`target` false: it can bring the line in).

    `path`: where a read looks first and a write puts its value: `memory`, `tcc`, `tcp`, `k`, `i` or
    the name of a CB/DB cache. `fills`: the caches that it brings the line into. `before`: what
    must have acted down the pipe (events in the block's order). `earlier`: touches that come before
    in the same in-order block and are over when this one happens; `earlier_writes`: those of them
    that must have happened. A read is right if its value is `due`, writes in `free` aside; a write
    leaves `value`.
    """

    bit: int
    queue: int
    position: int
    group: str
    path: str
    fills: tuple[str, ...]
    target: bool
    reads: bool
    writes: bool
    atomic: bool = False
    evicts: bool = False
    stream: str = ""
    before: int = 0
    earlier: int = 0
    earlier_writes: int = 0
    due: int = 0
    free: int = 0
    value: int = 0


@dataclass(slots=True, frozen=True)
class Effect:
    """A cache operation: whether it drops the line and, for CB/DB, the bit that its data carries.

    `clean_only`: it drops a clean line and leaves a dirty one (a frame).
    """

    cache: str
    drops: bool
    bit: int = 0
    clean_only: bool = False


@dataclass(slots=True)
class Step:
    """One step of an engine, or down the pipe.

    Possible when each engine in `after` is that far, `needs` have acted, the `test` of a label
    holds, the touches in `writes` have happened, the operations in `finished` have acted and left
    flight. It closes `closing`, carries out `effects`, sets a label, and then `acts` have acted.
    `conditions` (engine, index, closing, writes, finished) count only if that engine is that far.
    `alone`: when its label is written or waited for makes no difference to other steps. `waits`: it
    may be that nothing ever lets it go on.
    """

    position: int
    after: tuple[tuple[int, int], ...] = ()
    needs: int = 0
    test: tuple[int, Callable[[int], bool]] | None = None
    closing: int = 0
    writes: int = 0
    finished: int = 0
    effects: tuple[Effect, ...] = ()
    acts: int = 0
    label: tuple[int, int] | None = None
    alone: bool = True
    conditions: tuple[Condition, ...] = ()
    waits: bool = False
    text: str = ""


@dataclass(slots=True)
class ByteProgram:
    """A program as one byte sees it: `engines` with steps in order, `pipe` steps in any order.

    `writers`: the positions of the stages that write the byte, in the order of their bits.
    `opens[engine][index]`: the touches started once that engine stands before that step.
    `holds[engine]` (other engine, index): until the other is past it this one does not run ahead,
    because a step there looks at how far this one is.
    """

    engines: list[list[Step]]
    pipe: list[Step]
    touches: list[Touch]
    opens: list[list[int]]
    blocks: list[str]
    labels: tuple[int, ...]
    writers: list[int]
    holds: dict[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(slots=True)
class View:
    """What can happen in a control state, whatever the caches hold."""

    reads: list[Touch]
    writes: list[tuple[Touch, str, int]]
    fills: set[str]
    leavers: list[int]
    block_fills: list[tuple[int, int]]
    steps: list[tuple[int, int, tuple[Effect, ...], int]]


class ByteMachine:
    """Runs a `ByteProgram`: `start`, then `successors` again and again.

    A step that goes wrong raises `Wrong`; with `collect` it is left out, and noted in `faults` by
    position.
    """

    def __init__(self, program: ByteProgram, collect: bool = False) -> None:
        self.program = program
        self.faults: dict[int, str] = {}
        self._collect = collect
        self.controls: list[Control] = []
        self._views: list[View | None] = []
        self._numbers: dict[Control, int] = {}
        self._block = {name: index for index, name in enumerate(program.blocks)}

    def start(self) -> State:
        """Nothing has happened, caches are empty."""
        at = (0,) * len(self.program.engines)
        control = self._settle((at, 0, 0, 0, self.program.labels))
        blocks: tuple[Block, ...] = ((ABSENT, 0, ()),) * len(self.program.blocks)
        return self._number(control), (0, ABSENT, 0, ABSENT, 0, ABSENT, ABSENT, blocks)

    def successors(self, state: State) -> list[State]:
        """Every state that may come next, where nothing has gone wrong."""
        number, memory = state
        view = self._views[number] or self._look(number)
        self._check_reads(view, memory)
        found: list[State] = []
        self._write(view, memory, found)
        _fill(number, view, memory, found)
        self._leak(number, memory, found)
        self._step(view, memory, found)
        return found

    def every_control(self) -> Iterator[int]:
        """Every control state, with caches left aside: what is in flight lands in the end."""
        waiting = [self.start()[0]]
        seen = set(waiting)
        while waiting:
            number = waiting.pop()
            yield number
            view = self._views[number] or self._look(number)
            following = [step[0] for step in view.steps] + [write[2] for write in view.writes]
            for one in (*following, *(fill[1] for fill in view.block_fills)):
                if one not in seen:
                    seen.add(one)
                    waiting.append(one)

    def blocked(self, state: State) -> list[int]:
        """The commands at which engines stand before a wait or a mark."""
        at = self.controls[state[0]][0]
        there = zip(at, self.program.engines, strict=True)
        steps = [steps[index] for index, steps in there if index < len(steps)]
        return [step.position for step in steps if step.waits]

    def open_touches(self, number: int) -> int:
        """The touches that are started and not complete in a control state."""
        at, closed, *_ = self.controls[number]
        started = 0
        for engine, index in enumerate(at):
            started |= self.program.opens[engine][index]
        return started & ~closed

    def _number(self, control: Control) -> int:
        """A small integer for a control state."""
        known = self._numbers.get(control)
        if known is None:
            known = self._numbers[control] = len(self.controls)
            self.controls.append(control)
            self._views.append(None)
        return known

    def _settle(self, control: Control) -> Control:
        """Take the steps that only let more happen."""
        moved = True
        while moved:
            moved = False
            for step, engine in self._next_steps(control):
                if engine is not None and self._held(engine, control):
                    continue
                if harmless(step, control) and (found := fire(step, control, engine)):
                    control, moved = found[0], True
                    break
        return control

    def _next_steps(self, control: Control) -> list[tuple[Step, int | None]]:
        """The step that each engine stands before, and all down the pipe that have not acted."""
        found: list[tuple[Step, int | None]] = []
        for engine, steps in enumerate(self.program.engines):
            if control[0][engine] < len(steps):
                found.append((steps[control[0][engine]], engine))
        found += [(step, None) for step in self.program.pipe if step.acts & ~control[3]]
        return found

    def _held(self, engine: int, control: Control) -> bool:
        hold = self.program.holds.get(engine)
        return hold is not None and control[0][hold[0]] <= hold[1]

    def _look(self, number: int) -> View:
        """What can happen in that control state; worked out once."""
        control = self.controls[number]
        _, _, done, acted, _ = control
        view = View([], [], set(), [], [], [])
        opened = self.open_touches(number)
        for touch in self.program.touches:
            if touch.bit & opened and not (touch.before & ~acted or touch.earlier_writes & ~done):
                self._offer_touch(touch, control, view)
        for step, engine in self._next_steps(control):
            if found := fire(step, control, engine):
                after = self._settle(found[0])
                view.steps.append((self._number(after), found[1], step.effects, after[1]))
        self._views[number] = view
        return view

    def _offer_touch(self, touch: Touch, control: Control, view: View) -> None:
        at, closed, done, acted, labels = control
        over = closed | touch.earlier
        if touch.target and touch.reads and not touch.atomic:
            view.reads.append(touch)
        if touch.target and touch.writes:
            level = "tcc" if touch.path == "tcp" else touch.path
            after = self._number((at, over, done | touch.bit, acted, labels))
            view.writes.append((touch, level, after))
        for cache in touch.fills:
            if cache == "tcp" and touch.evicts:
                view.leavers.append(touch.bit)
            elif cache in self._block:
                after = self._number((at, over, done, acted, labels))
                view.block_fills.append((self._block[cache], after))
            else:
                view.fills.add(cache)

    def _check_reads(self, view: View, memory: Memory) -> None:
        """Whether an open read could see a wrong value now."""
        for touch in view.reads:
            for value in self._visible(touch.path, memory):
                if value != ABSENT and value & ~touch.free != touch.due:
                    self._sees(touch, value, "a read through")

    def _visible(self, path: str, memory: Memory) -> tuple[int, ...]:
        """What a read on that path may find: any copy, and what lies behind clean ones."""
        mem, tcc, dirty, tcp, _, k, i, blocks = memory
        if path == "memory":
            return (mem,)
        if path in self._block:
            value, unwritten, flight = blocks[self._block[path]]
            return (value,) if unwritten else (value, flight[-1][0] if flight else mem)
        near = tcp if path == "tcp" else k if path == "k" else i if path == "i" else ABSENT
        return (near, tcc) if dirty else (near, tcc, mem)

    def _write(self, view: View, memory: Memory, found: list[State]) -> None:
        """Writes that may happen now."""
        mem, tcc, dirty, tcp, leaver, k, i, blocks = memory
        for touch, level, after in view.writes:
            value = touch.value
            if touch.atomic:
                base = self._read_modified(touch, level, memory)
                if base == ABSENT:
                    continue
                value |= base
            if level == "memory":
                if not self._loses(mem, value, level):
                    found.append((after, (value, tcc, dirty, tcp, leaver, k, i, blocks)))
            elif level == "tcc":
                if not self._loses(tcc, value, level):
                    found.append((after, (mem, value, 1, tcp, leaver, k, i, blocks)))
            else:
                index = self._block[level]
                replaced, _, flight = blocks[index]
                if not self._loses(replaced, value, level):
                    changed = (*blocks[:index], (value, 1, flight), *blocks[index + 1 :])
                    found.append((after, (mem, tcc, dirty, tcp, leaver, k, i, changed)))

    def _read_modified(self, touch: Touch, level: str, memory: Memory) -> int:
        """What an atomic finds, at the level where it is carried out; ABSENT if that is wrong."""
        values = [value for value in self._visible(level, memory) if value != ABSENT]
        for value in values:
            if value & ~touch.free != touch.due:
                self._sees(touch, value, "an atomic in")
                return ABSENT
        return reduce(or_, values)

    def _sees(self, touch: Touch, value: int, what: str) -> None:
        """A wrong value: an old one is the reader's fault, a newer one its writer's."""
        early = value & ~touch.free & ~touch.due
        old = touch.due & ~value
        position = touch.position if old else self._last(early)
        how = f"{what} {touch.path} sees {value:b} instead of {touch.due:b}"
        self._fault(position, how)

    def _last(self, writes: int) -> int:
        """The position of the last of these writes."""
        return self.program.writers[writes.bit_length() - 1]

    def _fault(self, position: int, how: str) -> None:
        if not self._collect:
            raise Wrong(position, how)
        self.faults.setdefault(position, how)

    def _loses(self, old: int, new: int, level: str) -> bool:
        """Whether a value replaces a newer one."""
        if old == ABSENT or not old & ~new:
            return False
        self._fault(self._last(old & ~new), f"an older write replaces a newer one in {level}")
        return True

    def _step(self, view: View, memory: Memory, found: list[State]) -> None:
        """Steps of the engines and down the pipe."""
        for number, finished, effects, closed in view.steps:
            if finished and any(bits & finished for block in memory[7] for _, bits in block[2]):
                continue
            after: Memory | None = memory
            for effect in effects:
                after = after and self._operate(effect, after)
            if after is None:
                continue
            if after[4] & closed:
                after = (*after[:3], ABSENT, 0, *after[5:])
            found.append((number, after))

    def _operate(self, effect: Effect, memory: Memory) -> Memory | None:
        """A cache operation, at this moment; None if it goes wrong."""
        mem, tcc, dirty, tcp, leaver, k, i, blocks = memory
        if effect.cache == "tcc":
            if not dirty:
                tcc = ABSENT
            elif not effect.clean_only:
                if self._loses(mem, tcc, "memory"):
                    return None
                mem, tcc, dirty = tcc, ABSENT, 0
        elif effect.cache == "tcp":
            tcp, leaver = ABSENT, 0
        elif effect.cache == "k":
            k = ABSENT
        elif effect.cache == "i":
            i = ABSENT
        elif effect.cache in self._block:
            index = self._block[effect.cache]
            blocks = (*blocks[:index], _send(blocks[index], effect), *blocks[index + 1 :])
        return (mem, tcc, dirty, tcp, leaver, k, i, blocks)

    def _leak(self, number: int, memory: Memory, found: list[State]) -> None:
        """Write-backs that nobody asked for, and data in flight that lands."""
        mem, tcc, dirty, tcp, leaver, k, i, blocks = memory
        if dirty and not self._loses(mem, tcc, "memory"):
            found.append((number, (tcc, tcc, 0, tcp, leaver, k, i, blocks)))
        for index, (value, unwritten, flight) in enumerate(blocks):
            if flight:
                landed, block = flight[0][0], (value, unwritten, flight[1:])
            elif unwritten:
                landed, block = value, (value, 0, flight)
            else:
                continue
            if not self._loses(mem, landed, "memory"):
                changed = (*blocks[:index], block, *blocks[index + 1 :])
                found.append((number, (landed, tcc, dirty, tcp, leaver, k, i, changed)))


def harmless(step: Step, control: Control) -> bool:
    """Whether a step only lets more happen, so that taking it at once loses nothing."""
    if step.effects or step.finished or step.conditions:
        return False
    return step.alone and not step.closing & ~control[1]


def fire(step: Step, control: Control, engine: int | None) -> tuple[Control, int] | None:
    """The control state after a step and the operations that must have left flight, or None."""
    at, closed, done, acted, labels = control
    closing, writes, finished = step.closing, step.writes, step.finished
    if any(at[other] < index for other, index in step.after):
        return None
    for other, index, more_closing, more_writes, more_finished in step.conditions:
        if at[other] >= index:
            closing, writes = closing | more_closing, writes | more_writes
            finished |= more_finished
    if (step.needs | finished) & ~acted or writes & ~done:
        return None
    if step.test and not step.test[1](labels[step.test[0]]):
        return None
    if step.label:
        index, value = step.label
        labels = (*labels[:index], value, *labels[index + 1 :])
    if engine is not None:
        at = (*at[:engine], at[engine] + 1, *at[engine + 1 :])
    return (at, closed | closing, done, acted | step.acts, labels), finished


def _fill(number: int, view: View, memory: Memory, found: list[State]) -> None:
    """Lines that may be brought in now."""
    mem, tcc, dirty, tcp, leaver, k, i, blocks = memory
    fills = view.fills
    if "tcc" in fills and not dirty and tcc != mem:
        found.append((number, (mem, mem, 0, tcp, leaver, k, i, blocks)))
    if tcc != ABSENT:
        if "tcp" in fills and (tcp != tcc or leaver):
            found.append((number, (mem, tcc, dirty, tcc, 0, k, i, blocks)))
        for bit in view.leavers:
            if (tcp, leaver) != (tcc, bit):
                found.append((number, (mem, tcc, dirty, tcc, bit, k, i, blocks)))  # noqa: PERF401
        if "k" in fills and k != tcc:
            found.append((number, (mem, tcc, dirty, tcp, leaver, tcc, i, blocks)))
        if "i" in fills and i != tcc:
            found.append((number, (mem, tcc, dirty, tcp, leaver, k, tcc, blocks)))
    for index, after in view.block_fills:
        value, unwritten, flight = blocks[index]
        source = flight[-1][0] if flight else mem
        if not unwritten and value != source:
            changed = (*blocks[:index], (source, 0, flight), *blocks[index + 1 :])
            found.append((after, (mem, tcc, dirty, tcp, leaver, k, i, changed)))


def _send(block: Block, effect: Effect) -> Block:
    """Write back a CB/DB cache: its data goes into flight, behind what is in flight."""
    value, dirty, flight = block
    if dirty:
        flight = (*flight, (value, effect.bit))
    elif flight:
        last, bits = flight[-1]
        flight = (*flight[:-1], (last, bits | effect.bit))
    return (ABSENT if effect.drops else value, 0, flight)
