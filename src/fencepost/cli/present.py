"""`fencepost present CAPTURE`: what limits a frame rate, and what other settings would do."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from fencepost.cli.arguments import Parser, words
from fencepost.cli.inputs import printable
from fencepost.cli.output import check_target, style_of, write_output
from fencepost.cli.progress import progress
from fencepost.errors import UsageProblem
from fencepost.present.analysis import Analysis, analyse_capture, analyse_simulation
from fencepost.present.captures.table import Capture, Chain
from fencepost.present.causes import Verdict
from fencepost.present.whatif import WhatIf, parse_what_if
from fencepost.present.words import words_of
from fencepost.stream.reading import decode, read_bytes

EXAMPLES = """\
  fencepost present presentmon.csv
  fencepost present presentmon.csv --what-if buffers=3 --what-if bind=late latency=1
  fencepost present presentmon.csv --html report.html
  fencepost present game.json --chain 'Game.exe *' --format json --output game-report.json
  fencepost present --simulate cpu=16.2 gpu=15.4 buffers=2 bind=early --what-if buffers=3
  fencepost present --simulate cpu='normal(12,1)' gpu=15 interval=2 refresh=120 frames=2000
  fencepost present --simulate @examples/present/figures/figure-2.txt
  fencepost present presentmon.csv --fail-on gpu-bound,cpu-bound"""
SHOWN = 12
"""Chains that a message lists."""

VERDICTS = tuple(verdict.value for verdict in Verdict)


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser(
        "present",
        "Say what limits a frame rate: GPU, CPU, the presentation queue, a cap or a compositor;\n"
        "and what other settings would do to the same frames.",
        EXAMPLES,
    )
    made.add_argument(
        "capture",
        metavar="CAPTURE",
        nargs="?",
        help="of PresentMon, CapFrameX, FrameView, OCAT or MangoHud; - is standard input",
    )
    _add_playing(made)
    _add_judging(made)
    _add_output(made)
    return made


def _add_playing(made: Parser) -> None:
    group = made.add_argument_group("what is played (docs/present.md lists the settings)")
    group.add_argument(
        "--simulate",
        nargs="+",
        metavar="WORD",
        help="no capture: cpu=MS gpu=MS, or distributions like normal(16,1), and settings; "
        "@FILE stands for the words of a file",
    )
    group.add_argument(
        "--what-if",
        nargs="+",
        action="append",
        default=[],
        metavar="WORD",
        help="play the same frames with these changes, buffers=3 or gpu=80%%; may be repeated",
    )
    group.add_argument(
        "--own",
        nargs="+",
        default=[],
        metavar="WORD",
        help="settings of the capture that it does not say, such as refresh=144 buffers=2",
    )
    group.add_argument(
        "--replay", action="store_true", help="play the capture again, to see how near that comes"
    )


def _add_judging(made: Parser) -> None:
    group = made.add_argument_group("what is looked at")
    group.add_argument(
        "--chain",
        action="append",
        default=[],
        metavar="NAME",
        help="only swap chains whose line under 'swap chain' is NAME, * and ? match; may be "
        "repeated; the one with most frames is shown in full",
    )
    group.add_argument(
        "--fail-on",
        action=words(VERDICTS),
        default=frozenset(),
        metavar="VERDICTS",
        help=f"exit code 1 where a chain is one of: {', '.join(VERDICTS)} (none)",
    )


def _add_output(made: Parser) -> None:
    group = made.add_argument_group("output")
    group.add_argument("--format", choices=("text", "json"), default="text")
    group.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    group.add_argument("--html", metavar="FILE", help="write the report as a page for a browser")
    group.add_argument(
        "--table",
        metavar="FILE",
        help="write the presents of these chains as one table in picoseconds, without what else is "
        "in the capture: .csv, .jsonl or .parquet",
    )
    group.add_argument("--force", action="store_true", help="replace output files")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(arguments: Sequence[str]) -> int:
    """Write the report, and the page if asked for; 1 where a chain has a verdict of `--fail-on`."""
    options = parser().parse_args(arguments)
    _require_one_source(options)
    _require_targets(options)
    what_ifs = [parse_what_if(_spread_out(group)) for group in options.what_if]
    tables: list[tuple[str, bytes]] = []
    if options.simulate:
        with progress("simulating"):
            analysis = analyse_simulation(_spread_out(options.simulate), what_ifs)
    else:
        analysis = _analysed(options, what_ifs, tables)
    with progress("making the report"):
        made = [*tables, *_page(analysis, options), (options.output, _report(analysis, options))]
    for path, data in made:
        write_output(data, path, options.force)
    found = {item.diagnosis.cause.verdict.value for item in analysis.chains}
    return 1 if found & options.fail_on else 0


def _require_one_source(options: argparse.Namespace) -> None:
    """Raise unless there is a capture or a simulation, and nothing that belongs to the other."""
    if (options.capture is None) == (options.simulate is None):
        what = "no capture" if options.capture is None else "a capture and --simulate"
        swallowed = [word for group in (*options.what_if, options.own) for word in group]
        file = next((word for word in swallowed if Path(word).is_file()), "")
        if file and options.capture is None:
            raise UsageProblem(
                f"no capture: {file} stands among settings", expected="the capture in front of them"
            )
        raise UsageProblem(what, expected="CAPTURE, or --simulate cpu=MS gpu=MS ...")
    if options.simulate and (options.own or options.replay or options.chain or options.table):
        raise UsageProblem(
            "--own, --replay, --chain and --table are about a capture",
            expected="none of them with --simulate",
        )


def _require_targets(options: argparse.Namespace) -> None:
    """Raise where an output cannot be written, or two are one file."""
    names = [options.html, options.table, options.output]
    paths = [str(Path(name).resolve()) for name in names if name not in (None, "-")]
    if len(set(paths)) < len(paths):
        raise UsageProblem("two outputs in one file", expected="a file for each")
    if options.html == "-":
        raise UsageProblem("a page cannot go to standard output", expected="the name of a file")
    if options.table is not None:
        from fencepost.present.captures.writing import form_of_name  # noqa: PLC0415

        form_of_name(options.table)
    for name in names:
        check_target(name, options.force)


def _spread_out(given: Sequence[str]) -> list[str]:
    """The words, those of a file in place of `@FILE`; raises `FileProblem`."""
    found: list[str] = []
    for word in given:
        name = word[1:]
        found += words_of(decode(read_bytes(name), name)) if word.startswith("@") else [word]
    return found


def _analysed(
    options: argparse.Namespace, what_ifs: Sequence[WhatIf], tables: list[tuple[str, bytes]]
) -> Analysis:
    """What is said of a capture; `tables` gets the table that is asked for."""
    from fencepost.present.captures import read  # noqa: PLC0415

    own = _spread_out(options.own)
    with progress(f"reading {printable(options.capture)}"):
        capture = read(options.capture)
    with progress("looking for what limits it"):
        chains = _chosen(capture, options.chain)
        analysis = analyse_capture(capture, chains, what_ifs, own, options.replay)
    if options.table is not None:
        from fencepost.present.captures.writing import FORMATS, form_of_name  # noqa: PLC0415

        with progress("making the table"):
            write = FORMATS[form_of_name(options.table)]
            tables.append((options.table, write(replace(capture, chains=tuple(chains)))))
    return analysis


def _chosen(capture: Capture, patterns: Sequence[str]) -> list[Chain]:
    """The chains that `--chain` names, by label or application; all without it."""
    if not patterns:
        return list(capture.chains)
    chosen: list[Chain] = []
    for pattern in patterns:
        found = [
            chain
            for chain in capture.chains
            if fnmatchcase(chain.label, pattern) or fnmatchcase(chain.application, pattern)
        ]
        if not found:
            labels = [chain.label for chain in capture.chains]
            more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
            raise UsageProblem(
                f"no swap chain '{pattern}'", expected=", ".join(labels[:SHOWN]) + more
            )
        chosen += [chain for chain in found if chain not in chosen]
    return chosen


def _page(analysis: Analysis, options: argparse.Namespace) -> Iterator[tuple[str, bytes]]:
    """The page, if it is asked for, and its file."""
    if options.html is not None:
        from fencepost.report.html_present import write_present_html  # noqa: PLC0415
        from fencepost.report.present_json import to_document  # noqa: PLC0415

        yield options.html, write_present_html(to_document(analysis))


def _report(analysis: Analysis, options: argparse.Namespace) -> bytes:
    if options.format == "json":
        from fencepost.report.present_json import write_present_json  # noqa: PLC0415

        return write_present_json(analysis)
    from fencepost.report.present_text import write_present  # noqa: PLC0415

    style = style_of(options.color, options.output)
    return write_present(analysis, style).encode(style.encoding, "replace")
