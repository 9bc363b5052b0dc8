"""Captures of presents from files: `read` tells the format from the content."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.present.captures.assembly import capture_of
from fencepost.present.captures.clocks import Clock
from fencepost.present.captures.columns import COLUMN_ROWS, Kind, means, passed
from fencepost.present.captures.gathering import KEYS, Gatherer, Taken
from fencepost.present.captures.mangohud import require_every_frame
from fencepost.present.captures.opening import Source, line_blocks, opened, source_of
from fencepost.present.captures.quantities import WAYS
from fencepost.present.captures.rows import EXPECTED, Header, Rows, below, find_header
from fencepost.present.captures.scanning import Scanned, Scanner
from fencepost.present.captures.table import NAMES, Capture

LISTED = 8
"""Unknown columns that a note names."""

_RANK = {row: rank for rank, row in enumerate(COLUMN_ROWS)}


def read(path: Path | str) -> Capture:
    """A capture from a file, plain or gzip; `-` is standard input.

    Raises `FileProblem` for what cannot be read, and `SyntaxProblem` for what is no capture, is
    damaged, or holds samples instead of frames.
    """
    with opened(path) as source:
        return _read(source)


def read_data(data: bytes, file: str) -> Capture:
    """A capture from the bytes of a file, whose name is for messages; raises as `read` does."""
    return _read(source_of(data, file))


def _read(source: Source) -> Capture:
    first = source.read()
    if first.removeprefix(BOM_UTF8).lstrip()[:1] == b"{":
        from fencepost.present.captures.capframex import read_json  # noqa: PLC0415

        data = b"".join(chain([first], source.blocks()))
        return read_json(data.removeprefix(BOM_UTF8), source.file)
    return _read_text(source, first)


def _read_text(source: Source, first: bytes) -> Capture:
    blocks = line_blocks(source, first)
    head = next(blocks, b"")
    if not head.strip():
        raise SyntaxProblem("empty", Place(source.file, 0), EXPECTED)
    header = find_header(head.decode("utf-8", "replace"), source.file)
    choice = choose(header)
    gatherer = Gatherer(header, choice.taken)
    wanted = {item.place: item.means for item in choice.taken}
    scanner = Scanner(len(header.names), header.delimiter, wanted)

    def scan(data: bytes, rows: int) -> Scanned | None:
        return scanner.scan(data, rows, gatherer.ticks)

    rows = below(header, chain([head], blocks), sorted(wanted), scan if scanner.usable else None)
    return gather(gatherer, choice, rows)


class Choice:
    """The columns of a header that are read, and what is to be said about the others."""

    def __init__(self, taken: Sequence[Taken], clock: Taken | None, notes: list[str]) -> None:
        self.taken = taken
        self.clock = clock
        self.notes = notes


def choose(header: Header) -> Choice:
    """What of a header is read; raises `SyntaxProblem` where that says nothing of presents."""
    family = header.dialect.family
    known = [
        Taken(place, header.titles[place], found)
        for place, name in enumerate(header.names)
        if (found := means(name, family)) is not None
    ]
    _require_once(header, known)
    best: dict[str, Taken] = {}
    for item in sorted(known, key=lambda item: _RANK.get(item.means, 0)):
        best.setdefault("clock" if item.means.kind is Kind.CLOCK else item.means.quantity, item)
    clock = best.get("clock")
    needed = _needed({item.means.quantity for item in best.values()})
    taken = [item for item in best.values() if item.means.quantity in needed or item is clock]
    _require_times(header, {item.means.quantity for item in taken}, clock)
    return Choice(sorted(taken), clock, _unknown(header))


def _needed(have: set[str]) -> set[str]:
    """The quantities that end up in the table, or make one that does."""
    needed = {name for name in have if name in NAMES or name in KEYS}
    for way in WAYS:
        if way.column not in have and have.issuperset(way.needs):
            needed.update(way.needs)
            have = have | {way.column}
    return needed


def _require_once(header: Header, known: Sequence[Taken]) -> None:
    titles = Counter(header.names[item.place] for item in known)
    for item in known:
        if titles[header.names[item.place]] > 1:
            problem = f"the column {item.title} is there twice"
            raise SyntaxProblem(problem, header.place(header.line), "each column once")


def _require_times(header: Header, have: set[str], clock: Taken | None) -> None:
    """Raise where no column says when Present was called, or how long after the one before."""
    if "between_presents" in have or (clock is not None and clock.means.quantity == "present"):
        return
    if "cpu_busy" in have and (have & {"in_present", "cpu_wait"} or clock is not None):
        return
    problem = "no column says when Present was called"
    expected = "MsBetweenPresents, TimeInSeconds, or CPUBusy with CPUWait"
    raise SyntaxProblem(problem, header.place(header.line), expected)


def _unknown(header: Header) -> list[str]:
    """A note on columns that are not known, or none."""
    unknown = [
        title
        for name, title in zip(header.names, header.titles, strict=True)
        if name and means(name, header.dialect.family) is None and not passed(name)
    ]
    if not unknown:
        return []
    listed = ", ".join(f"'{_shown(title)}'" for title in unknown[:LISTED])
    more = f" and {len(unknown) - LISTED} more" if len(unknown) > LISTED else ""
    return [f"columns that are not known here, left out: {listed}{more}"]


def _shown(title: str) -> str:
    """A name out of a header; one that looks like a path, whose owner it may tell, is not said."""
    if "\\" in title or title.count("/") > 1:
        return "(a path)"
    cut = title if len(title) <= 40 else f"{title[:37]}..."
    return "".join(char if char.isprintable() else "?" for char in cut)


def gather(gatherer: Gatherer, choice: Choice, blocks: Iterator[Rows]) -> Capture:
    """The capture of the rows of all blocks; raises `SyntaxProblem` where there are none."""
    header, count = gatherer.header, 0
    for rows in blocks:
        gatherer.add(rows)
        count += len(rows.lines)
        if rows.cut:
            choice.notes.append(f"the last row, line {rows.cut}, is cut short and left out")
    if not count:
        raise SyntaxProblem("a header and no rows", header.place(header.line), "at least one row")
    return _capture(gatherer, choice)


def _capture(gatherer: Gatherer, choice: Choice) -> Capture:
    """The capture of what was gathered."""
    header, chains = gatherer.header, gatherer.chains()
    clock = None
    if choice.clock is not None:
        item = choice.clock.means
        whole = item.unit in ("ticks", "ns") or gatherer.ticks.get(choice.clock.place, False)
        clock = Clock(choice.clock.title, item.quantity, item.unit, whole)
    if header.dialect.family == "mangohud":
        require_every_frame(chains.values(), header.file)
    notes = [*choice.notes, *gatherer.notes()]
    return capture_of(header.file, _form(header), chains, clock, notes)


def _form(header: Header) -> str:
    """The name of the format; CapFrameX puts lines above a header of others."""
    marked = any(line.startswith("//") for line in header.above)
    return "CapFrameX CSV" if marked else header.dialect.name
