"""The parameters of the machines, and those of a run."""

from __future__ import annotations

import pytest

from fencepost.errors import UsageProblem
from fencepost.machine import MACHINES, Machine, find_machine
from fencepost.machine.timing import TIMINGS, UNITS
from fencepost.timing import Options, simulate
from fencepost.timing.parameters import Parameters
from tests.timing.scenes import read

XBOX, HAWAII = find_machine("xbox-one"), find_machine("gcn2-hawaii")
EVERY = list(MACHINES.values())


@pytest.mark.parametrize("machine", EVERY, ids=lambda machine: machine.name)
def test_every_parameter_has_a_value_a_unit_and_a_source(machine: Machine) -> None:
    rows = TIMINGS[machine.name]
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert row.value > 0
        assert row.unit
        assert row.source.startswith(("assumed", "hardware.md", "seed", "AMD", "reviews of")), (
            row.source
        )


@pytest.mark.parametrize("machine", EVERY, ids=lambda machine: machine.name)
def test_the_machines_have_the_same_parameters(machine: Machine) -> None:
    assert [row.name for row in TIMINGS[machine.name]] == [row.name for row in TIMINGS["xbox-one"]]


@pytest.mark.parametrize("machine", EVERY, ids=lambda machine: machine.name)
def test_they_agree_with_the_machine_itself(machine: Machine) -> None:
    values, known = Parameters(machine), {row.name: row.value for row in machine.parameters}
    assert values["sm rate"] == 64 * known["compute units"]
    assert values["wave slots"] == 40 * known["compute units"]
    assert values["capacity tcc"] == known["TCC"]
    assert values["capacity tcp"] == known["TCP"] * known["compute units"]
    assert values["GPU clock"] == known.get("GPU clock", values["GPU clock"])
    assert values["minimum fence"] == known.get("minimum fence", 800)


def test_none_of_them_traces_rays() -> None:
    for machine in EVERY:
        names = [row.name for row in Parameters(machine).units]
        assert names == [row.name for row in UNITS if row.name != "rt"]


def test_the_seed_is_in_the_table() -> None:
    values = Parameters(XBOX)
    assert values["minimum fence"] == 800
    assert values["contexts in flight"] == 7
    assert values["partial flushes at a time"] == 1
    # "at least 800 cycles or 1us"
    assert 0.9 * 10**6 < values.cycles("minimum fence") < 10**6


def test_a_full_flush_takes_the_thousands_of_cycles_that_the_seed_speaks_of() -> None:
    values = Parameters(XBOX)
    span = values.cycles("operation tcc") + values.span("memory rate", values["capacity tcc"])
    assert 1000 < span * values["GPU clock"] // 10**12 < 10_000


def test_conversions_round_up() -> None:
    values = Parameters(XBOX)
    assert values.of_cycles(1) == 1173  # 1172.33
    assert values.of_cycles(853) == 10**6
    assert values.span("memory rate", 683) == 10_000
    assert values.span("memory rate", 684) == 10_015  # 10014.6
    assert values.span("sm rate", 768 * 853) == 10**6
    assert values.amount("memory rate", 683) == 10_000 * 10**6


def test_what_the_caller_sets_holds() -> None:
    values = Parameters(HAWAII, {"launch": 0, "memory rate": 10**9})
    assert values.cycles("launch") == 0
    assert values.span("memory rate", 1) == 1000
    assert Parameters(HAWAII).cycles("launch") == 100_000


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("lunch", 5, "no parameter 'lunch' (did you mean 'launch'?)"),
        ("launch", -1, "parameter 'launch' is -1; expected 0 to "),
        ("launch", 10**16, "parameter 'launch' is 10000000000000000"),
        ("memory rate", 0, "parameter 'memory rate' is 0; expected 1 to "),
        ("residency of a work", 10**6 + 1, "expected 1 to 1000000 (ppm)"),
        ("launch", 10**9 + 1, "parameter 'launch' takes 2 s; expected up to 1 s"),
        ("GPU clock", 1, "parameter 'PFP packet' takes 10 s"),
        ("memory rate", 1, "parameter 'capacity tcc' at 'memory rate' takes 1,048,576 s"),
        ("capacity k", 10**13, "parameter 'capacity k' at 'l2 rate' takes 10 s"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(name: str, value: int, said: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        simulate(read("draw"), Options({name: value}))
    assert said in str(caught.value)


def test_what_takes_a_second_is_not_refused() -> None:
    values = Parameters(HAWAII, {"launch": 10**9, "capacity tcc": 320_000_000_000})
    assert values.cycles("launch") == values.span("memory rate", values["capacity tcc"]) == 10**12


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(UsageProblem, match="no sharing rule 'fair'; expected fair-queues"):
        simulate(read("draw"), Options(sharing="fair"))
