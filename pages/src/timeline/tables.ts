// The figures as tables: what a reader, or a screen reader, takes from the page without the canvas.

import {
  clean,
  cut,
  grouped,
  h,
  inUnit,
  percent,
  plural,
  shown,
  table,
  tableUnit,
} from "../common/index.ts";
import type { Column } from "../common/index.ts";
import type { Bubble, FiguresData, SimulationData, SpanFigure, TrackFigures } from "./data.ts";
import type { Model } from "./model.ts";

const PAIRS = 20;
const COSTS = 200;

/** What a row's button shows on the canvas. */
export interface Showing {
  bubble: (bubble: Bubble) => void;
  command: (command: number) => void;
}

/** All tables of a page. */
export function tablesOf(model: Model, showing: Showing): Node[] {
  const { figures } = model.data;
  const simulated = model.simulation ? simulationTables(model, model.simulation, showing) : [];
  return [...simulated, ...(figures ? figureTables(figures, showing) : []), ...notes(model)];
}

function figureTables(figures: FiguresData, showing: Showing): HTMLElement[] {
  return [sums(figures), tracks(figures), ...pairs(figures), ...bubbles(figures, showing)];
}

function sums(figures: FiguresData): HTMLElement {
  const { length } = figures.window;
  const rows: [string, number, string][] = [
    ["busy", figures.busy, "at least one track runs"],
    ["overlapped", figures.overlapped, "two or more run"],
    ["idle", figures.idle, "none runs"],
  ];
  return table<[string, number, string]>(
    `Sums over ${shown(length)}`,
    [
      { head: "what", cell: ([name]) => name },
      { head: "time", cell: ([, time]) => shown(time), number: true },
      { head: "of window", cell: ([, time]) => percent(time, length), number: true },
      { head: "meaning", cell: ([, , meaning]) => meaning },
    ],
    rows,
  );
}

function tracks(figures: FiguresData): HTMLElement {
  const { length } = figures.window;
  const unit = tableUnit(length);
  const time = (
    head: string,
    of: (row: TrackFigures) => number,
    note: string,
  ): Column<TrackFigures> => ({ head, cell: (row) => inUnit(of(row), unit), number: true, note });
  return table(
    `Tracks (times in ${unit})`,
    [
      { head: "track", cell: labelOf },
      { head: "slices", cell: (row) => grouped(row.spans), number: true },
      time("busy", (row) => row.busy, "it runs"),
      { head: "of window", cell: (row) => percent(row.busy, length), number: true },
      time("alone", (row) => row.alone, "only it runs"),
      time("before", (row) => row.before, "until it first runs"),
      time("bubbles", (row) => row.bubbles, "between its work"),
      time("others run", (row) => row.others_run, "of the bubbles, while others run"),
      time("all idle", (row) => row.all_idle, "of the bubbles, while none runs"),
      time("after", (row) => row.after, "since it last ran"),
    ],
    figures.tracks,
  );
}

function labelOf(track: { group: string; name: string }): string {
  return clean(`${track.group} ${track.name}`.trim()) || "(no name)";
}

function pairs(figures: FiguresData): HTMLElement[] {
  const all = [...figures.pairs].sort(
    (a, b) => b.together - a.together || a.first - b.first || a.second - b.second,
  );
  if (!all.length) return [];
  const share = (row: (typeof all)[0], at: number): string =>
    percent(row.together, figures.tracks[at].busy);
  const more = all.length > PAIRS ? `, the first ${PAIRS} of ${grouped(all.length)}` : "";
  const pair = (row: (typeof all)[0]): string =>
    `${labelOf(figures.tracks[row.first])} + ${labelOf(figures.tracks[row.second])}`;
  return [
    table(
      `Pairs that run at once${more}`,
      [
        { head: "pair", cell: pair },
        { head: "both", cell: (row) => shown(row.together), number: true },
        { head: "of the first", cell: (row) => share(row, row.first), number: true },
        { head: "of the second", cell: (row) => share(row, row.second), number: true },
      ],
      all.slice(0, PAIRS),
    ),
  ];
}

function bubbles(figures: FiguresData, showing: Showing): HTMLElement[] {
  if (!figures.longest_bubbles.length) return [];
  const count = figures.tracks.reduce((sum, track) => sum + track.gaps, 0);
  const at = (bubble: Bubble): string =>
    `${shown(bubble.length)} from ${shown(bubble.start - figures.window.start)}`;
  return [
    table(
      `Longest bubbles (${figures.longest_bubbles.length} of ${grouped(count)})`,
      [
        { head: "bubble", cell: (row) => link(at(row), () => showing.bubble(row)) },
        { head: "track", cell: (row) => labelOf(figures.tracks[row.track]) },
        { head: "others run", cell: (row) => shown(row.others_run), number: true },
        { head: "after", cell: (row) => nameOf(row.before) },
        { head: "ends with", cell: (row) => nameOf(row.after) },
        { head: "which waits for", cell: waitOf },
      ],
      figures.longest_bubbles,
    ),
  ];
}

function nameOf(span: { name: string }): Node | string {
  return cut(span.name) || "(no name)";
}

function waitOf({ waits_for: signal, last_end: last }: Bubble): Node | string {
  const where = (span: SpanFigure): Node[] => [
    h("span", {}, nameOf(span)),
    h("span", {}, ` on ${clean(span.track)}`),
  ];
  if (signal) return h("span", {}, ...where(signal.span));
  if (!last) return "not recorded";
  return h("span", {}, "not recorded; last to end in it: ", ...where(last));
}

