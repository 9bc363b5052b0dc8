"""The files of this repository, as git knows them."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON_TREES = ("src", "verify", "tests", "benchmarks")


def tracked_files() -> list[Path]:
    """Every tracked file that still exists, in git's order."""
    # A checkout that belongs to another user (a build machine's, say) is as good as one's own.
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in listing.decode("utf-8").split("\0") if name]
    return [path for path in paths if path.is_file()]


def python_files(*trees: str) -> list[Path]:
    """The tracked Python files under the given top directories."""
    return [
        path
        for path in tracked_files()
        if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in trees
    ]


def text_of(path: Path) -> str:
    """The text of a file, with its line ends as they are."""
    return path.read_bytes().decode("utf-8")
