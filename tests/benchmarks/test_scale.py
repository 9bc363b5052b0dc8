"""The measures of the benchmarks measure what they say."""

from __future__ import annotations

import pytest

from benchmarks.memory import peak_bytes
from benchmarks.scale import Sample, exponent


@pytest.mark.parametrize(("seconds", "expected"), [(10.0, 1.0), (100.0, 2.0), (1.0, 0.0)])
def test_exponent_is_the_power_that_time_grows_with(seconds: float, expected: float) -> None:
    small, large = Sample(1_000, 1.0, None), Sample(10_000, seconds, None)
    assert exponent(small, large) == pytest.approx(expected)


def test_a_sample_says_rate_and_peak() -> None:
    words = " ".join(str(Sample(1_000, 0.5, 3 * 2**20)).split())
    assert words == "1,000 commands 2,000 commands/s peak 3 MiB"
    assert str(Sample(1_000, 0.5, None)).endswith("peak unknown")


def test_peak_counts_what_was_held() -> None:
    before = peak_bytes()
    held = b"x" * (64 * 2**20)  # written to, so that it is really there
    after = peak_bytes()
    if before is not None and after is not None:
        assert after >= len(held)
