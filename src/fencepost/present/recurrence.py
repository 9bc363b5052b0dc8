"""The presentation queue as recurrences over presents (presentation 2 to 7).

Plain integers and arrays, one pass, no events: each moment is a maximum of earlier moments. It
takes for granted what `replay` has checked. Times are picoseconds.
"""

from __future__ import annotations

from array import array

PARTS = 1_000_000
"""A part of a frame is counted in millionths."""

RING = 32
"""Flips of a chain that are remembered: more than the highest maximum latency."""

LONG_AGO = -8
"""The scan of the flip before the first: every sync interval has passed since."""


def part(time: int, parts: int) -> int:
    """So many millionths of a time, rounded down; nothing on the way exceeds 64 bits."""
    return time // PARTS * parts + time % PARTS * parts // PARTS


class Chain:
    """One swap chain: its settings as integers, its last bind, its last flips."""

    def __init__(self, buffers: int, interval: int, window: int, bind: int) -> None:
        self.buffers = buffers
        self.interval = interval
        self.window = window
        self.bind = bind
        self.tracked = True
        self.hold = 0
        self.overhead = 0
        self.reached = 0
        self.bound = 0
        self.count = 0
        self.last = 0
        self.scan = LONG_AGO
        self.flips = _zeros(RING)

    def flip_before(self, distance: int) -> int:
        """When the present `distance` before the next one flipped; 0 before the first."""
        return self.flips[(self.count - distance) % RING] if self.count >= distance else 0

    def free(self) -> int:
        """From when on the next present's buffer is not in use: its last frame's successor flipped.

        A single buffer is never waited for.
        """
        if self.buffers == 1 or self.count < self.buffers - 1:
            return 0
        return self.flip_before(self.buffers - 1) + self.hold

    def draw(self, moment: int) -> int:
        """The GPU reaches the bind at `moment`; when it has the buffer."""
        self.reached = moment
        if self.tracked:
            moment = max(moment, self.free())
        self.bound = moment
        return moment

    def allowed(self, moment: int, refresh: int) -> int:
        """The first moment from `moment` on at which this chain may flip."""
        moment = max(moment, self.last)
        if self.interval == 0:
            return moment
        scan = moment // refresh
        due = self.scan + self.interval
        if scan < due:
            return due * refresh
        return moment if moment - scan * refresh <= self.window else (scan + 1) * refresh

    def show(self, moment: int, scan: int) -> None:
        """The next present flips during that scan."""
        self.flips[self.count % RING] = moment
        self.count += 1
        self.last = moment
        self.scan = scan


class Cpu:
    """The thread that calls Present: what holds it back, and its last frame; 0 is no limit."""

    def __init__(self) -> None:
        self.kickoff = PARTS
        self.cap = 0
        self.cap_at_present = False
        self.throttle = True
        self.latency = 0
        self.waitable = False
        self.frames = 0
        self.start = 0
        self.kicked = 0
        self.called = 0
        self.added = 0

    def frame(self, work: int, done: int, one: Chain, two: Chain) -> None:
        """One frame and its Present; `done`: when the GPU is not too far behind."""
        cap = self.cap if self.frames else 0
        latency = 0
        if self.latency:
            latency = max(one.flip_before(self.latency), two.flip_before(self.latency))
        start = max(self.added, done)
        if self.waitable:
            start = max(start, latency)
        if cap and not self.cap_at_present:
            start = max(start, self.start + cap)
        called = start + work
        if cap and self.cap_at_present:
            called = max(called, self.called + cap)
        added = max(called, latency)
        if self.throttle:
            added = max(added, one.free(), two.free())
        self.kicked = start + part(work, self.kickoff)
        self.start = start
        self.called = called
        self.added = added
        self.frames += 1


class Gpu:
    """One queue of frames in order, and its last frame."""

    def __init__(self) -> None:
        self.idle = 0
        self.begun = 0
        self.drawn = 0
        self.complete = 0

    def frame(self, work: int, cpu: Cpu, one: Chain, two: Chain) -> None:
        """Draws a frame and reaches its Present packet."""
        self.begun = max(self.idle, cpu.kicked)
        early = one if one.bind <= two.bind else two
        late = two if one.bind <= two.bind else one
        done = part(work, early.bind)
        now = early.draw(self.begun + done)
        if late is not early:
            before = done
            done = part(work, late.bind)
            now = late.draw(now + done - before)
        self.drawn = now + work - done
        self.complete = max(self.drawn, cpu.added)
        self.idle = self.complete


