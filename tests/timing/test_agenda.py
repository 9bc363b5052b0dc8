"""What is due: beside Python's own heap, compiled and interpreted."""

from __future__ import annotations

import heapq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import ProgramProblem
from fencepost.timing.agenda import Agenda
from fencepost.timing.record import FURTHEST
from tests.kernels.twice import interpreted

FORMS = (Agenda, interpreted("fencepost.timing.agenda").Agenda)

times = st.one_of(st.integers(0, 5), st.integers(0, FURTHEST))
steps = st.lists(st.one_of(st.none(), st.tuples(times, st.integers(0, 8), st.integers(0, 2**40))))


@pytest.mark.parametrize("form", FORMS)
@given(steps)
def test_what_is_due_comes_by_time_and_then_as_planned(
    form: type[Agenda], actions: list[tuple[int, int, int] | None]
) -> None:
    agenda, heap = form(), list[tuple[int, int, int, int]]()
    for turn, action in enumerate(actions):
        if action is not None:
            time, kind, argument = action
            agenda.push(time, kind, argument)
            heapq.heappush(heap, (time, turn, kind, argument))
        elif heap:
            agenda.pop()
            time, _, kind, argument = heapq.heappop(heap)
            assert (agenda.time, agenda.kind, agenda.argument) == (time, kind, argument)
        assert agenda.count == len(heap)
        if heap:
            assert agenda.comes_before(heap[0][0] + 1, 0)
            assert not agenda.comes_before(heap[0][0] - 1, 0) or heap[0][0] == 0
            assert agenda.comes_before(-1, 0), "nothing is planned elsewhere"
        else:
            assert not agenda.comes_before(0, 0)


def test_at_one_time_the_turn_decides() -> None:
    agenda = Agenda()
    before = agenda.next_turn()
    agenda.push(7, 0, 0)
    assert not agenda.comes_before(7, before)
    assert agenda.comes_before(7, agenda.next_turn())


@pytest.mark.parametrize("form", FORMS)
def test_nobody_waits_for_46_days(form: type[Agenda]) -> None:
    agenda = form()
    agenda.push(FURTHEST, 0, 0)
    with pytest.raises(ProgramProblem, match="the run takes longer than 46 days"):
        agenda.push(FURTHEST + 1, 0, 0)
    assert agenda.count == 1
