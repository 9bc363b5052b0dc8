"""Values for fences.

Where they could be put, what they guarantee, what they tell of (model 4.2, 4.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fencepost.coherence.clocks import joined
from fencepost.plan.menu import Item, Menu
from fencepost.plan.packets import Priced
from fencepost.plan.pieces import EVENT, IDLE, STAND_IN, STORE, VALUE, Piece
from fencepost.plan.problem import Problem
from fencepost.plan.state import Base, Clock, Events, Given, View
from fencepost.plan.wants import Wants
from fencepost.stream.command import (
    Command,
    EndOfPipe,
    EndOfShader,
    SetLabel,
    WaitIdle,
)
from fencepost.stream.program import QueueKind

GPU = (QueueKind.GRAPHICS, QueueKind.COMPUTE)


@dataclass(slots=True, eq=False)
class Offer:
    """A value that could be waited for: the pieces that it takes, with what they cost.

    `before`, `behind`: what its queue knew without and with them (None: as without).
    """

    given: Given
    pieces: tuple[Piece, ...] = ()
    cycles: int = 0
    before: View | None = None
    behind: View | None = None

    def seen(self, view: View) -> View:
        """A later view of the same queue, with what the pieces changed."""
        if self.before is None or self.behind is None:
            return view
        return with_change(view, self.before, self.behind)


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """A value that could be put into a gap, with what stands in front of it there.

    `words` tells the values of one gap apart.
    """

    before: tuple[Item, ...]
    value: Command
    rank: int
    words: str
    priced: tuple[Priced, ...]


class Values:
    """The values that could be put into gaps."""

    def __init__(self, problem: Problem, menus: Sequence[Menu]) -> None:
        self.effects, self.table, self.menus = problem.effects, problem.table, menus
        self.kinds = [track.queue.kind for track in problem.tracks]
        self.packets = problem.packets
        self._plain = self._sketch((), EndOfPipe(label=STAND_IN), VALUE)
        self._sketches: dict[object, tuple[Sketch, ...]] = {}

    def plain(self, base: Base) -> Clock:
        """The most that a value without cache operations guarantees there."""
        return self.offer(base, self._plain).given.clock

    def sketches(self, base: Base, queue: int, wants: Wants, *, late: bool) -> tuple[Sketch, ...]:
        """Values in that gap for a wait in `queue`; if `late`, with operations in front of them."""
        key = base.queue, base.late, queue, wants, late
        found = self._sketches.get(key)
        if found is None:
            found = self._sketches[key] = tuple(self._every(base, queue, wants, late))
        return found

    def _every(self, base: Base, queue: int, wants: Wants, late: bool) -> Iterator[Sketch]:
        kind = self.kinds[base.queue]
        if base.late:
            if queue != base.queue:
                engine = "me" if kind in GPU else str(kind)
                yield self._sketch((), SetLabel(engine=engine, label=STAND_IN, value=0), STORE)
            return
        if kind not in GPU:
            return
        if kind is QueueKind.GRAPHICS:
            yield self._sketch((), EndOfShader(stage="ps", label=STAND_IN, value=0), VALUE)
        yield self._sketch((), EndOfShader(stage="cs", label=STAND_IN, value=0), VALUE)
        yield self._plain
        if late:
            yield from self._with_operations(base, queue, wants)

    def _with_operations(self, base: Base, queue: int, wants: Wants) -> Iterator[Sketch]:
        menu = self.menus[base.queue]
        events: list[tuple[Item, ...]] = [()]
        events += [((EVENT, event),) for event in menu.events(wants)]
        for before in events:
            for operations in menu.carried(wants):
                if before or operations:
                    value = EndOfPipe(label=STAND_IN, operations=operations)
                    yield self._sketch(before, value, VALUE)
            if before:
                eos = EndOfShader(stage="ps", label=STAND_IN, value=0)
                yield self._sketch(before, eos, VALUE)
                if queue != base.queue:
                    store = SetLabel(engine="me", label=STAND_IN, value=0)
                    yield self._sketch((*before, (IDLE, WaitIdle())), store, STORE)

    def _sketch(self, before: tuple[Item, ...], value: Command, rank: int) -> Sketch:
        words = _words(value)
        if before:
            words += " behind " + " ".join(_words(command) for _, command in before)
        every = (*[command for _, command in before], value)
        return Sketch(before, value, rank, words, tuple(map(self.packets.priced, every)))

    def offer(self, base: Base, sketch: Sketch) -> Offer:
        """The value in that gap."""
        offer = base.offers.get(sketch.words)
        if offer is None:
            fence = f"{base.queue}:{base.gap}:{sketch.words}"
            made = self._made(base, sketch.before, sketch.value, sketch.rank, fence)
            offer = base.offers[sketch.words] = made
        return offer

    def _made(
        self, base: Base, before: Sequence[Item], value: Command, rank: int, fence: str
    ) -> Offer:
        queue, gap, view, times = base.queue, base.gap, base.view, base.times
        pieces, cycles = [], 0
        for own, command in before:
            view = self.effects.carry_out(queue, view, command, gap).view
            times, more = times.walked(command, self.table, None)
            cycles += more
            pieces.append(Piece(queue, gap, own, command))
        done = self.effects.carry_out(queue, view, value, gap)
        pieces.append(Piece(queue, gap, rank, value, fence))
        cycles += self.table.command(value)
        given = Given(queue, fence, (queue, gap), done.value, times.told(value))
        plain = not before and not getattr(value, "operations", ())
        return Offer(given, tuple(pieces), cycles, None if plain else base.view, done.view)


def with_change(view: View, before: View, behind: View) -> View:
    """A later view, as if what led from `before` to `behind` had been done in the earlier gap."""
    pending = tuple(map(joined, view.pending, behind.pending))
    events: list[Events] = []
    for old, new, later in zip(before.events, behind.events, view.events, strict=True):
        if len(new) > len(old):
            clock = joined(new[-1][1], later[-1][1] if later else ())
            later = (*later, (len(view.starts), clock))
        events.append(later)
    me, pfp = joined(view.me, behind.me), joined(view.pfp, behind.pfp)
    return View(me, pfp, pending, view.chain, view.starts, tuple(events), view.flips)


def fence_name(queue: int, gap: int, value: Command) -> str:
    """What tells a plan's fences apart."""
    return f"{queue}:{gap}:{_words(value)}"


def _words(command: Command) -> str:
    """What tells the commands of one gap apart."""
    operations = " ".join(str(operation) for operation in getattr(command, "operations", ()))
    return f"{type(command).__name__} {getattr(command, 'stage', '')}{operations}"


def adds(clock: Clock, view: View) -> bool:
    """Is there anything in the clock that an engine does not know?"""
    return any(map(int.__lt__, view.me, clock)) or any(map(int.__lt__, view.pfp, clock))


def slim(view: View) -> View:
    """Without what is on its way, once it is known anyway."""
    pending = tuple(clock if clock and adds(clock, view) else () for clock in view.pending)
    chain = view.chain if view.chain and adds(view.chain, view) else ()
    events = tuple(
        tuple(event for event in events if adds(event[1], view)) if events else events
        for events in view.events
    )
    return View(view.me, view.pfp, pending, chain, view.starts, events, view.flips)
