"""The loop: what is due next, who goes on because of it (docs/timing.md 1)."""

from __future__ import annotations

from fencepost.timing.caches import Caches
from fencepost.timing.code import Code
from fencepost.timing.front import FINISHED, Front
from fencepost.timing.parameters import Parameters
from fencepost.timing.pipe import Pipe
from fencepost.timing.shaders import Shaders
from fencepost.timing.sharing import Rule
from fencepost.timing.state import (
    ACTED,
    ARRIVED,
    BACK_END,
    ENGINE,
    EVENT_DUE,
    FLIPPED,
    KICKED_OFF,
    OPERATED,
    READY,
    SLOTS_DUE,
    TAIL,
    TRANSFERRED,
    UNIT_DUE,
    VALUE,
    VERTEX,
    State,
)


class Run:
    """One run of a program."""

    def __init__(self, code: Code, parameters: Parameters, rule: Rule, *, cold: bool) -> None:
        self.state = State(code)
        self.shaders = Shaders(self.state, parameters, rule)
        caches = Caches(code, parameters)
        self.pipe = Pipe(self.state, self.shaders, caches, parameters, cold=cold)
        self.front = Front(self.state, self.shaders, self.pipe, caches, parameters, cold=cold)
        self._due = {
            ENGINE: self.front.resume,
            READY: self.shaders.arrive,
            VERTEX: self.shaders.vertex_time,
            TAIL: self.shaders.own_time,
            BACK_END: self.shaders.back_end_time,
            SLOTS_DUE: self.shaders.slots_due,
            UNIT_DUE: self.shaders.unit_due,
            TRANSFERRED: self.shaders.transferred,
            EVENT_DUE: self.pipe.operated,
            ARRIVED: self.pipe.came,
            OPERATED: self.pipe.operated,
            VALUE: self.pipe.valued,
            FLIPPED: self.pipe.flipped,
            ACTED: self.front.acted,
            KICKED_OFF: self.front.kicked_off,
        }

    def run(self) -> bool:
        """Run to the end; False if some engine waits for ever."""
        state = self.state
        for engine in range(len(state.code.engines)):
            self.front.resume(engine)
        self._settle()
        while state.heap:
            kind, argument = state.pop()
            self._due[kind](argument)
            self._settle()
        return self.front.status.count(FINISHED) == len(self.front.status)

    def _settle(self) -> None:
        """Everything that follows at once from what has just happened."""
        state, shaders, pipe, front = self.state, self.shaders, self.pipe, self.front
        while True:
            if shaders.moved or shaders.touched:
                shaders.rearrange()
            elif state.settle:
                queue = next(iter(state.settle))
                del state.settle[queue]
                pipe.settle(queue)
                front.wake_queue(queue)
            elif pipe.written:
                label = next(iter(pipe.written))
                del pipe.written[label]
                front.wake_label(label)
            else:
                return
