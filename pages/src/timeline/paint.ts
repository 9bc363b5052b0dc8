// Draws the visible part of a timeline. Costs grow with pixels, not with spans.

import { niceStep, plural, shown, tickLabels } from "../common/index.ts";
import { covered, pieces } from "./lanes.ts";
import type { Lane, Piece } from "./lanes.ts";
import { AXIS } from "./layout.ts";
import type { Layout, Place } from "./layout.ts";
import type { Flow, Model } from "./model.ts";
import { hashOf } from "./palette.ts";
import type { Palette } from "./palette.ts";
import type { View } from "./view.ts";

const ARROWS = 250;
const TEXT_FROM = 26;

/** What is shown beside the spans. */
export interface Marks {
  selected: number;
  found: Uint8Array | null;
  band: { track: number; start: number; end: number } | null;
  path: boolean;
}

/** Everything that one drawing depends on; sizes in CSS pixels. */
export interface Scene {
  model: Model;
  layout: Layout;
  palette: Palette;
  fills: Uint8Array;
  hatch: CanvasPattern | string;
  view: View;
  width: number;
  height: number;
  gutter: number;
  scroll: number;
  marks: Marks;
}

/** Draws into a canvas whose transform is that of CSS pixels. Returns arrows that did not fit. */
export class Painter {
  private readonly scale: number;
  private readonly pixel: number;

  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly scene: Scene,
    ratio: number,
  ) {
    const { view, width, gutter } = scene;
    this.scale = (width - gutter) / (view.to - view.from);
    this.pixel = 1 / this.scale / ratio;
  }

  /** Draws all; returns the number of arrows that were left out. */
  draw(): number {
    const { context, scene } = this;
    context.clearRect(0, 0, scene.width, scene.height);
    context.fillStyle = scene.palette.ground;
    context.fillRect(0, 0, scene.width, scene.height);
    context.font = "11px system-ui, 'Liberation Sans', Arial, sans-serif";
    context.textBaseline = "middle";
    const step = niceStep(105 / this.scale);
    this.grid(step);
    const shown = scene.layout.places.filter((place) => this.visible(place));
    for (const place of shown) this.track(place);
    const left = this.arrows();
    this.band();
    if (scene.marks.path) this.path();
    this.hazards();
    this.selection();
    this.labels(shown);
    this.axis(step);
    return left;
  }

  private x(time: number): number {
    return this.scene.gutter + (time - this.scene.view.from) * this.scale;
  }

  private y(place: Place): number {
    return place.top - this.scene.scroll;
  }

  private visible(place: Place): boolean {
    const top = this.y(place);
    return top < this.scene.height && top + place.height > AXIS;
  }

  private grid(step: number): void {
    const { context, scene } = this;
    context.strokeStyle = scene.palette.line;
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    for (const x of this.ticks(step).map(([, x]) => Math.round(x) + 0.5)) {
      context.moveTo(x, AXIS);
      context.lineTo(x, scene.height);
    }
    context.stroke();
    context.globalAlpha = 1;
  }

  private ticks(step: number): [number, number][] {
    const { view, width, gutter } = this.scene;
    const found: [number, number][] = [];
    for (let at = Math.ceil(view.from / step); at * step < view.to; at++) {
      const x = this.x(at * step);
      if (x >= gutter && x <= width) found.push([at * step, x]);
    }
    return found;
  }

  private axis(step: number): void {
    const { context, scene } = this;
    context.fillStyle = scene.palette.panel;
    context.fillRect(0, 0, scene.width, AXIS);
    context.fillStyle = scene.palette.line;
    context.fillRect(0, AXIS - 1, scene.width, 1);
    context.fillStyle = scene.palette.quiet;
    context.textAlign = "center";
    const largest = Math.max(Math.abs(scene.view.from), Math.abs(scene.view.to));
    const label = tickLabels(largest, step);
    for (const [time, x] of this.ticks(step)) {
      const text = label(time);
      const half = context.measureText(text).width / 2;
      if (x - half > scene.gutter && x + half < scene.width) context.fillText(text, x, AXIS / 2);
    }
    context.textAlign = "left";
    const size = scene.view.to - scene.view.from;
    const visible = fitted(context, `${shown(Math.round(size))} shown`, scene.gutter - 12);
    context.fillText(visible, 8, AXIS / 2);
  }

  private track(place: Place): void {
    const { context, scene } = this;
    const top = this.y(place);
    context.fillStyle = scene.palette.panel;
    context.globalAlpha = 0.6;
    context.fillRect(scene.gutter, top, scene.width - scene.gutter, place.height);
    context.globalAlpha = 1;
    scene.model.tracks[place.track].lanes.forEach((lane, row) => {
      this.lane(lane, top + row * place.lane, place.lane);
    });
  }

  private lane(lane: Lane, top: number, height: number): void {
    const { view, marks } = this.scene;
    for (const piece of pieces(lane, view.from, view.to, this.pixel)) {
      const hit = !marks.found || this.hit(lane, piece, marks.found);
      this.piece(lane, piece, top, height, hit);
      if (!marks.found || !hit) continue;
      this.context.fillStyle = this.scene.palette.found;
      this.box(piece, top + height - 4, 3);
    }
  }

  private hit(lane: Lane, piece: Piece, found: Uint8Array): boolean {
    for (let at = piece.first; at < piece.first + piece.count; at++) {
      if (found[lane.spans[at]]) return true;
    }
    return false;
  }

  private piece(lane: Lane, piece: Piece, top: number, height: number, hit: boolean): void {
    const { context, scene } = this;
    const span = lane.spans[piece.first];
    const activity = scene.model.activity(span);
    const shade = piece.count > 1 ? 0.3 + 0.7 * piece.cover : 1;
    context.globalAlpha = hit ? shade : 0.25 * shade;
    context.fillStyle = activity.waits
      ? scene.hatch
      : scene.palette.fills[scene.fills[scene.model.kinds[span]]];
    const [left, width] = this.box(piece, top, height - 1);
    if (piece.count === 1 && width >= TEXT_FROM && height >= 12) {
      this.text(scene.model.name(span), left, width, top + height / 2, activity.waits);
    }
    context.globalAlpha = 1;
  }

  private box(
    piece: { start: number; end: number },
    top: number,
    height: number,
  ): [number, number] {
    const { gutter, width } = this.scene;
    const left = Math.max(this.x(piece.start), gutter);
    const right = Math.min(this.x(piece.end), width);
    const wide = right - left;
    const drawn = Math.max(wide > 3 ? wide - 0.5 : wide, 1);
    this.context.fillRect(left, top, drawn, height);
    return [left, drawn];
  }

  private text(name: string, left: number, width: number, middle: number, waits: boolean): void {
    const { context, scene } = this;
    const room = width - 8;
    const text = fitted(context, name, room);
    if (!text) return;
    if (waits) {
      context.fillStyle = scene.palette.panel;
      context.fillRect(left + 2, middle - 7, context.measureText(text).width + 4, 14);
    }
    context.fillStyle = waits ? scene.palette.text : scene.palette.ink;
    context.fillText(text, left + 4, middle);
  }

  private labels(shown: readonly Place[]): void {
    const { context, scene } = this;
    const { gutter, palette, height, scroll } = scene;
    context.fillStyle = palette.ground;
    context.fillRect(0, AXIS, gutter, height - AXIS);
    context.fillStyle = palette.line;
    context.fillRect(gutter - 1, AXIS, 1, height - AXIS);
    for (const place of shown) {
      const track = scene.model.tracks[place.track];
      const indent = track.group ? 16 : 8;
      context.fillStyle = palette.text;
      const middle = this.y(place) + Math.min(place.height, 22) / 2;
      context.fillText(
        fitted(context, track.name || "(no name)", gutter - indent - 6),
        indent,
        middle,
      );
    }
    context.fillStyle = palette.quiet;
    for (const heading of scene.layout.headings) {
      const middle = heading.top - scroll + 10;
      if (middle < AXIS || middle > height + 10) continue;
      context.fillText(fitted(context, heading.text, gutter - 14), 8, middle);
    }
  }

  private middleOf(span: number): number {
    const { model, layout } = this.scene;
    const place = layout.places[model.trackOf(span)];
    return this.y(place) + (model.rows[span] + 0.5) * place.lane;
  }

  private arrows(): number {
    const { model, view, marks } = this.scene;
    const chosen: Flow[] = marks.selected >= 0 ? model.flowsAt(marks.selected) : [];
    const inView = model.flows.filter(
      (flow) =>
        Math.max(flow.from, flow.to) >= view.from && Math.min(flow.from, flow.to) <= view.to,
    );
    const few = inView.length <= ARROWS;
    if (few) for (const flow of inView) this.arrow(flow, 0.45, 1);
    for (const flow of chosen) this.arrow(flow, 1, 2);
    return few ? 0 : inView.length - chosen.length;
  }

  private arrow(flow: Flow, alpha: number, width: number): void {
    const { context, scene } = this;
    const [x1, y1] = [this.x(flow.from), this.middleOf(flow.signal)];
    const [x2, y2] = [this.x(flow.to), this.middleOf(flow.wait)];
    const bend = Math.max(Math.min(Math.abs(x2 - x1) / 2, 60), 14);
    context.save();
    context.beginPath();
    context.rect(scene.gutter, AXIS, scene.width - scene.gutter, scene.height - AXIS);
    context.clip();
    context.globalAlpha = alpha;
    context.strokeStyle = context.fillStyle = scene.palette.accent;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x1, y1);
    context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
    context.stroke();
    context.beginPath();
    context.moveTo(x2, y2);
    context.lineTo(x2 - 7, y2 - 4);
    context.lineTo(x2 - 7, y2 + 4);
    context.fill();
    context.restore();
  }

  private band(): void {
    const { context, scene } = this;
    const { band } = scene.marks;
    if (!band) return;
    const place = scene.layout.places[band.track];
    context.fillStyle = scene.palette.accent;
    context.globalAlpha = 0.22;
    const [left, width] = this.box(band, this.y(place) - 2, place.height + 3);
    context.globalAlpha = 1;
    context.strokeStyle = scene.palette.accent;
    context.lineWidth = 1.5;
    context.setLineDash([5, 3]);
    context.strokeRect(left, this.y(place) - 2, width, place.height + 3);
    context.setLineDash([]);
  }

  private path(): void {
    const { model, view, palette } = this.scene;
    this.context.fillStyle = palette.path;
    for (const step of model.steps) {
      if (step.span < 0 || step.end <= view.from || step.start >= view.to) continue;
      const place = this.scene.layout.places[model.trackOf(step.span)];
      const top = this.y(place) + (model.rows[step.span] + 1) * place.lane;
      this.box(step, top - 4, 3);
    }
  }

  private hazards(): void {
    const { context, scene } = this;
    context.fillStyle = scene.palette.bad;
    for (const hazard of scene.model.hazards) {
      if (hazard.span < 0 || !hazard.observed) continue;
      const x = this.x(scene.model.starts[hazard.span]);
      if (x < scene.gutter || x > scene.width) continue;
      const y = this.middleOf(hazard.span);
      context.beginPath();
      context.moveTo(x, y + 2);
      context.lineTo(x - 6, y - 9);
      context.lineTo(x + 6, y - 9);
      context.fill();
    }
  }

  private selection(): void {
    const { context, scene } = this;
    const span = scene.marks.selected;
    if (span < 0) return;
    const { model } = scene;
    const place = scene.layout.places[model.trackOf(span)];
    const left = Math.max(this.x(model.starts[span]), scene.gutter);
    const right = Math.min(this.x(model.ends[span]), scene.width);
    if (right < scene.gutter || left > scene.width) return;
    const top = this.y(place) + model.rows[span] * place.lane;
    context.strokeStyle = scene.palette.text;
    context.lineWidth = 2;
    context.strokeRect(left - 1, top - 1, Math.max(right - left, 1) + 2, place.lane + 1);
  }
}

