"""`fencepost machine [NAME]`: which machines there are, and their tables."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.cli.arguments import Parser
from fencepost.cli.output import style_of, write_output
from fencepost.machine.profiles import MACHINES, find_machine
from fencepost.machine.tables import Machine
from fencepost.report.machine_text import machine_data, machine_list, machine_text

EXAMPLES = """\
  fencepost machine                            list the machines
  fencepost machine xbox-one                   print engines, caches, ways, operations, commands
  fencepost machine xbox-one --format json     the same as data"""


def parser() -> Parser:
    """The arguments of this verb."""
    made = Parser("machine", "List the machines, or print the tables of one.", EXAMPLES)
    made.add_argument("name", nargs="?", metavar="NAME", help="a machine; none: list them")
    made.add_argument("--format", choices=("text", "json"), default="text")
    made.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    return made


def run(words: Sequence[str]) -> int:
    """Print what is asked for; raises `UsageProblem` for a machine that does not exist."""
    arguments = parser().parse_args(words)
    machine = find_machine(arguments.name) if arguments.name is not None else None
    if arguments.format == "json":
        write_output(_json(machine))
        return 0
    style = style_of(arguments.color, None)
    text = machine_text(machine, style) if machine else machine_list(MACHINES.values())
    write_output(text.encode(style.encoding, "backslashreplace"))
    return 0


def _json(machine: Machine | None) -> bytes:
    import msgspec  # noqa: PLC0415

    data: object = (
        machine_data(machine)
        if machine
        else {"format": "fencepost.machines", "version": 1, "machines": list(MACHINES)}
    )
    return msgspec.json.format(msgspec.json.encode(data), indent=2) + b"\n"
