import assert from "node:assert/strict";
import { test } from "node:test";

import { causeOf } from "../src/timeline/details.ts";
import type { PageData } from "../src/timeline/data.ts";
import { layoutOf, placeAt } from "../src/timeline/layout.ts";
import { Model } from "../src/timeline/model.ts";
import { hashOf } from "../src/timeline/palette.ts";
import { findSpans, stepIn } from "../src/timeline/search.ts";

function packed(numbers: number[]): string {
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number > 127; number = Math.floor(number / 128)) bytes.push((number & 127) | 128);
    bytes.push(number);
  }
  return btoa(String.fromCharCode(...bytes));
}

function activity(name: string, category = ""): PageData["activities"][0] {
  return { name, category, resources: [], notes: [], waits: false };
}

/** Two tracks: [0,10) a, [2,5) b within it, [20,30) c; [12,18) a, which waits for the first. */
function data(more: Partial<PageData> = {}): PageData {
  return {
    page: "timeline",
    title: "t",
    tool: "fencepost",
    unit: 1,
    window: 30,
    tracks: [
      { group: "gpu", name: "graphics", spans: 3 },
      { group: "gpu", name: "compute", spans: 1 },
    ],
    activities: [activity("a", "draw"), activity("b"), activity("\u202ec\u0000")],
    spans: packed([0, 10, 0, 2, 3, 1, 18, 10, 2, 12, 6, 0]),
    flows: packed([0, 3, 1, 0]),
    flow_names: ["fence"],
    figures: null,
    simulation: null,
    notes: [],
    ...more,
  };
}

test("spans, rows and flows come out as they went in", () => {
  const model = new Model(data());
  assert.deepEqual([...model.starts], [0, 2, 20, 12]);
  assert.deepEqual([...model.ends], [10, 5, 30, 18]);
  assert.deepEqual([...model.rows], [0, 1, 0, 0]);
  assert.deepEqual(
    [0, 1, 2, 3].map((span) => model.trackOf(span)),
    [0, 0, 0, 1],
  );
  assert.deepEqual(model.flows, [{ signal: 0, wait: 3, from: 10, to: 12, name: "fence" }]);
  assert.equal(causeOf(model, 3), 0);
  assert.equal(causeOf(model, 0), -1);
  assert.equal(model.idleBefore(2), 10);
  assert.equal(model.idleBefore(0), 0);
});

test("what steers text is not shown", () => {
  assert.equal(new Model(data()).name(2), "?c?");
});

test("a coarser unit makes picoseconds again", () => {
  const model = new Model(data({ unit: 1000 }));
  assert.deepEqual([...model.starts], [0, 2000, 20000, 12000]);
  assert.equal(model.length, 30000);
});

test("more or fewer spans than the tracks hold are an error", () => {
  assert.throws(() => new Model(data({ spans: packed([0, 10, 0]) })), RangeError);
  assert.throws(() => new Model(data({ spans: packed(Array(15).fill(0)) })), RangeError);
});

test("search finds names and categories in any case, by time", () => {
  const model = new Model(data());
  assert.deepEqual([...findSpans(model, "A")], [0, 3]);
  assert.deepEqual([...findSpans(model, "draw")], [0, 3]);
  assert.deepEqual([...findSpans(model, "  ")], []);
  assert.deepEqual([...findSpans(model, "nothing")], []);
});

test("matches follow one another around the ends, from wherever one is", () => {
  const model = new Model(data());
  const found = findSpans(model, "a");
  assert.equal(stepIn(model, found, -1, 1), 0);
  assert.equal(stepIn(model, found, -1, -1), 1);
  assert.equal(stepIn(model, found, 0, 1), 1);
  assert.equal(stepIn(model, found, 3, 1), 0);
  assert.equal(stepIn(model, found, 1, 1), 1);
  assert.equal(stepIn(model, found, 1, -1), 0);
  assert.equal(stepIn(model, new Int32Array(), 1, 1), -1);
});

test("tracks lie under one another and are found by their height", () => {
  const layout = layoutOf(new Model(data()).tracks);
  const [first, second] = layout.places;
  assert.equal(layout.headings.length, 1);
  assert.ok(second.top >= first.top + first.height);
  assert.ok(layout.height >= second.top + second.height);
  assert.equal(placeAt(layout, first.top + 1)?.track, 0);
  assert.equal(placeAt(layout, second.top + 1)?.track, 1);
  assert.equal(placeAt(layout, 0), null);
  assert.equal(placeAt(layout, 1e6), null);
});

test("a stall leads to the span that ended it", () => {
  const simulation = {
    span_commands: packed([1, 2, 1, 3]),
    facts: [],
    commands: ["x", "y", "z"].map((text) => ({ queue: "gfx", text, place: "f:1" })),
    reasons: {},
    stalls: [{ span: 3, reason: "fence", cause: 0, exposed: 2 }],
    costs: [],
    path: [
      { command: 0, what: "vs", start: 1, end: 9 },
      { command: 0, what: "vs", start: 21, end: 22 },
    ],
    hazards: [],
    time: 30,
    working: 20,
    idle: 10,
    exposed: 2,
    by_reason: [],
    by_unit: [],
    by_engine: [],
  } satisfies PageData["simulation"];
  const model = new Model(data({ simulation }));
  assert.equal(causeOf(model, 3), 0, "span 2 of that command ends later than the stall");
  assert.deepEqual(
    model.steps.map((step) => step.span),
    [0, 2],
  );
  assert.equal(model.shownBy(2), -1, "a command that only stalls");
  assert.equal(model.bestSpan(2, 0, 1), 3);
  assert.equal(model.shownBy(0), 0);
});

test("names have their colour wherever they stand", () => {
  assert.equal(hashOf("gbuffer"), hashOf("gbuffer"));
  const many = new Set(Array.from({ length: 100 }, (_, at) => hashOf(`kernel ${at}`) % 10));
  assert.equal(many.size, 10);
});
