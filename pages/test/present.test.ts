import assert from "node:assert/strict";
import { test } from "node:test";

import type { Bucket, Strip } from "../src/present/data.ts";
import { bucketAt, ceiling, depths, difference, ms, queued, ticks } from "../src/present/scale.ts";

test("milliseconds have two decimals", () => {
  assert.equal(ms(16_666_666_667), "16.67");
  assert.equal(ms(0), "0.00");
  assert.equal(ms(1_234_567_890_000_000), "1,234,567.89");
});

test("ticks are whole steps within the range", () => {
  assert.deepEqual(ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticks(0, 33, 5), [0, 10, 20, 30]);
  assert.deepEqual(ticks(3, 3, 5), [3]);
});

test("a plot ends at its longest, unless a few stand far above the others", () => {
  const usual = Array(100).fill(16);
  assert.equal(ceiling(usual), 1.08 * 16);
  assert.equal(ceiling([...usual, 40]), 1.08 * 40);
  assert.equal(ceiling([...usual, 400]), 1.6 * 16);
  assert.ok(ceiling([]) > 0);
});

test("differences have a sign, and none is no zero with a sign", () => {
  assert.equal(difference(60, 30, 1), "+30.0");
  assert.equal(difference(33.333, 50, 2), "\u221216.67");
  assert.equal(difference(0, 3499, 0), "\u22123,499");
  assert.equal(difference(30, 30, 1), "=");
  assert.equal(difference(30.01, 30, 1), "=");
  assert.equal(difference(29.999, 30, 1), "=");
});

test("a time is in the last bucket that has begun", () => {
  const series = [0, 10, 20].map((start) => ({ start }) as Bucket);
  assert.deepEqual(
    [-5, 0, 9, 10, 19, 20, 99].map((time) => bucketAt(series, time)),
    [0, 0, 0, 1, 1, 2, 2],
  );
});

test("frames on their way to the screen are counted one by one, or by their means", () => {
  const bucket = (start: number, until: number | null, frames = 1, time = 10): Bucket => {
    const range = (mean: number) => ({ least: mean, mean, most: mean });
    const until_shown = until === null ? null : range(until);
    const frame_time = range(time);
    return {
      start,
      frames,
      frame_time,
      in_present: null,
      gpu_busy: null,
      until_shown,
      never_shown: 0,
    };
  };
  const one = [bucket(0, 25), bucket(10, 25), bucket(20, null), bucket(30, 5), bucket(40, 15)];
  assert.deepEqual(depths(one), [1, 2, null, 2, 1]);
  const many = [bucket(0, 25, 2), bucket(20, null, 2), bucket(40, 5, 1), bucket(50, 5, 1, 0)];
  assert.deepEqual(depths(many), [2.5, null, 0.5, null]);
});

test("queued frames are the pending ones, whichever buffer they are in", () => {
  const row = (...stretches: [number, number, string][]): Strip["rows"][0] => ({
    name: "buffer",
    stretches: stretches.map(([start, end, state]) => ({ start, end, state, present: 1 })),
  });
  const strip: Strip = {
    start: 100,
    end: 200,
    vsyncs: [],
    rows: [
      row([100, 120, "pending"], [120, 160, "visible"], [160, 200, "pending"]),
      row([110, 130, "pending"], [130, 150, "available"]),
      row([130, 160, "pending"]),
    ],
  };
  assert.deepEqual(
    queued(strip).map(({ time, count }) => [time, count]),
    [
      [100, 1],
      [110, 2],
      [120, 1],
      [160, 1],
    ].slice(0, 3),
  );
  assert.deepEqual(queued({ ...strip, rows: [] }), [{ time: 100, count: 0 }]);
});
