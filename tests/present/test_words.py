"""Settings as words, and everything that is refused, each in one line."""

from __future__ import annotations

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import FencepostError, UsageProblem
from fencepost.present import (
    CapPoint,
    Compositor,
    Display,
    Mode,
    Plane,
    Settings,
    SwapChain,
    change,
    change_chain,
    constant,
    frame_times,
    replay,
    simulation_of,
    summarize,
)
from fencepost.present.units import in_milliseconds, milliseconds, parts_of, period_of
from fencepost.present.words import WORDS, words_of


def changed(words: str) -> Settings:
    return change(Settings(), words.split())


def test_defaults() -> None:
    assert changed("") == Settings()
    assert Settings().chain == SwapChain(2, 1, 0, 0)
    assert Settings().overhead == 1_500_000_000
    assert Settings().display.refresh == 16_666_666_667


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("buffers=3 bind=late interval=2", {"buffers": 3, "bind": 900_000, "interval": 2}),
        ("threshold=10 bind=0.25", {"threshold": 10, "bind": 250_000}),
        ("PresentIntervalThreshold=10", {"threshold": 10}),
        ("PresentImmediateThreshold=10", {"threshold": 10}),
        ("presentimmediatethreshold=10", {"threshold": 10}),
        ("SyncInterval=0 uav", {"interval": 0, "bound_as_uav": True}),
        ("uav=off bind=early", {"bound_as_uav": False, "bind": 0}),
    ],
)
def test_words_of_a_swap_chain(words: str, fields: dict[str, object]) -> None:
    assert changed(words).chain == dataclasses.replace(SwapChain(), **fields)  # type: ignore[arg-type]


def test_words_of_display_and_pacing() -> None:
    found = changed(
        "refresh=120 vrr=48 lines=1440 cap=57 cap-at=present latency=1 waitable in-flight=2"
        " throttle=off kickoff=0.5 overhead=0.25 start=3"
    )
    assert found == Settings(
        display=Display(period_of(120), period_of(48), 1440),
        cap=period_of(57),
        cap_point=CapPoint.PRESENT,
        latency=1,
        waitable=True,
        frames_in_flight=2,
        swap_throttle=False,
        kickoff=500_000,
        overhead=250_000_000,
        start=3_000_000_000,
    )
    assert change(found, ["vrr=off", "cap=off", "latency=off", "waitable=off"]) == (
        dataclasses.replace(
            found,
            display=dataclasses.replace(found.display, longest=0),
            cap=0,
            latency=None,
            waitable=False,
        )
    )
    assert changed("vrr").display.longest == period_of(1)
    assert changed("compositor=copy").display.compositor is Compositor.COPY
    assert changed("mode=xbox-360-synchronous").mode is Mode.XBOX_360_SYNCHRONOUS


def test_words_of_planes() -> None:
    found = changed("buffers=3 plane1.interval=2 plane2.buffers=1 plane2.x=7 plane2.scale-x=50")
    assert found.planes == (
        Plane(SwapChain(buffers=3, interval=2)),
        Plane(SwapChain(buffers=1), x=7, scale_x=50),
    )
    assert changed("plane2.ScaleFactorVert=50").planes[1].scale_y == 50


def test_every_word_names_a_field_and_a_source() -> None:
    parts = {"chain": SwapChain, "plane": Plane, "display": Display, "settings": Settings}
    named = {(word.part, word.field) for word in WORDS}
    for part, kind in parts.items():
        fields = {item.name for item in dataclasses.fields(kind)}
        assert {field for of, field in named if of == part} <= fields
    assert all(word.source for word in WORDS)
    assert len(named) == len(WORDS)


def test_a_text_of_words() -> None:
    assert words_of("# figure\r\nbuffers=3  bind=late # why\n\ninterval=2") == [
        "buffers=3",
        "bind=late",
        "interval=2",
    ]


