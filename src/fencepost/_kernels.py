"""Which modules are compiled where a C compiler is there, and when the compiled form is loaded.

A kernel is plain typed Python; the `.pxd` beside it gives its names C types. Its compiled file
carries in its name what it was made from, so that no compiled form of another text is ever loaded:
where none fits, Python runs the text itself (docs/kernels.md).
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

LOWERED = "fencepost.coherence.lowered"
TIMING = "fencepost.timing"
TIMED = (
    "room",
    "agenda",
    "table",
    "sharing",
    "slots",
    "state",
    "unit",
    "shaders",
    "transfers",
    "refills",
    "caches",
    "needs",
    "labels",
    "pipe",
    "front",
    "run",
)
"""The kernels of `timing`: each may use the types of those before it."""

KERNELS: dict[str, tuple[str, ...]] = {
    "fencepost.coherence.clocks": (),
    f"{LOWERED}.columns": (),
    f"{LOWERED}.segments": (),
    f"{LOWERED}.accesses": (f"{LOWERED}.segments",),
    f"{LOWERED}.walk": (f"{LOWERED}.accesses", f"{LOWERED}.segments"),
    "fencepost.present.captures.cells": (),
    "fencepost.present.recurrence": (),
    **{
        f"{TIMING}.{name}": tuple(f"{TIMING}.{part}" for part in TIMED[:at])
        for at, name in enumerate(TIMED)
    },
}
"""Each kernel, and those whose C types it uses: it fits only where they do."""

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # an `int` of Python has no end; only the .pxd gives C types
    "binding": False,
    "wraparound": False,  # with the bounds checked: a negative index is an error, not another place
    "cdivision": False,  # rounds as Python does
    "initializedcheck": False,  # constructors fill every view
}
"""How Cython compiles a kernel: as Python means it wherever the `.pxd` says nothing."""

CHOICE = "FENCEPOST_KERNELS"
"""Environment variable: `interpreted` or `compiled` instead of what there is."""


def built_name(root: str, name: str) -> str:
    """The file name of a kernel's compiled form, from the texts below `root` as they stand.

    `root` is the directory of the package. Raises OSError where a text cannot be read.
    """
    from hashlib import sha256  # noqa: PLC0415 - most starts need no kernel

    parts = [repr(sorted(DIRECTIVES.items())).encode()]
    for part in (name, *KERNELS[name]):
        for suffix in (".py", ".pxd"):
            with open(stem_of(root, part) + suffix, "rb") as file:  # noqa: PTH123 - as below
                parts.append(file.read().replace(b"\r\n", b"\n"))
    made_from = sha256(b"\0".join(parts)).hexdigest()[:16]
    return f"{name.rpartition('.')[2]}.{made_from}{EXTENSION_SUFFIXES[0]}"


def stem_of(root: str, name: str) -> str:
    """The path of a module's text, without its suffix. (pathlib would slow every start.)"""
    return os.path.join(root, *name.split(".")[1:])  # noqa: PTH118


def built_file(root: str, name: str) -> str | None:
    """The compiled form of a kernel that fits the texts, or None."""
    found = [_file_of(root, part) for part in (*KERNELS[name], name)]
    return None if None in found else found[-1]


def _file_of(root: str, name: str) -> str | None:
    directory = os.path.dirname(stem_of(root, name))  # noqa: PTH120
    try:
        found = os.path.join(directory, built_name(root, name))  # noqa: PTH118
    except OSError:
        return None
    return found if os.path.isfile(found) else None  # noqa: PTH113


ROOT = os.path.dirname(__file__)  # noqa: PTH120


class Finder:
    """Finds compiled kernels, in front of Python's own finders, which find the text."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The compiled form of a kernel, if it is wanted and fits; raises ImportError if it must.

        `FENCEPOST_KERNELS=compiled` takes nothing else.
        """
        if name not in KERNELS or path is None:
            return None
        choice = os.environ.get(CHOICE, "")
        if choice == "interpreted":
            return None
        found = built_file(ROOT, name)
        if found is None:
            if choice == "compiled":
                raise ImportError(f"{name} is not compiled, and {CHOICE} asks for it", name=name)
            return None
        spec = ModuleSpec(name, ExtensionFileLoader(name, found), origin=found)
        spec.has_location = True
        return spec


def install() -> None:
    """Have imports look for compiled kernels first."""
    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)


def is_compiled(module: ModuleType) -> bool:
    """Is this what was compiled from a kernel, and not its text?"""
    return isinstance(module.__loader__, ExtensionFileLoader)


def missing() -> tuple[str, ...]:
    """The kernels that Python would interpret."""
    if os.environ.get(CHOICE) == "interpreted":
        return tuple(KERNELS)
    return tuple(name for name in KERNELS if built_file(ROOT, name) is None)
