"""The committed script and style of the pages are what `pages/` builds; its own tests pass."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project.repository import ROOT

PAGES = ROOT / "pages"
BUILT = ROOT / "src" / "fencepost" / "report" / "page"
needs_node = pytest.mark.skipif(
    not (shutil.which("node") and (PAGES / "node_modules").is_dir()),
    reason="no node, or its packages are not installed (make pages)",
)


def node(*arguments: str) -> str:
    """What a program of node prints; what it complains of, where it fails."""
    run = subprocess.run(
        ["node", *arguments], cwd=PAGES, capture_output=True, check=False, encoding="utf-8"
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


@needs_node
def test_the_committed_pages_are_what_is_built(tmp_path: Path) -> None:
    node("build.mjs", str(tmp_path))
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    committed = {path.name for path in BUILT.iterdir() if path.suffix in {".js", ".css"}}
    assert built.keys() == committed
    assert [name for name in sorted(built) if built[name] != (BUILT / name).read_bytes()] == []


@needs_node
def test_the_types_of_the_pages_hold() -> None:
    node("node_modules/typescript/bin/tsc", "--noEmit")


@needs_node
def test_the_sources_of_the_pages_are_laid_out() -> None:
    node("node_modules/prettier/bin/prettier.cjs", "--check", ".")


@needs_node
def test_the_pure_functions_of_the_pages(tmp_path: Path) -> None:
    node("build.mjs", "--tests", str(tmp_path))
    tests = sorted(str(path) for path in tmp_path.glob("*.test.mjs"))
    assert "# fail 0" in node("--test", *tests)