/** `name` cut to fit `room` pixels; empty where not even a letter fits. */
export function fitted(context: CanvasRenderingContext2D, name: string, room: number): string {
  if (room < 8) return "";
  const cut = name.length > 200 ? name.slice(0, 200) : name;
  if (context.measureText(cut).width <= room && cut === name) return name;
  let [low, high] = [0, cut.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (context.measureText(`${cut.slice(0, middle)}\u2026`).width <= room) low = middle;
    else high = middle - 1;
  }
  return low ? `${cut.slice(0, low)}\u2026` : "";
}

/** Stripes for what stands and waits. */
export function hatching(
  context: CanvasRenderingContext2D,
  palette: Palette,
): CanvasPattern | string {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const brush = tile.getContext("2d");
  if (!brush) return palette.line;
  brush.fillStyle = palette.panel;
  brush.fillRect(0, 0, 8, 8);
  brush.strokeStyle = palette.quiet;
  brush.globalAlpha = 0.7;
  brush.lineWidth = 1.6;
  brush.beginPath();
  for (const at of [-8, 0, 8]) {
    brush.moveTo(at - 1, 9);
    brush.lineTo(at + 9, -1);
  }
  brush.stroke();
  return context.createPattern(tile, "repeat") ?? palette.line;
}

/** The colour of each activity. */
export function fillsOf(model: Model, colours: number): Uint8Array {
  return Uint8Array.from(model.activities, (activity) => hashOf(activity.name) % colours);
}

