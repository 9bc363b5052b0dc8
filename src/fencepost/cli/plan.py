"""`fencepost plan FILE`: the cheapest synchronization for a stream, its own ignored."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.cli import planned as common
from fencepost.cli.arguments import Parser
from fencepost.cli.inputs import Form, Input
from fencepost.plan.planning import plan
from fencepost.report.plan_result import Planned
from fencepost.report.plan_stream import changed_text, listing
from fencepost.report.plan_text import comments

EXAMPLES = """\
  fencepost plan frame.fence                     print it with the cheapest synchronization
  fencepost plan frame.fence --explain -o planned.fence
  fencepost plan frame.fence --fastest --explain  the least simulated time, not the least cycles
  fencepost plan dump.txt --annotations dump.annotations --format json"""


def parser() -> Parser:
    """The arguments of this verb."""
    return common.parser(
        "plan",
        "Plan the cheapest synchronization for a stream; what it has of its own is ignored, but\n"
        "for the waits between queues, which say the order. Costs are those of the machine.",
        EXAMPLES,
    )


def run(arguments: Sequence[str]) -> int:
    """Plan, write the stream as .fence text; 1 if found no synchronization that makes it right."""
    return common.run(parser().parse_args(arguments), plan, _printed, keeps_right=False)


def _printed(item: Input, planned: Planned) -> str:
    if item.form is Form.TEXT:
        return changed_text(item.text, item.program, planned.woven, comments(planned))
    return listing(planned.woven, comments(planned))
