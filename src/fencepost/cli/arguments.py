"""Argument parsers of the verbs: examples first, and errors that are raised, not printed."""

from __future__ import annotations

import argparse
from typing import NoReturn

from fencepost.errors import UsageProblem


class Parser(argparse.ArgumentParser):
    """The parser of a verb."""

    def __init__(self, verb: str, purpose: str, examples: str) -> None:
        super().__init__(
            prog=f"fencepost {verb}",
            allow_abbrev=False,
            add_help=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.opening = f"{purpose}\n\nexamples:\n{examples}\n"
        self.add_argument("-h", "--help", action="help", help="show this text")

    def format_help(self) -> str:
        """Purpose and examples, then how each argument is used."""
        return f"{self.opening}\n{super().format_help()}"

    def error(self, message: str) -> NoReturn:
        """Raise `UsageProblem` instead of leaving."""
        raise UsageProblem(message, expected=f"what `{self.prog} --help` shows")


def words(allowed: tuple[str, ...]) -> type[argparse.Action]:
    """An option that takes a comma-separated list of `allowed` words, or `none`."""

    class Words(argparse.Action):
        def __call__(
            self,
            parser: argparse.ArgumentParser,
            namespace: argparse.Namespace,
            values: object,
            option_string: str | None = None,
        ) -> None:
            named = [word.strip() for word in str(values).split(",") if word.strip()]
            wrong = [word for word in named if word not in (*allowed, "none")]
            if wrong or not named:
                bad = wrong[0] if wrong else ""
                parser.error(f"{option_string}: '{bad}' is none of {', '.join(allowed)}, none")
            setattr(namespace, self.dest, frozenset(named) - {"none"})

    return Words
