"""Writes docs/rows.md: `python -m tests.coherence.rows.page` prints it."""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Iterator

from fencepost.machine import find_machine
from tests.coherence.rows.design import CANNOT, STATEMENTS
from tests.coherence.rows.machine_rows import machine_rows
from tests.coherence.rows.pairs import Pair, all_pairs
from tests.coherence.rows.witnesses import of_rows, read_witnesses, sources

INTRODUCTION = """\
# Rows and the pairs that show them

Every row of the machine (design 4.1-4.5; the tables of `src/fencepost/machine`) that can change a
verdict has a pair of streams that differ in one thing: one is clean, the other has exactly the
hazards that the pair names, at the lines that it names. The pairs stand in
`tests/coherence/rows/*.pairs`; `pairs.py` beside them says how to read them. A number behind a name
says how many pairs a template makes.

A test changes each row of the machine's tables in one place, and a pair that names the row must
judge otherwise (`tests/coherence/test_rows_matter.py`). This page is made by
`python -m tests.coherence.rows.page`.

"""
WITNESSES = """\
The pairs are ours. Each row also has a source, and where one of the seed's examples, a driver's
packets, a public bug report or a capture is judged otherwise once the row changes, one of these is
its witness (`tests/coherence/rows/witnesses.py` finds them, and
`tests/coherence/test_rows_witnessed.py` holds them). The rest stands on its source and pairs."""
TITLES = {
    "4.1": "Design 4.1: ways through the caches",
    "4.2": "Design 4.2: cache operations",
    "4.3": "Design 4.3: synchronization commands",
    "4.4": "Design 4.4: L1 policies",
    "4.5": "Design 4.5: strict and documented",
    "5": "Design 5: when an access is right",
}


def page() -> str:
    """The whole page."""
    pairs = all_pairs()
    return INTRODUCTION + "\n".join(_lines(pairs))


def _lines(pairs: list[Pair]) -> Iterator[str]:
    yield f"{len(pairs)} pairs: {len(pairs)} clean streams, {len(pairs)} with a hazard."
    yield ""
    for section, title in TITLES.items():
        rows = [row for row in STATEMENTS if row.split()[0] == section]
        yield from _table(title, "statement", rows, pairs)
    for table, rows in machine_rows(find_machine("xbox-one")).items():
        yield from _table(f"The machine's {table}", "row", rows, pairs)
    yield from _cannot()
    yield from _witnesses()
    yield from _facts(pairs)


def _table(title: str, column: str, rows: list[str], pairs: list[Pair]) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield f"| {column} | pairs |"
    yield "|---|---|"
    for row in rows:
        if row not in CANNOT:
            named = Counter(pair.section for pair in pairs if row in pair.rows)
            yield f"| {_title(row)} | {', '.join(map(_counted, named.items()))} |"
    yield ""


def _title(row: str) -> str:
    return STATEMENTS.get(row, f"`{row}`")


def _counted(found: tuple[str, int]) -> str:
    section, count = found
    return section if count == 1 else f"{section} ({count})"


def _cannot() -> Iterator[str]:
    yield "## Rows that cannot change a verdict"
    yield ""
    yield "| row | why |"
    yield "|---|---|"
    yield from (f"| {_title(row)} | {why} |" for row, why in CANNOT.items())
    yield ""


def _witnesses() -> Iterator[str]:
    """The stream from outside that shows each row, and the row's source."""
    yield "## Witnesses from outside"
    yield ""
    yield from textwrap.wrap(WITNESSES, 100)
    yield ""
    yield "| row | source | witness |"
    yield "|---|---|---|"
    found = read_witnesses()
    for row in of_rows():
        yield f"| {_title(row)} | {sources().get(row, '-')} | {found.get(row, '-')} |"
    yield ""


def _facts(pairs: list[Pair]) -> Iterator[str]:
    """Every section once, by file, with what it says."""
    for file in dict.fromkeys(pair.file for pair in pairs):
        yield f"## Pairs of [{file}](../tests/coherence/rows/{file})"
        yield ""
        yield "| pair | what it shows |"
        yield "|---|---|"
        sections = {pair.section: pair for pair in pairs if pair.file == file}
        yield from (f"| {name} | {pair.fact} |" for name, pair in sections.items())
        yield ""


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    sys.stdout.write(page())
