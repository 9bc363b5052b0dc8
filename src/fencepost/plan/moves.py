"""One step of a plan: a piece put into a gap, or the next command of the program carried out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fencepost.coherence.queues import PFP
from fencepost.plan.menu import Item, Menu
from fencepost.plan.needs import Need
from fencepost.plan.pieces import END, STAND_IN, VALUE, WAIT, Piece
from fencepost.plan.problem import Problem, Stop
from fencepost.plan.state import Base, Clock, Given, State, View
from fencepost.plan.times import Times, Told
from fencepost.plan.tracks import Surface
from fencepost.plan.values import Offer, Values, adds, fence_name, slim
from fencepost.plan.wants import Wants
from fencepost.stream.command import (
    Command,
    Comparison,
    EndOfPipe,
    Kickoff,
    WaitMemory,
    Work,
)
from fencepost.stream.program import QueueKind


@dataclass(slots=True, eq=False)
class Move:
    """What a step leads to. `rank`: that of the last piece, or -1 for a command of the program."""

    rank: int
    pieces: tuple[Piece, ...]
    state: State
    cycles: int


class Moves:
    """Steps from a state at a stop.

    `looks_back`: what belongs to a value is put with it into an earlier gap. Without, every gap has
    to be searched when it comes.
    """

    def __init__(self, problem: Problem, *, looks_back: bool = False) -> None:
        self.looks_back = looks_back
        self.problem, self.effects, self.table = problem, problem.effects, problem.table
        self.kinds = [track.queue.kind for track in problem.tracks]
        self.several = len(self.kinds) > 1
        self.menus = [Menu(problem.machine, problem.documented, kind) for kind in self.kinds]
        self.values = Values(problem, self.menus)
        self._items: dict[object, tuple[Item, ...]] = {}

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
        """The state with a queue moved on; what can add nothing any more is forgotten."""
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

    def advance(self, state: State, at: int) -> Move | None:
        """Carry out the command of a stop and come to the next one; None if that would be wrong."""
        stop = self.problem.stops[at]
        state = self.based(state, stop, late=False)
        if self.several:
            state = self.based(state, stop, late=True)
        moved: Move | None
        if stop.command is None:
            moved = Move(-1, (), state, 0)
        elif isinstance(stop.command, Work):
            moved = self._work(state, stop, stop.command)
        else:
            moved = self._synchronization(state, stop, stop.command)
        if moved is not None and at + 1 < len(self.problem.stops):
            moved.state = self._arrived(moved.state, self.problem.stops[at + 1])
        return moved

    def _work(self, state: State, stop: Stop, work: Work) -> Move | None:
        queue, here = stop.queue, stop.position
        view = self.effects.enter(queue, state.views[queue], work, here)
        if not all(need.holds(self._clock(queue, view, need, work, here)) for need in stop.needs):
            return None
        view = self.effects.leave(queue, view, work, here)
        times = state.times[queue].started(work.kind, self.table.overlap)
        return Move(-1, (), self._moved(state, queue, view, times), 0)

    def _clock(self, queue: int, view: View, need: Need, work: Work, here: int) -> Clock:
        if work.raw_wait:
            return self.effects.after_dma(queue, view, work, here)
        engine = work.engine if need.engine == "kick" else need.engine
        return view.pfp if engine == PFP and view.pfp else view.me

    def _synchronization(self, state: State, stop: Stop, command: Command) -> Move | None:
        queue, view, times = stop.queue, state.views[stop.queue], state.times[stop.queue]
        done = self.effects.carry_out(
            queue, view, command, stop.position, self._signal(state, stop)
        )
        if not all(need.holds(done.end) for need in stop.needs):
            return None
        behind, cycles = times.walked(command, self.table, self._seen(state, stop))
        moved = self._moved(state, queue, done.view, behind)
        if getattr(command, "label", None) is not None or isinstance(command, Kickoff):
            place = (queue, stop.position)
            given = Given(queue, "", place, done.value, times.told(command))
            moved.given = (*moved.given, given)
        return Move(-1, (), moved, cycles)

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

    # -- pieces

    def pieces(self, state: State, at: int, rank: int, wants: Wants) -> Iterator[Move]:
        """Every piece that may follow in this gap.

        One of `rank` or later, and changes something.
        """
        stop = self.problem.stops[at]
        if stop.position == 0 and not self.several:
            return
        for own, command in self._menu(stop, wants):
            if own >= rank:
                moved = self._put(state, stop, own, command)
                if moved is not None:
                    yield moved
        if rank <= WAIT:
            yield from self._waits(state, stop, wants)

    def _menu(self, stop: Stop, wants: Wants) -> tuple[Item, ...]:
        surfaces = self.surfaces(stop)
        key = (stop.queue, wants, surfaces)
        items = self._items.get(key)
        if items is None:
            items = self._items[key] = self.menus[stop.queue].items(wants, surfaces)
        return items

    def surfaces(self, stop: Stop) -> tuple[Surface, ...]:
        """The targets that have been drawn to."""
        found = self.problem.tracks[stop.queue].surfaces
        return tuple(one for one, positions in found.items() if positions[0] < stop.position)

    def _put(self, state: State, stop: Stop, rank: int, command: Command) -> Move | None:
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
        commands = self.problem.tracks[queue].queue.commands
        if gap == 0 or not (self.several or isinstance(commands[gap - 1], Work)):
            return state
        base = Base(queue, gap, late, state.views[queue], state.times[queue])
        if not self.several and not adds(self._plain(base), base.view):
            return state
        return State(state.views, state.times, (*state.bases, base), state.given)

    def _waits(self, state: State, stop: Stop, wants: Wants) -> Iterator[Move]:
        """A wait for a value, here or in an earlier gap, of this queue or another one."""
        state = self.based(state, stop, late=False)
        for base in state.bases:
            for offer in self.values.offers(base, stop.queue, wants, late=self.looks_back):
                if not any(given.fence == offer.given.fence for given in state.given):
                    yield from self._wait_for(state, stop, offer, wants)
        for given in state.given:
            if given.fence:
                yield from self._wait_for(state, stop, Offer(given), wants)

    def _wait_for(self, state: State, stop: Stop, offer: Offer, wants: Wants) -> Iterator[Move]:
        queue, times, given = stop.queue, state.times[stop.queue], offer.given
        view = offer.seen(state.views[queue]) if given.queue == queue else state.views[queue]
        seen = given.told if given.queue == queue else None
        for engine in self._engines(queue, wants):
            wait = WaitMemory(
                engine=engine, label=STAND_IN, comparison=Comparison.EQUAL, reference=0
            )
            done = self.effects.carry_out(queue, view, wait, stop.position, given.clock)
            if not more(state.views[queue], done.view):
                continue
            behind, cycles = times.walked(wait, self.table, seen)
            moved = self._moved(state, queue, done.view, behind)
            if self.several and offer.pieces:
                moved.given = (*moved.given, given)
            piece = Piece(queue, stop.position, WAIT, wait, given.fence)
            yield Move(WAIT, (*offer.pieces, piece), moved, offer.cycles + cycles)

    def _engines(self, queue: int, wants: Wants) -> Sequence[str]:
        kind = self.kinds[queue]
        if kind is QueueKind.GRAPHICS:
            return ("me", "pfp") if wants.pfp else ("me",)
        return ("me",) if kind is QueueKind.COMPUTE else (str(kind),)


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
