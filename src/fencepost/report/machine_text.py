"""A machine's tables for people, laid out to be read beside the seed's page."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from fencepost.machine.primitives import Step
from fencepost.machine.tables import Machine, OperationRow, WayRow
from fencepost.report.style import Style

Row = Sequence[str]
WIDEST = 32
MARK = {True: "yes", False: "no"}


def machine_list(machines: Iterable[Machine]) -> str:
    """Names and titles of all machines."""
    rows = [
        ("machine", "guarantees", "what it is"),
        *((machine.name, machine.guarantees, machine.title) for machine in machines),
    ]
    return "\n".join(_table(rows, widest=80)) + "\n"


def machine_text(machine: Machine, style: Style) -> str:
    """Every table of a machine; sources are numbered and listed at the end."""
    sources: dict[str, int] = {}
    title = f"{machine.name}: {machine.title}; {machine.guarantees} guarantees by default"
    lines = [style.paint(title, "strong")]
    for name, rows in _sections(machine):
        lines += ["", style.paint(name, "strong"), *_table(_numbered(rows, sources))]
    lines += ["", style.paint("Sources", "strong")]
    lines += [f"  {f'[{number}]':<4}  {source}" for source, number in sources.items()]
    return "\n".join(lines) + "\n"


def _sections(machine: Machine) -> Iterator[tuple[str, Iterator[Row]]]:
    yield "Engines", _engines(machine)
    yield "Supported cache operations", _operations(machine)
    yield "Caches", _caches(machine)
    yield "Ways through the caches", _ways(machine)
    yield "When an access is complete", _groups(machine)
    yield "Synchronization commands", _commands(machine)
    yield "Parameters", _parameters(machine)


def _numbered(rows: Iterable[Row], sources: dict[str, int]) -> list[Row]:
    """The rows with their last column, the sources, as numbers into `sources`."""
    heading, *rest = rows
    numbered: list[Row] = [heading]
    for row in rest:
        numbers = [sources.setdefault(each, len(sources) + 1) for each in row[-1].split("; ")]
        numbered.append((*row[:-1], " ".join(f"[{number}]" for number in numbers)))
    return numbered


def _table(rows: Sequence[Row], widest: int = WIDEST) -> Iterator[str]:
    """Columns as wide as their widest cell, long cells broken; the first row is the heading."""
    tall = [[_broken(cell, widest) for cell in row] for row in rows]
    widths = [
        max(len(line) for row in tall for line in row[column]) for column in range(len(rows[0]))
    ]
    for number, row in enumerate(tall):
        for lines in zip_longest(*row, fillvalue=""):
            cells = (line.ljust(width) for line, width in zip(lines, widths, strict=True))
            yield "  " + "  ".join(cells).rstrip()
        if number == 0:
            yield "  " + "  ".join("-" * width for width in widths)


def _broken(cell: str, widest: int) -> list[str]:
    return textwrap.wrap(cell, widest, break_long_words=False, break_on_hyphens=False) or [""]


def _engines(machine: Machine) -> Iterator[Row]:
    yield ("engine", "name", "what it does", "source")
    for row in machine.engines:
        yield (row.name, row.title, row.does, row.source)


def _groups(machine: Machine) -> Iterator[Row]:
    yield ("group", "complete when", "source")
    for row in machine.groups:
        yield (row.name, row.complete_when, row.source)


def _operations(machine: Machine) -> Iterator[Row]:
    """One row a cache, columns as in the seed's table; `operation` is how streams write it."""
    yield (
        "Type",
        "",
        "Writeback",
        "Invalidate",
        "Writeback+Invalidate",
        "Range",
        "operation",
        "source",
    )
    for cache in dict.fromkeys(row.cache for row in machine.operations):
        rows = [row for row in machine.operations if row.cache == cache]
        yield (
            rows[0].title,
            "R/W" if _written(machine, cache) else "RO",
            *(_levels(rows, action) for action in ("wb", "inv", "wbinv")),
            "Yes" if any(row.ranged for row in rows) else "No",
            cache,
            "; ".join(dict.fromkeys(each for row in rows for each in row.source.split("; "))),
        )


def _levels(rows: Iterable[OperationRow], action: str) -> str:
    """Where an action may be issued, in the seed's words."""
    found = [row for row in rows if row.action == action]
    top, bottom = any(row.top for row in found), any(row.pipelined for row in found)
    return "/".join([*(["Top"] if top else []), *(["Bottom"] if bottom else [])])


def _written(machine: Machine, operated: str) -> bool:
    """Whether some access writes through a cache of that name in operations."""
    names = {
        row.name
        for row in machine.caches
        if operated == row.operated_as or operated.startswith(f"{row.operated_as}.")
    }
    return any(way.writes and names & set(way.caches) for way in machine.ways)


def _caches(machine: Machine) -> Iterator[Row]:
    yield ("cache", "name", "operated as", "copies", "holds dirty data", "in order for", "source")
    for row in machine.caches:
        copies = "one per CU" if row.private else "one"
        yield (
            row.name,
            row.title,
            row.operated_as,
            copies,
            MARK[row.dirty],
            row.in_order.upper() or "-",
            row.source,
        )


def _ways(machine: Machine) -> Iterator[Row]:
    yield ("access", "part", "reads", "writes", "through, nearest first", "policies", "source")
    for row in machine.ways:
        yield (
            f"{'/'.join(row.blocks)}.{row.use}",
            "any" if row.part == "*" else row.part,
            MARK[row.reads],
            MARK[row.writes],
            ", ".join((*row.caches, "memory")),
            _policies(row),
            row.source,
        )


def _policies(row: WayRow) -> str:
    """The default first, then the others that are allowed."""
    others = [policy for policy in row.policies if policy != row.policy]
    return ", ".join([row.policy, *others]) if row.policy else "-"


def _commands(machine: Machine) -> Iterator[Row]:
    yield ("command", "D3D11.x name", "PM4 packet", "queues", "guarantees", "source")
    for row in machine.commands:
        yield (
            f"{_spaced(row.command)} {row.operand}".rstrip(),
            row.api,
            row.packet,
            ", ".join(row.queues),
            row.guarantees,
            row.source,
        )


def _spaced(name: str) -> str:
    """`surface sync` of `SurfaceSync`."""
    return "".join(f" {char.lower()}" if char.isupper() else char for char in name).strip()


def _parameters(machine: Machine) -> Iterator[Row]:
    yield ("parameter", "value", "unit", "source")
    for row in machine.parameters:
        yield (row.name, f"{row.value:,}", row.unit, row.source)


def machine_data(machine: Machine) -> dict[str, object]:
    """The same tables as plain data; each step of a command carries its name as `step`."""
    tables = {
        field.name: _plain(getattr(machine, field.name)) for field in dataclasses.fields(machine)
    }
    return {"format": "fencepost.machine", "version": 1, **tables}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named: dict[str, object] = {"step": type(value).__name__} if isinstance(value, Step) else {}
        for field in dataclasses.fields(value):
            named[field.name] = _plain(getattr(value, field.name))
        return named
    return value
