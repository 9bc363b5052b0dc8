"""Random frame times: the same seed gives the same times, and they have the shape asked for."""

from __future__ import annotations

import statistics

import pytest

from fencepost.present import simulation_of
from fencepost.present.distributions import SHAPES, distribution_of

COUNT = 20_000
UNIFORM = [11850557662, 13730738949, 12000972609]
NORMAL = [15751867767, 16038138522, 15779363062]


def drawn(text: str, seed: str = "0") -> list[float]:
    return [time / 1e9 for time in distribution_of(text).draw(COUNT, seed)]


def test_a_number_is_constant() -> None:
    assert set(drawn("16.2")) == set(drawn("constant(16.2)")) == {16.2}


def test_the_same_times_everywhere() -> None:
    """Pinned: another Python or another system draws the same picoseconds."""
    assert distribution_of("uniform(10,20)").draw(3, "0 cpu") == UNIFORM
    assert distribution_of("normal(16.2, 0.5)").draw(3, "0 cpu") == NORMAL


@pytest.mark.parametrize(
    ("text", "mean", "deviation"),
    [
        ("uniform(10,20)", 15, 10 / 12**0.5),
        ("normal(16.2,0.5)", 16.2, 0.5),
        ("lognormal(16.2,3)", 16.2, 3),
        ("spikes(10,40,25)", 17.5, 30 * (0.25 * 0.75) ** 0.5),
    ],
)
def test_mean_and_deviation(text: str, mean: float, deviation: float) -> None:
    times = drawn(text)
    assert statistics.fmean(times) == pytest.approx(mean, rel=0.02)
    assert statistics.pstdev(times) == pytest.approx(deviation, rel=0.04)


def test_bounds() -> None:
    times = drawn("uniform(10,20)")
    assert 10 <= min(times) < 10.1
    assert 19.9 < max(times) <= 20
    assert min(drawn("normal(1,5)")) == 0
    assert min(drawn("lognormal(16,8)")) > 0
    assert set(drawn("lognormal(0,8)")) == {0}
    assert set(drawn("spikes(10,40,25)")) == {10, 40}


def test_a_lognormal_leans_to_long_frames() -> None:
    times = drawn("lognormal(16,8)")
    assert statistics.median(times) < statistics.fmean(times) - 1


def test_seeds() -> None:
    assert drawn("normal(16,1)", "1") == drawn("normal(16,1)", "1")
    assert drawn("normal(16,1)", "1") != drawn("normal(16,1)", "2")


def test_cpu_and_gpu_are_drawn_apart() -> None:
    frames = simulation_of(["cpu=normal(16,1)", "gpu=normal(16,1)", "frames=10"]).frames
    again = simulation_of(["cpu=normal(16,1)", "gpu=normal(16,1)", "frames=10"]).frames
    other = simulation_of(["cpu=normal(16,1)", "gpu=normal(16,1)", "frames=10", "seed=1"]).frames
    assert frames == again != other
    assert frames.cpu != frames.gpu


def test_every_shape_is_tried_here() -> None:
    assert {shape.name for shape in SHAPES} == {
        *("constant", "uniform", "normal", "lognormal", "spikes"),
    }
