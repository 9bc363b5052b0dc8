"""What a form can spare is found piece by piece."""

from __future__ import annotations

import pytest

from tests.drivers.forms import transitions
from tests.drivers.spare import spared


@pytest.mark.parametrize(
    ("name", "title", "pieces"),
    [
        # shaders meet in TCC, and nothing is read through K$
        ("uav-to-texture", "RADV", ["`tcc.wbinv`", "`k.inv`"]),
        ("uav-to-texture", "radeonsi", []),
        # PFP reads memory, so TCP is of no use
        ("uav-to-indirect", "radeonsi", ["`tcp.wbinv`"]),
        # the surface sync idles all contexts
        ("depth-to-texture", "RADV", ["`flush ps`", "`k.inv`"]),
    ],
)
def test_pieces(name: str, title: str, pieces: list[str]) -> None:
    transition = next(row for row in transitions() if row.name == name)
    form = next(row for row in transition.forms if row.title == title)
    assert spared(transition, form) == pieces
