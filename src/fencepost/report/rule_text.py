"""The rule table as people read it: `fencepost explain` and docs/rules.md."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.coherence.finding import Kind
from fencepost.coherence.rules import RULES, Rule
from fencepost.report.style import Style

LISTS = {
    Kind.HAZARD: "some allowed execution goes wrong",
    Kind.UNKNOWN: "the input does not show enough to tell",
    Kind.WASTE: "right, but redundant or heavier than needed",
}


def rule_list(style: Style) -> str:
    """Every rule with its title, by list."""
    width = max(len(rule.id) for rule in RULES)
    lines: list[str] = []
    for kind, meaning in LISTS.items():
        lines.append(f"{style.paint(kind.value, kind.value)}: {meaning}")
        lines += [f"  {rule.id:<{width}}  {rule.title}" for rule in RULES if rule.kind is kind]
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def rule_text(rule: Rule, style: Style) -> str:
    """One rule: what it means, what mends it, where it comes from."""
    head = f"{style.paint(f'{rule.kind.value}[{rule.id}]', rule.kind.value)}"
    return "\n".join(
        (
            f"{head}: {style.paint(rule.title, 'strong')}",
            "",
            *style.wrap("  ", rule.meaning),
            "",
            *style.wrap("  what mends it: ", rule.mend),
            *style.wrap("  source:        ", rule.source),
            "",
        )
    )


def rule_page() -> str:
    """docs/rules.md."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Rules"
    yield ""
    yield "Every rule that a finding can name. `fencepost explain --markdown` makes this page from"
    yield "the rule table (`src/fencepost/coherence/rules.py`); `fencepost explain RULE` prints one"
    yield "rule. An id, once published, keeps its meaning."
    for kind, meaning in LISTS.items():
        yield ""
        yield f"## {kind.value.capitalize()}"
        yield ""
        yield f"{meaning[0].upper()}{meaning[1:]}."
        for rule in RULES:
            if rule.kind is kind:
                yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[str]:
    yield ""
    yield f"### {rule.id}"
    yield ""
    yield f"{rule.title[0].upper()}{rule.title[1:]}."
    yield ""
    yield rule.meaning
    yield ""
    yield f"- What mends it: {rule.mend}"
    yield f"- Source: {rule.source}"
