"""RADV's packets become the lines that mean the same."""

from __future__ import annotations

import pytest

from fencepost.stream.command import SurfaceSync
from fencepost.stream.resource import WHOLE_END
from fencepost.stream.text import parse_text
from tests.drivers.packets import EOP, lines_of


@pytest.mark.parametrize(
    ("packets", "lines"),
    [
        ("", ()),
        ("CS_PARTIAL_FLUSH ; PFP_SYNC_ME", ("flush cs", "pfp-sync-me")),
        ("SURFACE_SYNC[TCL1+TC+KCACHE]", ("sync pfp tcc.wbinv tcp.wbinv k.inv",)),
        ("SURFACE_SYNC[DB+DB_ACT]", ("sync pfp db.pixels.wbinv coherent db all",)),
        ("EOS[CS_DONE cmd=2]", ("eos cs event = 1",)),
        (f"{EOP} ; {EOP}", ("eop event = 0", "eop event = 1")),
    ],
)
def test_lines(packets: str, lines: tuple[str, ...]) -> None:
    assert lines_of(packets) == lines


@pytest.mark.parametrize("packets", ["FLUSH", "SURFACE_SYNC[TC+ICACHE]", "EOP[CACHE_FLUSH]"])
def test_an_unknown_packet_is_an_error(packets: str) -> None:
    with pytest.raises(KeyError):
        lines_of(packets)


def test_a_surface_sync_is_of_pfp_and_of_every_address() -> None:
    (line,) = lines_of("SURFACE_SYNC[CB0-7+DB+TCL1+TC+CB_ACT+DB_ACT+KCACHE]")
    program = parse_text(f"machine gcn2-bonaire\nqueue gfx: graphics\n  {line}\n", "driver")
    (sync,) = program.queues[0].commands
    assert isinstance(sync, SurfaceSync)
    assert (sync.engine, sync.start, sync.end) == ("pfp", 0, WHOLE_END)
    assert sync.coherency == (*(f"cb{number}" for number in range(8)), "db")
    assert {operation.cache for operation in sync.operations} == {
        *("cb.pixels", "db.pixels", "tcc", "tcp", "k")
    }
