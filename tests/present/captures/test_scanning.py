"""Blocks that are scanned, by the kernel as text or compiled, give what blocks of text give."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fencepost.errors import FencepostError
from fencepost.present.captures import Capture, opening, read_data, scanning
from tests.kernels.twice import interpreted
from tests.present.captures.edit import put
from tests.present.captures.recorder import HEADERS, steady, text_of
from tests.present.captures.test_formats import check
from tests.present.real_captures import DIRECTORY, names, needs_data

KERNEL = "fencepost.present.captures.cells"
SCANNED = sorted(form for form in HEADERS if form not in ("OCAT", "PresentMon 2.0 date"))
"""Formats whose rows are plain; OCAT's first row is longer, dates are text."""


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Scan with the kernel's text; whether each block was plain."""
    plain: list[bool] = []
    whole = scanning.Scanner.scan

    def scan(self: scanning.Scanner, data: bytes, rows: int, ticks: dict[int, bool]) -> object:
        found = whole(self, data, rows, ticks)
        plain.append(found is not None)
        return found

    monkeypatch.setattr(scanning, "cells", interpreted(KERNEL))
    monkeypatch.setattr(scanning, "is_compiled", lambda _: True)
    monkeypatch.setattr(scanning.Scanner, "scan", scan)
    return plain


def unscanned(data: bytes) -> Capture | str:
    """What the readers of text say."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scanning, "is_compiled", lambda _: False)
        return said(data)


def said(data: bytes) -> Capture | str:
    try:
        return read_data(data, "t")
    except FencepostError as error:
        return str(error)


@pytest.mark.parametrize("form", SCANNED)
def test_formats(form: str, counted: list[bool]) -> None:
    capture = read_data(text_of(form), "t")
    check(form, capture.chains[0])
    assert capture == unscanned(text_of(form))
    assert counted == [form != "PresentMon 2.0"]  # whose clock has a unit that is told later


def test_many_blocks(counted: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one of `PresentMon 2.0` is text; all are plain after it."""
    monkeypatch.setattr(opening.Source.read, "__defaults__", (2_000,))
    for form in ("PresentMon 1.7", "PresentMon 2.0", "PresentMon 2.4 qpc"):
        data = text_of(form, steady(100, 7_000))
        counted.clear()
        assert read_data(data, "t") == unscanned(data)
        assert counted[1:] == [True] * (len(counted) - 1)
        assert len(counted) > 5


def changed() -> Iterator[bytes]:
    for title in HEADERS["PresentMon 2.4"].split(","):
        for value in ("", "NA", "1e3", "x", "-5.0", "1.0000000001", '"1.5"', "99999999999", "0"):
            yield put(text_of("PresentMon 2.4"), title, 3, value)


def test_what_is_not_plain_is_the_same(counted: list[bool]) -> None:
    for data in changed():
        assert said(data) == unscanned(data)
    assert {True, False} == set(counted)


@needs_data
def test_real_captures(counted: list[bool]) -> None:
    for name in names():
        if name.endswith(".csv"):
            data = (DIRECTORY / name).read_bytes()[:40_000].rpartition(b"\n")[0] + b"\n"
            assert said(data) == unscanned(data), name
    assert True in counted


@needs_data
def test_real_captures_as_they_are_read() -> None:
    """With the kernel as it is here, compiled or not."""
    for name in names():
        data = (DIRECTORY / name).read_bytes()
        assert said(data) == unscanned(data), name
