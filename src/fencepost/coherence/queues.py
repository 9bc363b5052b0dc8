"""The state of one queue during the replay.

The clocks of its engines and what is still on its way.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.coherence.clocks import join
from fencepost.coherence.contexts import Contexts
from fencepost.coherence.layout import Clock, Layout
from fencepost.stream.program import Queue, QueueKind

ME, PFP = "me", "pfp"
OWN_GROUP = {ME: "me", PFP: "pfp", "cpu": "serial", "copy": "serial"}
"""The completion group that says how far an engine itself has come."""


@dataclass(slots=True)
class QueueState:
    """Clocks by engine.

    A compute queue's PFP and ME, and a serial queue's engines, are one clock.
    """

    number: int
    queue: Queue
    base: int
    clocks: dict[str, Clock]
    contexts: Contexts
    position: int = 0
    kickoffs: int = 0
    pending: dict[str, Clock] = field(default_factory=dict)
    chains: dict[str, Clock] = field(default_factory=dict)
    presents: dict[str, tuple[int, Clock]] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Is there no command left?"""
        return self.position >= len(self.queue.commands)

    def pend(self, kind: str, clock: Clock) -> Clock:
        """Something of that kind will be finished later.

        Returns what all of them so far will guarantee.
        """
        known = self.pending.get(kind)
        if known is None:
            self.pending[kind] = list(clock)
        else:
            join(known, clock)
        return self.pending[kind]


def make_queue_state(
    number: int, queue: Queue, queues: int, layout: Layout, contexts: int
) -> QueueState:
    """A queue before its first command."""
    first: Clock = [0] * (queues * layout.stride)
    shared = {
        QueueKind.GRAPHICS: {ME: first, PFP: list(first)},
        QueueKind.COMPUTE: {ME: first, PFP: first},
        QueueKind.CPU: {"cpu": first},
        QueueKind.COPY: {"copy": first},
    }
    clocks = shared[queue.kind]
    return QueueState(number, queue, number * layout.stride, clocks, Contexts(contexts))
