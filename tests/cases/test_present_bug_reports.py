"""Public reports on presentation: each has the answer that docs/present-bug-reports.md names.

A test is named after its report. Simulations have an overhead of 0 where the report is about a PC
(docs/presentation.md 5): the reports that need another say so.
"""

from __future__ import annotations

import csv
import os
import re
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from fencepost.errors import UsageProblem
from fencepost.present import change, replay, simulation_of
from fencepost.present.analysis import analyse_simulation, notes_on
from fencepost.present.causes import Verdict
from fencepost.present.diagnosis import Diagnosis, diagnose
from fencepost.present.outcome import Outcome
from fencepost.present.rates import DEFINITIONS
from fencepost.present.reasons import reasons
from fencepost.present.settings import Settings
from fencepost.present.spread import Spread
from fencepost.present.whatif import parse_what_if
from tests.present.observe import MS, R60, presents
from tests.present.real_captures import diagnosis, needs_data
from tests.project.repository import ROOT, text_of

PAGE = ROOT / "docs" / "present-bug-reports.md"
ROW = re.compile(r"\| \[?(P\d\d)\]?(?:\(<?[^|]*>?\))? \|[^|]*\|[^|]*\| (.*) \|")
DIRECT3D = "overhead=0 throttle=off"
"""Direct3D's queue: Present waits for the maximum latency, not for a buffer."""

RATE = {row.key: row for row in DEFINITIONS}


def outcomes(words: str, *what_ifs: str) -> list[Outcome]:
    """The simulation itself, then its what-ifs."""
    made = analyse_simulation(words.split(), [parse_what_if(group.split()) for group in what_ifs])
    (chain,) = made.chains
    assert chain.own is not None
    return [played.outcome for played in (chain.own, *chain.what_ifs)]


def rates(words: str, *what_ifs: str) -> list[int]:
    return [round(it.rate) for it in outcomes(words, *what_ifs)]


def latencies(words: str, *what_ifs: str) -> list[float]:
    """Medians, from the start of the CPU frame to the screen, in milliseconds."""
    return [it.latency.percentile(50) / MS for it in outcomes(words, *what_ifs)]


