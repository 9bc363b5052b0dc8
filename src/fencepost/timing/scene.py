"""One queue while it is lowered: its engines' code, and what has come before."""

from __future__ import annotations

from fencepost.coherence.contexts import Contexts
from fencepost.machine.tables import Machine
from fencepost.stream.program import Queue, QueueKind
from fencepost.timing.code import (
    CHAIN,
    CHAINS,
    DMA,
    DMA_IDLE,
    DMA_PFP,
    SEEN,
    SENT,
    Code,
    EngineCode,
)
from fencepost.timing.parameters import Parameters

PFP, ME = "pfp", "me"


class Scene:
    """One queue while it is lowered: its engines' code, and what has come before."""

    def __init__(
        self,
        code: Code,
        number: int,
        queue: Queue,
        parameters: Parameters,
        kicked: dict[str, int],
    ) -> None:
        self.code = code
        self.number = number
        self.queue = queue
        self.parameters = parameters
        self.machine: Machine = parameters.machine
        self.kicked = kicked
        self.position = 0
        self.counts = [0] * CHAINS
        self.last_draw = 0
        self.ends: dict[int, int] = {}
        self.events: dict[str, list[tuple[int, int]]] = {}
        self.flips: dict[str, int] = {}
        self.marks = 0
        self.contexts = Contexts(parameters["contexts in flight"])
        self.engines = self._engines()
        self.signal = parameters.cycles("drain signal")
        self.trip = parameters.cycles("memory round trip")

    def _engines(self) -> dict[str, EngineCode]:
        """PFP and ME of a graphics queue; one engine of every other."""
        first = len(self.code.engines)
        if self.queue.kind is QueueKind.GRAPHICS:
            self.code.pfp_of[self.number] = first
            names = [PFP, ME]
        else:
            names = [engine_name(self.queue.kind)]
        self.code.me_of[self.number] = first + len(names) - 1
        made = {name: EngineCode(self.number, name) for name in names}
        self.code.engines += made.values()
        return made

    def engine(self, name: str) -> EngineCode:
        """The code of the engine of that name; a compute queue has but one."""
        return self.engines.get(name) or next(reversed(self.engines.values()))

    def ahead(self, engine: EngineCode) -> bool:
        """Does this engine run ahead of ME?"""
        return engine.name == PFP

    def add(self, chain: int) -> int:
        """One more entry in that chain; returns how many there are."""
        self.counts[chain] += 1
        return self.counts[chain]

    def close(self) -> None:
        """All commands have been lowered: the chains are as long as they get."""
        for values, sent in SENT.items():
            self.counts[sent] = self.counts[values]
        self.code.chain_sizes += self.counts

    def roll(self) -> int:
        """Roll the context; returns how many entries of END must be done for it."""
        last = self.contexts.roll(self.position)
        return self.ends[last] if last >= 0 else 0


def engine_name(kind: QueueKind) -> str:
    """The engine that executes what stands on a queue of that kind."""
    return {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}.get(kind, ME)


def wait_for_dma(scene: Scene, engine: EngineCode) -> None:
    """Until the CP DMA is idle; PFP knows only of what ME has kicked so far."""
    if scene.ahead(engine):
        engine.put(SEEN, DMA, 0, scene.signal, DMA_IDLE)
    elif scene.counts[DMA]:
        engine.put(CHAIN, DMA, scene.counts[DMA], scene.signal, DMA_IDLE)
    if scene.counts[DMA_PFP]:
        engine.put(CHAIN, DMA_PFP, scene.counts[DMA_PFP], scene.signal, DMA_IDLE)
