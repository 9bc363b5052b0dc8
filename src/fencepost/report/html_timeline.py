"""The page of a measured timeline (docs/pages.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from fencepost._version import __version__
from fencepost.report.html_data import (
    COARSE,
    ActivityData,
    PageData,
    TrackData,
    file_name,
    spans_of,
    unit_of,
)
from fencepost.report.page import make_page, packed
from fencepost.report.timeline_document import Document
from fencepost.report.timeline_json import to_document
from fencepost.report.words import plural
from fencepost.timeline.figures import Figures
from fencepost.timeline.table import Activity, Edge, Flow, Timeline

AT_END = {Edge.START: 0, Edge.END: 1}


def write_timeline_html(timeline: Timeline, figures: Figures) -> bytes:
    """The tracks that the figures are of, drawn, and the figures; UTF-8."""
    data = _Maker(timeline, figures).data()
    return make_page("timeline", f"{data.title} - fencepost timeline", __version__, data)


@dataclass(frozen=True, slots=True)
class _Maker:
    timeline: Timeline
    figures: Figures

    def data(self) -> PageData:
        shown = [item.track for item in self.figures.tracks]
        unit = unit_of(self.figures.window)
        numbers = (spans_of(self._rows(track), unit) for track in shown)
        places = self._places(shown)
        flows = [flow for flow in self.timeline.flows if {flow.signal, flow.wait} <= places.keys()]
        names = sorted({flow.name for flow in flows})
        return PageData(
            page="timeline",
            title=file_name(self.timeline.file),
            tool=f"fencepost {__version__}",
            unit=unit,
            window=self.figures.window // unit,
            tracks=[self._track(track) for track in shown],
            activities=[_activity(item) for item in self.timeline.activities],
            spans=packed(chain.from_iterable(numbers)),
            flows=packed(_flows(flows, places, {name: at for at, name in enumerate(names)})),
            flow_names=names,
            figures=self._figures(),
            simulation=None,
            notes=list(self._notes(unit, len(self.timeline.flows) - len(flows))),
        )

    def _figures(self) -> Document:
        named = replace(self.timeline, file=file_name(self.timeline.file))
        return to_document(named, self.figures)

    def _rows(self, track: int) -> Iterator[tuple[int, int, int]]:
        line, start = self.timeline, self.figures.start
        for span in line.on_track(track):
            yield line.starts[span] - start, line.ends[span] - start, line.kinds[span]

    def _places(self, shown: list[int]) -> dict[int, int]:
        """Where each span of the timeline is on the page."""
        spans = chain.from_iterable(map(self.timeline.on_track, shown))
        return {span: at for at, span in enumerate(spans)}

    def _track(self, track: int) -> TrackData:
        found = self.timeline.tracks[track]
        spans = len(self.timeline.on_track(track))
        return TrackData(found.group, found.name, spans)

    def _notes(self, unit: int, hidden: int) -> Iterator[str]:
        if hidden:
            yield f"{plural(hidden, 'wait edge')} from or to other tracks left out"
        if unit == COARSE:
            yield "so long a timeline is drawn to the nanosecond, times rounded down"


def _activity(item: Activity) -> ActivityData:
    return ActivityData(
        name=item.name,
        category=item.category,
        resources=list(item.resources),
        notes=list(item.notes),
        waits=item.waits,
    )


def _flows(flows: list[Flow], places: Mapping[int, int], names: Mapping[str, int]) -> Iterator[int]:
    """Of each flow its signal, its wait, which of their instants (1 + 2), its name."""
    for flow in flows:
        yield places[flow.signal]
        yield places[flow.wait]
        yield AT_END[flow.signal_edge] + 2 * AT_END[flow.wait_edge]
        yield names[flow.name]
