"""A plan in one pass: the program is replayed, and what a command lacks is put before it at once (design 7).

Used where a search over whole programs would take too long. Each choice is the lightest that serves the command at hand; a later pass
takes out what has become superfluous.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fencepost.coherence.checking import Examination
from fencepost.coherence.contexts import Contexts
from fencepost.coherence.fences import Fences, LabelWrite
from fencepost.coherence.issue import engine_of
from fencepost.coherence.layout import Clock, join
from fencepost.coherence.observing import FactFinder
from fencepost.coherence.queues import ME, PFP, QueueState
from fencepost.coherence.replay import Replay
from fencepost.machine.tables import Machine
from fencepost.plan.bundles import Bundle, Bundles, Site, Surface
from fencepost.plan.costs import BOTH, STAGES, CostTable
from fencepost.plan.needs import Needs, gather
from fencepost.plan.pieces import BEHIND, EVENT, Piece
from fencepost.stream.command import (
    Command,
    PartialFlush,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
    Work,
    WorkKind,
)
from fencepost.stream.program import Program, QueueKind

MOST_SURFACES = 4
"""So many of the last targets are offered to a surface sync by name."""


class NoBundle(Exception):
    """Nothing that this pass offers serves a command."""


@dataclass(slots=True)
class Behind:
    """What held behind a command: for values that are put there later."""

    clock: Clock
    pending: dict[str, Clock]
    chains: dict[str, Clock]


@dataclass(slots=True)
class Saved:
    """A queue's state, to go back to."""

    clocks: dict[str, Clock]
    pending: dict[str, Clock]
    position: int
    commands: int
    starts: int
    events: dict[str, int]


@dataclass(slots=True)
class Growing:
    """The queue that is being written: its commands so far, and where each came from."""

    commands: list[Command] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    log: dict[int, Behind] = field(default_factory=dict)
    works: list[int] = field(default_factory=list)
    last: dict[str, int] = field(default_factory=dict)
    surfaces: dict[Surface, None] = field(default_factory=dict)
    work_count: int = 0


