// Who does what when: CPU, GPU, back buffers and screen, as in the seed's figures.

import { clean, drawn, fill, h, s, shown, table } from "../common/index.ts";
import type { Outcome, Stretch, Strip } from "./data.ts";
import { ms, queued } from "./scale.ts";

const ROW = 24;
const AXIS = 22;
const QUEUE = 40;
const FRAMES = 5;

const MEANINGS: Record<string, string> = {
  work: "works on a frame",
  present: "waits in Present",
  wait: "waits for a visible buffer, or before a frame",
  available: "available",
  pending: "pending: presented, not flipped",
  visible: "visible",
  frame: "shows a frame",
};

/** The strips of all outcomes that have one and differ, on one scale, with a legend. */
export function strips(outcomes: readonly Outcome[]): HTMLElement | null {
  const shownOnes = outcomes.filter((outcome) => outcome.strip && !outcome.same);
  if (!shownOnes.length) return null;
  const longest = Math.max(...shownOnes.map(({ strip }) => (strip ? strip.end - strip.start : 0)));
  return h(
    "section",
    { id: "strips" },
    h("h2", {}, "Who does what when"),
    legend(),
    ...shownOnes.map((outcome) => stripOf(outcome, longest)),
  );
}

function stripOf(outcome: Outcome, longest: number): HTMLElement {
  const strip = outcome.strip as Strip;
  const title = `${clean(outcome.name)}: ${outcome.rate.toFixed(1)} FPS`;
  const label = `${title}. ${shown(strip.end - strip.start)} of the run; the table below it says the same.`;
  const box = h("div", { class: "plot strip", role: "img", "aria-label": label });
  drawn(box, (width) => picture(strip, width, longest));
  return h("figure", {}, h("figcaption", {}, title), box, asTable(strip));
}

function picture(strip: Strip, width: number, longest: number): Node {
  const left = width < 520 ? 62 : 84;
  const scale = (width - left - 4) / longest;
  const x = (time: number): number => left + (time - strip.start) * scale;
  const rows = strip.rows.length * ROW;
  const height = AXIS + rows + QUEUE;
  const vsyncs = strip.vsyncs.flatMap((time, at) => [
    s("line", { class: "vsync", x1: x(time), x2: x(time), y1: AXIS - 4, y2: AXIS + rows }),
    ...(at % Math.ceil(50 / Math.max(step(strip) * scale, 1))
      ? []
      : [
          s(
            "text",
            { x: x(time), y: 12, "text-anchor": at ? "middle" : "start" },
            ms(time - strip.start),
          ),
        ]),
  ]);
  const drawnRows = strip.rows.flatMap((row, at) => [
    s("text", { x: 0, y: AXIS + at * ROW + 16 }, clean(row.name)),
    ...row.stretches.flatMap((stretch) => rect(stretch, x, AXIS + at * ROW + 2, row.name)),
  ]);
  const labels = strip.rows.flatMap((row, at) =>
    row.stretches.flatMap((stretch) => label(stretch, x, AXIS + at * ROW + 16)),
  );
  return s(
    "svg",
    { width, height, "aria-hidden": "true" },
    s("text", { x: 0, y: 12 }, width < 520 ? "ms" : "VSync, ms"),
    ...drawnRows,
    ...vsyncs,
    ...labels,
    ...depth(strip, x, AXIS + rows),
  );
}

function step(strip: Strip): number {
  return strip.vsyncs.length > 1 ? strip.vsyncs[1] - strip.vsyncs[0] : strip.end - strip.start;
}

function rect(stretch: Stretch, x: (time: number) => number, y: number, row: string): Node[] {
  if (stretch.state === "available") return [];
  if (stretch.state === "frame" && stretch.present < 0) return [];
  const left = x(stretch.start);
  const width = Math.max(x(stretch.end) - left, 1);
  const colour = stretch.present < 0 ? "none" : `f${stretch.present % FRAMES}`;
  const place = { x: left, y, width, height: ROW - 4 };
  const text = `${row}: ${told(stretch)}`;
  const parts: Node[] = [
    s("rect", { class: `state ${stretch.state} ${colour}`, ...place }, s("title", {}, text)),
  ];
  if (stretch.state === "present" || stretch.state === "wait") {
    parts.push(
      s("rect", { ...place, fill: `url(#hatch-${stretch.state})`, "pointer-events": "none" }),
    );
  }
  return parts;
}

