"""What works ask for, computed by hand."""

from __future__ import annotations

import pytest

from fencepost.errors import ProgramProblem
from fencepost.machine import find_machine
from fencepost.stream.command import Work
from fencepost.timing.demand import Demand, Demands, Footprint
from fencepost.timing.parameters import WHOLE, Parameters
from tests.timing.scenes import CYCLE, HEAD, US, read

PARAMETERS = Parameters(find_machine("gcn2-hawaii"))
SLOTS = 44 * 40
FLOOR = 500 * CYCLE


def demand(line: str, head: str = HEAD, queue: str = "queue gfx: graphics") -> Demand:
    (work,) = read(line, head, queue).queues[-1].commands
    assert isinstance(work, Work)
    return Demands(PARAMETERS).of(work)


def jobs(found: Demand) -> dict[str, int]:
    """Picoseconds of the whole unit, rounded up."""
    return {job.unit: -(-job.amount // WHOLE) for job in found.jobs}


def test_a_duration_alone_fills_the_machine_and_loads_nothing() -> None:
    found = demand("draw cb0.write t @ 10us")
    assert (found.time, found.residency, found.late) == (10 * US, WHOLE, 0)
    assert found.vertex == 5 * US
    assert found.jobs == []
    assert not found.lines_up


def test_loads_are_parts_of_the_duration() -> None:
    found = demand("dispatch cs.buffer a @ 10us sm=0.8 l1=60%")
    assert jobs(found) == {"l1": 6 * US, "sm": 8 * US}
    assert [job.cap for job in found.jobs] == [600_000, 800_000]


def test_counts_beside_a_duration_are_loads() -> None:
    found = demand("dispatch cs.buffer a @ 10us bytes=1600000")
    assert jobs(found) == {"memory": 5 * US}
    assert found.jobs[0].cap == WHOLE // 2


def test_waves_say_the_residency_and_how_a_work_ends() -> None:
    few = demand(f"dispatch cs.buffer a @ 10us waves={SLOTS // 4}")
    assert (few.residency, few.late, few.lines_up) == (WHOLE // 4, 0, False)
    many = demand(f"dispatch cs.buffer a @ 10us waves={SLOTS * 5}")
    assert (many.residency, many.late, many.lines_up) == (WHOLE, WHOLE // 10, True)
    half = demand(f"dispatch cs.buffer a @ 10us waves={SLOTS} residency=50%")
    assert (half.residency, half.late, half.lines_up) == (WHOLE // 2, WHOLE // 4, True)


def test_threads_beside_a_duration_say_the_waves() -> None:
    found = demand(f"dispatch cs.buffer a @ 10us threads={SLOTS * 64 // 2}")
    assert found.residency == WHOLE // 2


def test_a_dispatch_from_its_counts() -> None:
    found = demand("dispatch @ threads=112640 operations=28160000 bytes=3200000")
    assert found.residency == WHOLE  # 1760 waves
    assert jobs(found) == {"sm": 10 * US, "memory": 10 * US}
    assert found.time == 10 * US


def test_a_small_dispatch_cannot_saturate_a_unit() -> None:
    found = demand(f"dispatch @ threads={SLOTS * 64 // 8} operations=28160000 bytes=1")
    assert found.residency == WHOLE // 8
    assert [job.cap for job in found.jobs] == [WHOLE // 2, WHOLE // 2]
    assert found.time == 20 * US


def test_nothing_is_shorter_than_a_wave() -> None:
    found = demand("dispatch @ threads=64 operations=1 bytes=1")
    assert found.time == FLOOR


def test_a_draw_from_its_accesses() -> None:
    found = demand("draw vs.vertex a; ps.texture b; cb0.write t; db.write z")
    pixels = 256 * 256
    vertices = 65536 // 32
    assert jobs(found) == {
        "geometry": vertices // 4 * CYCLE,
        "raster": pixels // 64 * CYCLE,
        "sm": -(-(vertices + pixels) * 50 * CYCLE // 2816),
        "l1": -(-2 * 65536 * CYCLE // 2816),
        "l2": 2 * 65536 // 1024 * CYCLE,
        # a and b are read; z is read (the test), and its 256 KiB fit into DB as t does into CB
        "memory": (2 * 65536 + 262144) * 10**12 // (320 * 10**9),
        "rop": 2 * pixels // 64 * CYCLE,
    }


def test_what_does_not_fit_into_its_cache_goes_to_memory_by_itself() -> None:
    assert jobs(demand("dispatch cs.uav-write a @ operations=1")).get("memory") is None
    found = demand("dispatch cs.uav-write big @ operations=1")
    assert jobs(found)["memory"] == -(-3 * (1 << 20) * 10**12 // (320 * 10**9))


def test_counts_replace_what_the_accesses_say() -> None:
    plain = jobs(demand("draw ps.texture a; cb0.write t"))
    said = jobs(demand("draw ps.texture a; cb0.write t @ pixels=640 vertices=40 bytes=320"))
    assert said["raster"] == 10 * CYCLE != plain["raster"]
    assert said["rop"] == 10 * CYCLE
    assert said["geometry"] == 10 * CYCLE
    assert said["memory"] == CYCLE
    assert said["l2"] == plain["l2"]


def test_a_part_of_a_target_has_a_part_of_its_pixels() -> None:
    found = demand("draw cb0.write t[0:64K]")
    assert jobs(found)["raster"] == 256 * 256 // 4 // 64 * CYCLE


def test_no_work_takes_longer_than_a_second() -> None:
    line = "dispatch cs.buffer big @ bytes={}"
    assert demand(line.format(320_000_000_000)).time == 10**12
    with pytest.raises(ProgramProblem, match=r":11:1: cost: it takes 2 s; expected up to 1 s"):
        demand(line.format(320_000_000_001))
    with pytest.raises(ProgramProblem, match=r"cost: it takes 63 s"):
        demand("copy as dma dma.read big @ bytes=1000000000000")


def test_footprints_name_caches_as_operations_do() -> None:
    head = HEAD.replace("color  t 256x256 rgba8", "color  t 256x256 rgba8 at 0x10000 cmask")
    found = demand("draw ps.constant a[0:64]; cb0.write t", head)
    at = 0x10000
    size = 256 * 256 * 4
    names = [(row.cache, row.writes) for row in found.footprints]
    assert names == [("k", False), ("tcc", False), ("cb.pixels", True), ("cb.metadata", True)]
    assert found.footprints[2] == Footprint("cb.pixels", at, at + size, writes=True)


def test_transfers() -> None:
    dma = demand("copy a from b")
    assert (dma.time, dma.residency, dma.jobs) == (131072 // 16 * CYCLE, 0, [])
    assert demand("copy a from b @ 3us").time == 3 * US
    assert demand("copy a from b @ bytes=160").time == 10 * CYCLE
    copy = demand("copy a from b", queue="queue sdma: copy")
    assert copy.time == 131072 // 32 * CYCLE
    assert [(job.unit, job.cap) for job in copy.jobs] == [("memory", WHOLE // 10)]
    cpu = demand("write a", queue="queue cpu: cpu")
    assert cpu.time == -(-65536 * 10**12 // (12 * 10**9))
