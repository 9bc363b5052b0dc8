"""`fencepost fix FILE`: the least synchronization to add to a stream."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.cli import planned as common
from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import Form, Input
from fencepost.plan.planning import mend
from fencepost.report.plan_result import Planned
from fencepost.report.plan_stream import changed_text, listing
from fencepost.report.plan_text import comments

EXAMPLES = """\
  fencepost fix frame.fence                      print it with what is missing
  fencepost fix frame.fence -o fixed.fence --explain
  fencepost fix frame.fence --fastest            by simulated time, not by cycles
  engine --print-frame | fencepost fix - --format json"""


def parser() -> Parser:
    """The arguments of this verb."""
    return common.parser(
        "fix",
        "Mend a stream by the least addition to the synchronization that it has. Comments and\n"
        "layout of .fence text stay; JSON Lines stay JSON Lines; PM4 comes out as text.",
        EXAMPLES,
    )


def run(arguments: Sequence[str]) -> int:
    """Mend, write the stream in its form; 1 if found no synchronization that makes it right."""
    return common.run(parser().parse_args(arguments), mend, _printed, keeps_right=True)


def _printed(item: Input, planned: Planned) -> str:
    if item.form is Form.TEXT:
        return changed_text(item.text, item.program, planned.woven, comments(planned))
    if item.form is Form.JSONL:
        from fencepost.stream.jsonl import write_jsonl  # noqa: PLC0415

        return write_jsonl(planned.program) if planned.inserted else item.text
    return listing(planned.woven, comments(planned))