def varied(mean: int, count: int = 240) -> list[int]:
    """Frame times around a mean, as work has them."""
    return [mean * (80 + n * n * 7 % 41) // 100 for n in range(count)]


# -- buffers and rates


def test_p01() -> None:
    """The seed's figures: 30, 60, 60; an ideal queue gives 60 for all."""
    figure = "cpu=16.2 gpu=15.4 buffers=2 bind=early"
    assert rates(figure, "bind=late", "buffers=3", "overhead=0") == [30, 60, 60, 60]
    early, late, three, _ = latencies(figure, "bind=late", "buffers=3", "overhead=0")
    assert three - late == pytest.approx(16.7, abs=0.1)
    assert outcomes(figure, "bind=late")[1].blocked / MS == pytest.approx(0.5, abs=0.1)
    assert early > three


def test_p02() -> None:
    assert rates(f"cpu=5 gpu=20 {DIRECT3D} latency=3 buffers=2", "buffers=3") == [30, 50]


def test_p04() -> None:
    """A core of 60 Hz, whose work nearly fills a refresh, with two images and with three."""
    core = "cpu=normal(13,1) gpu=normal(15.8,0.4) buffers=2 bind=early"
    two, three = outcomes(core, "buffers=3")
    assert two.rate < 40
    assert three.rate > 59
    assert two.cause.verdict is Verdict.PRESENT
    assert any("buffers=3" in advice for advice in two.cause.advice)
    assert three.latency.percentile(50) < two.latency.percentile(50)


def test_p05() -> None:
    client = "cpu=5 gpu=10 overhead=0 buffers=2"
    assert rates(client, "compositor=hold", "compositor=hold buffers=3") == [60, 30, 60]


def test_p07() -> None:
    """The main work first, the image late: steady up to a refresh of work."""
    assert rates("cpu=4 gpu=16 buffers=2 bind=early", "bind=late", "gpu=95% bind=late") == [
        *(30, 60, 60),
    ]
    early, late = outcomes("cpu=4 gpu=16 buffers=2 bind=early", "bind=late")
    assert (early.late > 0, late.late) == (True, 0)


def test_p08() -> None:
    """The same cure in another engine: acquired as late as possible."""
    (early, late) = outcomes("cpu=normal(8,1) gpu=normal(15.5,0.3) bind=0", "bind=0.95")
    assert late.rate > 1.5 * early.rate


def test_p10() -> None:
    """A queue that nothing bounds gets longer and longer; frames in flight bound it."""
    ahead = "cpu=4 gpu=6 overhead=0 buffers=3 throttle=off frames=1200"
    simulation = simulation_of(ahead.split())
    unbounded = replay(simulation.frames, simulation.settings)
    bounded = replay(simulation.frames, change(simulation.settings, ["in-flight=2"]))
    assert unbounded.latency(1100) > unbounded.latency(600) > unbounded.latency(300) > 100 * MS
    assert bounded.latency(1100) == bounded.latency(600) < 70 * MS


def test_p13() -> None:
    """30 FPS content: interval 1 shows frames for 1 to 3 refreshes, interval 2 for two each."""

    def lengths(words: str) -> set[int]:
        simulation = simulation_of(f"cpu=10 gpu=normal(30,2) buffers=3 overhead=0 {words}".split())
        scans = list(replay(simulation.frames, simulation.settings).timeline.scan_count)[10:]
        return {later - earlier for earlier, later in pairwise(scans)}

    assert lengths("interval=1") == {1, 2, 3}
    assert lengths("interval=2") == {2}


@pytest.mark.parametrize("interval", ["5", "-1"])
def test_p14(interval: str) -> None:
    with pytest.raises(UsageProblem, match=f"interval is {interval}; expected an integer, 0 to 4"):
        change(Settings(), [f"interval={interval}"])


def test_p17() -> None:
    """60.15 Hz produced, 59.94 Hz shown, two drawables: the queue is full and Present waits."""

    def waits(produced: float) -> list[bool]:
        words = f"cpu={1000 / produced} gpu=5 refresh=59.94 overhead=0 buffers=2 frames=4000"
        simulation = simulation_of(words.split())
        played = replay(simulation.frames, simulation.settings)
        return [played.present_wait(n) > 0 for n in range(3000, 4000)]

    assert all(waits(60.15))
    assert sum(waits(59.8)) < 100


def test_p19() -> None:
    relaxed, strict = outcomes("cpu=5 gpu=18 overhead=0 buffers=3 threshold=100", "threshold=0")
    assert relaxed.tears > 250
    assert strict.tears == 0
    (on_time,) = outcomes("cpu=5 gpu=12 overhead=0 threshold=100")
    assert (on_time.tears, round(on_time.rate)) == (0, 60)


# -- queues and latency


def test_p20() -> None:
    blocking, waitable = outcomes(f"cpu=4 gpu=5 {DIRECT3D} latency=1", "waitable latency=1")
    assert blocking.blocked == waitable.start_wait > 12 * MS
    assert blocking.latency.mean - waitable.latency.mean == pytest.approx(R60, abs=10)


def test_p22() -> None:
    """Without a waitable object at most three frames are queued, the default."""
    words = f"cpu=4 gpu=5 buffers=3 {DIRECT3D}"
    default, three, two = latencies(f"{words} latency=0", "latency=3", "latency=2")
    assert default == three == pytest.approx(4 * R60 / MS)
    assert three - two == pytest.approx(R60 / MS)


def test_p23() -> None:
    one = f"cpu=4 gpu=5 {DIRECT3D} latency=1 waitable buffers=2"
    assert latencies(one, "compositor=copy") == pytest.approx([16.7, 33.3], abs=0.1)


def test_p25() -> None:
    """A maximum latency of 1 takes latency out of VSync, and throughput out of an uncapped run."""
    three, one = latencies(f"cpu=3 gpu=4 buffers=2 {DIRECT3D} latency=3", "latency=1")
    assert three - one > R60 / MS
    uncapped = "cpu=uniform(0.05,0.45) gpu=uniform(0.05,0.45) interval=0 buffers=2 frames=3000"
    many, fewer = rates(f"{uncapped} {DIRECT3D} latency=3", "latency=1")
    assert 0.7 * many < fewer < 0.95 * many


def test_p26() -> None:
    words = f"cpu=4 gpu=5 buffers=3 {DIRECT3D}"
    zero, three, one = latencies(f"{words} latency=0", "latency=3", "latency=1")
    assert zero == three > one


def test_p28() -> None:
    """A frame queue of 1 instead of 2: less lag, less throughput."""
    two, one = outcomes("cpu=10 gpu=10 buffers=3 interval=0 overhead=0 in-flight=2", "in-flight=1")
    assert one.rate < two.rate
    vsynced, shorter = latencies("cpu=4 gpu=5 buffers=3 overhead=0 in-flight=2", "in-flight=1")
    assert shorter < vsynced


def test_p29() -> None:
    """CPU and GPU that need more than a refresh together lose rate at a low latency."""
    words = f"cpu=14 gpu=14 buffers=3 {DIRECT3D} waitable latency=1"
    one, two, three = rates(words, "latency=2", "latency=3")
    assert one < three == 60
    assert one <= two


def test_p34() -> None:
    """30 FPS by a limiter in the game, or by buffers that are withheld."""
    inside, withheld = outcomes("cpu=5 gpu=8 buffers=3 overhead=0 cap=30", "cap=off interval=2")
    assert round(inside.rate) == round(withheld.rate) == 30
    assert withheld.latency.mean - inside.latency.mean > 4 * R60


def test_p35() -> None:
    words = "cpu=normal(4,0.3) gpu=normal(5,0.5) buffers=3 overhead=0 refresh=120 vrr=40"
    full, equal, below = outcomes(words, "cap=120", "cap=117")
    assert below.latency.mean < equal.latency.mean < full.latency.mean
    assert below.rate == pytest.approx(117, abs=0.2)
    assert below.cause.id == "steady-pace"


# -- diagnosis


def says(found: Diagnosis, name: str) -> str:
    return next(row.says for row in reasons(found.evidence) if row.name == name)


def test_p31() -> None:
    """Present returns in 0.13 ms, and yet 69.1 ms lie between it and the screen."""
    times = [R60] * 300
    found = diagnose(
        presents(times, blocked=130_000_000, busy=5 * MS, until_shown=69_100_000_000, interval=1)
    )
    assert says(found, "queued") == "4.1 frames between Present and the screen: the queue is full"
    assert found.cause.id == "at-the-refresh"


def test_p32() -> None:
    found = diagnose(presents(varied(8_700_000_000), busy=4 * MS, until_shown=27_100_000_000))
    assert found.evidence.queued == pytest.approx(3.1, abs=0.1)


def test_p37() -> None:
    """CPUBusy fills the frame, the GPU idles: no proof that the CPU works."""
    found = diagnose(presents(varied(10 * MS), blocked=MS // 5, busy=4 * MS, tearing=1))
    assert found.cause.verdict is Verdict.CPU
    assert "a wait outside Present" in found.cause.meaning


def test_p38() -> None:
    """The same with steady frames is a limiter; a full GPU, or none in the capture, is neither."""
    capped = diagnose(presents([10 * MS] * 300, blocked=MS // 5, busy=4 * MS, tearing=1))
    full = diagnose(presents([10 * MS] * 300, blocked=MS // 5, busy=9_500_000_000, tearing=1))
    unknown = diagnose(presents([10 * MS] * 300, blocked=MS // 5, tearing=1))
    assert [it.cause.verdict for it in (capped, full, unknown)] == [
        *(Verdict.CAPPED, Verdict.GPU, Verdict.UNKNOWN),
    ]


def test_p41() -> None:
    """Presents vary, pictures do not, or the other way round: both are said, apart."""
    smooth = presents(varied(R60), busy=5 * MS, displays=[R60 * n for n in range(240)])
    jerky = presents([R60] * 240, busy=5 * MS, displays=[R60 * (n + n % 2) for n in range(240)])
    for observed, steady, unsteady in (
        (smooth, "display_times", "frame_times"),
        (jerky, "frame_times", "display_times"),
    ):
        found = diagnose(observed)
        assert len(getattr(found, steady).values) == 1
        assert len(getattr(found, unsteady).values) > 1


@pytest.mark.parametrize(("busy", "verdict"), [(3 * MS, Verdict.PRESENT), (32 * MS, Verdict.GPU)])
def test_p43(busy: int, verdict: Verdict) -> None:
    """A long wait in Present: with a small GPU time it is the VSync, with a full one the GPU."""
    times = [R60] * 300 if busy < R60 else [2 * R60] * 300
    found = diagnose(presents(times, blocked=12 * MS, busy=busy, interval=1, until_shown=30 * MS))
    assert found.cause.verdict is verdict


def test_p44() -> None:
    """Swapping returns at once under VSync: the wait is in the next call, not gone."""
    found = diagnose(presents([R60] * 300, blocked=0, busy=2 * MS, interval=1))
    assert (found.cause.verdict, found.cause.id) == (Verdict.PRESENT, "at-the-refresh")


def test_p46() -> None:
    """Interval 0 in a window, and still the refresh: tearing was not allowed."""
    window = presents([R60] * 300, blocked=10 * MS, busy=2 * MS, interval=0, composed=2)
    found = diagnose(window)
    assert found.cause.id == "interval-0-without-tearing"
    assert any("ALLOW_TEARING" in advice for advice in found.cause.advice)
    allowed = diagnose(replace(window, tearing=bytes([1]) * 301))
    assert allowed.cause.id != found.cause.id


def test_p47() -> None:
    (note,) = notes_on(presents([R60] * 20, interval=1, tearing=1))
    assert note.startswith("21 presents allow tearing at sync interval 1 or more: DXGI refuses")
    assert notes_on(presents([R60] * 20, interval=0, tearing=1)) == ()
    assert notes_on(presents([R60] * 20, interval=1, tearing=0)) == ()


# -- rates


def test_p49() -> None:
    times = Spread([8 * MS] * 999 + [200 * MS])
    keys = ("low-1-integral", "low-1-average", "p1")
    assert [RATE[key].rate(times) for key in keys] == pytest.approx([5.0, 36.8, 125], abs=0.05)


def test_p50() -> None:
    """A cap of 60, and a few frames of a loading screen: "97 %" is the fast end."""
    times = Spread([R60] * 960 + [663_000_000] * 40)
    assert RATE["p97"].rate(times) == pytest.approx(1508, abs=1)
    assert RATE["median"].rate(times) == pytest.approx(60)


# -- real captures


@needs_data
def test_p52() -> None:
    found = diagnosis("pm_aux_F00_heaven_windowed.csv", "Heaven.exe")
    assert found.cause.verdict is Verdict.PRESENT
    assert found.evidence.queued == pytest.approx(3.6, abs=0.05)


@needs_data
def test_p53() -> None:
    found = diagnosis("capframex_judgment.json")
    assert found.cause.verdict is Verdict.PRESENT
    assert "the queue is full" in says(found, "queued")


@needs_data
def test_p55() -> None:
    found = diagnosis("pm1_csgo.csv")
    assert found.cause.verdict is Verdict.COMPOSITOR
    assert found.shown_rate == pytest.approx(60, abs=0.1)


# -- the page


def with_a_test() -> set[str]:
    """The reports that have a test here."""
    names = vars(sys.modules[__name__])
    return {name[5:].upper() for name in names if re.fullmatch(r"test_p\d\d", name)}


def rows() -> dict[str, str]:
    """Report to what the page says of it last: a test, or why there is none."""
    matches = map(ROW.fullmatch, text_of(PAGE).splitlines())
    return {match[1]: match[2] for match in matches if match}


def test_the_page_says_which_reports_are_tested() -> None:
    found = rows()
    assert len(found) == 37
    assert {number for number, last in found.items() if last.startswith("`")} == with_a_test()
    for number, last in found.items():
        if number in with_a_test():
            assert last.startswith(f"`test_{number.lower()}`")
        else:
            assert last.startswith("none: ")


def test_most_reports_have_a_test() -> None:
    assert len(with_a_test()) >= 25


@needs_data
def test_every_report_is_in_the_page() -> None:
    table = Path(os.environ["FENCEPOST_DATA"]) / "cases" / "present_bug_reports.csv"
    with table.open(encoding="utf-8", newline="") as file:
        assert {row["id"] for row in csv.DictReader(file)} == set(rows())
