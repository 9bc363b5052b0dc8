"""Lowers a program: commands to operations, in program order (docs/timing.md 2)."""

from __future__ import annotations

from fencepost.coherence.issue import engine_of, steps_of
from fencepost.stream.command import (
    Command,
    Kickoff,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    WaitIdle,
    Work,
    WorkKind,
)
from fencepost.stream.conditions import OWN_BLOCKS
from fencepost.stream.program import Program, QueueKind
from fencepost.stream.resource import ResourceKind
from fencepost.timing.code import (
    BUSY,
    CHAIN,
    COPIED,
    COPY,
    COPYING,
    CS,
    DISPATCH,
    DMA,
    DMA_PFP,
    DRAW,
    END,
    GIVE,
    IDLE,
    ISSUE,
    MEET,
    PASS,
    PASSED,
    PS,
    ROLL,
    STAND,
    TAKE,
    TRANSFER,
    VS,
    Code,
    EngineCode,
    Works,
)
from fencepost.timing.demand import Demand, Demands
from fencepost.timing.parameters import WHOLE, Parameters
from fencepost.timing.scene import ME, PFP, Scene, wait_for_dma
from fencepost.timing.steps import LowerSteps

READ_BY_PFP = ("args", "predicate", "commands")
TARGET_BLOCKS = ("cb", "db", "so")


def lower(program: Program, parameters: Parameters, guarantees: str) -> Code:
    """The program as operations; raises `ProgramProblem` for a cost that makes no sense."""
    labels = [r for r in program.resources if r.kind is ResourceKind.LABEL]
    code = Code(
        engines=[],
        pfp_of=[-1] * len(program.queues),
        me_of=[-1] * len(program.queues),
        works=Works(),
        forks=[],
        flushes=[],
        waits=[],
        coherent=[],
        labels=[label.name for label in labels],
        values=[label.value for label in labels],
        units=[row.name for row in parameters.units],
        caches=list(dict.fromkeys(row.operated_as for row in parameters.machine.caches)),
    )
    demands = Demands(parameters)
    kicked = _kicked(program)
    for number, queue in enumerate(program.queues):
        scene = Scene(code, number, queue, parameters, kicked)
        steps = LowerSteps(scene, documented=guarantees == "documented")
        QueueLowering(scene, steps, demands).run()
    return code


def _kicked(program: Program) -> dict[str, int]:
    """The queues that the CPU kicks off, by name; the others start by themselves."""
    names = {
        command.queue
        for queue in program.queues
        if queue.kind is QueueKind.CPU
        for command in queue.commands
        if isinstance(command, Kickoff)
    }
    return {queue.name: n for n, queue in enumerate(program.queues) if queue.name in names}


