"""Makefile, continuous integration, pre-commit and the pages name the same commands."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest

from tests.project.repository import ROOT, text_of, tracked_files

TARGET = re.compile(r"^([a-z][a-z-]*):", re.MULTILINE)
COMMAND_LINE = re.compile(r"^\s*(?:[\w$\"' {}=:.-]*\s)?make ([a-z][a-z-]*)", re.MULTILINE)
MAKEFILE = text_of(ROOT / "Makefile")


def targets() -> set[str]:
    return set(TARGET.findall(MAKEFILE))


def called(name: str) -> set[str]:
    """The targets that a file hands to make: in commands, and in `code` of a page."""
    text = text_of(ROOT / name)
    if name.endswith(".md"):
        text = "\n".join(re.findall(r"`(make [a-z-]+)", text) + re.findall(r"(?m)^make .*", text))
    return set(COMMAND_LINE.findall(text))


def test_phony_lists_every_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == targets()


def test_help_names_every_target_that_is_for_people() -> None:
    helped = set(re.findall(r"^##   make ([a-z-]+)", MAKEFILE, re.MULTILINE))
    assert helped == targets() - {"help", "install", "develop"}


def test_continuous_integration_runs_tests_lint_layout_and_types() -> None:
    assert called(".ci/run") == {"test", "lint", "format-check", "types"}


@pytest.mark.parametrize("name", [".ci/run", ".pre-commit-config.yaml", "README.md"])
def test_commands_exist(name: str) -> None:
    assert called(name)
    assert called(name) <= targets()


def test_commands_of_the_pages_exist() -> None:
    pages = [path.relative_to(ROOT).as_posix() for path in tracked_files() if path.suffix == ".md"]
    assert {page: called(page) - targets() for page in pages if called(page) - targets()} == {}


def test_the_script_is_sound_and_executable() -> None:
    subprocess.run(["bash", "-n", ".ci/run"], cwd=ROOT, check=True)
    listing = ["git", "-c", "safe.directory=*", "ls-files", "--stage", ".ci/run"]
    staged = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
    assert staged.startswith(b"100755 ")


def pins() -> dict[str, str]:
    """Name and version of every line of requirements/dev.txt."""
    lines = text_of(ROOT / "requirements" / "dev.txt").splitlines()
    rows = [line.split(";")[0].strip() for line in lines if not line.startswith("#")]
    return dict(row.split("==") for row in rows)


def test_development_dependencies_are_pinned_and_documented() -> None:
    lines = text_of(ROOT / "requirements" / "dev.in").splitlines()
    direct = [re.split("[><=]", line)[0] for line in lines if not line.startswith("#")]
    assert direct
    assert set(direct) <= set(pins())
    documented = text_of(ROOT / "docs" / "dependencies.md")
    assert [name for name in direct if f"| {name} |" not in documented] == []


def test_the_pinned_msgspec_is_one_that_the_package_takes() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    least, below = re.findall(r"[\d.]+", project["dependencies"][0])
    version = tuple(map(int, pins()["msgspec"].split(".")))
    assert tuple(map(int, least.split("."))) <= version < (int(below),)
