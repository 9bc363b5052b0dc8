"""The checker agrees with the explorer: a sample of what `python -m verify` compares."""

from __future__ import annotations

import pytest

from fencepost.coherence import Kind, check
from verify.alphabet import program_of
from verify.compare import Result, compare, first_hazard
from verify.enumerate import FAMILIES as ALL_FAMILIES
from verify.enumerate import SETTINGS, Family, Setting
from verify.queues import QueueFamily

FAMILIES = [(setting, family) for setting in SETTINGS for family in setting.families()]
NAMES = [f"{setting.name} {family.name}" for setting, family in FAMILIES]
STRIDE = 211
"""Every so-manieth program of a head; a prime, so that all commands come up."""

HEADS = 9
"""Every so-manieth head: what stands first in the programs of a family."""


@pytest.mark.parametrize(("setting", "family"), FAMILIES, ids=NAMES)
def test_no_program_on_which_they_differ(setting: Setting, family: Family | QueueFamily) -> None:
    """Each head begins at another program, so that the sample meets all commands."""
    total = Result()
    for number, head in enumerate(family.heads()):
        if number % HEADS == 0:
            total.add(compare(setting, family, head, STRIDE, number % STRIDE))
    assert total.programs
    assert not total.disagreements, "\n".join(one.text() for one in total.smallest)


@pytest.mark.parametrize("family", ALL_FAMILIES, ids=[family.name for family in ALL_FAMILIES])
def test_what_is_compared_is_what_check_reports(family: Family) -> None:
    setting = SETTINGS[0]
    for works in list(family.heads())[::97]:
        for items in family.programs(works, 499):
            program = program_of(items, setting.machine.name)
            hazards = check(program, setting.machine, setting.guarantees).of(Kind.HAZARD)
            first = min((one.later.position for one in hazards), default=None)
            assert first == first_hazard(program, setting.machine, setting.guarantees)[0]
