"""Compiles the kernels where a C compiler is there; without one fencepost runs them as Python."""

from __future__ import annotations

import os
import runpy
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

SOURCE = Path("src")
ROOT = SOURCE / "fencepost"
SCHEME: dict[str, Any] = runpy.run_path(str(ROOT / "_kernels.py"))
KERNELS = {name.rpartition(".")[2]: name for name in SCHEME["KERNELS"]}


class BuildKernels(build_ext):
    """Names each compiled file after what it was made from; compiles several at a time."""

    def finalize_options(self) -> None:
        """As many at a time as there are processors, unless something else is asked for."""
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def get_ext_filename(self, ext_name: str) -> str:
        """Where the compiled form of a kernel goes, below the directory that is built."""
        usual = Path(super().get_ext_filename(ext_name))
        name = KERNELS[ext_name.rpartition(".")[2]]
        return str(usual.with_name(SCHEME["built_name"](str(ROOT), name)))

    def copy_extensions_to_source(self) -> None:
        """For an editable install: put the new ones beside their text, take away the old ones."""
        super().copy_extensions_to_source()
        suffix = SCHEME["EXTENSION_SUFFIXES"][0]
        for leaf, name in KERNELS.items():
            now = SCHEME["built_name"](str(ROOT), name)
            for other in text_of(name).parent.glob(f"{leaf}.*{suffix}"):
                if other.name != now:
                    other.unlink()


def text_of(name: str) -> Path:
    """The text of a kernel."""
    return SOURCE.joinpath(*name.split(".")).with_suffix(".py")


def compiler() -> str:
    """The C compiler that Python would call."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shlex.split(command)[0]


def extensions() -> list[Extension]:
    """The kernels, each allowed to fail; none without Cython or a C compiler."""
    if os.name == "posix" and not shutil.which(compiler()):
        sys.stderr.write(f"fencepost: no {compiler()}, so nothing is compiled\n")
        return []
    try:
        from Cython.Build import cythonize  # noqa: PLC0415
    except ImportError:
        sys.stderr.write("fencepost: no Cython, so nothing is compiled\n")
        return []
    quicker = ["-O2", "-g0"] if os.name == "posix" else []  # half the time of Python's own -O3 -g
    wanted = [
        Extension(name, [str(text_of(name))], extra_compile_args=quicker)
        for name in SCHEME["KERNELS"]
    ]
    made: list[Extension] = cythonize(
        wanted, build_dir="build/cython", compiler_directives=SCHEME["DIRECTIVES"], quiet=True
    )
    for extension in made:
        extension.optional = True
    return made


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildKernels})
