"""A kernel in both forms: the text as Python runs it, and what was compiled from it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from fencepost._kernels import CHOICE, KERNELS, is_compiled
from tests.project.repository import ROOT

REBUILD = "compile the kernels anew: python -m pip install --editable ."
PACKAGE = ROOT / "src" / "fencepost"


def text_of_kernel(name: str) -> Path:
    return ROOT.joinpath("src", *name.split(".")).with_suffix(".py")


def can_compile() -> bool:
    """Are a C compiler and Python's headers here?"""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")[0]
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    return shutil.which(compiler) is not None and header.is_file()


def interpreted(name: str) -> ModuleType:
    """A kernel's text run by Python, as a module beside the one that everybody imports.

    The kernels whose types it uses are those that Python runs, too.
    """
    title = f"interpreted.{name}"
    if title not in sys.modules:
        spec = importlib.util.spec_from_file_location(title, text_of_kernel(name))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        with pytest.MonkeyPatch.context() as patch:
            for part in KERNELS[name]:
                patch.setitem(sys.modules, part, interpreted(part))
            patch.setitem(sys.modules, title, module)
            spec.loader.exec_module(module)
        sys.modules[title] = module
    return sys.modules[title]


def compiled(name: str) -> ModuleType:
    """What was compiled from a kernel's text as it stands; skips where there is no compiler."""
    module = importlib.import_module(name)
    if is_compiled(module):
        return module
    if os.environ.get(CHOICE) == "interpreted" or not can_compile():
        pytest.skip("no compiled kernels here")
    pytest.fail(f"{name} is not compiled from its text as it stands; {REBUILD}")
