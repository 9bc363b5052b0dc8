"""The timing engine, compiled and interpreted: the same run, integer for integer."""

from __future__ import annotations

import importlib

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from benchmarks.pipeline import Pipeline, rows, text_of
from fencepost.errors import DeadlockProblem
from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from fencepost.timing import Options, Timeline, simulate
from fencepost.timing.lower import lower
from fencepost.timing.parameters import Parameters
from fencepost.timing.sharing import RULES
from tests.kernels.twice import compiled, interpreted
from tests.timing.scenes import read
from tests.timing.streams import streams

CALLER = importlib.import_module("fencepost.timing.simulate")
KERNEL = "fencepost.timing.run"
SHARING = "fencepost.timing.sharing"
ASYNC = """
queue async: compute
  wait l >= 1
  dispatch cs.buffer big @ cycles=3000 memory=70% residency=40%
  eop m = 1 with tcc.wbinv
  dispatch cs.texture t @ threads=70000
"""
"""Beside the graphics queue: it shares slots and units, and waits for a value."""


def timelines(program: Program, options: Options) -> list[Timeline | str]:
    """Of the compiled and of the interpreted run."""
    found: list[Timeline | str] = []
    for form in (compiled, interpreted):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(CALLER, "Run", form(KERNEL).Run)
            patch.setattr(CALLER, "RULES", form(SHARING).RULES)
            try:
                found.append(simulate(program, options))
            except DeadlockProblem as problem:
                found.append(str(problem))
    return found


OPTIONS = st.builds(Options, refills=st.booleans(), sharing=st.sampled_from(list(RULES)))


@given(streams(), OPTIONS)
@limits(max_examples=80)
def test_streams_of_one_queue(lines: list[str], options: Options) -> None:
    one, two = timelines(read("\n".join(lines)), options)
    assert one == two


@given(streams(8), OPTIONS)
@limits(max_examples=60)
def test_two_queues_and_deadlocks(lines: list[str], options: Options) -> None:
    one, two = timelines(read("\n".join(lines) + ASYNC), options)
    assert one == two


def test_the_peer_of_the_benchmark_finds_the_same() -> None:
    pytest.importorskip("simpy")
    made = rows(400)
    parameters = Parameters(find_machine("gcn2-hawaii"))
    code = lower(parse_text(text_of(made), "pipeline.fence"), parameters, "strict")
    run = compiled(KERNEL).Run(code, parameters, RULES["fair-queues"](), cold=True)
    assert run.run()
    peer = Pipeline(made)
    peer.run()
    assert peer.launched == list(run.record.launched)
    assert peer.over == list(run.record.end_done)
