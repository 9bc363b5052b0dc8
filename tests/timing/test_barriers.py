"""What each synchronization costs, beside its neighbours (seed 000; docs/timing.md 5)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from fencepost.timing import Options
from tests.timing.scenes import CYCLE, HEAD, US, Scene, only, run

PACKET, WORK_PACKET, LAUNCH, SIGNAL = 20 * CYCLE, 60 * CYCLE, 100 * CYCLE, 60 * CYCLE
TRIP, FENCE, BACK_END = 400 * CYCLE, 800 * CYCLE, 100 * CYCLE

NEIGHBOURS = {
    "partial flush": "flush ps",
    "EOS fence": "eos ps l = 1\nwait me l == 1",
    "EOP fence": "eop l = 1\nwait me l == 1",
    "surface sync": "sync me coherent cb0 t",
    "idle": "wait idle",
}


def neighbours(barrier: str, between: str = "") -> Scene:
    """A producer and a consumer with a barrier between them."""
    return run(f'draw "p" cb0.write t @ 10us\n{between}\n{barrier}\ndraw "c" cb0.write u @ 10us\n')


def test_between_neighbours_the_partial_flush_is_cheapest() -> None:
    times = {name: neighbours(barrier).time for name, barrier in NEIGHBOURS.items()}
    assert min(times, key=lambda name: times[name]) == "partial flush"
    assert times["partial flush"] < times["EOS fence"] < times["EOP fence"] < times["idle"]


def test_an_idle_is_the_heaviest_barrier() -> None:
    times = {name: neighbours(barrier).time for name, barrier in NEIGHBOURS.items()}
    assert max(times, key=lambda name: times[name]) == "idle"


@pytest.mark.parametrize("between", ["draw cb0.write u @ 3us", "dispatch cs.uav-write a @ 3us"])
def test_an_idle_is_the_heaviest_with_other_work_between(between: str) -> None:
    times = [neighbours(barrier, between).time for barrier in NEIGHBOURS.values()]
    assert neighbours("wait idle", between).time == max(times)


def test_an_idle_is_shortest_where_the_machine_is_idle() -> None:
    busy = run('draw cb0.write t @ 10us\nwait "i" idle').cost("i").stalled
    drained = run('draw cb0.write t @ 10us\nwait idle\nwait "i" idle').cost("i").stalled
    alone = run('wait "i" idle').cost("i").stalled
    assert alone == drained < busy
    # the EOP travels down the pipe, its value to memory and back, and every block is asked
    assert alone == LAUNCH + BACK_END + FENCE + 100 * CYCLE


def test_a_fence_takes_two_round_trips_and_at_least_800_cycles() -> None:
    scene = run('draw "p" cb0.write t @ 10us\neos ps l = 1\nwait "w" me l == 1')
    stall = scene.stall("fence")
    assert stall.end - scene.work("p").shader == 2 * TRIP == FENCE
    assert scene.written("l").time == scene.work("p").shader + TRIP
    assert stall.cause == (0, 1)


def test_the_minimum_holds_where_memory_is_near() -> None:
    options = only(memory_round_trip=100)
    scene = run('draw "p" cb0.write t @ 10us\neos ps l = 1\nwait me l == 1', options)
    assert scene.stall("fence").end - scene.work("p").shader == FENCE


def test_a_fence_is_longer_where_memory_is_far() -> None:
    options = only(memory_round_trip=1000)
    scene = run('draw "p" cb0.write t @ 10us\neos ps l = 1\nwait me l == 1', options)
    assert scene.stall("fence").end - scene.work("p").shader == 2000 * CYCLE


def test_a_value_that_is_there_costs_one_read() -> None:
    scene = run('wait "w" me l == 0')
    assert scene.cost("w").stalled == TRIP


LONG = """dispatch "d" cs.uav-write a @ 10us residency=40%
draw "long" cb0.write t @ 90us residency=40%
"""


def test_cs_done_is_not_delayed_by_a_long_draw() -> None:
    scene = run(f"{LONG}eos cs l = 1\n")
    assert scene.written("l").time == scene.work("d").end + TRIP < scene.work("long").end


def test_eop_is_delayed_by_a_long_draw() -> None:
    scene = run(f"{LONG}eop l = 1\n")
    assert scene.written("l").time == scene.work("long").end + TRIP


def test_cs_done_is_not_delayed_by_a_long_draw_in_front_either() -> None:
    swapped = "\n".join(reversed(LONG.strip().splitlines()))
    scene = run(f"{swapped}\neos cs l = 1\n")
    assert scene.written("l").time == scene.work("d").end + TRIP < scene.work("long").end


@pytest.mark.parametrize(("stage", "point"), [("vs", "vertex"), ("ps", "shader")], ids=["vs", "ps"])
def test_a_partial_flush_waits_for_its_stage(stage: str, point: str) -> None:
    scene = run(f'draw "p" cb0.write t @ 10us vs=30%\nflush "f" {stage}')
    assert scene.stall("partial-flush").end == getattr(scene.work("p"), point) + SIGNAL
    assert scene.stall("partial-flush").cause == scene.spot("p")


def test_a_partial_flush_of_another_stage_waits_for_nothing() -> None:
    scene = run('draw cb0.write t @ 10us\nflush cs\ndispatch "d" cs.uav-write a @ 1us')
    assert scene.stalls("partial-flush") == []


def test_draws_retire_in_order() -> None:
    scene = run(
        'draw "long" cb0.write t @ 50us residency=30%\ndraw "short" cb0.write u @ 1us residency=30%'
    )
    assert scene.work("short").launched < scene.work("long").shader
    assert scene.work("short").shader == scene.work("long").shader


def test_a_dispatch_and_a_draw_do_not() -> None:
    scene = run(
        'draw "long" cb0.write t @ 50us residency=30%\n'
        'dispatch "d" cs.uav-write a @ 1us residency=30%'
    )
    assert scene.work("d").end == scene.work("d").launched + US


# -- surface sync


def test_a_surface_sync_waits_for_the_draws_on_its_range() -> None:
    text = 'draw "t" cb0.write t @ 10us residency=20%\ndraw "u" cb0.write u @ 50us residency=20%\n'
    on_t = run(f"{text}sync me coherent cb0 t\n").stall("contexts")
    on_u = run(f"{text}sync me coherent cb0 u\n").stall("contexts")
    everything = run(f"{text}sync me coherent cb0 all\n").stall("contexts")
    assert on_t.cause == (0, 0)
    assert on_t.end - SIGNAL == run(text).work("t").end
    assert on_u.end == everything.end == run(text).work("u").end + SIGNAL


def test_a_surface_sync_waits_for_no_dispatch() -> None:
    scene = run('dispatch cs.uav-write a @ 50us\nsync "s" me coherent cb0 all\n')
    assert scene.cost("s").stalled == 0


def test_coherency_waits_until_the_event_is_in_memory() -> None:
    scene = run('draw cb0.write t @ 10us\nevent cb.pixels.wbinv\nsync "s" me coherent cb0 t\n')
    assert scene.stall("events").end == scene.operation("cb.pixels").end
    assert scene.stall("events").cause == (0, 1)


def test_an_action_without_its_bit_is_not_waited_for() -> None:
    text = "draw cb0.write t @ 10us\nflush ps\nsync me cb.pixels.wbinv"
    assert run(text).stalls("cache-operation") == []
    assert run(f"{text} coherent cb0 t").stall("cache-operation").end > 10 * US
    idle = run(f"{text}\nwait idle")
    assert idle.stall("idle").end > run(text).operation("cb.pixels").end


def test_operations_come_far_to_near() -> None:
    scene = run("sync me i.inv tcp.wbinv tcc.wbinv k.inv\n")
    assert [row.cache for row in scene.timeline.operations] == ["tcc", "tcp", "k", "i"]
    rows = scene.timeline.operations
    assert all(one.end == two.start for one, two in pairwise(rows))


# -- flush time


@pytest.mark.parametrize(
    ("written", "dirty"),
    [("a[0:64]", 64), ("a", 65536), ("big", 1048576)],
    ids=["a line", "64K", "more than TCC holds"],
)
def test_a_flush_takes_as_long_as_its_dirty_bytes(written: str, dirty: int) -> None:
    scene = run(f"dispatch cs.uav-write {written} @ 10us\nflush cs\nsync me tcc.wbinv\n")
    operation = scene.operation("tcc")
    assert operation.size == dirty
    bytes_take = -(-dirty * 10**12 // (320 * 10**9))
    assert operation.end - operation.start == 200 * CYCLE + bytes_take + TRIP


def test_bytes_that_are_written_twice_are_dirty_once() -> None:
    text = "dispatch cs.uav-write a[0:48K] @ 1us\ndispatch cs.uav-write a[16K:] @ 1us\nflush cs\n"
    assert run(f"{text}sync me tcc.wbinv\n").operation("tcc").size == 65536


def test_a_second_flush_finds_nothing() -> None:
    scene = run("dispatch cs.uav-write a @ 1us\nflush cs\nsync me tcc.wbinv\nsync me tcc.wbinv\n")
    assert [row.size for row in scene.timeline.operations] == [65536, 0]


def test_a_read_leaves_nothing_dirty() -> None:
    scene = run("dispatch cs.buffer a @ 1us\nflush cs\nsync me tcc.wbinv\n")
    assert scene.operation("tcc").size == 0


def test_a_ranged_operation_writes_its_range_back() -> None:
    text = "draw db.write z @ 1us\nflush ps\n"
    whole = run(f"{text}sync me db.pixels.wbinv coherent db all\n").operation("db.pixels")
    part = run(f"{text}sync me db.pixels.wbinv coherent db z[0:4K]\n").operation("db.pixels")
    assert (whole.size, part.size) == (262144, 4096)


def test_an_eop_carries_its_flush_before_its_value() -> None:
    plain = run('dispatch "d" cs.uav-write a @ 10us\neop l = 1\n')
    carried = run('dispatch "d" cs.uav-write a @ 10us\neop l = 1 with tcc.wbinv\n')
    operation = carried.operation("tcc")
    assert operation.start == carried.work("d").end
    assert carried.written("l").time == operation.end + TRIP
    assert carried.written("l").time > plain.written("l").time


def test_what_holds_no_data_needs_no_confirm() -> None:
    scene = run("sync me tcc.wbinv tcp.wbinv k.inv\n")
    spans = {row.cache: row.end - row.start for row in scene.timeline.operations}
    assert spans == {"tcc": 200 * CYCLE + TRIP, "tcp": 100 * CYCLE, "k": 50 * CYCLE}


# -- cold caches


def test_works_in_flight_refill_what_an_invalidation_takes() -> None:
    text = 'dispatch "d" cs.buffer big @ 10us memory=0.9\nwait me l == 0\nsync me tcc.wbinv\n'
    warm = run(text, Options(refills=False)).work("d")
    cold = run(text)
    assert warm.end - warm.launched == 10 * US
    # all of TCC, 1 MiB at 320 GB/s, a tenth of memory's rate while the work itself takes the rest
    refill = (1 << 20) * 10**12 // (320 * 10**9)
    beside = warm.end - cold.operation("tcc").start
    assert cold.work("d").end == warm.end + refill - beside // 10


def test_a_work_that_has_not_launched_yet_is_cold_anyway() -> None:
    text = 'dispatch "d" cs.buffer big @ 10us memory=0.9\nsync me tcc.wbinv\n'
    assert run(text).work("d") == run(text, Options(refills=False)).work("d")


@pytest.mark.parametrize(
    "text", ["flush cs\nsync me tcc.wbinv\n", "wait me l == 0\nsync me k.inv\n"]
)
def test_other_works_and_other_caches_need_no_refill(text: str) -> None:
    lines = f'dispatch "d" cs.buffer big @ 10us memory=0.9\n{text}'
    assert run(lines).work("d") == run(lines, Options(refills=False)).work("d")


# -- contexts


def contexts(count: int, options: Options | None = None) -> Scene:
    """Draws that each have a context of their own, beside a long one."""
    draws = "".join(
        f'draw "{n}" cb0.write {"ut"[n % 2]} @ 1us residency=1%\n' for n in range(count)
    )
    return run(f'draw "first" cb0.write t @ 90us residency=1%\n{draws}', options)


def test_seven_contexts_are_in_flight() -> None:
    assert contexts(6).stalls("context-roll") == []


def test_the_eighth_waits_for_the_first() -> None:
    scene = contexts(7)
    stall = scene.stall("context-roll")
    assert stall.cause == scene.spot("first")
    assert stall.end == scene.work("first").end + SIGNAL


def test_with_eight_contexts_the_ninth_waits() -> None:
    assert contexts(7, only(contexts_in_flight=8)).stalls("context-roll") == []
    assert contexts(8, only(contexts_in_flight=8)).stalls("context-roll") != []


def test_dispatches_need_no_context() -> None:
    lines = 'draw "first" cb0.write t @ 90us residency=1%\n'
    lines += "dispatch cs.buffer a @ 1us residency=1%\n" * 20
    assert run(lines).stalls("context-roll") == []


# -- PFP and ME


def test_pfp_runs_ahead_of_me() -> None:
    scene = run("draw cb0.write t @ 50us\nflush ps\ndraw cb0.write t @ 1us\n" + "context\n" * 9)
    pfp = [span for span in scene.timeline.spans if span.engine == "pfp"]
    assert max(span.end for span in pfp) < US


def test_me_waits_for_what_pfp_reads() -> None:
    scene = run("draw pfp.args a[0:16]; cb0.write t @ 1us\n")
    assert scene.stall("pfp").end == 10 * CYCLE + TRIP


def test_a_wait_of_me_does_not_hold_pfp() -> None:
    scene = run("draw cb0.write t @ 50us\neop l = 1\nwait me l == 1\ncontext\n")
    assert max(s.end for s in scene.timeline.spans if s.engine == "pfp") < US


def test_a_wait_of_pfp_holds_both() -> None:
    scene = run('draw cb0.write t @ 50us\neop l = 1\nwait pfp l == 1\ndraw "d" cb0.write t @ 1us\n')
    assert [stall.engine for stall in scene.stalls("fence")] == ["pfp"]
    assert scene.stalls("pfp")[-1].end > 50 * US


def test_pfp_sync_me_is_more_than_a_wait_of_me() -> None:
    text = "draw cb0.write t @ 5us\neop l = 1\nwait me l == 1\n"
    plain = run(f"{text}draw cb0.write t @ 1us\n")
    handed = run(f"{text}pfp-sync-me\ndraw cb0.write t @ 1us\n")
    (stall,) = handed.stalls("me")
    assert stall.engine == "pfp"
    assert stall.end == plain.stall("fence").end + 200 * CYCLE
    assert handed.time > plain.time


def test_a_label_of_pfp_may_overtake_me() -> None:
    scene = run("wait me l == 1\nset pfp l = 1\n")
    assert scene.stall("fence").cause == (0, 1)


# -- CP DMA


def test_cp_dma_is_not_waited_for_unless_asked() -> None:
    assert run('copy a from b\ndraw "d" cb0.write t @ 1us\n').work("d").launched < US
    waited = run('copy a from b\ndma "w" wait\ndraw "d" cb0.write t @ 1us\n')
    assert waited.stall("dma").end == waited.timeline.works[0].end + SIGNAL
    synchronous = run('copy a from b sync\ndraw "d" cb0.write t @ 1us\n')
    assert synchronous.stall("dma").end == synchronous.timeline.works[0].end + SIGNAL


def test_an_eop_does_not_wait_for_cp_dma() -> None:
    assert run("copy big from big\neop l = 1\n").written("l").time < US


def test_cp_dmas_come_one_after_the_other() -> None:
    scene = run("copy a from b\ncopy a from b\ncopy a from b raw-wait\n")
    first, second, third = scene.timeline.works
    span = 131072 // 16 * CYCLE
    assert second.launched == first.launched + span, "the bytes of the first are through"
    assert third.launched == second.end, "and in memory"
    assert first.end == first.launched + span + TRIP


# -- display and CPU


def test_a_flip_comes_at_a_vblank_and_is_over_at_the_next() -> None:
    head = HEAD + "backbuffer shown 256x256 rgba8\n"
    scene = run("draw cb0.write shown @ 1us\npresent shown\nwait flip shown\n", head=head)
    (span,) = [span for span in scene.timeline.spans if span.engine == "display"]
    assert (span.start, span.end) == (16_666_666_667, 2 * 16_666_666_667)
    assert scene.stall("flip").end == span.end


def test_a_kickoff_reaches_its_queue_after_a_while() -> None:
    head = HEAD + "queue cpu: cpu\n  write a @ 5us\n  kickoff gfx\n"
    scene = run('kickoff\ndraw "d" cb0.write t @ 1us\n', head=head)
    assert scene.stall("kickoff").end == 5 * US + 2000 * CYCLE
    assert scene.stall("kickoff").cause == (0, 1)


def test_draws_behind_an_eop_that_flushes_cb_come_behind_it() -> None:
    text = 'draw cb0.write t @ 1us residency=10%\ndispatch "d" cs.buffer a @ 90us residency=10%\n'
    last = 'draw "l" cb0.write t @ 1us residency=10%'
    plain = run(f"{text}eop l = 1\n{last}")
    holding = run(f"{text}eop l = 1 with cb.pixels.wbinv\n{last}")
    assert plain.work("l").end < plain.work("d").end
    assert holding.work("l").end == holding.operation("cb.pixels").end > plain.work("d").end


def test_an_eop_that_flushes_cb_comes_behind_the_events_before_it() -> None:
    """What it says to be in memory is: the event's data is on its way before its own."""
    scene = run(
        "draw cb0.write t @ 1us\nevent cb.pixels.wbinv\neop l = 1 with cb.pixels.wbinv\neop m = 1\n"
    )
    event, own = (row for row in scene.timeline.operations if row.cache == "cb.pixels")
    assert (event.size, own.size) == (262144, 0)
    assert own.start >= event.end
    assert scene.written("l").time >= own.end + TRIP


def test_an_eop_whose_operations_find_nothing_is_waited_for_all_the_same() -> None:
    """Under `documented` a partial flush waits for the operations of earlier EOPs."""
    head = HEAD.replace("gcn2-hawaii", "gcn2-hawaii\nguarantees documented")
    text = 'draw "d" cb0.write t @ 50us residency=10%\neop with {}\nflush cs\ndraw "l" cb0.write t'
    for operation in ("tcc.wbinv", "tcc.volatile.wb"):
        scene = run(text.format(operation), head=head)
        assert scene.work("l").handed > scene.work("d").end
