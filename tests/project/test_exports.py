"""`import fencepost` hands on exactly what `__all__` lists, and knows its version."""

from __future__ import annotations

import tomllib
from importlib import metadata
from types import ModuleType

import fencepost
from fencepost._version import __version__
from tests.project.repository import ROOT


def public_names(module: ModuleType) -> set[str]:
    """The names that a reader of the module meets, without its submodules."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and not isinstance(value, ModuleType)
        and type(value).__module__ != "__future__"
    }


def test_all_lists_each_name_once_and_in_order() -> None:
    assert list(fencepost.__all__) == sorted(set(fencepost.__all__))


def test_every_listed_name_resolves() -> None:
    for name in fencepost.__all__:
        assert getattr(fencepost, name) is not None


def test_no_other_name_is_handed_on() -> None:
    assert public_names(fencepost) <= set(fencepost.__all__)


def test_stray_names_are_noticed() -> None:
    module = ModuleType("made_up")
    module.__dict__.update({"check": len, "ast": tomllib, "_private": 1, "stray": 2})
    assert public_names(module) == {"check", "stray"}


def test_the_version_comes_from_one_place() -> None:
    assert fencepost.__version__ == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]


def test_the_version_is_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{__version__}]" in changelog


def test_dependencies_at_run_time_are_documented() -> None:
    documented = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [dependency.split(">=")[0] for dependency in project["dependencies"]]
    assert names == ["msgspec"]
    for name in names:
        assert f"| {name} |" in documented
        assert metadata.version(name)
