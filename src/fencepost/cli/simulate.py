"""`fencepost simulate FILE`: how long a stream takes, who waits for whom, what that costs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import Reading, printable, read_input
from fencepost.cli.output import check_target, style_of, write_output
from fencepost.cli.progress import progress
from fencepost.coherence import Kind, check
from fencepost.errors import UsageProblem
from fencepost.machine.profiles import find_machine
from fencepost.report.simulate_document import Document
from fencepost.report.simulate_json import to_document, write_simulation_json
from fencepost.report.simulate_result import Simulated
from fencepost.stream.program import Program
from fencepost.stream.repeat import repeat
from fencepost.timing import Options, simulate
from fencepost.timing.judging import judge
from fencepost.timing.parameters import Parameters
from fencepost.timing.sharing import RULES

EXAMPLES = """\
  fencepost simulate frame.fence
  fencepost simulate frame.fence --param 'memory rate=109000000000' --param launch=50
  fencepost simulate frame.fence --html frame.html
  fencepost simulate frame.fence --frames 3 --perfetto frame.pftrace
  fencepost simulate dump.txt --annotations dump.annotations --format json --output frame.json
  engine --print-frame | fencepost simulate -"""


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser(
        "simulate",
        "Say how long a stream takes, which engine stands for whom, and what of that is not\n"
        "hidden under other work.",
        EXAMPLES,
    )
    made.add_argument("file", metavar="FILE", help="a stream or PM4 capture; - is standard input")
    _add_running(made)
    _add_output(made)
    return made


def _add_running(made: Parser) -> None:
    group = made.add_argument_group("what is run")
    group.add_argument("--machine", default="", metavar="NAME", help="instead of the stream's own")
    group.add_argument(
        "--guarantees",
        choices=("documented", "strict"),
        default="",
        help="strict: no wait is for more than the sources explain",
    )
    group.add_argument(
        "--frames", type=int, default=1, metavar="N", help="repeat the stream as N frames"
    )
    group.add_argument(
        "--annotations", default="", metavar="FILE", help="names the shader accesses of a capture"
    )
    group.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set a constant of the machine (docs/calibration.md); may be repeated",
    )
    group.add_argument(
        "--sharing",
        choices=tuple(RULES),
        default=next(iter(RULES)),
        help="who gets what of a unit that several works want (fair-queues)",
    )
    group.add_argument(
        "--no-refills",
        action="store_true",
        help="works in flight bring nothing back into caches that are emptied under them",
    )


def _add_output(made: Parser) -> None:
    group = made.add_argument_group("output")
    group.add_argument("--format", choices=("text", "json"), default="text")
    group.add_argument(
        "--costs", type=int, default=10, metavar="N", help="show the N dearest commands (10)"
    )
    group.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    group.add_argument("--html", metavar="FILE", help="write the run as a page for a browser")
    group.add_argument("--perfetto", metavar="FILE", help="write the timeline for ui.perfetto.dev")
    group.add_argument("--chrome", metavar="FILE", help="write it as Chrome trace events")
    group.add_argument("--force", action="store_true", help="replace output files")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(arguments: Sequence[str]) -> int:
    """Write the report, and the files that are asked for; all of them or none."""
    options = parser().parse_args(arguments)
    _require_sense(options)
    with progress(f"reading {printable(options.file)}"):
        item = read_input(options.file, Reading(options.machine, options.annotations))
        program = repeat(item.program, options.frames)
    simulated = _simulated(program, options)
    with progress("making the outputs"):
        document = to_document(simulated)
        made = [*_files(document, options), (options.output, _report(document, options))]
    for path, data in made:
        write_output(data, path, options.force)
    return 0


def _require_sense(options: argparse.Namespace) -> None:
    """Raise where an argument makes no sense, or an output cannot be written."""
    if options.machine:
        find_machine(options.machine)
    if options.costs < 0:
        raise UsageProblem(f"--costs {options.costs}", expected="0 or more")
    names = [options.html, options.perfetto, options.chrome, options.output]
    paths = [str(Path(name).resolve()) for name in names if name not in (None, "-")]
    if len(set(paths)) < len(paths):
        raise UsageProblem("two outputs in one file", expected="a file for each")
    if "-" in names[:-1]:
        raise UsageProblem(
            "a page or trace cannot go to standard output", expected="the name of a file"
        )
    for name in names:
        check_target(name, options.force)


def _parameters(words: Sequence[str]) -> dict[str, int]:
    """The values of `--param`."""
    values: dict[str, int] = {}
    for word in words:
        name, equals, text = word.rpartition("=")
        number = text.replace("_", "").strip()
        if not equals or not name.strip() or not (number.isascii() and number.isdigit()):
            raise UsageProblem(f"--param {word}", expected="NAME=VALUE, a whole number")
        if len(number) > 20:
            raise UsageProblem(f"--param {word}", expected="a smaller number")
        if name.strip() in values:
            raise UsageProblem(f"--param {word}: '{name.strip()}' is set twice", expected="once")
        values[name.strip()] = int(number)
    return values


def _simulated(program: Program, options: argparse.Namespace) -> Simulated:
    machine = find_machine(program.machine)
    level = options.guarantees or program.guarantees or machine.guarantees
    how = Options(_parameters(options.param), not options.no_refills, options.sharing, level)
    parameters = Parameters(machine, how.parameters)
    with progress(f"simulating {program.file}"):
        timeline = simulate(program, how, machine)
    with progress(f"checking {program.file}"):
        checked = check(program, machine, level)
        hazards = judge(program, machine, timeline, checked.of(Kind.HAZARD))
    return Simulated(program, timeline, parameters, how, checked, tuple(hazards))


def _files(document: Document, options: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    """The files that are asked for, and what they hold."""
    if options.html is not None:
        from fencepost.report.html_simulation import write_simulation_html  # noqa: PLC0415

        yield options.html, write_simulation_html(document)
    yield from _traces(document, options)


def _traces(document: Document, options: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    """Those of them that are traces."""
    if options.perfetto is None and options.chrome is None:
        return
    from fencepost.report.simulate_tracks import to_timeline  # noqa: PLC0415

    timeline = to_timeline(document)
    if options.perfetto is not None:
        from fencepost.report.perfetto import write_perfetto  # noqa: PLC0415

        yield options.perfetto, write_perfetto(timeline)
    if options.chrome is not None:
        from fencepost.report.chrome import write_chrome  # noqa: PLC0415

        yield options.chrome, write_chrome(timeline)


def _report(document: Document, options: argparse.Namespace) -> bytes:
    if options.format == "json":
        return write_simulation_json(document)
    from fencepost.report.simulate_text import write_simulation  # noqa: PLC0415

    style = style_of(options.color, options.output)
    return write_simulation(document, style, options.costs).encode(style.encoding, "replace")
