"""What may stand behind `@`, and what is refused with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import ProgramProblem
from fencepost.machine import find_machine
from fencepost.stream.command import Work, WorkKind
from fencepost.timing import simulate
from fencepost.timing.cost import KEYS, Cost, read_cost, scaled
from fencepost.timing.parameters import Parameters
from tests.timing.scenes import CYCLE, HEAD, US, read

PARAMETERS = Parameters(find_machine("gcn2-hawaii"))


def cost_of(text: str) -> Cost:
    (work,) = read(text).queues[0].commands
    assert isinstance(work, Work)
    return read_cost(work, PARAMETERS)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("1.5ms", 1500 * US),
        ("time=3us", 3 * US),
        ("7ps", 7),
        ("0.25ns", 250),
        ("1s", 10**12),
        ("cycles=12", 12 * CYCLE),
    ],
)
def test_durations(text: str, time: int) -> None:
    assert cost_of(f"draw cb0.write t @ {text}").time == time


@pytest.mark.parametrize(
    ("text", "part"), [("0.8", 800_000), ("1", 10**6), ("80%", 800_000), ("0.5%", 5000)]
)
def test_parts(text: str, part: int) -> None:
    cost = cost_of(f"draw cb0.write t @ 1ms sm={text} residency={text} vs={text}")
    assert (cost.loads, cost.residency, cost.vertex_part) == ({"sm": part}, part, part)


def test_counts() -> None:
    cost = cost_of("dispatch cs.buffer a @ threads=4096 operations=1000 bytes=64K waves=7")
    assert cost.counts == {"threads": 4096, "operations": 1000, "bytes": 65536}
    assert cost.waves == 7


def test_every_key_of_the_table_is_read() -> None:
    said = {"time", "cycles", "residency", "vs", "waves", "rays"}
    assert set(KEYS) == said | {"vertices", "pixels", "threads", "operations", "bytes"}


BAD = [
    ("draw cb0.write t @ 0ms", "'time=0ms' is zero or too small"),
    ("draw cb0.write t @ 0.1ps", "'time=0.1ps' is zero or too small"),
    ("draw cb0.write t @ 2s", "'time=2s' is too large"),
    ("draw cb0.write t @ 99999999999999999999ms", "is too large"),
    ("draw cb0.write t @ time=-3ms", "'time=-3ms' is no value"),
    ("draw cb0.write t @ time=nan", "'time=nan' is no value"),
    ("draw cb0.write t @ time=infms", "'time=infms' is no value"),
    ("draw cb0.write t @ time=1.2.3ms", "'time=1.2.3ms' is no value"),
    ("draw cb0.write t @ time=3", "'time=3' is no value"),
    ("draw cb0.write t @ 1ms sm=nan", "'sm=nan' is no value"),
    ("draw cb0.write t @ 1ms sm=-0.5", "'sm=-0.5' is no value"),
    ("draw cb0.write t @ 1ms sm=0", "'sm=0' is zero or too small"),
    ("draw cb0.write t @ 1ms sm=0.0000001", "'sm=0.0000001' is zero or too small"),
    ("draw cb0.write t @ 1ms sm=1.01", "'sm=1.01' is too large"),
    ("draw cb0.write t @ 1ms sm=101%", "'sm=101%' is too large"),
    ("draw cb0.write t @ 1ms sm=1e3", "'sm=1e3' is no value"),
    ("draw cb0.write t @ 1ms residency=0", "'residency=0' is zero or too small"),
    ("draw cb0.write t @ 1ms vs=2", "'vs=2' is too large"),
    ("draw cb0.write t @ waves=0", "'waves=0' is zero or too small"),
    ("draw cb0.write t @ pixels=2.5", "'pixels=2.5' is no value"),
    ("draw cb0.write t @ pixels=9999999999999", "'pixels=9999999999999' is too large"),
    ("draw cb0.write t @ cycles=999999999999", "'cycles' is"),
    ("draw cb0.write t @ 1ms cycles=4", "a second time, 'cycles'"),
    ("draw cb0.write t @ sm=0.5", "loads without a time"),
    ("draw cb0.write t @ 1ms rt=0.5", "machine 'gcn2-hawaii' has no unit 'rt'"),
    ("draw cb0.write t @ rays=5", "machine 'gcn2-hawaii' has no unit 'rt'"),
    ("draw cb0.write t @ 1ms alu=0.5", "no cost 'alu'"),
    ("draw cb0.write t @ 1ms memry=0.5", "no cost 'memry' (did you mean 'memory'?)"),
    ("draw cb0.write t @ threads=5", "'threads=5' on a draw"),
    ("dispatch cs.buffer a @ 1ms rop=0.5", "'rop=0.5' on a dispatch"),
    ("dispatch cs.buffer a @ 1ms geometry=1", "'geometry=1' on a dispatch"),
    ("dispatch cs.buffer a @ vertices=5", "'vertices=5' on a dispatch"),
    ("copy a from b @ 1us memory=0.5", "'memory=0.5' on a dma"),
    ("copy a from b @ residency=0.5", "'residency=0.5' on a dma"),
    ("dispatch cs.buffer a @ 1us memory=0.5 bytes=64", "a count and a load of 'memory'"),
    ("dispatch cs.buffer a @ 1us bytes=1M", "unit 'memory' cannot do 1048576 in 1000000 ps"),
]


@pytest.mark.parametrize(("line", "said"), BAD)
def test_a_cost_that_makes_no_sense_is_one_error_with_its_place(line: str, said: str) -> None:
    program = read(f"context\n{line}")
    with pytest.raises(ProgramProblem) as caught:
        simulate(program)
    message = str(caught.value)
    assert said in message
    assert message.startswith(f"scene.fence:{len(HEAD.splitlines()) + 3}:1: cost: ")
    assert "; expected " in message
    assert "\n" not in message


@given(st.text(alphabet="0123456789.%-+enamuspx/_KMG", max_size=12), st.sampled_from(sorted(KEYS)))
def test_any_words_are_read_or_refused(text: str, key: str) -> None:
    work = Work(kind=_draw(), verb="draw", accesses=(), cost=((key, text),))
    said = ""
    cost = Cost()
    try:
        cost = read_cost(work, PARAMETERS)
    except ProgramProblem as problem:
        said = str(problem)
    assert said.startswith("<program>: cost: ") != (cost != Cost())


def _draw() -> WorkKind:
    work = read("draw").queues[0].commands[0]
    assert isinstance(work, Work)
    return work.kind


@given(st.integers(0, 10**9), st.integers(0, 10**6), st.integers(1, 10**12))
def test_decimals_are_exact(whole: int, millionths: int, scale: int) -> None:
    text = f"{whole}.{millionths:06d}" if millionths < 10**6 else f"{whole}"
    exact = (whole * 10**6 + (millionths if millionths < 10**6 else 0)) * scale // 10**6
    assert scaled(text, scale) == exact
