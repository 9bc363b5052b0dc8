"""Settings written as words are read back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from fencepost.present import Settings, change, simulation_of
from fencepost.present.spelling import spelled
from fencepost.present.words import words_of
from tests.present.figures import FIGURES, NAMES
from tests.present.strategies import settings

DIGITS = 1e-8


def near(one: Settings, other: Settings) -> bool:
    """Equal, but for times that nine digits do not hold."""
    assert one.display.refresh == pytest.approx(other.display.refresh, rel=DIGITS)
    assert one.display.longest == pytest.approx(other.display.longest, rel=DIGITS)
    times = ("overhead", "start", "cap")
    for name in times:
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=DIGITS, abs=1)
    display = replace(one.display, refresh=other.display.refresh, longest=other.display.longest)
    same = {name: getattr(other, name) for name in times}
    return replace(one, display=display, **same) == other


@given(settings())
def test_settings_come_back(made: Settings) -> None:
    if made.cap and not 10**8 <= made.cap <= 10**12:
        made = replace(made, cap=0)  # no rate of 1 to 10000 a second
    if made.display.longest == made.display.refresh:
        made = replace(made, display=replace(made.display, longest=0))
    assert near(change(Settings(), spelled(made)), made)


@given(settings(planes=2))
def test_two_planes_come_back(made: Settings) -> None:
    if made.cap and not 10**8 <= made.cap <= 10**12:
        made = replace(made, cap=0)
    assert near(change(Settings(), spelled(made)), made)


@pytest.mark.parametrize("name", NAMES)
def test_the_figures_are_spelled_as_they_are_written(name: str) -> None:
    made = simulation_of(words_of((FIGURES / f"{name}.txt").read_text(encoding="utf-8")))
    assert change(Settings(), spelled(made.settings)) == made.settings


def test_some_words_are_always_there() -> None:
    assert spelled(Settings()) == ["buffers=2", "interval=1", "refresh=60", "overhead=1.5"]


def test_a_second_plane_has_its_own() -> None:
    words = ["plane2.interval=2", "plane2.x=100", "plane2.bind=late"]
    made = spelled(change(Settings(), words))
    assert [word for word in made if word.startswith("plane2.")] == [
        "plane2.buffers=2",
        "plane2.bind=late",
        "plane2.interval=2",
        "plane2.x=100",
    ]
