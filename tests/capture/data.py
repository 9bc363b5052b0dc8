"""The shared material: real captures and the registers' public description."""

import os
from pathlib import Path

import pytest

_DIRECTORY = os.environ.get("FENCEPOST_DATA", "")
DATA = Path(_DIRECTORY or ".")
CAPTURES = DATA / "captures" / "pm4"
needs_data = pytest.mark.skipif(not _DIRECTORY, reason="FENCEPOST_DATA is not set")

RADEONSI = CAPTURES / "gcn2_radeonsi_bonaire_amd_debug_ib.txt"


def radv_streams(program: str = "*") -> list[Path]:
    """The hex streams of a recorded program, in order."""
    return sorted(CAPTURES.glob(f"gcn2_radv_bonaire_{program}/cs_*.txt"))