REFUSED = [
    ("buffers=0", "buffers is 0; expected an integer, 1 to 3"),
    ("buffers=4", "buffers is 4; expected an integer, 1 to 3"),
    ("buffers=nan", "buffers is nan; expected an integer"),
    ("buffers=", "buffers is ; expected an integer"),
    ("interval=5", "interval is 5; expected an integer, 0 to 4"),
    ("interval=-1", "interval is -1; expected an integer, 0 to 4"),
    ("threshold=101", "threshold is 101; expected an integer, 0 to 100"),
    ("PresentImmediateThreshold=101", "threshold is 101; expected an integer, 0 to 100"),
    ("bind=1.01", "bind is 1.01; expected 0 to 1"),
    ("bind=nan", "bind is nan; expected a finite number"),
    ("bind=soon", "bind is soon; expected a finite number"),
    ("overhead=-1", "overhead is -1 ms; expected 0 to 1000000 ms"),
    ("overhead=nan", "overhead is nan; expected a finite number"),
    ("overhead=inf", "overhead is inf; expected a finite number"),
    ("refresh=0", "refresh is 0 a second; expected 1 to 10000"),
    ("refresh=60 vrr=61", "longest refresh is 16393442623 ps; expected at least 16666666667 ps"),
    ("cap=-5", "cap is -5 a second; expected 1 to 10000"),
    ("latency=17", "latency is 17; expected an integer, 0 to 16"),
    ("in-flight=0", "frames in flight is 0; expected an integer, 1 to 16"),
    ("uav=maybe", "uav is maybe; expected on or off"),
    ("cap-at=end", "cap-at is end; expected start, present"),
    ("waitable", "a waitable object without a maximum frame latency; expected latency=N beside it"),
    ("buffers=2 buffers=3", "buffers is given twice; expected once"),
    ("threshold=1 PresentIntervalThreshold=2", "threshold is given twice; expected once"),
    ("vrr plane2.x=1", "variable refresh with two planes is not modelled; expected one plane"),
    ("compositor=copy threshold=5", "a compositor takes frames at the VSync only"),
    ("compositor=copy interval=0", "a compositor drops frames"),
    ("compositor=hold buffers=1", "a compositor drops frames"),
    ("compositor=copy vrr", "a compositor with variable refresh is not modelled"),
    ("mode=xbox-360-synchronous vrr", "the synchronous mode of Xbox 360 has one plane"),
    ("bufers=3", "unknown setting 'bufers' (did you mean 'buffers'?); expected one"),
    ("plane3.buffers=3", "unknown setting 'plane3.buffers'; expected"),
    ("plane2.refresh=3", "unknown setting 'plane2.refresh'; expected"),
    ("=3", "unknown setting ''; expected"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_a_bad_setting_is_one_clear_error(words: str, message: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        changed(words)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("field", ["buffers", "interval", "threshold", "bind"])
@pytest.mark.parametrize("value", [math.nan, 1.0, "1", None, -1, 10**7])
def test_a_bad_field_is_refused_without_words(field: str, value: object) -> None:
    with pytest.raises(UsageProblem, match=f"^{field} is .*; expected an integer, "):
        change_chain(Settings(), 0, **{field: value})


def test_a_plane_too_many() -> None:
    with pytest.raises(UsageProblem, match="wrong number of planes"):
        Settings(planes=(Plane(), Plane(), Plane()))
    with pytest.raises(UsageProblem, match="wrong number of planes"):
        Settings(planes=())
    with pytest.raises(UsageProblem, match="no plane 2; expected a plane that is there"):
        change_chain(Settings(), plane=1, buffers=3)


@pytest.mark.parametrize(
    ("cpu", "gpu", "message"),
    [
        ([1, -1], [1, 1], "CPU time of frame 1 is -1 ps; expected 0 to"),
        ([1], [10**16], "GPU time of frame 0 is 10000000000000000 ps; expected 0 to"),
        ([1, math.nan], [1, 1], "CPU time of frame 1 is nan; expected an integer of picoseconds"),
        ([1], [1.5], "GPU time of frame 0 is 1.5; expected an integer of picoseconds"),
        ([1], [10**30], "GPU time of frame 0 is 1"),
        ([1], [None], "GPU time of frame 0 is None; expected an integer of picoseconds"),
        ([], [], "no frames; expected at least one"),
        ([1, 2], [1], "2 CPU times, 1 GPU times, 2 presents; expected as many of each"),
    ],
)
def test_bad_frame_times(cpu: list[int], gpu: list[int], message: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        frame_times(cpu, gpu)
    assert str(caught.value).startswith(message)


def test_presents_for_planes_that_are_not_there() -> None:
    with pytest.raises(UsageProblem, match="present 1 is for planes 4; expected 1"):
        frame_times([1, 1], [1, 1], [1, 4])
    with pytest.raises(UsageProblem, match="a present for the second plane; expected two planes"):
        replay(frame_times([1], [1], [3]), Settings())


def test_what_would_not_fit_into_64_bits_is_refused() -> None:
    longest = milliseconds(1_000_000)
    with pytest.raises(UsageProblem, match="the frames last too long; expected less than 50 days"):
        replay(constant(longest, longest, 3000), Settings())
    last = replay(constant(longest, longest, 1500), Settings()).timeline.flip[-1]
    assert 0 < last < 1 << 63


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("gpu=1", "no cpu time; expected cpu=MILLISECONDS"),
        ("cpu=-1 gpu=1", "cpu is -1 ms; expected 0 to 1000000 ms"),
        ("cpu=nan gpu=1", "cpu is nan; expected a finite number"),
        ("cpu=1 gpu=normal(1)", "gpu has 1 arguments; expected normal(mean, deviation)"),
        ("cpu=1 gpu=poisson(1)", "gpu has the unknown distribution poisson; expected constant("),
        ("cpu=1 gpu=normal(1,nan)", "deviation is nan; expected a finite number"),
        ("cpu=1 gpu=normal(-1,1)", "mean is -1 ms; expected 0 to 1000000 ms"),
        ("cpu=1 gpu=spikes(1,2,101)", "share% is 1.01; expected 0 to 1"),
        ("cpu=1 gpu=1 cpu=2", "cpu is given twice; expected once"),
        ("cpu=1 gpu=1 frames=0", "frames is 0; expected an integer, 1 to 10000000"),
        ("cpu=1 gpu=1 seed=x", "seed is x; expected an integer"),
        ("cpu=1 gpu=1 presents=3", "presents is 3; expected 1, 2 or both, with commas between"),
    ],
)
def test_a_bad_simulation_is_one_clear_error(words: str, message: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        simulation_of(words.split())
    assert str(caught.value).startswith(message)


def test_a_summary_of_less_than_two_presents() -> None:
    result = replay(constant(1, 1, 3), Settings())
    assert summarize(result, skip=1).presents == 2
    with pytest.raises(UsageProblem, match="1 presents to summarize; expected at least two"):
        summarize(result, skip=2)


def refusal(words: list[str]) -> str:
    """Why words are refused; empty if they are not, and then they play."""
    try:
        settings = change(Settings(), words)
    except FencepostError as problem:
        return str(problem)
    replay(constant(1, 1, 3), settings)
    return ""


NAMES = st.sampled_from([word.name for word in WORDS])
VALUES = st.text(max_size=12) | st.sampled_from(
    ["0", "1", "2", "1e3", "-1", "nan", "9" * 5000, "off", "late", "copy"]
)


@given(st.lists(st.text(max_size=12) | st.builds("{}={}".format, NAMES, VALUES), max_size=4))
def test_fuzz_words(words: list[str]) -> None:
    """Whatever is written, it is understood or refused in one short line."""
    message = refusal(words)
    assert len(message.splitlines()) <= 1
    assert len(message) < 400
    assert not message or "; expected " in message


def test_units() -> None:
    assert milliseconds("16.2") == 16_200_000_000 == milliseconds(16.2)
    assert period_of("59.94") == 16_683_350_017
    assert parts_of(1) == 1_000_000
    assert in_milliseconds(1_500_000_000) == 1.5
