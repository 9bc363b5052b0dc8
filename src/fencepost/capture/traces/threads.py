"""Threads of trace events: which one an event is on, and what they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import msgspec

from fencepost.capture.traces.events import BAD_JSON, Event
from fencepost.timeline.table import Track

Number = int | str
Thread = tuple[Number, Number]
"""`pid` and `tid`; 0 where an event has none."""


class _Arguments(msgspec.Struct):
    name: str = ""


_ARGUMENTS = msgspec.json.Decoder(_Arguments)


def thread_of(event: Event) -> Thread:
    """The thread of an event."""
    return (0 if event.pid is None else event.pid, 0 if event.tid is None else event.tid)


class ThreadNames:
    """What metadata events call processes and threads."""

    def __init__(self) -> None:
        self.processes: dict[Number, str] = {}
        self.threads: dict[Thread, str] = {}

    def take(self, event: Event) -> None:
        """Take a metadata event; what names neither process nor thread says nothing of time."""
        if event.name not in ("process_name", "thread_name"):
            return
        try:
            name = _ARGUMENTS.decode(event.args).name
        except BAD_JSON:
            return  # a thread without a name is no less a thread
        pid, tid = thread_of(event)
        if event.name == "process_name":
            self.processes[pid] = name
        else:
            self.threads[pid, tid] = name

    def tracks(self, threads: Collection[Thread]) -> Iterator[tuple[Thread, Track]]:
        """The threads as tracks, by process and thread; the tid tells equal names apart."""
        uses = Counter((pid, self.threads.get((pid, tid))) for pid, tid in threads)
        for pid, tid in sorted(threads, key=_order):
            name = self.threads.get((pid, tid))
            shown = name or f"thread {tid}"
            if name and uses[pid, name] > 1:
                shown += f" ({tid})"
            yield (pid, tid), Track(shown, group=self.processes.get(pid) or f"process {pid}")


def _order(thread: Thread) -> tuple[tuple[bool, int, str], ...]:
    """Numbers before texts."""
    return tuple((True, 0, part) if isinstance(part, str) else (False, part, "") for part in thread)
