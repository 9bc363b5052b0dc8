"""What a program's own synchronization costs in any case, for the bound of a mended program."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from fencepost.plan.costs import waited_kinds
from fencepost.plan.needs import Place
from fencepost.plan.problem import Problem
from fencepost.stream.command import (
    EndOfPipe,
    EndOfShader,
    PipelinedEvent,
    SurfaceSync,
    Work,
)


class Own:
    """The program's own commands, by their stops."""

    def __init__(self, problem: Problem) -> None:
        stops = [None if isinstance(s.command, Work) else s.command for s in problem.stops]
        cycles = [problem.table.command(one) if one is not None else 0 for one in stops]
        self._sums = [0, *accumulate(cycles)]
        self._waiting = [number for number, one in enumerate(stops) if one is not None]
        self._packets = [
            number
            for number, one in enumerate(stops)
            if isinstance(one, EndOfPipe | PipelinedEvent | SurfaceSync)
        ]
        self._stalls = _stalls(problem)
        self._untils = [until for until, _ in self._stalls]

    def cycles(self, at: int, end: int) -> int:
        """What the commands of these stops cost alone."""
        return self._sums[end] - self._sums[at]

    def waits(self, first: int, until: int) -> bool:
        """Is there one that may make something known?"""
        return _between(self._waiting, first, until)

    def carries(self, first: int, until: int) -> bool:
        """Is there one that could carry an operation more?"""
        return _between(self._packets, first, until)

    def stalls(self, at: int, end: int) -> list[tuple[int, int]]:
        """Where one of them waits for works to be over, and the last of these works."""
        return self._stalls[bisect_left(self._untils, at) : bisect_left(self._untils, end)]


def _between(numbers: list[int], first: int, until: int) -> bool:
    position = bisect_left(numbers, first)
    return position < len(numbers) and numbers[position] < until


def _stalls(problem: Problem) -> list[tuple[int, int]]:
    """Of one queue; in several nobody knows which of them comes first."""
    found: list[tuple[int, int]] = []
    if len(problem.tracks) > 1:
        return found
    last: dict[str, int] = {}
    told: dict[Place, list[int]] = {}
    for number, stop in enumerate(problem.stops):
        command = stop.command
        if isinstance(command, Work):
            last[str(command.kind)] = number
        elif command is not None:
            works = [last[kind] for kind in waited_kinds(command) if kind in last]
            if isinstance(command, EndOfPipe | EndOfShader):
                told[stop.queue, stop.position] = works
                continue
            if stop.told is not None:
                works = told.get(stop.told, [])
            if works:
                found.append((number, max(works)))
    return found
