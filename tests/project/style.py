"""Measures of the code: how long functions and files are, what is annotated."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Sequence

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(tree: ast.AST) -> Iterator[Function]:
    """Every function and method of a syntax tree, nested ones too."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def length(function: Function) -> int:
    """Lines from `def` to the last, docstring included and decorators not."""
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


def percentile(values: Sequence[int], percent: int) -> int:
    """The smallest value that at least `percent` of a hundred of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(math.ceil(len(ordered) * percent / 100), 1) - 1]


def unannotated(tree: ast.AST) -> Iterator[str]:
    """`line: function(parameter)` for everything without an annotation."""
    bound = {id(function) for function in _methods(tree)}
    for function in functions(tree):
        parameters = _parameters(function)
        if id(function) in bound:
            parameters = parameters[1:]
        for parameter in parameters:
            if parameter.annotation is None:
                yield f"{function.lineno}: {function.name}({parameter.arg})"
        if function.returns is None:
            yield f"{function.lineno}: {function.name}() ->"


def _methods(tree: ast.AST) -> Iterator[Function]:
    """Functions whose first parameter is bound: `self` or `cls`."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            for node in owner.body:
                if isinstance(node, Function) and not _is_static(node):
                    yield node


def _is_static(function: Function) -> bool:
    return any(
        isinstance(decorator, ast.Name) and decorator.id == "staticmethod"
        for decorator in function.decorator_list
    )


def _parameters(function: Function) -> list[ast.arg]:
    arguments = function.args
    starred = [arguments.vararg, arguments.kwarg]
    return [
        *arguments.posonlyargs,
        *arguments.args,
        *arguments.kwonlyargs,
        *(parameter for parameter in starred if parameter is not None),
    ]
