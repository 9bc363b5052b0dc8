"""Engines: PFP, ME, the CPU, copy queues execute their operations in order (docs/timing.md 2)."""

from __future__ import annotations

from array import array
from itertools import accumulate

from fencepost.timing.agenda import ACTED, ENGINE, KICKED_OFF
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
    COPIED,
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
    TRANSFER,
    WAIT,
    WIDTH,
    WORKING,
    Code,
    column,
)
from fencepost.timing.labels import Labels
from fencepost.timing.parameters import Parameters
from fencepost.timing.pipe import Pipe
from fencepost.timing.record import (
    BY_CHAIN,
    BY_ENGINE,
    BY_KICK,
    BY_VALUE,
    NEVER,
    NO_CAUSE,
    Record,
)
from fencepost.timing.room import column_of, zeros
from fencepost.timing.shaders import Shaders
from fencepost.timing.state import State
from fencepost.timing.transfers import Transfers

RUNNING, ON_TIME, ON_QUEUE, ON_LABEL, ON_TOKEN, FINISHED = range(6)
"""What an engine is about: what can make it go on."""

TOKENS = 2
"""Command processors: of the graphics queue, of all compute queues."""


class Front:
    """All engines.

    `at`: the next operation, from `first_op` in `ops`; `position`: its command; `clock`: how far an
    engine has come in time; `since`: since when it stands; `held`: what a surface sync of PFP found
    on its arrival. `passed`: when PFP passed the commands of a queue, from `first_passed`.
    """

    def __init__(
        self,
        code: Code,
        record: Record,
        pipe: Pipe,
        transfers: Transfers,
        labels: Labels,
        parameters: Parameters,
    ) -> None:
        total, queues = len(code.engines), len(code.me_of)
        self.pipe = pipe
        self.state: State = self.pipe.state
        self.shaders: Shaders = self.pipe.shaders
        self.caches: Caches = self.pipe.caches
        self.transfers = transfers
        self.labels = labels
        self.code = code
        self.kinds = code.works.kind
        self.total = total
        self.queue = column_of(engine.queue for engine in code.engines)
        self.pfp_of = column_of(code.pfp_of)
        self.me_of = column_of(code.me_of)
        self.ops, self.first_op = joined([engine.ops for engine in code.engines])
        self.starts, self.first_start = joined([engine.starts for engine in code.engines])
        self.at = zeros(total)
        self.position = zeros(total)
        self.clock = zeros(total)
        self.since = column_of([NEVER] * total)
        self.status = zeros(total)
        self.held: list[tuple[int, int] | None] = [None] * total
        self.passed = zeros(len(self.starts))
        self.first_passed = zeros(queues)
        self.passed_count = zeros(queues)
        self.met: list[list[int]] = [[] for _ in range(queues)]
        self.meetings = [0] * queues
        self.kicks: list[list[int]] = [[] for _ in range(queues)]
        self.kickoffs = record.kickoffs
        self.tokens = [parameters["partial flushes at a time"]] * TOKENS
        self.token_line: list[list[int]] = [[] for _ in range(TOKENS)]
        self.giver = [NEVER] * TOKENS
        self.actions = record.actions
        self.action_end = [0] * queues
        for queue, engine in enumerate(code.me_of):
            self.first_passed[queue] = self.first_start[engine]

    # -- going on

    def resume(self, engine: int) -> None:
        """Let an engine go on as far as it can."""
        now, base, start = self.state.now, self.first_op[engine], self.first_start[engine]
        end = self.first_op[engine + 1] - base
        self.status[engine] = RUNNING
        self.clock[engine] = max(self.clock[engine], now)
        while self.at[engine] < end:
            at = self.at[engine]
            while at >= self.starts[start + self.position[engine] + 1]:
                self.position[engine] += 1
            if self.clock[engine] > now and not at_any_time(self.ops[base + at]):
                self.status[engine] = ON_TIME
                self.state.agenda.push(self.clock[engine], ENGINE, engine)
                return
            if not self._do(engine, base + at):
                return
            self.at[engine] = at + WIDTH
        self.status[engine] = FINISHED

    def _do(self, engine: int, row: int) -> bool:
        """One operation; False: it has to wait."""
        code, first, second = self.ops[row], self.ops[row + 1], self.ops[row + 2]
        done = True
        if code == BUSY:
            self._spend(engine, first, WORKING)
        elif code == PASSED:
            done = self._passed(engine)
        elif code == ISSUE:
            self._issue(first)
        elif code == PASS:
            self._pass(engine)
        elif code == CHAIN:
            done = self._chain(engine, first, second, self.ops[row + 3], self.ops[row + 4])
        elif code == FORK:
            self.pipe.fork(first)
        elif code == WAIT:
            done = self._wait(engine, first, second)
        elif code == STAND:
            self._spend(engine, first, second)
        else:
            done = self._do_rarely(engine, row)
        return done

    def _do_rarely(self, engine: int, row: int) -> bool:
        code, first, second = self.ops[row], self.ops[row + 1], self.ops[row + 2]
        done = True
        if code == TAKE:
            done = self._take(engine, first)
        elif code == GIVE:
            self._give(first, engine)
        elif code == MEET:
            self._meet(engine)
        elif code == HANDOVER:
            done = self._handover(engine, first)
        elif code == SEEN:
            done = self._seen(engine, first, self.ops[row + 3], self.ops[row + 4])
        elif code == COHERENT:
            done = self._coherent(engine, first, second)
        elif code == FLUSH:
            self._flush(engine, first)
        elif code == DROP:
            self._drop(engine, first)
        elif code == SET:
            self._set(engine, first, second)
        elif code == KICK:
            self._kick(engine, first, second)
        elif code == KICKED:
            done = self._kicked(engine, first)
        else:
            raise ValueError(code)
        return done

    def wake_queue(self, queue: int) -> None:
        """Something has happened in that queue."""
        if self.pfp_of[queue] >= 0 and self.status[self.pfp_of[queue]] == ON_QUEUE:
            self.resume(self.pfp_of[queue])
        if self.status[self.me_of[queue]] == ON_QUEUE:
            self.resume(self.me_of[queue])

    def wake_label(self, label: int) -> None:
        """A label has a new value."""
        for engine in range(self.total):
            if self.status[engine] == ON_LABEL and self._label(engine) == label:
                self.resume(engine)

    def _label(self, engine: int) -> int:
        """The label that an engine waits for."""
        return self.labels.of(self.ops[self.first_op[engine] + self.at[engine] + 1])

    def all_finished(self) -> bool:
        """Has every engine come to its end?"""
        for engine in range(self.total):  # noqa: SIM110 - no generator, a Python object
            if self.status[engine] != FINISHED:
                return False
        return True

    def _stop(self, engine: int, status: int) -> bool:
        """Stand until something happens."""
        if self.since[engine] < 0:
            self.since[engine] = self.clock[engine]
        self.status[engine] = status
        return False

    def _go(self, engine: int, then: int, reason: int, cause: int, first: int, second: int) -> bool:
        """Go on at that time: the engine has stood for a reason since it came here."""
        start = self.since[engine] if self.since[engine] >= 0 else self.clock[engine]
        self.since[engine] = NEVER
        self.clock[engine] = max(then, start)
        self.state.note_cause(
            engine, start, self.clock[engine], self.position[engine], reason, cause, first, second
        )
        return True

    def _spend(self, engine: int, span: int, reason: int) -> None:
        start = self.clock[engine]
        self.clock[engine] = start + span
        self.state.note(engine, start, start + span, self.position[engine], reason)

    # -- PFP and ME

    def _pass(self, engine: int) -> None:
        queue = self.queue[engine]
        self.passed[self.first_passed[queue] + self.passed_count[queue]] = self.clock[engine]
        self.passed_count[queue] += 1
        self.state.mark(queue)

    def _passed(self, engine: int) -> bool:
        queue = self.queue[engine]
        if self.position[engine] >= self.passed_count[queue]:
            return self._stop(engine, ON_QUEUE)
        then = self.passed[self.first_passed[queue] + self.position[engine]]
        return self._go(engine, then, BEHIND_PFP, BY_ENGINE, self.pfp_of[queue], then)

    def _meet(self, engine: int) -> None:
        queue = self.queue[engine]
        self.met[queue].append(self.state.now)
        self.state.mark(queue)

    def _handover(self, engine: int, latency: int) -> bool:
        queue = self.queue[engine]
        number = self.meetings[queue]
        if number >= len(self.met[queue]):
            return self._stop(engine, ON_QUEUE)
        self.meetings[queue] += 1
        met = max(self.met[queue][number], self.clock[engine])
        return self._go(engine, met + latency, BEHIND_ME, BY_ENGINE, self.me_of[queue], met)

    def _handled(self, queue: int) -> int:
        """How many commands of a queue ME has handled."""
        me = self.me_of[queue]
        position = self.position[me]
        return position + (self.at[me] >= self.starts[self.first_start[me] + position + 1])

    # -- chains

    def _chain(self, engine: int, chain: int, count: int, latency: int, reason: int) -> bool:
        state, at = self.state, self.queue[engine] * CHAINS + chain
        if count > state.done[at]:
            return self._stop(engine, ON_QUEUE)
        if not count:
            return True
        then = state.times[state.first[at] + count - 1] + latency
        return self._go(engine, then, reason, BY_CHAIN, at, count - 1)

    def _seen(self, engine: int, chain: int, latency: int, reason: int) -> bool:
        held = self.held[engine]
        if held is None:
            held = self.held[engine] = (self.transfers.by_me[self.queue[engine]], 0)
        done = self._chain(engine, chain, held[0], latency, reason)
        self.held[engine] = None if done else held
        return done

    def _coherent(self, engine: int, number: int, latency: int) -> bool:
        held = self.held[engine]
        if held is None:
            before = self._handled(self.queue[engine])
            held = self.held[engine] = self.code.coherent[number].counts(before)
        if not self._chain(engine, END, held[0], latency, CONTEXTS):
            return False
        self.held[engine] = (0, held[1])
        if not self._chain(engine, EVENT, held[1], 0, EVENTS):
            return False
        self.held[engine] = None
        return True

    # -- works and caches

    def _issue(self, work: int) -> None:
        kind = self.kinds[work]
        if kind == TRANSFER:
            self.transfers.issue(work)
        elif kind == COPIED:
            self.shaders.copy(work)
        else:
            self.pipe.enter(work)
            self.shaders.issue(work)
        self.caches.write(work)

    def _flush(self, engine: int, number: int) -> None:
        row, now = self.code.flushes[number], self.state.now
        queue, position = self.queue[engine], self.position[engine]
        planned = self.caches.flush(row)
        start = max(now, self.action_end[queue]) if row.unconfirmed else now
        end = self.caches.begin(row, planned, start, queue, position)
        if not row.unconfirmed:
            self._go(engine, end, OPERATION, NO_CAUSE, NEVER, NEVER)
            return
        self.action_end[queue] = end
        self.state.agenda.push(end, ACTED, len(self.actions))
        self.actions.append((queue, position, engine, now))

    def acted(self, number: int) -> None:
        """An unconfirmed action is finished."""
        self.state.finish(self.actions[number][0], ACTION, number, self.state.now)

    def _drop(self, engine: int, number: int) -> None:
        row = self.code.flushes[number]
        dropped = [(cache, 0, 0) for cache in row.caches]
        queue, position = self.queue[engine], self.position[engine]
        self.caches.begin(row, dropped, self.state.now, queue, position)

    # -- labels and kickoffs

    def _set(self, engine: int, label: int, value: int) -> None:
        queue, position = self.queue[engine], self.position[engine]
        self.labels.store(label, value, self.state.now, queue, position, ~engine)

    def _wait(self, engine: int, number: int, latency: int) -> bool:
        if not self.labels.satisfied(number):
            return self._stop(engine, ON_LABEL)
        then = self.state.now + latency
        if self.since[engine] < 0:
            return self._go(engine, then, FENCE, NO_CAUSE, NEVER, NEVER)
        write = self.labels.last[self.labels.of(number)]
        return self._go(engine, then, FENCE, BY_VALUE, write, NEVER)

    def _kick(self, engine: int, queue: int, latency: int) -> None:
        now = self.state.now
        self.state.agenda.push(now + latency, KICKED_OFF, len(self.kickoffs))
        self.kickoffs.append((queue, engine, self.position[engine], now))

    def kicked_off(self, number: int) -> None:
        """A kickoff has arrived."""
        queue = self.kickoffs[number][0]
        self.kicks[queue].append(number)
        self.state.mark(queue)

    def _kicked(self, engine: int, count: int) -> bool:
        kicks = self.kicks[self.queue[engine]]
        if count > len(kicks):
            return self._stop(engine, ON_QUEUE)
        if self.since[engine] < 0:
            return True
        return self._go(engine, self.state.now, KICKOFF, BY_KICK, kicks[count - 1], NEVER)

    # -- one partial flush at a time

    def _take(self, engine: int, token: int) -> bool:
        if self.since[engine] >= 0:  # handed over by the one before
            now = self.state.now
            return self._go(engine, now, FLUSH_IN_FLIGHT, BY_ENGINE, self.giver[token], now)
        if self.tokens[token]:
            self.tokens[token] -= 1
            return True
        self.token_line[token].append(engine)
        return self._stop(engine, ON_TOKEN)

    def _give(self, token: int, engine: int) -> None:
        if not self.token_line[token]:
            self.tokens[token] += 1
            return
        self.giver[token] = engine
        self.resume(self.token_line[token].pop(0))


def at_any_time(code: int) -> bool:
    """Does nobody else see that operation? An engine may run ahead of the clock over it."""
    return code in (BUSY, PASSED, PASS, CHAIN, STAND)


def joined(columns: list[array[int]]) -> tuple[array[int], array[int]]:
    """All columns as one, and where each begins in it; one more for the end."""
    whole = column()
    for part in columns:
        whole.extend(part)
    return whole, array("q", accumulate((len(part) for part in columns), initial=0))
