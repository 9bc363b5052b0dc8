"""What must hold between two runs, whatever the numbers are (docs/timing.md 4.4)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.timing import Options, Timeline, simulate
from tests.timing.scenes import CYCLE, read
from tests.timing.streams import HEAD, WAITS, streams

COLD_OFF = Options(refills=False)
ROOT = Path(__file__).resolve().parents[2]


def ends(timeline: Timeline) -> list[tuple[int, int, int, int]]:
    """When every work reaches its points, in program order."""
    ordered = sorted(timeline.works, key=lambda work: (work.queue, work.position))
    return [(work.launched, work.vertex, work.shader, work.end) for work in ordered]


def values(timeline: Timeline) -> dict[tuple[str, int], int]:
    return {(write.label, write.value): write.time for write in timeline.writes}


def assert_no_earlier(later: Timeline, sooner: Timeline) -> None:
    """Nothing at all happens earlier in `later`."""
    assert later.totals.time >= sooner.totals.time
    for one, two in zip(ends(later), ends(sooner), strict=True):
        assert all(a >= b for a, b in zip(one, two, strict=True)), (one, two)
    written = values(sooner)
    assert all(time >= written[key] for key, time in values(later).items())


def simulated(lines: list[str], options: Options = COLD_OFF) -> Timeline:
    return simulate(read("\n".join(lines), HEAD), options)


@settings(max_examples=400)
@given(streams(), st.sampled_from(WAITS), st.data())
def test_an_added_wait_makes_nothing_faster(
    lines: list[str], wait: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(lines)))
    assert_no_earlier(simulated([*lines[:at], wait, *lines[at:]]), simulated(lines))


HAWAII = {
    "memory rate": 320_000_000_000,
    "geometry rate": 4,
    "raster rate": 64,
    "sm rate": 2816,
    "l1 rate": 2816,
    "l2 rate": 1024,
    "rop rate": 64,
    "CP DMA rate": 16,
}


@settings(max_examples=300)
@given(streams(), st.sampled_from(sorted(HAWAII)), st.sampled_from((2, 3, 7)))
def test_more_bandwidth_makes_nothing_slower(lines: list[str], rate: str, factor: int) -> None:
    faster = Options({rate: HAWAII[rate] * factor}, refills=False)
    assert_no_earlier(simulated(lines), simulated(lines, faster))


@settings(max_examples=200)
@given(streams(), st.sampled_from((2, 4, 5)))
def test_time_scales_with_the_clock(lines: list[str], factor: int) -> None:
    slower = Options(
        {"GPU clock": 10**9 // factor, "memory rate": HAWAII["memory rate"] // factor},
        refills=False,
    )
    plain, slow = simulated(lines), simulated(lines, slower)
    # each time at which somebody is served is rounded up to a picosecond
    slack = factor * 20 * len(lines)
    assert abs(slow.totals.time - factor * plain.totals.time) <= slack
    for one, two in zip(ends(slow), ends(plain), strict=True):
        assert all(abs(a - factor * b) <= slack for a, b in zip(one, two, strict=True))


@settings(max_examples=100)
@given(streams())
def test_without_sharing_time_scales_to_the_picosecond(lines: list[str]) -> None:
    """Works that fill the machine, with costs in cycles, need no rounding."""
    plain = [
        line.split(" @ ")[0] + " @ cycles=900" * (line[0] == "d" and "dma" not in line)
        for line in lines
    ]
    plain = [line for line in plain if "copy" not in line and "wbinv" not in line]
    slow = Options({"GPU clock": 2 * 10**8}, refills=False)
    assert simulated(plain, slow).totals.time == 5 * simulated(plain).totals.time


@settings(max_examples=60)
@given(streams(), st.permutations(HEAD.splitlines()[1:]))
def test_a_permutation_of_declarations_changes_nothing(
    lines: list[str], declarations: list[str]
) -> None:
    head = "\n".join(["machine gcn2-hawaii", *declarations, ""])
    assert simulate(read("\n".join(lines), head)) == simulate(read("\n".join(lines), HEAD))


def test_the_same_input_gives_the_same_bytes_in_another_process() -> None:
    figure = "examples/xbox-one/figures/figure-5.fence"
    text = (
        "from fencepost.stream.reading import load\n"
        "from fencepost.timing import simulate\n"
        f"print(repr(simulate(load('{figure}'))))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", text],
            cwd=ROOT,
            env={"PYTHONPATH": "src", "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 1000


def test_what_the_scenes_call_a_cycle() -> None:
    one, two = (simulated([f"dispatch @ cycles={count}"]).totals.time for count in (1, 2))
    assert two - one == CYCLE
