import assert from "node:assert/strict";
import { test } from "node:test";

import type { Lane } from "../src/timeline/lanes.ts";
import {
  busyOf,
  covered,
  firstAbove,
  firstFrom,
  lanesOf,
  pieces,
  spanAt,
} from "../src/timeline/lanes.ts";
import { chance } from "./chance.ts";

type Pair = [number, number];

function lanes(spans: Pair[]): { rows: Uint16Array; lanes: Lane[] } {
  const starts = Float64Array.from(spans, ([start]) => start);
  const ends = Float64Array.from(spans, ([, end]) => end);
  const rows = new Uint16Array(spans.length);
  return { rows, lanes: lanesOf({ starts, ends }, 0, spans.length, rows) };
}

/** Spans in order, an enclosing one first, that may overlap. */
function random(next: () => number, count: number): Pair[] {
  const made = Array.from({ length: count }, (): Pair => {
    const start = Math.floor(next() * 300);
    return [start, start + Math.floor(next() ** 3 * 60)];
  });
  return made.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
}

test("nested spans lie as deep as they are nested", () => {
  const { rows } = lanes([
    [0, 10],
    [0, 10],
    [1, 5],
    [1, 2],
    [5, 9],
    [10, 12],
    [12, 12],
    [12, 13],
  ]);
  assert.deepEqual([...rows], [0, 1, 2, 3, 2, 0, 0, 0]);
});

test("no two spans of a lane overlap, and every span is in one", () => {
  const next = chance(1);
  for (let round = 0; round < 100; round++) {
    const spans = random(next, 60);
    const { rows, lanes: made } = lanes(spans);
    assert.equal(
      made.reduce((sum, lane) => sum + lane.spans.length, 0),
      spans.length,
    );
    made.forEach((lane, row) => {
      lane.spans.forEach((span, at) => {
        assert.equal(rows[span], row);
        if (at) assert.ok(lane.starts[at] >= lane.ends[at - 1]);
      });
    });
  }
});

test("searching agrees with walking", () => {
  const values = Float64Array.from([1, 3, 3, 7]);
  for (let value = 0; value < 9; value++) {
    const above = values.findIndex((item) => item > value);
    const from = values.findIndex((item) => item >= value);
    assert.equal(firstAbove(values, value), above < 0 ? 4 : above);
    assert.equal(firstFrom(values, value), from < 0 ? 4 : from);
  }
});

test("what is covered is what each instant says", () => {
  const next = chance(2);
  for (let round = 0; round < 50; round++) {
    const spans = random(next, 40);
    for (const lane of lanes(spans).lanes) {
      const from = Math.floor(next() * 200);
      const to = from + 1 + Math.floor(next() * 150);
      let instants = 0;
      for (let time = from; time < to; time++) {
        instants += [...lane.starts].some((start, at) => start <= time && time < lane.ends[at])
          ? 1
          : 0;
      }
      assert.equal(covered(lane, from, to), instants);
    }
  }
});

test("a track is busy while a span is open that does not wait", () => {
  const spans: Pair[] = [
    [0, 10],
    [2, 5],
    [8, 12],
    [12, 13],
    [20, 30],
    [22, 40],
    [50, 50],
  ];
  const starts = Float64Array.from(spans, ([start]) => start);
  const ends = Float64Array.from(spans, ([, end]) => end);
  const busy = busyOf({ starts, ends }, 0, spans.length, (span) => span === 4);
  assert.deepEqual([...busy.starts], [0, 22, 50]);
  assert.deepEqual([...busy.ends], [13, 40, 50]);
  assert.equal(covered(busy, 10, 30), 11);
});

test("pieces are few, in order, and hold every visible span once", () => {
  const next = chance(3);
  for (let round = 0; round < 200; round++) {
    const [lane] = lanes(random(next, 80)).lanes;
    const from = Math.floor(next() * 100);
    const to = from + 20 + next() * 250;
    const pixel = 0.5 + next() * 20;
    const found = pieces(lane, from, to, pixel);
    assert.ok(found.length <= 2 * Math.ceil((to - from) / pixel) + 2);
    const held = found.flatMap((piece) =>
      Array.from({ length: piece.count }, (_, at) => piece.first + at),
    );
    const visible = [...lane.starts.keys()].filter(
      (at) => lane.starts[at] < to && (lane.ends[at] > from || lane.starts[at] >= from),
    );
    assert.deepEqual(
      held.filter((at) => visible.includes(at)),
      visible,
    );
    assert.deepEqual(
      held,
      [...new Set(held)].sort((a, b) => a - b),
    );
    for (const piece of found) {
      assert.ok(piece.cover >= 0 && piece.cover <= 1);
      if (piece.count > 1) assert.ok(piece.end - piece.start <= pixel * 1.000001);
    }
  }
});

test("a wide span is drawn by itself also where narrow ones share its pixel", () => {
  const [lane] = lanes([
    [0, 1],
    [2, 3],
    [4, 40],
    [41, 42],
  ]).lanes;
  const found = pieces(lane, 0, 100, 10).map(({ first, count }) => [first, count]);
  assert.deepEqual(found, [
    [0, 2],
    [2, 1],
    [3, 1],
  ]);
});

test("a million spans make no more pieces than pixels allow", () => {
  const count = 1_000_000;
  const spans = Array.from({ length: count }, (_, at): Pair => [at * 10, at * 10 + 7]);
  const [lane] = lanes(spans).lanes;
  const found = pieces(lane, 0, count * 10, (count * 10) / 1000);
  assert.equal(found.length, 1000);
  assert.ok(found.every((piece) => Math.abs(piece.cover - 0.7) < 1e-9));
});

test("the span at a time is the one that is open, else the nearest within the slack", () => {
  const [lane] = lanes([
    [10, 20],
    [20, 30],
    [50, 50],
    [60, 70],
  ]).lanes;
  const at = (time: number, slack = 3): number => spanAt(lane, time, slack);
  assert.deepEqual(
    [5, 8, 10, 19, 20, 30, 32, 40, 50, 52, 57].map((time) => at(time)),
    [-1, 0, 0, 0, 1, 1, 1, -1, 2, 2, 3],
  );
  assert.equal(at(0, Infinity), 0);
  assert.equal(at(1e9, Infinity), 3);
});
