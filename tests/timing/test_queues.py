"""Several queues: they share slots and units, and wait for each other's labels."""

from __future__ import annotations

import pytest

from fencepost.timing import Options
from tests.timing.scenes import CYCLE, US, Scene, run

TRIP = 400 * CYCLE


def two(graphics: str, compute: str, options: Options | None = None) -> Scene:
    return run(f"{graphics}\nqueue async: compute\n{compute}\n", options)


def test_a_work_alone_runs_at_its_own_speed() -> None:
    scene = run('dispatch "d" cs.buffer a @ 10us sm=0.7 memory=1 l2=0.2')
    work = scene.work("d")
    assert work.end - work.launched == work.alone == 10 * US


def test_works_that_leave_room_run_together() -> None:
    scene = two(
        'draw "g" cb0.write t @ 10us sm=0.5 residency=50%',
        'dispatch "c" cs.buffer a @ 10us memory=0.5 residency=50%',
    )
    for name in ("g", "c"):
        work = scene.work(name)
        assert work.shader - work.launched == 10 * US


@pytest.mark.parametrize(("load", "together"), [("0.5", 10 * US), ("0.8", 16 * US), ("1", 20 * US)])
def test_a_unit_that_both_want_is_shared_fairly(load: str, together: int) -> None:
    lines = f"dispatch cs.buffer a @ 10us memory={load} residency=50%\n"
    works = run(f"queue x: compute\n{lines}queue y: compute\n{lines}").timeline.works
    assert [work.end - work.launched for work in works] == [together, together]


def test_who_wants_little_gets_it() -> None:
    scene = two(
        'dispatch "g" cs.buffer a @ 10us memory=0.2 residency=50%',
        'dispatch "c" cs.buffer a @ 10us memory=1 residency=50%',
    )
    work = scene.work("g")
    assert work.end - work.launched == 10 * US
    slowed = scene.work("c")
    assert slowed.end - slowed.launched == 12 * US


def test_a_work_that_fills_the_machine_leaves_nothing_until_its_waves_run_out() -> None:
    scene = two(
        'dispatch "g" cs.buffer a @ 10us waves=17600',
        'dispatch "c" cs.buffer a @ 10us waves=17600',
    )
    first, second = scene.work("c"), scene.work("g")
    # ten waves a slot: the last ones retire over a tenth of the time, in the mean half of that
    assert second.launched == first.launched + 9_500_000
    assert first.end == first.launched + 10 * US


def test_between_queues_the_first_to_come_goes_first() -> None:
    scene = two(
        'dispatch "g1" cs.buffer a @ 10us\ndispatch "g2" cs.buffer a @ 10us\n'
        'dispatch "g3" cs.buffer a @ 10us',
        'wait l == 0\ndispatch "c" cs.buffer a @ 10us',
    )
    order = sorted(("g1", "g2", "g3", "c"), key=lambda name: scene.work(name).launched)
    assert order == ["g1", "g2", "c", "g3"], "a queue's third work has not come yet"


def test_slots_that_are_left_run_a_part_of_a_work() -> None:
    scene = two(
        'dispatch "g" cs.buffer a @ 10us residency=60%',
        'dispatch "c" cs.buffer a @ 10us residency=80%',
    )
    first, second = scene.work("c"), scene.work("g")
    assert second.launched == first.launched + 10 * CYCLE
    # 20 of its 60 % while the other runs, all of them behind
    part = (10 * US - 10 * CYCLE) // 3
    assert second.end == first.end + 10 * US - part


def test_a_wait_for_another_queue_takes_a_write_and_a_read() -> None:
    scene = two(
        'draw "p" cb0.write t @ 10us\neop l = 1',
        'wait "w" l == 1\ndispatch "c" cs.texture t @ 10us',
    )
    stall = scene.stall("fence")
    assert stall.cause == (0, 1)
    assert stall.end == scene.work("p").end + 2 * TRIP
    assert scene.cost("w").exposed > 0


def test_a_wait_that_other_work_hides_costs_nothing() -> None:
    scene = two(
        'draw "p" cb0.write t @ 10us\neop l = 1\ndraw cb0.write u @ 50us',
        'wait "w" l == 1\ndispatch cs.texture t @ 10us residency=30%',
    )
    assert scene.cost("w").stalled > 9 * US
    assert scene.cost("w").exposed == 0


def test_compute_queues_share_one_partial_flush() -> None:
    lines = "dispatch cs.buffer a @ 20us residency=10%\nflush cs\n"
    scene = run(f"queue x: compute\n{lines}queue y: compute\n{lines}")
    (stall,) = scene.stalls("flush-in-flight")
    holder = next(row for row in scene.stalls("partial-flush") if row.queue != stall.queue)
    assert stall.end == holder.end
    assert stall.cause == (holder.queue, holder.position)


def test_a_graphics_queue_has_a_command_processor_of_its_own() -> None:
    scene = two(
        "draw cb0.write t @ 20us residency=10%\nflush ps",
        "dispatch cs.buffer a @ 20us residency=10%\nflush cs",
    )
    assert scene.stalls("flush-in-flight") == []


def test_a_copy_queue_shares_memory() -> None:
    alone = run("queue sdma: copy\ncopy big from big\n").timeline.works[0]
    scene = run(
        'dispatch "d" cs.buffer a @ 300us memory=1 residency=10%\n'
        "queue sdma: copy\ncopy big from big\n"
    )
    copy = next(work for work in scene.timeline.works if work.kind == "copy")
    slowed = scene.work("d")
    assert copy.end - copy.launched == alone.end - alone.launched, "it wants a tenth of memory"
    # 32 bytes a cycle are a tenth of 320 GB/s
    assert slowed.end - slowed.launched == 300 * US + (alone.alone - slowed.launched) // 10


def test_works_of_a_copy_queue_follow_each_other() -> None:
    works = run("queue sdma: copy\ncopy a from b\ncopy b from a\n").timeline.works
    assert works[1].launched == works[0].end


# -- other rules


def test_fair_works_lets_a_later_work_slow_an_earlier_one_down() -> None:
    lines = (
        'dispatch "one" cs.buffer a @ 10us memory=1 residency=50%\n'
        'dispatch "two" cs.buffer a @ 10us memory=1 residency=50%\n'
    )
    ends = {
        rule: run(lines, Options(sharing=rule)).work("one").end
        for rule in ("fair-works", "fair-queues")
    }
    assert ends["fair-queues"] < ends["fair-works"]


def test_so_with_it_an_added_wait_can_be_faster() -> None:
    """Why it is not the default: the property of one queue does not hold."""
    lines = [
        "dispatch cs.buffer a @ 10us memory=1 residency=40%",
        "eos cs l = 1",
        "dispatch cs.buffer a @ 10us memory=1 residency=40%",
        "wait me l == 1",
        "dispatch cs.buffer a @ 15us sm=1 residency=20%",
    ]
    waited = [*lines[:2], "flush cs", *lines[2:]]
    plain, longer = "\n".join(lines), "\n".join(waited)
    fair, default = Options(sharing="fair-works"), Options(sharing="fair-queues")
    assert run(longer, fair).time < run(plain, fair).time
    assert run(longer, default).time >= run(plain, default).time


def test_oldest_first_knows_no_queues() -> None:
    lines = (
        'dispatch "g" cs.buffer a @ 10us memory=1 residency=50%',
        'dispatch "c" cs.buffer a @ 10us memory=1 residency=50%',
    )
    scene = two(*lines, Options(sharing="oldest-first"))
    first, second = scene.work("c"), scene.work("g")
    assert first.end - first.launched == 10 * US
    assert second.end == first.end + 10 * US
