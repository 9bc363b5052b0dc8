// Frame times over the capture: least, mean and most of neighbouring frames, and what limits them.

import { clean, drawn, grouped, h, plural, s, shown } from "../common/index.ts";
import type { Bucket, Chain, Range, Segment } from "./data.ts";
import { MS, bucketAt, ceiling, depths, ms, ticks } from "./scale.ts";

const HEIGHT = 260;
const LEFT = 52;
const TOP = 10;
const BOTTOM = 26;
const DEPTH = 64;
const STRIPE = 10;

interface Curve {
  id: string;
  name: string;
  on: boolean;
  points: { start: number; range: Range }[];
}

/** The plot with its choice of curves and a cursor that the pointer and the arrow keys move. */
export function framePlot(chain: Chain): HTMLElement {
  if (!chain.series.length) return h("p", { class: "quiet" }, "No frame times.");
  return new Plot(chain).element;
}

class Plot {
  readonly element: HTMLElement;
  private readonly curves: Curve[];
  private readonly box: HTMLElement;
  private readonly readout = h("p", { class: "readout", id: "readout" });
  private readonly first: number;
  private readonly last: number;
  private readonly depths: (number | null)[];
  private cursor = 0;
  private width = 0;
  private mark: SVGElement | null = null;

  constructor(private readonly chain: Chain) {
    this.curves = curvesOf(chain);
    this.depths = depths(chain.series);
    const end = chain.series[chain.series.length - 1];
    this.first = chain.series[0].start;
    this.last = Math.max(end.start + end.frame_time.mean * end.frames, this.first + 1);
    this.box = h("div", {
      class: "plot",
      id: "frames",
      tabindex: 0,
      role: "slider",
      "aria-label": "Frame times; arrow keys go from frame to frame",
      "aria-valuemin": 0,
      "aria-valuemax": chain.series.length - 1,
      onkeydown: (event: KeyboardEvent) => this.key(event),
      onpointermove: (event: PointerEvent) => this.point(event),
    });
    drawn(this.box, (width) => this.draw(width));
    this.element = h("div", {}, this.choice(), this.box, this.readout, ...this.notes());
    this.tell();
  }

  private choice(): HTMLElement {
    const boxes = this.curves.map((curve) => {
      const input = h("input", { type: "checkbox", id: `curve-${curve.id}` });
      input.checked = curve.on;
      input.addEventListener("change", () => {
        curve.on = input.checked;
        this.box.replaceChildren(this.draw(this.width));
      });
      const swatch = h("span", { class: `swatch ${curve.id}` });
      return h("label", { class: "choice" }, input, swatch, curve.name);
    });
    return h("div", { class: "bar" }, ...boxes);
  }

  private get top(): number {
    const visible = this.curves.filter((curve) => curve.on);
    const most = visible.flatMap((curve) => curve.points.map((point) => point.range.most));
    return Math.max(ceiling(most), MS);
  }

  private x(time: number): number {
    return LEFT + ((time - this.first) / (this.last - this.first)) * (this.width - LEFT - 8);
  }

  private get hasDepth(): boolean {
    return this.depths.some((depth) => depth !== null);
  }

  private draw(width: number): Node {
    this.width = width;
    const top = this.top;
    const low = HEIGHT - BOTTOM - STRIPE;
    const height = HEIGHT + (this.hasDepth ? DEPTH : 0);
    const y = (time: number): number => low - (Math.min(time, top) / top) * (low - TOP);
    this.mark = s("line", { class: "cursor", y1: TOP, y2: height });
    const made = s(
      "svg",
      { width, height, "aria-hidden": "true" },
      ...this.grid(y, top),
      ...this.curves.filter((curve) => curve.on).flatMap((curve) => this.curve(curve, y)),
      ...this.segments(low + 3),
      ...(this.hasDepth ? this.depth() : []),
      this.mark,
    );
    this.moveMark();
    return made;
  }

