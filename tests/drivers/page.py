"""Writes the tables of docs/drivers.md: `python -m tests.drivers.page` renews them in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.drivers.costs import DRIVERS, cost_rows
from tests.drivers.forms import CASES, transitions
from tests.drivers.judge import CLEAN
from tests.drivers.spare import spared
from tests.drivers.verdicts import FOUND, UNMAPPED, Found
from tests.drivers.vulkan import EVENTS, FIRST, SECOND, Scope
from tests.project.repository import ROOT
from tests.project.tables import head, renewed

PAGE = ROOT / "docs" / "drivers.md"


def page(text: str, kept: frozenset[str] = frozenset()) -> str:
    """The text with every table made anew but those of `kept`; KeyError if one is unknown."""
    return renewed(text, TABLES, kept)


def _code(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words) or "-"


# -- rows of packets


def _short(lines: tuple[str, ...]) -> str:
    """Works without the resource that is the same in all of them."""
    return _code(tuple(re.sub(r" (other from )?[bcd]\b", "", line) for line in lines))


def _words(words: dict[str, Scope]) -> Iterator[str]:
    for word, scope in words.items():
        if word:
            yield f"| {word} | {_short(scope.accesses)} | {', '.join(scope.stages) or '-'} |"


def first_scopes() -> Iterator[str]:
    """The producers of each word."""
    yield from head("source", "producers", "reads of these stages are waited for")
    yield from _words(FIRST)
    yield from _words({f"event, {word}": scope for word, scope in EVENTS.items()})


def second_scopes() -> Iterator[str]:
    """The consumers of each word."""
    yield from head("destination", "consumers", "writes of these stages wait")
    yield from _words(SECOND)


def found() -> Iterator[str]:
    """What is found in the rows."""
    yield from head("rows", "producer", "consumer", "hazard", "see")
    for row in FOUND:
        words = f"{', '.join(row.sources)} -> {', '.join(row.destinations)}"
        hazard = f"{row.hazard}{', with old lines' if row.old else ''}"
        anchor = row.why.lower().replace(" ", "-")
        link = f"[{row.why}](#{anchor})"
        yield f"| {words} | {_short(row.producers)} | {_consumers(row)} | {hazard} | {link} |"


def _consumers(row: Found) -> str:
    if row.consumers:
        return _short(row.consumers)
    return "all"


def unmapped() -> Iterator[str]:
    """Rows without works, and why."""
    yield from head("kind", "source", "destination", "why not")
    for row in UNMAPPED:
        destination = row.destination or "-"
        yield f"| {row.kind} | {row.source} | {destination} | {row.reason} |"


# -- transitions


def verdicts() -> Iterator[str]:
    """The verdict of every form."""
    yield from head("transition", "form", *(f"{case.machine}, {case.use}" for case in CASES))
    for transition in transitions():
        for form in transition.forms:
            cells = [*form.verdicts, *["-"] * (len(CASES) - len(form.verdicts))]
            yield f"| {transition.header['title']} | {form.title} | {' | '.join(cells)} |"


def spare() -> Iterator[str]:
    """What each form that is clean at reuse can do without."""
    yield from head("transition", "form", "can go, one at a time")
    for transition in transitions():
        for form in transition.forms:
            if form.verdicts[1] == CLEAN:
                pieces = ", ".join(spared(transition, form)) or "nothing"
                yield f"| {transition.header['title']} | {form.title} | {pieces} |"


def costs() -> Iterator[str]:
    """Cycles of the plan and of each driver, with the ratio."""
    yield from head("transition", "plan", *DRIVERS)
    for row in cost_rows():
        cells = [
            f"{row.forms[driver]} ({row.ratio(driver)})" if driver in row.forms else "-"
            for driver in DRIVERS
        ]
        yield f"| {row.transition} | {row.planned} | {' | '.join(cells)} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    table.__name__: table
    for table in (first_scopes, second_scopes, found, unmapped, verdicts, spare, costs)
}


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
