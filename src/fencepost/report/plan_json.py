"""A plan as JSON (docs/json-plan.md)."""

from __future__ import annotations

import msgspec

from fencepost._version import __version__
from fencepost.plan import serving
from fencepost.report import plan_document as document
from fencepost.report.document import Spot, Tool
from fencepost.report.json_report import to_spot
from fencepost.report.plan_result import Planned, Simulated
from fencepost.report.plan_text import line_of


def write_plan(planned: Planned, stream: str) -> bytes:
    """The plan as UTF-8 JSON, indented, with a newline at its end."""
    made = document.Document(
        format="fencepost.plan",
        version=1,
        tool=Tool(name="fencepost", version=__version__),
        file=planned.before.file,
        machine=planned.before.machine,
        guarantees="strict" if planned.guarantees == "strict" else "documented",
        right=planned.right,
        cycles=planned.cycles,
        own_cycles=planned.own_cycles,
        unknown=planned.unknown,
        simulated=_simulated(planned.simulated),
        services=[_service(planned, row) for row in planned.services],
        stream=stream,
    )
    return msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n"


def _service(planned: Planned, service: serving.Service) -> document.Service:
    return document.Service(
        commands=[_inserted(planned, *place) for place in service.places],
        serves=[_pair(planned, pair) for pair in service.serves],
        lighter=[
            document.Choice(choice=row.choice, breaks=[_pair(planned, pair) for pair in row.breaks])
            for row in service.lighter
        ],
        explained=service.explained,
        saves=service.saves,
    )


def _simulated(found: Simulated | None) -> document.Simulated | None:
    if found is None:
        return None
    return document.Simulated(
        time=found.time, lightest=found.lightest, tried=found.tried, complete=found.complete
    )


def _inserted(planned: Planned, number: int, position: int) -> document.Inserted:
    word, spot = planned.beside(number, position)
    beside: Spot | None = None if spot is None else to_spot(planned.program, spot)
    return document.Inserted(
        text=line_of(planned, number, position),
        queue=planned.program.queues[number].name,
        position=position,
        stands="behind" if word == "behind" else "before",
        beside=beside,
    )


def _pair(planned: Planned, pair: serving.Pair) -> document.Pair:
    return document.Pair(
        rule=pair.rule,
        earlier=to_spot(planned.program, pair.earlier),
        later=to_spot(planned.program, pair.later),
        resource=pair.resource,
    )
