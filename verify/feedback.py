"""Commands that are wrong by themselves, whatever the synchronization (model 3.6)."""

from __future__ import annotations

from itertools import combinations

from fencepost.machine.tables import Machine
from fencepost.stream.command import Access, Work


def feeds_back(work: Work, machine: Machine) -> bool:
    """Whether two accesses of the command clash on a byte."""
    return any(
        one.start < other.end and other.start < one.end and clash(one, other, machine)
        for one, other in combinations(work.accesses, 2)
    )


def clash(one: Access, other: Access, machine: Machine) -> bool:
    """Two uses, at least one a write, that neither a block's order nor the shader orders."""
    first = machine.way(one.block, one.use, one.part)
    second = machine.way(other.block, other.use, other.part)
    assert first is not None
    assert second is not None
    if not (first.writes or second.writes):
        return False
    if first.safe_with and first.safe_with == second.safe_with:
        return False
    return one.block != other.block or not first.inside or first.inside != second.inside