/** What a stretch is, over the lines of the VSyncs. */
function label(stretch: Stretch, x: (time: number) => number, y: number): Node[] {
  const left = x(stretch.start);
  const width = x(stretch.end) - left;
  const text = labelOf(stretch, width);
  const place = { x: left + width / 2, y, "text-anchor": "middle" };
  return text ? [s("text", { ...place, class: `inside ${stretch.state}` }, text)] : [];
}

function labelOf(stretch: Stretch, width: number): string {
  const frame = stretch.present < 0 ? "" : String(stretch.present);
  const wanted: Record<string, string[]> = {
    work: [`frame ${frame}`, frame],
    frame: [`frame ${frame}`, frame],
    visible: [`${frame} visible`, frame],
    pending: [`${frame} pending`, frame],
    present: ["in Present"],
    wait: ["waits"],
  };
  return (wanted[stretch.state] ?? []).find((text) => text.length * 6.4 + 8 <= width) ?? "";
}

function told(stretch: Stretch): string {
  const frame = stretch.present < 0 ? "" : `, frame ${stretch.present}`;
  return `${MEANINGS[stretch.state] ?? stretch.state}${frame}, ${ms(stretch.end - stretch.start)} ms`;
}

/** How many frames wait to be flipped: a box as high as they are many, with their number. */
function depth(strip: Strip, x: (time: number) => number, top: number): Node[] {
  const steps = queued(strip);
  const most = Math.max(1, ...steps.map((item) => item.count));
  const low = top + QUEUE - 4;
  const boxes = steps.flatMap((item, at) => {
    const left = x(item.time);
    const width = x(steps[at + 1]?.time ?? strip.end) - left;
    const height = (item.count / most) * (QUEUE - 14);
    const box = s("rect", { class: "depth", x: left, y: low - height, width, height });
    const place = { x: left + width / 2, y: low - 6, "text-anchor": "middle" };
    return width < 14 ? [box] : [box, s("text", place, String(item.count))];
  });
  return [s("text", { x: 0, y: low - 6 }, "queued"), ...boxes];
}

/** The hatchings that all strips use. */
function patterns(): Element {
  const hatch = (id: string, name: string): Node =>
    s(
      "pattern",
      { id, width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
      s("line", { class: name, x1: 0, y1: 0, x2: 0, y2: 7 }),
    );
  const all = [hatch("hatch-present", "hatch present"), hatch("hatch-wait", "hatch wait")];
  return s("svg", { width: 0, height: 0, "aria-hidden": "true" }, s("defs", {}, ...all));
}

function legend(): HTMLElement {
  const item = (state: string, text: string): HTMLElement => {
    const picture = s(
      "svg",
      { width: 26, height: 16, "aria-hidden": "true" },
      s("rect", { class: `state ${state} f1`, x: 1, y: 1, width: 24, height: 14 }),
    );
    if (state === "present" || state === "wait") {
      picture.append(
        s("rect", { x: 1, y: 1, width: 24, height: 14, fill: `url(#hatch-${state})` }),
      );
    }
    const entry = h("span", { class: "choice" }, text);
    entry.prepend(picture);
    return entry;
  };
  const box = h("div", { class: "bar legend" });
  fill(
    box,
    item("work", "work on a frame, or its picture; a frame keeps its colour"),
    item("present", "the CPU waits in Present"),
    item("wait", "the GPU waits for a visible buffer, or the CPU before a frame"),
    item("pending", "pending"),
    item("visible", "visible"),
  );
  box.append(patterns());
  return box;
}

function asTable(strip: Strip): HTMLElement {
  const rows = strip.rows.flatMap((row) =>
    row.stretches.map((stretch) => ({ name: clean(row.name), stretch })),
  );
  const made = table(
    "Who does what when",
    [
      { head: "who", cell: (row) => row.name },
      { head: "from (ms)", cell: (row) => ms(row.stretch.start - strip.start), number: true },
      { head: "to (ms)", cell: (row) => ms(row.stretch.end - strip.start), number: true },
      { head: "what", cell: (row) => MEANINGS[row.stretch.state] ?? row.stretch.state },
      {
        head: "frame",
        cell: (row) => (row.stretch.present < 0 ? "" : row.stretch.present),
        number: true,
      },
    ],
    rows,
  );
  return h("details", {}, h("summary", {}, "as a table"), made);
}
