"""The real captures, where they are, and what their swap chains are called."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from fencepost.present.captures import Capture, Chain, read
from fencepost.present.diagnosis import Diagnosis, diagnose
from fencepost.present.observed import observed_of_chain

_DIRECTORY = os.environ.get("FENCEPOST_DATA", "")
DIRECTORY = Path(_DIRECTORY or ".") / "captures" / "present"
needs_data = pytest.mark.skipif(not _DIRECTORY, reason="FENCEPOST_DATA is not set")


def names() -> list[str]:
    """All captures, in order; none without the data."""
    return sorted(
        path.name for path in DIRECTORY.glob("*") if path.name != "MANIFEST.csv" and _DIRECTORY
    )


@cache
def capture(name: str) -> Capture:
    return read(str(DIRECTORY / name))


def chain(name: str, application: str = "", address: int | None = None) -> Chain:
    """The first chain of that application or address; of any without."""
    return next(
        item
        for item in capture(name).chains
        if application in item.application and address in (None, item.address)
    )


@cache
def diagnosis(name: str, application: str = "", address: int | None = None) -> Diagnosis:
    return diagnose(observed_of_chain(chain(name, application, address)))
