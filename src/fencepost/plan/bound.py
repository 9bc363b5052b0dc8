"""What the rest of a plan costs at least, so that a search looks at what can still be the cheapest.

A cache operation that nothing has under way has to be put somewhere between the work that it is for
and the work that needs it; one serves all that overlap. The same holds for waits, and for the time
that the pipeline runs empty.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

from fencepost.coherence.clocks import joined
from fencepost.coherence.issue import steps_of
from fencepost.machine.primitives import Drop, Flush
from fencepost.plan.menu import READ_CACHES
from fencepost.plan.needs import Literal, Need, holds
from fencepost.plan.own import Own
from fencepost.plan.packets import NOTHING, Lacking, Rest
from fencepost.plan.problem import Problem, Stop
from fencepost.plan.state import Clock, State
from fencepost.stream.command import WaitMemory, Work

DRAWN = frozenset({"vs", "ps", "cb", "db"})


@dataclass(frozen=True, slots=True)
class Kind:
    """What a point is about: the operations that raise it, the end of draws or of dispatches.

    `known`: some engine has to come to know it.
    """

    caches: frozenset[str] = frozenset()
    draws: bool = False
    dispatches: bool = False
    known: bool = True


@dataclass(frozen=True, slots=True)
class Demand:
    """A literal of the need of a command, about what the command of stop `since` did."""

    literal: Literal
    since: int
    kind: Kind
    pfp: bool
    across: bool


@dataclass(slots=True)
class Asked:
    """All demands of the command of a stop: what must hold, and the choices."""

    until: int
    queue: int
    musts: list[Demand] = field(default_factory=list)
    clauses: list[list[list[Demand]]] = field(default_factory=list)


class Bound:
    """Never more than the cheapest way on (in one queue; in several nearly so)."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.table = problem, problem.table
        self.alone = len(problem.tracks) == 1
        self.places = {
            (stop.queue, stop.position): number
            for number, stop in enumerate(problem.stops)
            if stop.command is not None
        }
        self._kinds = _kinds(problem)
        self._works = _works(problem.stops)
        self._touched = _touched(problem)
        self.asked = [
            self._asked(number, stop) for number, stop in enumerate(problem.stops) if stop.needs
        ]
        self._stops = [asked.until for asked in self.asked]
        self.packets = problem.packets
        self.own = Own(problem)

    def _asked(self, number: int, stop: Stop) -> Asked:
        found = Asked(number, stop.queue)
        for need in stop.needs:
            found.musts += [self._demand(one, need, stop) for one in need.musts]
            for clause in need.clauses:
                found.clauses.append(
                    [[self._demand(one, need, stop) for one in choice] for choice in clause]
                )
        return found

    def _demand(self, literal: Literal, need: Need, stop: Stop) -> Demand:
        points, at = literal
        kind, queue = self._kinds[points[0]]
        pfp = need.engine == "pfp"
        if isinstance(stop.command, Work) and need.engine == "kick":
            pfp = stop.command.engine == "pfp"
        since = self.places[queue, at]
        return Demand(literal, since, kind, pfp, queue != stop.queue)

    # -- asking a state

    def rest(self, state: State, at: int, end: int) -> Lacking:
        """What that state at stop `at` lacks up to stop `end`."""
        first, last = bisect_left(self._stops, at), bisect_left(self._stops, end)
        found = Rest(own=self.own.cycles(at, end))
        if first == last and not found.own:
            return NOTHING
        for until, since in self.own.stalls(at, end):
            self._note_stall(found, since, until, state, at)
        known = _everything(state)
        for asked in self.asked[first:last]:
            view = state.views[asked.queue]
            for demand in asked.musts:
                clock = view.pfp if demand.pfp and view.pfp else view.me
                if not holds(demand.literal, clock):
                    self._note(found, demand, asked, state, at, known)
            for clause in asked.clauses:
                self._note_common(found, clause, asked, at, known)
        return self.packets.lacking(found)

    def _note(
        self, found: Rest, demand: Demand, asked: Asked, state: State, at: int, known: Clock
    ) -> None:
        kind, until = demand.kind, asked.until
        found.behind.add(demand.since)
        first = max(demand.since + 1, at)
        if not holds(demand.literal, known):
            found.useful |= kind.caches
            self._note_caches(found, kind.caches, first, until)
        else:
            first = at
        if not kind.known:
            return
        if self.alone and (kind.draws or kind.dispatches):
            self._note_stall(found, demand.since, until, state, at)
        if not self.own.waits(first, until):
            self._note_wait(found, demand, asked, first)

    def _note_wait(self, found: Rest, demand: Demand, asked: Asked, first: int) -> None:
        """Something has to make it known."""
        kind, until = demand.kind, asked.until
        if demand.across:
            found.across.setdefault(asked.queue, []).append((first, until))
        found.waits.append((first, until))
        pfp = demand.pfp and self.problem.tracks[asked.queue].pfp
        if pfp:
            found.pfp.append((first, until))
        if kind.caches:
            found.operated.append((first, until))
        else:
            found.drains.append((first, until))
            if kind.dispatches and not kind.draws:
                found.dispatches.append((first, until))
                found.pfp_dispatches += [(first, until)] * pfp

    def _note_caches(self, found: Rest, caches: Iterable[str], first: int, until: int) -> None:
        for cache in caches:
            touched = self._touched.get(cache, ())
            position = bisect_left(touched, first)
            if position == len(touched) or touched[position] >= until:
                loaded = self.own.carries(first, until)
                into = found.loaded if loaded else found.caches
                into.setdefault(cache, []).append((first, until))

    def _note_common(
        self, found: Rest, clause: list[list[Demand]], asked: Asked, at: int, known: Clock
    ) -> None:
        """The operations that every choice asks for."""
        common: dict[str, int] | None = None
        for choice in clause:
            wanted: dict[str, int] = {}
            found.behind.update(demand.since for demand in choice)
            for demand in choice:
                if not holds(demand.literal, known):
                    found.useful |= demand.kind.caches
                    for cache in demand.kind.caches:
                        wanted[cache] = max(demand.since + 1, wanted.get(cache, 0))
            if common is None:
                common = wanted
            else:
                common = {c: min(common[c], wanted[c]) for c in common if c in wanted}
        for cache, first in (common or {}).items():
            self._note_caches(found, [cache], max(first, at), asked.until)

    def _note_stall(self, found: Rest, since: int, until: int, state: State, at: int) -> None:
        """By `until` something waits for the work of stop `since`."""
        first = max(since + 1, at)
        hidden = self.table.overlap * (self._works[until] - self._works[first])
        if since < at:
            hidden += state.times[0].age(self.problem.stops[since].position, self.table)
        if hidden < self.table.drain:
            found.stalls.append((until, first, self.table.drain - hidden))


