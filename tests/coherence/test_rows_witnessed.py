"""Each row of the machine's tables has a source that exists, and a stream from outside or none.

The pairs of `rows/` are ours; the seed's examples, drivers, bug reports and captures are not.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.capture.data import DATA, needs_data
from tests.coherence.rows.witnesses import (
    UNWITNESSED,
    names,
    notices,
    of_rows,
    read_witnesses,
    sources,
)
from tests.coherence.rows.witnesses import (
    needs_data as is_outside,
)

ROOT = Path(__file__).resolve().parents[2]
WITNESSES = read_witnesses()
ROWS = of_rows()


def test_each_row_has_a_witness_or_is_known_to_have_none() -> None:
    assert WITNESSES.keys() | UNWITNESSED.keys() == ROWS.keys()
    assert not WITNESSES.keys() & UNWITNESSED.keys()


@pytest.mark.parametrize("row", WITNESSES)
def test_the_witness_notices_a_change_of_the_row(row: str) -> None:
    name = WITNESSES[row]
    if is_outside(name) and Path() == DATA:
        pytest.skip("FENCEPOST_DATA is not set")
    assert any(notices(name, mutation) for mutation in ROWS[row])


@pytest.mark.parametrize("row", UNWITNESSED)
def test_no_stream_of_this_repository_notices_the_others(row: str) -> None:
    """If one does now, the row has a witness."""
    some = [name for name in names() if not is_outside(name)]
    assert not any(notices(name, one) for name in some[::7] for one in ROWS[row])


# -- sources


@cache
def text_of(name: str) -> str:
    """The document that a source calls so."""
    if name.startswith("seed "):
        (path,) = (DATA / "seeds").glob(f"{name.removeprefix('seed ')}_*.txt")
        return path.read_text(encoding="utf-8")
    if name == "hardware.md":
        return (DATA / "reference" / name).read_text(encoding="utf-8")
    if name == "design":
        return (DATA / "design.md").read_text(encoding="utf-8")
    return (ROOT / "docs" / "model.md").read_text(encoding="utf-8")


def exists(source: str) -> bool:
    """Is there such a section? As `seed 000 "Heading"`, `hardware.md 1.3`, `design 4.1`."""
    seed = re.match(r'(seed \d{3}) "([^"]+)"', source)
    if seed:
        return bool(re.search(rf"^#* *{re.escape(seed[2])}\s*$", text_of(seed[1]), re.MULTILINE))
    section = re.match(r"(hardware\.md|design|model) (\d+(?:\.\d+)?)", source)
    if section is None:
        return False
    number = re.escape(section[2])
    return bool(re.search(rf"^(#+ )?{number}[. ]", text_of(section[1]), re.MULTILINE))


@needs_data
@pytest.mark.parametrize("row", sources())
def test_a_source_exists(row: str) -> None:
    cited = [part.strip() for part in sources()[row].split(";")]
    assert cited
    assert [part for part in cited if not exists(part)] == []


@needs_data
@pytest.mark.parametrize(
    "source", ['seed 000 "No such heading"', "hardware.md 99.9", "design 77", "somebody said so"]
)
def test_a_wrong_source_is_noticed(source: str) -> None:
    assert not exists(source)
