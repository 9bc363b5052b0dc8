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

KERNELS = ("fencepost.present.recurrence",)

DIRECTIVES = {
    "language_level": 3,
    "annotation_typing": False,  # an `int` of Python has no end; only the .pxd gives C types
    "binding": False,
    "wraparound": False,  # with the bounds checked: a negative index is an error, not another place
    "cdivision": False,  # rounds as Python does
}
"""How Cython compiles a kernel: as Python means it wherever the `.pxd` says nothing."""

CHOICE = "FENCEPOST_KERNELS"
"""Environment variable: `interpreted` or `compiled` instead of what there is."""


def built_name(stem: str) -> str:
    """The file name of the compiled form of `STEM.py` and `STEM.pxd` as they stand.

    Raises OSError where one of them cannot be read.
    """
    from hashlib import sha256  # noqa: PLC0415 - most starts need no kernel

    parts = [repr(sorted(DIRECTIVES.items())).encode()]
    for suffix in (".py", ".pxd"):
        with open(stem + suffix, "rb") as file:  # noqa: PTH123 - pathlib would slow every start
            parts.append(file.read().replace(b"\r\n", b"\n"))
    made_from = sha256(b"\0".join(parts)).hexdigest()[:16]
    return f"{os.path.basename(stem)}.{made_from}{EXTENSION_SUFFIXES[0]}"  # noqa: PTH119


def built_file(name: str, package_path: Sequence[str]) -> str | None:
    """The compiled form of a kernel that fits its text, or None."""
    stem = os.path.join(next(iter(package_path)), name.rpartition(".")[2])  # noqa: PTH118
    try:
        found = os.path.join(os.path.dirname(stem), built_name(stem))  # noqa: PTH118, PTH120
    except OSError:
        return None
    return found if os.path.isfile(found) else None  # noqa: PTH113


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
        found = built_file(name, path)
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


def missing() -> tuple[str, ...]:
    """The kernels that Python would interpret."""
    if os.environ.get(CHOICE) == "interpreted":
        return KERNELS
    root = os.path.dirname(__file__)  # noqa: PTH120
    return tuple(
        name
        for name in KERNELS
        if built_file(name, [os.path.join(root, *name.split(".")[1:-1])]) is None  # noqa: PTH118
    )
