"""Compiled kernels are loaded where they can be made, and never those of another text."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from fencepost._kernels import CHOICE, KERNELS, built_file, built_name, missing
from tests.kernels.twice import (
    PACKAGE,
    REBUILD,
    can_compile,
    compiled,
    interpreted,
    text_of_kernel,
)
from tests.project.repository import ROOT, tracked_files

KERNEL = "fencepost.present.recurrence"
SHOW = f"import {KERNEL} as kernel; print(kernel.__file__)"


def python(code: str, source: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    usual = {key: value for key, value in os.environ.items() if key != CHOICE}
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**usual, "PYTHONPATH": str(source), **environment},
    )


def test_every_file_of_types_belongs_to_a_kernel() -> None:
    types = {path for path in tracked_files() if path.suffix == ".pxd"}
    assert types == {text_of_kernel(name).with_suffix(".pxd") for name in KERNELS}


def test_kernels_differ_in_the_last_part_of_their_names() -> None:
    leaves = [name.rpartition(".")[2] for name in KERNELS]
    assert len(set(leaves)) == len(leaves)


def test_no_compiled_file_is_tracked() -> None:
    assert [p for p in tracked_files() if p.suffix in (".so", ".pyd", ".c", ".pyx")] == []


@pytest.mark.parametrize("name", KERNELS)
def test_the_compiled_form_is_what_is_imported(name: str) -> None:
    assert compiled(name) is sys.modules[name]
    assert interpreted(name).__file__ == str(text_of_kernel(name))


@pytest.mark.skipif(not can_compile(), reason="no C compiler here")
@pytest.mark.skipif(os.environ.get(CHOICE) == "interpreted", reason="interpreted on purpose")
def test_nothing_is_missing_where_a_compiler_is() -> None:
    assert missing() == (), REBUILD


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A copy of the tree with a file in the place of each compiled kernel."""
    copy = tmp_path / "src"
    shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("*.so", "*.pyd", "*__"))
    for name in KERNELS:
        built = built_name(str(copy / "fencepost"), name)
        copy.joinpath(*name.split(".")).with_name(built).write_bytes(b"no library")
    return copy


def test_a_fitting_compiled_form_is_taken(source: Path) -> None:
    said = python(SHOW, source)
    assert said.returncode == 1
    assert EXTENSION_SUFFIXES[0] in said.stderr  # it was loaded, and is no library


@pytest.mark.parametrize("suffix", [".py", ".pxd"])
def test_one_of_another_text_is_not(source: Path, suffix: str) -> None:
    changed = source.joinpath(*KERNEL.split(".")).with_suffix(suffix)
    changed.write_bytes(changed.read_bytes() + b"# another line\n")
    assert python(SHOW, source).stdout.strip() == str(changed.with_suffix(".py"))


def test_line_ends_make_no_other_text(source: Path) -> None:
    text = source.joinpath(*KERNEL.split(".")).with_suffix(".py")
    text.write_bytes(text.read_bytes().replace(b"\n", b"\r\n"))
    assert built_name(str(source / "fencepost"), KERNEL) == built_name(str(PACKAGE), KERNEL)


def test_the_environment_may_ask_for_either(source: Path) -> None:
    text = source.joinpath(*KERNEL.split(".")).with_suffix(".py")
    assert python(SHOW, source, **{CHOICE: "interpreted"}).stdout.strip() == str(text)
    text.write_bytes(text.read_bytes() + b"# another line\n")
    said = python(SHOW, source, **{CHOICE: "compiled"})
    assert said.returncode == 1
    assert f"{KERNEL} is not compiled" in said.stderr


def test_what_is_missing_is_named(source: Path) -> None:
    ask = "from fencepost._kernels import missing; print(*missing())"
    assert python(ask, source).stdout.split() == []
    assert python(ask, source, **{CHOICE: "interpreted"}).stdout.split() == list(KERNELS)
    text = source.joinpath(*KERNEL.split(".")).with_suffix(".py")
    text.write_bytes(text.read_bytes() + b"# another line\n")
    assert python(ask, source).stdout.split() == [KERNEL]


def test_a_kernel_without_its_types_is_not_compiled(source: Path) -> None:
    types = source.joinpath(*KERNEL.split(".")).with_suffix(".pxd")
    types.unlink()
    assert built_file(str(source / "fencepost"), KERNEL) is None


def test_a_kernel_fits_only_with_those_whose_types_it_uses(source: Path) -> None:
    root = str(source / "fencepost")
    walk, segments = "fencepost.coherence.lowered.walk", "fencepost.coherence.lowered.segments"
    assert segments in KERNELS[walk]
    assert built_file(root, walk) is not None
    text = source.joinpath(*segments.split(".")).with_suffix(".py")
    before = text.read_bytes()
    text.write_bytes(before + b"# another line\n")
    assert built_file(root, walk) is None
    text.write_bytes(before)
    source.joinpath(*segments.split(".")).with_name(built_name(root, segments)).unlink()
    assert built_file(root, walk) is None


@pytest.mark.parametrize("name", KERNELS)
def test_types_that_a_kernel_uses_are_listed(name: str) -> None:
    types = text_of_kernel(name).with_suffix(".pxd").read_text(encoding="utf-8")
    used = re.findall(r"^from (fencepost\S+) cimport", types, re.MULTILINE)
    assert [part for part in used if part not in KERNELS[name]] == []
    assert [part for part in KERNELS[name] if set(KERNELS[part]) - set(KERNELS[name])] == []
