"""Tables of a page that a module makes, between `<!-- table NAME -->` and `<!-- end -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

BLOCK = re.compile(r"<!-- table (\w+) -->\n.*?<!-- end -->\n", re.DOTALL)

Tables = Mapping[str, Callable[[], Iterator[str]]]
"""The lines of each table, by its name."""


def renewed(text: str, tables: Tables, kept: frozenset[str] = frozenset()) -> str:
    """The text with every table made anew but those of `kept`; KeyError if one is unknown."""
    return BLOCK.sub(lambda match: match[0] if match[1] in kept else _block(match[1], tables), text)


def _block(name: str, tables: Tables) -> str:
    lines = ["", *tables[name](), ""]
    return "\n".join([f"<!-- table {name} -->", *lines, "<!-- end -->"]) + "\n"


def head(*columns: str) -> Iterator[str]:
    """The two lines above the rows of a table."""
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
