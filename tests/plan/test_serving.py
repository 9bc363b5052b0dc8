"""What each inserted command is for, and what a lighter choice would break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.coherence.checking import Examination
from fencepost.machine import Machine, find_machine
from fencepost.place import Place
from fencepost.plan import serving
from fencepost.plan.pieces import END, STAND_IN, SYNC, WAIT, Piece, Woven, weave
from fencepost.plan.planning import NoPlan, plan
from fencepost.plan.serving import Pair, Service, serve
from fencepost.stream.command import (
    CacheOperation,
    Command,
    Comparison,
    EndOfPipe,
    PartialFlush,
    SurfaceSync,
    WaitIdle,
    WaitMemory,
)
from fencepost.stream.program import Program, Queue, QueueKind
from fencepost.stream.text import parse_text
from tests.coherence.strategies import machines, make_program, spot_lists, works

HEAD = """machine xbox-one
buffer a 64K
buffer b 64K
queue gfx: graphics
"""


def stream(*lines: str) -> Program:
    return parse_text(HEAD + "\n".join(lines) + "\n")


def piece(gap: int, command: Command, rank: int = WAIT, fence: str = "") -> Piece:
    return Piece(0, gap, rank, command, fence)


def wbinv(*caches: str) -> tuple[CacheOperation, ...]:
    return tuple(CacheOperation(cache, "wbinv") for cache in caches)


def services(program: Program, *pieces: Piece, level: str = "documented") -> list[Service]:
    machine = find_machine(program.machine)
    return serve(weave(program, pieces), machine, level)


def pairs(found: Sequence[Pair]) -> list[tuple[str, str, str, str]]:
    """Rule, names of both commands, bytes."""
    return [
        (row.rule, row.earlier.command.name, row.later.command.name, row.resource) for row in found
    ]


def choices(service: Service) -> dict[str, list[str]]:
    """What each lighter choice breaks."""
    return {row.choice: [pair.rule for pair in row.breaks] for row in service.lighter}


READ_WRITE = stream('draw "reader" ps.buffer a', 'dispatch "writer" cs.uav-write a')
READ_ONLY = stream('dispatch "writer" cs.uav-write a', 'draw "reader" pfp.args b; ps.buffer a')


def test_a_flush_serves_the_pair_that_it_keeps_apart() -> None:
    (service,) = services(READ_WRITE, piece(1, PartialFlush(stage="ps")))
    assert service.places == ((0, 1),)
    assert pairs(service.serves) == [("write-after-read", "reader", "writer", "a")]
    assert choices(service) == {"flush vs": ["write-after-read"]}
    assert service.explained


def test_every_lighter_choice_of_an_idle_is_tried() -> None:
    (service,) = services(READ_WRITE, piece(1, WaitIdle()))
    assert choices(service) == {
        "flush vs": ["write-after-read"],
        "flush cs": ["write-after-read"],
    }


def test_each_operation_says_what_it_is_for() -> None:
    program = stream(
        'draw "before" ps.buffer a; vs.constant b',
        "flush ps",
        'dispatch "writer" cs.uav-write a; cs.uav-write b',
        'draw "reader" ps.buffer a; vs.constant b',
    )
    sync = SurfaceSync(engine="me", operations=(*wbinv("tcp"), CacheOperation("k", "inv")))
    flush, flushed = services(program, piece(3, PartialFlush(stage="cs")), piece(3, sync, SYNC))
    assert {row[3] for row in pairs(flush.serves)} == {"a", "b"}
    assert pairs(flushed.serves) == [
        ("stale-cache-line", "writer", "reader", "a"),
        ("stale-cache-line", "writer", "reader", "b"),
    ]
    assert choices(flushed) == {
        "without tcp.wbinv": ["stale-cache-line"],
        "without k.inv": ["stale-cache-line"],
    }


def test_a_fence_is_one_service() -> None:
    wait = WaitMemory(engine="me", label=STAND_IN, comparison=Comparison.EQUAL, reference=0)
    value = EndOfPipe(label=STAND_IN, operations=wbinv("tcp"))
    program = stream(
        'dispatch "writer" cs.uav-write a',
        'dispatch "independent" cs.uav-write b',
        'draw "reader" ps.buffer a',
    )
    (service,) = services(program, piece(1, value, END, "f"), piece(2, wait, WAIT, "f"))
    assert service.places == ((0, 1), (0, 3))
    assert pairs(service.serves) == [("read-after-write", "writer", "reader", "a")]
    found = choices(service)
    assert found["without tcp.wbinv"] == ["stale-cache-line"]
    assert found["eos cs gfx-eop = 1"] == ["stale-cache-line"]


def test_a_command_that_nobody_needs_serves_nobody() -> None:
    flush, spare = piece(1, PartialFlush(stage="cs")), piece(2, WaitIdle())
    needed, unneeded = services(READ_ONLY, flush, spare)
    assert pairs(needed.serves) == [("read-after-write", "writer", "reader", "a")]
    assert (unneeded.places, unneeded.serves) == (((0, 3),), ())


def test_a_level_decides_what_a_command_serves() -> None:
    """The flush confirms the event under `documented` alone."""
    program = parse_text(
        "machine xbox-one\ncolor c 64x64 rgba8\nqueue gfx: graphics\n"
        'draw "paint" cb0.write c\nevent cb.pixels.wbinv\ndraw "reader" ps.texture c\n'
    )
    flush = piece(2, PartialFlush(stage="ps"))
    (documented,) = services(program, flush)
    (strict,) = services(program, flush, level="strict")
    assert pairs(documented.serves) == [("read-after-write", "paint", "reader", "c")]
    assert strict.serves == ()


def test_where_there_is_too_much_to_try_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["draw ps.buffer a", "dispatch cs.uav-write a"] * 10
    program = stream(*lines)
    pieces = [
        piece(gap, PartialFlush(stage="cs" if gap % 2 == 0 else "ps")) for gap in range(1, 20)
    ]
    assert all(row.explained for row in services(program, *pieces))
    monkeypatch.setattr(serving, "MOST_REPLAYED", 300)
    found = services(program, *pieces)
    assert len(found) == len(pieces)
    explained = [row.explained for row in found]
    assert explained == sorted(explained, reverse=True)
    assert 0 < sum(explained) < len(pieces)
    assert not any(row.serves or row.lighter for row in found if not row.explained)


# -- by another way


def left_out(woven: Woven, places: Sequence[tuple[int, int]]) -> Program:
    """The program without those commands."""
    queues = [
        replace(
            queue,
            commands=[row for at, row in enumerate(queue.commands) if (number, at) not in places],
        )
        for number, queue in enumerate(woven.program.queues)
    ]
    return replace(woven.program, queues=tuple(queues))


def conflicts(program: Program, level: str) -> set[tuple[str, Place, Place]]:
    """Rule, and where both commands were read (in the random programs each has its line)."""
    machine = find_machine(program.machine)
    hits = Examination(program, machine, level).replay().outcome.hits
    commands = [queue.commands for queue in program.queues]
    return {
        (
            hit.rule,
            commands[hit.earlier.queue][hit.earlier.position].place,
            commands[hit.later.queue][hit.later.position].place,
        )
        for hit in hits
    }


@settings(max_examples=60)
@given(st.data(), machines, st.sampled_from((QueueKind.GRAPHICS, QueueKind.COMPUTE)))
def test_what_is_served_is_what_goes_wrong_without_it(
    data: st.DataObject, machine: Machine, kind: QueueKind
) -> None:
    each = works(machine, kind, data.draw(spot_lists))
    listing = data.draw(st.lists(each, min_size=3, max_size=4))
    program = make_program(machine, [Queue("gfx", kind, listing)])
    level = data.draw(st.sampled_from(("documented", "strict")))
    try:
        woven = plan(program, machine, level).woven
    except NoPlan:
        return
    for service in serve(woven, machine, level):
        served = {(row.rule, row.earlier.place, row.later.place) for row in service.serves}
        assert served == conflicts(left_out(woven, service.places), level)
        assert served, "nobody needs it"
        for choice in service.lighter:
            assert choice.breaks
