"""`fencepost timeline FILE`: how a measured timeline overlaps, idles and waits."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from fencepost.capture.traces import load_trace
from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import printable
from fencepost.cli.output import check_target, style_of, write_output
from fencepost.cli.progress import progress
from fencepost.errors import UsageProblem
from fencepost.timeline import Figures, Timeline, figures
from fencepost.timeline.times import parse_time

EXAMPLES = """\
  fencepost timeline trace.json.gz
  fencepost timeline passes.csv --gaps 20
  fencepost timeline trace.json --track 'device 0 *' --format json --output figures.json
  fencepost timeline trace.json.gz --html timeline.html
  fencepost timeline trace.json.gz --perfetto trace.pftrace
  profiler --csv | fencepost timeline - --chrome trace.json"""
SHOWN = 12
"""Tracks that a message lists."""


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser(
        "timeline",
        "Say how the queues of a measured timeline overlap, idle and wait for each other.",
        EXAMPLES,
    )
    made.add_argument(
        "file",
        metavar="FILE",
        help="Chrome trace events (plain or gzip) or CSV queue,name,start,duration; "
        "- is standard input",
    )
    _add_judging(made)
    _add_output(made)
    return made


def _add_judging(made: Parser) -> None:
    group = made.add_argument_group("what is looked at")
    group.add_argument(
        "--track",
        action="append",
        default=[],
        metavar="NAME",
        help="only tracks of this name, * and ? match; may be repeated",
    )
    group.add_argument(
        "--gaps", type=int, default=10, metavar="N", help="show the N longest bubbles (10)"
    )
    group.add_argument(
        "--tolerance",
        default="0ps",
        metavar="TIME",
        help="take overlaps on one track up to this, like 1us, for rounding (0ps)",
    )


def _add_output(made: Parser) -> None:
    group = made.add_argument_group("output")
    group.add_argument("--format", choices=("text", "json"), default="text")
    group.add_argument("--output", metavar="FILE", help="write there instead of standard output")
    group.add_argument("--html", metavar="FILE", help="write it as a page for a browser")
    group.add_argument("--perfetto", metavar="FILE", help="write the timeline for ui.perfetto.dev")
    group.add_argument("--chrome", metavar="FILE", help="write it as Chrome trace events")
    group.add_argument("--force", action="store_true", help="replace output files")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto")


def run(arguments: Sequence[str]) -> int:
    """Write the figures, and the files that are asked for; all of them or none."""
    options = parser().parse_args(arguments)
    _require_targets(options)
    tolerance = parse_time(options.tolerance)
    if tolerance is None:
        raise UsageProblem(f"--tolerance {options.tolerance}", expected="a time like 1us")
    if options.gaps < 0:
        raise UsageProblem(f"--gaps {options.gaps}", expected="0 or more")
    with progress(f"reading {printable(options.file)}"):
        timeline = load_trace(options.file, tolerance)
    with progress("looking for overlap and bubbles"):
        found = figures(timeline, _chosen(timeline, options.track), options.gaps)
    with progress("making the outputs"):
        files = _files(timeline, found, options)
        made = [*files, (options.output, _report(timeline, found, options))]
    for path, data in made:
        write_output(data, path, options.force)
    return 0


def _require_targets(options: argparse.Namespace) -> None:
    """Raise where an output cannot be written, or two of them are one file."""
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


def _chosen(timeline: Timeline, patterns: Sequence[str]) -> list[int] | None:
    """The tracks that `--track` names, by name or by group and name; None for all."""
    if not patterns:
        return None
    chosen: set[int] = set()
    for pattern in patterns:
        found = {
            at
            for at, track in enumerate(timeline.tracks)
            if fnmatchcase(track.label, pattern) or fnmatchcase(track.name, pattern)
        }
        if not found:
            labels = [track.label for track in timeline.tracks]
            more = f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else ""
            raise UsageProblem(f"no track '{pattern}'", expected=", ".join(labels[:SHOWN]) + more)
        chosen |= found
    return sorted(chosen)


def _files(
    timeline: Timeline, found: Figures, options: argparse.Namespace
) -> Iterator[tuple[str, bytes]]:
    """The files that are asked for, and what they hold."""
    if options.html is not None:
        from fencepost.report.html_timeline import write_timeline_html  # noqa: PLC0415

        yield options.html, write_timeline_html(timeline, found)
    if options.perfetto is not None:
        from fencepost.report.perfetto import write_perfetto  # noqa: PLC0415

        yield options.perfetto, write_perfetto(timeline)
    if options.chrome is not None:
        from fencepost.report.chrome import write_chrome  # noqa: PLC0415

        yield options.chrome, write_chrome(timeline)


def _report(timeline: Timeline, found: Figures, options: argparse.Namespace) -> bytes:
    if options.format == "json":
        from fencepost.report.timeline_json import write_timeline_json  # noqa: PLC0415

        return write_timeline_json(timeline, found)
    from fencepost.report.timeline_text import write_timeline  # noqa: PLC0415

    style = style_of(options.color, options.output)
    return write_timeline(timeline, found, style).encode(style.encoding, "replace")
