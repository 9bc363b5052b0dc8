"""Properties of the explorer itself, on programs drawn from its alphabet."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from verify.alphabet import HALVES, Item, program_of, read
from verify.enumerate import ALL_SYNCS, ALL_WORKS, SETTINGS, Setting
from verify.explore import Tally, explore

HEAVIEST = read(
    """
dma wait me
wait idle
event cb.pixels.wbinv
event cb.metadata.wbinv
event db.pixels.wbinv
event db.metadata.wbinv
eop with tcc.wbinv tcp.wbinv
wait idle
sync me tcc.wbinv tcp.wbinv k.inv i.inv
pfp-sync-me
"""
)
QUIET = tuple(
    one
    for one in ALL_SYNCS
    if not one.text.startswith(("context", "sync", "eos", "wait me", "wait pfp"))
    and "label" not in one.text
)
"""What neither rolls a context nor concerns a label."""

works = st.sampled_from(ALL_WORKS)
halves = st.sampled_from(read(HALVES))
syncs = st.sampled_from(ALL_SYNCS)
any_setting = st.sampled_from(SETTINGS)
programs = st.lists(works | halves | syncs, min_size=2, max_size=6)


def position(items: list[Item], setting: Setting) -> int | None:
    program = program_of(items, setting.machine.name)
    return explore(program, setting.machine, setting.guarantees, Tally()).position


@given(st.lists(works | halves, min_size=2, max_size=3), any_setting)
def test_the_heaviest_barrier_between_all_works_makes_it_clean(
    chosen: list[Item], setting: Setting
) -> None:
    assert position([step for work in chosen for step in (work, *HEAVIEST)], setting) is None


@given(programs, st.sampled_from(QUIET), st.integers(0, 6), any_setting)
def test_more_synchronization_adds_no_hazard(
    chosen: list[Item], more: Item, place: int, setting: Setting
) -> None:
    place = min(place, len(chosen))
    before = position(chosen, setting)
    after = position([*chosen[:place], more, *chosen[place:]], setting)
    if before is None:
        assert after is None
    elif after is not None:
        assert after >= before + (place <= before)


@given(programs, any_setting)
@settings(max_examples=60)
def test_strict_finds_what_documented_finds(chosen: list[Item], setting: Setting) -> None:
    strict = position(chosen, Setting(setting.machine, "strict"))
    documented = position(chosen, Setting(setting.machine, "documented"))
    if documented is not None:
        assert strict is not None
        assert strict <= documented


@given(programs, any_setting)
def test_the_two_halves_of_a_line_are_alike(chosen: list[Item], setting: Setting) -> None:
    lines = [item.text for item in chosen]
    swapped = [
        line.replace("[0:32]", "[+]").replace("[32:64]", "[0:32]").replace("[+]", "[32:64]")
        for line in lines
    ]
    again = [item for line in swapped for item in read(line)]
    assert position(again, setting) == position(chosen, setting)


@given(programs, works, any_setting)
def test_a_longer_program_keeps_its_first_hazard(
    chosen: list[Item], last: Item, setting: Setting
) -> None:
    first = position(chosen, setting)
    if first is not None:
        assert position([*chosen, last], setting) == first
