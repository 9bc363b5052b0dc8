"""Collects spans in any order and makes a timeline of them, or says why they are none."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace

from fencepost.errors import TimelineProblem
from fencepost.place import Place
from fencepost.timeline.quoting import quoted, shortened
from fencepost.timeline.table import Activity, Flow, Timeline, Track, TrackKind
from fencepost.timeline.times import LONGEST, shown

PlaceOf = Callable[[int], Place]
"""Where the span of that number (in the order of `span` calls) was read from."""


class TimelineBuilder:
    """Takes tracks, activities, spans and flows; hands out numbers for them.

    Where two spans of a track overlap by `tolerance` picoseconds or less, the earlier is cut.
    """

    def __init__(self, tolerance: int = 0) -> None:
        self._tolerance = tolerance
        self._cut = 0
        self._tracks: list[Track] = []
        self._activities: dict[Activity, int] = {}
        self._named: dict[tuple[str, str], int] = {}
        self._on: array[int] = array("i")
        self._kinds: array[int] = array("i")
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._flows: list[Flow] = []
        self._notes: list[str] = []
        self._order: Sequence[int] | None = None

    def __len__(self) -> int:
        return len(self._starts)

    def track(self, name: str, kind: TrackKind = TrackKind.QUEUE, group: str = "") -> int:
        """A new track, below the earlier ones."""
        self._tracks.append(Track(name, kind, group))
        return len(self._tracks) - 1

    def arrange(self, tracks: Sequence[tuple[int, Track]]) -> None:
        """Put the tracks, all of them, in this order by their numbers, and name them so."""
        self._order = [number for number, _ in tracks]
        for number, track in tracks:
            self._tracks[number] = track

    def activity(self, activity: Activity) -> int:
        """The number of an activity, the same for equal ones."""
        return self._activities.setdefault(activity, len(self._activities))

    def named(self, name: str, category: str = "") -> int:
        """The number of an activity that has just a name and a category; fast where it is known."""
        number = self._named.get((name, category))
        if number is None:
            number = self.activity(Activity(name, category))
            self._named[name, category] = number
        return number

    def span(self, track: int, start: int, end: int, activity: int) -> int:
        """A span [start, end) in picoseconds of any clock that all spans share; its number."""
        self._on.append(track)
        self._starts.append(start)
        self._ends.append(end)
        self._kinds.append(activity)
        return len(self._starts) - 1

    def flow(self, flow: Flow) -> None:
        """An edge from a signal to a wait; the spans are numbers that `span` handed out."""
        self._flows.append(flow)

    def note(self, text: str) -> None:
        """A remark on the source that reports repeat."""
        self._notes.append(text)

    def build(
        self, file: str, place_of: PlaceOf | None = None, origin: int | None = None
    ) -> Timeline:
        """The timeline of all that was given; `origin` is the first start unless given.

        Raises `TimelineProblem`, with the place of the span, for a span that ends before it starts,
        two that overlap on one track without one lying in the other, or times too far apart.
        """
        where = place_of or (lambda _: Place(file, 0))
        zero = min(self._starts, default=0) if origin is None else origin
        self._require_order(zero, where)
        rows = self._rows()
        depths = self._depths(rows, where)
        if self._cut:
            self.note(
                f"{self._cut:,} overlaps of at most {shown(self._tolerance)} on one track are "
                "taken for rounding: the earlier slice ends where the next starts"
            )
        at = array("q", bytes(8 * len(self)))
        for place, number in enumerate(number for row in rows for number in row):
            at[number] = place
        bounds = [0]
        for row in rows:
            bounds.append(bounds[-1] + len(row))
        flows = [replace(flow, signal=at[flow.signal], wait=at[flow.wait]) for flow in self._flows]
        timeline = Timeline(
            file=file,
            origin=zero,
            tracks=tuple(self._tracks[track] for track in self._top_down()),
            activities=tuple(self._activities),
            bounds=tuple(bounds),
            starts=array("q", [self._starts[number] - zero for row in rows for number in row]),
            ends=array("q", [self._ends[number] - zero for row in rows for number in row]),
            kinds=array("i", [self._kinds[number] for row in rows for number in row]),
            depths=depths,
            notes=tuple(self._notes),
        )
        return timeline.with_flows(flows)

    def _require_order(self, zero: int, where: PlaceOf) -> None:
        """Raise unless every span ends at or after its start, and all lie in one stretch."""
        for number, (start, end) in enumerate(zip(self._starts, self._ends, strict=True)):
            if end < start:
                problem = f"{self._title(number)} lasts {shown(end - start)}"
                raise TimelineProblem(problem, where(number), "a duration of 0 or more")
            if not 0 <= start - zero <= end - zero <= LONGEST:
                problem = f"{self._title(number)} ends {shown(end - zero)} after the first start"
                expected = "times of one clock, at most 106 days apart"
                raise TimelineProblem(problem, where(number), expected)

    def _rows(self) -> list[list[int]]:
        """For each track the numbers of its spans, by start, the longest first."""
        rows: list[list[int]] = [[] for _ in self._tracks]
        for number, track in enumerate(self._on):
            rows[track].append(number)
        starts, ends = self._starts, self._ends
        for row in rows:
            row.sort(key=ends.__getitem__, reverse=True)
            row.sort(key=starts.__getitem__)
        return [rows[track] for track in self._top_down()]

    def _top_down(self) -> Sequence[int]:
        return range(len(self._tracks)) if self._order is None else self._order

    def _depths(self, rows: Sequence[Sequence[int]], where: PlaceOf) -> array[int]:
        """How many spans lie around each, in the order of the table; raises at an overlap."""
        starts, ends, depths = self._starts, self._ends, array("i")
        for row in rows:
            around: list[int] = []
            for number in row:
                while around and (
                    ends[around[-1]] <= starts[number] or self._cuts(around[-1], number)
                ):
                    around.pop()
                if around and ends[number] > ends[around[-1]]:
                    raise self._overlap(around[-1], number, where)
                depths.append(len(around))
                around.append(number)
        return depths

    def _cuts(self, earlier: int, later: int) -> bool:
        """Whether a later span cuts one that it overlaps a little; then that is done."""
        start, end = self._starts[later], self._ends[earlier]
        if self._ends[later] <= end or end - start > self._tolerance:
            return False
        self._ends[earlier] = start
        self._cut += 1
        return True

    def _overlap(self, earlier: int, later: int, where: PlaceOf) -> TimelineProblem:
        track = shortened(self._tracks[self._on[later]].label)
        common = shown(self._ends[earlier] - self._starts[later])
        place = where(earlier)
        beside = f" ({place})" if place.line else ""
        return TimelineProblem(
            f"{self._title(later)} starts {common} before {self._title(earlier)}{beside} ends, "
            f"both on {track}",
            where(later),
            "slices of a track that are apart, or one within the other",
        )

    def _title(self, number: int) -> str:
        """A span's name for a message."""
        return quoted(list(self._activities)[self._kinds[number]].name)
