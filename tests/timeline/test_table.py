from __future__ import annotations

import pytest

from fencepost.capture.traces import read_trace
from fencepost.timeline import figures
from tests.timeline.traces import refused, rows

US = 10**6
HEAD = "queue,name,start,duration\n"


def table(text: str) -> list[tuple[str, str, int, int]]:
    return rows(read_trace(text.encode("utf-8"), "t.csv"))


def test_each_time_has_its_unit() -> None:
    assert table(
        f"{HEAD}gfx,shadow,0us,1.5ms\nasync,ssao,500 us,2ms\ngfx,light,1500us,1e3ns\n"
    ) == [
        ("gfx", "shadow", 0, 1500 * US),
        ("gfx", "light", 1500 * US, 1501 * US),
        ("async", "ssao", 500 * US, 2500 * US),
    ]


@pytest.mark.parametrize(
    "head",
    [
        "queue,name,start_us,duration_us",
        "Queue, Name, Start (us), Duration [us]",
        "queue,name,start us,duration(\u00b5s)",
        "queue,name,start_\u03bcs,duration_us",
        '"queue","name","start_us","duration_us"',
        "\ufeffqueue,name,start_us,duration_us",
    ],
)
def test_the_unit_may_stand_in_the_head(head: str) -> None:
    assert table(f"{head}\ngfx,a,1,2.5\n") == [("gfx", "a", 0, 5 * US // 2)]
    assert table(f"{head}\r\n\r\ngfx,a,1us,2.5us\r\n") == [("gfx", "a", 0, 5 * US // 2)]


def test_columns_may_be_in_any_order() -> None:
    made = read_trace(b'start_ns,category,name,duration_ns,queue\n5,pass,"a, ""b""",1,q\n', "t")
    assert rows(made) == [("q", 'a, "b"', 0, 1000)]
    assert made.activities[0].category == "pass"
    assert made.origin == 5000


def test_figures_of_a_small_table() -> None:
    text = f"{HEAD}gfx,shadow,0us,10us\nasync,ssao,5us,10us\ngfx,light,20us,10us\n"
    found = figures(read_trace(text.encode("utf-8"), "t"))
    assert (found.busy, found.overlapped, found.idle) == (25 * US, 5 * US, 5 * US)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("q,a,0,1us", "the start '0' has no unit; expected a unit: 12.5us, or a column start_us"),
        ("q,a,0us,1", "the duration '1' has no unit"),
        ("q,a,0us,", "no duration; expected a number with a unit"),
        ("q,a,,1us", "no start; expected"),
        ("q,a,0us,-1us", "the duration '-1us' is negative"),
        ("q,a,-1us,1us", "the start '-1us' is negative"),
        ("q,a,0us,NaN", "'NaN' is no duration"),
        ("q,a,0us,inf", "'inf' is no duration"),
        ("q,a,0us,1e400s", "the duration '1e400s' is too large"),
        ("q,a,1e9s,1us\nq,a,0us,1us", "of one clock, at most 106 days apart"),
        ("q,a,0us,1min", "'1min' is no duration"),
        ("q,a,0us,1,5us", "5 cells; expected 4, as the first line has"),
        ("q,a,0us", "3 cells"),
        (",a,0us,1us", "no queue"),
        ('q,"a,0us,1us', "no CSV (unexpected end of data)"),
        ('q,"a"b,0us,1us', "no CSV ("),
        ("q," + "a" * 200_000 + ",0us,1us", "no CSV (field larger than field limit"),
    ],
)
def test_a_bad_row_is_named_with_its_line(row: str, said: str) -> None:
    text = refused(f"{HEAD}{row}\n".encode())
    assert text.startswith("t.json:2")
    assert said in text


def test_overlapping_rows_name_both() -> None:
    text = refused(f"{HEAD}q,a,0us,10us\nr,b,0us,10us\nq,c,9us,5us\n".encode())
    assert text.startswith("t.json:4:1: 'c' starts 1.000 us before 'a' (t.json:2) ends, both on q")
    assert table(f"{HEAD}q,a,0us,10us\nq,c,9us,1us\n")


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("queue,name,start", "no column 'duration'"),
        ("queue,name,start,duration,start_us", "two columns 'start'"),
        ("queue,name,start,duration,color", "no column 'color'"),
        ("queue,name_us,start,duration", "no column 'name_us'"),
        ("queue,name,starts,duration", "no column 'starts'"),
        ("junk", "no column 'junk'"),
    ],
)
def test_a_bad_head_is_named(head: str, said: str) -> None:
    text = refused(f"{head}\nq,a,0us,1us,2\n".encode())
    assert text.startswith("t.json:1:1: ")
    assert said in text
    assert text.endswith("; expected a first line queue,name,start,duration")


def test_one_column_has_one_unit() -> None:
    assert "'1ms' in a column of us" in refused(b"queue,name,start_us,duration_us\nq,a,0,1ms\n")


@pytest.mark.parametrize("data", [HEAD.encode(), b"\n\n" + HEAD.encode() + b"\n\n"])
def test_a_table_without_rows_is_refused(data: bytes) -> None:
    assert "no rows" in refused(data)
