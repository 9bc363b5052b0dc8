"""The presentation queue as recurrences over presents (presentation 2 to 7).

Plain integers and arrays, one pass, no events: each moment is a maximum of earlier moments. It
takes for granted what `replay` has checked.
"""

from __future__ import annotations

from array import array

PARTS = 1_000_000
RING = 32
"""Flips of a chain that are remembered: a power of two above the highest maximum latency."""

LONG_AGO = -8
"""The scan of the flip before the first: every sync interval has passed since."""


class Chain:
    """One swap chain: its settings as integers and its last flips."""

    def __init__(self, number: int, buffers: int, interval: int, window: int) -> None:
        self.number = number
        self.buffers = buffers
        self.interval = interval
        self.window = window
        self.bind = 0
        self.tracked = True
        self.hold = 0
        self.overhead = 0
        self.count = 0
        self.last = 0
        self.scan = LONG_AGO
        self.flips = array("q", bytes(8 * RING))

    def flip_before(self, distance: int) -> int:
        """When the present `distance` before the next one flipped; 0 before the first."""
        index = self.count - distance
        return self.flips[index % RING] if index >= 0 else 0

    def free(self) -> int:
        """From when on the next present's buffer is not in use: its last frame's successor flipped.

        A single buffer is never waited for.
        """
        if self.buffers == 1 or self.count < self.buffers - 1:
            return 0
        return self.flip_before(self.buffers - 1) + self.hold

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

    def flip(self, moment: int, scan: int) -> None:
        """Records the next present's flip, during that scan."""
        self.flips[self.count % RING] = moment
        self.count += 1
        self.last = moment
        self.scan = scan


class Screen:
    """The scans of a display: of a fixed length, or of a variable one."""

    def __init__(self, refresh: int, longest: int) -> None:
        self.refresh = refresh
        self.longest = longest
        self.begin = 0
        self.count = 0
        self.flipped = LONG_AGO * refresh

    def fixed(self, moment: int) -> None:
        """Finds the scan in which `moment` falls; scans start at multiples of the refresh."""
        self.count = moment // self.refresh
        self.begin = self.count * self.refresh

    def variable(self, chain: Chain, moment: int) -> int:
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
            self.begin = moment = max(moment, end)
            self.count += 1
        self.flipped = self.begin
        return moment


class Limits:
    """What holds CPU and GPU back besides the buffers; -1 and 0 are no limit."""

    def __init__(self) -> None:
        self.start = 0
        self.kickoff = PARTS
        self.cap = 0
        self.cap_at_present = False
        self.throttle = True
        self.frames_in_flight = 0
        self.latency = 0
        self.waitable = False
        self.synchronous = False


class Timeline:
    """When each present did what, in picoseconds; `reached` and `bound` hold one time a plane."""

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
    return array("q", bytes(8 * length))


def part(time: int, parts: int) -> int:
    """So many millionths of a time, rounded down; nothing on the way exceeds 64 bits."""
    return time // PARTS * parts + time % PARTS * parts // PARTS


def run(
    cpu: array[int],
    gpu: array[int],
    masks: array[int],
    chains: tuple[Chain, Chain],
    screen: Screen,
    limits: Limits,
    line: Timeline,
) -> None:
    """Fills the timeline. `masks` says of each present which planes it is for: 1, 2, or 3 both."""
    for n in range(len(cpu)):
        one = chains[1] if masks[n] == 2 else chains[0]
        two = chains[0] if masks[n] == 1 else chains[1]
        _run_cpu(n, cpu[n], one, two, limits, line)
        _run_gpu(n, cpu[n], gpu[n], one, two, limits, line)
        _show(n, one, two, screen, line)


def _run_cpu(n: int, work: int, one: Chain, two: Chain, limits: Limits, line: Timeline) -> None:
    start = line.added[n - 1] if n else limits.start
    if n >= limits.frames_in_flight > 0:
        start = max(start, line.complete[n - limits.frames_in_flight])
    latency = 0
    if limits.latency:
        latency = max(one.flip_before(limits.latency), two.flip_before(limits.latency))
    if limits.waitable:
        start = max(start, latency)
    if limits.cap and n and not limits.cap_at_present:
        start = max(start, line.start[n - 1] + limits.cap)
    called = start + work
    if limits.cap and n and limits.cap_at_present:
        called = max(called, line.called[n - 1] + limits.cap)
    added = max(called, latency)
    if limits.throttle:
        added = max(added, one.free(), two.free())
    line.start[n] = start
    line.called[n] = called
    line.added[n] = added


def _run_gpu(
    n: int, cpu: int, work: int, one: Chain, two: Chain, limits: Limits, line: Timeline
) -> None:
    now = line.start[n] + part(cpu, limits.kickoff)
    if n:
        before = line.flip[n - 1] if limits.synchronous else line.complete[n - 1]
        now = max(now, before)
    line.begun[n] = now
    early, late = (one, two) if one.bind <= two.bind else (two, one)
    done = part(work, early.bind)
    now = _bind(n, now + done, early, line)
    if late is not early:
        more = part(work, late.bind) - done
        done += more
        now = _bind(n, now + more, late, line)
    now += work - done
    line.drawn[n] = now
    line.complete[n] = max(now, line.added[n])


def _bind(n: int, now: int, chain: Chain, line: Timeline) -> int:
    at = n * line.planes + chain.number
    line.reached[at] = now
    if chain.tracked:
        now = max(now, chain.free())
    line.bound[at] = now
    return now


def _show(n: int, one: Chain, two: Chain, screen: Screen, line: Timeline) -> None:
    ready = line.complete[n] + max(one.overhead, two.overhead)
    if screen.longest:
        flip = screen.variable(one, ready)
    else:
        flip = one.allowed(ready, screen.refresh)
        if two is not one:
            flip = two.allowed(flip, screen.refresh)
        screen.fixed(flip)
    one.flip(flip, screen.count)
    if two is not one:
        two.flip(flip, screen.count)
    line.flip[n] = flip
    line.scan_begin[n] = screen.begin
    line.scan_count[n] = screen.count
