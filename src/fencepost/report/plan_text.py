"""A plan in words: what each inserted command is for, what lighter ones would break, the cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fencepost.coherence.finding import Spot
from fencepost.machine.profiles import find_machine
from fencepost.plan.serving import Pair, Service
from fencepost.report.plan_result import Planned, Simulated
from fencepost.report.style import Style
from fencepost.report.words import plural, where
from fencepost.stream.text.lexer import quote
from fencepost.stream.text.print_commands import CommandPrinter
from fencepost.timeline.times import shown

INDENT = "  = "
SHOWN = 6
"""So many pairs are named; the others are counted."""


def comments(planned: Planned) -> dict[tuple[int, int], str]:
    """What each inserted command is for, in a few words."""
    return {
        place: _comment(service)
        for service in planned.services
        for place in service.places
        if service.serves or service.saves
    }


def _comment(service: Service) -> str:
    """`"shadow" -> "lighting": map`, and how many pairs more; the time that it saves, if none."""
    pairs = service.serves
    if not pairs:
        return f"saves {shown(service.saves)}"
    first = pairs[0]
    more = f" (+{len(pairs) - 1})" if len(pairs) > 1 else ""
    return f"{_end(first.earlier)} -> {_end(first.later)}: {first.resource}{more}"


def _end(spot: Spot) -> str:
    """One end of a pair: its name, or what it is and where."""
    if spot.place.offset is not None:
        return f"{spot.title} ({spot.place.offset:#x})"
    if spot.command.name:
        return quote(spot.command.name)
    return f"{spot.title} at {where(spot)}"


def summary(planned: Planned) -> str:
    """One line: how much was inserted, and what all synchronization costs."""
    unknown = ""
    if planned.unknown:
        count = plural(planned.unknown, "access", "accesses")
        unknown = f"; planned for the accesses that are shown, {count} unknown"
    time = _time(planned.simulated) if planned.simulated is not None else ""
    if planned.program == planned.before:
        return f"right as it is: {planned.own_cycles:,} cycles of synchronization{time}{unknown}"
    inserted = plural(planned.inserted, "command")
    cost = f"{planned.cycles:,} cycles of synchronization, {planned.own_cycles:,} as it was read"
    return f"{inserted} inserted: {cost}{time}{unknown}"


def _time(simulated: Simulated) -> str:
    """Simulated time beside that of the lightest plan; what was looked at."""
    time = f"simulated {shown(simulated.time)}, {shown(simulated.lightest)} with the lightest plan"
    tried = f"{plural(simulated.tried, 'plan')} tried"
    much = "" if simulated.complete else ", and then stopped: there was too much to try"
    return f"; {time}; {tried}{much}"


def account(planned: Planned, style: Style) -> str:
    """Everything that can be said of the inserted commands."""
    paragraphs = ["\n".join(_service(planned, row, style)) for row in planned.services]
    machine = f"machine {planned.before.machine}, {planned.guarantees} guarantees"
    head = "\n".join(style.wrap("", f"{planned.before.file}: {summary(planned)} ({machine})"))
    return "\n\n".join([head, *paragraphs]) + "\n"


def _service(planned: Planned, service: Service, style: Style) -> Iterator[str]:
    for place in service.places:
        yield from style.wrap("", f"{line_of(planned, *place)}  {_site(planned, *place)}")
    for label, text in _facts(service):
        yield from style.wrap(f"{INDENT}{label + ':':<9}", text)


def line_of(planned: Planned, number: int, position: int) -> str:
    """An inserted command as stream text."""
    printer = CommandPrinter(
        find_machine(planned.before.machine), planned.program.queues[number].kind
    )
    return printer.line(planned.command(number, position))


def _site(planned: Planned, number: int, position: int) -> str:
    word, spot = planned.beside(number, position)
    queue = planned.program.queues[number].name
    return f"in queue {queue}" if spot is None else f"{word} {_named(spot)} in queue {queue}"


def _facts(service: Service) -> Iterator[tuple[str, str]]:
    if not service.explained:
        yield "for", "not looked for: too much to try"
        return
    for pair in service.serves[:SHOWN]:
        yield (
            "for",
            f"{_named(pair.later)} after {_named(pair.earlier)}: {pair.resource}, {pair.rule}",
        )
    if service.saves:
        time = shown(service.saves)
        yield "for", f"time alone: nothing breaks without it, but the stream takes {time} longer"
    if len(service.serves) > SHOWN:
        yield "for", f"{plural(len(service.serves) - SHOWN, 'pair')} more"
    for choice in service.lighter:
        yield "lighter", f"{choice.choice} would break {_broken(choice.breaks)}"


def _broken(pairs: Iterable[Pair]) -> str:
    first, *others = pairs
    more = f" and {plural(len(others), 'more', 'more')}" if others else ""
    return f"{_named(first.later)} after {_named(first.earlier)}, {first.rule}{more}"


def _named(spot: Spot) -> str:
    return f"{spot.title} ({where(spot)})"
