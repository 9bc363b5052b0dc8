"""The explorer leaves much out to be fast; a plain machine that leaves nothing out agrees."""

from __future__ import annotations

import random

import pytest

from tests.verify.plain import goes_wrong
from verify.alphabet import program_of
from verify.enumerate import SETTINGS, Family, Items, Setting
from verify.explore import Tally, bytes_of_interest, first_fault, works_of
from verify.lower import lower
from verify.machine import ByteMachine

FAMILIES = [(setting, family) for setting in SETTINGS for family in setting.one_queue()]


def chosen(family: Family, count: int) -> list[Items]:
    """Programs of a family, drawn with a fixed seed."""
    draw = random.Random(family.name)
    heads = list(family.heads())
    programs = [draw.choice(list(family.programs(draw.choice(heads), 41))) for _ in range(count)]
    return [one for one in programs if len(one) < 7]


@pytest.mark.parametrize(
    ("setting", "family"), FAMILIES, ids=[f"{s.name} {f.name}" for s, f in FAMILIES]
)
def test_the_plain_machine_agrees(setting: Setting, family: Family) -> None:
    for items in chosen(family, 25):
        program = program_of(items, setting.machine.name)
        accesses = [access for work in works_of(program) for access in work.accesses]
        for byte in bytes_of_interest(program, accesses, setting.machine.line):
            lowered = lower(program, setting.machine, setting.guarantees, byte)
            fast = bool(first_fault(ByteMachine(lowered), Tally()))
            assert fast == goes_wrong(lowered), [item.text for item in items]
