"""How a unit's throughput is divided among the works that want it at a moment.

A rule is given, in the order in which the works came to the unit, their queues and the most that
each can take (parts per million), and writes what each gets. It may be replaced by another one.
"""

from __future__ import annotations

from collections.abc import Callable

from fencepost.timing.parameters import WHOLE

Rule = Callable[[list[int], list[int], list[int]], None]
"""`rule(queues, caps, rates)`: writes `rates`, whose sum is at most a whole unit."""


def oldest_first(queues: list[int], caps: list[int], rates: list[int]) -> None:
    """Whoever came first takes what it can, whichever queue it is of."""
    left = WHOLE
    for at in range(len(queues)):
        got = min(caps[at], left)
        rates[at] = got
        left -= got


def fair_queues(queues: list[int], caps: list[int], rates: list[int]) -> None:
    """Max-min fair between queues; within a queue older works go first.

    A later work of a queue never slows an earlier one down, so that to make it wait can not speed
    the queue up (docs/timing.md 4.3).
    """
    wanted: dict[int, int] = {}
    for at in range(len(queues)):
        wanted[queues[at]] = min(WHOLE, wanted.get(queues[at], 0) + caps[at])
    left = max_min(wanted) if len(wanted) > 1 else wanted
    for at in range(len(queues)):
        got = min(caps[at], left[queues[at]])
        rates[at] = got
        left[queues[at]] -= got


def fair_works(queues: list[int], caps: list[int], rates: list[int]) -> None:
    """Max-min fair between works, whichever queue they are of."""
    shares = max_min(dict(enumerate(caps)))
    for at in range(len(queues)):
        rates[at] = shares[at]


def max_min(wanted: dict[int, int]) -> dict[int, int]:
    """Max-min fair shares of a whole unit, rounded down: who wants less than its part gets that."""
    shares: dict[int, int] = {}
    left = WHOLE
    open_ = dict(wanted)
    while open_:
        fair = left // len(open_)
        modest = [key for key, want in open_.items() if want <= fair]
        if not modest:
            shares.update(dict.fromkeys(open_, fair))
            break
        for key in modest:
            shares[key] = open_.pop(key)
            left -= shares[key]
    return shares


RULES: dict[str, Rule] = {
    "fair-queues": fair_queues,
    "fair-works": fair_works,
    "oldest-first": oldest_first,
}
"""By name; the first is the default."""
