// The panel beside the timeline: what is selected, what it waited for, where to go from it.

import { fill, h, shown } from "../common/index.ts";
import type { Flow, Model } from "./model.ts";

/** What the panel's buttons do. */
export interface Going {
  select: (span: number) => void;
  zoomTo: (span: number) => void;
  step: (by: 1 | -1) => void;
}

type Row = [string, ...(Node | string)[]];

/** Shows a span, or how to begin where none is selected. */
export function showDetails(panel: HTMLElement, model: Model, span: number, going: Going): void {
  if (span < 0) {
    fill(
      panel,
      h("h2", {}, "Nothing selected"),
      h(
        "p",
        { class: "quiet" },
        "Click a span, or search for one. ",
        h("kbd", {}, "?"),
        " lists the keys.",
      ),
    );
    return;
  }
  const rows = [
    ...stallOf(model, span, going),
    ...factsOf(model, span),
    ...flowsOf(model, span, going),
    ...siblings(model, span, going),
  ];
  fill(
    panel,
    h("h2", {}, model.name(span)),
    h(
      "div",
      { class: "bar" },
      button("Zoom to it", () => going.zoomTo(span)),
      button("Previous", () => going.step(-1)),
      button("Next", () => going.step(1)),
    ),
    h(
      "dl",
      {},
      ...rows.flatMap(([term, ...values]) => [h("dt", {}, term), h("dd", {}, ...values)]),
    ),
  );
}

/** One sentence for a screen reader. */
export function spoken(model: Model, span: number): string {
  const lasts = shown(model.ends[span] - model.starts[span]);
  const track = model.tracks[model.trackOf(span)].label;
  const at = shown(model.starts[span]);
  return `${model.name(span)} on ${track}, from ${at}, lasts ${lasts}`;
}

/** The span that a selected one waited for: where "go to cause" leads; -1: nothing. */
export function causeOf(model: Model, span: number): number {
  const stall = model.stallOf(span);
  if (stall && stall.cause >= 0) return model.causingSpan(stall.cause, model.ends[span]);
  const waits = model.flowsAt(span).filter((flow) => flow.wait === span);
  const last = waits.reduce<Flow | null>((a, b) => (a && a.from >= b.from ? a : b), null);
  return last ? last.signal : -1;
}

function factsOf(model: Model, span: number): Row[] {
  const activity = model.activity(span);
  const start = model.starts[span];
  const end = model.ends[span];
  const rows: Row[] = [["lasts", shown(end - start)]];
  rows.push(["from", shown(start)], ["to", shown(end)]);
  rows.push(["track", model.tracks[model.trackOf(span)].label]);
  if (activity.category) rows.push(["category", activity.category]);
  const idle = model.idleBefore(span);
  if (idle > 0) rows.push(["nothing on its track for", shown(idle)]);
  const command = model.commandOf(span);
  if (command >= 0 && model.simulation) {
    const { text, place, queue } = model.simulation.commands[command];
    rows.push(["command", h("code", {}, text)], ["where", `${place}, queue ${queue}`]);
  }
  if (activity.resources.length) rows.push(["resources", activity.resources.join(", ")]);
  for (const [key, value] of activity.notes) rows.push([key, value]);
  return rows;
}

function stallOf(model: Model, span: number, going: Going): Row[] {
  const stall = model.stallOf(span);
  const simulation = model.simulation;
  if (!stall || !simulation) return [];
  const rows: Row[] = [["stands because", simulation.reasons[stall.reason] ?? stall.reason]];
  const hidden = stall.exposed
    ? `all but ${shown(stall.exposed)}, in which no work ran`
    : "all of it";
  if (stall.cause >= 0) {
    const target = model.causingSpan(stall.cause, model.ends[span]);
    const { text, place } = simulation.commands[stall.cause];
    rows.push([
      "waited for",
      target < 0 ? text : link(text, () => going.select(target)),
      ` (${place})`,
    ]);
  } else rows.push(["waited for", "the way to memory and back, or the operation itself"]);
  rows.push(["hidden under other work", hidden]);
  return rows;
}

/** The other spans of the same command: its packet on an engine, its stages, its stalls. */
function siblings(model: Model, span: number, going: Going): Row[] {
  const others = model.spansOf(model.commandOf(span)).filter((other) => other !== span);
  if (!others.length) return [];
  const items = others.slice(0, 12).map((other) => {
    const where = `${model.tracks[model.trackOf(other)].name}: ${model.activity(other).category}`;
    return h(
      "li",
      {},
      link(where, () => going.select(other)),
      ` ${shown(model.starts[other])}`,
    );
  });
  return [["same command", h("ul", {}, ...items)]];
}

function flowsOf(model: Model, span: number, going: Going): Row[] {
  return model.flowsAt(span).map((flow) => {
    const waits = flow.wait === span;
    const other = waits ? flow.signal : flow.wait;
    const where = `on ${model.tracks[model.trackOf(other)].label}`;
    const late = flow.to - flow.from;
    const when = late < 0 ? `${shown(-late)} after the wait ended` : `${shown(late)} before`;
    const why = flow.name ? ` (${flow.name})` : "";
    const text = waits ? `, signalled ${when}${why}` : `${why}`;
    return [
      waits ? "waits for" : "is waited for by",
      link(model.name(other), () => going.select(other)),
      ` ${where}${text}`,
    ];
  });
}

function button(text: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", onclick }, text);
}

function link(text: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "link", onclick }, text);
}
