"""A second way to the answer: the presentation queue as processes, a clock and buffers in states.

It shares nothing with the recurrences but their settings. CPU and GPU are generators that wait for
a moment or for a condition; the display acts at every vertical blank and whenever something moved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from fencepost.present.frames import FrameTimes
from fencepost.present.settings import CapPoint, Compositor, Mode, Plane, Settings

Wait = int | Callable[[], bool]
FRONT = -1


@dataclass
class Use:
    """A frame's turn with a buffer."""

    frame: int
    state: str = "available"


@dataclass
class Buffer:
    """Turns in order; the first one has the buffer. `log`: (moment, state, frame)."""

    turns: deque[Use] = field(default_factory=deque)
    log: list[tuple[int, str, int]] = field(default_factory=list)

    def note(self, now: int) -> None:
        turn = self.turns[0] if self.turns else Use(FRONT)
        entry = (turn.state, FRONT if turn.state == "available" else turn.frame)
        if self.log and self.log[-1][0] == now:
            self.log.pop()
        if not self.log or self.log[-1][1:] != entry:
            self.log.append((now, *entry))


class Head:
    """One plane of the display: its buffers, its queue, VBlanks since its last flip."""

    def __init__(self, number: int, plane: Plane) -> None:
        self.number = number
        self.chain = plane.chain
        self.at_once = self.chain.interval == 0 or self.chain.buffers == 1
        self.buffers = [Buffer() for _ in range(self.chain.buffers)]
        self.buffers[-1].turns.append(Use(FRONT, "visible"))
        self.showing = self.buffers[-1]
        self.frames: list[int] = []
        self.queue: deque[int] = deque()
        self.blanks = 4

    def claim(self, frame: int) -> None:
        if frame not in self.frames:
            self.buffers[len(self.frames) % len(self.buffers)].turns.append(Use(frame))
            self.frames.append(frame)

    def buffer(self, frame: int) -> Buffer:
        return self.buffers[self.frames.index(frame) % len(self.buffers)]

    def turn(self, frame: int) -> Use:
        return next(use for use in self.buffer(frame).turns if use.frame == frame)

    def has(self, frame: int) -> bool:
        return len(self.buffers) == 1 or self.buffer(frame).turns[0].frame == frame


