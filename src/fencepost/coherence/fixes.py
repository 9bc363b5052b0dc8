"""The lightest of a few mends for one hazard, tried on the stream before it is shown (design 6).

This is no planner: it looks only at the gap before the later command and, across queues, at the one
behind the earlier command.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, product
from typing import TYPE_CHECKING

from fencepost.coherence.finding import Fix, Insertion
from fencepost.coherence.hits import Actor, Hit
from fencepost.coherence.ways import Way
from fencepost.coherence.wording import Words
from fencepost.stream.command import (
    Access,
    CacheOperation,
    Command,
    Comparison,
    DmaWait,
    EndOfPipe,
    PartialFlush,
    PfpSyncMe,
    PipelinedEvent,
    SetLabel,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.resource import Part, Resource, ResourceKind
from fencepost.stream.text.print_commands import CommandPrinter

if TYPE_CHECKING:
    from fencepost.coherence.checking import Examination
    from fencepost.coherence.replay import Replay

MOST_REPLAYED = 100_000
"""Every try replays the stream: so many commands may be replayed for the fixes of one stream."""

MOST_FIXES = 25
"""Only so many hazards of one stream get one."""

LABELS_AT = 1 << 47
"""Labels of fences that fixes add across queues lie here, behind what a program declares."""


@dataclass(frozen=True, slots=True)
class Mend:
    """Commands before the later command, and behind the earlier one in its queue."""

    before: tuple[Command, ...]
    behind: tuple[Command, ...] = ()

    @property
    def weight(self) -> tuple[int, int]:
        """Lighter first: commands (an idle counts for four), then cache operations."""
        commands = (*self.before, *self.behind)
        idles = sum(isinstance(command, WaitIdle) for command in commands)
        operations = sum(len(getattr(command, "operations", ())) for command in commands)
        return len(commands) + 3 * idles, operations


class Fixer:
    """Finds mends for the hits of one replay."""

    def __init__(self, examination: Examination, replay: Replay) -> None:
        self.examination = examination
        self.program = examination.program
        self.machine = examination.machine
        self.ways = examination.ways
        self.words = Words(examination.program, examination.machine, examination.ways)
        self.stuck = len(replay.outcome.stuck)
        self.fixes = 0
        self.replayed = 0
        self.fences = _free_labels(self.program)
        self.fence = next(self.fences)

    def fix(self, hits: Sequence[Hit]) -> Fix | None:
        """The lightest mend that removes the hits of one pair of accesses; None if none does."""
        if self.fixes >= MOST_FIXES or self.replayed >= MOST_REPLAYED:
            return None
        self.fixes += 1
        hit = hits[0]
        for mend in sorted(set(self._mends(hit)), key=lambda mend: mend.weight):
            if self._mends_it(hits, mend):
                return self._as_fix(hit, mend)
        return None

    # -- candidates

    def _mends(self, hit: Hit) -> Iterator[Mend]:
        if hit.later.queue != hit.earlier.queue:
            yield from self._across(hit)
            return
        kind = self._queue(hit.later).kind
        if kind not in (QueueKind.GRAPHICS, QueueKind.COMPUTE):
            return
        later, earlier = self.ways.all[hit.later.way], self.ways.all[hit.earlier.way]
        events = self._events(earlier, later) if kind is QueueKind.GRAPHICS else [()]
        ends = self._ends(later, kind)
        for event, wait, operations, end in product(
            events, self._waits(earlier), self._operations(earlier, later), ends
        ):
            sync = self._sync(hit, event, operations, bool(wait))
            before = (*event, *wait, *sync, *end)
            if before:
                yield Mend(before)
        yield Mend((*self._everything(kind), *ends[-1]))

    def _queue(self, actor: Actor) -> Queue:
        return self.program.queues[actor.queue]

    @staticmethod
    def _ends(later: Way, kind: QueueKind) -> list[tuple[Command, ...]]:
        """PFP has to be held too where PFP performs the later access."""
        if later.row.engine == "pfp" and kind is QueueKind.GRAPHICS:
            return [(PfpSyncMe(),)]
        return [()]

    @staticmethod
    def _waits(earlier: Way) -> list[tuple[Command, ...]]:
        """Nothing, or what waits for the earlier access."""
        stages: dict[str, Command] = {
            "vs": PartialFlush(stage="vs"),
            "ps": PartialFlush(stage="ps"),
            "cs": PartialFlush(stage="cs"),
            "dma": DmaWait(),
            "dma.pfp": DmaWait(),
        }
        wait = stages.get(earlier.group)
        return [(), (WaitIdle(),)] if wait is None else [(), (wait,), (WaitIdle(),)]

    def _events(self, earlier: Way, later: Way) -> list[tuple[Command, ...]]:
        """Nothing, or pipelined operations on the blocks of the earlier or the later access."""
        homes = [
            self.machine.cache(name).operated_as
            for way in (earlier, later)
            for name in way.row.caches
            if self.machine.cache(name).in_order
        ]
        operations = [CacheOperation(name, "wbinv") for name in dict.fromkeys(homes)]
        singles = [(PipelinedEvent(operations=(operation,)),) for operation in operations]
        both = [tuple(event for single in singles for event in single)] if len(singles) > 1 else []
        return [(), *singles, *both]

    def _operations(self, earlier: Way, later: Way) -> list[tuple[CacheOperation, ...]]:
        """Nothing, or top-of-pipe operations on the caches near the consumer, then farther ones."""
        near = [
            self.machine.cache(name).operated_as
            for name in reversed(later.row.caches)
            if not self.machine.cache(name).in_order
        ]
        if earlier.home_name == "tcc" and "tcc" not in near:
            near.insert(0, "tcc")
        found = [self._operation(name) for name in near]
        return [(), *(tuple(found[at:]) for at in range(len(found) - 1, -1, -1))]

    def _operation(self, cache: str) -> CacheOperation:
        row = next(row for row in self.machine.operations if row.cache == cache and row.top)
        return CacheOperation(cache, row.action)

    def _sync(
        self,
        hit: Hit,
        event: tuple[Command, ...],
        operations: tuple[CacheOperation, ...],
        waited: bool,
    ) -> tuple[Command, ...]:
        """A surface sync; coherent with the target where that stands in for the wait."""
        access = self.words.access(hit.earlier, hit.start, hit.end)
        target = access is not None and access.block.startswith(("cb", "db"))
        if access is None or not target or (waited and not event):
            return (SurfaceSync(engine="me", operations=operations),) if operations else ()
        return (coherent_sync(access, operations),)

    def _everything(self, kind: QueueKind) -> tuple[Command, ...]:
        operations = tuple(self._operation(name) for name in ("tcc", "tcp", "k", "i"))
        sync = SurfaceSync(engine="me", operations=operations)
        blocks = ("cb.pixels", "cb.metadata", "db.pixels", "db.metadata")
        events = tuple(PipelinedEvent(operations=(CacheOperation(b, "wbinv"),)) for b in blocks)
        return (*(events if kind is QueueKind.GRAPHICS else ()), DmaWait(), WaitIdle(), sync)

    def _across(self, hit: Hit) -> Iterator[Mend]:
        """A fence: a value behind the earlier command, a wait before the later one."""
        earlier, later = self.ways.all[hit.earlier.way], self.ways.all[hit.later.way]
        source, target = self._queue(hit.earlier).kind, self._queue(hit.later).kind
        engine = {QueueKind.CPU: "cpu", QueueKind.COPY: "copy"}.get(target, "me")
        if later.row.engine == "pfp" and target is QueueKind.GRAPHICS:
            engine = "pfp"
        wait = WaitMemory(engine=engine, label=self.fence, comparison=Comparison.EQUAL, reference=1)
        for signal in self._signals(earlier, source):
            for operations in self._operations(earlier, later):
                gpu = target in (QueueKind.GRAPHICS, QueueKind.COMPUTE)
                if operations and not gpu:
                    continue
                sync = (SurfaceSync(engine="me", operations=operations),) if operations else ()
                yield Mend((wait, *sync), signal)

    def _signals(self, earlier: Way, source: QueueKind) -> list[tuple[Command, ...]]:
        """A value behind the earlier command; with it, or before it, what writes its data back."""
        if source in (QueueKind.CPU, QueueKind.COPY):
            return [(SetLabel(engine=str(source), label=self.fence, value=1),)]
        alone = EndOfPipe(label=self.fence, value=1)
        if not earlier.home_name:
            return [(alone,)]
        cache = self.machine.cache(earlier.home_name).operated_as
        operation = (CacheOperation(cache, "wbinv"),)
        if cache in self.machine.eop_caches:
            return [(alone,), (replace(alone, operations=operation),)]
        return [(alone,), (PipelinedEvent(operations=operation), alone)]

    # -- trying

    def _mends_it(self, hits: Sequence[Hit], mend: Mend) -> bool:
        hit = hits[0]
        program = inserted(self._up_to(hit), hit, mend, self.fence)
        self.replayed += sum(len(queue.commands) for queue in program.queues)
        examination = self.examination.again(program)
        outcome = examination.replay().outcome
        at = hit.later.position + len(mend.before)
        title = self.ways.all[hit.later.way].title
        return len(outcome.stuck) <= self.stuck and not any(
            (other.later.queue, other.later.position) == (hit.later.queue, at)
            and examination.ways.all[other.later.way].title == title
            and any(other.start < one.end and one.start < other.end for one in hits)
            for other in outcome.hits
        )

    def _up_to(self, hit: Hit) -> Program:
        """In a program of one queue what comes behind the later command changes nothing.

        But PFP may have brought the old line in ahead of it.
        """
        bringer = hit.broken.bringer
        ahead = bringer is not None and bringer.position > hit.later.position
        if len(self.program.queues) > 1 or ahead:
            return self.program
        queue = self.program.queues[0]
        cut = replace(queue, commands=queue.commands[: hit.later.position + 1])
        return replace(self.program, queues=(cut,))

    def _as_fix(self, hit: Hit, mend: Mend) -> Fix:
        later = self.words.spot(hit.later, hit.start, hit.end)
        lines = self._lines(hit.later, mend.before)
        why = "tried: with it this hazard is gone"
        if not mend.behind:
            return Fix(lines, later, why)
        earlier = self.words.place(hit.earlier.queue, hit.earlier.position)
        elsewhere = (
            Insertion(self._lines(hit.earlier, mend.behind), earlier),
            Insertion((f"label {self.fence.name} = {self.fence.value}",)),
        )
        self.fence = next(self.fences)
        return Fix(lines, later, why, elsewhere)

    def _lines(self, actor: Actor, commands: tuple[Command, ...]) -> tuple[str, ...]:
        printer = CommandPrinter(self.machine, self._queue(actor).kind)
        return tuple(printer.line(command) for command in commands)


def coherent_sync(access: Access, operations: tuple[CacheOperation, ...]) -> SurfaceSync:
    """A surface sync on the bytes of a color or depth access."""
    return SurfaceSync(
        engine="me",
        operations=operations,
        coherency=(access.block,),
        start=access.start,
        end=access.end,
        surface=access.resource,
        part=access.part,
    )


def _free_labels(program: Program) -> Iterator[Resource]:
    """Labels that the program does not have: fence, fence2, ..."""
    taken = {resource.name for resource in program.resources}
    for number in count(1):
        name = "fence" if number == 1 else f"fence{number}"
        if name not in taken:
            start = LABELS_AT + 0x100 * number
            yield Resource(name, ResourceKind.LABEL, (Part("bytes", start, start + 8),))


def inserted(program: Program, hit: Hit, mend: Mend, fence: Resource) -> Program:
    """The program with a mend; `fence` is the label of its value, if it has one."""
    queues = []
    for number, queue in enumerate(program.queues):
        commands = list(queue.commands)
        cuts = []
        if number == hit.later.queue:
            cuts.append((hit.later.position, mend.before))
        if number == hit.earlier.queue and mend.behind:
            cuts.append((hit.earlier.position + 1, mend.behind))
        for at, extra in sorted(cuts, key=lambda cut: cut[0], reverse=True):
            commands[at:at] = extra
        queues.append(replace(queue, commands=commands))
    resources = program.resources + ((fence,) if mend.behind else ())
    return replace(program, queues=tuple(queues), resources=resources)
