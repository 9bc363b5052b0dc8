"""Partial flushes that a fence behind the producer turns into overlap.

A partial flush drains all that has been started by then; an EOS value behind the work that
matters, with the wait in the flush's place, lets what was started since go on (seed 000 "EOS and
EOP fences").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.plan.costs import STAGES
from fencepost.plan.edits import Edit
from fencepost.plan.forms import Site
from fencepost.plan.pieces import LABELS_AT
from fencepost.plan.trials import Trials
from fencepost.stream.command import Comparison, EndOfShader, PartialFlush, WaitMemory, Work
from fencepost.stream.resource import Part, Resource, ResourceKind


@dataclass(frozen=True, slots=True)
class Fence:
    """An EOS value behind the command at `behind`, a wait in the place of the flush.

    `producer`: the last work that it waits for; `between`: how many were started since.
    """

    edit: Edit
    label: Resource
    value: EndOfShader
    wait: WaitMemory
    behind: int
    producer: int
    between: int


def earlier_fence(
    site: Site, flush: PartialFlush, trials: Trials, label: Resource, base: Edit
) -> Fence | None:
    """The fence that waits for least and serves as well as the flush; None if none is cheaper.

    `base`: changes that are made in any case.
    """
    cycles = trials.cost(base)
    works = [at for at, command in enumerate(site.before) if isinstance(command, Work)]
    drained = [at for at in works if _kind(site, at) in STAGES[flush.stage]]
    fences = [fence for at in drained if (fence := _fence(site, flush, at, works, label))]
    if not fences or trials.cost({**base, **fences[0].edit}, (label,)) >= cycles:
        return None
    low, high = 0, len(fences)
    while low < high:  # a later value serves whatever an earlier one does, and is never cheaper
        middle = (low + high) // 2
        if trials.harmless({**base, **fences[middle].edit}, (label,)):
            high = middle
        else:
            low = middle + 1
    found = fences[low] if low < len(fences) else None
    if found is None or trials.cost({**base, **found.edit}, (label,)) >= cycles:
        return None
    return found


def _kind(site: Site, position: int) -> str:
    command = site.before[position]
    return str(command.kind) if isinstance(command, Work) else ""


def _fence(
    site: Site, flush: PartialFlush, producer: int, works: list[int], label: Resource
) -> Fence | None:
    """The fence behind that work, and behind what synchronizes before the next one."""
    since = [at for at in works if at > producer]
    if not since:
        return None
    stage = "cs" if flush.stage == "cs" else "ps"
    value = EndOfShader(stage=stage, label=label, value=1)
    wait = WaitMemory(engine="me", label=label, comparison=Comparison.EQUAL, reference=1)
    behind = since[0] - 1
    edit = {
        (site.number, behind): (site.before[behind], value),
        (site.number, site.position): (wait,),
    }
    return Fence(edit, label, value, wait, behind, producer, len(since))


def fresh_label(taken: Iterable[str], number: int) -> Resource:
    """The label of the fence of that number."""
    name = f"early-{number}"
    while name in taken:
        name += "-fence"
    start = LABELS_AT + (number << 8)
    return Resource(name, ResourceKind.LABEL, (Part("bytes", start, start + 8),))
