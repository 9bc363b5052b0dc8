"""The wheel holds the package with its schemas, and nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.project.repository import ROOT, tracked_files

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.Path:
    """A wheel built from a copy of the tracked files, where no C compiler is found."""
    copy = tmp_path_factory.mktemp("tree")
    for path in tracked_files():
        name = path.relative_to(ROOT)
        if name.parts[0] == "src" or len(name.parts) == 1:
            (copy / name.parent).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy / name)
    out = copy / "out"
    environment = {**os.environ, "PATH": "", "CC": "no-compiler"}
    command = [sys.executable, "-c", BUILD, str(out)]
    subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=True)
    (made,) = out.glob("fencepost-*.whl")
    return zipfile.Path(made)


def members(wheel: zipfile.Path) -> set[str]:
    names = wheel.root.namelist()
    return {name for name in names if ".dist-info/" not in name and not name.endswith("/")}


def test_the_wheel_holds_every_file_of_the_package(wheel: zipfile.Path) -> None:
    source = ROOT / "src"
    tracked = [path for path in tracked_files() if path.is_relative_to(source)]
    assert members(wheel) == {path.relative_to(source).as_posix() for path in tracked}
    assert "fencepost/py.typed" in members(wheel)


def test_the_wheel_installs_the_command(wheel: zipfile.Path) -> None:
    (entry,) = [name for name in wheel.root.namelist() if name.endswith("/entry_points.txt")]
    text = wheel.root.read(entry).decode("utf-8")
    assert "fencepost = fencepost.cli.main:main" in text.splitlines()


def test_the_wheel_carries_its_licence(wheel: zipfile.Path) -> None:
    (licence,) = [name for name in wheel.root.namelist() if name.endswith("/licenses/LICENSE")]
    assert wheel.root.read(licence) == (ROOT / "LICENSE").read_bytes()


def test_every_package_directory_is_a_package() -> None:
    source = ROOT / "src" / "fencepost"
    holders = {path.parent for path in tracked_files() if path.is_relative_to(source)}
    holders = {holder for holder in holders if any(holder.glob("*.py"))}
    missing = {holder for holder in holders if not Path(holder, "__init__.py").is_file()}
    assert missing == set()
