"""What design 4.1-4.5 states, a row a statement, and the rows that cannot change a verdict."""

from __future__ import annotations

STATEMENTS: dict[str, str] = {
    "4.1 texture": "vector memory reads: TCP, TCC; complete when their stage has drained",
    "4.1 uav-write": "UAV writes: through TCP into TCC; complete when their stage has drained",
    "4.1 uav-atomic": "UAV atomics: in TCC, with MISS_EVICT in TCP",
    "4.1 constant": "constants and scalar reads: K$, TCC",
    "4.1 code": "shader code: I$, TCC",
    "4.1 color": "CB: its pixel and metadata caches, not TCC; complete at the end of pipe",
    "4.1 depth": "DB: its pixel and metadata caches, not TCC; complete at the end of pipe",
    "4.1 stream-out": "stream-out: TCC; needs a full synchronization",
    "4.1 index": "index data: memory, between PFP reaching the draw and the end of its VS",
    "4.1 pfp": "arguments, predication, commands: memory, before ME sees the packet",
    "4.1 cp-value": "fence values, timestamps, what the CP stores itself: memory",
    "4.1 cp-dma": "CP DMA: memory, or TCC where selected; an EOP does not wait for it",
    "4.1 gds": "GDS is an address space of its own, without a cache",
    "4.1 cpu": "CPU: memory",
    "4.1 copy-queue": "copy queue: memory, in order",
    "4.1 scan-out": "scan-out: memory, at the flip",
    "4.1 lines": "lines are 64 bytes; they come in whole, written bytes alone go out",
    "4.1 meeting": "two ways meet at the first level that they share",
    "4.1 same-bytes": "two resources on the same bytes are the same bytes",
    "4.2 tcc": "TCC: write back and invalidate, top or pipelined, no range",
    "4.2 tcp": "TCP: write back and invalidate, top or pipelined, no range",
    "4.2 volatile": "volatile lines of TCC and TCP: their own write-back, top or pipelined",
    "4.2 k": "K$: invalidate, top, no range",
    "4.2 i": "I$: invalidate, top, no range",
    "4.2 cb-pixels": "CB pixels: write back pipelined; write back and invalidate top or pipelined",
    "4.2 cb-metadata": "CB metadata: write back and invalidate, pipelined only",
    "4.2 db-pixels": "DB pixels: as CB's, and top of pipe honours a range",
    "4.2 db-metadata": "DB metadata: write back and invalidate, pipelined only",
    "4.2 db-metadata-range": "DB metadata honours a range",
    "4.2 top-of-pipe": "a top-of-pipe operation acts when the CP reads it, whatever runs",
    "4.2 thousands-of-cycles": "it takes thousands of cycles and empties caches under draws",
    "4.2 event": "an event acts at the end of pipe of the preceding draws; its block's later "
    "accesses come after it, later shader stages do not",
    "4.2 event-strict": "strict trusts an event's order with its block's own accesses only",
    "4.2 tcp-to-tcc": "a TCP write-back reaches TCC, not memory",
    "4.3 partial-flush": "a partial flush holds ME until its stage has drained; PS includes VS",
    "4.3 one-partial-flush": "one partial flush is in flight at a time",
    "4.3 eop": "EOP: after all earlier work and its own operations; values in order; CB and DB "
    "data need not have reached memory",
    "4.3 eos": "EOS: PS_DONE for draws, CS_DONE for dispatches; the back end may still run",
    "4.3 wait": "a wait holds its engine; an ME wait does not hold PFP",
    "4.3 wait-every-write": "it guarantees what every write that could satisfy it guarantees",
    "4.3 wait-starting-value": "a starting value that satisfies it guarantees nothing",
    "4.3 wait-hangs": "a wait that nothing satisfies, deadlock",
    "4.3 pfp-sync-me": "PFP_SYNC_ME: PFP waits until ME has consumed everything before it",
    "4.3 wait-idle": "idle: all earlier work past the end of pipe, earlier flushes confirmed",
    "4.3 fmask": "an idle is the only way to synchronize FMASK for texture reads (xbox-one)",
    "4.3 event-context": "an event belongs to the context current when it is issued",
    "4.3 surface-sync-stall": "surface sync stalls until contexts that draw to its range are done",
    "4.3 surface-sync-base": "four ranges, used for stream-out",
    "4.3 surface-sync-order": "it writes back, confirms, then invalidates from far to near",
    "4.3 surface-sync-confirm": "CB and DB are confirmed with their block's bit only, TCC always",
    "4.3 surface-sync-action": "an action without its bit is finished only after an idle",
    "4.3 surface-sync-dispatches": "it never waits for dispatches",
    "4.3 surface-sync-roll": "it rolls the context, unless between a register write and a draw",
    "4.3 surface-sync-drawless": "it never orders an event of a freshly rolled, drawless context",
    "4.3 surface-sync-engine": "it acts on, and holds, the engine that it is issued on",
    "4.3 surface-sync-null": "base and size must not both be zero",
    "4.3 compute": "top- and bottom-of-pipe flushes on a compute queue, without CB and DB",
    "4.3 context-roll": "draws with the same state share a context",
    "4.3 eight-rolls": "a draw eight rolls back has retired; retired is not written back",
    "4.3 kickoff": "a kickoff orders the CPU's earlier writes; the CPU learns by labels only; on "
    "gcn2 a command buffer starts with invalid read caches",
    "4.3 frame": "xbox-one: at a frame's start the read caches hold nothing old",
    "4.3 frame-in-flight": "the last frame's work and dirty data may still be in flight",
    "4.3 cp-dma": "CP DMA: synchronous or not; ordered with nothing until a DMA wait",
    "4.3 present": "a flip after the end of pipe; a buffer that is free again",
    "4.3 draws-in-order": "draws finish in order",
    "4.3 dispatches-in-order": "dispatches finish in order",
    "4.3 overlap": "draws and dispatches overlap one another",
    "4.3 color-to-color": "color to color needs nothing",
    "4.3 depth-to-depth": "depth to depth needs nothing",
    "4.3 uav-to-uav": "UAV to UAV needs a barrier",
    "4.3 minimum-cost": "a fence costs two memory round trips, 800 cycles at least",
    "4.4 hit": "a read can be stale only if its policy is HIT_*",
    "4.4 lru-stays": "*_LRU leaves the line",
    "4.4 evict-drained": "*_EVICT leaves it until the stage has drained",
    "4.4 default": "reads are HIT_LRU, writes MISS_LRU by default",
    "4.4 atomics": "atomics are MISS_EVICT",
    "4.4 allowed": "writes are MISS_* only, atomics MISS_EVICT only",
    "4.5 ps-done": "documented: PS_DONE implies earlier events and EOP operations",
    "4.5 ps-partial-flush": "documented: so does PS_PARTIAL_FLUSH",
    "4.5 eop": "documented: so does EOP",
    "4.5 cs-done": "documented: CS_DONE implies earlier EOP operations only",
    "4.5 cs-partial-flush": "documented: so does CS_PARTIAL_FLUSH",
    "4.5 vs": "VS implies none",
    "4.5 strict-confirms": "strict: confirmed by coherency, by an idle, by the EOP that carries it",
    "4.5 default-level": "documented is xbox-one's default, strict that of gcn2",
    "4.5 render-target-to-texture": "the seed's render-target methods never flush L1",
    "4.5 constant-buffer": "its constant-buffer step 1 says when, step 2 how",
    "4.5 uav-to-render-target": "its last UAV step is for blending over a clean old line",
    "5 feedback": "one command on the same bytes by two ways; not by one in-order way, not atomics",
    "5 queues": "what holds within a queue and what across queues",
}

_VOLATILE = (
    "nothing can mark a line volatile: resources have no descriptor here, and the driver of "
    "October 2014 did not support it; the machine carries the rows, so that they can be read"
)

CANNOT: dict[str, str] = {
    "4.2 volatile": _VOLATILE,
    **{
        f"operation {cache}.volatile.{action} {place}": _VOLATILE
        for cache in ("tcc", "tcp")
        for action in ("wb", "wbinv")
        for place in ("top", "pipelined")
    },
    "4.2 db-metadata-range": "an event carries no range, and a surface sync has no metadata action "
    "(deviations)",
    "4.2 thousands-of-cycles": "timing: the model lets an operation take any time",
    "4.3 one-partial-flush": "timing: a second one waits its turn, and waits for no less",
    "4.3 dispatches-in-order": "whatever waits for a dispatch waits for all earlier ones too",
    "4.3 minimum-cost": "timing",
    "4.4 allowed": "another policy is refused as input (stream/legality.py)",
}
"""Rows that cannot change a verdict, with the reason."""
