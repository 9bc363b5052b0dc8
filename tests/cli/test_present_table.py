"""`fencepost present --table`: the presents of a capture as one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from fencepost.present.captures import read, read_data
from fencepost.present.captures.writing import table_csv, table_jsonl
from tests.cli.run import run
from tests.present.capture_file import EXAMPLE
from tests.present.captures.recorder import text_of


def test_a_table_is_written_beside_the_report(tmp_path: Path) -> None:
    plain = run("present", EXAMPLE)
    for name, write in (("a.csv", table_csv), ("a.JSONL", table_jsonl)):
        result = run("present", EXAMPLE, "--table", tmp_path / name)
        assert (result.code, result.out, result.err) == (0, plain.out, "")
        assert (tmp_path / name).read_bytes() == write(read(EXAMPLE))


def test_parquet_is_written(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    assert run("present", EXAMPLE, "--table", tmp_path / "a.parquet").code == 0
    assert (tmp_path / "a.parquet").read_bytes().startswith(b"PAR1")


def test_a_table_is_a_capture(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    first = run("present", EXAMPLE, "--table", path)
    again = run("present", path)
    assert again.code == 0
    assert again.out.partition("present-bound")[2] == first.out.partition("present-bound")[2]


def test_only_chains_that_are_looked_at(tmp_path: Path) -> None:
    one = text_of("PresentMon 2.4")
    both = one + b"".join(one.replace(b"Title", b"Other").partition(b"\n")[2:])
    (tmp_path / "both.csv").write_bytes(both)
    table = tmp_path / "one.csv"
    assert run("present", tmp_path / "both.csv", "--chain", "Oth*", "--table", table).code == 0
    assert [chain.application for chain in read(table).chains] == ["Other.exe"]
    assert len(read_data(both, "t").chains) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--table", "table.xlsx"], "no table can be written to table.xlsx; expected a name in"),
        (["--table", "-"], "no table can be written to -; expected a name in .csv, .jsonl"),
        (["--table", "a.csv", "--output", "a.csv"], "two outputs in one file"),
        (["--table", "no/where/a.csv"], "its directory does not exist"),
    ],
)
def test_tables_that_cannot_be(words: list[str], said: str) -> None:
    result = run("present", EXAMPLE, *words)
    assert (result.code, result.raw) == (2, b"")
    (line,) = result.complaints
    assert said in line


def test_a_table_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"mine\n")
    assert run("present", EXAMPLE, "--table", path).code == 2
    assert path.read_bytes() == b"mine\n"
    assert run("present", EXAMPLE, "--table", path, "--force").code == 0
    assert path.read_bytes() != b"mine\n"


def test_a_simulation_has_no_table() -> None:
    result = run("present", "--simulate", "cpu=5", "gpu=5", "--table", "a.csv")
    assert result.code == 2
    assert "--table are about a capture" in result.complaints[0]
