"""Why a command is right: the answer to `check --why FILE:LINE` as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fencepost.coherence.finding import Explanation
from fencepost.report.snippet import BETWEEN, EARLIER, LATER, Mark, answer, snippet
from fencepost.report.source import Sources
from fencepost.report.style import Style
from fencepost.report.words import where


def write_why(explanations: Iterable[Explanation], sources: Sources, style: Style) -> str:
    """One paragraph for each access of the command: what it depends on, and the chain."""
    paragraphs = ["\n".join(_explanation(item, sources, style)) for item in explanations]
    return "\n\n".join(paragraphs) + "\n"


def holds(explanation: Explanation) -> bool:
    """Whether every link of the chain does."""
    return all(link.holds for link in explanation.chain)


def _explanation(item: Explanation, sources: Sources, style: Style) -> Iterator[str]:
    verdict = style.paint("right", "good") if holds(item) else style.paint("WRONG", "hazard")
    what = style.clean(item.later.does or item.resource)
    yield f"{style.clean(str(item.later.place))}: {style.paint(what, 'strong')} is {verdict}"
    yield from snippet(_marks(item), sources, style)
    if not item.chain:
        yield "  = nothing earlier uses these bytes"
    for link in item.chain:
        by = f" [{where(link.by)}]" if link.by is not None else ""
        text = f"{'yes' if link.holds else 'NO'}, {link.text}{by}"
        yield from style.wrap(f"  = {link.question + ':':<11}", text)


def _marks(item: Explanation) -> list[Mark]:
    marks = [Mark(item.later, LATER, "this")]
    if item.earlier is not None:
        marks.append(Mark(item.earlier, EARLIER, "depends on this"))
    known = {(mark.spot.queue, mark.spot.position) for mark in marks}
    for link in item.chain:
        if link.by is not None and (link.by.queue, link.by.position) not in known:
            known.add((link.by.queue, link.by.position))
            marks.append(Mark(link.by, BETWEEN, answer(link)))
    return marks
