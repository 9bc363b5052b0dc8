"""Picks the verb. Only that verb's module is imported: a start stays fast."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fencepost._kernels import missing
from fencepost._version import __version__
from fencepost.errors import FencepostError, FileProblem, Problems, UsageProblem

if TYPE_CHECKING:
    from types import ModuleType

VERBS = {
    "check": "report hazards, unknown accesses and waste",
    "plan": "print a stream with the cheapest synchronization",
    "fix": "mend a stream by the least addition",
    "explain": "say what a rule means and what mends it",
    "machine": "list the machines, or print the tables of one",
    "convert": "turn one form of a stream into another",
    "fmt": "lay .fence files out",
    "simulate": "say how long a stream takes, who stands for whom, what is not hidden",
    "timeline": "say how a measured timeline overlaps, idles and waits",
    "present": "say what limits a frame rate, and what other settings would do",
}
UNUSABLE = 2
INTERRUPTED = 130

HELP = """\
fencepost says whether a GPU command stream is correctly synchronized, and what would mend it.

examples:
  fencepost check frame.fence
  fencepost check dump.txt --annotations dump.annotations --format sarif --output dump.sarif
  fencepost fix frame.fence -o fixed.fence
  fencepost explain stale-cache-line
  fencepost machine xbox-one

usage: fencepost VERB ...

verbs:
{verbs}
options:
  -h, --help     show this text; `fencepost VERB --help` shows that of a verb
  --version      show the version

exit codes: 0 fine, 1 findings of the kinds asked for, 2 unusable input or arguments
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; returns 0 (fine), 1 (findings), 2 (unusable) or 130 (interrupted)."""
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except SystemExit as stop:  # argparse has printed what was asked for
        return stop.code if isinstance(stop.code, int) else 0
    except FencepostError as error:
        _complain(error)
    except BrokenPipeError:
        from fencepost.cli.output import forget_stdout  # noqa: PLC0415

        forget_stdout()
        return 0
    except OSError as error:
        _complain(FileProblem(f"{error.filename or 'input or output'}: {error.strerror or error}"))
    except KeyboardInterrupt:
        print("fencepost: interrupted", file=sys.stderr)
        return INTERRUPTED
    return UNUSABLE


def _run(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help", "help"):
        text = "".join(f"  {verb:<14} {purpose}\n" for verb, purpose in VERBS.items())
        print(HELP.format(verbs=text), end="", flush=True)
        return 0 if words else UNUSABLE
    if words[0] == "--version":
        print(f"fencepost {__version__}{_slower()}", flush=True)
        return 0
    code: int = _verb(words[0]).run(words[1:])
    return code


def _slower() -> str:
    """A second line where the kernels are not compiled."""
    if not missing():
        return ""
    why = "no C compiler did its work at the installation"
    return f"\nkernels are interpreted, which is slower: {why}"


def _verb(name: str) -> ModuleType:
    if name in VERBS:
        return importlib.import_module(f"fencepost.cli.{name}")
    from fencepost.stream.words import hint  # noqa: PLC0415

    what = "option" if name.startswith("-") else "verb"
    raise UsageProblem(f"no {what} '{name}'{hint(name, VERBS)}", expected=f"{', '.join(VERBS)}")


def _complain(error: FencepostError) -> None:
    """One line for each problem on standard error."""
    from fencepost.report.style import Style  # noqa: PLC0415

    problems: Iterable[FencepostError] = error.problems if isinstance(error, Problems) else (error,)
    for problem in problems:
        print(f"fencepost: error: {Style().clean(str(problem))}", file=sys.stderr)
