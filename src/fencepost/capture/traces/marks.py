"""Slices that are written as a begin and an end (`B`, `E`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from fencepost.errors import TimelineProblem
from fencepost.place import Place
from fencepost.timeline.quoting import quoted


@dataclass(frozen=True, slots=True)
class Begin:
    """A `B`: its time in picoseconds, the number and name of the event, and what begins."""

    time: int
    number: int
    name: str
    activity: int


@dataclass(frozen=True, slots=True)
class End:
    """An `E`; its name may be empty."""

    time: int
    number: int
    name: str


def matched(
    marks: Iterable[Begin | End], place_of: Callable[[int], Place]
) -> Iterator[tuple[Begin, End]]:
    """Each end with what began last and is open, by time; marks of one instant in their order.

    Raises `TimelineProblem` for an end that nothing began, or whose name is another's, and for
    a begin without an end.
    """
    opened: list[Begin] = []
    for mark in sorted(marks, key=lambda mark: mark.time):
        if isinstance(mark, Begin):
            opened.append(mark)
        elif not opened:
            raise _unmatched(mark, "ends, but nothing is open", "a B before it", place_of)
        elif mark.name not in ("", opened[-1].name):
            problem = f"ends while {quoted(opened[-1].name)} is open"
            raise _unmatched(mark, problem, "slices that end in the reverse order", place_of)
        else:
            yield opened.pop(), mark
    if opened:
        problem = "begins and never ends, so it has no duration"
        raise _unmatched(opened[-1], problem, "an E after it", place_of)


def _unmatched(
    mark: Begin | End, problem: str, expected: str, place_of: Callable[[int], Place]
) -> TimelineProblem:
    return TimelineProblem(f"{quoted(mark.name)} {problem}", place_of(mark.number), expected)
