"""Anything at all: a timeline or one clear error; never another exception."""

from __future__ import annotations

import gzip
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.capture.traces import read_trace
from fencepost.errors import FencepostError
from fencepost.report.chrome import write_chrome
from fencepost.timeline import figures
from tests.timeline.test_figures import TWO
from tests.timeline.traces import encoded, event, needs_data, real, slice_, wait, work

pytestmark = pytest.mark.fuzz

KINETO = encoded(
    [
        work("gemm", 7, 0, 10, 1),
        work("copy", 20, 12.5, 10, 5, "gpu_memcpy"),
        work("gemm", 7, 10, 5, 3),
        wait(20, 4, 7, 2),
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "x"}},
    ]
)
GENERIC = encoded(
    [
        slice_("a", 0, 10),
        event("B", 12, name="b", tid=2),
        event("E", 15, name="b", tid=2),
        event("s", 5, id=1, name="f", cat="c"),
        event("f", 13, id=1, name="f", cat="c", tid=2, bp="e"),
        event("i", 3),
    ]
)
TABLE = b'queue,name,start_us,duration\ngfx,"a, b",0,1.5us\nasync,b,1e3,2ms\n'
SAMPLES = [
    KINETO,
    GENERIC,
    TABLE,
    write_chrome(TWO),
    gzip.compress(KINETO, mtime=0),
    gzip.compress(TABLE, mtime=0),
]


def check(data: bytes) -> None:
    try:
        made = read_trace(data, "fuzz")
        found = figures(made)
    except FencepostError as error:
        text = str(error)
        assert text.startswith("fuzz")
        assert text.isprintable()
        assert len(text) < 1000
        return
    assert len(made)
    assert sum(found.running) == found.window
    again = read_trace(write_chrome(made), "fuzz")
    assert list(again.starts) == list(made.starts)
    assert list(again.ends) == list(made.ends)
    assert again.flows == made.flows


@pytest.mark.parametrize("sample", range(len(SAMPLES)))
def test_the_samples_are_read(sample: int) -> None:
    assert len(read_trace(SAMPLES[sample], "fuzz"))


@given(st.binary(max_size=200))
def test_fuzz_bytes(data: bytes) -> None:
    check(data)


@given(st.text(max_size=200), st.sampled_from(["", "queue,name,start_us,duration_us\n", '["', "{"]))
def test_fuzz_text(text: str, head: str) -> None:
    check((head + text).encode("utf-8"))


@given(st.sampled_from(SAMPLES), st.data())
def test_fuzz_damage(sample: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(sample)))
    upto = data.draw(st.integers(at, min(at + 20, len(sample))))
    check(sample[:at] + data.draw(st.binary(max_size=8)) + sample[upto:])


@given(st.sampled_from(SAMPLES), st.data())
def test_fuzz_truncation(sample: bytes, data: st.DataObject) -> None:
    check(sample[: data.draw(st.integers(0, len(sample)))])


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 40),
    st.integers(),
    st.floats(),
    st.sampled_from(["", "X", "B", "E", "s", "f", "M", "kernel", "NaN", "1e9999999", "12.5", "-1"]),
    st.text(max_size=3),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=4,
)
FIELDS = ["ph", "ts", "dur", "pid", "tid", "cat", "name", "id", "bp", "args"]


def change(item: dict[str, object], field: str, data: st.DataObject) -> None:
    """Give a field another value, or take it away."""
    if data.draw(st.booleans()):
        item[field] = data.draw(JSON)
    else:
        item.pop(field, None)


@given(st.sampled_from([KINETO, GENERIC, write_chrome(TWO)]), st.data())
def test_fuzz_fields(sample: bytes, data: st.DataObject) -> None:
    """One field of one event, or of its arguments, is something else or missing."""
    document = json.loads(sample)
    item = data.draw(st.sampled_from(document["traceEvents"]))
    inner = item.get("args")
    if inner and data.draw(st.booleans()):
        change(inner, data.draw(st.sampled_from(sorted(inner))), data)
    else:
        change(item, data.draw(st.sampled_from(FIELDS)), data)
    check(json.dumps(document).encode("utf-8"))


CELLS = st.one_of(
    st.sampled_from(["gfx", "a", "0", "1us", "-1us", "1e3ns", "NaN", "5", "", '"', " "]),
    st.text(max_size=4),
)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=5), max_size=5))
def test_fuzz_rows(rows: list[list[str]]) -> None:
    lines = [",".join(cells) for cells in rows]
    check("\n".join(["queue,name,start,duration", *lines]).encode("utf-8"))


@needs_data
def test_fuzz_a_real_trace() -> None:
    sample = gzip.decompress(real("critical_path__cuda_event").read_bytes())
    chance = random.Random(1)
    for _ in range(300):
        data = bytearray(sample)
        for _ in range(chance.randint(1, 3)):
            data[chance.randrange(len(data))] = chance.choice(b'{}[]",:0129-eE.nX\x00\xff')
        check(bytes(data))