function simulationTables(model: Model, data: SimulationData, showing: Showing): HTMLElement[] {
  return [
    ...hazards(data, showing),
    totals(data),
    ...costs(data, showing),
    ...stalls(data),
    ...path(model, data),
    engines(data),
    ...units(data),
  ];
}

function hazards(data: SimulationData, showing: Showing): HTMLElement[] {
  if (!data.hazards.length) return [];
  const command = (at: number): Node | string =>
    at < 0 ? "-" : link(data.commands[at].text, () => showing.command(at));
  const seen = data.hazards.filter((row) => row.observed).length;
  return [
    table(
      `Hazards: ${seen} of ${data.hazards.length} observed in this run`,
      [
        { head: "rule", cell: (row) => row.rule },
        { head: "later command", cell: (row) => command(row.command) },
        { head: "where", cell: (row) => data.commands[row.command].place },
        { head: "earlier command", cell: (row) => command(row.earlier) },
        { head: "in this run", cell: (row) => row.how || "not observed; another run may show it" },
        { head: "what", cell: (row) => row.text },
      ],
      data.hazards,
    ),
  ];
}

function costs(data: SimulationData, showing: Showing): HTMLElement[] {
  const rows = [...data.costs].sort((a, b) => b.exposed - a.exposed || b.stalled - a.stalled);
  if (!rows.length) return [];
  const more = rows.length > COSTS ? `, the first ${COSTS} of ${grouped(rows.length)}` : "";
  return [
    table(
      `Cost of each synchronization, what is not hidden first${more}`,
      [
        {
          head: "command",
          cell: (row) => link(data.commands[row.command].text, () => showing.command(row.command)),
        },
        { head: "queue", cell: (row) => data.commands[row.command].queue },
        { head: "where", cell: (row) => data.commands[row.command].place },
        { head: "not hidden", cell: (row) => shown(row.exposed), number: true },
        { head: "of the run", cell: (row) => percent(row.exposed, data.time), number: true },
        { head: "stood", cell: (row) => shown(row.stalled), number: true },
      ],
      rows.slice(0, COSTS),
    ),
  ];
}

function stalls(data: SimulationData): HTMLElement[] {
  const rows = [...data.by_reason].sort((a, b) => b[1] - a[1]);
  if (!rows.length) return [];
  return [
    table<[string, number]>(
      "Stalls by reason",
      [
        { head: "reason", cell: ([reason]) => reason },
        { head: "in all", cell: ([, time]) => shown(time), number: true },
        { head: "meaning", cell: ([reason]) => data.reasons[reason] ?? "" },
      ],
      rows,
    ),
  ];
}

function engines(data: SimulationData): HTMLElement {
  return table<[string, number]>(
    `Engines over ${shown(data.time)}`,
    [
      { head: "engine", cell: ([engine]) => clean(engine) },
      { head: "busy", cell: ([, busy]) => shown(busy), number: true },
      { head: "of the run", cell: ([, busy]) => percent(busy, data.time), number: true },
    ],
    data.by_engine,
  );
}

function units(data: SimulationData): HTMLElement[] {
  if (!data.by_unit.length) return [];
  return [
    table<[string, number]>(
      "Units: what the works took of each, as time of the whole unit",
      [
        { head: "unit", cell: ([unit]) => unit },
        { head: "time", cell: ([, time]) => shown(time), number: true },
        { head: "of the run", cell: ([, time]) => percent(time, data.time), number: true },
      ],
      data.by_unit,
    ),
  ];
}

function totals(data: SimulationData): HTMLElement {
  const rows: [string, number, string][] = [
    ["working", data.working, "some work runs"],
    ["idle", data.idle, "none runs"],
    ["not hidden", data.exposed, "the part of idle that synchronization is the reason of"],
  ];
  return table<[string, number, string]>(
    `The run: ${shown(data.time)}`,
    [
      { head: "what", cell: ([name]) => name },
      { head: "time", cell: ([, time]) => shown(time), number: true },
      { head: "of the run", cell: ([, time]) => percent(time, data.time), number: true },
      { head: "meaning", cell: ([, , meaning]) => meaning },
    ],
    rows,
  );
}

function path(model: Model, data: SimulationData): HTMLElement[] {
  const sums = new Map<string, number>();
  for (const step of model.steps) {
    sums.set(step.what, (sums.get(step.what) ?? 0) + step.end - step.start);
  }
  const rows = [...sums].sort((a, b) => b[1] - a[1]);
  if (!rows.length) return [];
  return [
    table<[string, number]>(
      "The critical path, by what its time passes with",
      [
        { head: "what", cell: ([what]) => what },
        { head: "time", cell: ([, time]) => shown(time), number: true },
        { head: "of the run", cell: ([, time]) => percent(time, data.time), number: true },
        { head: "meaning", cell: ([what]) => data.reasons[what] ?? "" },
      ],
      rows,
    ),
  ];
}

function notes(model: Model): HTMLElement[] {
  const { figures } = model.data;
  const all = [...(figures?.notes ?? []), ...model.data.notes];
  const backward = figures?.flows.backward ?? 0;
  if (backward) {
    all.push(
      `${plural(backward, "wait")} ended before the signal: the tracks may not share one clock`,
    );
  }
  if (!all.length) return [];
  const items = all.map((note) => h("li", {}, clean(note)));
  return [h("h2", {}, "Notes"), h("ul", {}, ...items)];
}

function link(text: string, onclick: () => void): HTMLElement {
  return h("button", { type: "button", class: "link", onclick }, text);
}
