"""Compiles the kernels where a C compiler is there; without one fencepost runs them as Python."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src")
SCHEME: dict[str, Any] = runpy.run_path(str(SOURCE / "fencepost" / "_kernels.py"))
STEMS = {name.rpartition(".")[2]: SOURCE.joinpath(*name.split(".")) for name in SCHEME["KERNELS"]}


class BuildKernels(build_ext):
    """Names each compiled file after what it was made from."""

    def get_ext_filename(self, ext_name: str) -> str:
        """Where the compiled form of a kernel goes, below the directory that is built."""
        usual = Path(super().get_ext_filename(ext_name))
        stem = STEMS[ext_name.rpartition(".")[2]]
        return str(usual.with_name(SCHEME["built_name"](str(stem))))

    def copy_extensions_to_source(self) -> None:
        """For an editable install: put the new ones beside their text, take away the old ones."""
        super().copy_extensions_to_source()
        suffix = SCHEME["EXTENSION_SUFFIXES"][0]
        for stem in STEMS.values():
            now = SCHEME["built_name"](str(stem))
            for other in stem.parent.glob(f"{stem.name}.*{suffix}"):
                if other.name != now:
                    other.unlink()


def extensions() -> list[Extension]:
    """The kernels, each allowed to fail; none without Cython."""
    try:
        from Cython.Build import cythonize  # noqa: PLC0415
    except ImportError:
        sys.stderr.write("fencepost: no Cython, so nothing is compiled\n")
        return []
    wanted = [
        Extension(name, [str(SOURCE.joinpath(*name.split(".")).with_suffix(".py"))])
        for name in SCHEME["KERNELS"]
    ]
    made: list[Extension] = cythonize(
        wanted, build_dir="build/cython", compiler_directives=SCHEME["DIRECTIVES"], quiet=True
    )
    for extension in made:
        extension.optional = True
    return made


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
