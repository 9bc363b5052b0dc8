from __future__ import annotations

import io
import time

import pytest

import fencepost.cli.progress
from fencepost.cli.progress import progress


class Screen(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "first", "told"), [(True, 0.01, True), (True, 60.0, False), (False, 0.01, False)]
)
def test_what_takes_long_is_told_to_a_terminal(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, first: float, told: bool
) -> None:
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(fencepost.cli.progress, "FIRST", first)
    with progress("reading a.fence"):
        time.sleep(0.1)
    assert ("fencepost: reading a.fence, 1 s" in screen.getvalue()) is told
    assert bool(screen.getvalue()) is told
    assert not told or screen.getvalue().endswith("\r\033[K")


def test_the_line_goes_away_when_something_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen(terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(fencepost.cli.progress, "FIRST", 0.01)
    with pytest.raises(ValueError, match="wrong"):
        _fail_slowly()
    assert screen.getvalue().endswith("\r\033[K")


def _fail_slowly() -> None:
    with progress("reading"):
        time.sleep(0.1)
        raise ValueError("wrong")
