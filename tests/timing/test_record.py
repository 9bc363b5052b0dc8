"""What a run leaves behind: every chain to its end, in order, and nothing behind the end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import settings as limits

from fencepost.machine import find_machine
from fencepost.stream.program import Program
from fencepost.timing.code import CHAINS
from fencepost.timing.lower import lower
from fencepost.timing.parameters import Parameters
from fencepost.timing.record import Record
from fencepost.timing.run import Run
from fencepost.timing.sharing import RULES
from tests.timing.scenes import read
from tests.timing.streams import streams

HAWAII = find_machine("gcn2-hawaii")
PARAMETERS = Parameters(HAWAII)
EVERYTHING = """
  draw cb0.write t
  event cb.pixels.wbinv
  sync me db.pixels.wbinv
  eop l = 1 with tcc.wbinv
  eop with tcc.wbinv
  eos ps m = 1
  dispatch cs.buffer big
  eos cs m = 2
  copy as dma dma.read big
  copy big from other by pfp
  draw cb0.write back
  present back
  wait flip back
queue other: copy
  copy big from other
"""


def record_of(program: Program) -> Record:
    code = lower(program, PARAMETERS, HAWAII.guarantees)
    run = Run(code, PARAMETERS, RULES["fair-queues"](), cold=True)
    assert run.run()
    assert list(run.record.done) == code.chain_sizes, "there is just as much room as it takes"
    return run.record


def times_of(record: Record, chain: int) -> list[int]:
    return [record.time(chain, number) for number in range(record.done[chain])]


@given(streams())
@limits(max_examples=60)
def test_chains_are_done_in_order(lines: list[str]) -> None:
    record = record_of(read("\n".join(lines)))
    for chain in range(len(record.done)):
        times = times_of(record, chain)
        assert times == sorted(times)
        assert all(0 <= time <= record.last for time in times)


def test_all_kinds_of_chains_have_room() -> None:
    head = "machine gcn2-hawaii\nbuffer big 4M\nbuffer other 4M\ncolor t 64x64 rgba8\n"
    head += "backbuffer back 64x64 rgba8\nlabel l = 0, m = 0\n"
    record = record_of(read(EVERYTHING, head))
    kinds = {chain % CHAINS for chain, done in enumerate(record.done) if done}
    assert kinds == set(range(CHAINS))
