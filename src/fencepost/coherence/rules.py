"""Every rule that a finding can name: one row each. `fencepost explain RULE` prints a row."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.coherence.finding import Kind


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: stable kebab-case id, list, title, what it means, what mends it, source."""

    id: str
    kind: Kind
    title: str
    meaning: str
    mend: str
    source: str


BARRIER = 'seed 000 "Pipeline barrier"'
TOGETHER = 'seed 000 "Putting it all together"'
FLUSHES = 'seed 000 "Top-of-pipe and end-of-pipe flushes"'

RULES: tuple[Rule, ...] = (
    Rule(
        "read-after-write",
        Kind.HAZARD,
        "a read may start before the write that it needs is complete",
        "Draws and dispatches overlap, and PFP runs ahead of ME. Nothing here makes the engine "
        "that performs the read "
        "wait until the producing work has finished, so the read may see what was there before.",
        "A pipeline barrier between the two: a partial flush of the producing stage, an EOS or "
        "EOP fence, a surface sync "
        "(CB, DB), a DMA wait; at PFP when PFP reads.",
        f"{BARRIER}; design 5.1; model 5.3",
    ),
    Rule(
        "write-after-read",
        Kind.HAZARD,
        "a write may happen before an earlier read is complete",
        "The earlier command may still be reading these bytes when the later one overwrites them.",
        "A pipeline barrier on the reading stage. No cache operation is needed for this alone.",
        f"{BARRIER}; design 5.1; model 5.3",
    ),
    Rule(
        "write-after-write",
        Kind.HAZARD,
        "two writes of the same bytes may happen in the wrong order",
        "Nothing makes the later write wait for the earlier one, and they do not go through one "
        "in-order block.",
        "A pipeline barrier on the earlier writer.",
        f"{BARRIER}; design 5.1; model 5.3",
    ),
    Rule(
        "not-written-back",
        Kind.HAZARD,
        "the data may still be in the producer's cache",
        "The producer is finished, but its cache (TCC, CB or DB) has not been written back to a "
        "level that the consumer "
        "reads through, or nothing says that the write-back is finished.",
        "A write-back of that cache after the producer, and a confirm: an EOP that carries it, "
        "surface-sync coherency, or a "
        "wait until idle.",
        f"{TOGETHER}; design 5.2; model 5.3",
    ),
    Rule(
        "stale-cache-line",
        Kind.HAZARD,
        "a cache near the consumer may hold an older copy",
        "An earlier access brought this line into a cache that the read may hit, before the new "
        "data was there. "
        "Neighbours on the same 64-byte line count.",
        "An invalidation of that cache, at top of pipe after the barrier, when the access that "
        "left the line has "
        "completed.",
        f"{FLUSHES}; design 5.3; model 5.3",
    ),
    Rule(
        "lost-write",
        Kind.HAZARD,
        "an older write may come to memory after a newer one",
        "The earlier write is complete but still dirty in its cache; that cache may write it back "
        "at any moment, over the newer "
        "data.",
        "A write-back of that cache, confirmed, before the later write.",
        "design 5.4; model 5.2",
    ),
    Rule(
        "feedback-loop",
        Kind.HAZARD,
        "one command uses the same bytes in two ways that are not ordered",
        "The command reads and writes, or twice writes, these bytes through different ways. No "
        "synchronization can stand "
        "between the two.",
        "Use another resource for one of the two, or split the command.",
        "design 5; model 3.6",
    ),
    Rule(
        "wait-never-satisfied",
        Kind.HAZARD,
        "no write and no starting value can satisfy this wait",
        "Nothing in the stream that could come before the wait writes a value that satisfies it: "
        "the engine hangs.",
        "Write the value that the wait expects, or wait for the value that is written.",
        "design 4.3; model 6.2",
    ),
    Rule(
        "wait-may-hang",
        Kind.HAZARD,
        "the value that this wait needs may be overwritten before it is seen",
        "A write that does not satisfy the wait is not ordered behind it, and may come after the "
        "one that does.",
        "Order the overwriting write behind the wait, or use rising values and >=.",
        "model 6.2",
    ),
    Rule(
        "deadlock",
        Kind.HAZARD,
        "engines wait for each other",
        "Each of these waits can be satisfied only by a command that stands behind another of "
        "them.",
        "Move one write before its queue's wait.",
        "design 4.3; model 6.2",
    ),
    Rule(
        "unknown-access",
        Kind.UNKNOWN,
        "the input does not show what this work accesses",
        "A PM4 stream does not say what shaders read and write. These accesses were not checked.",
        "Name them in an annotation file.",
        "design 6; input-formats.md 2.1",
    ),
    Rule(
        "null-range-sync",
        Kind.WASTE,
        "a surface sync with base and size both zero",
        "It stalls for nothing, and may hang the depth block.",
        "Name the surface; for everything use base 0 and size 0xfffffff00.",
        'seed 000 "Surface sync"',
    ),
    Rule(
        "repeated-flush",
        Kind.WASTE,
        "a cache operation on a cache that nothing has used since the last one",
        "The same operation was already finished for every access that it could concern.",
        "Drop it.",
        "design 6",
    ),
    Rule(
        "pfp-sync-without-consumer",
        Kind.WASTE,
        "PFP is held although nothing that it reads needs it",
        "Synchronization at PFP is dearer than at ME. Until the next one PFP reads no index, "
        "argument, predicate or command "
        "data and starts nothing itself.",
        "Wait on ME, or drop it.",
        'seed 000 "Pipeline stages at a glance"; design 6',
    ),
    Rule(
        "redundant-synchronization",
        Kind.WASTE,
        "the stream stays right without this",
        "The command, cache operation or coherency bit was taken out and the stream replayed: no "
        "hazard appears, none under strict guarantees either. That the same barrier stands "
        "further up says nothing: in A, B, A the second A may be needed. Only what stands between "
        "works is judged, and no value in memory, which somebody else may read. Where accesses "
        "are not shown, nothing is called redundant that one of them could need.",
        "Drop it. Each finding is true by itself; one without a fix is true only until what "
        "stands above it has been done.",
        "design 6; model 5.3",
    ),
    Rule(
        "heavier-than-needed",
        Kind.WASTE,
        "a lighter form in the same place is enough",
        "The stream was replayed with that form and stays right: a flush of one stage for an idle "
        "or for a fence with no work in it, an EOS value for an EOP value, ME for PFP, one "
        "surface for the whole range. The form waits for no more by the model, or costs less by "
        "the machine's table.",
        "The form that the finding names.",
        f'{BARRIER}; seed 000 "Surface sync"; hardware.md 1.6; design 6',
    ),
    Rule(
        "could-start-earlier",
        Kind.WASTE,
        "a partial flush also waits for work that nothing here needs",
        "A partial flush drains everything that was started before it. A value behind the work "
        "that matters, and a wait for it in the place of the flush, let what was started since "
        "overlap; the machine's table says that this is cheaper.",
        "An EOS fence: the value behind the producer, the wait where the flush stands.",
        'seed 000 "EOS and EOP fences"; design 6',
    ),
)

BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
