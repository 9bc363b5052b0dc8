"""One step of a plan: a piece put into a gap, or the next command of the program carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from fencepost.coherence.queues import PFP
from fencepost.plan.menu import Menu
from fencepost.plan.needs import Need
from fencepost.plan.packets import Lacking, Priced
from fencepost.plan.pieces import END, OWN, STAND_IN, VALUE, WAIT, Piece
from fencepost.plan.problem import Problem, Stop, satisfying
from fencepost.plan.state import Base, Clock, Given, State, View
from fencepost.plan.times import Times, Told
from fencepost.plan.tracks import Surface
from fencepost.plan.values import GPU, Offer, Sketch, Values, adds, fence_name, slim
from fencepost.plan.wants import Wants
from fencepost.stream.command import (
    Command,
    Comparison,
    EndOfPipe,
    EndOfShader,
    Kickoff,
    SetLabel,
    WaitMemory,
    Work,
)
from fencepost.stream.program import QueueKind


@dataclass(slots=True, eq=False)
class Move:
    """What a step leads to. `rank`: that of the last piece, or `COMMAND`."""

    rank: int
    pieces: tuple[Piece, ...]
    state: State
    cycles: int


COMMAND = -1
"""The rank of a command of the program."""

Put = Callable[[State, Stop], Move | None]
"""Carries a piece out; None if it changes nothing."""

Proposal = tuple[int, int, Put]
"""A piece, not yet carried out: what it costs without what it waits for, and the most that it
takes from what is lacking (`packets.Lacking`)."""

Shelf = tuple[Proposal, ...]
"""Proposals, the most promising first."""


def shelved(proposals: Iterable[Proposal], weight: int) -> Shelf:
    """In the order in which a search with that weight looks at them."""
    return tuple(sorted(proposals, key=lambda one: (one[0] - weight * one[1], -one[1])))


class Moves:
    """Steps from a state at a stop.

    `looks_back`: what belongs to a value is put with it into an earlier gap. Without, every gap has
    to be searched when it comes. `keeps_gaps`: values may be put into gaps that have passed.
    """

    def __init__(
        self, problem: Problem, *, looks_back: bool = False, keeps_gaps: bool = True
    ) -> None:
        self.looks_back, self.keeps_gaps = looks_back, keeps_gaps
        self.problem, self.effects, self.table = problem, problem.effects, problem.table
        self.kinds = [track.queue.kind for track in problem.tracks]
        self.several = len(self.kinds) > 1
        self.menus = [Menu(problem.machine, problem.documented, kind) for kind in self.kinds]
        self.values = Values(problem, self.menus)
        self.waits = {
            name: self.values.packets.priced(wait_on(name)) for name in ("me", "pfp", "cpu", "copy")
        }
        self.plain = not self.several and all(
            isinstance(stop.command, Work | None) for stop in problem.stops
        )
        self._shelves: dict[object, Shelf] = {}
        self._items: dict[object, tuple[tuple[int, Command, Priced], ...]] = {}

    def first(self) -> State:
        """Before everything, at the first stop."""
        queues = range(len(self.kinds))
        views = tuple(self.effects.first(queue) for queue in queues)
        state = State(views, tuple(Times() for _ in queues))
        return self._arrived(state, self.problem.stops[0]) if self.problem.stops else state

    def _arrived(self, state: State, stop: Stop) -> State:
        view = self.effects.arrive(stop.queue, state.views[stop.queue], stop.position)
        return State(_with(state.views, stop.queue, view), state.times, state.bases, state.given)

    def _moved(self, state: State, queue: int, view: View, times: Times) -> State:
        """The state with a queue moved on."""
        every = (*state.times[:queue], times, *state.times[queue + 1 :])
        views = _with(state.views, queue, slim(view))
        return State(views, every, state.bases, state.given)

    def _behind(self, state: State, queue: int, view: View, times: Times) -> State:
        """The same behind a work: values that can tell nothing new any more are forgotten."""
        view = slim(view)
        every = (*state.times[:queue], times, *state.times[queue + 1 :])
        bases, given = state.bases, state.given
        if not self.several and view.me is not state.views[queue].me:
            bases = tuple(base for base in bases if adds(self._plain(base), view))
            given = tuple(one for one in given if not one.fence or adds(one.clock, view))
        return State(_with(state.views, queue, view), every, bases, given)

    def _plain(self, base: Base) -> Clock:
        """The most that a value without cache operations guarantees there."""
        return self.values.plain(base)

    # -- the next command

    def advance(
        self,
        state: State,
        at: int,
        changed: Command | None = None,
        supplied: Clock | None = None,
    ) -> Move | None:
        """Carry out the command of a stop, or `changed` in its place, and come to the next one.

        `supplied`: what a value guarantees for a wait that lacked one. None if something would be
        wrong.
        """
        stop = self.problem.stops[at]
        command = changed or stop.command
        state = self.based(state, stop, late=False)
        if self.several:
            state = self.based(state, stop, late=True)
        moved: Move | None
        if command is None:
            moved = Move(COMMAND, (), state, 0)
        elif isinstance(command, Work):
            moved = self._work(state, stop, command)
        elif stop.stuck and supplied is None:
            return None
        else:
            moved = self._synchronization(state, stop, command, supplied)
        if moved is not None and at + 1 < len(self.problem.stops):
            moved.state = self._arrived(moved.state, self.problem.stops[at + 1])
        return moved

    def _work(self, state: State, stop: Stop, work: Work) -> Move | None:
        queue, here = stop.queue, stop.position
        view = self.effects.enter(queue, state.views[queue], work, here)
        if not all(need.holds(self._clock(queue, view, need, work, here)) for need in stop.needs):
            return None
        view = self.effects.leave(queue, view, work, here)
        times = state.times[queue].started(work, here, self.table)
        return Move(COMMAND, (), self._behind(state, queue, view, times), 0)

    def _clock(self, queue: int, view: View, need: Need, work: Work, here: int) -> Clock:
        if work.raw_wait:
            return self.effects.after_dma(queue, view, work, here)
        engine = work.engine if need.engine == "kick" else need.engine
        return view.pfp if engine == PFP and view.pfp else view.me

    def _synchronization(
        self, state: State, stop: Stop, command: Command, signal: Clock | None
    ) -> Move | None:
        queue, view, times = stop.queue, state.views[stop.queue], state.times[stop.queue]
        if signal is None:
            signal = self._signal(state, stop)
        done = self.effects.carry_out(queue, view, command, stop.position, signal, own=True)
        if not all(need.holds(done.end) for need in stop.needs):
            return None
        behind, cycles = times.walked(command, self.table, self._seen(state, stop))
        moved = self._moved(state, queue, done.view, behind)
        if getattr(command, "label", None) is not None or isinstance(command, Kickoff):
            place = (queue, stop.position)
            given = Given(queue, "", place, done.value, times.told(command))
            moved.given = (*moved.given, given)
        elif isinstance(command, EndOfPipe) and command.timestamp is None:
            moved.given = (*moved.given, self._silent(state, stop, command))
        return Move(COMMAND, (), moved, cycles)

    def _silent(self, state: State, stop: Stop, command: EndOfPipe) -> Given:
        """What a value would guarantee that an end of pipe of the program could write as well."""
        queue, here = stop.queue, stop.position
        value = replace(command, label=STAND_IN)
        done = self.effects.carry_out(queue, state.views[queue], value, here, own=True)
        told = state.times[queue].told(command)
        fence = fence_name(queue, here, value)
        return Given(queue, fence, (queue, here), done.value, told, silent=value)

    def _signal(self, state: State, stop: Stop) -> Clock:
        """What every value that the wait may have seen guarantees."""
        if not stop.sources:
            return ()
        clocks = {given.place: given.clock for given in state.given if not given.fence}
        found = [clocks.get(source, ()) for source in stop.sources]
        return () if not all(found) else tuple(map(min, zip(*found, strict=True)))

    @staticmethod
    def _seen(state: State, stop: Stop) -> Told | None:
        """What the program's own value tells that a wait of the same queue sees."""
        return next((given.told for given in state.given if given.place == stop.told), None)

    # -- the next command, changed

    def changed(
        self, state: State, at: int, wants: Wants, lacking: Lacking, weight: int
    ) -> tuple[Shelf, ...]:
        """The command of a stop with more in it; a wait that nothing ends with a value for it."""
        stop = self.problem.stops[at]
        command = stop.command
        if self.plain or command is None or isinstance(command, Work):
            return ()
        if stop.stuck and isinstance(command, WaitMemory):
            return (shelved(self._supplies(state, at, command, wants, lacking), weight),)
        return (shelved(self._stronger(stop, at, command, wants, lacking), weight),)

    def _stronger(
        self, stop: Stop, at: int, command: Command, wants: Wants, lacking: Lacking
    ) -> Iterator[Proposal]:
        surfaces = self._surfaces(stop, lacking)
        for other in self.menus[stop.queue].stronger(command, wants, surfaces):
            priced = self.values.packets.priced(other)
            credit = lacking.credit(priced) + self.table.command(command)
            yield priced.cycles, credit, partial(self._put_changed, at, other)

    def _put_changed(self, at: int, command: Command, state: State, stop: Stop) -> Move | None:
        move = self.advance(state, at, command)
        if move is None:
            return None
        piece = Piece(stop.queue, stop.position, OWN, command, replaces=True)
        return Move(COMMAND, (piece,), move.state, move.cycles)

    def _supplies(
        self, state: State, at: int, wait: WaitMemory, wants: Wants, lacking: Lacking
    ) -> Iterator[Proposal]:
        """Values for a wait that nothing ends, as a fence of the plan would have them."""
        stop = self.problem.stops[at]
        value = satisfying(wait)
        if value is None:
            return
        state = self.based(state, stop, late=False)
        own = self.values.packets.priced(wait)
        for given in state.given:
            if given.silent is not None:
                credit = lacking.credit(own) + own.cycles
                yield own.cycles, credit, partial(self._supply, at, self._there(given), value)
        for base in state.bases:
            for sketch in self.values.sketches(base, stop.queue, wants, late=True):
                every = (*sketch.priced, own)
                cycles = sum(one.cycles for one in every)
                credit = sum(lacking.credit(one) for one in every) + self.table.command(wait)
                yield cycles, credit, partial(self._supply_at, at, base, sketch, value)

    def _supply_at(
        self, at: int, base: Base, sketch: Sketch, value: int, state: State, stop: Stop
    ) -> Move | None:
        return self._supply(at, self.values.offer(base, sketch), value, state, stop)

    def _supply(self, at: int, offer: Offer, value: int, state: State, stop: Stop) -> Move | None:
        wait = stop.command
        if not isinstance(wait, WaitMemory):
            return None
        if offer.given.queue == stop.queue:
            views = _with(state.views, stop.queue, offer.seen(state.views[stop.queue]))
            state = State(views, state.times, state.bases, state.given)
        move = self.advance(state, at, None, offer.given.clock)
        if move is None:
            return None
        told = offer.given.told if offer.given.queue == stop.queue else None
        _, cycles = state.times[stop.queue].walked(wait, self.table, told)
        *before, signal = offer.pieces
        label = cast("EndOfPipe | EndOfShader | SetLabel", signal.command)
        named = replace(label, label=wait.label, value=value)
        piece = replace(signal, command=named, fence=supply_of(stop.queue, stop.position))
        return Move(COMMAND, (*before, piece), move.state, offer.cycles + cycles)

    # -- pieces

    def pieces(
        self, state: State, at: int, rank: int, wants: Wants, lacking: Lacking, weight: int
    ) -> tuple[Shelf, Shelf]:
        """Every piece that may follow in this gap: one of `rank` or later; waits for values."""
        stop = self.problem.stops[at]
        if stop.position == 0 and not self.several:
            return (), ()
        if self.plain:
            wants = wants.lacking(lacking.useful, pfp=lacking.pfp)
        surfaces = self._surfaces(stop, lacking)
        key = (stop.queue, wants, surfaces, rank, lacking.kinds, weight)
        shelf = self._shelves.get(key)
        if shelf is None:
            items = self._priced(stop.queue, wants, surfaces)
            proposals = (
                (priced.cycles, lacking.credit(priced), partial(self._put, own, command))
                for own, command, priced in items
                if own >= rank
            )
            shelf = self._shelves[key] = shelved(proposals, weight)
        if rank > WAIT:
            return shelf, ()
        return shelf, shelved(self._waits(state, stop, wants, lacking), weight)

    def make(self, state: State, at: int, put: Put) -> Move | None:
        """Carry out what was proposed; None if it changes nothing."""
        return put(state, self.problem.stops[at])

    def _priced(
        self, queue: int, wants: Wants, surfaces: tuple[Surface, ...]
    ) -> tuple[tuple[int, Command, Priced], ...]:
        """The menu with what each costs."""
        key = (queue, wants, surfaces)
        items = self._items.get(key)
        if items is None:
            items = self._items[key] = tuple(
                (rank, command, self.values.packets.priced(command))
                for rank, command in self.menus[queue].items(wants, surfaces)
            )
        return items

    def _surfaces(self, stop: Stop, lacking: Lacking) -> tuple[Surface, ...]:
        """The targets that have been drawn to; in a long program those of the draws that matter."""
        track = self.problem.tracks[stop.queue]
        if self.looks_back:
            draws = sorted(lacking.behind)
            places = [self.problem.stops[number] for number in draws]
            drawn = [one.position for one in places if one.queue == stop.queue]
            return track.surfaces_of(drawn, stop.position)
        found = track.surfaces
        return tuple(one for one, positions in found.items() if positions[0] < stop.position)

    def _put(self, rank: int, command: Command, state: State, stop: Stop) -> Move | None:
        queue, view = stop.queue, state.views[stop.queue]
        done = self.effects.carry_out(queue, view, command, stop.position)
        if not more(view, done.view):
            return None
        times = state.times[queue]
        if isinstance(command, EndOfPipe):
            return self._put_end(state, stop, command, done.view)
        if rank >= VALUE:
            state = self.based(state, stop, late=False)
        behind, cycles = times.walked(command, self.table, None)
        moved = self._moved(state, queue, done.view, behind)
        return Move(rank, (Piece(queue, stop.position, rank, command),), moved, cycles)

    def _put_end(self, state: State, stop: Stop, command: EndOfPipe, view: View) -> Move:
        """Operations at the end of pipe. A value would not cost more: somebody may wait for one."""
        queue, times = stop.queue, state.times[stop.queue]
        value = replace(command, label=STAND_IN)
        done = self.effects.carry_out(queue, state.views[queue], value, stop.position)
        fence = fence_name(queue, stop.position, value)
        place = (queue, stop.position)
        given = Given(queue, fence, place, done.value, times.told(command))
        behind, cycles = times.walked(command, self.table, None)
        moved = self._moved(state, queue, view, behind)
        moved.given = (*moved.given, given)
        piece = Piece(queue, stop.position, END, value, fence)
        return Move(END, (piece,), moved, cycles)

    # -- fences

    def based(self, state: State, stop: Stop, *, late: bool) -> State:
        """The state with this gap among those where a value can be put later."""
        queue, gap = stop.queue, stop.position
        if any(b.gap == gap and b.queue == queue and b.late == late for b in state.bases[-2:]):
            return state
        if not self.keeps_gaps or gap == 0:
            return state
        before = self.problem.tracks[queue].queue.commands[gap - 1]
        if self.plain and not isinstance(before, Work):
            return state
        base = Base(queue, gap, late, state.views[queue], state.times[queue])
        if not self.several and not adds(self._plain(base), base.view):
            return state
        return State(state.views, state.times, (*state.bases, base), state.given)

    def _waits(
        self, state: State, stop: Stop, wants: Wants, lacking: Lacking
    ) -> Iterator[Proposal]:
        """A wait for a value, here or in an earlier gap, of this queue or another one."""
        state = self.based(state, stop, late=False)
        engines = [
            (engine, priced.cycles, lacking.credit(priced))
            for engine, priced in self._engines(stop.queue, wants)
        ]
        taken = {given.fence for given in state.given}
        for base in self._bases(state, lacking):
            for sketch in self.values.sketches(base, stop.queue, wants, late=self.looks_back):
                if f"{base.queue}:{base.gap}:{sketch.words}" in taken:
                    continue
                cycles = sum(one.cycles for one in sketch.priced)
                credit = sum(lacking.credit(one) for one in sketch.priced)
                for engine, wait, more in engines:
                    put = partial(self._wait_behind, base, sketch, engine)
                    yield cycles + wait, credit + more, put
        for given in state.given:
            if given.fence or given.place in self.problem.readable:
                for engine, wait, more in engines:
                    yield wait, more, partial(self._wait_for, self._there(given), engine)

    @staticmethod
    def _there(given: Given) -> Offer:
        """A value that is there, or that a command of the program could write."""
        if given.silent is None:
            return Offer(given)
        queue, gap = given.place
        return Offer(given, (Piece(queue, gap, OWN, given.silent, given.fence, replaces=True),))

    def _bases(self, state: State, lacking: Lacking) -> Iterable[Base]:
        """Where a value may help: right behind a work that matters, if nothing else is there."""
        if not self.plain:
            return state.bases
        gaps = {self.problem.stops[number].position + 1 for number in lacking.behind}
        return [base for base in state.bases if base.gap in gaps]

    def _wait_behind(
        self, base: Base, sketch: Sketch, engine: str, state: State, stop: Stop
    ) -> Move | None:
        state = self.based(state, stop, late=False)
        return self._wait_for(self.values.offer(base, sketch), engine, state, stop)

    def _wait_for(self, offer: Offer, engine: str, state: State, stop: Stop) -> Move | None:
        queue, times, given = stop.queue, state.times[stop.queue], offer.given
        view = offer.seen(state.views[queue]) if given.queue == queue else state.views[queue]
        seen = given.told if given.queue == queue else None
        own = None if given.fence else self.problem.readable.get(given.place)
        wait = replace(own, engine=engine) if own is not None else wait_on(engine)
        done = self.effects.carry_out(queue, view, wait, stop.position, given.clock)
        if not more(state.views[queue], done.view):
            return None
        behind, cycles = times.walked(wait, self.table, seen)
        moved = self._moved(state, queue, done.view, behind)
        if self.several and offer.pieces:
            moved.given = (*moved.given, given)
        piece = Piece(queue, stop.position, WAIT, wait, given.fence)
        return Move(WAIT, (*offer.pieces, piece), moved, offer.cycles + cycles)

    def _engines(self, queue: int, wants: Wants) -> list[tuple[str, Priced]]:
        kind = self.kinds[queue]
        names = ["me" if kind in GPU else str(kind)]
        if kind is QueueKind.GRAPHICS and wants.pfp:
            names.append("pfp")
        return [(name, self.waits[name]) for name in names]


def supply_of(queue: int, position: int) -> str:
    """The name of the value that the wait there gets."""
    return f"for {queue}:{position}"


def wait_on(engine: str) -> WaitMemory:
    """A wait for a value that weaving fills in."""
    return WaitMemory(engine=engine, label=STAND_IN, comparison=Comparison.EQUAL, reference=0)


def more(before: View, after: View) -> bool:
    """Does the later view know anything that the earlier one does not?"""
    return (
        before.me != after.me
        or before.pfp != after.pfp
        or before.pending != after.pending
        or before.events != after.events
        or before.flips != after.flips
    )


def _with(items: tuple[View, ...], queue: int, view: View) -> tuple[View, ...]:
    return (*items[:queue], view, *items[queue + 1 :])
