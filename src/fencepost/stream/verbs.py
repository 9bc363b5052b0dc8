"""The words that a work is written with, and who executes them unless said otherwise."""

from __future__ import annotations

from fencepost.stream.command import WorkKind
from fencepost.stream.program import QueueKind

VERBS: tuple[str, ...] = ("draw", "dispatch", "copy", "clear", "resolve", "read", "write")

_ALWAYS: dict[str, WorkKind] = {
    "draw": WorkKind.DRAW,
    "dispatch": WorkKind.DISPATCH,
    "read": WorkKind.CPU,
    "write": WorkKind.CPU,
}


def default_kind(verb: str, queue: QueueKind) -> WorkKind | None:
    """Who executes the verb on a queue of that kind; None: it must be said (resolve)."""
    if verb in ("copy", "clear"):
        return WorkKind.COPY if queue is QueueKind.COPY else WorkKind.DMA
    return _ALWAYS.get(verb)
