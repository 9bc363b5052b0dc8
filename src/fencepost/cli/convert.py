"""`fencepost convert IN`: from one form of a stream to another."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import PurePath

from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import Form, Reading, printable, read_input
from fencepost.cli.output import check_target, write_output
from fencepost.cli.progress import progress
from fencepost.errors import UsageProblem
from fencepost.stream.program import Program

EXAMPLES = """\
  fencepost convert frame.jsonl -o frame.fence
  fencepost convert frame.fence --to jsonl
  fencepost convert dump.txt --annotations dump.annotations --to text"""
SUFFIXES = {".fence": Form.TEXT, ".jsonl": Form.JSONL}


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser("convert", "Turn one form of a stream into another.", EXAMPLES)
    made.add_argument("input", metavar="IN", help=".fence text, JSON Lines or PM4; - is stdin")
    made.add_argument("-o", "--output", metavar="OUT", help="write there, not to standard output")
    made.add_argument(
        "--to", choices=("text", "jsonl"), help="which form (default: what OUT's suffix says)"
    )
    made.add_argument("--machine", default="", metavar="NAME", help="instead of the stream's own")
    made.add_argument(
        "--annotations", default="", metavar="FILE", help="names the shader accesses of a capture"
    )
    made.add_argument("--force", action="store_true", help="replace OUT")
    return made


def run(arguments: Sequence[str]) -> int:
    """Read, write; raises `FencepostError` for what cannot be read or said in that form."""
    options = parser().parse_args(arguments)
    form = _form(options)
    check_target(options.output, options.force)
    with progress(f"converting {printable(options.input)}"):
        item = read_input(options.input, Reading(options.machine, options.annotations))
        text = WRITERS[form](item.program)
    write_output(text.encode("utf-8"), options.output, options.force)
    return 0


def _form(options: argparse.Namespace) -> Form:
    if options.to:
        return Form(options.to)
    suffix = PurePath(options.output or "").suffix.lower()
    if suffix not in SUFFIXES:
        raise UsageProblem("no form to convert to", expected="--to text or --to jsonl")
    return SUFFIXES[suffix]


def _to_text(program: Program) -> str:
    from fencepost.stream.text import format_program  # noqa: PLC0415

    return format_program(program)


def _to_jsonl(program: Program) -> str:
    from fencepost.stream.jsonl import write_jsonl  # noqa: PLC0415

    return write_jsonl(program)


WRITERS = {Form.TEXT: _to_text, Form.JSONL: _to_jsonl}
