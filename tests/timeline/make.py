"""Timelines for tests, from lists and at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hypothesis import strategies as st

from fencepost.timeline import Activity, Edge, Flow, Timeline, TimelineBuilder, TrackKind

Row = tuple[str, int, int]


def timeline(rows: Mapping[str, Iterable[Row]], flows: Sequence[Flow] = ()) -> Timeline:
    """A timeline of named tracks with (name, start, end); flows count spans in this order."""
    builder = TimelineBuilder()
    for track, spans in rows.items():
        number = builder.track(track)
        for name, start, end in spans:
            builder.span(number, start, end, builder.activity(Activity(name)))
    for flow in flows:
        builder.flow(flow)
    return builder.build("t", origin=0)


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=6)
ACTIVITIES = st.builds(
    Activity,
    name=NAMES,
    category=st.sampled_from(["", "kernel", "copy"]),
    resources=st.lists(NAMES, max_size=2).map(tuple),
    notes=st.dictionaries(NAMES, NAMES, max_size=2).map(lambda notes: tuple(notes.items())),
    waits=st.booleans(),
)


@st.composite
def nested(draw: st.DrawFn, start: int, end: int, depth: int) -> list[tuple[int, int]]:
    """Stretches within [start, end) that are apart, each with others inside."""
    edges = sorted(draw(st.lists(st.integers(start, end), max_size=6)))
    found = list(zip(edges[::2], edges[1::2], strict=False))
    if depth:
        found += [
            inner
            for low, high in found
            if draw(st.booleans())
            for inner in draw(nested(low, high, depth - 1))
        ]
    return found


@st.composite
def timelines(draw: st.DrawFn, scale: int = 1) -> Timeline:
    """Up to four tracks in up to 40 units of `scale` picoseconds, nested, with flows."""
    builder = TimelineBuilder()
    for _ in range(draw(st.integers(1, 4))):
        group = draw(st.sampled_from(["", "device 0", "device 1"]))
        track = builder.track(draw(NAMES), draw(st.sampled_from(list(TrackKind))), group)
        for start, end in draw(st.permutations(draw(nested(0, 40, 2)))):
            activity = builder.activity(draw(ACTIVITIES))
            builder.span(track, start * scale, end * scale, activity)
    edges = st.sampled_from(list(Edge))
    spans = st.integers(0, len(builder) - 1)
    for _ in range(draw(st.integers(0, 3)) if len(builder) else 0):
        builder.flow(
            Flow(draw(spans), draw(spans), draw(edges), draw(edges), draw(st.sampled_from("ab")))
        )
    return builder.build("t", origin=0)
