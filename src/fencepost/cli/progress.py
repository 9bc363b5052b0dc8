"""A line on standard error for what takes over a second, where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threading import Event

FIRST = 1.0
CLEAR = "\r\033[K"


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Say what is going on, and for how many seconds, until the block is left."""
    if not sys.stderr.isatty():
        yield
        return
    import threading  # noqa: PLC0415

    done = threading.Event()
    thread = threading.Thread(target=_tell, args=(what, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _tell(what: str, done: Event) -> None:
    seconds = 0
    while not done.wait(FIRST):
        seconds += 1
        print(f"{CLEAR}fencepost: {what}, {seconds} s", end="", file=sys.stderr, flush=True)
    if seconds:
        print(CLEAR, end="", file=sys.stderr, flush=True)
