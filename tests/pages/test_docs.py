"""docs/pages.md lists the keys, columns and policy that the pages have."""

from __future__ import annotations

import re

from fencepost.report.html_data import COARSE, EXACT, PageData, SimulationData
from fencepost.report.page import make_page
from tests.project.repository import ROOT, text_of

PAGE = text_of(ROOT / "docs" / "pages.md")


def test_every_key_is_listed_in_the_order_of_the_help() -> None:
    source = text_of(ROOT / "pages" / "src" / "timeline" / "keys.ts")
    helps = [text for text in re.findall(r'help: "([^"]*)"', source) if text]
    section = PAGE.split("| key | what |")[1].split("\n\n")[0]
    assert re.findall(r"\| ([^|]*) \|$", section, re.MULTILINE) == helps


def test_the_limit_of_arrows_is_the_script_s() -> None:
    source = text_of(ROOT / "pages" / "src" / "timeline" / "paint.ts")
    (arrows,) = re.findall(r"^const ARROWS = (\d+);", source, re.MULTILINE)
    assert f"More than {arrows} arrows" in PAGE


def test_packed_columns_and_the_coarser_unit_are_described() -> None:
    for record, names in ((PageData, ("spans", "flows")), (SimulationData, ("span_commands",))):
        assert set(names) <= set(record.__struct_fields__)
        assert [name for name in names if f"| `{name}` |" not in PAGE] == []
    assert EXACT == 2**53
    assert f"or {COARSE:,} where" in PAGE


def test_the_policy_is_as_strict_as_the_page_says() -> None:
    page = make_page("timeline", "t", "1", {}).decode()
    assert "default-src 'none'; script-src 'sha256-" in page
    assert "unsafe" not in page.split("</head>")[0]
