// How times are spread: so many frames for each stretch of time, and all slow ones in a last bar.

import { drawn, grouped, h, percent, s } from "../common/index.ts";
import type { Spread } from "./data.ts";
import { ms } from "./scale.ts";

const HEIGHT = 130;
const BOTTOM = 34;
const GAP = 14;

/** A histogram with its median and 99th percentile. */
export function histogram(title: string, spread: Spread): HTMLElement {
  const text =
    `${title}: ${grouped(spread.count)} values, median ${ms(spread.p50)} ms, ` +
    `99 % up to ${ms(spread.p99)} ms, longest ${ms(spread.most)} ms`;
  const box = h("div", { class: "plot", role: "img", "aria-label": text });
  drawn(box, (width) => picture(spread, width));
  return h("figure", { class: "histogram" }, h("figcaption", {}, title), box);
}

function picture(spread: Spread, width: number): Node {
  const { bins } = spread;
  const most = Math.max(...bins.map((bin) => bin.count));
  // The last bin is of another width than the others: it stands apart.
  const rest = bins.length > 1 && bins[bins.length - 1].end - 1 > spread.p99;
  const regular = rest ? bins.length - 1 : bins.length;
  const room = width - (rest ? GAP + 20 : 0) - 2;
  const wide = Math.min(room / regular, 40);
  const low = HEIGHT - BOTTOM;
  const bar = (at: number, x: number, name: string, barWidth: number): Node => {
    const bin = bins[at];
    const height = bin.count ? Math.max((bin.count / most) * (low - 14), 1) : 0;
    const share = percent(bin.count, spread.count);
    const title = `${ms(bin.start)} to ${ms(bin.end)} ms: ${grouped(bin.count)} (${share})`;
    const place = { x, y: low - height, width: Math.max(barWidth - 1, 0.7), height };
    return s("rect", { class: name, ...place }, s("title", {}, title));
  };
  const bars = bins.slice(0, regular).map((_, at) => bar(at, 1 + at * wide, "tally", wide));
  const x = (time: number): number => {
    const span = Math.max(bins[regular - 1].end - bins[0].start, 1);
    return 1 + ((time - bins[0].start) / span) * wide * regular;
  };
  const made = [...bars, ...marks(spread, x, low, width), axis(bins[0].start, 1, "start", low)];
  if (regular > 1) made.push(axis(bins[regular - 1].end, 1 + wide * regular, "end", low));
  if (rest) {
    made.push(bar(bins.length - 1, width - 21, "tally rest", 20));
    made.push(
      s("text", { x: width, y: low + 28, "text-anchor": "end" }, `over: to ${ms(spread.most)}`),
    );
  }
  return s("svg", { width, height: HEIGHT, "aria-hidden": "true" }, ...made);
}

function axis(time: number, x: number, anchor: string, low: number): Node {
  return s("text", { x, y: low + 14, "text-anchor": anchor }, `${ms(time)} ms`);
}

function marks(spread: Spread, x: (time: number) => number, low: number, width: number): Node[] {
  const at = x(spread.p50);
  const right = at > width - 110;
  const place = { x: right ? at - 3 : at + 3, y: 10, "text-anchor": right ? "end" : "start" };
  return [
    s("line", { class: "median", x1: at, x2: at, y1: 12, y2: low }),
    s("text", { ...place, class: "strong" }, `median ${ms(spread.p50)}`),
  ];
}
