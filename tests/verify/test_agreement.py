"""The checker agrees with the explorer: a sample of what `python -m verify` compares."""

from __future__ import annotations

from itertools import islice

import pytest

from fencepost.coherence import Kind, check
from verify.alphabet import program_of
from verify.compare import compare, first_hazard
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
    for head in islice(family.heads(), 0, None, HEADS):
        result = compare(setting, family, head, STRIDE)
        assert result.programs
        assert not result.disagreements, "\n".join(one.text() for one in result.smallest)


@pytest.mark.parametrize("family", ALL_FAMILIES, ids=[family.name for family in ALL_FAMILIES])
def test_what_is_compared_is_what_check_reports(family: Family) -> None:
    setting = SETTINGS[0]
    for works in list(family.heads())[::97]:
        for items in family.programs(works, 499):
            program = program_of(items, setting.machine.name)
            hazards = check(program, setting.machine, setting.guarantees).of(Kind.HAZARD)
            first = min((one.later.position for one in hazards), default=None)
            assert first == first_hazard(program, setting.machine, setting.guarantees)[0]
