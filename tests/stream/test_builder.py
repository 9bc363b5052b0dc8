"""The Python builder: places, errors, what has no other test."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from typing import Any

import pytest

from fencepost.errors import FencepostError, Problems
from fencepost.place import Place
from fencepost.stream import builder as module
from fencepost.stream.builder import FILE, Bytes, ProgramBuilder, QueueBuilder, Use
from fencepost.stream.command import Access, Frame, Work, WorkKind
from fencepost.stream.program import QueueKind, Suppression
from fencepost.stream.resource import Resource


def test_the_example_of_the_documentation() -> None:
    assert doctest.testmod(module).attempted > 0
    assert doctest.testmod(module).failed == 0


def test_every_call_is_a_line() -> None:
    builder = ProgramBuilder("xbox-one", file="tool")
    heap = builder.buffer("heap", 64)
    queue = builder.graphics("gfx")
    queue.frame().draw("a", Use("ps.texture", heap)).flush("ps")
    program = builder.build()
    assert program.file == "tool"
    assert heap.place == Place("tool", 1)
    assert program.queues[0].place == Place("tool", 2)
    lines = [command.place for command in program.queues[0].commands]
    assert lines == [Place("tool", 3), Place("tool", 4), Place("tool", 5)]


def test_calls_of_several_queues_may_alternate() -> None:
    builder = ProgramBuilder("xbox-one")
    first, second = builder.graphics(), builder.compute()
    first.frame()
    second.frame()
    first.flush("vs")
    program = builder.build()
    lines = [[command.place.line for command in queue.commands] for queue in program.queues]
    assert lines == [[3, 5], [4]]


def test_suppressions_belong_to_the_next_command() -> None:
    builder = ProgramBuilder("xbox-one").allow("deadlock", "all of it")
    builder.graphics().frame().allow("read-after-write", "this one").frame().frame()
    assert builder.build().suppressions == (
        Suppression("deadlock", FILE, 0, "all of it", Place(FILE, 1)),
        Suppression("read-after-write", FILE, 5, "this one", Place(FILE, 4)),
    )


def test_accesses_may_be_given_as_they_are() -> None:
    builder = ProgramBuilder("xbox-one")
    heap = builder.buffer("heap", 64)
    access = Access("ps", "texture", heap, "bytes", heap.main.start, heap.main.end)
    builder.graphics().draw("a", access).draw("b", Use("ps.texture", heap))
    first, second = builder.build().queues[0].commands
    assert isinstance(first, Work)
    assert isinstance(second, Work)
    assert first.accesses == second.accesses == (access,)


def test_any_command_may_be_added() -> None:
    builder = ProgramBuilder("xbox-one")
    builder.graphics().add(Frame(name="new"))
    assert builder.build().queues[0].commands == [Frame(name="new", place=Place(FILE, 2))]


@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("graphics", QueueKind.GRAPHICS),
        ("compute", QueueKind.COMPUTE),
        ("copy", QueueKind.COPY),
        ("cpu", QueueKind.CPU),
    ],
)
def test_queues(method: str, kind: QueueKind) -> None:
    builder = ProgramBuilder("xbox-one")
    getattr(builder, method)()
    (queue,) = builder.build().queues
    assert (queue.name, queue.kind) == (method, kind)


WRONG_OF_THE_PROGRAM: list[tuple[Callable[[ProgramBuilder], object], str]] = [
    (lambda b: b.buffer("heap", 4), "a second resource 'heap'"),
    (lambda b: b.buffer("", 4), "a resource without a name"),
    (lambda b: b.buffer("x", 0), "'x' is empty"),
    (lambda b: b.color("x", 8, 8, "r9"), "no format 'r9'"),
    (lambda b: b.color("x", 8, 8, "r8", "htile"), "a color has no part 'htile'"),
    (lambda b: b.compute("q"), "a second queue 'q'"),
]
WRONG_OF_A_QUEUE: list[tuple[Callable[[QueueBuilder, Resource], object], str]] = [
    (lambda q, r: q.draw("x", Use("ps.textur", r)), "no access 'ps.textur'"),
    (lambda q, r: q.draw("x", Use("ps.texture", r, 0, 65)), "range [0:65] of 'heap'"),
    (lambda q, r: q.draw("x", Use("ps.texture", r, part="x")), "'heap' has no part 'x'"),
    (lambda q, r: q.draw("x", Use("ps.texture", r, policy="x")), "no policy 'x'"),
    (lambda q, _: q.work("resolve", "x"), "a resolve does not say its kind"),
    (lambda q, _: q.event("cb"), "no cache operation 'cb'"),
    (lambda q, r: q.sync("", "cb0", Bytes(r, 0, 99)), "range [0:99] of 'heap'"),
    (lambda q, r: q.sync("", "cb0", Bytes(r, part="x")), "'heap' has no part 'x'"),
    (lambda q, r: q.copy(r, Bytes(r, 4, 2)), "range [4:2] of 'heap' is empty"),
]


@pytest.mark.parametrize(("call", "message"), WRONG_OF_THE_PROGRAM)
def test_wrong_calls_are_told_at_their_line(
    call: Callable[[ProgramBuilder], object], message: str
) -> None:
    builder = ProgramBuilder("xbox-one")
    builder.buffer("heap", 64)
    builder.graphics("q")
    with pytest.raises(FencepostError) as caught:
        call(builder)
    assert str(caught.value).startswith(f"{FILE}:3:1: {message}")


@pytest.mark.parametrize(("call", "message"), WRONG_OF_A_QUEUE)
def test_wrong_commands_are_told_at_their_line(
    call: Callable[[QueueBuilder, Resource], object], message: str
) -> None:
    builder = ProgramBuilder("xbox-one")
    heap = builder.buffer("heap", 64)
    queue = builder.graphics("q")
    with pytest.raises(FencepostError) as caught:
        call(queue, heap)
    assert str(caught.value).startswith(f"{FILE}:3:1: {message}")


def test_a_wrong_machine_or_guarantee() -> None:
    with pytest.raises(FencepostError, match=r"no machine 'xbox' \(did you mean 'xbox-one'\?\)"):
        ProgramBuilder("xbox")
    with pytest.raises(FencepostError, match="no guarantees 'lax'"):
        ProgramBuilder("xbox-one", "lax")


def test_what_cannot_be_issued_is_told_when_the_program_is_built() -> None:
    builder = ProgramBuilder("xbox-one")
    builder.compute().flush("ps").frame().flush("vs")
    with pytest.raises(Problems) as caught:
        builder.build()
    lines = [problem.place.line for problem in caught.value.problems if problem.place]
    assert lines == [2, 4]


def copies(queue: QueueBuilder, **options: Any) -> Work:  # noqa: ANN401
    """The copy that the queue makes with these options."""
    builder = ProgramBuilder("xbox-one")
    heap = builder.buffer("heap", 64)
    made = builder.queue("q", queue._kind)
    made.copy(Bytes(heap, 0, 8), Bytes(heap, 8, 16), **options)
    (work,) = builder.build().queues[0].commands
    assert isinstance(work, Work)
    return work


def test_copies_follow_their_queue() -> None:
    builder = ProgramBuilder("xbox-one")
    by_dma, by_queue = copies(builder.compute()), copies(builder.copy())
    assert (by_dma.kind, by_queue.kind) == (WorkKind.DMA, WorkKind.COPY)
    assert [access.block for access in by_dma.accesses] == ["dma", "dma"]
    assert [access.use for access in by_queue.accesses] == ["read", "write"]
    through = copies(builder.graphics(), through_tcc=True, engine="pfp", synchronous=True)
    assert [access.use for access in through.accesses] == ["read-tcc", "write-tcc"]
    assert (through.engine, through.synchronous, through.raw_wait) == ("pfp", True, False)
