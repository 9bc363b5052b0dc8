"""When each track runs: the spans that do not wait, joined where they touch or overlap."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.timeline.table import Timeline


@dataclass(frozen=True, slots=True)
class Busy:
    """The stretches in which a track runs, in order and apart from each other.

    `first` and `last` are the places of the spans that begin and end each stretch. A span without
    length is no stretch.
    """

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def total(self) -> int:
        """Picoseconds in which the track runs."""
        return sum(self.ends) - sum(self.starts)


def busy_of(timeline: Timeline, track: int) -> Busy:
    """When a track runs: while a span on it is open that does not wait."""
    waits = [activity.waits for activity in timeline.activities]
    starts, ends, kinds = timeline.starts, timeline.ends, timeline.kinds
    busy = Busy()
    open_until = -1
    for place in timeline.on_track(track):
        start, end = starts[place], ends[place]
        if end <= open_until or start == end or waits[kinds[place]]:
            continue
        if start > open_until:
            busy.starts.append(start)
            busy.first.append(place)
            busy.ends.append(end)
            busy.last.append(place)
        else:
            busy.ends[-1] = end
            busy.last[-1] = place
        open_until = end
    return busy
