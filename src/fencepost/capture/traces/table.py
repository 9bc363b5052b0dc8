"""CSV with the columns `queue`, `name`, `start`, `duration` and, if wanted, `category`.

A time has its unit behind the number (`12.5us`), or the column has it in its name (`start_us`,
`duration (ns)`).
"""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections.abc import Mapping, Sequence
from decimal import Decimal

from fencepost.errors import SyntaxProblem, TimelineProblem
from fencepost.place import Place
from fencepost.timeline.builder import TimelineBuilder
from fencepost.timeline.quoting import quoted
from fencepost.timeline.table import Activity, Timeline
from fencepost.timeline.times import UNITS, is_time, picoseconds

REQUIRED = ("queue", "name", "start", "duration")
COLUMNS = (*REQUIRED, "category")
TIMES = ("start", "duration")
EXPECTED = "a first line queue,name,start,duration"
UNIT = "a unit: 12.5us, or a column start_us (ps, ns, us, ms, s)"

_UNIT = "|".join((*UNITS, "\u00b5s", "\u03bcs"))
_HEAD = re.compile(rf"(?P<column>[a-z]+)(?:[ _]?[\[(](?P<in>{_UNIT})[\])]|[ _](?P<of>{_UNIT}))?")
_TIME = re.compile(
    rf"(?P<number>[+-]?(?:\d{{1,40}}\.?\d{{0,40}}|\.\d{{1,40}})(?:[eE][+-]?\d{{1,3}})?)"
    rf"\s*(?P<unit>{_UNIT})?"
)


def read_table(text: str, file: str, tolerance: int = 0) -> Timeline:
    """The timeline of a CSV text, a track for each queue in the order in which they come up.

    Raises `SyntaxProblem` for what is no such table, `TimelineProblem` for impossible times.
    """
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    reader: _Reader | None = None
    try:
        for cells in rows:
            place = Place(file, rows.line_num)
            if not any(map(str.strip, cells)):
                continue
            if reader is None:
                reader = _Reader(_columns(cells, place), tolerance)
            else:
                reader.take(cells, place)
    except csv.Error as error:
        raise SyntaxProblem(f"no CSV ({error})", Place(file, rows.line_num), EXPECTED) from None
    if reader is None or not reader.lines:
        raise SyntaxProblem("no rows", Place(file, 0), "at least one slice")
    lines = reader.lines
    return reader.builder.build(file, lambda span: Place(file, lines[span]))


def _columns(cells: Sequence[str], place: Place) -> dict[str, tuple[int, str]]:
    """Column -> where it is, and the unit that its name has, if any."""
    found: dict[str, tuple[int, str]] = {}
    for at, cell in enumerate(cells):
        match = _HEAD.fullmatch(cell.strip().lower())
        column = match["column"] if match else ""
        unit = (match["in"] or match["of"] or "") if match else ""
        if column not in COLUMNS or (unit and column not in TIMES):
            raise SyntaxProblem(f"no column {quoted(cell.strip())}", place, EXPECTED)
        if column in found:
            raise SyntaxProblem(f"two columns '{column}'", place, EXPECTED)
        found[column] = (at, unit)
    missing = [column for column in REQUIRED if column not in found]
    if missing:
        raise SyntaxProblem(f"no column '{missing[0]}'", place, EXPECTED)
    return found


class _Reader:
    """Takes one row after the other."""

    def __init__(self, columns: Mapping[str, tuple[int, str]], tolerance: int) -> None:
        self.columns = columns
        self.builder = TimelineBuilder(tolerance)
        self.tracks: dict[str, int] = {}
        self.lines: array[int] = array("q")  # span -> line

    def take(self, cells: Sequence[str], place: Place) -> None:
        if len(cells) != len(self.columns):
            expected = f"{len(self.columns)}, as the first line has"
            raise SyntaxProblem(f"{len(cells)} cells", place, expected)
        text = {column: cells[at].strip() for column, (at, _) in self.columns.items()}
        if not text["queue"]:
            raise SyntaxProblem("no queue", place, "the name of a queue")
        start, duration = (self._time(column, text[column], place) for column in TIMES)
        if text["queue"] not in self.tracks:
            self.tracks[text["queue"]] = self.builder.track(text["queue"])
        activity = self.builder.activity(Activity(text["name"], text.get("category", "")))
        track = self.tracks[text["queue"]]
        end = picoseconds(start + duration, 1)
        self.builder.span(track, picoseconds(start, 1), end, activity)
        self.lines.append(place.line)

    def _time(self, column: str, text: str, place: Place) -> Decimal:
        """A time in picoseconds, not rounded yet."""
        match = _TIME.fullmatch(text)
        if not match:
            said = f"{quoted(text)} is no {column}" if text else f"no {column}"
            raise SyntaxProblem(said, place, "a number with a unit, like 12.5us")
        unit = self.columns[column][1]
        if match["unit"] and unit and _plain(match["unit"]) != _plain(unit):
            raise SyntaxProblem(f"{quoted(text)} in a column of {unit}", place, "one unit")
        unit = match["unit"] or unit
        if not unit:
            raise SyntaxProblem(f"the {column} {quoted(text)} has no unit", place, UNIT)
        time = Decimal(match["number"]) * UNITS[_plain(unit)]
        if time < 0 or not is_time(time):
            said = "negative" if time < 0 else "too large"
            raise TimelineProblem(f"the {column} {quoted(text)} is {said}", place, "0 or more")
        return time


def _plain(unit: str) -> str:
    """The unit with a `u` for its Greek letter."""
    return "us" if unit.endswith("s") and unit[0] in "\u00b5\u03bc" else unit
