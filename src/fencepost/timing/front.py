"""Engines: PFP, ME, the CPU, copy queues execute their operations in order (docs/timing.md 2)."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.coherence.fences import satisfies
from fencepost.timing.caches import Caches
from fencepost.timing.code import (
    ACTION,
    BEHIND_ME,
    BEHIND_PFP,
    BUSY,
    CHAIN,
    CHAINS,
    COHERENT,
    CONTEXTS,
    DROP,
    END,
    EVENT,
    EVENTS,
    FENCE,
    FLUSH,
    FLUSH_IN_FLIGHT,
    FORK,
    GIVE,
    HANDOVER,
    ISSUE,
    KICK,
    KICKED,
    KICKOFF,
    MEET,
    OPERATION,
    PASS,
    PASSED,
    SEEN,
    SET,
    STAND,
    TAKE,
    WAIT,
    WIDTH,
    WORKING,
)
from fencepost.timing.parameters import Parameters
from fencepost.timing.pipe import Pipe
from fencepost.timing.shaders import Shaders
from fencepost.timing.state import (
    ACTED,
    BY_CHAIN,
    BY_ENGINE,
    BY_KICK,
    BY_VALUE,
    ENGINE,
    KICKED_OFF,
    NEVER,
    NO_CAUSE,
    State,
)

RUNNING, ON_TIME, ON_QUEUE, ON_LABEL, ON_TOKEN, FINISHED = range(6)
"""What an engine is about: what can make it go on."""

TOKENS = 2
"""Command processors: of the graphics queue, of all compute queues."""

AT_ANY_TIME = (BUSY, STAND, PASS, CHAIN)
"""Operations that nobody else sees: an engine may run ahead of the clock over them."""


class Front:
    """All engines.

    `at`: the next operation; `position`: its command; `clock`: how far an engine has come in time;
    `since`: since when it stands; `held`: what a surface sync of PFP found on its arrival.
    """

    def __init__(
        self,
        state: State,
        shaders: Shaders,
        pipe: Pipe,
        caches: Caches,
        parameters: Parameters,
        *,
        cold: bool,
    ) -> None:
        self.state = state
        self.code = state.code
        self.shaders = shaders
        self.pipe = pipe
        self.caches = caches
        self.cold = cold
        total, queues = len(self.code.engines), len(self.code.me_of)
        self.at = [0] * total
        self.position = [0] * total
        self.clock = [0] * total
        self.since = [NEVER] * total
        self.status = [RUNNING] * total
        self.held: list[tuple[int, int] | None] = [None] * total
        self.passed: list[list[int]] = [[] for _ in range(queues)]
        self.met: list[list[int]] = [[] for _ in range(queues)]
        self.meetings = [0] * queues
        self.kicks: list[list[int]] = [[] for _ in range(queues)]
        self.sent_kicks: list[tuple[int, int, int, int]] = []
        self.tokens = [parameters["partial flushes at a time"]] * TOKENS
        self.token_line: list[list[int]] = [[] for _ in range(TOKENS)]
        self.giver = [NEVER] * TOKENS
        self.actions: list[tuple[int, int, int, int]] = []
        self.action_end = [0] * queues
        self._do: dict[int, Callable[[int, int, int, int, int], bool]] = {
            BUSY: self._busy,
            STAND: self._stand,
            PASS: self._pass,
            PASSED: self._passed,
            MEET: self._meet,
            HANDOVER: self._handover,
            CHAIN: self._chain,
            SEEN: self._seen,
            COHERENT: self._coherent,
            ISSUE: self._issue,
            FORK: self._fork,
            FLUSH: self._flush,
            DROP: self._drop,
            SET: self._set,
            WAIT: self._wait,
            KICK: self._kick,
            KICKED: self._kicked,
            TAKE: self._take,
            GIVE: self._give,
        }

    # -- going on

    def resume(self, engine: int) -> None:
        """Let an engine go on as far as it can."""
        state, code = self.state, self.code.engines[engine]
        ops, starts = code.ops, code.starts
        self.status[engine] = RUNNING
        self.clock[engine] = max(self.clock[engine], state.now)
        while self.at[engine] < len(ops):
            at = self.at[engine]
            while at >= starts[self.position[engine] + 1]:
                self.position[engine] += 1
            if self.clock[engine] > state.now and ops[at] not in AT_ANY_TIME:
                self.status[engine] = ON_TIME
                state.push(self.clock[engine], ENGINE, engine)
                return
            do = self._do[ops[at]]
            if not do(engine, ops[at + 1], ops[at + 2], ops[at + 3], ops[at + 4]):
                return
            self.at[engine] = at + WIDTH
        self.status[engine] = FINISHED

    def wake_queue(self, queue: int) -> None:
        """Something has happened in that queue."""
        for engine in (self.code.pfp_of[queue], self.code.me_of[queue]):
            if engine >= 0 and self.status[engine] == ON_QUEUE:
                self.resume(engine)

    def wake_label(self, label: int) -> None:
        """A label has a new value."""
        for engine, status in enumerate(self.status):
            if status == ON_LABEL and self.waited_label(engine) == label:
                self.resume(engine)

    def waited_label(self, engine: int) -> int:
        """The label that an engine waits for."""
        return self.code.waits[self.code.engines[engine].ops[self.at[engine] + 1]].label

    def _stop(self, engine: int, status: int) -> bool:
        """Stand until something happens."""
        if self.since[engine] < 0:
            self.since[engine] = self.clock[engine]
        self.status[engine] = status
        return False

    def _go(
        self,
        engine: int,
        then: int,
        reason: int,
        cause: int = NO_CAUSE,
        first: int = NEVER,
        second: int = NEVER,
    ) -> bool:
        """Go on at that time: the engine has stood for a reason since it came here."""
        start = self.since[engine] if self.since[engine] >= 0 else self.clock[engine]
        self.since[engine] = NEVER
        self.clock[engine] = max(then, start)
        self.state.note(
            engine, start, self.clock[engine], self.position[engine], reason, cause, first, second
        )
        return True

    # -- time

    def _busy(self, engine: int, span: int, _b: int, _c: int, _d: int) -> bool:
        return self._spend(engine, span, WORKING)

    def _stand(self, engine: int, span: int, reason: int, _c: int, _d: int) -> bool:
        return self._spend(engine, span, reason)

    def _spend(self, engine: int, span: int, reason: int) -> bool:
        start = self.clock[engine]
        self.clock[engine] = start + span
        self.state.note(engine, start, start + span, self.position[engine], reason)
        return True

    # -- PFP and ME

    def _pass(self, engine: int, _a: int, _b: int, _c: int, _d: int) -> bool:
        queue = self.code.engines[engine].queue
        self.passed[queue].append(self.clock[engine])
        self.state.settle[queue] = None
        return True

    def _passed(self, engine: int, _a: int, _b: int, _c: int, _d: int) -> bool:
        queue = self.code.engines[engine].queue
        passed, position = self.passed[queue], self.position[engine]
        if position >= len(passed):
            return self._stop(engine, ON_QUEUE)
        pfp = self.code.pfp_of[queue]
        then = passed[position]
        return self._go(engine, then, BEHIND_PFP, BY_ENGINE, pfp, then)

    def _meet(self, engine: int, _a: int, _b: int, _c: int, _d: int) -> bool:
        queue = self.code.engines[engine].queue
        self.met[queue].append(self.state.now)
        self.state.settle[queue] = None
        return True

    def _handover(self, engine: int, latency: int, _b: int, _c: int, _d: int) -> bool:
        queue = self.code.engines[engine].queue
        number = self.meetings[queue]
        if number >= len(self.met[queue]):
            return self._stop(engine, ON_QUEUE)
        self.meetings[queue] += 1
        met = max(self.met[queue][number], self.clock[engine])
        return self._go(engine, met + latency, BEHIND_ME, BY_ENGINE, self.code.me_of[queue], met)

    def handled(self, queue: int) -> int:
        """How many commands of a queue ME has handled."""
        me = self.code.me_of[queue]
        starts, position = self.code.engines[me].starts, self.position[me]
        return position + (self.at[me] >= starts[position + 1])

    # -- chains

    def _chain(self, engine: int, chain: int, count: int, latency: int, reason: int) -> bool:
        at = self.code.engines[engine].queue * CHAINS + chain
        times = self.state.times[at]
        if count > len(times):
            return self._stop(engine, ON_QUEUE)
        if not count:
            return True
        then = times[count - 1] + latency
        return self._go(engine, then, reason, BY_CHAIN, at, count - 1)

    def _seen(self, engine: int, chain: int, _b: int, latency: int, reason: int) -> bool:
        queue = self.code.engines[engine].queue
        held = self.held[engine]
        if held is None:
            held = self.held[engine] = (self.shaders.transfers[queue], 0)
        done = self._chain(engine, chain, held[0], latency, reason)
        self.held[engine] = None if done else held
        return done

    def _coherent(self, engine: int, number: int, latency: int, _c: int, _d: int) -> bool:
        held = self.held[engine]
        if held is None:
            queue = self.code.engines[engine].queue
            held = self.held[engine] = self.code.coherent[number].counts(self.handled(queue))
        if not self._chain(engine, END, held[0], latency, CONTEXTS):
            return False
        self.held[engine] = (0, held[1])
        if not self._chain(engine, EVENT, held[1], 0, EVENTS):
            return False
        self.held[engine] = None
        return True

    # -- works and caches

    def _issue(self, _engine: int, work: int, _b: int, _c: int, _d: int) -> bool:
        self.pipe.enter(work)
        self.shaders.issue(work)
        self.caches.write(work)
        return True

    def _fork(self, _engine: int, number: int, _b: int, _c: int, _d: int) -> bool:
        self.pipe.fork(number)
        return True

    def _flush(self, engine: int, number: int, _b: int, _c: int, _d: int) -> bool:
        row, state = self.code.flushes[number], self.state
        queue, position = self.code.engines[engine].queue, self.position[engine]
        planned = self.caches.flush(row)
        if self.cold:
            self.shaders.refill(row)
        start = max(state.now, self.action_end[queue]) if row.unconfirmed else state.now
        for cache, span, size in planned:
            state.operations.append((queue, position, cache, start, start + span, size))
            start += span
        if not row.unconfirmed:
            return self._go(engine, start, OPERATION)
        self.action_end[queue] = start
        state.push(start, ACTED, len(self.actions))
        self.actions.append((queue, position, engine, state.now))
        return True

    def acted(self, number: int) -> None:
        """An unconfirmed action is finished."""
        self.state.finish(self.actions[number][0], ACTION, number)

    def _drop(self, engine: int, number: int, _b: int, _c: int, _d: int) -> bool:
        row, state = self.code.flushes[number], self.state
        queue, position = self.code.engines[engine].queue, self.position[engine]
        for cache in row.caches:
            state.operations.append((queue, position, cache, state.now, state.now, 0))
        if self.cold:
            self.shaders.refill(row)
        return True

    # -- labels and kickoffs

    def _set(self, engine: int, label: int, value: int, _c: int, _d: int) -> bool:
        queue = self.code.engines[engine].queue
        self.pipe.store(label, value, queue, self.position[engine], ~engine)
        return True

    def _wait(self, engine: int, number: int, latency: int, _c: int, _d: int) -> bool:
        row, state = self.code.waits[number], self.state
        if not satisfies(state.values[row.label], row.comparison, row.reference, row.mask):
            return self._stop(engine, ON_LABEL)
        if self.since[engine] < 0:
            return self._go(engine, state.now + latency, FENCE)
        write = len(state.written) - 1
        while state.written[write][0] != row.label:
            write -= 1
        return self._go(engine, state.now + latency, FENCE, BY_VALUE, write)

    def _kick(self, engine: int, queue: int, latency: int, _c: int, _d: int) -> bool:
        state = self.state
        state.push(state.now + latency, KICKED_OFF, len(self.sent_kicks))
        self.sent_kicks.append((queue, engine, self.position[engine], state.now))
        return True

    def kicked_off(self, number: int) -> None:
        """A kickoff has arrived."""
        queue = self.sent_kicks[number][0]
        self.kicks[queue].append(number)
        self.state.settle[queue] = None

    def _kicked(self, engine: int, count: int, _b: int, _c: int, _d: int) -> bool:
        kicks = self.kicks[self.code.engines[engine].queue]
        if count > len(kicks):
            return self._stop(engine, ON_QUEUE)
        if self.since[engine] < 0:
            return True
        return self._go(engine, self.state.now, KICKOFF, BY_KICK, kicks[count - 1])

    # -- one partial flush at a time

    def _take(self, engine: int, token: int, _b: int, _c: int, _d: int) -> bool:
        if self.since[engine] >= 0:  # handed over by the one before
            now = self.state.now
            return self._go(engine, now, FLUSH_IN_FLIGHT, BY_ENGINE, self.giver[token], now)
        if self.tokens[token]:
            self.tokens[token] -= 1
            return True
        self.token_line[token].append(engine)
        return self._stop(engine, ON_TOKEN)

    def _give(self, engine: int, token: int, _b: int, _c: int, _d: int) -> bool:
        if not self.token_line[token]:
            self.tokens[token] += 1
            return True
        self.giver[token] = engine
        self.resume(self.token_line[token].pop(0))
        return True
