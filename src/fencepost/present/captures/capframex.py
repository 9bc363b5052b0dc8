"""CapFrameX's JSON: parallel arrays, one set a run (presentation.md 2.3)."""

from __future__ import annotations

import re

import msgspec

from fencepost.errors import SyntaxProblem
from fencepost.place import Place
from fencepost.present.captures.dialects import Dialect
from fencepost.present.captures.gathering import Gatherer
from fencepost.present.captures.reading import choose, gather
from fencepost.present.captures.rows import EXPECTED, Header, Rows
from fencepost.present.captures.table import Capture

BAD_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_AT = re.compile(r" \(byte \d+\)$")
_DIALECT = Dialect("CapFrameX JSON", "capframex", frozenset(), (), "presentation.md 2.3")
_IDENTITY = ("Application", "Runtime", "Part")
_NULL = b"null"


class _Info(msgspec.Struct):
    ProcessName: str | None = None


class _Run(msgspec.Struct):
    CaptureData: dict[str, msgspec.Raw] | None = None
    PresentMonRuntime: str | None = None


class _File(msgspec.Struct):
    Runs: list[_Run]
    Info: _Info | None = None


def read_json(data: bytes, file: str) -> Capture:
    """The runs of a file, each a chain of its own; raises `SyntaxProblem`."""
    place = Place(file, 0)
    try:
        found = msgspec.json.decode(data, type=_File)
    except msgspec.ValidationError as error:
        raise SyntaxProblem(f"no CapFrameX capture ({error})", place, EXPECTED) from None
    except BAD_JSON as error:
        raise SyntaxProblem(_said(error), place, "a CapFrameX capture") from None
    runs = [run for run in found.Runs if run.CaptureData]
    if not runs:
        raise SyntaxProblem("no run with data", place, "CaptureData with its arrays")
    name = (found.Info.ProcessName if found.Info else None) or ""
    header = _header(runs, file)
    choice = choose(header)
    blocks = (
        _rows(header, run, (name, run.PresentMonRuntime or "", f"run {number}"), len(runs))
        for number, run in enumerate(runs, start=1)
    )
    return gather(Gatherer(header, choice.taken), choice, blocks)


def _header(runs: list[_Run], file: str) -> Header:
    """The names of all arrays of all runs, after those of what tells chains apart."""
    titles = dict.fromkeys(_IDENTITY)
    for run in runs:
        titles.update(dict.fromkeys(key for key, raw in _data(run).items() if bytes(raw) != _NULL))
    names = tuple(title.lower() for title in titles)
    return Header(file, _DIALECT, names, tuple(titles), ",", 0, row="row")


def _data(run: _Run) -> dict[str, msgspec.Raw]:
    return run.CaptureData or {}


def _rows(header: Header, run: _Run, identity: tuple[str, str, str], runs: int) -> Rows:
    """A run as a block of rows; raises `SyntaxProblem` for arrays that are not parallel."""
    arrays = {key.lower(): _texts(raw) for key, raw in _data(run).items() if bytes(raw) != _NULL}
    lengths = {len(texts) for texts in arrays.values()}
    if len(lengths) != 1:
        shown = ", ".join(str(length) for length in sorted(lengths)[:4])
        problem = f"arrays of {shown} values in one run" if lengths else "a run without arrays"
        raise SyntaxProblem(problem, header.place(0), "parallel arrays")
    count = lengths.pop()
    constants = dict(zip(_IDENTITY, identity, strict=True))
    if runs == 1:
        constants["Part"] = ""
    columns = {
        place: [constants[title]] * count
        if title in constants
        else arrays.get(name, ["null"] * count)
        for place, (title, name) in enumerate(zip(header.titles, header.names, strict=True))
    }
    return Rows(columns, range(1, count + 1))


def _texts(raw: msgspec.Raw) -> list[str]:
    """The values of an array as they are written."""
    text = bytes(raw).decode("utf-8", "replace").strip()
    inner = text[1:-1].strip() if text.startswith("[") else text
    return inner.replace("null", "NA").split(",") if inner else []


def _said(error: Exception) -> str:
    """What the decoder says, in one line."""
    if isinstance(error, RecursionError):
        return "JSON is nested too deeply"
    if "truncated" in str(error):
        return "the JSON is cut short"
    return "no JSON (" + " ".join(_AT.sub("", str(error)).split()) + ")"
