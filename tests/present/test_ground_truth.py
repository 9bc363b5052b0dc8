"""Real captures whose limit is known (presentation.md 3), and files that must be refused."""

from __future__ import annotations

import pytest

from fencepost.errors import FencepostError
from fencepost.present.analysis import Analysed, replayed
from fencepost.present.captures import read
from fencepost.present.captures.table import MISSING
from fencepost.present.causes import Verdict
from fencepost.present.observed import observed_of_chain
from fencepost.present.thresholds import FULL_QUEUE
from fencepost.present.whatif import parse_what_if
from tests.present.real_captures import DIRECTORY, capture, chain, diagnosis, names, needs_data
from tests.present.replay_error import PAGE, page

pytestmark = needs_data

HEAVEN = "pm_aux_F00_heaven_windowed.csv"
JUDGMENT = "capframex_judgment.json"
APEX = "pmcap_apex_dx12.csv"
CSGO = "pm1_csgo.csv"
RE2 = "capframex_csv_re2.csv"
GOLD_5 = "pm_gold_5_v24.csv"
MS = 10**9


@pytest.mark.parametrize(
    ("name", "application", "verdict", "cause"),
    [
        (HEAVEN, "Heaven.exe", Verdict.PRESENT, "swap-throttle"),
        (JUDGMENT, "Judgment.exe", Verdict.PRESENT, "swap-throttle"),
        (APEX, "r5apex_dx12.exe", Verdict.GPU, "gpu-full"),
        (CSGO, "csgo.exe", Verdict.COMPOSITOR, "frames-never-shown"),
        (RE2, "re2.exe", Verdict.COMPOSITOR, "frames-never-shown"),
        (GOLD_5, "PresentBench.exe", Verdict.COMPOSITOR, "frames-never-shown"),
        ("fv_cp2077_4k_unlimited.csv", "Cyberpunk2077.exe", Verdict.GPU, "gpu-full"),
        ("fv_cp2077_4k_framegen.csv", "Cyberpunk2077.exe", Verdict.UNKNOWN, "undecided"),
        ("fv_cp2077_4k_cap30.csv", "Cyberpunk2077.exe", Verdict.CAPPED, "steady-pace"),
        ("pm1_farcry_newdawn.csv", "FarCryNewDawn.exe", Verdict.UNKNOWN, "undecided"),
        ("pm1_short.csv", "FarCryNewDawn.exe", Verdict.UNKNOWN, "too-few-frames"),
    ],
)
def test_stated_verdicts(name: str, application: str, verdict: Verdict, cause: str) -> None:
    found = diagnosis(name, application)
    assert (found.cause.verdict, found.cause.id) == (verdict, cause)


def test_heaven_is_present_bound_although_the_gpu_works_longer_than_the_cpu() -> None:
    """P52: Present 4.6 of 6.94 ms, GPU 2.6, CPU 2.3, 24.9 ms or 3.6 frames to the screen."""
    evidence = diagnosis(HEAVEN, "Heaven.exe").evidence
    assert evidence.blocked is not None
    assert evidence.gpu is not None
    assert evidence.cpu is not None
    assert evidence.frame_time / MS == pytest.approx(6.94, abs=0.01)
    assert evidence.blocked * evidence.frame_time / MS == pytest.approx(4.6, abs=0.05)
    assert (evidence.gpu / MS, evidence.cpu / MS) == pytest.approx((2.6, 2.3), abs=0.05)
    assert evidence.queued == pytest.approx(3.6, abs=0.05)
    assert diagnosis(HEAVEN, "Heaven.exe").until_shown.percentile(50) / MS == pytest.approx(
        24.9, abs=0.05
    )
    assert evidence.gpu > evidence.cpu


def test_judgment_has_a_full_queue() -> None:
    """P53: 56.2 ms, 3.3 frames; 99 % of the display intervals are one refresh, the rest two."""
    found = diagnosis(JUDGMENT)
    assert found.until_shown.percentile(50) / MS == pytest.approx(56.2, abs=0.1)
    assert found.evidence.queued == pytest.approx(3.3, abs=0.05)
    assert found.evidence.queued is not None
    assert found.evidence.queued >= FULL_QUEUE.value
    assert found.late is not None
    assert found.late / found.display_times.count == pytest.approx(0.01, abs=0.002)


@pytest.mark.parametrize(
    ("name", "application", "lost", "frames"),
    [
        (CSGO, "csgo.exe", 2095, 4265),
        (RE2, "re2.exe", 4236, 7285),
        (APEX, "r5apex_dx12.exe", 653, 3500),
        ("pm_gold_5_v1.csv", "PresentBench.exe", 84, 259),
    ],
)
def test_frames_that_were_never_shown(name: str, application: str, lost: int, frames: int) -> None:
    until = observed_of_chain(chain(name, application)).until_shown
    assert until is not None
    assert (until.count(MISSING), len(until)) == (lost, frames)


@pytest.mark.parametrize(("name", "rate"), [(CSGO, 60), (RE2, 120), (GOLD_5, 60)])
def test_where_frames_are_dropped_the_refresh_is_shown(name: str, rate: int) -> None:
    """P55."""
    assert diagnosis(name).evidence.on_grid == pytest.approx(1, abs=0.01)
    found = diagnosis(name, "PresentBench" if name == GOLD_5 else "")
    assert found.shown_rate == pytest.approx(rate, abs=1)


