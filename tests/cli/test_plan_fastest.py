"""`--fastest` of `plan` and `fix`: what is printed, what is said of times, what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from fencepost.coherence import Kind, check
from fencepost.machine import find_machine
from fencepost.plan import fastest as module
from fencepost.plan.fastest import time_of
from fencepost.report.plan_document import schema
from fencepost.stream.text import parse_text
from fencepost.timeline.times import shown
from tests.cli.run import run, write
from tests.examples.verdicts import text_of
from tests.plan.test_fastest import AHEAD, UNRELATED

SLOW = UNRELATED.format(unrelated="300us", between="20us")
FAST = UNRELATED.format(unrelated="2us", between="200us")


def time(text: str) -> int:
    """The simulated time of a stream that is right."""
    program = parse_text(text)
    machine = find_machine(program.machine)
    assert not check(program, machine).of(Kind.HAZARD)
    return time_of(program, machine, machine.guarantees)


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    return write(tmp_path / "a.fence", SLOW)


def test_both_times_stand_beside_the_costs(stream: Path) -> None:
    lightest, fastest = run("plan", stream), run("plan", stream, "--fastest")
    assert (lightest.code, fastest.code) == (0, 0)
    assert time(fastest.out) < time(lightest.out)
    times = f"{shown(time(fastest.out))}, {shown(time(lightest.out))} with the lightest plan"
    assert f"; simulated {times}; " in fastest.err
    assert " plans tried" in fastest.err
    assert "simulated" not in lightest.err
    assert "too much" not in fastest.err


def test_where_the_lightest_is_the_fastest_it_is_printed(tmp_path: Path) -> None:
    stream = write(tmp_path / "a.fence", FAST)
    assert run("plan", stream).out == run("plan", stream, "--fastest").out


def test_each_command_says_what_it_is_for(stream: Path) -> None:
    result = run("plan", stream, "--fastest", "--explain")
    assert result.out == run("plan", stream, "--fastest").out
    assert "  flush cs  # " in result.out
    told = " ".join(result.err.split())
    pair = 'dispatch "consumer" (line 10) after dispatch "producer" (line 8): data'
    assert f"= for: {pair}, read-after-write" in told
    assert result.err.count("  = for:") >= result.out.count("  # ")


def test_a_write_back_that_only_saves_time_says_how_much(tmp_path: Path) -> None:
    stream = write(tmp_path / "a.fence", AHEAD.format(size="4M"))
    result = run("plan", stream, "--fastest", "--explain")
    (line,) = [row for row in result.out.splitlines() if "# saves" in row]
    without = time(result.out.replace(f"{line}\n", ""))
    saved = shown(without - time(result.out))
    assert line.endswith(f"# saves {saved}")
    told = " ".join(result.err.split())
    assert f"time alone: nothing breaks without it, but the stream takes {saved} longer" in told


def test_json_has_the_times(stream: Path, tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema()))
    plain = json.loads(run("plan", stream, "--format", "json").raw)
    found = json.loads(run("plan", stream, "--fastest", "--format", "json").raw)
    for document in (plain, found):
        validator.validate(document)
    assert plain["simulated"] is None
    assert found["simulated"]["time"] == time(found["stream"])
    assert found["simulated"]["lightest"] == time(plain["stream"])
    assert found["simulated"]["complete"] is True
    assert [service["saves"] for service in found["services"]] == [0] * len(found["services"])
    ahead = write(tmp_path / "b.fence", AHEAD.format(size="4M"))
    found = json.loads(run("plan", ahead, "--fastest", "--format", "json").raw)
    assert any(service["saves"] > 0 for service in found["services"])


def test_the_own_synchronization_stays_where_none_is_faster(tmp_path: Path) -> None:
    own = run("plan", write(tmp_path / "a.fence", SLOW), "--fastest").out
    again = run("plan", write(tmp_path / "b.fence", own), "--fastest")
    assert again.out == own
    assert "right as it is" in again.err
    slow = own.replace("  flush cs", "  wait idle")
    assert time(slow) > time(own)
    assert time(run("plan", write(tmp_path / "c.fence", slow), "--fastest").out) == time(own)


def test_of_two_that_are_as_fast_the_lighter_is_printed(tmp_path: Path) -> None:
    name = "render-target-to-texture-eos-reuse"
    own = write(tmp_path / "a.fence", text_of(name))
    result = run("plan", own, "--fastest")
    assert time(result.out) == time(text_of(name))
    assert result.out == run("plan", own).out != text_of(name)


def test_fix_adds_what_is_fastest_and_keeps_what_is_there(tmp_path: Path) -> None:
    own = SLOW.replace('  draw "unrelated"', '  flush cs  # mine\n  draw "unrelated"')
    stream = write(tmp_path / "a.fence", own)
    light, fast = run("fix", stream), run("fix", stream, "--fastest")
    assert "  flush cs  # mine\n" in fast.out
    assert time(fast.out) < time(light.out)
    right = write(tmp_path / "b.fence", fast.out)
    assert run("fix", right, "--fastest").out == fast.out
    assert "simulated" not in run("fix", right, "--fastest").err


def test_too_much_to_try_is_said(stream: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_JUDGED", 60)
    result = run("plan", stream, "--fastest")
    assert result.code == 0
    assert "tried, and then stopped: there was too much to try" in result.err
    assert time(result.out) <= time(run("plan", stream).out)


def test_what_cannot_be_simulated_is_two_with_the_place(tmp_path: Path) -> None:
    stream = write(tmp_path / "a.fence", SLOW.replace("@ 300us", "@ 0us"))
    target = tmp_path / "out.fence"
    result = run("plan", stream, "--fastest", "-o", target)
    assert (result.code, result.raw, len(result.complaints)) == (2, b"", 1)
    assert f"{stream}:7:" in result.complaints[0]
    assert not target.exists()
    assert run("plan", stream).code == 0


def test_what_no_synchronization_makes_right_is_one(tmp_path: Path) -> None:
    text = (
        "machine xbox-one\nbuffer a 64\nqueue q: compute\n"
        "  dispatch cs.uav-write a; cs.constant a\n"
    )
    result = run("plan", write(tmp_path / "a.fence", text), "--fastest")
    assert (result.code, result.raw) == (1, b"")
    assert "feedback-loop" in result.err


TWO = """machine xbox-one
buffer a 64
buffer b 64
queue q: graphics
  draw ps.uav-write a
  dispatch cs.uav-write b
  dispatch cs.buffer a; cs.buffer b
"""
"""Its plan has two partial flushes in one gap."""


@pytest.mark.parametrize("words", [(), ("--fastest",)])
def test_the_output_does_not_depend_on_hashes(tmp_path: Path, words: tuple[str, ...]) -> None:
    stream = write(tmp_path / "a.fence", TWO)
    command = [sys.executable, "-m", "fencepost", "plan", str(stream), *words]
    outputs = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("0", "2", "4")
    }
    (output,) = outputs
    assert output.count(b"flush") == 2
