"""The limits of the diagnosis are assumed: moving one by a fifth changes no known verdict."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from fencepost.present import causes, diagnosis, evidence, refresh
from fencepost.present.diagnosis import diagnose
from fencepost.present.observed import Observed, observed_of_chain
from fencepost.present.thresholds import THRESHOLDS, Threshold
from tests.present.real_captures import chain, needs_data

MODULES: tuple[ModuleType, ...] = (causes, diagnosis, evidence, refresh)
KNOWN = {
    "pm_aux_F00_heaven_windowed.csv": ("Heaven.exe", "present-bound"),
    "capframex_judgment.json": ("", "present-bound"),
    "pmcap_apex_dx12.csv": ("", "gpu-bound"),
    "pm1_csgo.csv": ("", "compositor-limited"),
    "capframex_csv_re2.csv": ("", "compositor-limited"),
    "pm_gold_5_v24.csv": ("PresentBench.exe", "compositor-limited"),
}
FULL = {"gpu-full", "utilisation-full"}
"""A fifth above them is more than all: for these a twentieth up, a fifth down."""


@contextmanager
def moved(limit: Threshold, factor: float) -> Iterator[None]:
    """The limit as all modules see it, times a factor."""
    other = limit._replace(value=limit.value * factor)
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            for name, value in list(vars(module).items()):
                if value is limit:
                    patch.setattr(module, name, other)
        yield


def observed(name: str) -> Observed:
    return observed_of_chain(chain(name, KNOWN[name][0]))


@needs_data
@pytest.mark.parametrize("name", sorted(KNOWN))
def test_no_known_verdict_hangs_on_a_limit(name: str) -> None:
    seen = observed(name)
    changed = []
    for limit in THRESHOLDS:
        for factor in (0.8, 1.05 if limit.name in FULL else 1.2):
            with moved(limit, factor):
                verdict = diagnose(seen).cause.verdict.value
            if verdict != KNOWN[name][1]:
                changed.append((limit.name, factor, verdict))
    assert changed == []


@needs_data
def test_a_limit_that_is_moved_far_changes_a_verdict() -> None:
    """So that the test above can fail."""
    (blocked,) = [limit for limit in THRESHOLDS if limit.name == "blocked"]
    heaven = observed("pm_aux_F00_heaven_windowed.csv")
    with moved(blocked, 8):
        assert diagnose(heaven).cause.id != "swap-throttle"
    assert diagnose(heaven).cause.id == "swap-throttle"
