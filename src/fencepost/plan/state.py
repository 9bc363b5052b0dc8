"""What the engines of all queues would know at a moment of a plan.

Positions are those of the commands of the program as it is given. What a plan puts before command
`n` happens at `n`: it comes after every command below `n`, wherever it will stand in the end.
Nothing here is ever changed once it is made, so that many moments can share it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fencepost.plan.times import Times, Told
from fencepost.stream.command import EndOfPipe

Clock = tuple[int, ...]

KINDS = ("event", "eop", "action", "fmask")
"""What can be on its way, to be confirmed (machine/primitives.py, `Confirm`)."""

NOTHING: tuple[Clock, ...] = ((),) * len(KINDS)
BLOCKS = ("cb", "db")
"""The blocks whose events a surface sync confirms."""

Events = tuple[tuple[int, Clock], ...]
"""For each event of a block the number of its context, and what holds once it is confirmed."""

Place = tuple[int, int]


@dataclass(slots=True, eq=False)
class View:
    """What one queue knows. `pfp` is empty where the queue has one engine only.

    `pending`: by kind, what holds once it is confirmed. `chain`: the last end-of-pipe value.
    `starts`: where each graphics context began. `flips`: presents, by buffer.
    """

    me: Clock
    pfp: Clock = ()
    pending: tuple[Clock, ...] = NOTHING
    chain: Clock = ()
    starts: tuple[int, ...] = (0,)
    events: tuple[Events, ...] = ((), ())
    flips: tuple[tuple[str, int, Clock], ...] = ()


@dataclass(slots=True, eq=False)
class Base:
    """An earlier gap, where a value can still be put: what was known there. `late`: at its end.

    `offers`: the values there, kept once asked for.
    """

    queue: int
    gap: int
    late: bool
    view: View
    times: Times
    offers: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Given:
    """A value that is there: what it guarantees, and what it tells (`times`).

    `fence`: the name of the plan's fence; the program's own values have a place. `silent`: an end
    of pipe of the program that could write it for nothing.
    """

    queue: int
    fence: str
    place: Place
    clock: Clock
    told: Told
    silent: EndOfPipe | None = None


@dataclass(slots=True, eq=False)
class State:
    """All queues, the gaps where values may still be put, and the values that are there."""

    views: tuple[View, ...]
    times: tuple[Times, ...]
    bases: tuple[Base, ...] = ()
    given: tuple[Given, ...] = ()
