"""Self-contained HTML pages: the built script and style of a page, with its data (docs/pages.md).

What is in this directory beside this file is built from `pages/`; a test builds it again.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Literal

import msgspec

PageName = Literal["timeline", "present"]

_HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="fencepost {version}">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="app"><noscript><p>This page needs JavaScript, which is off here.</p></noscript></div>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""
_ESCAPES = {
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def make_page(name: PageName, title: str, version: str, data: object) -> bytes:
    """A page that loads nothing: `data`, which msgspec can write as JSON, for the script `name`.

    Its policy allows this script and this style alone, by their hashes, and no request at all.
    """
    script, style = _part(f"{name}.js"), _part(f"{name}.css")
    filled = _HEAD.format(
        policy=_policy(script, style),
        version=html.escape(version),
        title=html.escape(_single_line(title)),
        style=style,
        data=embedded(data),
        script=script,
    )
    return filled.encode("utf-8", "replace")


def embedded(data: object) -> str:
    """JSON that can stand in a script element: nothing in it ends the element or opens another."""
    try:
        text = msgspec.json.encode(data).decode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can say but UTF-8 cannot
        text = json.dumps(msgspec.to_builtins(data), separators=(",", ":"))
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return text


def packed(numbers: Iterable[int]) -> str:
    """Whole numbers from 0 as base64 of base 128, low digits first; a set top bit: more follow.

    Raises `ValueError` for a negative number.
    """
    out = bytearray()
    for number in numbers:
        if number < 0:
            raise ValueError(f"{number} cannot be packed, expected 0 or more")
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return base64.b64encode(out).decode("ascii")


def _part(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'sha256-{_hash(script)}'",
            f"style-src 'sha256-{_hash(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _single_line(text: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in text)
