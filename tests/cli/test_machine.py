from __future__ import annotations

import json

import pytest

from fencepost.machine.profiles import MACHINES
from tests.cli.run import run


def test_machines_are_listed() -> None:
    result = run("machine")
    assert (result.code, result.err) == (0, "")
    assert [name for name in MACHINES if name not in result.out] == []
    assert json.loads(run("machine", "--format", "json").raw)["machines"] == list(MACHINES)


@pytest.mark.parametrize("name", MACHINES)
def test_a_machine_is_printed(name: str) -> None:
    result = run("machine", name)
    assert result.code == 0
    assert result.out.startswith(f"{name}: {MACHINES[name].title}")
    data = json.loads(run("machine", name, "--format", "json").raw)
    assert (data["format"], data["name"]) == ("fencepost.machine", name)


@pytest.mark.parametrize("name", ["xbox-on", "", "ps4"])
def test_an_unknown_machine_is_one_line(name: str) -> None:
    result = run("machine", name)
    assert (result.code, result.out) == (2, "")
    (complaint,) = result.complaints
    assert f"no machine '{name}'" in complaint
    assert "xbox-one" in complaint
