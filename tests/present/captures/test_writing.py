"""The normalized table as files: what was written is what is read."""

from __future__ import annotations

import csv
import io
import json
import sys
from typing import Any

import pytest

from fencepost.errors import UsageProblem
from fencepost.present.captures import COLUMNS, MISSING, Capture, read_data
from fencepost.present.captures.writing import (
    FORMATS,
    TITLES,
    WHOSE,
    rows_of,
    table_csv,
    table_jsonl,
    table_parquet,
    whose_of,
)
from tests.present.captures.recorder import HEADERS, json_of, json_run, text_of
from tests.present.real_captures import capture, names, needs_data

MADE = [text_of(form) for form in sorted(HEADERS)] + [json_of(json_run(), json_run())]


def generated() -> Capture:
    """A chain of which every second frame is generated."""
    lines = text_of("PresentMon 2.4").decode().splitlines()
    for row in (2, 4):
        lines[row] = lines[row].replace("Flip,Application", "Flip,Intel XeSS-FG")
    return read_data("\n".join(lines).encode(), "t")


def plain(made: Capture) -> list[dict[str, str | int | None]]:
    """The rows as dictionaries."""
    return [
        dict(
            zip(
                (*WHOSE, *TITLES),
                [
                    *(word or None for word in whose_of(chain)),
                    *(None if value == MISSING else value for value in values),
                ],
                strict=True,
            )
        )
        for chain in made.chains
        for values in rows_of(chain)
    ]


@pytest.mark.parametrize("data", MADE)
def test_csv_comes_back(data: bytes) -> None:
    made = read_data(data, "t")
    again = read_data(table_csv(made), "t")
    assert again.format == "fencepost"
    assert again.chains == made.chains
    assert again.clock == ""
    assert "no clock" not in "".join(again.notes)


def test_generated_frames_come_back() -> None:
    made = generated()
    assert (len(made.chains[0].frames), len(made.chains[0].generated)) == (3, 2)
    assert read_data(table_csv(made), "t").chains == made.chains
    times = [values[0] for values in rows_of(made.chains[0])]
    assert times == sorted(times)


@needs_data
def test_real_captures_come_back() -> None:
    for name in names():
        if not name.startswith(("afterburner", "mangohud")):
            assert read_data(table_csv(capture(name)), "t").chains == capture(name).chains


def test_csv_says_what_the_table_says() -> None:
    made = generated()
    rows = list(csv.DictReader(io.StringIO(table_csv(made).decode())))
    texts = [{key: "" if it is None else str(it) for key, it in row.items()} for row in plain(made)]
    assert rows == texts
    assert [title for title in rows[0] if title.endswith("_ps")] == [
        f"{column.name}_ps" for column in COLUMNS if column.unit == "ps"
    ]


def test_json_lines_say_what_the_table_says() -> None:
    made = generated()
    assert [json.loads(line) for line in table_jsonl(made).splitlines()] == plain(made)


def test_parquet_says_what_the_table_says() -> None:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    made = generated()
    table = parquet.read_table(io.BytesIO(table_parquet(made)))
    assert table.to_pylist() == plain(made)
    assert table_parquet(made) == table_parquet(made)


def test_parquet_without_its_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageProblem) as caught:
        FORMATS["parquet"](generated())
    assert str(caught.value) == (
        "Parquet needs the package pyarrow; expected pip install 'fencepost[parquet]', "
        "or another format"
    )
