"""`fencepost check FILE...`: is it correctly synchronized, and what would mend it?"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import replace

from fencepost.cli.arguments import Parser, words
from fencepost.cli.inputs import (
    Input,
    Reading,
    printable,
    read_inputs,
    sources_of,
)
from fencepost.cli.output import check_target, style_of, write_output
from fencepost.cli.progress import progress
from fencepost.coherence import check, why
from fencepost.coherence.finding import Explanation, Kind, Report
from fencepost.errors import UsageProblem
from fencepost.machine.profiles import find_machine
from fencepost.machine.tables import Machine
from fencepost.report.result import Checked
from fencepost.report.source import Sources
from fencepost.report.suppress import parse_suppressions, suppress
from fencepost.report.why import holds
from fencepost.stream.program import Program, Suppression
from fencepost.stream.reading import decode, name_of, read_bytes
from fencepost.stream.repeat import repeat

EXAMPLES = """\
  fencepost check frame.fence
  fencepost check frame.fence --guarantees strict --fail-on hazard,unknown
  fencepost check *.fence --brief
  fencepost check frame.fence --why frame.fence:31
  fencepost check dump.txt --annotations dump.annotations --format sarif --output dump.sarif
  engine --print-frame | fencepost check - --frames 2 --format json"""
KINDS = tuple(kind.value for kind in Kind)
AT = re.compile(r"(?P<file>.*?):?(?P<at>0[xX][0-9a-fA-F]+|[0-9]+)")


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser(
        "check",
        "Report hazards, unknown accesses and waste of command streams.\n"
        "Exit code 0: none of the kinds asked for; 1: some; 2: unusable input or arguments.",
        EXAMPLES,
    )
    made.add_argument(
        "files", nargs="+", metavar="FILE", help="a stream or PM4 capture; - is standard input"
    )
    _add_judging(made)
    _add_accepting(made)
    _add_output(made)
    return made


def _add_judging(made: Parser) -> None:
    group = made.add_argument_group("what is judged")
    group.add_argument("--machine", default="", metavar="NAME", help="instead of the stream's own")
    group.add_argument(
        "--guarantees",
        choices=("documented", "strict"),
        default="",
        help="strict: without the guarantees that the sources state but do not explain",
    )
    group.add_argument(
        "--frames", type=int, default=1, metavar="N", help="repeat the stream as N frames"
    )
    group.add_argument(
        "--annotations", default="", metavar="FILE", help="names the shader accesses of a capture"
    )
    group.add_argument(
        "--why", default="", metavar="FILE:LINE", help="explain what makes that command right"
    )


def _add_accepting(made: Parser) -> None:
    group = made.add_argument_group("what is accepted")
    group.add_argument(
        "--fail-on",
        action=words(KINDS),
        default=frozenset({"hazard"}),
        metavar="KINDS",
        help="end with 1 for these: hazard,unknown,waste or none (default: hazard)",
    )
    group.add_argument(
        "--suppress", default="", metavar="FILE", help='lines of: rule file:line "reason"'
    )
    group.add_argument(
        "--baseline", default="", metavar="FILE", help="leave out what this JSON report has"
    )


def _add_output(made: Parser) -> None:
    group = made.add_argument_group("output")
    group.add_argument("--format", choices=("text", "json", "sarif"), default="text")
    group.add_argument("--brief", action="store_true", help="the headline and a line a finding")
    group.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    group.add_argument("--force", action="store_true", help="replace the output file")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(arguments: Sequence[str]) -> int:
    """Check, write one report over all inputs, return the exit code."""
    options = parser().parse_args(arguments)
    _require_sense(options)
    check_target(options.output, options.force)
    inputs = [_repeated(item, options.frames) for item in _read(options)]
    if options.why:
        return _explain(inputs, options)
    accepted, hidden = _accepted(options), _baseline(options)
    checked = [_check(item.program, options, accepted, hidden) for item in inputs]
    checked = _unmet_everywhere(checked, accepted)
    _write(_formatted(checked, sources_of(inputs), options), options)
    kinds = {finding.kind.value for item in checked for finding in item.report.findings}
    return int(bool(kinds & options.fail_on))


def _require_sense(options: argparse.Namespace) -> None:
    if options.machine:
        find_machine(options.machine)
    if options.why and options.format == "sarif":
        raise UsageProblem("--why has no SARIF form", expected="--format text or json")
    if options.brief and (options.why or options.format != "text"):
        raise UsageProblem("--brief is a form of the text report", expected="it without --why")


def _read(options: argparse.Namespace) -> list[Input]:
    with progress(f"reading {', '.join(map(printable, options.files[:3]))}"):
        return read_inputs(options.files, Reading(options.machine, options.annotations))


def _repeated(item: Input, frames: int) -> Input:
    return replace(item, program=repeat(item.program, frames))


def _accepted(options: argparse.Namespace) -> tuple[Suppression, ...]:
    if not options.suppress:
        return ()
    name = printable(options.suppress)
    return parse_suppressions(decode(read_bytes(options.suppress), name), name)


def _baseline(options: argparse.Namespace) -> frozenset[str]:
    if not options.baseline:
        return frozenset()
    from fencepost.report.baseline import parse_baseline  # noqa: PLC0415

    return parse_baseline(read_bytes(options.baseline), printable(options.baseline))


def _check(
    program: Program,
    options: argparse.Namespace,
    accepted: tuple[Suppression, ...],
    hidden: frozenset[str],
) -> Checked:
    machine = find_machine(program.machine)
    with progress(f"checking {program.file}"):
        report = check(program, machine, options.guarantees)
    with progress(f"looking for waste in {program.file}"):
        report, notes = _with_excess(report, machine)
    report, unused = suppress(report, (*program.suppressions, *accepted))
    if not hidden:
        return Checked(report, unused, notes=notes)
    from fencepost.report.baseline import hide  # noqa: PLC0415

    report, count = hide(report, hidden)
    return Checked(report, unused, count, notes=notes)


def _with_excess(report: Report, machine: Machine) -> tuple[Report, tuple[str, ...]]:
    """The report with the waste that a search finds; what comes first is no hazard."""
    if report.of(Kind.HAZARD):
        return report, ()
    from fencepost.plan.excess import add_excess  # noqa: PLC0415

    return add_excess(report, machine)


def _unmet_everywhere(checked: list[Checked], accepted: tuple[Suppression, ...]) -> list[Checked]:
    """A suppression of the list is unused only where no input met it; the last one says so."""
    unmet = {item for item in accepted if all(item in one.unused for one in checked)}
    last = len(checked) - 1
    return [
        replace(
            one,
            unused=tuple(
                item
                for item in one.unused
                if item not in accepted or (number == last and item in unmet)
            ),
        )
        for number, one in enumerate(checked)
    ]


def _formatted(checked: list[Checked], sources: Sources, options: argparse.Namespace) -> bytes:
    if options.format == "json":
        from fencepost.report.json_report import write_json  # noqa: PLC0415

        return write_json(checked)
    if options.format == "sarif":
        from fencepost.report.sarif import write_sarif  # noqa: PLC0415

        return write_sarif(checked, sources)
    style = style_of(options.color, options.output)
    if options.brief:
        from fencepost.report.brief import write_brief  # noqa: PLC0415

        return write_brief(checked, style).encode(style.encoding, "replace")
    from fencepost.report.text import write_text  # noqa: PLC0415

    return write_text(checked, sources, style).encode(style.encoding, "replace")


def _write(data: bytes, options: argparse.Namespace) -> None:
    write_output(data, options.output, options.force)


def _explain(inputs: list[Input], options: argparse.Namespace) -> int:
    """The answer to `--why`; 1 if some chain of that command is broken and hazards count."""
    program, found = explanations(inputs, options.why, options.guarantees)
    sources = sources_of(inputs)
    if options.format == "json":
        report = check(program, find_machine(program.machine), options.guarantees)
        data = _formatted([Checked(report, explanations=found)], sources, options)
    else:
        from fencepost.report.why import write_why  # noqa: PLC0415

        style = style_of(options.color, options.output)
        data = write_why(found, sources, style).encode(style.encoding, "replace")
    _write(data, options)
    broken = not all(holds(item) for item in found)
    return int(broken and Kind.HAZARD.value in options.fail_on)


def explanations(
    inputs: Sequence[Input], at: str, guarantees: str
) -> tuple[Program, tuple[Explanation, ...]]:
    """Why the command at `FILE:LINE` (or `FILE:0xOFFSET`) is right.

    `FILE` may be left out where there is one input. Raises `UsageProblem` where no command with
    accesses stands there.
    """
    match = AT.fullmatch(at)
    if not match:
        raise UsageProblem(f"--why {at}", expected="FILE:LINE, or FILE:0xOFFSET for a packet")
    program = _named(inputs, match["file"]).program
    offset = int(match["at"], 16) if match["at"][:2] in ("0x", "0X") else None
    machine = find_machine(program.machine)
    if offset is None:
        return program, why(program, machine, guarantees, program.file, int(match["at"]))
    lines = {
        command.place.line
        for queue in program.queues
        for command in queue.commands
        if command.place.offset == offset
    }
    found = [
        item
        for line in sorted(lines)
        for item in why(program, machine, guarantees, program.file, line)
        if item.later.place.offset == offset
    ]
    if not found:
        raise UsageProblem(f"no packet with accesses at {program.file}:{offset:#x}")
    return program, tuple(found)


def _named(inputs: Sequence[Input], file: str) -> Input:
    for item in inputs:
        if printable(name_of(file)) == item.program.file:
            return item
    if not file and len(inputs) == 1:
        return inputs[0]
    names = ", ".join(item.program.file for item in inputs)
    raise UsageProblem(f"--why names '{file}', which is not checked", expected=names)
