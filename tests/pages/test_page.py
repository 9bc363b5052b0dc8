"""What is in the file of a page: no markup from data, a strict policy, the same bytes each time."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.report.html_data import COARSE, EXACT, file_name
from fencepost.report.html_timeline import write_timeline_html
from fencepost.report.page import embedded, make_page, packed
from fencepost.timeline import Activity, Edge, Flow, Timeline, TimelineBuilder, figures
from tests.pages.make import HOSTILE
from tests.pages.reading import ELEMENTS, read, unpacked
from tests.timeline.make import timeline, timelines

TEXT = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=20))
BUNDLES = ("timeline", "present")


def page_of(made: Timeline) -> bytes:
    return write_timeline_html(made, figures(made))


@given(TEXT, st.recursive(TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner)))
def test_no_data_becomes_markup(title: str, data: object) -> None:
    page = read(make_page("timeline", title, "1.0", data))
    assert page.elements == ELEMENTS
    assert page.data == data


def test_embedded_text_has_nothing_that_html_reads() -> None:
    assert not set(embedded("".join(map(chr, range(1, 0x2100))))) & set("<>&\u2028\u2029")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_names(name: str) -> None:
    builder = TimelineBuilder()
    track = builder.track(name, group=name)
    activity = Activity(name, name, (name,), ((name, name),))
    first, second = (builder.span(track, at, at + 1, builder.activity(activity)) for at in (0, 5))
    builder.flow(Flow(first, second, name=name))
    page = read(page_of(builder.build(name)))
    assert page.elements == ELEMENTS
    assert page.data["activities"][0]["notes"] == [[name, name]]
    assert page.data["flow_names"] == [name]


@given(timelines())
def test_spans_and_flows_come_back(made: Timeline) -> None:
    if not len(made):
        return
    found = figures(made)
    data = read(page_of(made)).data
    numbers = unpacked(data["spans"])
    rows, at, start = [], 0, 0
    for track in data["tracks"]:
        start = found.start
        for _ in range(track["spans"]):
            start += numbers[at]
            rows.append((start, start + numbers[at + 1], numbers[at + 2]))
            at += 3
    assert at == len(numbers)
    assert rows == list(zip(made.starts, made.ends, made.kinds, strict=True))
    packed_flows = unpacked(data["flows"])
    flows = [
        (signal, wait, Edge.END if edges & 1 else Edge.START, Edge.END if edges & 2 else Edge.START)
        for signal, wait, edges in zip(*(packed_flows[n::4] for n in range(3)), strict=True)
    ]
    expected = [(f.signal, f.wait, f.signal_edge, f.wait_edge) for f in made.flows]
    assert flows == expected


def test_tracks_that_were_not_chosen_are_not_in_the_page() -> None:
    made = timeline(
        {"one": [("a", 0, 5)], "two": [("b", 3, 9)], "three": [("c", 10, 12)]},
        [Flow(0, 1), Flow(1, 2)],
    )
    data = read(write_timeline_html(made, figures(made, [1, 2]))).data
    assert [track["name"] for track in data["tracks"]] == ["two", "three"]
    assert unpacked(data["spans"]) == [0, 6, 1, 7, 2, 2]
    assert unpacked(data["flows"]) == [0, 1, 1, 0]
    assert data["notes"] == ["1 wait edge from or to other tracks left out"]


@pytest.mark.parametrize(("length", "unit"), [(EXACT - 1, 1), (EXACT, COARSE), (1 << 62, COARSE)])
def test_long_timelines_are_coarser_and_say_so(length: int, unit: int) -> None:
    made = timeline({"one": [("a", 0, 1999), ("b", 1999, length)]})
    data = read(page_of(made)).data
    assert data["unit"] == unit
    assert data["window"] == length // unit < EXACT
    lengths = [1999 // unit, 1999 // unit, length // unit - 1999 // unit]
    numbers = unpacked(data["spans"])
    assert [numbers[1], numbers[3], numbers[4]] == lengths
    assert len(data["notes"]) == (unit == COARSE)


@given(st.lists(st.integers(0, 1 << 80)))
def test_packed_numbers_come_back(numbers: list[int]) -> None:
    assert unpacked(packed(numbers)) == numbers


def test_packed_numbers_are_those_that_the_script_s_test_reads() -> None:
    assert packed([0, 1, 127, 128, 300, (1 << 53) - 1]) == "AAF/gAGsAv////////8P"


def test_a_negative_number_cannot_be_packed() -> None:
    with pytest.raises(ValueError, match="-1 cannot be packed, expected 0 or more"):
        packed([3, -1])


@pytest.mark.parametrize("bundle", BUNDLES)
def test_the_policy_names_script_and_style_by_their_hashes(bundle: str) -> None:
    page = read(make_page(bundle, "t", "1", {}))  # type: ignore[arg-type]
    (policy,) = [
        attributes["content"] for attributes, _ in page.all("meta") if "http-equiv" in attributes
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    (_, style), (_, script) = page.all("style")[0], page.all("script")[1]
    assert rules["style-src"] == f"'sha256-{_hash(style)}'"
    assert rules["script-src"] == f"'sha256-{_hash(script)}'"
    assert set(rules) - {"style-src", "script-src"} == {
        *("default-src", "base-uri", "form-action", "img-src")
    }


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.mark.parametrize("bundle", BUNDLES)
def test_a_page_names_no_address(bundle: str) -> None:
    text = make_page(bundle, "t", "1", {}).decode()  # type: ignore[arg-type]
    found = set(re.findall(r"(?:https?|wss?|ftp):[^\"'\s)]*|url\((?!#)[^)]*\)|@import[^;]*", text))
    assert found - {"http://www.w3.org/2000/svg"} == set()


@pytest.mark.parametrize("bundle", BUNDLES)
def test_script_and_style_cannot_end_their_elements(bundle: str) -> None:
    page = read(make_page(bundle, "t", "1", {}))  # type: ignore[arg-type]
    for _, text in page.all("script") + page.all("style"):
        assert not re.search(r"</(script|style)|<!--", text, re.IGNORECASE)


def test_the_same_timeline_gives_the_same_bytes() -> None:
    rows = {"one": [("a", 0, 5)], "two": [("b", 3, 9)]}
    assert page_of(timeline(rows)) == page_of(timeline(rows))
    assert page_of(timeline(rows)) != page_of(timeline({"one": [("a", 0, 5)]}))


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("trace.json", "trace.json"),
        ("some/where/trace.json", "trace.json"),
        ("D:\\games\\x\\trace.json", "trace.json"),
        ("standard input", "standard input"),
        ("/", "/"),
    ],
)
def test_a_page_does_not_say_whose_directory_it_was(path: str, name: str) -> None:
    assert file_name(path) == name