class Draft:
    """Plans one queue after the other; a queue is followed by those that may rely on it."""

    def __init__(self, program: Program, machine: Machine, guarantees: str) -> None:
        self.program = program
        self.machine = machine
        self.documented = guarantees == "documented"
        self.table = CostTable(machine)
        examination = Examination(program, machine, guarantees)
        self.ways = examination.ways
        self.layout = examination.layout
        self.growing = [Growing() for _ in program.queues]
        queues = tuple(
            replace(queue, commands=growing.commands)
            for queue, growing in zip(program.queues, self.growing, strict=True)
        )
        self.fences = Fences({})
        self.replay = Replay(
            replace(program, queues=queues),
            machine,
            guarantees,
            self.fences,
            self.layout,
            self.ways,
        )
        self.replay.accesses.report = lambda hit: None
        self.kinds = tuple(queue.kind for queue in program.queues)
        self.pieces: list[Piece] = []

    def run(self) -> list[Piece]:
        """The pieces of the plan; raises `NoBundle` where this pass finds none."""
        for number, queue in enumerate(self.program.queues):
            state = self.replay.queues[number]
            for origin, command in enumerate(queue.commands):
                if isinstance(command, Work):
                    self._serve(state, command, origin)
                self._append(state, command, origin)
                if isinstance(command, Work):
                    self._note_work(state, command)
        return self.pieces

    # -- the queue so far

    def _append(self, state: QueueState, command: Command, origin: int) -> None:
        growing = self.growing[state.number]
        growing.commands.append(command)
        growing.origins.append(origin)
        growing.works.append(growing.work_count)
        self.replay.step(state, command)

    def _note_work(self, state: QueueState, work: Work) -> None:
        growing = self.growing[state.number]
        position = state.position - 1
        growing.work_count += 1
        growing.works[position] = growing.work_count
        growing.last[str(work.kind)] = position
        clock = next(iter(state.clocks.values()))
        pending = {kind: list(known) for kind, known in state.pending.items()}
        growing.log[position] = Behind(list(clock), pending, dict(state.chains))
        for access in work.accesses:
            if work.kind is WorkKind.DRAW and access.block[:2] in ("cb", "db"):
                surface = Surface(access.block, access.start, access.end)
                growing.surfaces.pop(surface, None)
                growing.surfaces[surface] = None

    # -- what a command lacks

    def _needs(self, state: QueueState, work: Work) -> Needs:
        finder = FactFinder({(state.number, state.position)})
        finder.attach(self.replay)
        self.replay.arrive(state)
        for clock, uses in self.replay.uses(state, work):
            self.replay.accesses.check(state.number, state.position, clock, uses)
        self.replay.accesses.observer = None
        return gather(finder.relations, self.ways, self.machine)

    def _serve(self, state: QueueState, work: Work, origin: int) -> None:
        needs = self._needs(state, work)
        rounds = 0
        while needs:
            rounds += 1
            bundle = self._lightest(state, work, needs)
            if bundle is None or rounds > len(self.kinds) + 2:
                raise NoBundle
            self._apply(state, bundle)
            self.pieces += [self._at_origin(piece, state.number, origin) for piece in bundle]
            needs = self._needs(state, work)

    def _site(self, state: QueueState) -> Site:
        surfaces = tuple(self.growing[state.number].surfaces)[-MOST_SURFACES:]
        return Site(state.number, state.position, self.kinds, surfaces, self.documented)

    def _lightest(self, state: QueueState, work: Work, needs: Needs) -> Bundle | None:
        """The lightest bundle that serves the command; across queues one that serves part of it."""
        offers = list(Bundles(self.machine, needs, self._site(state)).offers())
        offers.sort(key=lambda bundle: self._weight(state, bundle))
        for bundle in offers:
            saved = self._save(state)
            self._apply(state, bundle)
            left = self._needs(state, work)
            self._restore(state, saved)
            if not left or (
                any(p.queue != state.number for p in bundle) and self._less(left, needs)
            ):
                return bundle
        return None

    @staticmethod
    def _less(left: Needs, needs: Needs) -> bool:
        count = len(needs.drains) + len(needs.homes) + len(needs.stale)
        return len(left.drains) + len(left.homes) + len(left.stale) < count

    # -- trying

    def _save(self, state: QueueState) -> Saved:
        clocks: dict[int, Clock] = {id(clock): list(clock) for clock in state.clocks.values()}
        return Saved(
            {engine: clocks[id(clock)] for engine, clock in state.clocks.items()},
            {kind: list(clock) for kind, clock in state.pending.items()},
            state.position,
            len(self.growing[state.number].commands),
            len(state.contexts.starts),
            {block: len(events[0]) for block, events in state.contexts.events.items()},
        )

    def _restore(self, state: QueueState, saved: Saved) -> None:
        for engine, clock in saved.clocks.items():
            state.clocks[engine][:] = clock
        state.pending = saved.pending
        state.position = saved.position
        growing = self.growing[state.number]
        for grown in (growing.commands, growing.origins, growing.works):
            del grown[saved.commands :]
        del state.contexts.starts[saved.starts :]
        for block, (positions, clocks) in state.contexts.events.items():
            del positions[saved.events[block] :]
            del clocks[saved.events[block] :]

    def _apply(self, state: QueueState, bundle: Bundle) -> None:
        values: dict[str, Clock] = {}
        for piece in sorted(bundle, key=lambda piece: piece.rank):
            if piece.rank in (BEHIND, EVENT) and (piece.queue, piece.gap) != (
                state.number,
                state.position,
            ):
                self._apply_behind(piece, values)
            else:
                self._apply_here(state, piece, values)

    def _apply_here(self, state: QueueState, piece: Piece, values: dict[str, Clock]) -> None:
        if piece.rank == EVENT and piece.fence:
            self._apply_behind(piece, values)
            return
        self._append(state, piece.command, -1)
        if isinstance(piece.command, WaitMemory):
            engine = engine_of(piece.command, state.queue.kind)
            join(state.clocks[engine], values[piece.fence])
            if engine == PFP and state.clocks[ME] is not state.clocks[PFP]:
                join(state.clocks[ME], state.clocks[PFP])

    def _apply_behind(self, piece: Piece, values: dict[str, Clock]) -> None:
        """A value or event behind an earlier command: carried out on what held there."""
        state = self.replay.queues[piece.queue]
        position = piece.gap - 1
        behind = self.growing[piece.queue].log[position]
        shadow = QueueState(
            number=state.number,
            queue=state.queue,
            base=state.base,
            clocks={engine: list(behind.clock) for engine in state.clocks},
            contexts=Contexts(self.machine.contexts),
            position=piece.gap,
            pending={kind: list(clock) for kind, clock in behind.pending.items()},
            chains=dict(behind.chains),
        )
        for engine, clock in shadow.clocks.items():
            clock[state.base + self.layout.done["me"]] = piece.gap
            del engine
        key = (piece.queue, piece.gap)
        kept = self.fences.writes.pop(key, None)
        write = LabelWrite(piece.queue, piece.gap, 0, self._point(state, piece.command))
        self.fences.writes[key] = write
        engine = engine_of(piece.command, state.queue.kind)
        steps = self.replay.steps_of(piece.command, state.queue.kind)
        self.replay.steps.carry_out(shadow, piece.command, engine, steps)
        del self.fences.writes[key]
        if kept is not None:
            self.fences.writes[key] = kept
        self._keep_effects(state, shadow, behind)
        if piece.fence and write.clock is not None:
            values[piece.fence] = write.clock

    @staticmethod
    def _keep_effects(state: QueueState, shadow: QueueState, behind: Behind) -> None:
        """What is pending there is pending here too; the order that an event gives holds from there on."""
        for kind, clock in shadow.pending.items():
            state.pend(kind, clock)
            behind.pending[kind] = list(clock)
        for engine, clock in shadow.clocks.items():
            join(state.clocks[engine], clock)

    def _point(self, state: QueueState, command: Command) -> int:
        """Some point of that queue that says the value is written; nobody asks for it in a draft."""
        del command
        return state.base + self.layout.done["eop"]

    # -- weights

    def _weight(self, state: QueueState, bundle: Bundle) -> tuple[int, int]:
        cycles = 0
        ends = {piece.fence: piece for piece in bundle if piece.fence and piece.rank == EVENT}
        for piece in bundle:
            cycles += self.table.command(piece.command)
            cycles += self._stall(state, piece, ends)
        return cycles, len(bundle)

    def _stall(self, state: QueueState, piece: Piece, ends: dict[str, Piece]) -> int:
        growing, command = self.growing[state.number], piece.command
        if isinstance(command, WaitMemory):
            end = ends[piece.fence]
            if end.queue != state.number:
                return 0
            return self.table.stall(growing.work_count - growing.works[end.gap - 1])
        kinds: tuple[str, ...] = ()
        if isinstance(command, PartialFlush):
            kinds = STAGES[command.stage]
        elif isinstance(command, WaitIdle):
            kinds = BOTH
        elif isinstance(command, SurfaceSync) and command.coherency:
            kinds = ("draw",)
        last = max((growing.last[kind] for kind in kinds if kind in growing.last), default=-1)
        if last < 0:
            return 0
        return self.table.stall(growing.work_count - growing.works[last])

    # -- back to the program

    def _at_origin(self, piece: Piece, number: int, origin: int) -> Piece:
        """The piece with its place in the program as it was given."""
        growing = self.growing[piece.queue]
        if piece.rank in (BEHIND, EVENT) and piece.gap - 1 in growing.log:
            position = piece.gap - 1
            if piece.queue != number or piece.rank == BEHIND or piece.fence:
                return replace(piece, gap=growing.origins[position] + 1)
        return replace(piece, gap=origin)
