"""A difference that is planted: the checker runs on a machine with one row weakened.

Whatever program shows it first, the shrinker ends at the smallest stream that shows it.
"""

from __future__ import annotations

from itertools import product

import pytest

from fencepost.coherence import Kind, check
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.coherence.rows.mutations import MUTATIONS
from tests.verify.cases import stream
from verify.alphabet import program_of, read
from verify.enumerate import SETTINGS, Setting
from verify.larger import SYNCS, WORKS, Judges, find_difference, judges
from verify.shrink import size_of, smaller, smallest

SETTING = SETTINGS[0]
ITEMS = (*WORKS, *SYNCS)

PLANTED = {
    "command PartialFlush cs: without Drain(groups=('cs',))": (
        """
draw vs.texture buf; ps.code buf
wait idle
sync me tcc.wbinv tcp.wbinv k.inv i.inv
dispatch cs.uav-write buf miss-evict
event cb.pixels.wb
eos ps label = 2
flush cs
sync pfp coherent cb0 db all
sync me tcc.wbinv tcp.wbinv k.inv i.inv
draw vs.texture buf[0:32]; ps.constant buf[32:64]
pfp-sync-me
draw pfp.index buf""",
        """
dispatch cs.uav buf
flush cs
draw ps.code buf""",
    ),
    "way waves.constant: without k": (
        """
draw ps.constant buf[32:64]
wait idle
event cb.metadata.wbinv
dispatch cs.atomic buf
wait idle
sync me tcc.wbinv tcp.wbinv i.inv
pfp-sync-me
draw ps.constant buf[32:64]; vs.texture buf miss-lru
wait idle
draw db.test depth""",
        """
dispatch cs.uav-write buf[0:32]; cs.constant buf[32:64]
flush cs
draw ps.constant buf""",
    ),
}
"""What is weakened in the checker alone: a large stream that shows it, and the smallest."""

SMALL = read(
    """
dispatch cs.uav buf
draw so.write buf
draw so.write buf[0:32]
draw ps.code buf
draw ps.constant buf
draw ps.constant buf[32:64]
dispatch cs.uav-write buf[0:32]; cs.constant buf[32:64]
flush cs
wait idle
"""
)


def planted(name: str) -> Judges:
    return Judges(SETTING, MUTATIONS[name].change(SETTING.machine))


def listing(program: Program) -> list[str]:
    """The commands alone, without columns."""
    lines = size_of(program)[3].split("queue gfx: graphics\n")[1].splitlines()
    return [" ".join(line.split()) for line in lines]


@pytest.mark.parametrize("name", PLANTED)
def test_it_ends_at_the_smallest(name: str) -> None:
    large, small = PLANTED[name]
    found = smallest(stream(large), planted(name).differ, ITEMS)
    assert listing(found) == listing(stream(small))


@pytest.mark.parametrize("name", PLANTED)
def test_nothing_smaller_differs(name: str) -> None:
    """No step down, and no program at all of fewer such commands."""
    judging, program = planted(name), stream(PLANTED[name][1])
    assert judging.differ(program)
    assert not any(map(judging.differ, smaller(program, ITEMS)))
    for length in range(1, len(program.queues[0].commands)):
        for items in product(SMALL, repeat=length):
            assert not judging.differ(program_of(items, SETTING.machine.name))


def test_a_program_that_does_not_differ_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not do what is asked for"):
        smallest(stream("draw ps.texture buf"), judges(SETTING).differ)


def test_random_programs_find_it_and_print_a_stream_that_check_reads() -> None:
    name = next(name for name in MUTATIONS if name.startswith("command WaitIdle: without Drain"))
    found = find_difference(planted(name), 60, 1)
    assert found is not None
    assert listing(found.program) == ["draw so.write buf", "wait idle", "draw ps.code buf"]
    text = found.text()
    assert text.startswith("# xbox-one documented, family larger programs\n# explorer: clean")
    program = parse_text(text, "difference.fence")
    assert check(program, SETTING.machine, SETTING.guarantees).of(Kind.HAZARD) == ()
    assert find_difference(planted(name), 60, 1) == found


@pytest.mark.parametrize("setting", SETTINGS, ids=[setting.name for setting in SETTINGS])
def test_larger_random_programs_do_not_differ(setting: Setting) -> None:
    found = find_difference(judges(setting), 100)
    assert found is None, found.text()
