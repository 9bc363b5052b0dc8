from __future__ import annotations

import dataclasses
import json

import msgspec
import pytest

from fencepost.machine.profiles import MACHINES
from fencepost.machine.tables import Machine
from fencepost.report.machine_text import machine_data, machine_list, machine_text
from fencepost.report.style import Style

EACH = pytest.mark.parametrize("machine", MACHINES.values(), ids=lambda machine: machine.name)

# The table of the seed, by its own column heads; `DB metadata` differs in Range (model 4.11).
SEED = """
TCC (L2)               | R/W |            |     | Top/Bottom | No
TCP (L1)               | R/W |            |     | Top/Bottom | No
TCC VOL (L2 volatile)  | R/W | Top/Bottom |     | Top/Bottom | No
TCP VOL (L1 volatile)  | R/W | Top/Bottom |     | Top/Bottom | No
K$ (SQC)               | RO  |            | Top |            | No
I$ (SQC)               | RO  |            | Top |            | No
CB pixels              | R/W | Bottom     |     | Top/Bottom | No
CB metadata            | R/W |            |     | Bottom     | No
DB pixels              | R/W | Bottom     |     | Top/Bottom | Yes
DB metadata            | R/W |            |     | Bottom     | No
"""


def section(machine: Machine, name: str) -> list[str]:
    text = machine_text(machine, Style())
    return text.split(f"\n{name}\n")[1].split("\n\n")[0].splitlines()


def columns(lines: list[str]) -> list[list[str]]:
    """The cells of a table, cut where the line below its heading says."""
    starts = [0, *(at for at in range(1, len(lines[1])) if lines[1][at - 1 : at + 1] == " -")]
    ends = [*starts[1:], None]
    return [[line[a:b].strip() for a, b in zip(starts, ends, strict=True)] for line in lines]


@EACH
def test_the_operations_lie_beside_the_seed(machine: Machine) -> None:
    rows = columns(section(machine, "Supported cache operations"))
    seed = [[cell.strip() for cell in row.split("|")] for row in SEED.strip().splitlines()]
    assert [row[1:7] for row in rows[2:]] == seed
    assert [cell for cell in rows[0] if cell][:5] == [
        "Type",
        "Writeback",
        "Invalidate",
        "Writeback+Invalidate",
        "Range",
    ]


@EACH
def test_every_row_is_printed_with_its_source(machine: Machine) -> None:
    text = machine_text(machine, Style())
    flat = " ".join(text.split())
    for table in (machine.engines, machine.groups, machine.caches, machine.ways):
        for row in table:
            for source in row.source.split("; "):
                assert source in flat
    for engine in machine.engines:
        assert engine.title in flat
    for parameter in machine.parameters:
        assert f"{parameter.name} {parameter.value:,}" in flat
    assert len(section(machine, "Ways through the caches")) >= len(machine.ways) + 2


@EACH
def test_numbers_of_sources_lead_to_the_list(machine: Machine) -> None:
    listed = dict(line.split(maxsplit=1) for line in section(machine, "Sources"))
    for row, line in zip(machine.caches, section(machine, "Caches")[2:], strict=True):
        numbers = [word for word in line.split() if word.startswith("[")]
        assert "; ".join(listed[number] for number in numbers) == row.source


@EACH
def test_lines_are_no_wider_than_a_wide_terminal(machine: Machine) -> None:
    assert max(map(len, machine_text(machine, Style()).splitlines())) <= 170


def test_all_machines_are_listed() -> None:
    lines = machine_list(MACHINES.values()).splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(MACHINES)


@EACH
def test_the_data_has_every_table_and_row(machine: Machine) -> None:
    data = json.loads(msgspec.json.encode(machine_data(machine)))
    names = {field.name for field in dataclasses.fields(machine)}
    assert set(data) == names | {"format", "version"}
    assert len(data["ways"]) == len(machine.ways)
    steps = [step["step"] for row in data["commands"] for step in row["steps"]]
    expected = [type(step).__name__ for row in machine.commands for step in row.steps]
    assert steps == expected