  private grid(y: (time: number) => number, top: number): Node[] {
    const found: Node[] = [];
    for (const time of ticks(0, top, 5)) {
      found.push(
        s("line", { class: "grid", x1: LEFT, x2: this.width - 8, y1: y(time), y2: y(time) }),
      );
      found.push(
        s("text", { x: LEFT - 6, y: y(time) + 4, "text-anchor": "end" }, `${time / MS} ms`),
      );
    }
    const length = this.last - this.first;
    for (const time of ticks(0, length, Math.max(2, Math.floor(this.width / 120)))) {
      const x = this.x(this.first + time);
      const label = `${Number((time / 1e12).toPrecision(6))} s`;
      found.push(s("text", { x, y: HEIGHT - 6, "text-anchor": time ? "middle" : "start" }, label));
    }
    for (const time of this.refreshes(top)) {
      found.push(
        s("line", { class: "refresh", x1: LEFT, x2: this.width - 8, y1: y(time), y2: y(time) }),
      );
    }
    return found;
  }

  /** Whole refreshes, unless there are too many to tell apart. */
  private refreshes(top: number): number[] {
    const refresh = this.chain.evidence.refresh ?? Infinity;
    const count = Math.floor(top / refresh);
    return count > 12 ? [] : Array.from({ length: count }, (_, at) => (at + 1) * refresh);
  }

  private curve(curve: Curve, y: (time: number) => number): Node[] {
    const mean = curve.points.map(
      ({ start, range }) => `${round(this.x(start))},${round(y(range.mean))}`,
    );
    const upper = curve.points.map(
      ({ start, range }) => `${round(this.x(start))},${round(y(range.most))}`,
    );
    const lower = curve.points.map(
      ({ start, range }) => `${round(this.x(start))},${round(y(range.least))}`,
    );
    return [
      s("polygon", { class: `band ${curve.id}`, points: [...upper, ...lower.reverse()].join(" ") }),
      s("polyline", { class: `curve ${curve.id}`, points: mean.join(" ") }),
    ];
  }

  /** Frames between Present and the screen, below the frame times. */
  private depth(): Node[] {
    const { series } = this.chain;
    const most = Math.max(1, Math.ceil(Math.max(...this.depths.map((depth) => depth ?? 0))));
    const low = HEIGHT + DEPTH - 4;
    const y = (depth: number): number => low - (depth / most) * (DEPTH - 14);
    const steps = this.depths.map((depth, at) => {
      const left = round(this.x(series[at].start));
      const right = round(this.x(series[at + 1]?.start ?? this.last));
      return `M${left},${low}V${round(y(depth ?? 0))}H${right}V${low}Z`;
    });
    const counts = [0, most].flatMap((count) => [
      s("line", { class: "grid", x1: LEFT, x2: this.width - 8, y1: y(count), y2: y(count) }),
      s("text", { x: LEFT - 6, y: y(count) + 4, "text-anchor": "end" }, String(count)),
    ]);
    const name = s("text", { x: LEFT + 4, y: HEIGHT + 12, class: "strong" }, "frames queued");
    return [...counts, s("path", { class: "queue", d: steps.join("") }), name];
  }

  private segments(y: number): Node[] {
    return this.chain.segments.map((segment) => {
      const x = this.x(Math.max(segment.start, this.first));
      const width = Math.max(this.x(Math.min(segment.end, this.last)) - x, 1);
      return s(
        "rect",
        { class: `verdict-fill ${segment.verdict}`, x, y, width, height: STRIPE },
        s("title", {}, `${segment.verdict} (${segment.cause})`),
      );
    });
  }

  private notes(): HTMLElement[] {
    const { series } = this.chain;
    const most = series.map((bucket) => bucket.frame_time.most);
    const top = ceiling(most);
    const cut = most.filter((time) => time > top).length;
    const found: string[] = [];
    if (series[0].frames > 1) {
      found.push(
        `A point stands for up to ${plural(series[0].frames, "frame")}: the line is their mean, the band goes from the least to the most.`,
      );
    }
    if (cut)
      found.push(`${plural(cut, "point")} go above the plot, up to ${ms(Math.max(...most))} ms.`);
    if (this.refreshes(this.top).length)
      found.push("Dotted lines: whole refreshes of the display.");
    found.push("The stripe below: what limits the frames then.");
    if (this.hasDepth) found.push("Queued: frames between Present and the screen.");
    return [h("p", { class: "quiet" }, found.join(" "))];
  }

