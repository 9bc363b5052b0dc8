"""Runs the command line in this process, and looks at what it says."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from fencepost.cli.main import main

CLEAN = """machine xbox-one
buffer x 64
queue q: compute
  dispatch "write" cs.uav-write x
  flush cs
  sync tcp.wbinv
  dispatch "read" cs.buffer x
"""
HAZARD = CLEAN.replace("  flush cs\n", "")
WASTE = CLEAN.replace("  sync tcp.wbinv\n", "  sync tcp.wbinv\n" * 2)
BROKEN = "machine xbox-one\nbuffer x 64\nqueue q: compute\n  dispatch cs.buffer y\n  flush zs\n"


@dataclass(frozen=True)
class Result:
    """Exit code, standard output and standard error of a run."""

    code: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode("utf-8")

    @property
    def complaints(self) -> list[str]:
        """What it complains about: every line of standard error is one complaint."""
        lines = self.err.splitlines()
        assert all(line.startswith("fencepost: error: ") for line in lines), self.err
        return [line.removeprefix("fencepost: error: ") for line in lines]


class Terminal(io.TextIOWrapper):
    """A standard output that may be a terminal."""

    def __init__(self, encoding: str, terminal: bool) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding=encoding, errors="strict", newline="")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@contextlib.contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before


def run(
    *words: str | Path, stdin: bytes = b"", terminal: bool = False, encoding: str = "utf-8"
) -> Result:
    """Run `fencepost WORDS`."""
    out, err = Terminal(encoding, terminal), Terminal("utf-8", False)
    with (
        standard_input(stdin),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main([str(word) for word in words])
    out.flush()
    err.flush()
    return Result(code, out.bytes.getvalue(), err.bytes.getvalue().decode("utf-8"))


def raising(error: BaseException) -> Callable[..., NoReturn]:
    """Something that takes any arguments and raises `error`."""

    def call(*_: object, **__: object) -> NoReturn:
        raise error

    return call


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="\n")
    return path
