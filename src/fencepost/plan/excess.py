"""Waste that needs a search: what a right program stays right without, or with less (design 6).

Every change is made to the program as it is, one at a time, and replayed. Nothing is said of a
value in memory, which somebody else may read, nor of what stands before the first work or behind
the last one: what that is for is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from fencepost.coherence.checking import in_order
from fencepost.coherence.finding import Finding, Fix, Insertion, Kind, Report
from fencepost.coherence.wording import short
from fencepost.machine.tables import Machine
from fencepost.plan.earlier import Fence, earlier_fence, fresh_label
from fencepost.plan.edits import At, Edit
from fencepost.plan.forms import (
    Form,
    Site,
    is_removable,
    is_waited_for,
    lighter,
    parts,
    with_label,
)
from fencepost.plan.shown import Shown
from fencepost.plan.trials import Trials
from fencepost.stream.command import Command, EndOfPipe, PartialFlush
from fencepost.stream.program import Program
from fencepost.stream.resource import Resource
from fencepost.stream.text.print_commands import CommandPrinter

MOST_COMMANDS = 1_500
"""Longer programs are not searched: every try replays the program."""

MOST_REPLAYED = 150_000
"""So many commands are replayed before the search ends: some seconds."""

REDUNDANT = "redundant-synchronization"
HEAVIER = "heavier-than-needed"
EARLIER = "could-start-earlier"
TRIED = "tried: the stream stays right"


@dataclass(slots=True)
class Excess:
    """What a search found, and what it did not look for."""

    findings: list[Finding] = field(default_factory=list)
    notes: tuple[str, ...] = ()


def add_excess(report: Report, machine: Machine) -> tuple[Report, tuple[str, ...]]:
    """The report with the waste that a search finds, and notes on what was not searched.

    A program with a hazard is not searched: the hazard comes first.
    """
    if report.of(Kind.HAZARD):
        return report, ()
    found = find_excess(report.program, machine, report.guarantees, report.of(Kind.WASTE))
    findings = in_order(report.program, [*report.findings, *found.findings])
    return replace(report, findings=findings), found.notes


def find_excess(
    program: Program, machine: Machine, guarantees: str, known: Iterable[Finding] = ()
) -> Excess:
    """Redundant and too heavy synchronization of a program without a hazard.

    `known`: waste that has been found without a search; those commands are left alone.
    """
    count = sum(len(queue.commands) for queue in program.queues)
    if count > MOST_COMMANDS:
        return Excess(notes=(f"waste that needs a search was not looked for: {count:,} commands",))
    return _Search(program, machine, guarantees, known).run()


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding, the change that it proposes, and a label that the change adds."""

    finding: Finding
    edit: Edit
    labels: tuple[Resource, ...] = ()


