// The state of the page: what is visible, selected and found, and how that changes.

import { shown } from "../common/index.ts";
import { causeOf, spoken } from "./details.ts";
import type { Layout } from "./layout.ts";
import { AXIS, layoutOf, placeAt } from "./layout.ts";
import { spanAt } from "./lanes.ts";
import type { Model } from "./model.ts";
import type { Marks } from "./paint.ts";
import { findSpans, stepIn } from "./search.ts";
import type { View } from "./view.ts";
import { around, including, panned, whole, zoomed } from "./view.ts";

/** Called when something has changed that is to be seen or said. */
export interface Listener {
  redraw: () => void;
  selected: (span: number) => void;
  found: (text: string) => void;
  say: (text: string) => void;
  reveal: (top: number, height: number) => void;
}

/** All that can be done to the page, apart from how it is drawn and which event did it. */
export class App {
  view: View;
  readonly layout: Layout;
  readonly marks: Marks;
  private matches = new Int32Array();
  private text = "";

  constructor(
    readonly model: Model,
    private readonly listener: Listener,
  ) {
    this.view = whole(model.length);
    this.layout = layoutOf(model.tracks);
    this.marks = { selected: -1, found: null, band: null, path: model.steps.length > 0 };
  }

  /** Shows another stretch of time. */
  show(view: View): void {
    this.view = view;
    this.listener.redraw();
  }

  zoom(factor: number, at = (this.view.from + this.view.to) / 2): void {
    this.show(zoomed(this.view, factor, at, this.model.length));
  }

  pan(part: number): void {
    this.show(panned(this.view, part, this.model.length));
  }

  showAll(): void {
    this.show(whole(this.model.length));
  }

  /** Zooms to a span, to the marked bubble, or to all where neither is there. */
  fit(span = this.marks.selected): void {
    const { band } = this.marks;
    if (span >= 0) {
      this.show(around(this.model.starts[span], this.model.ends[span], this.model.length));
    } else if (band) this.show(around(band.start, band.end, this.model.length));
    else this.showAll();
  }

  /** Selects a span (-1: none) and brings it into view. */
  select(span: number, move = true): void {
    this.marks.selected = span;
    this.marks.band = null;
    if (span >= 0 && move) {
      this.view = including(
        this.view,
        this.model.starts[span],
        this.model.ends[span],
        this.model.length,
      );
      this.reveal(this.model.trackOf(span), this.model.rows[span]);
    }
    this.listener.selected(span);
    if (span >= 0) this.listener.say(spoken(this.model, span));
    this.listener.redraw();
  }

  /** Marks a stretch of a track in which nothing ran, and zooms to it. */
  showBand(track: number, start: number, end: number): void {
    this.marks.selected = -1;
    this.marks.band = { track, start, end };
    this.reveal(track, 0);
    this.listener.selected(-1);
    this.listener.say(`${shown(end - start)} idle on ${this.model.tracks[track].label}`);
    this.fit();
  }

  private reveal(track: number, row: number): void {
    const place = this.layout.places[track];
    this.listener.reveal(place.top + row * place.lane - AXIS, place.lane);
  }

  /** The span at a place of the canvas, the scroll included; `slack` is how long 3 pixels last. */
  at(time: number, y: number, slack: number): number {
    const place = placeAt(this.layout, y);
    if (!place) return -1;
    const { lanes } = this.model.tracks[place.track];
    const row = Math.floor((y - place.top) / place.lane);
    const lane = lanes[Math.min(Math.max(row, 0), lanes.length - 1)];
    const found = lane ? spanAt(lane, time, slack) : -1;
    return found < 0 ? -1 : lane.spans[found];
  }

  /** The next or previous span of the selected one's track; the first of all without one. */
  step(by: 1 | -1): void {
    const { selected } = this.marks;
    if (selected < 0) return this.select(this.firstInView());
    const track = this.model.tracks[this.model.trackOf(selected)];
    const next = selected + by;
    if (next >= track.first && next < track.last) this.select(next);
    else this.listener.say(by > 0 ? "the last span of its track" : "the first span of its track");
  }

  /** The span of the next track up or down that is nearest in time. */
  cross(by: 1 | -1): void {
    const { selected } = this.marks;
    if (selected < 0) return this.select(this.firstInView());
    const { starts } = this.model;
    for (let at = this.model.trackOf(selected) + by; ; at += by) {
      const track = this.model.tracks[at];
      if (!track) return this.listener.say(by > 0 ? "the last track" : "the first track");
      const lane = track.lanes[0];
      if (!lane) continue;
      return this.select(lane.spans[spanAt(lane, starts[selected], Infinity)]);
    }
  }

  private firstInView(): number {
    const found = this.model.tracks.findIndex((track) => track.last > track.first);
    const lane = found < 0 ? undefined : this.model.tracks[found].lanes[0];
    return lane ? lane.spans[Math.max(spanAt(lane, this.view.from, Infinity), 0)] : -1;
  }

  /** Goes to what the selected span waited for. */
  goToCause(): void {
    const { selected } = this.marks;
    if (selected < 0) return this.listener.say("nothing is selected");
    const cause = causeOf(this.model, selected);
    if (cause < 0) this.listener.say("it is not recorded what this waited for");
    else this.select(cause);
  }

  togglePath(): void {
    this.marks.path = !this.marks.path && this.model.steps.length > 0;
    this.listener.redraw();
  }

  /** Looks for a text; marks what is found. */
  search(text: string): void {
    this.text = text.trim();
    this.matches = findSpans(this.model, text) as Int32Array<ArrayBuffer>;
    this.marks.found = null;
    if (this.text) {
      this.marks.found = new Uint8Array(this.model.count);
      for (const span of this.matches) this.marks.found[span] = 1;
    }
    this.sayFound(-1);
    this.listener.redraw();
  }

  /** Goes to the next or previous match. */
  stepMatch(by: 1 | -1): void {
    const at = stepIn(this.model, this.matches, this.marks.selected, by);
    if (at >= 0) this.select(this.matches[at]);
    this.sayFound(at);
  }

  private sayFound(at: number): void {
    const count = this.matches.length.toLocaleString("en");
    if (!this.text) this.listener.found("");
    else if (!this.matches.length) this.listener.found("nothing found");
    else
      this.listener.found(
        at < 0 ? `${count} found` : `${(at + 1).toLocaleString("en")} of ${count}`,
      );
  }
}