/** Draws how much of each pixel the tracks are busy, over the whole timeline, and the view on it. */
export function drawOverview(
  context: CanvasRenderingContext2D,
  model: Model,
  palette: Palette,
  size: { width: number; height: number; gutter: number },
  views: { all: View; now: View },
): void {
  const { width, height, gutter } = size;
  const { all, now } = views;
  context.clearRect(0, 0, width, height);
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, width, height);
  const columns = Math.max(1, Math.floor(width - gutter));
  const pixel = (all.to - all.from) / columns;
  const lanes = model.tracks.map((track) => track.busy);
  const busy = Float64Array.from({ length: columns }, (_, column) => {
    const from = all.from + column * pixel;
    return lanes.reduce((sum, lane) => sum + covered(lane, from, from + pixel), 0);
  });
  const most = busy.reduce((a, b) => Math.max(a, b), 0);
  context.fillStyle = palette.accent;
  busy.forEach((time, column) => {
    const tall = Math.max((time / most) * (height - 4), 1);
    if (time > 0) context.fillRect(gutter + column, height - 2 - tall, 1, tall);
  });
  const x = (time: number): number => gutter + (time - all.from) / pixel;
  context.fillStyle = palette.ground;
  context.globalAlpha = 0.62;
  context.fillRect(gutter, 0, x(now.from) - gutter, height);
  context.fillRect(x(now.to), 0, width - x(now.to), height);
  context.globalAlpha = 1;
  context.strokeStyle = palette.text;
  context.lineWidth = 1.5;
  const wide = Math.max(x(now.to) - x(now.from), 3);
  context.strokeRect(x(now.from) + 0.75, 0.75, wide - 1.5, height - 1.5);
  context.fillStyle = palette.quiet;
  context.font = "11px system-ui, 'Liberation Sans', Arial, sans-serif";
  context.textBaseline = "middle";
  context.fillText(
    fitted(context, plural(model.tracks.length, "track"), gutter - 10),
    8,
    height / 2,
  );
}
