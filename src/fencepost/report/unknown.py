"""What the input does not show, in few lines however many accesses there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fencepost.coherence.finding import Finding, Spot
from fencepost.report.style import Style
from fencepost.report.words import plural, title, where

PLACES = 8


def unknown_lines(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """A paragraph for each rule: commands of one name and access share a line."""
    for rule in dict.fromkeys(finding.rule for finding in findings):
        same = [finding for finding in findings if finding.rule == rule]
        head = f"unknown[{rule}]"
        counted = plural(len(same), "access was", "accesses were")
        text = style.paint(f": {title(rule)}; {counted} not checked", "strong")
        yield ""
        yield style.paint(head, "unknown") + text
        yield from _commands(same, style)
        missing = next((finding.missing for finding in same if finding.missing), "")
        if missing:
            yield from style.wrap("  = missing: ", missing)


def _commands(findings: Iterable[Finding], style: Style) -> Iterator[str]:
    alike: dict[tuple[str, str, str], list[Spot]] = {}
    for finding in findings:
        spot = finding.later
        alike.setdefault((spot.title, spot.does, spot.queue), []).append(spot)
    for (name, does, queue), spots in alike.items():
        what = f"{name}, {does}" if does else name
        shown = ", ".join(dict.fromkeys(where(spot) for spot in spots[:PLACES]))
        more = f" and {len(spots) - PLACES:,} more" if len(spots) > PLACES else ""
        times = f"{len(spots):,} x " if len(spots) > 1 else ""
        yield from style.wrap("  ", f"{times}{what} in queue {queue}: {shown}{more}")
