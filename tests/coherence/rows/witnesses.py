"""Streams whose verdict is known from outside: the seed's examples, drivers, bug reports, captures.

`witnesses.txt` names for each row of the machine's tables one such stream that is judged otherwise
once the row changes. `python -m tests.coherence.rows.witnesses` looks for them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fencepost.capture.pm4 import load
from fencepost.coherence.checking import Examination
from fencepost.coherence.feedback import find_feedback
from fencepost.coherence.issue import accesses_of, operand_of
from fencepost.machine import find_machine
from fencepost.machine.tables import Machine
from fencepost.stream.program import Program
from fencepost.stream.text import parse_text
from tests.capture.data import RADEONSI, radv_streams
from tests.coherence.rows.machine_rows import command_name, operation_names, way_name
from tests.coherence.rows.mutations import MUTATIONS, Mutation
from tests.drivers.forms import CASES, transitions
from tests.drivers.rows import DATA, pairs_of, program_text, read_rows
from tests.examples import verdicts
from tests.project.repository import ROOT

FILE = Path(__file__).with_name("witnesses.txt")
BUGS = ROOT / "tests" / "cases" / "bugs"


HOW = {
    "first use": (False, False),
    "reuse": (True, False),
    "without its packets": (False, True),
}
"""A row of RADV's: whether caches hold old lines, whether its packets are missing."""


def names() -> Iterator[str]:
    """Every stream, those that need nothing but this repository first."""
    yield from (f"seed: {name}" for name in verdicts.names())
    for transition in transitions():
        for case in CASES:
            yield f"driver: {transition.name}, {case}, without synchronization"
            for form in transition.forms:
                if any(case == one for one, _ in form.cases):
                    yield f"driver: {transition.name}, {case}, {form.title}"
    yield from (f"bug report: {path.stem}" for path in sorted(BUGS.glob("*.fence")))
    if DATA:
        for row in read_rows():
            for pair in pairs_of(row):
                for how in HOW:
                    yield f"RADV: {row.name}, {pair.producer} .. {pair.consumer}, {how}"
        yield from (f"capture: {path.parent.name} {path.stem}" for path in radv_streams())
        yield "capture: radeonsi"


def needs_data(name: str) -> bool:
    """Whether the stream is outside this repository."""
    return name.startswith(("RADV: ", "capture: "))


@cache
def program(name: str) -> Program:
    """The stream of that name. KeyError if there is none."""
    kind, _, rest = name.partition(": ")
    return {
        "seed": verdicts.load,
        "driver": _driver,
        "bug report": _bug,
        "RADV": _radv,
        "capture": _capture,
    }[kind](rest)


def _driver(name: str) -> Program:
    for transition in transitions():
        for case in CASES:
            for form in (None, *transition.forms):
                title = form.title if form else "without synchronization"
                if name == f"{transition.name}, {case}, {title}":
                    return transition.program(case, form)
    raise KeyError(name)


def _bug(name: str) -> Program:
    return parse_text((BUGS / f"{name}.fence").read_text(encoding="utf-8"), name)


def _radv(name: str) -> Program:
    for row in read_rows():
        if name.startswith(f"{row.name}, "):
            for pair in pairs_of(row):
                for how, (old, bare) in HOW.items():
                    if name == f"{row.name}, {pair.producer} .. {pair.consumer}, {how}":
                        works = (pair.producer, pair.consumer)
                        lines = () if bare else row.lines
                        return parse_text(program_text(lines, works, old), "row.fence")
    raise KeyError(name)


def _capture(name: str) -> Program:
    if name == "radeonsi":
        return load([RADEONSI])
    for path in radv_streams():
        if name == f"{path.parent.name} {path.stem}":
            return load([path])
    raise KeyError(name)


def verdict(stream: Program, machine: Machine) -> frozenset[tuple[str, str, int]]:
    """What goes wrong, by rule, queue and position."""
    level = stream.guarantees or find_machine(stream.machine).guarantees
    examination = Examination(stream, machine, level)
    outcome = examination.replay().outcome
    queues = [queue.name for queue in stream.queues]
    found = {(hit.rule, queues[hit.later.queue], hit.later.position) for hit in outcome.hits}
    found |= {("stuck", queues[one.queue], one.position) for one in outcome.stuck}
    found |= {
        (one.rule, one.later.queue, one.later.position)
        for one in find_feedback(stream, examination.ways)
    }
    return frozenset(found)