def test_what_limits_the_presents_of_dropped_frames() -> None:
    """RE2's GPU ends a frame 1.5 frames late; CS:GO's capture does not say what the GPU does."""
    re2, csgo = diagnosis(RE2).presents, diagnosis(CSGO).presents
    assert re2 is not None
    assert csgo is not None
    assert (re2.id, csgo.id) == ("gpu-behind", "undecided")


@pytest.mark.parametrize(
    ("name", "first"), [("fv_cp2077_4k_unlimited.csv", 99), (APEX, 88), (HEAVEN, None)]
)
def test_sampled_utilisation_of_the_gpu(name: str, first: int | None) -> None:
    column = chain(name).frames.gpu_utilisation
    assert column[0] == (MISSING if first is None else first * 10**9)


PRESENTERS = [
    (0x20979A6D5F8, "swap-throttle"),
    (0x29A5884FF18, "swap-throttle"),
    (0x224CBFFD9D8, "swap-throttle"),
    (0x15EFD8424E0, "steady-pace"),
    (0x1B95496E4B0, "steady-pace"),
    (0x20DBB4358B0, "steady-pace"),
]


@pytest.mark.parametrize("flavour", ["v1", "v2", "v24"])
@pytest.mark.parametrize(("address", "cause"), PRESENTERS)
def test_one_program_in_several_set_ups(flavour: str, address: int, cause: str) -> None:
    """Direct3D 9 under VSync waits in Present; DXGI at interval 0 sleeps 15.6 ms a frame."""
    found = diagnosis(f"pm_gold_0_{flavour}.csv", "Presenter.exe", address)
    assert found.cause.id == cause
    if cause == "swap-throttle":
        assert found.until_shown.percentile(50) / MS == pytest.approx(49.5, abs=0.3)


def test_runtimes_that_are_not_instrumented_are_not_called_unblocked() -> None:
    """`Other` has 0 in Present: not recorded."""
    other = [item for item in capture("pm_gold_0_v24.csv").chains if item.runtime == "Other"]
    assert other
    for item in other:
        assert observed_of_chain(item).in_present is None


FLAVOURS = [
    (f"pm_{stem}_v24.csv", f"pm_{stem}_{other}.csv")
    for stem in ("aux_6", "gold_0", "gold_1", "gold_2", "gold_4", "gold_5")
    for other in ("v1", "v2")
]


@pytest.mark.parametrize(("one", "other"), FLAVOURS)
def test_one_trace_in_three_flavours_has_one_verdict(one: str, other: str) -> None:
    """Where a chain has enough frames that one row more or less cannot matter."""
    compared = 0
    for item in capture(one).chains:
        if len(item.frames) < 50 or not item.address:
            continue
        first = diagnosis(one, item.application, item.address)
        second = diagnosis(other, item.application, item.address)
        assert first.cause.id == second.cause.id
        assert first.evidence.frame_time == pytest.approx(second.evidence.frame_time, rel=0.05)
        compared += 1
    assert compared or one == "pm_gold_1_v24.csv"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("afterburner_god.of.war_windows.csv", "samples of MSI Afterburner"),
        ("afterburner_re3_windows.csv", "samples of MSI Afterburner"),
        ("mangohud_run1.csv", "not consecutive frames"),
        ("mangohud_run2.csv", "not consecutive frames"),
    ],
)
def test_sampled_logs_are_refused(name: str, says: str) -> None:
    with pytest.raises(FencepostError, match=says):
        read(str(DIRECTORY / name))


def test_a_capture_without_its_clock_says_so() -> None:
    """And is the same otherwise."""
    notes = capture("pm1_farcry_missing_time_column.csv").notes
    assert any("no clock" in note for note in notes)
    one, other = (
        diagnosis("pm1_farcry_newdawn.csv"),
        diagnosis("pm1_farcry_missing_time_column.csv"),
    )
    assert one.cause.id == other.cause.id
    assert one.frame_times.percentile(50) == pytest.approx(
        other.frame_times.percentile(50), rel=1e-3
    )


def test_too_few_frames_have_no_percentiles() -> None:
    assert any("too few" in note for note in capture("pm1_short.csv").notes)


def test_every_other_capture_is_read_and_diagnosed() -> None:
    for name in names():
        if name.startswith(("afterburner", "mangohud")):
            continue
        for item in capture(name).chains:
            if len(item.frames) >= 2:
                diagnosis(name, item.application, item.address)


def test_a_cap_as_a_what_if_beside_a_run_with_that_cap() -> None:
    """Another play-through, so no exact oracle: the rates agree (presentation.md 3)."""
    base = Analysed("", diagnosis("fv_cp2077_4k_unlimited.csv"))
    made = replayed(base, [parse_what_if(["cap=30"])], ())
    (capped,) = made.what_ifs
    measured = diagnosis("fv_cp2077_4k_cap30.csv")
    assert measured.shown_rate is not None
    assert capped.outcome.rate == pytest.approx(measured.shown_rate, rel=0.01)


def test_the_page_of_replay_errors_is_up_to_date() -> None:
    written = PAGE.read_bytes().decode("utf-8")
    assert written == page(), "run: python -m tests.present.replay_error > docs/replay-error.md"
