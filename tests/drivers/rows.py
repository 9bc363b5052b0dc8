"""The rows of RADV's packets, and the programs that put them between a producer and a consumer."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from fencepost.stream.text import parse_text
from tests.drivers.forms import DriverForm
from tests.drivers.packets import lines_of
from tests.drivers.vulkan import EVENTS, FIRST, HOST_READ, HOST_WRITE, SECOND, Scope

MACHINE = "gcn2-bonaire"
DATA = os.environ.get("FENCEPOST_DATA", "")
FILE = Path("cases") / "radv_gfx7_barrier_packets.csv"

RESOURCES = f"""\
machine {MACHINE}
guarantees strict
buffer b     64 at 0x1000
color  c     4x4 rgba8 at 0x1000
depth  d     4x4 d32f at 0x1000
buffer other 64 at 0x2000
label  event = 0
label  done = 0
label  ready = 0
"""
BEFORE = (
    'dispatch "before" cs.texture b; cs.constant b',
    'draw "before" cb0.read c',
    'draw "before" db.test d',
)
"""Reads that leave lines in TCP, K$, TCC, CB and DB; an idle behind them invalidates nothing."""
KERNEL_FENCE = (
    "eop ready = 1 with cb.pixels.wbinv cb.metadata.wbinv db.pixels.wbinv db.metadata.wbinv "
    "tcc.wbinv tcp.wbinv"
)
"""What the kernel puts behind a submission: the host learns from it that it is over (LNX cik.c)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: how the barrier was recorded, its words, the packets as lines of the text."""

    kind: str
    source: str
    destination: str
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """For people."""
        words = " -> ".join(word for word in (self.source, self.destination) if word)
        return f"{self.kind}: {words}" if words else self.kind

    @property
    def scopes(self) -> tuple[Scope, Scope]:
        """What may stand before and behind the packets; KeyError if a word is unknown."""
        first = EVENTS if "event" in self.kind else FIRST
        second = SECOND if self.kind != "none" else {"": SECOND["all memory_rw"]}
        waits = self.kind != "set event"
        return first[self.source], second[self.destination] if waits else Scope()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two works that the row orders, each as a line of the text."""

    producer: str
    consumer: str


def read_rows() -> list[Row]:
    """The rows of the file; none where FENCEPOST_DATA is not set."""
    if not DATA:
        return []
    with (Path(DATA) / FILE).open(encoding="utf-8", newline="") as file:
        return [
            Row(
                row["kind"],
                row["src"],
                row["dst"],
                lines_of(row["packets_between_two_dispatches"]),
            )
            for row in csv.DictReader(file)
        ]


def pairs_of(row: Row) -> Iterator[Pair]:
    """Write before access by the memory dependency, read before write by the execution alone."""
    first, second = row.scopes
    yield from (Pair(p, c) for p in first.accesses for c in second.accesses)
    yield from (Pair(p, c) for p in first.reads for c in second.writes)


def program_text(
    lines: tuple[str, ...], works: tuple[str, ...], old: bool, middle: tuple[str, ...] = ()
) -> str:
    """Producer, `middle` and a work between where given, the lines, consumer.

    `old`: caches hold lines of earlier reads. The host writes before the submission, and reads
    behind a fence that carries no cache operations.
    """
    producer, consumer = works
    host_first, host_last = producer == HOST_WRITE, consumer == HOST_READ
    queue = [*BEFORE, "wait idle"] if old else []
    host = ["kickoff gfx", "wait ready == 1"] if old and host_first else []
    if host_first:
        host += [HOST_WRITE, "kickoff gfx"]
        queue = ["kickoff", *queue, KERNEL_FENCE, "kickoff"] if old else ["kickoff"]
    else:
        queue.append(_titled(producer, "producer"))
    queue += [*middle, *lines]
    if host_last:
        queue.append("eop done = 1")
        host += ["wait done == 1", HOST_READ]
    else:
        queue.append(_titled(consumer, "consumer"))
    return RESOURCES + _queue("cpu: cpu", host) + _queue("gfx: graphics", queue)


def late_host_text(lines: tuple[str, ...], consumer: str, old: bool) -> str:
    """As `program_text`, but the host writes after the submission and sets an event then.

    ME waits for it, as it waits in every row with an event.
    """
    host = ["kickoff gfx", *(["wait ready == 1"] if old else []), HOST_WRITE, "set event = 1"]
    before = [*BEFORE, "wait idle", "eop ready = 1"] if old else []
    queue = ["kickoff", *before, "wait me event == 1", *lines, _titled(consumer, "consumer")]
    return RESOURCES + _queue("cpu: cpu", host) + _queue("gfx: graphics", queue)


def _titled(line: str, title: str) -> str:
    verb, _, rest = line.partition(" ")
    return f'{verb} "{title}" {rest}'


def _queue(header: str, lines: list[str]) -> str:
    return "\n".join([f"queue {header}", *(f"  {line}" for line in lines)]) + "\n" if lines else ""


def row_forms(rows: list[Row], every: int = 1) -> Iterator[DriverForm]:
    """Every row with every pair of works that it orders, with and without old lines.

    `every`: one of so many.
    """
    cases = ((row, pair, old) for row in rows for pair in pairs_of(row) for old in (False, True))
    for row, pair, old in islice(cases, 0, None, every):
        works = (pair.producer, pair.consumer)
        transition = f"{pair.producer} -> {pair.consumer}, {'reuse' if old else 'first use'}"
        bare, whole = (program_text(lines, works, old) for lines in ((), row.lines))
        yield DriverForm(
            f"{row.name}: {transition}",
            transition,
            "RADV",
            parse_text(bare, "bare.fence"),
            parse_text(whole, "row.fence"),
        )


LIGHTEST = ("compute exec", "index", "indirect")
"""Destinations that make nothing visible by themselves: to shaders, to the geometry, to PFP."""


def chains(rows: list[Row]) -> Iterator[tuple[Row, Row]]:
    """Two barriers in a row: the first makes available, the second, without accesses, visible.

    A barrier without accesses before it matters to reads only so: by a stage that the first one
    waits for. The widest words are left out; their packets are those of the others together.
    """
    for first in rows:
        for second in rows:
            if _writes(first) and _is_execution(second) and _meets(first, second):
                yield first, second


def _writes(row: Row) -> bool:
    known = row.kind == "pipeline barrier" and row.destination in LIGHTEST
    return known and row.source != "all memory_write" and bool(row.scopes[0].accesses)


def _is_execution(row: Row) -> bool:
    before, behind = row.scopes
    known = bool(before.stages and behind.accesses) and not before.accesses
    return known and row.destination != "all memory_rw"


def _meets(first: Row, second: Row) -> bool:
    """The second waits for a stage that the first holds back. The host has none."""
    stages = set(first.scopes[1].stages) & set(second.scopes[0].stages)
    return bool(stages and first.scopes[0].stages)
