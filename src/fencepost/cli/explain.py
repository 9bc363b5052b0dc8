"""`fencepost explain [RULE]`: what a rule means, what mends it, where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.cli.arguments import Parser
from fencepost.cli.output import style_of, write_output
from fencepost.coherence.rules import BY_ID, Rule
from fencepost.errors import UsageProblem
from fencepost.report.rule_text import rule_list, rule_page, rule_text
from fencepost.stream.words import hint

EXAMPLES = """\
  fencepost explain                     list every rule
  fencepost explain stale-cache-line    say what this one means"""


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser("explain", "Say what a rule means and what mends it.", EXAMPLES)
    made.add_argument("rules", nargs="*", metavar="RULE", help="a rule id; none: list them all")
    made.add_argument(
        "--markdown", action="store_true", help="print all rules as the page docs/rules.md"
    )
    made.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    return made


def run(words: Sequence[str]) -> int:
    """Print what is asked for; raises `UsageProblem` for a rule that does not exist."""
    arguments = parser().parse_args(words)
    style = style_of(arguments.color, None)
    if arguments.markdown:
        text = rule_page()
    elif arguments.rules:
        text = "\n".join([rule_text(_find(name), style) for name in arguments.rules])
    else:
        text = rule_list(style)
    write_output(text.encode(style.encoding, "backslashreplace"))
    return 0


def _find(name: str) -> Rule:
    if name in BY_ID:
        return BY_ID[name]
    known = "one that `fencepost explain` lists"
    raise UsageProblem(f"no rule '{name}'{hint(name, BY_ID)}", expected=known)
