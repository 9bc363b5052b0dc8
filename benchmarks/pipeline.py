"""The timing engine, compiled and interpreted, beside the same pipeline in SimPy.

`python -m benchmarks.pipeline [COMMANDS]`: one graphics queue; draws and dispatches with a
duration, a quarter of the wave slots and a load of memory; partial flushes, EOP fences and waits.
Of either side only the run is measured: ours is handed a lowered program, the peer the same
numbers.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Generator, Iterable
from typing import Any

# SimPy is not typed, and only the peer imports it: its environment and events are `Any` here.
# ruff: noqa: ANN401
from benchmarks.contest import Contender, digest, perform, report, run
from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.timing.lower import lower
from fencepost.timing.parameters import WHOLE, Parameters
from fencepost.timing.run import Run
from fencepost.timing.sharing import RULES

COMMANDS = 20_000
MACHINE = "gcn2-hawaii"
HEAD = f"""machine {MACHINE}
color t 256x256 rgba8
buffer b 64K
label done = 0
queue gfx: graphics
"""
RESIDENCY = 4
"""So many works fill the wave slots."""

Row = tuple[str, int, int]
"""`draw` or `dispatch`, cycles, percent of memory; `flush-ps`, `flush-cs`; `fence`, its value."""


def rows(commands: int) -> list[Row]:
    """What stands in the queue; a fence is two commands."""
    choice = random.Random(1)
    made: list[Row] = []
    left = commands
    value = 0
    while left > 0:
        kind = choice.choices(
            ("draw", "dispatch", "flush-ps", "flush-cs", "fence"), (9, 7, 1, 1, 1)
        )[0]
        if kind == "fence":
            value += 1
            left -= 1
            made.append((kind, value, 0))
        else:
            made.append((kind, choice.randrange(500, 20_000), choice.choice((10, 40, 70))))
        left -= 1
    return made


def text_of(made: Iterable[Row]) -> str:
    """The same as a stream."""
    lines = []
    for kind, amount, load in made:
        if kind == "fence":
            lines += [f"  eop done = {amount}", f"  wait me done >= {amount}"]
        elif kind.startswith("flush"):
            lines.append(f"  flush {kind[-2:]}")
        else:
            use = "cb0.write t" if kind == "draw" else "cs.buffer b"
            lines.append(f"  {kind} {use} @ cycles={amount} residency=25% memory={load}%")
    return HEAD + "\n".join(lines) + "\n"


def program(commands: int) -> Program:
    """The stream as a program."""
    return parse_text(text_of(rows(commands)), "pipeline.fence")


def ours(commands: int) -> Callable[[], str]:
    """The timing engine: when each work was launched and over."""
    machine = find_machine(MACHINE)
    parameters = Parameters(machine)
    made = Run(
        lower(program(commands), parameters, machine.guarantees),
        parameters,
        RULES["fair-queues"](),
        cold=True,
    )

    def go() -> str:
        made.run()
        return digest((*made.record.launched, *made.record.end_done))

    return go


class Memory:
    """A unit of the peer: older parts take what they can; what changes is planned anew."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.parts: list[list[Any]] = []
        self.version = 0
        self.last = 0

    def serve(self, load: int, time: int) -> Any:
        """An event: that part of a work is done."""
        done = self.world.event()
        self.advance()
        self.parts.append([load, load * time, 0, done])
        self.share()
        return done

    def advance(self) -> None:
        """Serve until now."""
        span = self.world.now - self.last
        self.last = self.world.now
        for part in self.parts:
            part[1] -= part[2] * span
            if part[1] <= 0:
                part[3].succeed()
        self.parts = [part for part in self.parts if part[1] > 0]

    def share(self) -> None:
        """Divide the unit anew and plan when the next part is done."""
        left = WHOLE
        spans = []
        for part in self.parts:
            part[2] = min(part[0], left)
            left -= part[2]
            if part[2]:
                spans.append(-(-part[1] // part[2]))
        self.version += 1
        if spans:
            due = self.world.timeout(min(spans), self.version)
            due.callbacks.append(self.due)

    def due(self, event: Any) -> None:
        """Somebody has been served, unless that was planned before a change."""
        if event.value == self.version:
            self.advance()
            self.share()


class Pipeline:
    """The peer: engines and works are processes, chains are events, slots a resource."""

    def __init__(self, made: list[Row]) -> None:
        import simpy  # noqa: PLC0415 - only the peer needs it

        parameters = Parameters(find_machine(MACHINE))
        cycles = parameters.cycles
        self.made = made
        self.world: Any = simpy.Environment()
        self.slots: Any = simpy.Resource(self.world, RESIDENCY)
        self.memory = Memory(self.world)
        self.cycle = parameters.of_cycles(1)
        self.pfp_packet, self.me_packet = cycles("PFP packet"), cycles("ME packet")
        self.work_packet, self.launch = cycles("work packet"), cycles("launch")
        self.signal, self.back_end = cycles("drain signal"), cycles("back end")
        self.trip = cycles("memory round trip")
        self.write = max(self.trip, cycles("minimum fence") - self.trip)
        self.vertex = parameters["vertex part of a draw"]
        self.passed: Any = simpy.Store(self.world)
        self.started = self.world.event().succeed()
        self.last = dict.fromkeys(("vs", "ps", "end", "cs", "value"), self.started)
        self.launched: list[int] = []
        self.over: list[int] = []

    def run(self) -> str:
        """The whole stream."""
        self.world.process(self.pfp())
        self.world.process(self.me())
        self.world.run()
        return digest((*self.launched, *self.over))

    def pfp(self) -> Generator[Any, Any, None]:
        """Takes every command."""
        for kind, _, _ in self.made:
            for _ in range(1 + (kind == "fence")):
                yield self.world.timeout(self.pfp_packet)
                self.passed.put(kind)

    def me(self) -> Generator[Any, Any, None]:
        """Handles every command when PFP has passed it."""
        for kind, amount, load in self.made:
            yield self.passed.get()
            if kind in ("draw", "dispatch"):
                yield self.world.timeout(self.work_packet)
                self.issue(kind, amount * self.cycle, load * WHOLE // 100)
                continue
            yield self.world.timeout(self.me_packet)
            if kind == "fence":
                yield from self.fence()
            else:
                yield from self.drained(self.last[kind[-2:]])

    def drained(self, chain: Any) -> Generator[Any, Any, None]:
        """A signal behind a stage that has drained, however long ago."""
        yield chain
        if chain is not self.started:
            left = chain.value + self.signal - self.world.now
            if left > 0:
                yield self.world.timeout(left)

    def fence(self) -> Generator[Any, Any, None]:
        """A value down the pipe, and a wait for it."""
        value = self.world.event()
        before, self.last["value"] = self.last["value"], value
        ends = (self.last["end"], self.last["cs"], before)
        self.world.process(self.signalled(value, ends))
        yield self.passed.get()
        yield self.world.timeout(self.me_packet)
        yield value
        yield self.world.timeout(self.trip)

    def signalled(self, value: Any, ends: Iterable[Any]) -> Generator[Any, Any, None]:
        """The value is in memory when everything before it is over."""
        yield self.world.timeout(self.launch + self.back_end)
        for end in ends:  # noqa: UP028 - SimPy sends values, which a tuple cannot take
            yield end
        yield self.world.timeout(self.write)
        value.succeed(self.world.now)

    def issue(self, kind: str, time: int, load: int) -> None:
        """A work is handed over; the chains that it extends are known at once."""
        number = len(self.launched)
        self.launched.append(-1)
        self.over.append(-1)
        names = ("vs", "ps", "end") if kind == "draw" else ("cs",)
        before = [self.last[name] for name in names]
        mine = [self.world.event() for _ in names]
        self.last.update(zip(names, mine, strict=True))
        if kind == "draw":
            self.world.process(self.draw(number, time, load, before, mine))
        else:
            self.world.process(self.dispatch(number, time, load, before[0], mine[0]))

    def waves(self, number: int, time: int, load: int) -> Generator[Any, Any, Any]:
        """Gets slots; returns an event: its own time has passed and its memory is served."""
        yield self.world.timeout(self.launch)
        slot = self.slots.request()
        yield slot
        self.launched[number] = self.world.now
        shaded = self.world.timeout(time) & self.memory.serve(load, time)
        shaded.callbacks.append(lambda _: self.slots.release(slot))
        return shaded

    def dispatch(
        self, number: int, time: int, load: int, before: Any, mine: Any
    ) -> Generator[Any, Any, None]:
        """A dispatch, from its launch to its end."""
        yield (yield from self.waves(number, time, load))
        yield before
        mine.succeed(self.world.now)
        self.over[number] = self.world.now

    def draw(
        self, number: int, time: int, load: int, before: list[Any], mine: list[Any]
    ) -> Generator[Any, Any, None]:
        """A draw, stage by stage, each in the order of the draws."""
        shaded = yield from self.waves(number, time, load)
        yield self.world.timeout(-(-time * self.vertex // WHOLE))
        yield before[0]
        mine[0].succeed(self.world.now)
        yield shaded
        yield before[1]
        mine[1].succeed(self.world.now)
        yield self.world.timeout(self.back_end)
        yield before[2]
        mine[2].succeed(self.world.now)
        self.over[number] = self.world.now


def peer(commands: int) -> Callable[[], str]:
    """SimPy."""
    made = Pipeline(rows(commands))
    return made.run


TASKS = {"ours": ours, "peer": peer}


def contenders(commands: int) -> tuple[Contender, ...]:
    """Both forms of ours, and the peer."""
    return (
        Contender("compiled", "ours", commands),
        Contender("interpreted", "ours", commands, "interpreted"),
        Contender("SimPy", "peer", commands),
    )


def main(arguments: list[str]) -> None:
    """Every contender; or one, where its name and a number of commands are given."""
    if len(arguments) == 2:
        perform(TASKS[arguments[0]](int(arguments[1])))
        return
    commands = int(arguments[0]) if arguments else COMMANDS
    report("pipeline", "commands", run("benchmarks.pipeline", contenders(commands)))


if __name__ == "__main__":
    main(sys.argv[1:])
