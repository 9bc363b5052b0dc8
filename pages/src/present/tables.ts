// What the page says in words and numbers: verdict, evidence, what-ifs, rates, errors of the replay.

import { clean, grouped, h, plural, table } from "../common/index.ts";
import type { Column } from "../common/index.ts";
import type { Cause, Chain, Errors, Outcome, Spread } from "./data.ts";
import { MS, difference, ms } from "./scale.ts";

/** The verdict with what it means, what helps and the figures that decided. */
export function verdict(chain: Chain): HTMLElement {
  const share = `${Math.round(chain.share * 100)} % of the time`;
  const others = chain.shares.length > 1 ? [sharesOf(chain)] : [];
  return h(
    "section",
    { id: "verdict", class: `card ${chain.verdict}` },
    h(
      "h2",
      {},
      h("span", { class: `badge ${chain.verdict}` }, chain.verdict),
      ` ${clean(chain.cause.id)}, ${share}`,
    ),
    h("p", {}, sentence(chain.cause.meaning)),
    ...(chain.presents_cause ? [presents(chain.presents_cause)] : []),
    ...others,
    h("h3", {}, "What helps"),
    h("ul", {}, ...chain.cause.advice.map((advice) => h("li", {}, clean(advice)))),
    h("p", { class: "quiet" }, `Source: ${clean(chain.cause.source)}`),
  );
}

function presents(cause: Cause): HTMLElement {
  return h(
    "p",
    {},
    `The presents themselves: ${cause.verdict} (${cause.id}), ${clean(cause.meaning)}.`,
  );
}