class QueueLowering:
    """Walks the commands of one queue."""

    def __init__(self, scene: Scene, steps: LowerSteps, demands: Demands) -> None:
        self.scene = scene
        self.steps = steps
        self.demands = demands
        self.parameters = scene.parameters
        self.gpu = scene.queue.kind in (QueueKind.GRAPHICS, QueueKind.COMPUTE)
        self._packet = self.parameters.cycles("ME packet") if self.gpu else 0
        self._pfp_packet = self.parameters.cycles("PFP packet")
        self._work_packet = self.parameters.cycles("work packet")

    def run(self) -> None:
        """Lower every command."""
        for position, command in enumerate(self.scene.queue.commands):
            self.scene.position = position
            for engine in self.scene.engines.values():
                engine.starts.append(len(engine.ops))
            self._begin(command)
            if isinstance(command, Work):
                self._work(command)
            else:
                self._synchronization(command)
            if PFP in self.scene.engines:
                self.scene.engines[PFP].put(PASS)
        for engine in self.scene.engines.values():
            engine.starts.append(len(engine.ops))
        self.scene.close()

    def _begin(self, command: Command) -> None:
        """PFP takes the packet; ME comes to it when PFP has passed, or meets it."""
        engines = self.scene.engines
        if PFP in engines:
            engines[PFP].put(BUSY, self._pfp_packet)
            engines[ME].put(MEET if isinstance(command, PfpSyncMe) else PASSED)

    # -- synchronization

    def _synchronization(self, command: Command) -> None:
        kind = self.scene.queue.kind
        engine = self.scene.engine(engine_of(command, kind))
        if self._packet and not self.scene.ahead(engine):
            engine.put(BUSY, self._packet)
        if isinstance(command, PartialFlush):
            engine.put(TAKE, self._token())
        if isinstance(command, WaitIdle):
            travel = self.parameters.cycles("launch") + self.parameters.cycles("back end")
            engine.put(STAND, travel, IDLE)
        if not isinstance(command, PipelinedEvent) or command.operations:
            self.steps.carry_out(command, engine, steps_of(command, kind, self.scene.machine))
        if isinstance(command, WaitIdle):
            engine.put(STAND, self._fence() + self.parameters.cycles("idle check"), IDLE)
        if isinstance(command, PartialFlush):
            engine.put(GIVE, self._token())

    def _token(self) -> int:
        """The command processor: the graphics queue has one, the compute queues share one."""
        return 0 if self.scene.queue.kind is QueueKind.GRAPHICS else 1

    def _fence(self) -> int:
        """A value's way to memory and back to the engine."""
        return max(2 * self.scene.trip, self.parameters.cycles("minimum fence"))

    # -- works

    def _work(self, work: Work) -> None:
        demand = self.demands.of(work)
        if PFP in self.scene.engines:
            self._read_by_pfp(work)
        if work.kind is WorkKind.DRAW:
            self._draw(work, demand)
        elif work.kind is WorkKind.DISPATCH:
            engine = self.scene.engine(ME)
            engine.put(BUSY, self._work_packet)
            self.scene.add(CS)
            self._issue(engine, DISPATCH, demand)
        elif work.kind is WorkKind.DMA:
            self._transfer(work, demand)
        else:
            self._serial(work, demand)

    def _read_by_pfp(self, work: Work) -> None:
        """PFP has read its data before ME sees the packet."""
        if any(a.block == PFP and a.use in READ_BY_PFP for a in work.accesses):
            self.scene.engines[PFP].put(BUSY, self.scene.trip)

    def _draw(self, work: Work, demand: Demand) -> None:
        scene, engine = self.scene, self.scene.engine(ME)
        drawn = [access for access in work.accesses if access.block[:2] in TARGET_BLOCKS]
        targets = frozenset((access.block, access.resource.name) for access in drawn)
        if targets != scene.contexts.targets:
            count = scene.roll()
            if count:
                engine.put(CHAIN, END, count, scene.signal, ROLL)
            scene.contexts.targets = targets
        surfaces = [(access.block, access.start, access.end) for access in drawn]
        scene.contexts.draw(scene.position, surfaces)
        engine.put(BUSY, self._work_packet)
        scene.add(VS)
        scene.add(PS)
        scene.last_draw = scene.ends[scene.position] = scene.add(END)
        self._issue(engine, DRAW, demand)

    def _transfer(self, work: Work, demand: Demand) -> None:
        blocks = {access.block for access in work.accesses}
        if blocks and blocks <= set(OWN_BLOCKS):
            self._own_accesses(work, demand, blocks)
            return
        engine = self.scene.engine(work.engine)
        ahead = self.scene.ahead(engine)
        if not ahead:
            engine.put(BUSY, self._packet)
        self.scene.add(DMA_PFP if ahead else DMA)
        self._issue(engine, TRANSFER, demand, in_turn=work.raw_wait)
        if work.synchronous:
            wait_for_dma(self.scene, engine)

    def _own_accesses(self, work: Work, demand: Demand, blocks: set[str]) -> None:
        """Engines read or write by themselves, whoever is said to kick them."""
        kicker = self.scene.engine(work.engine)
        for block in sorted(blocks):
            engine = self.scene.engine(OWN_BLOCKS[block])
            if not self.scene.ahead(engine):
                engine.put(BUSY, self._packet)
            engine.put(BUSY, demand.time if work.cost else self.scene.trip)
        if work.synchronous:
            wait_for_dma(self.scene, kicker)

    def _serial(self, work: Work, demand: Demand) -> None:
        """The CPU and a copy queue run one command after the other."""
        engine = self.scene.engine(ME)
        if work.kind is WorkKind.CPU:
            engine.put(BUSY, demand.time)
            return
        self._issue(engine, COPIED, demand)
        engine.put(CHAIN, COPY, self.scene.add(COPY), 0, COPYING)

    def _issue(
        self, engine: EngineCode, kind: int, demand: Demand, *, in_turn: bool = False
    ) -> None:
        works = self.scene.code.works
        engine.put(ISSUE, len(works.queue))
        works.queue.append(self.scene.number)
        works.position.append(self.scene.position)
        works.kind.append(kind)
        works.time.append(demand.time)
        works.tail.append(demand.time * demand.late // WHOLE)
        works.vertex.append(demand.vertex)
        works.residency.append(demand.residency)
        works.lines_up.append(demand.lines_up)
        works.by_pfp.append(self.scene.ahead(engine))
        works.in_turn.append(in_turn)
        self._jobs(works, demand)
        self._footprints(works, demand)

    def _jobs(self, works: Works, demand: Demand) -> None:
        for job in demand.jobs:
            works.job_unit.append(self.scene.code.units.index(job.unit))
            works.job_cap.append(job.cap)
            late = job.amount * demand.late // WHOLE
            works.job_body.append(job.amount - late)
            works.job_tail.append(late)
        works.first_job.append(len(works.job_unit))

    def _footprints(self, works: Works, demand: Demand) -> None:
        for row in demand.footprints:
            cache = self.scene.code.caches.index(row.cache)
            works.put_print(cache, row.start, row.end, row.writes)
        works.first_print.append(len(works.print_cache))
