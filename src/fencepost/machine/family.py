"""Rows that all GCN generation 2 machines share: engines, groups, caches, ways, operations.

Laid out to be read beside the seed: ways = "D3D resources and caches", operations = "Supported
cache operations".
"""

from __future__ import annotations

from fencepost.machine.tables import (
    ALL_POLICIES,
    WRITE_POLICIES,
    CacheRow,
    EngineRow,
    GroupRow,
    OperationRow,
    WayRow,
)

PIPELINE = 'seed 000 "Pipeline stages at a glance"'
CACHES = 'seed 002 "Ressources D3D et caches"'
TABLE = 'seed 000 "Supported cache operations"'
POLICY = 'seed 000 "L1 cache policies"'
EVENTS = 'seed 000 "End-of-pipe and end-of-shader events"'
TOGETHER = 'seed 000 "Putting it all together"'
OWN = "hardware.md 1.3 (COPY_DATA, WRITE_DATA with confirm: the engine goes on when it is done)"

ENGINES = (
    EngineRow(
        "pfp",
        "PFP",
        "pre-fetch parser: reads the command buffer, index and indirect data for ME",
        PIPELINE,
    ),
    EngineRow("me", "ME", "micro-engine: executes packets, blocks on waits", PIPELINE),
    EngineRow("dma", "CP DMA", "copies memory and GDS, kicked by ME or PFP", PIPELINE),
    EngineRow("vs", "VS waves", "vertex shader stage", PIPELINE),
    EngineRow("ps", "PS waves", "pixel shader stage", PIPELINE),
    EngineRow("cs", "CS waves", "compute shader stage", PIPELINE),
    EngineRow("cb", "CB", "color block of the render back end", PIPELINE),
    EngineRow("db", "DB", "depth block of the render back end", PIPELINE),
    EngineRow("so", "SO", "stream-out", TOGETHER),
    EngineRow("cp", "CP", "writes fence values and timestamps", TOGETHER),
    EngineRow("cpu", "CPU", "reads and writes memory; kicks off command buffers", TOGETHER),
    EngineRow("copy", "copy queue", "DMA engine with a queue of its own", "hardware.md 1.6 (SDMA)"),
    EngineRow("display", "display", "scans back buffers out", "design 9"),
)

GROUPS = (
    GroupRow("pfp", "PFP has passed the command", PIPELINE),
    GroupRow("me", "ME has handled the command", PIPELINE),
    GroupRow("vs", "its last vertex wave has retired", EVENTS),
    GroupRow("ps", "its last wave has retired", EVENTS),
    GroupRow("cs", "its last compute wave has retired", EVENTS),
    GroupRow("cb", "the draw has passed the end of pipe", EVENTS),
    GroupRow("db", "the draw has passed the end of pipe", EVENTS),
    GroupRow("so", "stream-out is finished", TOGETHER),
    GroupRow("dma", "the CP DMA is idle (kicked by ME)", "hardware.md 1.3 (CP DMA semantics)"),
    GroupRow("dma.pfp", "the CP DMA is idle (kicked by PFP)", "hardware.md 1.3 (CP DMA semantics)"),
    GroupRow("eop", "the end-of-pipe value has been written", EVENTS),
    GroupRow("eos.ps", "the PS_DONE value has been written", EVENTS),
    GroupRow("eos.cs", "the CS_DONE value has been written", EVENTS),
    GroupRow("serial", "the CPU or copy queue has gone on", "model 2.1"),
    GroupRow("wc", "a kickoff has drained the write-combining buffers", "model 2.6"),
    GroupRow("flip", "the back buffer is no longer visible", "design 9"),
)


