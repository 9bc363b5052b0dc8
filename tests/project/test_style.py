"""Functions fit in the eye, files stay small, every parameter has a type."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.project.repository import PYTHON_TREES, ROOT, python_files, text_of
from tests.project.style import functions, length, percentile, unannotated

LONGEST_FILE = 600
FUNCTION_P90 = 44
FUNCTION_MEDIAN = 11


def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path), filename=str(path))


@pytest.mark.parametrize("tree", ["src", "verify"])
def test_functions_fit_in_the_eye(tree: str) -> None:
    lengths = [length(item) for path in python_files(tree) for item in functions(tree_of(path))]
    assert lengths
    assert percentile(lengths, 90) <= FUNCTION_P90
    assert percentile(lengths, 50) <= FUNCTION_MEDIAN


def test_files_are_short() -> None:
    lines = {path: text_of(path).count("\n") for path in python_files(*PYTHON_TREES)}
    assert lines
    assert [
        f"{path.relative_to(ROOT).as_posix()}: {count} lines"
        for path, count in lines.items()
        if count > LONGEST_FILE
    ] == []


def test_every_parameter_is_annotated() -> None:
    assert [
        f"{path.relative_to(ROOT).as_posix()}:{missing}"
        for path in python_files(*PYTHON_TREES)
        for missing in unannotated(tree_of(path))
    ] == []


def test_length_counts_from_def_to_the_last_line() -> None:
    source = "@decorated\ndef f():\n    '''Says.'''\n    if x:\n        return (1,\n          2)\n"
    assert [length(item) for item in functions(ast.parse(source))] == [5]


@pytest.mark.parametrize(
    ("percent", "value"), [(0, 1), (10, 1), (50, 5), (51, 6), (90, 9), (91, 10), (100, 10)]
)
def test_percentile_is_the_smallest_value_that_covers(percent: int, value: int) -> None:
    assert percentile(range(10, 0, -1), percent) == value


@pytest.mark.parametrize(
    "source",
    [
        "def f(a: int, /, b: int, *c: int, d: int = 0, **e: int) -> None: ...",
        "async def f(a: int) -> None: ...",
        "class C:\n    def f(self, a: int) -> None: ...",
        "class C:\n    @classmethod\n    def f(cls, a: int) -> None: ...",
        "class C:\n    @staticmethod\n    def f(a: int) -> None: ...",
    ],
)
def test_an_annotated_function_passes(source: str) -> None:
    assert list(unannotated(ast.parse(source))) == []


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("def f(a, /) -> None: ...", "1: f(a)"),
        ("def f(a) -> None: ...", "1: f(a)"),
        ("def f(*a) -> None: ...", "1: f(a)"),
        ("def f(*, a=1) -> None: ...", "1: f(a)"),
        ("def f(**a) -> None: ...", "1: f(a)"),
        ("def f(a: int): ...", "1: f() ->"),
        ("class C:\n    def f(self, a) -> None: ...", "2: f(a)"),
        ("class C:\n    @staticmethod\n    def f(a) -> None: ...", "3: f(a)"),
        ("def f() -> None:\n    def g(a) -> None: ...", "2: g(a)"),
    ],
)
def test_a_missing_annotation_is_named(source: str, missing: str) -> None:
    assert list(unannotated(ast.parse(source))) == [missing]
