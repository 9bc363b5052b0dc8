"""Writes docs/plan-judged.md: `python -m tests.timing.plan_judged DATE` prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from fencepost.machine import find_machine
from fencepost.plan.costs import cost
from fencepost.plan.fastest import fastest, time_of
from fencepost.stream.reading import load
from tests.project.repository import ROOT
from tests.timing.judged import (
    DRIVERS,
    FASTEST,
    PLAN,
    PLANS,
    STREAMS,
    Judged,
    Variant,
    random_stream,
    transition_streams,
)

EXAMPLES = sorted((ROOT / "examples" / "xbox-one").glob("*.fence"))
WORST = 5
WHY = """
What the table does not see explains those that we looked into:

- An EOP waits for every earlier draw and dispatch, also for a long draw that has nothing to do with
  the dispatch whose data it flushes (seed 000, "Differences between PARTIAL_FLUSH, EOS fence, and
  EOP fence barriers"). The table charges a fence by how much work stands between it and its wait;
  a CS partial flush with a surface sync, which drivers send there, does not wait for that draw.
- A barrier costs the same in every gap that serves. Further back more has been started by then.
- What a flush writes back is dirty bytes of everything so far. Written back ahead, under other
  works, they are not in the way of the flush that a consumer waits for.
"""
TITLES = {PLAN: "lightest", FASTEST: "fastest"}
NEAR = 100
"""Picoseconds that count as the same time."""


def ranks(values: Sequence[int]) -> list[float]:
    """Ranks from 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for place in order[at:end]:
            found[place] = (at + 1 + end) / 2
        at = end
    return found


def spearman(one: Sequence[int], two: Sequence[int]) -> float:
    """Rank correlation: 1 the same order, -1 the reverse, 0 none (also where one is constant)."""
    first, second = ranks(one), ranks(two)
    mean = (len(one) + 1) / 2
    common = sum((a - mean) * (b - mean) for a, b in zip(first, second, strict=True))
    spread = sum((a - mean) ** 2 for a in first) * sum((b - mean) ** 2 for b in second)
    return float(common / spread**0.5) if spread else 0.0


def concordance(rows: Iterable[Judged]) -> tuple[int, int]:
    """Pairs of variants of one stream whose times differ; those the cheaper of which is faster."""
    agreed = total = 0
    for row in rows:
        for one, two in combinations(row.untimed, 2):
            if abs(one.time - two.time) > NEAR and one.cycles != two.cycles:
                total += 1
                agreed += (one.cycles < two.cycles) == (one.time < two.time)
    return agreed, total


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which that part of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def page(date: str, streams: Sequence[Judged], alone: Sequence[Judged]) -> Iterator[str]:
    """The page, line by line."""
    yield from _head(date)
    yield from _drivers(streams)
    yield from _plans(streams)
    yield from _order(streams, alone)
    yield from _worst(streams)
    yield from _transitions(alone)
    yield from _examples()


def _head(date: str) -> Iterator[str]:
    yield from f"""\
# Plans, judged by simulation

`fencepost plan` looks for the synchronization that costs least by an additive table
([machine/costs.py](../src/fencepost/machine/costs.py)). Such a table cannot see what runs beside a
stall. With `--fastest` it looks from there on for what takes the least simulated time
([planner.md](planner.md#by-simulated-time)); what drivers send is not known to it. Here both plans
are simulated ([timing.md](timing.md)), beside what drivers would send for the same works, and the
order of the table is compared with that of simulated time. Table and simulation are both made of
assumed constants: this says whether they agree, not who is right.

Written by `python -m tests.timing.plan_judged DATE > docs/plan-judged.md` on {date}.

## Random streams

{STREAMS} streams for `gcn2-bonaire`, strict: two to four of the transitions of
[drivers.md](drivers.md) one behind the other, first use or reuse, targets of 8x8 to 1920x1080,
buffers of 256 bytes to 4 MiB, works of 2 to 55 us that take a quarter to all of the machine, up to
three independent works between producer and barrier (`tests/timing/judged.py`; the same streams on
every run). Each driver's stream has the first form that checks clean; where a driver has none for a
transition, another driver's. *Added* is what a stream takes longer than without any
synchronization.
""".splitlines()
    yield ""


COLUMNS = (
    "plan",
    "streams",
    "beside",
    "both clean",
    "plan faster",
    "as fast",
    "slower",
    "added by the plan, of what the driver adds: median",
    "tenth to nine tenths",
    "whole time, of the driver's: median",
)


def _drivers(streams: Sequence[Judged]) -> Iterator[str]:
    yield f"| {' | '.join(COLUMNS)} |"
    yield f"|{'---|' * len(COLUMNS)}"
    without = [row for row in streams if not row.transfers]
    for plan in PLANS:
        for name, rows in (("all", streams), ("without CP DMA", without)):
            for driver in DRIVERS:
                cells = " | ".join(_beside(_pairs(rows, plan, driver)))
                yield f"| {TITLES[plan]} | {name} | {driver} | {cells} |"
    yield ""


def _plans(streams: Sequence[Judged]) -> Iterator[str]:
    """The two plans beside each other."""
    pairs = _pairs(streams, FASTEST, PLAN)
    _, faster, same, _, added, spread, whole = _beside(pairs)
    count, cycles = len(pairs), quantile([own.cycles / other.cycles for own, other in pairs], 0.5)
    yield f"The fastest plan takes less time than the lightest in {faster} of {count} streams, as"
    yield f"much in {same}. In the median it adds {added} of what the lightest adds ({spread}),"
    yield f"takes {whole} of its time, and costs {cycles:.2f} times as much by the table."
    yield ""


def _beside(pairs: Sequence[tuple[Variant, Variant]]) -> Iterator[str]:
    """Plan and driver, stream by stream."""
    faster = sum(own.time < other.time - NEAR for own, other in pairs)
    slower = sum(own.time > other.time + NEAR for own, other in pairs)
    added = [own.added / other.added for own, other in pairs if other.added > 0]
    yield from (f"{n}" for n in (len(pairs), faster, len(pairs) - faster - slower, slower))
    yield f"{quantile(added, 0.5):.2f}"
    yield f"{quantile(added, 0.1):.2f} to {quantile(added, 0.9):.2f}"
    yield f"{quantile([own.time / other.time for own, other in pairs], 0.5):.3f}"


def _pairs(streams: Sequence[Judged], plan: str, way: str) -> list[tuple[Variant, Variant]]:
    found = [(row.of(plan), row.of(way)) for row in streams]
    return [(own, other) for own, other in found if own is not None and other is not None]


def _order(streams: Sequence[Judged], alone: Sequence[Judged]) -> Iterator[str]:
    yield "## Does the table order as time does?"
    yield ""
    yield from """\
Rank correlation of table cycles with added time (Spearman; 1: the same order). And of all pairs of
ways to synchronize one stream that differ in cycles and in time, how many the table orders as the
simulation does. The fastest plan is left out: it was chosen by time.

| streams | ways | all together | within a stream: median | pairs ordered alike |
|---|---|---|---|---|""".splitlines()
    for name, rows in (("random", streams), ("transitions alone", alone)):
        ways = [way for row in rows for way in row.untimed]
        pooled = spearman([way.cycles for way in ways], [way.added for way in ways])
        within = [
            spearman([w.cycles for w in row.untimed], [w.added for w in row.untimed])
            for row in rows
            if len(row.untimed) > 2
        ]
        agreed, total = concordance(rows)
        share = f"{agreed} of {total} ({100 * agreed / total:.0f} %)"
        yield f"| {name} | {len(ways)} | {pooled:.2f} | {quantile(within, 0.5):.2f} | {share} |"
    yield ""


Slower = tuple[int, Judged, Variant, Variant]
"""By how much a plan is slower, in which stream, the plan, and the fastest of the drivers'."""


def slower(streams: Sequence[Judged], plan: str) -> list[Slower]:
    """Where some driver's form is faster than that plan; the worst first."""
    found: list[Slower] = []
    for row in streams:
        own = row.of(plan)
        if own is not None and row.forms:
            best = min(row.forms, key=lambda way: (way.time, way.name))
            if own.time > best.time + NEAR:
                found.append((own.time - best.time, row, own, best))
    return sorted(found, key=lambda item: (-item[0], item[1].name))


def _worst(streams: Sequence[Judged]) -> Iterator[str]:
    """Where a driver's form is faster by most."""
    yield "## Where a plan is slower"
    yield ""
    found = slower(streams, PLAN)
    count = len(streams)
    yield f"Some driver's is faster than the lightest plan in {len(found)} of {count} streams."
    yield f"The {WORST} worst:"
    yield ""
    yield from _slower_table(found[:WORST])
    yield from WHY.splitlines()
    yield ""
    left = slower(streams, FASTEST)
    yield f"Some driver's is faster than the fastest plan in {len(left)} of {count} streams."
    yield ""
    if left:
        yield from _slower_table(left)
        yield ""


def _slower_table(rows: Sequence[Slower]) -> Iterator[str]:
    yield (
        "| stream | works | without (us) | plan (us) | cycles | faster | (us) | cycles "
        "| fastest plan (us) | cycles |"
    )
    yield f"|{'---|' * 10}"
    for _, row, own, best in rows:
        fast = row.of(FASTEST) or own
        yield (
            f"| {row.name} | {row.works} | {_us(row.bare)} | {_us(own.time)} | {own.cycles:,} "
            f"| {best.name} | {_us(best.time)} | {best.cycles:,} "
            f"| {_us(fast.time)} | {fast.cycles:,} |"
        )


def _us(time: int) -> str:
    return f"{time / 1e6:,.2f}"


def _transitions(alone: Sequence[Judged]) -> Iterator[str]:
    yield "## Transitions alone"
    yield ""
    yield from """\
As [drivers.md](drivers.md) has them: tiny works, so that all is synchronization. Added time in
nanoseconds, table cycles behind it; only forms that check clean.
""".splitlines()
    yield ""
    yield "| transition | lightest plan | fastest plan | forms, the fastest first |"
    yield "|---|---|---|---|"
    for row in alone:
        plans = [_added(own) if (own := row.of(plan)) else "-" for plan in PLANS]
        others = sorted(row.forms, key=lambda w: (w.time, w.name))
        forms = "; ".join(f"{way.name} {_added(way)}" for way in others)
        yield f"| {row.name} | {' | '.join(plans)} | {forms} |"
    yield ""
    left = {plan: len(slower(alone, plan)) for plan in PLANS}
    yield f"Some form is faster than the lightest plan in {left[PLAN]} of {len(alone)}, than the"
    yield f"fastest in {left[FASTEST]}."
    yield ""


def _added(way: Variant) -> str:
    return f"{way.added // 1000:,} ({way.cycles:,})"


def _examples() -> Iterator[str]:
    yield "## The seed's examples"
    yield ""
    yield from """\
The streams of `examples/xbox-one`, as they stand and planned (their own synchronization ignored):
time in nanoseconds, table cycles behind it.
""".splitlines()
    yield ""
    yield (
        "| example | as it stands | lightest plan | fastest plan "
        "| of its own time: lightest | fastest |"
    )
    yield "|---|---|---|---|---|---|"
    for path in EXAMPLES:
        program = load(path)
        machine = find_machine(program.machine)
        level = program.guarantees or machine.guarantees
        found = fastest(program, machine, level)
        streams = (program, found.lightest.program, found.plan.program)
        times = [time_of(stream, machine, level) for stream in streams]
        cells = [
            f"{time // 1000:,} ({cost(stream, machine):,})"
            for time, stream in zip(times, streams, strict=True)
        ]
        parts = [f"{time / times[0]:.2f}" for time in times[1:]]
        yield f"| {path.stem} | {' | '.join([*cells, *parts])} |"


def main() -> None:
    """Print the page."""
    streams = [random_stream(number) for number in range(STREAMS)]
    text = "\n".join(page(sys.argv[1], streams, list(transition_streams())))
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
