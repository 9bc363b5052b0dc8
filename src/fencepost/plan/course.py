"""A plan carried out: what every engine knows at every stop, and whether it would with less.

A change matters from its place on until everybody knows the same again: so much is carried out
anew.
"""

from __future__ import annotations

from collections.abc import Iterable

from fencepost.plan.moves import Moves, supply_of
from fencepost.plan.pieces import Piece
from fencepost.plan.problem import Problem
from fencepost.plan.state import Clock, State, View
from fencepost.stream.command import WaitMemory

Gap = tuple[int, int]


class Course:
    """Carries out the pieces of a plan, and tries others.

    `right`: every command has what it needs. `most`: a change that would have to be followed over
    more stops is left.
    """

    def __init__(self, problem: Problem, pieces: Iterable[Piece], most: int) -> None:
        self.problem, self.most = problem, most
        self.moves = Moves(problem, keeps_gaps=False)
        self.pieces = set(pieces)
        self._gaps: dict[Gap, list[Piece]] = {}
        self._first: dict[Gap, int] = {}
        self._again: set[int] = set()
        self._stuck = {
            supply_of(stop.queue, stop.position): number
            for number, stop in enumerate(problem.stops)
            if stop.stuck
        }
        for number, stop in enumerate(problem.stops):
            gap = (stop.queue, stop.position)
            if gap in self._first:
                self._again.add(number)
            self._first.setdefault(gap, number)
        for piece in sorted(self.pieces, key=lambda piece: piece.order):
            self._gaps.setdefault(piece.place, []).append(piece)
        self._waited = self._last_waits()
        self._states: list[State] = []
        self._signals: dict[str, Clock] = {}
        self.right = self._run(0, self.moves.first(), 0)

    def replaced(self, old: Iterable[Piece], new: Iterable[Piece] = ()) -> bool:
        """Take the new pieces for the old ones, if the program stays right with them."""
        gone, more = set(old), list(new)
        gaps = {piece.place for piece in (*gone, *more)}
        kept = {gap: self._gaps.get(gap, []) for gap in gaps}
        for gap in gaps:
            pieces = [piece for piece in kept[gap] if piece not in gone]
            pieces += [piece for piece in more if piece.place == gap]
            self._gaps[gap] = sorted(pieces, key=lambda piece: piece.order)
        places = [self._first[gap] for gap in gaps]
        places += [self._stuck[one.fence] for one in (*gone, *more) if one.fence in self._stuck]
        signals = self._signals
        silent = {piece.fence for piece in gone if piece.fence and not waits(piece)}
        if silent:
            self._signals = {fence: signals[fence] for fence in signals if fence not in silent}
        if self._run(min(places), self._states[min(places)], max(places)):
            self.pieces = (self.pieces - gone) | set(more)
            return True
        self._gaps.update(kept)
        self._signals = signals
        return False

    def _last_waits(self) -> dict[str, int]:
        """For each fence the stop of its last wait."""
        found: dict[str, int] = {}
        for piece in self.pieces:
            if piece.fence and waits(piece):
                at = self._first[piece.place]
                found[piece.fence] = max(at, found.get(piece.fence, 0))
        return found

    # -- carrying out

    def _run(self, first: int, state: State, until: int) -> bool:
        """From a stop to the end, or to where all is as it was, behind `until`.

        What is right is kept.
        """
        before, states = self._states, self._states[:first]
        signals, fresh = dict(self._signals), set[str]()
        for number in range(first, len(self.problem.stops)):
            if before and number > until:
                fresh = {f for f in fresh if self._waited.get(f, -1) >= number}
                if not fresh and same(state, before[number]):
                    states += before[number:]
                    break
                if number > until + self.most:
                    return False
            states.append(state)
            following = self._stop(number, state, signals, fresh)
            if following is None:
                return False
            state = following
        self._states, self._signals = states, signals
        return True

    def _stop(
        self, number: int, state: State, signals: dict[str, Clock], fresh: set[str]
    ) -> State | None:
        """Everything in the gap, then the command; None if that would be wrong."""
        stop = self.problem.stops[number]
        changed: Piece | None = None
        for piece in self._gaps.get((stop.queue, stop.position), ()):
            if piece.replaces and stop.command is not None:
                changed = piece
            elif not piece.replaces and number not in self._again:
                state = self._piece(state, piece, signals, fresh)
        supplied = signals.get(supply_of(stop.queue, stop.position)) if stop.stuck else None
        command = changed.command if changed is not None else None
        move = self.moves.advance(state, number, command, supplied)
        if move is None:
            return None
        if changed is not None and changed.fence:
            value = next(one.clock for one in move.state.given if one.place == changed.place)
            self._signal(changed.fence, value, signals, fresh)
        return move.state

    @staticmethod
    def _signal(fence: str, value: Clock, signals: dict[str, Clock], fresh: set[str]) -> None:
        if signals.get(fence) != value:
            fresh.add(fence)
        signals[fence] = value

    def _piece(
        self, state: State, piece: Piece, signals: dict[str, Clock], fresh: set[str]
    ) -> State:
        effects, view = self.moves.effects, state.views[piece.queue]
        signal = signals.get(piece.fence, ()) if waits(piece) else ()
        if isinstance(piece.command, WaitMemory) and not piece.fence:
            signal = self._own_value(state, piece.command)
        done = effects.carry_out(piece.queue, view, piece.command, piece.gap, signal)
        if piece.fence and not waits(piece):
            self._signal(piece.fence, done.value, signals, fresh)
        views = list(state.views)
        views[piece.queue] = done.view
        return State(tuple(views), state.times, state.bases, state.given)

    def _own_value(self, state: State, wait: WaitMemory) -> Clock:
        """What a value of the program guarantees that a piece waits for."""
        for given in state.given:
            own = self.problem.readable.get(given.place)
            if own is not None and (own.label, own.reference) == (wait.label, wait.reference):
                return given.clock
        return ()


def waits(piece: Piece) -> bool:
    """Is it the wait of a fence?"""
    return isinstance(piece.command, WaitMemory)


def same(one: State, other: State) -> bool:
    """Does everybody know the same?"""
    return all(map(_equal, one.views, other.views)) and [
        (given.place, given.clock) for given in one.given
    ] == [(given.place, given.clock) for given in other.given]


def _equal(one: View, other: View) -> bool:
    return one is other or (
        one.me == other.me
        and one.pfp == other.pfp
        and one.pending == other.pending
        and one.chain == other.chain
        and one.starts == other.starts
        and one.events == other.events
        and one.flips == other.flips
    )