def caches(fmask_confirm: str) -> tuple[CacheRow, ...]:
    """The caches; `fmask_confirm` says which confirm an FMASK flush needs (model 4.4-4.6)."""
    return (
        CacheRow("tcp", "TCP (L1)", "tcp", False, True, "", "", TABLE),
        CacheRow("k", "K$ (SQC)", "k", False, False, "", "", TABLE),
        CacheRow("i", "I$ (SQC)", "i", False, False, "", "", TABLE),
        CacheRow("tcc", "TCC (L2)", "tcc", True, False, "", "", TABLE),
        CacheRow("cb.pixels", "CB pixels", "cb.pixels", True, False, "cb", "", TABLE),
        CacheRow("cb.cmask", "CB metadata (CMASK)", "cb.metadata", True, False, "cb", "", TABLE),
        CacheRow(
            "cb.fmask",
            "CB metadata (FMASK)",
            "cb.metadata",
            True,
            False,
            "cb",
            fmask_confirm,
            'seed 000 "Surface sync" (FMask)',
        ),
        CacheRow("db.pixels", "DB pixels", "db.pixels", True, False, "db", "", TABLE),
        CacheRow("db.htile", "DB metadata (HTILE)", "db.metadata", True, False, "db", "", TABLE),
    )


WAVES = ("vs", "ps", "cs")


def _vmem(use: str) -> WayRow:
    """A vector memory read: every VMEM instruction goes through TCP and TCC."""
    return WayRow(
        WAVES,
        use,
        "*",
        True,
        False,
        ("tcp", "tcc"),
        "me",
        "",
        CACHES,
        inside="uav" if use == "uav-read" else "",
        policies=ALL_POLICIES,
        policy="hit-lru",
    )


def _uav(use: str, reads: bool) -> WayRow:
    """A UAV write, or read and write (without a policy.

    The read may hit, both leave their line).
    """
    return WayRow(
        WAVES,
        use,
        "*",
        reads,
        True,
        ("tcp", "tcc"),
        "me",
        "",
        f"{CACHES}; {POLICY}",
        inside="uav",
        policies=WRITE_POLICIES,
        policy="" if reads else "miss-lru",
    )


def _target(block: str, use: str, part: str, reads: bool, writes: bool, cache: str) -> WayRow:
    """An access of CB or DB: not through TCC."""
    return WayRow(
        (block,), use, part, reads, writes, (cache,), "me", block, CACHES, safe_with=cache
    )


def _memory(
    blocks: tuple[str, ...], use: str, writes: bool, engine: str, group: str, source: str
) -> WayRow:
    """An access that goes straight to memory."""
    return WayRow(blocks, use, "*", not writes, writes, (), engine, group, source)


def _cpu(use: str, writes: bool, group: str, source: str) -> WayRow:
    """A CPU access: one CPU sees its own stores in order, however they are buffered."""
    return WayRow(
        ("cpu",), use, "*", not writes, writes, (), "serial", group, source, safe_with="cpu"
    )