class _Search:
    """Goes through the commands of one frame; a change concerns all copies of a command.

    `base`: what has been found without a search is taken as mended.
    """

    def __init__(
        self, program: Program, machine: Machine, guarantees: str, known: Iterable[Finding]
    ) -> None:
        self.program = program
        self.machine = machine
        self.trials = Trials(program, machine, guarantees, MOST_REPLAYED)
        self.shown = Shown(program)
        self.known = {(finding.later.queue, finding.later.position) for finding in known}
        self.base = _base(program, known)
        self.cycles = self.trials.cost(self.base)
        self.found: list[_Found] = []

    def run(self) -> Excess:
        """All findings, in the order of the stream."""
        notes: tuple[str, ...] = ()
        for site in self._sites():
            if self.trials.left <= 0:
                at = f"{site.command.place} in queue {site.queue.name}"
                notes = (f"waste that needs a search was looked for up to {at} only",)
                break
            self.found += self._findings(site)
        return Excess(self._together(), notes)

    def _sites(self) -> Iterator[Site]:
        for number, queue in enumerate(self.program.queues):
            for position in range(len(queue.commands) // self.program.frames):
                site = Site(self.program, number, position)
                if self._is_judged(site):
                    yield site

    def _is_judged(self, site: Site) -> bool:
        """Is it shown what the command could be for, and has nothing been said of it yet?"""
        command, queue = site.command, site.queue
        if command.foreign or not (is_removable(command) or isinstance(command, EndOfPipe)):
            return False
        if isinstance(command, EndOfPipe):
            unseen = command.label is not None and not is_waited_for(self.program, command.label)
            if unseen or (self.machine.double_eop and self._has_twin(site)):
                return False
        if any((queue.name, position) in self.known for position in site.copies):
            return False
        return any(self.shown.encloses(site.number, position) for position in site.copies)

    @staticmethod
    def _has_twin(site: Site) -> bool:
        """GFX7 needs two EOPs in a row to flush (hardware.md 1.6)."""
        around = site.queue.commands[max(site.position - 1, 0) : site.position + 2]
        return sum(isinstance(command, EndOfPipe) for command in around) > 1

    # -- one command

    def _findings(self, site: Site) -> Iterator[_Found]:
        """At most one: redundant, heavier than needed (by its form, by its parts), too late."""
        if is_removable(site.command) and self._is_enough(site, Form(())):
            yield self._redundant(site)
            return
        form = next((form for form in lighter(site) if self._is_enough(site, form)), None)
        least, left_out = self._without_parts(site, form or Form((site.command,)))
        if form is not None:
            yield self._heavier(site, least)
        elif left_out:
            yield self._partly_redundant(site, least, left_out)
        elif isinstance(site.command, PartialFlush):
            yield from self._late(site, site.command)

    def _is_enough(self, site: Site, form: Form) -> bool:
        edit = {**self.base, **_edit(site, form)}
        lighter = form.weaker or self.trials.cost(edit) < self.cycles
        return lighter and self.trials.harmless(edit)

    def _without_parts(self, site: Site, form: Form) -> tuple[Form, list[str]]:
        """The form without the parts that it can do without, one after the other."""
        left_out: list[str] = []
        while True:
            found = next((less for less in parts(form) if self._is_enough(site, less)), None)
            if found is None:
                return form, left_out
            form = found
            left_out.append(form.part)

    def _redundant(self, site: Site) -> _Found:
        message = f"{self._line(site, site.command)}: the stream stays right without it"
        return self._change(REDUNDANT, site, Form(()), message, "drop it")

    def _partly_redundant(self, site: Site, form: Form, left_out: list[str]) -> _Found:
        them = "it" if len(left_out) == 1 else "them"
        message = f"{', '.join(left_out)}: the stream stays right without {them}"
        does = left_out[0].rpartition(" ")[2] if len(left_out) == 1 else ""
        return self._change(REDUNDANT, site, form, message, self._line(site, *form.commands), does)

    def _heavier(self, site: Site, form: Form) -> _Found:
        lines = self._line(site, *form.commands)
        verb = "suffices" if len(form.commands) == 1 else "suffice"
        message = f"{site.spot().title}: {lines} {verb} here"
        return self._change(HEAVIER, site, form, message, lines)

    def _change(
        self, rule: str, site: Site, form: Form, message: str, mend: str, does: str = ""
    ) -> _Found:
        """A finding whose form stands in the place of the command."""
        lines = tuple(self._line(site, command) for command in form.commands)
        spot = site.spot(does)
        fix = Fix(lines, spot, TRIED, instead=True)
        finding = Finding(rule, Kind.WASTE, message, spot, missing=mend, fix=fix)
        return _Found(finding, _edit(site, form))

    # -- a fence in the place of a flush

    def _late(self, site: Site, flush: PartialFlush) -> Iterator[_Found]:
        """One frame only: values of repeated frames would be taken for one another."""
        if self.program.frames > 1 or self.trials.hidden:
            return
        added = [label for found in self.found for label in found.labels]
        taken = [item.name for item in (*self.program.resources, *added)]
        label = fresh_label(taken, len(added) + 1)
        fence = earlier_fence(site, flush, self.trials, label, self.base)
        if fence is not None and not self.base.keys() & fence.edit.keys():
            yield self._earlier(site, fence)

    def _earlier(self, site: Site, fence: Fence) -> _Found:
        value, wait = self._line(site, fence.value), self._line(site, fence.wait)
        behind = replace(site, position=fence.behind)
        producer = replace(site, position=fence.producer).spot()
        between = "1 work" if fence.between == 1 else f"{fence.between:,} works"
        declaration = Insertion((f"label {fence.label.name} = {fence.label.value}",))
        elsewhere = (Insertion((value,), behind.spot()), declaration)
        finding = Finding(
            EARLIER,
            Kind.WASTE,
            f"{self._line(site, site.command)}: it also drains {between} started since "
            f"{short(producer)}, which nothing here needs",
            site.spot(),
            producer,
            missing=f"{value} behind {short(behind.spot())}, {wait} here",
            fix=Fix((wait,), site.spot(), TRIED, elsewhere, instead=True),
        )
        return _Found(finding, fence.edit, (fence.label,))

    # -- all of them

    def _together(self) -> list[Finding]:
        """The findings; those without a fix whose change cannot be made along with the others."""
        chosen: list[_Found] = []
        self._choose(self.found, chosen)
        return [self._finished(found, found in chosen) for found in self.found]

    def _choose(self, offered: list[_Found], chosen: list[_Found]) -> None:
        """Add what fits to what has been chosen: all of it, else of each half in turn."""
        if self._fit([*chosen, *offered]):
            chosen += offered
        elif len(offered) > 1:
            middle = len(offered) // 2
            self._choose(offered[:middle], chosen)
            self._choose(offered[middle:], chosen)

    def _fit(self, chosen: list[_Found]) -> bool:
        """Can these changes all be made?"""
        merged = dict(self.base)
        labels = tuple(label for found in chosen for label in found.labels)
        for found in chosen:
            if merged.keys() & found.edit.keys():
                return False
            merged |= found.edit
        return self.trials.harmless(merged, labels)

    def _finished(self, found: _Found, fits: bool) -> Finding:
        """The finding with what the change saves by the cost table."""
        saved = self.cycles - self.trials.cost({**self.base, **found.edit}, found.labels)
        finding = replace(found.finding, properties=(("cycles", str(saved)),))
        if fits:
            return finding
        mend = f"{finding.missing}; not along with the other findings"
        return replace(finding, missing=mend, fix=None)

    def _line(self, site: Site, *commands: Command) -> str:
        """Commands as text; a packet's name is no title."""
        printer = CommandPrinter(self.machine, site.queue.kind)
        packets = site.command.place.offset is not None
        bare = [replace(command, name="") if packets else command for command in commands]
        return "; ".join(printer.line(command) for command in bare)


def _base(program: Program, known: Iterable[Finding]) -> dict[At, tuple[Command, ...]]:
    """The changes that are known already."""
    numbers = {queue.name: number for number, queue in enumerate(program.queues)}
    return {
        (numbers[finding.later.queue], finding.later.position): finding.fix.commands
        for finding in known
        if finding.fix is not None
    }


def _edit(site: Site, form: Form) -> Edit:
    """The form in the place of all copies of the command; each with its own frame's label."""
    label = getattr(site.command, "label", None)
    edit = {}
    for at in site.copies:
        own = getattr(site.queue.commands[at], "label", None)
        edit[site.number, at] = tuple(
            with_label(command, own) if own is not label else command for command in form.commands
        )
    return edit