def _everything(state: State) -> Clock:
    """All that anybody knows, or will once something that is on its way is confirmed."""
    known: Clock = ()
    for view in state.views:
        for clock in (view.me, view.pfp, *view.pending, view.chain):
            known = joined(known, clock)
        for _, _, clock in view.flips:
            known = joined(known, clock)
    for given in state.given:
        known = joined(known, given.clock)
    return known


def _works(stops: list[Stop]) -> list[int]:
    """How many draws and dispatches come before each stop."""
    found, count = [], 0
    for stop in stops:
        found.append(count)
        if isinstance(stop.command, Work) and stop.command.kind in ("draw", "dispatch"):
            count += 1
    return found


def _touched(problem: Problem) -> dict[str, list[int]]:
    """For each cache the stops whose command of the program operates on it."""
    found: dict[str, list[int]] = {}
    several = len(problem.tracks) > 1
    for number, stop in enumerate(problem.stops):
        names = {operation.cache for operation in getattr(stop.command, "operations", ())}
        heard = several and isinstance(stop.command, WaitMemory)
        if heard or _empties(problem, stop):
            names |= set(READ_CACHES)
        for name in names:
            found.setdefault(name, []).append(number)
    return found


def _empties(problem: Problem, stop: Stop) -> bool:
    """Does a command of the program leave the read caches without old lines, as a kickoff may?"""
    if stop.command is None or isinstance(stop.command, Work):
        return False
    kind = problem.tracks[stop.queue].queue.kind
    steps = steps_of(stop.command, kind, problem.machine)
    return any(isinstance(step, Drop | Flush) for step in steps)


def _kinds(problem: Problem) -> dict[int, tuple[Kind, int]]:
    """What each point is about, and its queue."""
    points, layout, machine = problem.points, problem.layout, problem.machine
    groups = {offset: group for group, offset in layout.done.items()}
    own: dict[int, tuple[str, bool]] = {}
    for (cache, _), offset in layout.wb.items():
        own[offset] = (cache, False)
    for (cache, _), offset in layout.inv.items():
        own[offset] = (cache, True)
    for (cache, _), offset in layout.clean.items():
        own[offset] = (cache, False)
    for cache, spans in layout.ranged.items():
        own |= {offset: (cache, False) for pair in spans.values() for offset in pair}
    found = {}
    for point, number in points.index.items():
        offset = point % points.stride
        about = {
            groups[one % points.stride]
            for one in points.closed([point])
            if one % points.stride in groups
        }
        cache, dropped = own.get(offset, ("", False))
        row = machine.cache(cache) if cache else None
        if offset not in groups and row is None:
            kind = Kind(known=False)
        elif row is not None and dropped and row.in_order:
            kind = Kind(frozenset({row.operated_as}), known=False)
        else:
            caches = frozenset({row.operated_as}) if row is not None else frozenset[str]()
            kind = Kind(caches, bool(about & DRAWN), "cs" in about)
        found[number] = (kind, point // points.stride)
    return found
