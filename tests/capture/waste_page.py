"""Writes the tables of docs/pm4-waste.md: `python -m tests.capture.waste_page` renews them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from tests.capture.data import RADEONSI, radv_streams
from tests.capture.waste import At, Counted, counted
from tests.project.repository import ROOT
from tests.project.tables import head, renewed

PAGE = ROOT / "docs" / "pm4-waste.md"
SLOW = frozenset({"runs"})
"""Tables that take several seconds: the page has them, the tests do not renew them."""


def page(text: str, kept: frozenset[str] = frozenset()) -> str:
    """The text with every table made anew but those of `kept`."""
    return renewed(text, TABLES, kept)


@cache
def streams() -> dict[str, Counted]:
    """Every stream by itself."""
    found = {f"radv {_program(path)} {path.stem}": counted([path]) for path in radv_streams()}
    return {**found, "radeonsi": counted([RADEONSI])}


def _program(path: Path) -> str:
    return path.parent.name.rpartition("_")[2]


# -- tables


WASTE = ("packets", "can go", "can be less", "not needed by a known access")
COLUMNS = ("works", "unknown stages", *WASTE, "searched")


def _cells(row: Counted) -> str:
    certain = (len(row.certain.goes), len(row.certain.less))
    numbers = (row.works, row.unknown, len(row.packets), *certain, len(row.most.all))
    part = "in part" if row.certain.note or row.most.note else "all"
    return f"{' | '.join(map(str, numbers))} | {part}"


def by_stream() -> Iterator[str]:
    """A row a stream; streams with the same figures together."""
    yield from head("stream", *COLUMNS)
    names: dict[str, list[str]] = {}
    for name, row in streams().items():
        names.setdefault(_cells(row), []).append(name)
    yield from (f"| {_together(some)} | {cells} |" for cells, some in names.items())


def _together(names: list[str]) -> str:
    """`radv ffmpeg cs_00000, cs_00002`: what all names start with is said once."""
    start = names[0].rpartition(" ")[0]
    return ", ".join([names[0], *(name.removeprefix(f"{start} ") for name in names[1:])])


def runs() -> Iterator[str]:
    """All submissions of a recorded run as one program."""
    yield from head("run", *COLUMNS)
    for program in ("ffmpeg", "pygfx"):
        paths = radv_streams(program)
        yield f"| radv {program}, {len(paths)} submissions | {_cells(counted(paths))} |"


Pick = Callable[[Counted], Iterable[At]]


def by_packet() -> Iterator[str]:
    """Over all single streams, a row a packet."""
    every = _named(lambda row: row.packets)
    goes = _named(lambda row: row.certain.goes)
    less = _named(lambda row: row.certain.less)
    most = _named(lambda row: row.most.all)
    yield from head("packet", *WASTE)
    for name in sorted(every):
        yield f"| {name} | {every[name]} | {goes[name]} | {less[name]} | {most[name]} |"


def _named(pick: Pick) -> Counter[str]:
    return Counter(row.packets[at] for row in streams().values() for at in pick(row))


def by_rule() -> Iterator[str]:
    """Over all single streams, a row a rule; a packet may break several."""
    yield from head("rule", "packets")
    found = Counter(
        rule for row in streams().values() for rules in row.certain.rules.values() for rule in rules
    )
    yield from (f"| `{rule}` | {count} |" for rule, count in sorted(found.items()))


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    table.__name__: table for table in (by_stream, runs, by_packet, by_rule)
}


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