SHARED_WAYS = (
    _vmem("texture"),
    _vmem("vertex"),
    _vmem("buffer"),
    _vmem("uav-read"),
    _uav("uav-write", False),
    _uav("uav", True),
    WayRow(
        WAVES,
        "atomic",
        "*",
        True,
        True,
        ("tcp", "tcc"),
        "me",
        "",
        POLICY,
        safe_with="atomic",
        safe_across=True,
        inside="uav",
        policies=("miss-evict",),
        policy="miss-evict",
    ),
    WayRow(WAVES, "constant", "*", True, False, ("k", "tcc"), "me", "", CACHES),
    WayRow(WAVES, "code", "*", True, False, ("i", "tcc"), "me", "", CACHES),
    WayRow(WAVES, "gds-read", "gds", True, False, (), "me", "", "design 4.1", inside="uav"),
    WayRow(WAVES, "gds-write", "gds", False, True, (), "me", "", "design 4.1", inside="uav"),
    WayRow(
        WAVES,
        "gds-atomic",
        "gds",
        True,
        True,
        (),
        "me",
        "",
        "design 4.1",
        safe_with="gds-atomic",
        safe_across=True,
        inside="uav",
    ),
    _target("cb", "read", "pixels", True, False, "cb.pixels"),
    _target("cb", "read", "cmask", True, False, "cb.cmask"),
    _target("cb", "read", "fmask", True, False, "cb.fmask"),
    _target("cb", "write", "pixels", False, True, "cb.pixels"),
    _target("cb", "write", "cmask", True, True, "cb.cmask"),
    _target("cb", "write", "fmask", True, True, "cb.fmask"),
    _target("cb", "blend", "pixels", True, True, "cb.pixels"),
    _target("cb", "blend", "cmask", True, True, "cb.cmask"),
    _target("cb", "blend", "fmask", True, True, "cb.fmask"),
    _target("db", "test", "pixels", True, False, "db.pixels"),
    _target("db", "test", "htile", True, False, "db.htile"),
    _target("db", "write", "pixels", True, True, "db.pixels"),
    _target("db", "write", "htile", True, True, "db.htile"),
    _target("db", "clear", "pixels", False, True, "db.pixels"),
    _target("db", "clear", "htile", False, True, "db.htile"),
    _memory(("pfp",), "index", False, "pfp", "vs", PIPELINE),
    _memory(("pfp",), "args", False, "pfp", "pfp", PIPELINE),
    _memory(("pfp",), "predicate", False, "pfp", "pfp", PIPELINE),
    _memory(("pfp",), "commands", False, "pfp", "pfp", PIPELINE),
    _memory(("pfp",), "read", False, "pfp", "pfp", OWN),
    _memory(("pfp",), "store", True, "pfp", "pfp", OWN),
    _memory(("cp",), "read", False, "me", "me", OWN),
    _memory(("cp",), "store", True, "me", "me", OWN),
    _memory(("dma",), "read", False, "kick", "dma", PIPELINE),
    _memory(("dma",), "write", True, "kick", "dma", PIPELINE),
    WayRow(("dma",), "read-tcc", "*", True, False, ("tcc",), "kick", "dma", PIPELINE),
    WayRow(("dma",), "write-tcc", "*", False, True, ("tcc",), "kick", "dma", PIPELINE),
    _memory(("cp",), "write", True, "end", "eop", TOGETHER),
    _cpu("read", False, "serial", TOGETHER),
    _cpu("write", True, "serial", TOGETHER),
    _cpu("write-combined", True, "wc", 'seed 000 "Examples"; model 2.6'),
    _memory(("copy",), "read", False, "serial", "serial", "hardware.md 1.6 (SDMA)"),
    _memory(("copy",), "write", True, "serial", "serial", "hardware.md 1.6 (SDMA)"),
    _memory(("display",), "scan", False, "end", "flip", "design 9"),
)


def ways(stream_out: str, source: str) -> tuple[WayRow, ...]:
    """The ways; `stream_out` is the group that says when stream-out is complete."""
    row = WayRow(
        ("so",), "write", "*", False, True, ("tcc",), "me", stream_out, source, safe_with="so"
    )
    return (*SHARED_WAYS, row)


OPERATIONS = (
    OperationRow("tcc", "TCC (L2)", "wbinv", True, True, False, TABLE),
    OperationRow("tcp", "TCP (L1)", "wbinv", True, True, False, TABLE),
    OperationRow("tcc.volatile", "TCC VOL (L2 volatile)", "wb", True, True, False, TABLE),
    OperationRow("tcc.volatile", "TCC VOL (L2 volatile)", "wbinv", True, True, False, TABLE),
    OperationRow("tcp.volatile", "TCP VOL (L1 volatile)", "wb", True, True, False, TABLE),
    OperationRow("tcp.volatile", "TCP VOL (L1 volatile)", "wbinv", True, True, False, TABLE),
    OperationRow("k", "K$ (SQC)", "inv", True, False, False, TABLE),
    OperationRow("i", "I$ (SQC)", "inv", True, False, False, TABLE),
    OperationRow("cb.pixels", "CB pixels", "wb", False, True, False, TABLE),
    OperationRow("cb.pixels", "CB pixels", "wbinv", True, True, False, TABLE),
    OperationRow("cb.metadata", "CB metadata", "wbinv", False, True, False, TABLE),
    OperationRow("db.pixels", "DB pixels", "wb", False, True, False, TABLE),
    OperationRow("db.pixels", "DB pixels", "wbinv", True, True, True, TABLE),
    OperationRow(
        "db.metadata", "DB metadata", "wbinv", False, True, False, f"{TABLE}; hardware.md 6"
    ),
)
"""As the seed's table.

Its range "Yes" for DB metadata cannot be reached: an event carries no range (deviations).
"""
