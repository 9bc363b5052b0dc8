"""Figures 1-5 of seed 000: what they show, on the machine that they are of."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.stream.reading import load
from fencepost.timing import simulate
from fencepost.timing.parameters import Parameters
from tests.timing.scenes import Scene

FIGURES = Path(__file__).resolve().parents[2] / "examples" / "xbox-one" / "figures"
NAMES = sorted(path.stem for path in FIGURES.glob("*.fence"))
TRIP = Parameters(find_machine("xbox-one")).cycles("memory round trip")


def figure(name: str) -> Scene:
    program = load(FIGURES / f"figure-{name}.fence")
    return Scene(program, simulate(program))


def test_every_figure_is_here() -> None:
    assert NAMES == [
        "figure-1",
        "figure-2-barrier",
        "figure-2-overlap",
        "figure-3",
        "figure-4",
        "figure-5",
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_right_unless_it_lacks_its_barrier(name: str) -> None:
    program = load(FIGURES / f"{name}.fence")
    report = check(program, find_machine(program.machine))
    assert bool(report.of(Kind.HAZARD)) == (name == "figure-2-overlap")


def test_figure_1_eos_before_the_back_end_ends_eop_before_memory_is_written() -> None:
    scene = figure("1")
    draw = scene.work("draw")
    assert scene.written("shaded").time == draw.shader + TRIP
    assert scene.written("passed").time == draw.end + TRIP
    assert draw.vertex < draw.shader < draw.end
    flush = scene.operation("cb.pixels")
    assert draw.end <= flush.start < flush.end
    assert scene.written("shaded").time - TRIP < draw.end
    assert scene.written("passed").time - TRIP < flush.end


def test_figure_2_without_a_barrier_the_consumer_overlaps_the_producer() -> None:
    scene = figure("2-overlap")
    assert scene.work("consumer").launched < scene.work("producer").shader
    assert scene.stalls("partial-flush") == []


def test_figure_2_with_a_barrier_it_does_not() -> None:
    scene = figure("2-barrier")
    producer, consumer = scene.work("producer"), scene.work("consumer")
    assert producer.shader < producer.end < consumer.launched
    assert scene.time > figure("2-overlap").time


def test_figure_3_the_partial_flush_stalls_behind_independent_draws() -> None:
    scene = figure("3")
    stall = scene.stall("partial-flush")
    last, consumer = scene.work("2"), scene.work("consumer")
    assert stall.cause == scene.spot("2")
    assert scene.work("producer").shader < last.launched, "the producer has long finished"
    (flush,) = scene.timeline.costs
    assert flush.exposed == consumer.launched - last.shader > 0


def test_figure_4_the_fence_leaves_no_bubble() -> None:
    scene = figure("4")
    last, consumer = scene.work("2"), scene.work("consumer")
    assert consumer.launched == last.shader
    assert [cost.exposed for cost in scene.timeline.costs] == [0, 0]
    assert scene.written("fence").time < last.launched, "the value was there long before"


def test_the_fence_saves_as_much_as_the_partial_flush_stalls() -> None:
    with_flush, with_fence = figure("3"), figure("4")
    (flush,) = with_flush.timeline.costs
    assert with_flush.time - with_fence.time == flush.exposed


def test_figure_5_blocks_work_from_top_to_bottom() -> None:
    scene = figure("5")
    timeline = scene.timeline
    first: dict[str, int] = {}
    for span in timeline.spans:
        if span.position == scene.spot("producer")[1]:
            first.setdefault(span.engine, span.start)
    assert list(first) == ["pfp", "me", "ps", "vs", "back-end"]
    producer = scene.work("producer")
    flushed = scene.operation("cb.pixels")
    ends = [producer.vertex, producer.shader, producer.end, flushed.end]
    assert ends == sorted(ends)
    tops = [row for row in timeline.operations if row.cache in {"tcc", "tcp"}]
    assert [row.cache for row in tops] == ["tcc", "tcp"], "far to near"
    assert scene.written("passed").time < tops[0].start
    assert tops[-1].end < scene.work("consumer").launched
