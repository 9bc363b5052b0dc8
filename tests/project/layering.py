"""Which part of the package may import which (design 12), read off the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "fencepost"
FACE = "__init__"  # what `import fencepost` hands on; nobody inside takes it from there
FOUNDATION = frozenset({"_kernels", "_version", "errors", "place"})
OUTSIDE = frozenset({"verify", "tests", "benchmarks", "examples"})

_MODEL = ("machine", "stream", "coherence", "timing", "plan", "overlap")
_TIMED = frozenset({"timing", "plan", "overlap"})  # parts whose results are timelines
_RESULTS = frozenset({*_MODEL, "timeline", "present"})

# part -> what it may import besides itself and the foundation
ALLOWED: dict[str, frozenset[str]] = {
    **{part: frozenset() for part in FOUNDATION},
    **{part: frozenset(_MODEL[:rank]) for rank, part in enumerate(_MODEL)},
    **{part: frozenset({*_MODEL[: _MODEL.index(part)], "timeline"}) for part in _TIMED},
    "capture": frozenset({"machine", "stream", "timeline"}),
    "timeline": frozenset(),
    "present": frozenset(),
    "report": _RESULTS,
    "cli": _RESULTS | {"capture", "report"},
    FACE: _RESULTS | {"capture", "report"},
    "__main__": frozenset({"cli"}),
}


@dataclass(frozen=True)
class Import:
    """One module that a file imports, and the line that does it."""

    line: int
    module: str


def violations(source: Path) -> list[str]:
    """What breaks the layering under `source`, the directory that holds the package."""
    found: list[str] = []
    for path in sorted((source / PACKAGE).rglob("*.py")):
        name = path.relative_to(source).with_suffix("").as_posix()
        part = name.split("/")[1]
        if part not in ALLOWED:
            found.append(f"{name}: {part} has no place in the layering table")
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for item in imports(tree, package=tuple(name.split("/")[:-1])):
            problem = _problem(part, item.module)
            if problem:
                found.append(f"{name}:{item.line}: {problem}")
    return found


def imports(tree: ast.AST, package: tuple[str, ...]) -> Iterator[Import]:
    """Every module that a syntax tree names in an import, wherever it stands in the file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _base(node, package)
            yield from (Import(node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) == "import_module":
            yield from _named_module(node)


def _base(node: ast.ImportFrom, package: tuple[str, ...]) -> str:
    if node.level == 0:
        return node.module or ""
    parents = package[: len(package) - node.level + 1]
    return ".".join([*parents, *([node.module] if node.module else [])])


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _named_module(call: ast.Call) -> Iterator[Import]:
    """The module of `import_module("a.b")`, or the constant beginning of a formatted name."""
    argument = call.args[0] if call.args else None
    if isinstance(argument, ast.JoinedStr) and argument.values:
        argument = argument.values[0]
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        yield Import(call.lineno, argument.value)


def _problem(part: str, module: str) -> str:
    top, _, rest = module.partition(".")
    if top in OUTSIDE:
        return f"the package imports {top}, which is not part of it"
    if top != PACKAGE:
        return ""
    imported = rest.split(".")[0]
    if imported not in ALLOWED:
        return f"{part} imports {module} from the face of the package"
    if imported == part or imported in FOUNDATION - {part} | ALLOWED[part]:
        return ""
    return f"{part} imports {imported}, which is not below it"