function sentence(text: string): string {
  const said = clean(text);
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${said.endsWith(".") ? "" : "."}`;
}

function sharesOf(chain: Chain): HTMLElement {
  const parts = chain.shares.map((row) => `${row.verdict} ${Math.round(row.share * 100)} %`);
  return h("p", {}, `Over time: ${parts.join(", ")}.`);
}

/** The figures behind the verdict, and what they are held against. */
export function evidence(chain: Chain): HTMLElement {
  return table(
    "Evidence",
    [
      { head: "figure", cell: (row) => clean(row.name) },
      { head: "here", cell: (row) => clean(row.says) },
      { head: "limit", cell: (row) => clean(row.limit) },
    ],
    chain.reasons,
  );
}

/** Frames under their own settings beside every what-if: a column each. */
export function whatIfs(chain: Chain): HTMLElement[] {
  const { own } = chain;
  if (!own) return [];
  const all = [own, ...chain.what_ifs];
  const columns: Column<Metric>[] = [
    { head: "figure", cell: (metric) => metric.name },
    ...all.map((outcome): Column<Metric> => ({
      head: clean(outcome.name),
      cell: (metric) => cellOf(metric, outcome, own),
      number: true,
    })),
  ];
  const title = chain.what_ifs.length ? "What if, side by side" : "Played";
  const made = table(title, columns, METRICS);
  made.id = "what-ifs";
  const notes = [
    "Latency: from the start of the CPU frame to the screen. Waits are means a frame. Behind each number: its difference from the first column.",
    ...replayNotes(chain),
  ];
  return [made, ...notes.map((note) => h("p", { class: "quiet" }, note))];
}

interface Metric {
  name: string;
  value?: (outcome: Outcome) => number | null;
  text?: (outcome: Outcome) => string;
  digits: number;
  better?: 1 | -1;
}

const METRICS: readonly Metric[] = [
  { name: "FPS on the screen", value: (it) => it.rate, digits: 1, better: 1 },
  { name: "1 % low, FPS", value: (it) => it.low, digits: 1, better: 1 },
  { name: "latency, median, ms", value: (it) => inMs(it.latency?.p50), digits: 2, better: -1 },
  { name: "latency, 99 %, ms", value: (it) => inMs(it.latency?.p99), digits: 2, better: -1 },
  {
    name: "between pictures, median, ms",
    value: (it) => inMs(it.display_times?.p50),
    digits: 2,
    better: -1,
  },
  {
    name: "between pictures, 99 %, ms",
    value: (it) => inMs(it.display_times?.p99),
    digits: 2,
    better: -1,
  },
  { name: "CPU in Present, ms", value: (it) => inMs(it.blocked), digits: 2 },
  { name: "GPU waits for a buffer, ms", value: (it) => inMs(it.gpu_wait), digits: 2 },
  { name: "CPU waits before a frame, ms", value: (it) => inMs(it.start_wait), digits: 2 },
  { name: "late pictures", value: (it) => it.late, digits: 0, better: -1 },
  { name: "torn pictures", value: (it) => it.tears, digits: 0, better: -1 },
  {
    name: "verdict",
    text: (it) => (it.same ? "changes nothing" : `${it.verdict} (${it.cause})`),
    digits: 0,
  },
  { name: "settings", text: (it) => it.settings.join(" "), digits: 0 },
];

function inMs(time: number | undefined): number | null {
  return time === undefined ? null : time / MS;
}

function cellOf(metric: Metric, outcome: Outcome, own: Outcome): Node | string {
  if (metric.text) return h("span", { class: "words" }, clean(metric.text(outcome)));
  const value = metric.value?.(outcome) ?? null;
  const base = metric.value?.(own) ?? null;
  if (value === null) return "-";
  const text = grouped(Number(value.toFixed(metric.digits)) === 0 ? 0 : Math.trunc(value));
  const fraction = metric.digits ? value.toFixed(metric.digits).replace(/^-?\d+/, "") : "";
  const whole = metric.digits
    ? `${grouped(Math.trunc(Number(value.toFixed(metric.digits))))}${fraction}`
    : text;
  if (outcome === own || base === null) return whole;
  const change = difference(value, base, metric.digits);
  const better = metric.better && change !== "=" ? Math.sign(value - base) === metric.better : null;
  const tone = better === null ? "quiet" : better ? "good" : "bad";
  return h("span", {}, whole, " ", h("span", { class: `change ${tone}` }, change));
}

function replayNotes(chain: Chain): string[] {
  const { replay } = chain;
  if (!replay || replay.latency_better || !chain.what_ifs.length) return [];
  const off = ms(replay.latency.replay.median);
  return [`Latencies are off by ${off} ms: smaller differences between columns mean nothing.`];
}

/** How near the model comes when it plays the capture under its own settings. */
export function replayErrors(chain: Chain): HTMLElement[] {
  const made: HTMLElement[] = [];
  if (chain.not_replayed) made.push(h("p", {}, `Not played again: ${clean(chain.not_replayed)}`));
  const { replay } = chain;
  if (!replay) return made;
  const rows: [string, Errors][] = [
    ["between pictures", replay.displayed],
    ["latency", replay.latency],
  ];
  const off = (error: { median: number; mean: number }): string =>
    `${(error.median / MS).toFixed(3)} (mean ${(error.mean / MS).toFixed(3)})`;
  made.push(
    table<[string, Errors]>(
      "Played again: off by, in ms",
      [
        { head: "time", cell: ([name]) => name },
        { head: "replay", cell: ([, errors]) => off(errors.replay), number: true },
        { head: "repeating the last", cell: ([, errors]) => off(errors.repeated), number: true },
        { head: "always the same", cell: ([, errors]) => off(errors.constant), number: true },
      ],
      rows,
    ),
    h(
      "p",
      { class: "quiet" },
      `Own settings: ${clean(replay.settings.join(" "))}. Chosen on the first half of the frames: ${replay.chosen.join(", ") || "nothing"}; errors are of the ${grouped(replay.judged)} of the second half.`,
    ),
  );
  if (replay.refused) made.push(h("p", {}, `No what-ifs: ${clean(replay.refused)}`));
  return made;
}

/** Every definition of a frame rate that tools use. */
export function rates(chain: Chain): HTMLElement[] {
  if (!chain.rates.length) return [];
  const shown = {
    name: "shown",
    used_by: "pictures on the screen",
    meaning: "",
    fps: chain.shown_rate,
  };
  const rows =
    chain.shown_rate === null ? chain.rates : [chain.rates[0], shown, ...chain.rates.slice(1)];
  return [
    table(
      "Frames a second",
      [
        { head: "which", cell: (row) => clean(row.name) },
        { head: "FPS", cell: (row) => (row.fps === null ? "-" : row.fps.toFixed(1)), number: true },
        { head: "used by", cell: (row) => clean(row.used_by) },
        { head: "meaning", cell: (row) => clean(row.meaning) },
      ],
      rows,
    ),
  ];
}

/** Percentiles of what is measured. */
export function percentiles(chain: Chain): HTMLElement[] {
  const named: [string, Spread | null][] = [
    ["between presents", chain.frame_times],
    ["between pictures", chain.display_times],
    ["Present to screen", chain.until_shown],
  ];
  const rows = named.filter((row): row is [string, Spread] => row[1] !== null);
  if (!rows.length) return [];
  const column = (head: string, of: (spread: Spread) => number): Column<[string, Spread]> => ({
    head,
    cell: ([, spread]) => ms(of(spread)),
    number: true,
  });
  const counts = [
    `${plural(chain.stutters, "stutter")}: frames far longer than those around them.`,
  ];
  if (chain.late !== null) {
    counts.push(
      `${plural(chain.late, "picture")} stayed for more refreshes than the sync interval asks for.`,
    );
  }
  return [
    table<[string, Spread]>(
      "Milliseconds",
      [
        { head: "time", cell: ([name]) => name },
        column("least", (it) => it.least),
        column("median", (it) => it.p50),
        column("95 %", (it) => it.p95),
        column("99 %", (it) => it.p99),
        column("99.9 %", (it) => it.p99_9),
        column("most", (it) => it.most),
      ],
      rows,
    ),
    h("p", { class: "quiet" }, counts.join(" ")),
  ];
}
