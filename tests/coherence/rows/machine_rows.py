"""The rows of a machine's tables, each with the name that pairs call it by."""

from __future__ import annotations

from collections.abc import Iterator

from fencepost.machine.tables import CommandRow, Machine, OperationRow, WayRow

WAVES = ("vs", "ps", "cs")


def way_name(row: WayRow) -> str:
    """`way cb.write cmask`; the shader stages, which share their rows, are `waves`."""
    block = "waves" if row.blocks == WAVES else row.blocks[0]
    part = "" if row.part in ("*", "gds") else f" {row.part}"
    return f"way {block}.{row.use}{part}"


def command_name(row: CommandRow) -> str:
    """`command EndOfShader ps`."""
    return f"command {row.command} {row.operand}".rstrip()


def operation_names(row: OperationRow) -> Iterator[str]:
    """`operation cb.pixels.wbinv top`: one name for each place where it may be issued."""
    for place, possible in (("top", row.top), ("pipelined", row.pipelined), ("range", row.ranged)):
        if possible:
            yield f"operation {row.cache}.{row.action} {place}"


def policy_names(machine: Machine) -> Iterator[str]:
    """`policy read hit-lru`."""
    for row in machine.ways:
        kind = row.use if row.use == "atomic" else "write" if row.writes else "read"
        yield from (f"policy {kind} {policy}" for policy in row.policies)


def machine_rows(machine: Machine) -> dict[str, list[str]]:
    """All names, by table, in the order of the tables."""
    return {
        "ways": [way_name(row) for row in machine.ways],
        "caches": [f"cache {row.name}" for row in machine.caches],
        "groups": [f"group {row.name}" for row in machine.groups],
        "operations": [name for row in machine.operations for name in operation_names(row)],
        "commands": [command_name(row) for row in machine.commands],
        "policies": list(dict.fromkeys(policy_names(machine))),
    }
