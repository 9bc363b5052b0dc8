"""The presentation queue: recurrences, compiled and interpreted, beside the same queue in SimPy.

`python -m benchmarks.frames [FRAMES]`: three buffers, every VSync, random CPU and GPU times.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Generator
from typing import Any

from benchmarks.contest import Contender, digest, perform, report, run
from fencepost.present import FrameTimes, Plane, Settings, SwapChain, frame_times, replay

FRAMES = 200_000
BUFFERS = 3
SETTINGS = Settings(planes=(Plane(SwapChain(buffers=BUFFERS)),))


def times(frames: int) -> FrameTimes:
    """Frames of 10 to 20 ms on either side."""
    choice = random.Random(1)
    cpu = [choice.randrange(10**10, 2 * 10**10) for _ in range(frames)]
    gpu = [choice.randrange(10**10, 2 * 10**10) for _ in range(frames)]
    return frame_times(cpu, gpu)


def ours(frames: int) -> Callable[[], str]:
    """The replay of `fencepost.present`."""
    made = times(frames)
    return lambda: digest(replay(made, SETTINGS).timeline.flip)


class Queue:
    """The same in SimPy: CPU, GPU and display are processes, flips and presents events."""

    def __init__(self, made: FrameTimes) -> None:
        import simpy  # noqa: PLC0415 - only the peer needs it

        self.simpy: Any = simpy
        self.world: Any = simpy.Environment()
        self.made = made
        count = len(made)
        self.kicked = [self.world.event() for _ in range(count)]
        self.added = [self.world.event() for _ in range(count)]
        self.complete = [self.world.event() for _ in range(count)]
        self.flipped = [self.world.event() for _ in range(count)]
        self.flips: list[int] = []

    def run(self) -> str:
        """Every frame."""
        for process in (self.cpu, self.gpu, self.display):
            self.world.process(process())
        self.world.run()
        return digest(self.flips)

    def cpu(self) -> Generator[Any, Any, None]:
        """Works, then waits for a buffer that is not in use."""
        for n, work in enumerate(self.made.cpu):
            yield self.world.timeout(work)
            self.kicked[n].succeed()
            if n >= BUFFERS - 1:
                yield self.flipped[n - BUFFERS + 1]
            self.added[n].succeed()

    def gpu(self) -> Generator[Any, Any, None]:
        """Binds the buffer when it is free, draws, and reaches the present's packet."""
        for n, work in enumerate(self.made.gpu):
            yield self.kicked[n]
            if n >= BUFFERS - 1:
                yield self.flipped[n - BUFFERS + 1]
            yield self.world.timeout(work)
            yield self.added[n]
            self.complete[n].succeed()

    def display(self) -> Generator[Any, Any, None]:
        """Flips each frame at the first VSync that no other flip has."""
        refresh, last = SETTINGS.display.refresh, 0
        for complete, flipped in zip(self.complete, self.flipped, strict=True):
            yield complete
            ready = self.world.now + SETTINGS.overhead
            scan = max(-(-ready // refresh), last + 1) if self.flips else -(-ready // refresh)
            yield self.world.timeout(scan * refresh - self.world.now)
            last = scan
            self.flips.append(self.world.now)
            flipped.succeed()


def peer(frames: int) -> Callable[[], str]:
    """SimPy; the making of its events is part of what is measured."""
    made = times(frames)
    return lambda: Queue(made).run()


TASKS = {"ours": ours, "peer": peer}


def contenders(frames: int) -> tuple[Contender, ...]:
    """The compiled form also over so many frames that a start does not count."""
    return (
        Contender("compiled, twenty times", "ours", 20 * frames),
        Contender("compiled", "ours", frames),
        Contender("interpreted", "ours", frames, "interpreted"),
        Contender("SimPy", "peer", frames),
    )


def main(arguments: list[str]) -> None:
    """Every contender; or one, where its name and a number of frames are given."""
    if len(arguments) == 2:
        perform(TASKS[arguments[0]](int(arguments[1])))
        return
    frames = int(arguments[0]) if arguments else FRAMES
    report("frames", "frames", run("benchmarks.frames", contenders(frames)))


if __name__ == "__main__":
    main(sys.argv[1:])