def notices(name: str, mutation: Mutation) -> bool:
    """Is the stream judged otherwise on the changed machine?"""
    stream = program(name)
    machine = find_machine(stream.machine)
    changed = mutation.change(machine)
    if changed == machine:
        return False
    try:
        return verdict(stream, changed) != known(name)
    except StopIteration:  # a chain that no real machine breaks
        return False


@cache
def known(name: str) -> frozenset[tuple[str, str, int]]:
    """Its verdict on its own machine."""
    return verdict(program(name), find_machine(program(name).machine))


@cache
def rows_of(name: str) -> frozenset[str]:
    """The rows of ways, caches and commands that the stream uses."""
    stream = program(name)
    machine = find_machine(stream.machine)
    found: set[str] = set()
    for queue in stream.queues:
        for command in queue.commands:
            for one in accesses_of(command):
                way = machine.way(one.block, one.use, one.part)
                if way:
                    found |= {way_name(way), *(f"cache {cache}" for cache in way.caches)}
            row = machine.command(type(command).__name__, operand_of(command, queue.kind))
            found |= {command_name(row)} if row else set()
    return frozenset(found)


def of_rows() -> dict[str, list[Mutation]]:
    """The changes of each row."""
    found: dict[str, list[Mutation]] = {}
    for mutation in MUTATIONS.values():
        found.setdefault(mutation.row, []).append(mutation)
    return found


def read_witnesses() -> dict[str, str]:
    """The witness of each row that has one."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(" <- ") for line in lines if line and not line.startswith("#"))
    return {row.strip(): name for row, _, name in pairs}


def search() -> Iterator[tuple[str, str]]:
    """The first witness of each row; "" where there is none."""
    every = list(names())
    for row, mutations in of_rows().items():
        about = row.startswith(("way ", "cache ", "command "))
        some = (n for n in every if (row in rows_of(n) if about else not n.startswith("RADV")))
        yield row, next((name for name in some for one in mutations if notices(name, one)), "")


_SEED_ALONE = "the source alone: no example, driver, report or capture leans on it"
_RARE = "the source alone: nothing that is recorded comes to it"

UNWITNESSED: dict[str, str] = {
    **dict.fromkeys(
        (
            "command ContextWrite",
            "way waves.code",
            "way waves.gds-read",
            "way waves.gds-write",
            "way waves.gds-atomic",
            "way cb.read fmask",
            "way cb.blend cmask",
            "way cb.blend fmask",
            "way db.test htile",
            "way db.write htile",
            "way db.clear htile",
            "way pfp.commands",
            "way pfp.read",
            "way cp.store",
            "way dma.read-tcc",
            "way cp.write",
            "way copy.read",
            "cache i",
            "cache cb.fmask",
            "cache db.htile",
        ),
        _SEED_ALONE,
    ),
    **dict.fromkeys(
        (
            "operation cb.pixels.wbinv top",
            "operation db.pixels.wbinv range",
            "4.3 eight-rolls",
            "4.1 lines",
            "4.3 surface-sync-stall",
        ),
        _RARE,
    ),
}
"""Rows that no stream from outside shows; the pairs do, and the source says so."""


@cache
def sources() -> dict[str, str]:
    """The source of every row, by the name that pairs call it by."""
    machine = find_machine("xbox-one")
    return {
        **{way_name(row): row.source for row in machine.ways},
        **{f"cache {row.name}": row.source for row in machine.caches},
        **{f"group {row.name}": row.source for row in machine.groups},
        **{n: row.source for row in machine.operations for n in operation_names(row)},
        **{command_name(row): row.source for row in machine.commands},
    }


if __name__ == "__main__":
    print("# A row of the machine's tables, and a stream from outside that shows it.")  # noqa: T201
    for found_row, found_name in search():
        if found_name:
            print(f"{found_row} <- {found_name}")  # noqa: T201