  // -- the cursor

  private key(event: KeyboardEvent): void {
    const { length } = this.chain.series;
    const steps: Record<string, number> = {
      ArrowLeft: this.cursor - 1,
      ArrowRight: this.cursor + 1,
      PageUp: this.cursor - Math.ceil(length / 20),
      PageDown: this.cursor + Math.ceil(length / 20),
      Home: 0,
      End: length - 1,
    };
    const next = steps[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.move(next);
  }

  private point(event: PointerEvent): void {
    const box = this.box.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (this.width - LEFT - 8);
    this.move(bucketAt(this.chain.series, this.first + share * (this.last - this.first)));
  }

  private move(to: number): void {
    this.cursor = Math.min(Math.max(to, 0), this.chain.series.length - 1);
    this.moveMark();
    this.tell();
  }

  private moveMark(): void {
    const x = this.x(this.chain.series[this.cursor].start);
    this.mark?.setAttribute("x1", String(x));
    this.mark?.setAttribute("x2", String(x));
  }

  private tell(): void {
    const depth = this.depths[this.cursor];
    const queued = depth === null ? "" : `; queued ${Number(depth.toFixed(1))}`;
    const text = told(this.chain, this.cursor, this.first) + queued;
    this.readout.textContent = text;
    this.box.setAttribute("aria-valuenow", String(this.cursor));
    this.box.setAttribute("aria-valuetext", text);
  }
}

function told(chain: Chain, at: number, first: number): string {
  const bucket = chain.series[at];
  const parts = [
    `at ${shown(bucket.start - first)}: frame time ${ranged(bucket.frame_time, bucket.frames)}`,
  ];
  if (bucket.in_present) parts.push(`in Present ${ranged(bucket.in_present, bucket.frames)}`);
  if (bucket.gpu_busy) parts.push(`GPU busy ${ranged(bucket.gpu_busy, bucket.frames)}`);
  if (bucket.until_shown)
    parts.push(`on the screen after ${ranged(bucket.until_shown, bucket.frames)}`);
  if (bucket.never_shown) parts.push(`${grouped(bucket.never_shown)} never shown`);
  const segment = segmentAt(chain.segments, bucket.start);
  if (segment) parts.push(clean(segment.verdict));
  return parts.join("; ");
}

function segmentAt(segments: readonly Segment[], time: number): Segment | undefined {
  return segments.find((segment) => segment.start <= time && time < segment.end);
}

function ranged(range: Range, frames: number): string {
  const several = frames > 1 ? ` (${ms(range.least)} to ${ms(range.most)})` : "";
  return `${ms(range.mean)} ms${several}`;
}

function curvesOf(chain: Chain): Curve[] {
  const of = (
    id: string,
    name: string,
    on: boolean,
    range: (bucket: Bucket) => Range | null,
  ): Curve => ({
    id,
    name,
    on,
    points: chain.series.flatMap((bucket) => {
      const found = range(bucket);
      return found ? [{ start: bucket.start, range: found }] : [];
    }),
  });
  const displays = chain.displays.map((bucket) => ({ start: bucket.start, range: bucket.length }));
  return [
    of("frame-time", "between presents", true, (bucket) => bucket.frame_time),
    of("in-present", "in Present", true, (bucket) => bucket.in_present),
    of("gpu-busy", "GPU busy", true, (bucket) => bucket.gpu_busy),
    of("until-shown", "Present to screen", false, (bucket) => bucket.until_shown),
    { id: "display", name: "between pictures", on: false, points: displays },
  ].filter((curve) => curve.points.length > 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
