"""The replay: one pass over all queues of a program on a machine (design 2, 4, 5; model 4)."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.coherence.access import Accesses, Use
from fencepost.coherence.fences import STARTING, Fences, Wait
from fencepost.coherence.history import History
from fencepost.coherence.hits import Hit
from fencepost.coherence.issue import engine_of, holds_pfp, operand_of, steps_of
from fencepost.coherence.layout import Clock, Layout
from fencepost.coherence.queues import ME, OWN_GROUP, QueueState, make_queue_state
from fencepost.coherence.repeated import Repeats
from fencepost.coherence.steps import Steps
from fencepost.coherence.ways import Ways
from fencepost.machine.primitives import Step
from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Command, Work, WorkKind
from fencepost.stream.program import Program, QueueKind

TARGET_BLOCKS = frozenset({"cb", "db", "so"})
"""The blocks whose surfaces are context registers, without their numbers (model 4.7)."""


@dataclass(slots=True)
class Stuck:
    """A wait that nothing can end.

    `others`: all the waits that then stand (they wait for each other); empty: it has no source.
    """

    queue: int
    position: int
    others: tuple[tuple[int, int], ...] = ()


@dataclass(slots=True)
class Outcome:
    """What a replay found: hazards of accesses, waits that hang."""

    hits: list[Hit] = field(default_factory=list)
    stuck: list[Stuck] = field(default_factory=list)


class Replay:
    """Walks a program.

    `fences` carries what earlier passes found out about waits; without `accesses` only the waits
    count.

    `leaned`: some guarantee was taken that only the `documented` level gives.
    """

    def __init__(
        self,
        program: Program,
        machine: Machine,
        guarantees: str,
        fences: Fences,
        layout: Layout,
        ways: Ways,
        accesses: bool = True,
    ) -> None:
        self.program = program
        self.machine = machine
        self.fences = fences
        self.layout = layout
        self.ways = ways
        self.history = History()
        self.repeats: Repeats | None = None
        self.with_accesses = accesses
        self.outcome = Outcome()
        self.accesses = Accesses(ways, layout, machine.line, self.outcome.hits.append)
        self.queues = [
            make_queue_state(n, queue, len(program.queues), layout, machine.contexts)
            for n, queue in enumerate(program.queues)
        ]
        self.steps = Steps(self, guarantees)
        self._rows: dict[tuple[type[Command], str], tuple[Step, ...]] = {}

    # -- order of the queues

    def run(self) -> Outcome:
        """Replay every queue to its end; a queue runs until it must wait for another one."""
        while any(not state.finished for state in self.queues):
            moved = False
            for state in self.queues:
                moved |= self._run_queue(state)
            if not moved:
                self._release_stuck()
        return self.outcome

    def _run_queue(self, state: QueueState) -> bool:
        start = state.position
        commands = state.queue.commands
        while state.position < len(commands):
            command = commands[state.position]
            wait = self.fences.waits.get((state.number, state.position))
            if wait is not None and not self._sources_seen(wait):
                break
            self.step(state, command)
        return state.position > start

    def _sources_seen(self, wait: Wait) -> bool:
        """Have all possible sources of the wait been replayed? A wait without a source is stuck."""
        return bool(wait.sources) and all(self._seen(source, wait) for source in wait.sources)

    def _seen(self, source: tuple[int, int], wait: Wait) -> bool:
        """Replayed, or a store of PFP, which runs ahead of this wait in its own queue."""
        queue, position = source
        ahead = queue == wait.queue and position > wait.position
        return queue == STARTING or ahead or position < self.queues[queue].position

    def _release_stuck(self) -> None:
        """No queue can move: let one wait go, with no guarantee.

        Say so if nothing could ever end it.
        """
        blocked = [state for state in self.queues if not state.finished]
        lucky = [state for state in blocked if self._some_source_seen(state)]
        state = (lucky or blocked)[0]
        if not lucky:
            empty = [other for other in blocked if not self._wait_at(other).sources]
            state = (empty or blocked)[0]
            others = () if empty else tuple((other.number, other.position) for other in blocked)
            self.outcome.stuck.append(Stuck(state.number, state.position, others))
        self.step(state, state.queue.commands[state.position])

    def _wait_at(self, state: QueueState) -> Wait:
        return self.fences.waits[state.number, state.position]

    def _some_source_seen(self, state: QueueState) -> bool:
        wait = self._wait_at(state)
        return any(self._seen(source, wait) or self._pfp_is_past(source) for source in wait.sources)

    def _pfp_is_past(self, source: tuple[int, int]) -> bool:
        """Does only ME stand at a wait before that store of PFP?"""
        queue, position = source
        state = self.queues[queue]
        if not self.fences.writes[source].by_pfp or not self._wait_at(state).on_me:
            return False
        between = state.queue.commands[state.position + 1 : position]
        return not any(holds_pfp(command) for command in between)

    # -- one command

    def step(self, state: QueueState, command: Command) -> None:
        """Carry out the command at the queue's position and go on."""
        self.arrive(state)
        if isinstance(command, Work):
            self._work(state, command)
        else:
            engine = engine_of(command, state.queue.kind)
            self.steps.carry_out(state, command, engine, self.steps_of(command, state.queue.kind))
            self._remember(state)
        state.position += 1

    def _remember(self, state: QueueState) -> None:
        if self.with_accesses:
            for engine, clock in state.clocks.items():
                self.history.note(state.number, engine, state.position, clock)

    def arrive(self, state: QueueState) -> None:
        """The engines have come this far.

        Everything earlier in the queue has been read and handled.
        """
        done, here = self.layout.done, state.position
        for engine, clock in state.clocks.items():
            clock[state.base + done[OWN_GROUP[engine]]] = here
        if ME in state.clocks:
            state.clocks[ME][state.base + done["pfp"]] = here + 1

    def steps_of(self, command: Command, kind: QueueKind) -> tuple[Step, ...]:
        """The steps of a command, from the machine's row."""
        key = (type(command), operand_of(command, kind))
        steps = self._rows.get(key)
        if steps is None:
            steps = self._rows[key] = steps_of(command, kind, self.machine)
        return steps

    # -- work

    def _work(self, state: QueueState, work: Work) -> None:
        if work.kind is WorkKind.DRAW:
            self._enter_context(state, work)
        if self.with_accesses and work.accesses:
            self._access(state, work)
        if work.unknown:
            self._use_unknown(state, work)
        if work.synchronous:
            self.steps.drain_dma(state, work.engine, including=1)
            self._remember(state)

    def _access(self, state: QueueState, work: Work) -> None:
        for clock, uses in self.uses(state, work):
            self.accesses.perform(state.number, state.position, clock, uses)

    def uses(self, state: QueueState, work: Work) -> list[tuple[Clock, list[Use]]]:
        """A work's accesses by the engine that performs them, with that engine's clock."""
        by_engine: dict[str, list[Use]] = {}
        find, kicker = self.ways.find, work.engine
        for access in work.accesses:
            way = find(access, kicker)
            uses = by_engine.get(way.row.engine)
            if uses is None:
                by_engine[way.row.engine] = uses = []
            uses.append((way, access.start, access.end))
        return [
            (self._clock(state, kicker if engine == "kick" else engine, work), uses)
            for engine, uses in by_engine.items()
        ]

    def _use_unknown(self, state: QueueState, work: Work) -> None:
        """A shader whose accesses are not shown may use every cache of its stage."""
        for (_, group), point in self.layout.inv.items():
            if group in work.unknown:
                self.accesses.last[state.base + point] = state.position

    def _clock(self, state: QueueState, engine: str, work: Work) -> Clock:
        clock = state.clocks.get(engine)
        if clock is None:
            clock = next(iter(state.clocks.values()))
        if work.raw_wait:
            clock = self.steps.after_dma(state, work.engine)
        return clock

    def _enter_context(self, state: QueueState, work: Work) -> None:
        drawn = [access for access in work.accesses if access.block[:2] in TARGET_BLOCKS]
        targets = frozenset([(access.block, access.resource.name) for access in drawn])
        if targets != state.contexts.targets:
            self.steps.roll(state)
            state.contexts.targets = targets
        surfaces = [(access.block, access.start, access.end) for access in drawn]
        state.contexts.draw(state.position, surfaces)

    def perform(self, state: QueueState, access: Access, clock: Clock) -> None:
        """An access that a synchronization command makes itself (timestamp, scan-out)."""
        if self.with_accesses:
            way = self.ways.find(access, ME)
            uses = [(way, access.start, access.end)]
            self.accesses.perform(state.number, state.position, clock, uses)
