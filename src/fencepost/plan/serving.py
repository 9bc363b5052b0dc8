"""What each inserted command is for: the pairs that it serves, and what lighter choices break.

Both are tried: the command is taken out, or made lighter, and the hazards that appear are
collected. The value of a fence and the wait for it go together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fencepost.coherence.finding import Spot
from fencepost.coherence.hazards import group_hits
from fencepost.coherence.hits import Hit
from fencepost.coherence.wording import Words
from fencepost.machine.tables import Machine
from fencepost.plan.edits import At, Edit
from fencepost.plan.forms import Form, Site, lighter, parts
from fencepost.plan.pieces import Woven
from fencepost.plan.trials import Trials
from fencepost.stream.text.print_commands import CommandPrinter

MOST_REPLAYED = 150_000
"""So many commands are replayed before the rest of the pieces are left unexplained."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two accesses that only the inserted command keeps apart, and the rule that it keeps."""

    rule: str
    earlier: Spot
    later: Spot
    resource: str


@dataclass(frozen=True, slots=True)
class Lighter:
    """A lighter choice, in words, and the pairs that it would break."""

    choice: str
    breaks: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Service:
    """Inserted commands that belong together, as queue and position, and what they are for.

    `explained`: False where there was too much to try. `saves`: nothing goes wrong without them,
    but the stream takes so many picoseconds longer (`fastest`).
    """

    places: tuple[At, ...]
    serves: tuple[Pair, ...] = ()
    lighter: tuple[Lighter, ...] = ()
    explained: bool = True
    saves: int = 0


def serve(
    woven: Woven, machine: Machine, guarantees: str, *, choices: bool = True
) -> list[Service]:
    """One service for each inserted command or fence, in the order of the program.

    `choices`: whether lighter choices are tried too.
    """
    return _Server(woven, machine, guarantees).services(choices)


class _Server:
    """Takes the inserted commands of one program away, one service after the other."""

    def __init__(self, woven: Woven, machine: Machine, guarantees: str) -> None:
        self.woven = woven
        self.machine = machine
        self.trials = Trials(woven.program, machine, guarantees, MOST_REPLAYED)

    def services(self, choices: bool) -> list[Service]:
        """What each inserted command is for."""
        return [self._service(places, choices) for places in self._groups()]

    def _groups(self) -> Iterable[tuple[At, ...]]:
        """The places of each piece, those of a fence together."""
        found: dict[object, list[At]] = {}
        for number, pieces in enumerate(self.woven.pieces):
            for position, piece in enumerate(pieces):
                if piece is not None:
                    key = piece.fence or (number, position)
                    found.setdefault(key, []).append((number, position))
        return [tuple(places) for places in found.values()]

    def _service(self, places: tuple[At, ...], choices: bool) -> Service:
        if self.trials.left <= 0:
            return Service(places, explained=False)
        serves = self._broken(dict.fromkeys(places, ()))
        every = places if choices else ()
        return Service(places, serves, tuple(row for at in every for row in self._lighter(*at)))

    def _lighter(self, number: int, position: int) -> Iterator[Lighter]:
        """Each choice that waits for less, or costs less, and breaks something."""
        site = Site(self.woven.program, number, position)
        for form in (*lighter(site), *parts(Form((site.command,)))):
            edit = {(number, position): form.commands}
            if form.weaker or self.trials.cost(edit) < self.trials.cycles:
                broken = self._broken(edit)
                if broken:
                    yield Lighter(self._choice(site, form), broken)

    def _choice(self, site: Site, form: Form) -> str:
        printer = CommandPrinter(self.machine, site.queue.kind)
        lines = "; ".join(printer.line(command) for command in form.commands)
        return f"without {form.part}" if form.part else lines

    def _broken(self, edit: Edit) -> tuple[Pair, ...]:
        """The pairs that conflict in the changed program, each once."""
        changed, examination, hits = self.trials.hits(edit)
        words = Words(changed.program, self.machine, examination.ways)
        pairs = (_pair(group, words) for group in group_hits(hits).values())
        return tuple(dict.fromkeys(pairs))


def _pair(hits: list[Hit], words: Words) -> Pair:
    start, end = min(hit.start for hit in hits), max(hit.end for hit in hits)
    hit = hits[0]
    return Pair(
        hit.rule,
        words.spot(hit.earlier, start, end),
        words.spot(hit.later, start, end),
        words.bytes_of(hit.later, start, end),
    )
