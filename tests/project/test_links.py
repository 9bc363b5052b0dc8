"""Every relative link of the Markdown pages leads to a tracked file, and to a heading in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.repository import ROOT, text_of, tracked_files

LINK = re.compile(
    r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)"  # [text](target "title")
    r"|^\[[^\]]+\]:\s+(\S+)",  # [name]: target
    re.MULTILINE,
)
BLOCK = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
EXTERNAL = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def links(text: str) -> Iterator[str]:
    """Targets of the links in a page that lead to another place of this repository."""
    for match in LINK.finditer(CODE.sub("", BLOCK.sub("", text))):
        target = match[1] or match[2]
        if not EXTERNAL.match(target):
            yield target


def anchors(text: str) -> set[str]:
    """The names that a page's headings are linked by."""
    titles = [match[1] for match in HEADING.finditer(BLOCK.sub("", text))]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken(page: Path, text: str, known: set[Path]) -> list[str]:
    """The links of `page` that lead nowhere."""
    return [link for link in links(text) if not _leads_somewhere(page, text, link, known)]


def _leads_somewhere(page: Path, text: str, link: str, known: set[Path]) -> bool:
    name, _, anchor = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if target not in known:
        return not anchor and any(target in path.parents for path in known)
    if not anchor or target.suffix != ".md":
        return not anchor
    return anchor in anchors(text if target == page else text_of(target))


def test_every_link_resolves() -> None:
    known = set(tracked_files())
    pages = sorted(path for path in known if path.suffix == ".md")
    assert pages
    assert [
        f"{page.relative_to(ROOT).as_posix()}: {link}"
        for page in pages
        for link in broken(page, text_of(page), known)
    ] == []


@pytest.fixture
def known(tmp_path: Path) -> set[Path]:
    other = tmp_path / "docs" / "other.md"
    other.parent.mkdir()
    other.write_text("# One: a `tool`\n\n```\n# not one\n```\n", encoding="utf-8", newline="\n")
    return {tmp_path / "page.md", other}


@pytest.mark.parametrize(
    "text",
    [
        "[a](docs/other.md) and ![b](docs/)",
        "[a](docs/other.md#one-a-tool)",
        "# Here I am\n[a](#here-i-am)",
        "[a](https://example.org/x.md) [b](mailto:a@example.org)",
        "`[a](nowhere.md)`\n```\n[a](nowhere.md)\n```\n",
        '[a]: docs/other.md\n[b](docs/other.md "title")',
    ],
)
def test_a_good_link_passes(tmp_path: Path, known: set[Path], text: str) -> None:
    assert broken(tmp_path / "page.md", text, known) == []


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[a](nowhere.md)", "nowhere.md"),
        ("[a](other.md)", "other.md"),
        ("[a](empty/)", "empty/"),
        ("[a](docs/other.md#not-one)", "docs/other.md#not-one"),
        ("[a](#nobody)", "#nobody"),
        ("[a]: nowhere.md", "nowhere.md"),
        ("```\nx\n```\n![a](nowhere.png)", "nowhere.png"),
    ],
)
def test_a_broken_link_is_named(tmp_path: Path, known: set[Path], text: str, link: str) -> None:
    assert broken(tmp_path / "page.md", text, known) == [link]
