"""A second simulator, one picosecond after the other, for streams of a small kind.

Written from docs/timing.md 2-5 with no regard for speed. A GPU cycle is a picosecond here. It knows
draws and dispatches with a duration, loads, residency and waves; partial flushes, PS_DONE, CS_DONE
and EOP values, waits on ME, idles; one graphics and one compute queue.
"""

from __future__ import annotations

from dataclasses import dataclass, field

WHOLE = 10**6
PARAMETERS = {
    "GPU clock": 10**12,
    "wave slots": 100,
    "PFP packet": 1,
    "ME packet": 2,
    "work packet": 3,
    "launch": 5,
    "drain signal": 4,
    "back end": 6,
    "memory round trip": 7,
    "minimum fence": 20,
    "idle check": 3,
}
WAVE = WHOLE // PARAMETERS["wave slots"]
STAGE = {"geometry": "vs", "rop": "end"}
"""The stage that a unit's part holds back; of all others the shaders."""


@dataclass
class Work:
    """A draw or dispatch; `late` in parts per million."""

    draw: bool
    time: int
    residency: int = WHOLE
    late: int = 0
    many: bool = False
    vertex: int = 0
    loads: dict[str, int] = field(default_factory=dict)
    ready: int = -1
    entered: bool = False
    launched: int = -1
    served: int = -1
    released: bool = False
    full: bool = False
    slot_left: int = 0
    body: dict[str, int] = field(default_factory=dict)
    tail: dict[str, int] = field(default_factory=dict)
    vs_done: int = -1
    shader_done: int = -1
    end_done: int = -1


@dataclass
class Sync:
    """`flush STAGE`, `eos STAGE LABEL`, `eop LABEL`, `wait LABEL`, `idle`."""

    kind: str
    stage: str = ""
    label: str = ""
    value: int = 0
    issued: int = -1
    sent: int = -1


Command = Work | Sync


@dataclass
class Queue:
    """A queue and its engine."""

    commands: list[Command]
    graphics: bool
    position: int = 0
    begun: bool = False
    free: int = 0
    line: list[Work] = field(default_factory=list)


