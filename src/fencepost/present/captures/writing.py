"""The normalized table as files: CSV, JSON Lines, Parquet; `read` takes the first of them back.

A row is a Present, its columns those of `COLUMNS` after those that say whose it is. Columns of
picoseconds have `_ps` behind their name. A value that is missing is empty, or null. Frames that
others generated stand among those of the application, in the order of time.
"""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import msgspec

from fencepost.errors import UsageProblem
from fencepost.present.captures.lanes import SEGMENT, places_of
from fencepost.present.captures.table import COLUMNS, MISSING, Capture, Chain

WHOSE = ("application", "process", "address", "runtime", "part")
"""Columns that say who presents; an address is hexadecimal."""

TITLES = tuple(f"{column.name}_ps" if column.unit == "ps" else column.name for column in COLUMNS)
"""Names of the other columns."""


def table_csv(capture: Capture) -> bytes:
    """The table as CSV."""
    lines = [",".join((*WHOSE, *TITLES)), "\n"]
    for chain in capture.chains:
        columns, front = _columns(chain), _csv_row(whose_of(chain))
        for start in range(0, len(columns[0]), SEGMENT):
            texts = [_texts(values[start : start + SEGMENT]) for values in columns]
            lines += [f"{front},{row}\n" for row in map(",".join, zip(*texts, strict=True))]
    return "".join(lines).encode()


def _csv_row(words: tuple[str, ...]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(words)
    return text.getvalue()


def _texts(values: array[int]) -> list[str]:
    """Values as text, nothing for what is missing."""
    if values.count(values[0]) == len(values):
        return ["" if values[0] == MISSING else str(values[0])] * len(values)
    texts = list(map(str, values))
    for row in places_of(MISSING, values):
        texts[row] = ""
    return texts


def table_jsonl(capture: Capture) -> bytes:
    """The table as JSON Lines: one object a row, all with the same keys."""
    names = (*WHOSE, *TITLES)
    lines: list[bytes] = []
    for chain in capture.chains:
        whose = [word or None for word in whose_of(chain)]
        for values in rows_of(chain):
            row = (*whose, *map(_or_none, values))
            lines.append(msgspec.json.encode(dict(zip(names, row, strict=True))) + b"\n")
    return b"".join(lines)


def table_parquet(capture: Capture) -> bytes:
    """The table as Parquet, all numbers as 64-bit integers.

    Raises `UsageProblem` where the package pyarrow is not there.
    """
    try:
        arrow: Any = import_module("pyarrow")
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        problem = "Parquet needs the package pyarrow"
        expected = "pip install 'fencepost[parquet]', or another format"
        raise UsageProblem(problem, expected=expected) from None
    tables = [_arrow_table(arrow, chain) for chain in capture.chains]
    sink = arrow.BufferOutputStream()
    parquet.write_table(arrow.concat_tables(tables), sink)
    return bytes(sink.getvalue().to_pybytes())


def _arrow_table(arrow: Any, chain: Chain) -> Any:  # noqa: ANN401 - pyarrow has no types
    columns = _columns(chain)
    count = len(columns[0])
    whose = [
        arrow.repeat(arrow.scalar(word or None, arrow.string()), count) for word in whose_of(chain)
    ]
    numbers = [arrow.array(list(map(_or_none, values)), arrow.int64()) for values in columns]
    return arrow.table([*whose, *numbers], names=[*WHOSE, *TITLES])


def whose_of(chain: Chain) -> tuple[str, ...]:
    """What tells a chain from others, as text; nothing for what is not known."""
    return (
        chain.application,
        "" if chain.process is None else str(chain.process),
        "" if chain.address is None else f"{chain.address:#x}",
        chain.runtime,
        chain.part,
    )


def rows_of(chain: Chain) -> Iterator[tuple[int, ...]]:
    """The rows of a chain, frames of the application and others, in the order of time."""
    return zip(*_columns(chain), strict=True)


def _columns(chain: Chain) -> list[array[int]]:
    names = [column.name for column in COLUMNS]
    frames, generated = chain.frames, chain.generated
    if not len(generated):
        return [frames.column(name) for name in names]
    both = [frames.column(name) + generated.column(name) for name in names]
    order = sorted(range(len(both[0])), key=both[0].__getitem__)
    return [array("q", [values[row] for row in order]) for values in both]


def _or_none(value: int) -> int | None:
    return None if value == MISSING else value


def form_of_name(name: str) -> str:
    """The form that the end of a file's name asks for; raises `UsageProblem` for another one."""
    form = name.rpartition(".")[2].lower()
    if form not in FORMATS:
        expected = ", ".join(f".{known}" for known in FORMATS)
        raise UsageProblem(f"no table can be written to {name}", expected=f"a name in {expected}")
    return form


FORMATS: dict[str, Callable[[Capture], bytes]] = {
    "csv": table_csv,
    "jsonl": table_jsonl,
    "parquet": table_parquet,
}
"""Name of a form -> the function that makes its bytes."""
