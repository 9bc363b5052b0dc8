"""`fencepost fmt FILE...`: lays `.fence` text out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import Form, for_each, form_of, printable
from fencepost.cli.output import write_file, write_output
from fencepost.errors import SyntaxProblem, UsageProblem
from fencepost.place import Place
from fencepost.stream.reading import STANDARD_INPUT, decode, name_of, read_bytes
from fencepost.stream.text import format_text

EXAMPLES = """\
  fencepost fmt frame.fence             print it laid out
  fencepost fmt --write *.fence         lay the files out
  fencepost fmt --check *.fence         name those that are not; exit code 1 if there are any"""


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser("fmt", "Lay .fence files out: indentation, columns, comments.", EXAMPLES)
    made.add_argument("files", nargs="+", metavar="FILE", help="a .fence file; - is stdin")
    how = made.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="change nothing, name what would change")
    how.add_argument("--write", action="store_true", help="change the files, whole or not at all")
    return made


def run(arguments: Sequence[str]) -> int:
    """Lay out what is asked for; 1 if `--check` finds a file that is not laid out."""
    options = parser().parse_args(arguments)
    _require_sense(options)
    files = for_each(options.files, _laid_out)
    changed = [(name, new) for name, old, new in files if old != new]
    if options.check:
        write_output("".join(f"{printable(name)}\n" for name, _ in changed).encode("utf-8"))
        return int(bool(changed))
    if options.write:
        for name, new in changed:
            write_file(Path(name), new, replace=True)
            print(f"fencepost: {printable(name)} laid out", file=sys.stderr)
        return 0
    write_output(b"".join(new for _, _, new in files))
    return 0


def _require_sense(options: argparse.Namespace) -> None:
    if options.write and STANDARD_INPUT in options.files:
        raise UsageProblem("standard input cannot be written", expected="files, or no --write")
    if len(options.files) > 1 and not (options.write or options.check):
        raise UsageProblem("several files", expected="one to print, or --write or --check")


def _laid_out(name: str) -> tuple[str, bytes, bytes]:
    """A file's name, its bytes, and what they should be."""
    file = printable(name_of(name))
    data = read_bytes(name)
    text = decode(data, file)
    form = form_of(text, name)
    if form is not Form.TEXT or not text.strip():
        what = f"is {form}, which has no layout" if text.strip() else "is empty"
        raise SyntaxProblem(what, Place(file, 0), ".fence text")
    return name, data, format_text(text, file).encode("utf-8")
