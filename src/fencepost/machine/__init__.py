"""Machines as tables: engines, completion groups, caches, ways, operations, commands.

Every row names its source.
"""

from fencepost.machine.profiles import MACHINES, find_machine
from fencepost.machine.tables import Machine

__all__ = ["MACHINES", "Machine", "find_machine"]
