"""Plans cost what brute force over all placements and kinds costs (`python -m verify.plans`)."""

from __future__ import annotations

from itertools import islice, product

import pytest

from fencepost.plan.planning import plan
from verify.plans.compare import FIRST, LATER, SETTINGS, Setting, compare, program_of
from verify.plans.force import BruteForce

PAIRS = list(product(FIRST, LATER))
TRIPLES = list(islice(product(FIRST, LATER, LATER), 0, None, 661))
IDS = [setting.name for setting in SETTINGS]


@pytest.mark.parametrize("setting", SETTINGS, ids=IDS)
def test_no_pair_can_be_synchronized_for_less(setting: Setting) -> None:
    for words in PAIRS[::5]:
        assert compare(setting, words).worse == []


@pytest.mark.parametrize("setting", SETTINGS, ids=IDS)
def test_no_triple_can_be_synchronized_for_less(setting: Setting) -> None:
    for words in TRIPLES:
        assert compare(setting, words).worse == []


@pytest.mark.parametrize("setting", SETTINGS, ids=IDS)
def test_brute_force_finds_what_is_too_dear(setting: Setting) -> None:
    """It can fail: with a limit above the plan's it comes up with a program of the plan's cost."""
    for words in PAIRS[::41]:
        program = program_of(words, setting.machine.name)
        cycles = plan(program, setting.machine, setting.guarantees).cycles
        force = BruteForce(program, setting.machine, setting.guarantees)
        assert force.cheaper_than(cycles + 1).cycles == cycles
