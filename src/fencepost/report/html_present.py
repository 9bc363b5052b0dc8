"""The page on presents (docs/pages.md)."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from fencepost._version import __version__
from fencepost.report.html_data import file_name
from fencepost.report.page import make_page
from fencepost.report.present_document import Document


class PresentData(Struct):
    """What the page's script reads: the JSON report, under a title."""

    page: str
    title: str
    tool: str
    document: Document


def write_present_html(document: Document) -> bytes:
    """Verdict and evidence, what-ifs side by side, state strips, frame times; UTF-8."""
    name = file_name(document.source.file)
    title = name or "simulated frames"
    source = msgspec.structs.replace(document.source, file=name)
    data = PresentData(
        page="present",
        title=title,
        tool=f"fencepost {__version__}",
        document=msgspec.structs.replace(document, source=source),
    )
    return make_page("present", f"{title} - fencepost present", __version__, data)