class Twin:
    """Plays frames; the results are lists of moments, one a frame (`reached`, `bound`: pairs)."""

    def __init__(
        self,
        frames: FrameTimes,
        settings: Settings,
        *,
        queue_first: bool = False,
        kick_at_present: bool = False,
    ) -> None:
        self.frames, self.settings = frames, settings
        self.queue_first, self.kick_at_present = queue_first, kick_at_present
        self.heads = [Head(number, plane) for number, plane in enumerate(settings.planes)]
        self.now = 0
        self.times: dict[str, dict[int, int]] = {
            name: {}
            for name in (
                *("start", "kicked", "called", "added", "begun", "drawn", "complete", "ready"),
                *("flip", "scan_begin", "scan_count"),
            )
        }
        self.reached: dict[tuple[int, int], int] = {}
        self.bound: dict[tuple[int, int], int] = {}
        self.timers: list[tuple[int, Callable[[], object]]] = []
        self.scan_begin, self.scan_count = 0, -1 if not settings.display.longest else 0
        self.flipped_scan = -4 * settings.display.refresh

    def run(self) -> None:
        processes = [self.cpu(), self.gpu()]
        waits: list[Wait | None] = [next(process, None) for process in processes]
        while True:
            self.blank()
            moved = True
            while moved:
                moved = self.fire() or self.swap()
                for at, process in enumerate(processes):
                    if self.over(waits[at]):
                        waits[at] = next(process, None)
                        moved = True
            for head in self.heads:
                for buffer in head.buffers:
                    buffer.note(self.now)
            if len(self.times["flip"]) == len(self.frames) and not self.timers:
                return
            self.repeat()
            self.now = min(self.moments(waits))

    def over(self, wait: Wait | None) -> bool:
        if wait is None:
            return False
        return self.now >= wait if isinstance(wait, int) else wait()

    def moments(self, waits: list[Wait | None]) -> list[int]:
        display = self.settings.display
        found = [wait for wait in waits if isinstance(wait, int)]
        found += [moment for moment, _ in self.timers]
        found += [ready for ready in self.times["ready"].values() if ready > self.now]
        if display.longest:
            chain = self.heads[0].chain
            found += [self.scan_begin + display.refresh, self.scan_begin + display.longest]
            found += [self.flipped_scan + chain.interval * display.refresh]
        else:
            found.append(self.now // display.refresh * display.refresh + display.refresh)
        return [moment for moment in found if moment > self.now]

    def fire(self) -> bool:
        due = [timer for timer in self.timers if timer[0] <= self.now]
        for timer in due:
            self.timers.remove(timer)
            timer[1]()
        return bool(due)

    # The CPU

    def cpu(self) -> Iterator[Wait]:
        settings, times = self.settings, self.times
        at_present = settings.cap_point is CapPoint.PRESENT
        if settings.start:
            yield settings.start
        for n, work in enumerate(self.frames.cpu):
            heads = self.heads_of(n)
            for head in heads:
                head.claim(n)
            if settings.frames_in_flight:
                yield partial(self.in_flight_below, n, settings.frames_in_flight)
            if settings.waitable:
                yield partial(self.room, n)
            if settings.cap and n and not at_present:
                yield times["start"][n - 1] + settings.cap
            times["start"][n] = self.now
            first = work * settings.kickoff // 1_000_000
            yield self.now + first
            if not self.kick_at_present:
                times["kicked"][n] = self.now
            yield self.now + work - first
            if settings.cap and n and at_present:
                yield times["called"][n - 1] + settings.cap
            times["called"][n] = self.now
            if self.queue_first:
                self.enqueue(n)
                self.heads[0].claim(n + 1)
                yield partial(self.heads[0].has, n + 1)
                continue
            if settings.latency is not None and not settings.waitable:
                yield partial(self.room, n)
            if settings.swap_throttle:
                yield partial(self.all_available, n)
            self.enqueue(n)

    def heads_of(self, n: int) -> list[Head]:
        return [head for head in self.heads if self.frames.masks[n] & (1 << head.number)]

    def happened(self, name: str, n: int) -> bool:
        return n in self.times[name]

    def in_flight_below(self, n: int, limit: int) -> bool:
        return n - len(self.times["complete"]) < limit

    def all_available(self, n: int) -> bool:
        return all(head.has(n) for head in self.heads_of(n))

    def room(self, n: int) -> bool:
        """Are fewer frames queued than the maximum frame latency allows?"""
        limit = self.settings.latency or 3
        return all(
            len([one for one in head.frames if one < n and one not in self.times["flip"]]) < limit
            for head in self.heads_of(n)
        )

    def enqueue(self, n: int) -> None:
        self.times["added"][n] = self.now
        self.times["kicked"].setdefault(n, self.now)
        for head in self.heads_of(n):
            head.turn(n).state = "pending"
            head.queue.append(n)

    # The GPU

    def gpu(self) -> Iterator[Wait]:
        times = self.times
        synchronous = self.settings.mode is Mode.XBOX_360_SYNCHRONOUS
        for n, work in enumerate(self.frames.gpu):
            yield partial(self.happened, "kicked", n)
            times["begun"][n] = begun = self.now
            waits = 0
            for head in sorted(self.heads_of(n), key=lambda head: head.chain.bind):
                yield begun + waits + work * head.chain.bind // 1_000_000
                self.reached[n, head.number] = self.now
                if not head.chain.bound_as_uav:
                    yield partial(head.has, n)
                waits += self.now - self.reached[n, head.number]
                self.bound[n, head.number] = self.now
            yield begun + waits + work
            times["drawn"][n] = self.now
            yield partial(self.happened, "added", n)
            times["complete"][n] = self.now
            times["ready"][n] = self.now + max(self.overhead(head) for head in self.heads_of(n))
            if synchronous:
                yield partial(self.happened, "flip", n)

    def overhead(self, head: Head) -> int:
        synchronous = self.settings.mode is Mode.XBOX_360_SYNCHRONOUS
        none = head.at_once or head.chain.threshold == 100 or synchronous
        return 0 if none else self.settings.overhead

    # The display

    def blank(self) -> None:
        """A vertical blank of a fixed refresh."""
        display = self.settings.display
        if not display.longest and self.now % display.refresh == 0:
            self.scan_begin = self.now
            self.scan_count += 1
            for head in self.heads:
                head.blanks += 1

    def repeat(self) -> None:
        """A variable refresh cannot wait for a frame any longer."""
        display = self.settings.display
        if display.longest and self.now == self.scan_begin + display.longest:
            self.scan_begin = self.now
            self.scan_count += 1

    def swap(self) -> bool:
        """Flips one frame, if one may flip now."""
        for head in self.heads:
            if not head.queue:
                continue
            n = head.queue[0]
            heads = self.heads_of(n)
            if any(other.queue[0] != n for other in heads):
                continue
            if self.times["ready"].get(n, self.now + 1) > self.now:
                continue
            if all(self.may_flip(other) for other in heads):
                self.flip(n, heads)
                return True
        return False

    def may_flip(self, head: Head) -> bool:
        display = self.settings.display
        position = self.now - self.scan_begin
        early_enough = position * 100 <= head.chain.threshold * display.refresh
        if head.at_once:
            return True
        if not display.longest:
            return head.blanks >= head.chain.interval and early_enough
        if self.now < self.flipped_scan + head.chain.interval * display.refresh:
            return False
        return early_enough or position >= display.refresh

    def flip(self, n: int, heads: list[Head]) -> None:
        display = self.settings.display
        if display.longest and self.now >= self.scan_begin + display.refresh:
            self.scan_begin = self.now
            self.scan_count += 1
        self.flipped_scan = self.scan_begin
        for name in ("scan_begin", "scan_count"):
            self.times[name][n] = getattr(self, name)
        self.times["flip"][n] = self.now
        for head in heads:
            head.queue.popleft()
            head.blanks = 0
            before, head.showing = head.showing, head.buffer(n)
            head.turn(n).state = "visible"
            if display.compositor is Compositor.HOLD:
                self.timers.append((self.now + display.refresh, before.turns.popleft))
            else:
                before.turns.popleft()
