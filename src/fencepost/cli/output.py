"""Where results go: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from fencepost.errors import FileProblem
from fencepost.place import Place
from fencepost.report.style import Style

DUMB = ("", "dumb")


def style_of(color: str, path: str | None) -> Style:
    """What the output shows. `color`: `auto` (a terminal, unless NO_COLOR), `always`, `never`."""
    if path not in (None, "-"):
        return Style(color == "always")
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    terminal = sys.stdout.isatty()
    width = 100
    if terminal:
        import shutil  # noqa: PLC0415

        width = min(max(shutil.get_terminal_size((100, 24)).columns, 60), 140)
    return Style(color == "always" or (color == "auto" and terminal and _colors()), encoding, width)


def _colors() -> bool:
    """Whether this terminal is meant to show colour (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.name == "nt":
        return any(os.environ.get(name) for name in ("WT_SESSION", "ConEmuANSI", "TERM"))
    return os.environ.get("TERM", "dumb") not in DUMB


def check_target(path: str | None, force: bool) -> None:
    """Raise `FileProblem` where `path` cannot become a file: before the work is done."""
    if path in (None, "-"):
        return
    target, place = Path(str(path)), Place(str(path), 0)
    if target.is_dir():
        raise FileProblem("is a directory", place, "a file to write")
    if not target.parent.is_dir():
        raise FileProblem("its directory does not exist", place, "a file to write")
    if target.is_file() and not force:
        raise FileProblem("exists already", place, "a new file, or --force to replace it")


def write_output(data: bytes, path: str | None = None, force: bool = False) -> None:
    """Write to `path`, or to standard output where it is None or `-`.

    A reader of standard output that goes away is no error. Raises `FileProblem`.
    """
    if path is not None and path != "-":
        check_target(path, force)
        write_file(Path(path), data, force)
        return
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        forget_stdout()


def forget_stdout() -> None:
    """Let nothing that is still buffered fail when Python ends."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def write_file(path: Path, data: bytes, replace: bool) -> None:
    """Write the file whole or not at all; raises `FileProblem`."""
    made = False
    try:
        path = path.resolve()
        if path.exists() and not path.is_file():  # a device or a pipe: nothing to replace
            path.write_bytes(data)
            return
        if not path.exists() or not replace:
            path.open("xb").close()  # from here on nobody else can make it
            made = True
        _replace(path, data)
    except FileExistsError:
        raise FileProblem("exists already", Place(str(path), 0), "a new file") from None
    except OSError as error:
        if made:
            path.unlink(missing_ok=True)
        problem = f"cannot be written ({error.strerror or error})"
        raise FileProblem(problem, Place(str(path), 0)) from None


def _replace(path: Path, data: bytes) -> None:
    """Put a finished file in the place of `path`, with the mode that it has."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        Path(name).chmod(path.stat().st_mode & 0o777)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
