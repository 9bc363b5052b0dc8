"""The C++17 header in examples/jsonl: what it writes is what was meant."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

from fencepost.stream.jsonl import json_schema, read_jsonl
from fencepost.stream.records import TYPES
from fencepost.stream.text import parse_text
from tests.stream.programs import plain
from tests.stream.test_text import SKETCH

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "jsonl"
EVERY_RECORD = ROOT / "tests" / "stream" / "every_record.cpp"
COMPILER = shutil.which("g++")
FLAGS = ["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs the Debian package g++")

EXPECTED = """\
machine gcn2-bonaire
guarantees strict
allow repeated-flush "measured"
buffer heap 4K
buffer NAME 64 at 0x10000
color hdr 64x64 rgba16f 32K at 0x200000 cmask fmask 4K at 0x300000
color plain 8x8 rgba8
depth z 64x64 d24s8 htile
backbuffer back 64x64 rgba8
label fence = 5 per-frame at 0x20000
gds counters 256 at 64

queue NAME: graphics
  kickoff
  frame
  context
  allow read-after-write "known"
  allow deadlock "\\"no\\""
  draw TITLE cb0.write hdr; ps.texture NAME hit-evict; vs.unknown; ps.unknown @ 1.5ms alu=3
  dispatch "d" cs.uav-write heap[0:16]; cs.texture hdr.cmask
  copy "c" heap[8:16] from heap[0:8] through tcc-write by pfp sync raw-wait
  clear counters
  resolve "r" as draw ps.texture hdr; cb0.write plain
  flush ps
  eop fence = 6 with tcc.wbinv
  eop with tcp.wbinv
  eop timestamp heap[16:24]
  eos ps fence = 7
  wait pfp fence >= 7 & 0xff
  set fence = 8
  pfp-sync-me
  wait idle
  event cb.pixels.wbinv
  event "marker"
  sync pfp tcc.wbinv coherent cb0 db hdr
  sync k.inv
  sync coherent cb0 hdr[0:64]
  dma wait
  present back
  wait flip back

queue async: compute
  wait fence == 1

queue sdma: copy
  copy heap from heap

queue cpu: cpu
  write heap
  write-combined heap[0:4]
  read heap
  kickoff NAME
"""


def built(source: Path, directory: Path) -> Path:
    """The program, compiled with every warning an error."""
    assert COMPILER is not None
    program = directory / source.stem
    command = [COMPILER, *FLAGS, f"-I{EXAMPLE}", str(source), "-o", str(program)]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    assert made.stderr == ""
    return program


@pytest.fixture(scope="module")
def every_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(EVERY_RECORD, tmp_path_factory.mktemp("every"))


def output(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], capture_output=True, check=True).stdout.decode()


def test_the_example_writes_the_frame_of_the_documentation(tmp_path: Path) -> None:
    written = output(built(EXAMPLE / "renderer.cpp", tmp_path))
    assert plain(read_jsonl(written)) == plain(parse_text(SKETCH))


@pytest.mark.parametrize("name", ["odd", 'a "b" \\ c', "é 😀", "tab\tline\nend\x01\x1f", "`", " "])
def test_every_function_writes_what_it_says(every_record: Path, name: str) -> None:
    token = "".join(f"\\u{ord(char):04x}" if ord(char) < 0x10000 else char for char in name)
    text = EXPECTED.replace("NAME", f"`{token}`").replace("TITLE", f'"{token}"')
    assert plain(read_jsonl(output(every_record, name))) == plain(parse_text(text))


def test_every_type_of_record_is_written_and_follows_the_schema(every_record: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(json_schema()))
    records = [json.loads(line) for line in output(every_record, "odd").splitlines()]
    for record in records:
        validator.validate(record)
    assert {record["type"] for record in records[1:]} == set(TYPES)
