"""RADV's packets as lines of the stream text (hardware.md 1.3-1.5)."""

from __future__ import annotations

EOP = "EOP[BOTTOM_OF_PIPE_TS data_sel=1 int_sel=3]"
SYNC = "SURFACE_SYNC["

LINES: dict[str, tuple[str, ...]] = {
    "VS_PARTIAL_FLUSH": ("flush vs",),
    "PS_PARTIAL_FLUSH": ("flush ps",),
    "CS_PARTIAL_FLUSH": ("flush cs",),
    "FLUSH_AND_INV_CB_META": ("event cb.metadata.wbinv",),
    "FLUSH_AND_INV_DB_META": ("event db.metadata.wbinv",),
    "PFP_SYNC_ME": ("pfp-sync-me",),
    "EOS[PS_DONE cmd=2]": ("eos ps event = 1",),
    "EOS[CS_DONE cmd=2]": ("eos cs event = 1",),
    "two EOP": ("eop event = 0", "eop event = 1"),  # the first is a dummy (hardware.md 1.6)
    "WRITE_DATA[engine=0 dst_sel=5]": ("set me event = 1",),
    "WRITE_DATA[engine=1 dst_sel=5]": ("set pfp event = 1",),
    "WAIT_REG_MEM[func=3 MEM ME]": ("wait me event == 1",),
}

OPERATIONS = {
    "CB_ACT": "cb.pixels.wbinv",
    "DB_ACT": "db.pixels.wbinv",
    "TC": "tcc.wbinv",
    "TCL1": "tcp.wbinv",
    "KCACHE": "k.inv",
}
COHERENCY = {"CB0-7": " ".join(f"cb{number}" for number in range(8)), "DB": "db"}


def lines_of(packets: str) -> tuple[str, ...]:
    """The lines of a cell of packets; KeyError names a packet that the tables do not know."""
    words = packets.replace(f"{EOP} ; {EOP}", "two EOP").split(" ; ") if packets else []
    return tuple(line for word in words for line in _packet(word))


def _packet(word: str) -> tuple[str, ...]:
    if word.startswith(SYNC):
        return (surface_sync(word.removeprefix(SYNC).removesuffix("]").split("+")),)
    return LINES[word]


def surface_sync(bits: list[str]) -> str:
    """A surface sync of the whole range on PFP: bit 31 of CP_COHER_CNTL is 0 in all rows."""
    known = OPERATIONS | COHERENCY
    for bit in bits:
        known[bit]  # an unknown bit is a KeyError, not a bit less
    operations = [word for bit, word in OPERATIONS.items() if bit in bits]
    coherency = [word for bit, word in COHERENCY.items() if bit in bits]
    tail = ["coherent", *coherency, "all"] if coherency else []
    return " ".join(["sync pfp", *operations, *tail])