class Twin:
    """Runs queues step by step."""

    def __init__(self, queues: list[Queue]) -> None:
        self.queues = queues
        self.time = 0
        self.slots: list[tuple[Queue, Work]] = []
        self.values: dict[str, list[tuple[int, int]]] = {}
        self.finished_at = 0
        self.came: list[tuple[int, int]] = []

    def tied(self) -> bool:
        """Have works of two queues come to the slots at one moment?

        Then which is first depends on what was planned first, which a step has no notion of.
        """
        return len(dict(self.came)) < len(set(self.came))

    def run(self) -> None:
        """Run until everything is through."""
        while not self._over():
            moved = True
            while moved:
                moved = self._events()
            self._serve()
            self.time += 1

    def _over(self) -> bool:
        return (
            all(
                queue.position == len(queue.commands)
                and queue.free <= self.time
                and all(work.end_done >= 0 for work in works_of(queue))
                and all(sync.sent >= 0 for sync in values_of(queue))
                for queue in self.queues
            )
            and self.time > self.finished_at
        )

    # -- what happens at a moment

    def _events(self) -> bool:
        moved = False
        for queue in self.queues:
            moved |= self._stages(queue)
            moved |= self._pipe(queue)
            moved |= self._engine(queue)
            moved |= self._line(queue)
        return moved | self._launch()

    def _stages(self, queue: Queue) -> bool:
        """Retire stages in order."""
        moved = False
        for draw in (True, False):
            works = [work for work in works_of(queue) if work.draw == draw]
            for name in ("vs_done", "shader_done", "end_done"):
                for work in works:
                    if getattr(work, name) >= 0:
                        continue
                    if not self._through(work, name):
                        break
                    setattr(work, name, self.time)
                    self._note(self.time)
                    moved = True
        return moved

    def _through(self, work: Work, name: str) -> bool:
        if work.launched < 0:
            return False
        if name == "vs_done":
            return self._parts_done(work, "vs") and self.time >= work.launched + work.vertex
        if name == "shader_done":
            tail = work.time * work.late // WHOLE
            own = work.served >= 0 and self.time >= work.served + tail
            return work.vs_done >= 0 and own and self._parts_done(work, "shader")
        if not work.draw:
            return work.shader_done >= 0
        back_end = work.shader_done >= 0 and (
            self.time >= work.shader_done + PARAMETERS["back end"]
        )
        return back_end and self._parts_done(work, "end")

    @staticmethod
    def _parts_done(work: Work, stage: str) -> bool:
        return all(
            work.body[unit] <= 0 and work.tail[unit] <= 0
            for unit in work.loads
            if STAGE.get(unit, "shader") == stage
        )

    def _pipe(self, queue: Queue) -> bool:
        """Send values whose time has come; each kind in order."""
        moved = False
        for kind in ("eop", "eos ps", "eos cs"):
            for at, sync in values_at(queue):
                if f"{sync.kind} {sync.stage}".strip() != kind or sync.sent >= 0:
                    continue
                if not self._can_send(queue, at, sync):
                    break
                sync.sent = self.time
                there = self.time + max(
                    PARAMETERS["memory round trip"],
                    PARAMETERS["minimum fence"] - PARAMETERS["memory round trip"],
                )
                self.values.setdefault(sync.label, []).append((there, sync.value))
                self._note(there)
                moved = True
        return moved

    def _can_send(self, queue: Queue, at: int, sync: Sync) -> bool:
        travel = PARAMETERS["launch"] + (PARAMETERS["back end"] if sync.kind == "eop" else 0)
        if sync.issued < 0 or self.time < sync.issued + travel:
            return False
        before = [work for work in queue.commands[:at] if isinstance(work, Work)]
        if sync.kind == "eop":
            others = [s for s in queue.commands[:at] if isinstance(s, Sync) and s.kind == "eos"]
            return all(work.end_done >= 0 for work in before) and all(s.sent >= 0 for s in others)
        return all(w.shader_done >= 0 for w in before if w.draw == (sync.stage == "ps"))

    # -- the engine

    def _engine(self, queue: Queue) -> bool:
        if queue.position == len(queue.commands) or self.time < queue.free:
            return False
        command = queue.commands[queue.position]
        if not queue.begun:
            passed = PARAMETERS["PFP packet"] * (queue.position + 1) if queue.graphics else 0
            if self.time < passed:
                return False
            queue.begun = True
            name = "work packet" if isinstance(command, Work) else "ME packet"
            queue.free = self.time + PARAMETERS[name]
            if isinstance(command, Sync) and command.kind == "idle":
                queue.free += PARAMETERS["launch"] + PARAMETERS["back end"]
            return True
        then = self._goes_on(queue, command)
        if then < 0:
            return False
        queue.position += 1
        queue.begun = False
        queue.free = then
        self._note(then)
        return True

    def _goes_on(self, queue: Queue, command: Command) -> int:
        """When the engine goes on from a command whose packet it has taken; -1: not yet known."""
        if isinstance(command, Work):
            command.ready = self.time + PARAMETERS["launch"]
            return self.time
        before = [w for w in queue.commands[: queue.position] if isinstance(w, Work)]
        if command.kind == "flush":
            return self._flushed(command, before)
        if command.kind == "idle":
            return self._idle(queue, before)
        if command.kind == "wait":
            if self._value(command.label) < command.value:
                return -1
            return self.time + PARAMETERS["memory round trip"]
        command.issued = self.time
        return self.time

    def _flushed(self, sync: Sync, before: list[Work]) -> int:
        done = [
            work.vs_done if sync.stage == "vs" else work.shader_done
            for work in before
            if work.draw == (sync.stage != "cs")
        ]
        if any(time < 0 for time in done):
            return -1
        drained = max(done, default=-PARAMETERS["drain signal"])
        return max(self.time, drained + PARAMETERS["drain signal"])

    def _idle(self, queue: Queue, before: list[Work]) -> int:
        syncs = [s for s in queue.commands[: queue.position] if isinstance(s, Sync)]
        sent = [s for s in syncs if s.kind in {"eop", "eos"}]
        if any(work.end_done < 0 for work in before) or any(s.sent < 0 for s in sent):
            return -1
        trip = PARAMETERS["memory round trip"]
        write = max(trip, PARAMETERS["minimum fence"] - trip)
        if any(self.time < s.sent + write for s in sent):
            return -1
        fence = max(2 * trip, PARAMETERS["minimum fence"])
        return self.time + fence + PARAMETERS["idle check"]

    def _value(self, label: str) -> int:
        return max((v for t, v in self.values.get(label, []) if t <= self.time), default=0)

    # -- slots and units

    def _line(self, queue: Queue) -> bool:
        """The next work of the line comes to the slots."""
        works = works_of(queue)
        for at, work in enumerate(works):
            if work.entered:
                continue
            if work.ready < 0 or self.time < work.ready:
                return False
            before = works[at - 1] if at else None
            if before and not (before.released or (before.full and not before.many)):
                return False
            work.entered = True
            work.slot_left = work.residency * (work.time - work.time * work.late // WHOLE)
            self.slots.append((queue, work))
            self.came.append((self.time, id(queue)))
            return True
        return False

    def _shares(self) -> list[int]:
        left, shares = WHOLE, []
        for _, work in self.slots:
            got = min(work.residency, left)
            if got < work.residency and got < WAVE:
                got = 0
            shares.append(got)
            left = left - got if got == work.residency else 0
        return shares

    def _launch(self) -> bool:
        moved = False
        for (_, work), share in zip(list(self.slots), self._shares(), strict=True):
            if share and work.launched < 0:
                work.launched = self.time
                for unit, load in work.loads.items():
                    amount = load * work.time
                    work.tail[unit] = amount * work.late // WHOLE
                    work.body[unit] = amount - work.tail[unit]
                moved = True
            if share == work.residency and not work.full:
                work.full = moved = True
        for queue, work in list(self.slots):
            held = [unit for unit in work.loads if STAGE.get(unit, "shader") != "end"]
            if work.served >= 0 and all(work.body[unit] <= 0 for unit in held):
                self.slots.remove((queue, work))
                work.released = moved = True
        return moved

    def _serve(self) -> None:
        """One picosecond."""
        for (_, work), share in zip(self.slots, self._shares(), strict=True):
            if work.served < 0:
                work.slot_left -= share
                if work.slot_left <= 0:
                    work.served = self.time + 1
        units = {unit for queue in self.queues for w in works_of(queue) for unit in w.loads}
        for unit in sorted(units):
            self._serve_unit(unit)

    def _serve_unit(self, unit: int | str) -> None:
        """Max-min between two queues, older works first within each."""
        name = str(unit)
        wanting = [
            [w for w in works_of(q) if w.launched >= 0 and self._wants(w, name)]
            for q in self.queues
        ]
        caps = [min(WHOLE, sum(work.loads[name] for work in works)) for works in wanting]
        if sum(caps) > WHOLE:
            half = WHOLE // 2
            small = min(caps)
            caps = [half if small > half else (c if c == small else WHOLE - small) for c in caps]
        for works, cap in zip(wanting, caps, strict=True):
            left = cap
            for work in works:
                got = min(work.loads[name], left)
                left -= got
                part = work.body if work.body[name] > 0 else work.tail
                part[name] -= got

    @staticmethod
    def _wants(work: Work, unit: str) -> bool:
        return unit in work.loads and (work.body[unit] > 0 or work.tail[unit] > 0)

    def _note(self, time: int) -> None:
        self.finished_at = max(self.finished_at, time)


def works_of(queue: Queue) -> list[Work]:
    """The works of a queue, in order."""
    return [command for command in queue.commands if isinstance(command, Work)]


def values_at(queue: Queue) -> list[tuple[int, Sync]]:
    """The commands that write values, with their positions."""
    return [
        (at, command)
        for at, command in enumerate(queue.commands)
        if isinstance(command, Sync) and command.kind in {"eop", "eos"}
    ]


def values_of(queue: Queue) -> list[Sync]:
    """The commands that write values."""
    return [sync for _, sync in values_at(queue)]