class Screen:
    """The scans of a display: of a fixed length, or (`longest` > 0) of a variable one."""

    def __init__(self, refresh: int, longest: int) -> None:
        self.refresh = refresh
        self.longest = longest
        self.begin = 0
        self.count = 0
        self.flipped = LONG_AGO * refresh

    def show(self, complete: int, one: Chain, two: Chain) -> int:
        """Flips a frame that the GPU has completed; when."""
        ready = complete + max(one.overhead, two.overhead)
        if self.longest:
            flip = self.variable(ready, one)
        else:
            flip = one.allowed(ready, self.refresh)
            if two is not one:
                flip = two.allowed(flip, self.refresh)
            self.count = flip // self.refresh
            self.begin = self.count * self.refresh
        one.show(flip, self.count)
        if two is not one:
            two.show(flip, self.count)
        return flip

    def variable(self, moment: int, chain: Chain) -> int:
        """The first moment from `moment` on at which the chain may flip (presentation 7.1).

        The flip starts a scan unless it falls into one.
        """
        moment = max(moment, self.flipped + chain.interval * self.refresh)
        repeats = (moment - self.begin) // self.longest
        self.begin += repeats * self.longest
        self.count += repeats
        end = self.begin + self.refresh
        waits = chain.interval > 0 and moment - self.begin > chain.window
        if moment >= end or waits:
            moment = max(moment, end)
            self.begin = moment
            self.count += 1
        self.flipped = self.begin
        return moment


class Timeline:
    """When each present did what; `reached` and `bound` hold one time a plane."""

    def __init__(self, presents: int, planes: int) -> None:
        self.planes = planes
        self.start = _zeros(presents)
        self.called = _zeros(presents)
        self.added = _zeros(presents)
        self.begun = _zeros(presents)
        self.reached = _zeros(presents * planes)
        self.bound = _zeros(presents * planes)
        self.drawn = _zeros(presents)
        self.complete = _zeros(presents)
        self.flip = _zeros(presents)
        self.scan_begin = _zeros(presents)
        self.scan_count = _zeros(presents)


def _zeros(length: int) -> array[int]:
    return array("q", [0]) * length


def run(
    cpu_times: array[int],
    gpu_times: array[int],
    masks: array[int],
    chains: list[Chain],
    cpu: Cpu,
    screen: Screen,
    frames_in_flight: int,
    synchronous: bool,
    line: Timeline,
) -> None:
    """Fills the timeline. `masks` says of each present which planes it is for: 1, 2, or 3 both."""
    start, called, added = line.start, line.called, line.added
    begun, drawn, complete = line.begun, line.drawn, line.complete
    flip, scan_begin, scan_count = line.flip, line.scan_begin, line.scan_count
    reached, bound = line.reached, line.bound
    planes = line.planes
    lower, upper = chains[0], chains[planes - 1]
    gpu = Gpu()
    for n in range(len(cpu_times)):
        one = upper if masks[n] == 2 else lower
        two = lower if masks[n] == 1 else upper
        done = complete[n - frames_in_flight] if n >= frames_in_flight > 0 else 0
        cpu.frame(cpu_times[n], done, one, two)
        gpu.frame(gpu_times[n], cpu, one, two)
        flip[n] = screen.show(gpu.complete, one, two)
        if synchronous:
            gpu.idle = flip[n]
        start[n], called[n], added[n] = cpu.start, cpu.called, cpu.added
        begun[n], drawn[n], complete[n] = gpu.begun, gpu.drawn, gpu.complete
        scan_begin[n], scan_count[n] = screen.begin, screen.count
        first, last = n * planes, n * planes + planes - 1
        if masks[n] != 2:
            reached[first], bound[first] = lower.reached, lower.bound
        if masks[n] != 1:
            reached[last], bound[last] = upper.reached, upper.bound
