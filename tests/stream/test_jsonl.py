"""The JSON Lines form: what each record means, its schema, what is wrong with a line."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.errors import Problems, ProgramProblem
from fencepost.place import Place
from fencepost.stream.builder import ProgramBuilder
from fencepost.stream.jsonl import SCHEMA_FILE, json_schema, read_jsonl, write_jsonl
from fencepost.stream.limits import LONGEST_LINE, MOST_PROBLEMS
from fencepost.stream.program import Program, Suppression
from fencepost.stream.records import TYPES
from fencepost.stream.repeat import repeat
from fencepost.stream.text import parse_text
from tests.stream.programs import plain, programs

HEADER = '{"format":"fencepost.stream","version":1,"machine":"xbox-one"}'
RESOURCES = """\
{"type":"buffer","name":"heap","size":4096}
{"type":"color","name":"hdr","width":8,"height":8,"format":"rgba8","cmask":{},"fmask":{"size":64}}
{"type":"depth","name":"z","size":1024,"address":65536,"htile":{"size":16,"address":69632}}
{"type":"backbuffer","name":"back","width":8,"height":8,"format":"rgba8"}
{"type":"label","name":"fence","value":1,"per_frame":true}
{"type":"gds","name":"counters","size":64,"address":128}
"""
TEXT_RESOURCES = """\
machine xbox-one
buffer heap 4K
color hdr 8x8 rgba8 cmask fmask
depth z 1K at 0x10000 htile 16 at 0x11000
backbuffer back 8x8 rgba8
label fence = 1 per-frame
gds counters 64 at 128
"""

# a line of text, the kind of its queue, the same as a record (without its queue)
LINES: list[tuple[str, str, dict[str, Any]]] = [
    ("draw", "graphics", {"type": "draw"}),
    (
        'draw "sky" ps.texture heap[0:64] hit-evict; cb0.write hdr; vs.unknown @ 1ms alu=3',
        "graphics",
        {
            "type": "draw",
            "name": "sky",
            "accesses": [
                {"block": "ps", "use": "texture", "resource": "heap", "start": 0, "end": 64}
                | {"policy": "hit-evict"},
                {"block": "cb0", "use": "write", "resource": "hdr"},
            ],
            "unknown": ["vs"],
            "cost": {"time": "1ms", "alu": "3"},
        },
    ),
    (
        "dispatch cs.texture hdr.cmask",
        "compute",
        {"type": "dispatch"}
        | {"accesses": [{"block": "cs", "use": "texture", "resource": "hdr", "part": "cmask"}]},
    ),
    (
        "copy heap[0:8] from heap[8:16] by pfp sync raw-wait",
        "graphics",
        {
            "type": "copy",
            "accesses": [
                {"block": "dma", "use": "read", "resource": "heap", "start": 8, "end": 16},
                {"block": "dma", "use": "write", "resource": "heap", "start": 0, "end": 8},
            ],
            "engine": "pfp",
            "synchronous": True,
            "raw_wait": True,
        },
    ),
    (
        "clear heap",
        "copy",
        {"type": "clear", "accesses": [{"block": "copy", "use": "write", "resource": "heap"}]},
    ),
    ("resolve as draw", "graphics", {"type": "resolve", "kind": "draw"}),
    (
        "read heap",
        "cpu",
        {"type": "read", "accesses": [{"block": "cpu", "use": "read", "resource": "heap"}]},
    ),
    (
        "write-combined heap",
        "cpu",
        {"type": "write"}
        | {"accesses": [{"block": "cpu", "use": "write-combined", "resource": "heap"}]},
    ),
    ("flush ps", "graphics", {"type": "flush", "stage": "ps"}),
    ("eos cs fence = 2", "compute", {"type": "eos", "stage": "cs", "label": "fence", "value": 2}),
    (
        "eop fence = 2 with tcc.wbinv",
        "graphics",
        {"type": "eop", "label": "fence", "value": 2, "operations": ["tcc.wbinv"]},
    ),
    (
        "eop timestamp heap[0:8]",
        "graphics",
        {"type": "eop", "timestamp": {"resource": "heap", "start": 0, "end": 8}},
    ),
    ("wait fence == 2", "graphics", {"type": "wait", "label": "fence", "value": 2}),
    (
        "wait pfp fence >= 2 & 0xff",
        "graphics",
        {"type": "wait", "label": "fence", "value": 2, "comparison": ">=", "mask": 255}
        | {"engine": "pfp"},
    ),
    ("wait fence == 2", "cpu", {"type": "wait", "label": "fence", "value": 2}),
    ("set fence = 2", "copy", {"type": "set", "label": "fence", "value": 2}),
    ("pfp-sync-me", "graphics", {"type": "pfp-sync-me"}),
    ("wait idle", "graphics", {"type": "wait-idle"}),
    ("event db.pixels.wb", "graphics", {"type": "event", "operations": ["db.pixels.wb"]}),
    (
        "sync pfp k.inv coherent cb0 db hdr",
        "graphics",
        {"type": "sync", "operations": ["k.inv"], "coherency": ["cb0", "db"], "surface": "hdr"}
        | {"engine": "pfp"},
    ),
    (
        "sync coherent cb1 hdr.fmask[0:8]",
        "graphics",
        {"type": "sync", "coherency": ["cb1"], "surface": "hdr", "part": "fmask"}
        | {"start": 0, "end": 8},
    ),
    (
        "sync coherent base0 0x100:0x200",
        "graphics",
        {"type": "sync", "coherency": ["base0"], "start": 256, "end": 512},
    ),
    ("sync coherent cb0 all", "graphics", {"type": "sync", "coherency": ["cb0"]}),
    ("context", "graphics", {"type": "context"}),
    ("dma wait", "compute", {"type": "dma-wait"}),
    ("kickoff", "graphics", {"type": "kickoff"}),
    ("frame", "graphics", {"type": "frame"}),
    ("present back", "graphics", {"type": "present", "buffer": "back"}),
    ("wait flip back", "graphics", {"type": "wait-flip", "buffer": "back"}),
]


def stream(*records: dict[str, Any], kind: str = "graphics") -> str:
    """A stream with all resources, one queue, and commands on it."""
    queue = {"type": "queue", "name": "q", "kind": kind}
    lines = [json.dumps(queue), *(json.dumps(row | {"queue": "q"}) for row in records)]
    return "\n".join([HEADER, RESOURCES.strip(), *lines]) + "\n"


@pytest.mark.parametrize(("line", "kind", "record"), LINES)
def test_a_record_says_what_a_line_says(line: str, kind: str, record: dict[str, Any]) -> None:
    text = f"{TEXT_RESOURCES}queue q: {kind}\n{line}\n"
    assert plain(read_jsonl(stream(record, kind=kind))) == plain(parse_text(text))


def test_every_type_of_record_is_in_that_table() -> None:
    resources = {json.loads(line)["type"] for line in RESOURCES.splitlines()}
    assert {record["type"] for _, _, record in LINES} | resources | {"queue", "allow"} == set(TYPES)


def test_a_kickoff_on_the_cpu_names_its_target() -> None:
    lines = [
        HEADER,
        '{"type":"queue","name":"q","kind":"compute"}',
        '{"type":"queue","name":"cpu","kind":"cpu"}',
        '{"type":"kickoff","queue":"cpu","target":"q"}',
        '{"type":"kickoff","queue":"q"}',
    ]
    text = "machine xbox-one\nqueue q: compute\nkickoff\nqueue cpu: cpu\nkickoff q\n"
    assert plain(read_jsonl(lines)) == plain(parse_text(text))


def test_places_are_lines_of_the_file() -> None:
    program = read_jsonl(stream({"type": "frame"}), "a.jsonl")
    assert program.file == "a.jsonl"
    assert program.resources[1].place == Place("a.jsonl", 3)
    assert program.queues[0].place == Place("a.jsonl", 8)
    assert program.queues[0].commands[0].place == Place("a.jsonl", 9)


def test_suppressions() -> None:
    allow = [{"rule": "read-after-write", "reason": "known"}]
    text = stream({"type": "frame", "allow": allow})
    text += '{"type":"allow","rule":"repeated-flush","reason":"all"}\n'
    assert read_jsonl(text, "a.jsonl").suppressions == (
        Suppression("read-after-write", "a.jsonl", 9, "known", Place("a.jsonl", 9)),
        Suppression("repeated-flush", "a.jsonl", 0, "all", Place("a.jsonl", 10)),
    )


def test_blank_lines_windows_line_ends_and_lists_of_lines() -> None:
    text = stream({"type": "frame"})
    program = plain(read_jsonl(text))
    assert plain(read_jsonl("\n" + text.replace("\n", "\r\n\r\n"))) == program
    assert plain(read_jsonl(text.splitlines())) == program
    assert plain(read_jsonl(iter(text.splitlines(keepends=True)))) == program


def test_guarantees() -> None:
    header = HEADER.replace("}", ',"guarantees":"strict"}')
    assert read_jsonl(header).guarantees == "strict"


def test_repeated_frames_have_no_records() -> None:
    builder = ProgramBuilder("xbox-one")
    builder.graphics().frame()
    with pytest.raises(ProgramProblem, match="repeated frames"):
        write_jsonl(repeat(builder.build(), 2))


def complaint(text: str) -> str:
    """The one problem of a stream."""
    with pytest.raises(Problems) as caught:
        read_jsonl(text, "a.jsonl")
    (problem,) = caught.value.problems
    return str(problem)


FRAME = {"type": "frame"}
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"type": "frme"}, "Invalid value 'frme' - at `$.type` (did you mean 'frame'?)"),
    ({}, "Object missing required field `type`"),
    (FRAME | {"nmae": "x"}, "Object contains unknown field `nmae`"),
    (FRAME | {"name": 3}, "Expected `str`, got `int` - at `$.name`"),
    ({"type": "flush"}, "Object missing required field `stage`"),
    ({"type": "flush", "stage": "xs"}, "Invalid enum value 'xs' - at `$.stage`"),
    ({"type": "wait", "label": "fence", "value": -1}, "Expected `int` >= 0 - at `$.value`"),
    ({"type": "wait", "label": "fence", "value": 1.5}, "Expected `int`, got `float`"),
    ({"type": "wait", "label": "fense", "value": 1}, "no resource 'fense' (did you mean 'fence'?)"),
    ({"type": "wait", "label": "heap", "value": 1}, "'heap' is no label; expected a label"),
    ({"type": "event", "operations": ["tcc"]}, "no cache operation 'tcc'"),
    ({"type": "event", "operations": ["k.inv"]}, "no pipelined event does 'k.inv'"),
    ({"type": "resolve"}, "a resolve does not say its kind; expected 'draw' or 'dispatch'"),
    ({"type": "sync", "surface": "hdr", "end": 257}, "range [0:257] of 'hdr' is outside"),
    ({"type": "sync", "start": 9, "end": 8}, "no range 0x9:0x8"),
    ({"type": "draw", "accesses": [{"block": "ps"}]}, "Object missing required field `use`"),
    ({"type": "draw", "cost": {"a b": "1"}}, "'a b' in a cost"),
]
ACCESSES: list[tuple[dict[str, Any], str]] = [
    ({"use": "textur"}, "no access 'ps.textur' (did you mean 'ps.texture'?)"),
    ({"block": "px"}, "no block 'px'"),
    (
        {"resource": "heep"},
        "no resource 'heep' (did you mean 'heap'?); expected a resource declared",
    ),
    ({"part": "cmask"}, "'heap' has no part 'cmask'"),
    ({"end": 4097}, "range [0:4097] of 'heap' is outside; expected within [0:4096]"),
    ({"start": 8, "end": 8}, "range [8:8] of 'heap' is empty"),
    ({"policy": "hit"}, "Invalid enum value 'hit' - at `$.accesses[0].policy`"),
    ({"block": "cs"}, "a draw makes no access 'cs.texture'"),
]


@pytest.mark.parametrize(("record", "message"), WRONG)
def test_a_wrong_record(record: dict[str, Any], message: str) -> None:
    assert complaint(stream(FRAME, record, FRAME)).startswith(f"a.jsonl:10:1: {message}")


@pytest.mark.parametrize(("change", "message"), ACCESSES)
def test_a_wrong_access(change: dict[str, Any], message: str) -> None:
    access = {"block": "ps", "use": "texture", "resource": "heap"}
    read_jsonl(stream({"type": "draw", "accesses": [access]}))
    wrong = stream({"type": "draw", "accesses": [access | change]})
    assert complaint(wrong).startswith(f"a.jsonl:9:1: {message}")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"type":"buffer","name":"x","size":0}', "Expected `int` >= 1 - at `$.size`"),
        ('{"type":"buffer","name":"x"}', "Object missing required field `size`"),
        ('{"type":"buffer","name":"","size":1}', "Expected `str` of length >= 1 - at `$.name`"),
        ('{"type":"buffer","name":"heap","size":1}', "a second resource 'heap'"),
        ('{"type":"color","name":"x","width":8,"height":8}', "'x' has half a shape"),
        ('{"type":"color","name":"x"}', "'x' has no size"),
        (
            '{"type":"color","name":"x","size":8,"htile":{}}',
            "Object contains unknown field `htile`",
        ),
        ('{"type":"depth","name":"x","width":8,"height":8,"format":"r8"}', "'r8' is no depth"),
        ('{"type":"label","name":"x","value":256,"size":1}', "starting value 256 does not fit"),
        ('{"type":"queue","name":"q","kind":"copy"}', "a second queue 'q'"),
        ('{"type":"queue","name":"x","kind":"compte"}', "Invalid enum value 'compte'"),
        ('{"type":"frame","queue":"r"}', "no queue 'r'"),
        ('{"type":"frame"}', "Object missing required field `queue`"),
        ("[]", "Expected `object`, got `array`"),
        ("null", "Expected `object`, got `null`"),
        ('{"type":"frame"', "no JSON: Input data was truncated"),
        ("flush ps", "no JSON: JSON is malformed: "),
        ('{"type":"frame","queue":"q"} {}', "no JSON: JSON is malformed: trailing characters"),
        ("[" * 100_000, "Expected `object`, got `array`"),
        ('{"type":"frame","queue":"q","allow":' + "[" * 99_999, "Expected `object`, got `array`"),
        ('{"type":"frame","queue":"q","name":"\\ud800"}', "no JSON: "),
        ('{"type":"label","name":"x","value":' + "9" * 5000 + "}", "Integer value out of range"),
    ],
)
def test_a_wrong_line(line: str, message: str) -> None:
    assert complaint(stream() + line).startswith(f"a.jsonl:9:1: {message}")


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("", "an empty stream"),
        ("{}", "no stream: Object missing required field `format`"),
        (HEADER.replace("fencepost.", "other."), "no stream: Invalid enum value 'other.stream'"),
        (HEADER.replace('"version":1', '"version":2'), "no stream: Invalid enum value 2"),
        (HEADER.replace('"machine"', '"machin"'), "no stream: Object contains unknown field"),
        (
            HEADER.replace("xbox-one", "xbox-won"),
            "no machine 'xbox-won' (did you mean 'xbox-one'?)",
        ),
        (HEADER.replace("}", ',"guarantees":"lax"}'), "no stream: Invalid enum value 'lax'"),
        ("machine xbox-one", "no stream: JSON is malformed"),
    ],
)
def test_a_wrong_first_line_ends_the_reading(first: str, message: str) -> None:
    assert complaint(first + "\nnonsense\n" if first else "").startswith(f"a.jsonl:1:1: {message}")


def test_several_problems_at_once_up_to_what_people_read() -> None:
    with pytest.raises(Problems) as caught:
        read_jsonl(stream({"type": "flush"}, {"type": "flush", "stage": "cs"}, {"type": "wait"}))
    assert [problem.place.line for problem in caught.value.problems if problem.place] == [9, 11]
    with pytest.raises(Problems) as caught:
        read_jsonl(stream(*[{"type": "flush"}] * 1000))
    assert len(caught.value.problems) == MOST_PROBLEMS


def test_a_long_line_is_refused() -> None:
    line = json.dumps({"type": "frame", "queue": "q", "name": "x" * LONGEST_LINE})
    assert f"a line of {len(line)} characters" in complaint(stream() + line)


def test_the_published_schema_is_what_the_records_say() -> None:
    """To renew the file: write what `json_schema()` returns into it."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == json_schema()


SCHEMA = json.loads(json_schema())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def lines_of(program: Program) -> list[str]:
    """The lines of a program: other line ends than this one may stand in names."""
    return write_jsonl(program).removesuffix("\n").split("\n")


@given(programs())
def test_what_is_written_follows_the_schema(program: Program) -> None:
    for line in lines_of(program):
        VALIDATOR.validate(json.loads(line))


@given(programs(), st.data())
def test_schema_and_reader_agree_on_fields(program: Program, data: st.DataObject) -> None:
    """A record without one of its fields, or with one more, suits both or neither."""
    lines = lines_of(program)
    index = data.draw(st.integers(0, len(lines) - 1))
    record = json.loads(lines[index])
    field = data.draw(st.sampled_from([*record, "more"]))
    changed = {key: value for key, value in record.items() if key != field}
    if field == "more":
        changed["more"] = 1
    lines[index] = json.dumps(changed)
    try:
        read_jsonl(lines)
        refused = False
    except Problems as error:
        refused = any("Object " in str(problem) for problem in error.problems)
    assert refused is not VALIDATOR.is_valid(changed)
