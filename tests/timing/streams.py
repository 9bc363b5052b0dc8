"""Random streams of one graphics queue, as text: works with costs, synchronization that ends.

Labels only rise, and a wait asks for what has been written before it. PFP does nothing that ME
would have to wait for first: what PFP does ahead of ME need not come later because ME does.
"""

from __future__ import annotations

from hypothesis import strategies as st

HEAD = """machine gcn2-hawaii
buffer a 64K
buffer b 64K
buffer big 2M
color  t 256x256 rgba8 cmask
color  u 256x256 rgba8
depth  z 256x256 d32f
label  l = 0, m = 0, n = 0
"""

ACCESSES = {
    "draw": (
        "cb0.write t",
        "cb0.write u; db.write z",
        "ps.texture t; cb0.write u",
        "vs.vertex a; ps.texture big; cb0.blend t",
        "ps.uav-write b",
        "",
    ),
    "dispatch": ("cs.uav-write a", "cs.texture t; cs.uav-write b", "cs.buffer big", ""),
}
LOADS = {
    "draw": ("geometry", "raster", "sm", "l1", "l2", "memory", "rop"),
    "dispatch": ("sm", "l1", "l2", "memory"),
}
COUNTS = {
    "draw": ("vertices", "pixels", "operations", "bytes"),
    "dispatch": ("threads", "operations", "bytes"),
}
PARTS = ("10%", "25%", "40%", "50%", "0.7", "0.95", "1")
LABELS = ("l", "m", "n")


@st.composite
def given_costs(draw: st.DrawFn, verb: str) -> str:
    """A duration in cycles, with loads."""
    words = [f"cycles={draw(st.sampled_from((1, 37, 500, 2000, 9000)))}"]
    units = draw(st.lists(st.sampled_from(LOADS[verb]), max_size=3, unique=True))
    words += [f"{unit}={draw(st.sampled_from(PARTS))}" for unit in units]
    words += _shape(draw, verb)
    return f" @ {' '.join(words)}"


def _shape(draw: st.DrawFn, verb: str) -> list[str]:
    words = []
    if draw(st.booleans()):
        words.append(f"residency={draw(st.sampled_from(PARTS))}")
    if draw(st.booleans()):
        words.append(f"waves={draw(st.sampled_from((1, 100, 1760, 4000, 30000)))}")
    if verb == "draw" and draw(st.booleans()):
        words.append(f"vs={draw(st.sampled_from(PARTS))}")
    return words


@st.composite
def counted_costs(draw: st.DrawFn, verb: str) -> str:
    """Counts, or nothing: the accesses say it."""
    keys = draw(st.lists(st.sampled_from(COUNTS[verb]), max_size=3, unique=True))
    words = [f"{key}={draw(st.sampled_from((64, 3000, 70000, 2000000)))}" for key in keys]
    return f" @ {' '.join(words)}" if words else ""


@st.composite
def works(draw: st.DrawFn) -> str:
    """A draw or a dispatch."""
    verb = draw(st.sampled_from(("draw", "draw", "dispatch")))
    cost = draw(st.one_of(given_costs(verb), counted_costs(verb)))
    return f"{verb} {draw(st.sampled_from(ACCESSES[verb]))}{cost}"


PLAIN = (
    "flush vs",
    "flush ps",
    "flush cs",
    "wait idle",
    "event cb.pixels.wbinv",
    "event db.pixels.wbinv cb.metadata.wbinv",
    "sync me tcc.wbinv tcp.wbinv",
    "sync me k.inv i.inv",
    "sync me coherent cb0 t",
    "sync me cb.pixels.wbinv coherent cb0 db all",
    "eop with tcc.wbinv",
    "context",
    "pfp-sync-me",
    "copy a from b",
    "copy big from a raw-wait",
    "copy b from a sync",
    "dma wait",
)
WAITS = (
    "flush vs",
    "flush ps",
    "flush cs",
    "wait idle",
    "dma wait",
    "pfp-sync-me",
    "sync me coherent cb0 t",
    "sync me coherent db all",
    "wait me l >= 0",
    "wait pfp m >= 0",
)
"""Synchronization that only waits."""


@st.composite
def streams(draw: st.DrawFn, most: int = 12) -> list[str]:
    """The commands of a queue."""
    values = dict.fromkeys(LABELS, 0)
    lines = []
    for _ in range(draw(st.integers(1, most))):
        kind = draw(st.sampled_from(("work", "work", "work", "plain", "value", "wait")))
        label = draw(st.sampled_from(LABELS))
        if kind == "work":
            lines.append(draw(works()))
        elif kind == "plain":
            lines.append(draw(st.sampled_from(PLAIN)))
        elif kind == "value":
            values[label] += 1
            form = {"l": "eos ps l", "m": "eop m", "n": "eos cs n"}[label]
            lines.append(f"{form} = {values[label]}")
        else:
            engine = draw(st.sampled_from(("me", "me", "pfp")))
            lines.append(f"wait {engine} {label} >= {values[label]}")
    return lines
