"""Reads a page back without a browser, by Python's own HTML parser."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

ELEMENTS = [
    *("html", "head", "meta", "meta", "meta", "meta", "meta", "link", "title", "style"),
    *("body", "div", "noscript", "p", "script", "script"),
]
"""Every element of a page, in order, whatever its data are."""


@dataclass
class Page(HTMLParser):
    """The elements of a page, and the text of those that hold some."""

    elements: list[str] = field(default_factory=list)
    attributes: list[dict[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    within: bool = False

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.attributes.append({name: value or "" for name, value in attrs})
        self.texts.append("")
        self.within = True

    def handle_endtag(self, tag: str) -> None:
        assert tag in self.elements
        self.within = False

    def handle_data(self, data: str) -> None:
        if self.within:
            self.texts[-1] += data

    def all(self, element: str) -> list[tuple[dict[str, str], str]]:
        """Attributes and text of each element of a name."""
        rows = zip(self.elements, self.attributes, self.texts, strict=True)
        return [(attributes, text) for name, attributes, text in rows if name == element]

    @property
    def data(self) -> Any:  # noqa: ANN401
        """What the script is to show."""
        return json.loads(self.all("script")[0][1])


def read(page: bytes) -> Page:
    """The page as a parser sees it."""
    made = Page()
    made.feed(page.decode("utf-8"))
    made.close()
    return made


def unpacked(text: str) -> list[int]:
    """The numbers that `fencepost.report.page.packed` has packed."""
    numbers, value, shift = [], 0, 0
    for byte in base64.b64decode(text):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value)
            value = shift = 0
    assert not shift
    return numbers
