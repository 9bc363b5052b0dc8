"""What-ifs: words, contradictions, faster work, and what comes out of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import UsageProblem
from fencepost.present import Settings, change, constant
from fencepost.present.analysis import analyse_simulation
from fencepost.present.whatif import apply_what_if, parse_what_if, scaled
from tests.present.strategies import frames

MS = 10**9
FIGURE_2 = ("cpu=16.2", "gpu=15.4", "buffers=2", "bind=early")

REFUSED = [
    ("", "a what-if without settings"),
    ("bufers=3", "unknown setting 'bufers' (did you mean 'buffers'?)"),
    ("SyncIntervall=2", "unknown setting 'SyncIntervall' (did you mean 'interval'?)"),
    ("gpuu=80%", "unknown setting 'gpuu' (did you mean 'gpu'?)"),
    ("nonsense", "unknown setting 'nonsense'; expected one of cpu, gpu, buffers"),
    ("gpu=80% gpu=90%", "gpu is given twice; expected once"),
    ("gpu=15", "gpu is 15; expected a part of each frame's time, like gpu=80%"),
    ("gpu=nan%", "gpu is nan; expected a finite number"),
    ("gpu=-1%", "gpu is -1%; expected 0 to 1000 %"),
    ("cpu=1001%", "cpu is 1001%; expected 0 to 1000 %"),
    ("cpu=%", "cpu is %; expected a part"),
    ("width=100", "width says where a plane is shown, which changes no times"),
    ("plane2.opacity=50", "opacity says where a plane is shown"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_a_bad_what_if_is_one_clear_error(words: str, message: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        parse_what_if(words.split())
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


CONTRADICTORY = [
    ("interval=0 threshold=10", "a threshold means nothing at interval 0"),
    ("cap-at=present", "cap-at without a cap"),
    ("buffers=1 bind=late", "nothing waits for a single buffer"),
    ("buffers=1 interval=2", "an interval means nothing for a single buffer"),
    ("buffers=1 threshold=5", "a threshold means nothing for a single buffer"),
    ("vrr=40 threshold=5 interval=0", "a threshold means nothing at interval 0"),
    ("waitable", "a waitable object without a maximum frame latency"),
    ("vrr=40 compositor=copy", "a compositor with variable refresh is not modelled"),
    ("buffers=2 buffers=3", "buffers is given twice"),
    ("interval=5", "interval is 5; expected an integer, 0 to 4"),
    ("buffers=0", "buffers is 0; expected an integer, 1 to 3"),
    ("buffers=4", "buffers is 4; expected an integer, 1 to 3"),
    ("threshold=101", "threshold is 101; expected an integer, 0 to 100"),
    ("refresh=nan", "refresh is nan; expected a finite number"),
]


@pytest.mark.parametrize(("words", "message"), CONTRADICTORY)
def test_contradictions_name_the_what_if(words: str, message: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        apply_what_if(parse_what_if(words.split()), Settings())
    assert f"what-if '{words}': {message}" in str(caught.value)


@pytest.mark.parametrize(
    "words",
    ["interval=1 threshold=10", "cap=30 cap-at=present", "buffers=2 bind=late", "buffers=1",
     "buffers=2 interval=2", "vrr=40 threshold=5", "latency=1 waitable", "interval=0"],
)  # fmt: skip
def test_what_is_no_contradiction(words: str) -> None:
    apply_what_if(parse_what_if(words.split()), Settings())


def test_words_are_held_against_what_was_there_before() -> None:
    untorn = change(Settings(), ["interval=0"])
    with pytest.raises(UsageProblem, match="a threshold means nothing at interval 0"):
        apply_what_if(parse_what_if(["threshold=10"]), untorn)


def test_a_cap_point_needs_no_second_cap() -> None:
    capped = change(Settings(), ["cap=30"])
    apply_what_if(parse_what_if(["cap-at=present"]), capped)


@given(frames(), st.integers(0, 1000), st.integers(0, 1000))
def test_work_is_scaled_frame_by_frame(made: object, cpu: int, gpu: int) -> None:
    what_if = parse_what_if([f"cpu={cpu}%", f"gpu={gpu}%"])
    result = scaled(made, what_if)  # type: ignore[arg-type]
    for before, after, percent in (
        (made.cpu, result.cpu, cpu),  # type: ignore[attr-defined]
        (made.gpu, result.gpu, gpu),  # type: ignore[attr-defined]
    ):
        assert list(after) == [time * percent * 10_000 // 1_000_000 for time in before]


def test_nothing_scaled_is_the_same_frames() -> None:
    made = constant(MS, MS, 3)
    assert scaled(made, parse_what_if(["buffers=3"])) is made


def rates(*groups: str) -> list[float]:
    made = analyse_simulation(FIGURE_2, [parse_what_if(group.split()) for group in groups])
    (chain,) = made.chains
    assert chain.own is not None
    return [round(played.outcome.rate, 1) for played in (chain.own, *chain.what_ifs)]


def test_what_the_seed_says_of_figure_2() -> None:
    """Late bind or a third buffer give 60 FPS (P01); several what-ifs stand side by side."""
    assert rates("bind=late", "buffers=3") == [30, 60, 60]


def test_several_settings_of_one_what_if_act_together() -> None:
    """At 2 ms overhead a late bind gives 40; with three buffers it gives 60 whatever the bind."""
    assert rates("overhead=2 bind=late", "overhead=2 bind=late buffers=3") == [30, 40, 60]


def test_faster_work_is_a_what_if_too() -> None:
    assert rates("gpu=80%", "cpu=50%") == [30, 60, 30]


def test_a_what_if_that_changes_nothing_says_so() -> None:
    made = analyse_simulation(FIGURE_2, [parse_what_if(["buffers=2"]), parse_what_if(["cpu=90%"])])
    assert [played.same for played in made.chains[0].what_ifs] == [True, False]


def test_frames_that_vary_are_not_their_mean() -> None:
    """presentation.md 0.1: late bind gives 46 FPS where 16.2 and 15.4 vary by 1 ms."""
    words = ("cpu=normal(16.2,1)", "gpu=normal(15.4,1)", "frames=6000", "bind=late")
    made = analyse_simulation(words)
    assert made.chains[0].own is not None
    assert made.chains[0].own.outcome.rate == pytest.approx(45.9, abs=0.7)


def test_advice_is_tried() -> None:
    (chain,) = analyse_simulation(FIGURE_2).chains
    assert [(it.played.name, round(it.played.outcome.rate)) for it in chain.tried] == [
        ("bind=late", 60),
        ("buffers=3", 60),
    ]
    assert [it.advice for it in chain.tried] == list(chain.diagnosis.cause.advice)


@pytest.mark.parametrize(
    ("words", "tried"),
    [
        ("cpu=4 gpu=6 buffers=2", ["latency=1 waitable"]),
        ("cpu=4 gpu=6 buffers=2 latency=1 waitable overhead=0", []),
        ("cpu=5 gpu=20 buffers=2", ["buffers=3", "threshold=100"]),
        ("cpu=5 gpu=20 buffers=2 compositor=copy", ["buffers=3"]),
        ("cpu=5 gpu=20 interval=0", ["gpu=90%", "latency=1"]),
        ("cpu=5 gpu=9 interval=0 cap=40", ["cap=off"]),
        ("cpu=20 gpu=9 interval=0 throttle=off", []),
    ],
)
def test_what_is_tried(words: str, tried: list[str]) -> None:
    """What changes nothing, or is not possible beside the settings, is not."""
    (chain,) = analyse_simulation(words.split()).chains
    assert [it.played.name for it in chain.tried] == tried


def test_two_planes_are_two_chains() -> None:
    words = ("cpu=5", "gpu=5", "plane2.interval=2", "presents=1,both")
    made = analyse_simulation(words, [parse_what_if(["plane2.buffers=3"])])
    assert [chain.label for chain in made.chains] == ["plane 1", "plane 2"]
    assert all(len(chain.what_ifs) == 1 for chain in made.chains)


@pytest.mark.parametrize("words", ["cpu=1 gpu=1 frames=2", "cpu=1 gpu=1 plane2.buffers=2"])
def test_too_few_presents_are_refused(words: str) -> None:
    with pytest.raises(UsageProblem, match="presents of plane"):
        analyse_simulation(words.split())
