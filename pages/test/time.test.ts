import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fittingUnit,
  grouped,
  inUnit,
  niceStep,
  percent,
  plural,
  shown,
  tableUnit,
  tickLabels,
} from "../src/common/time.ts";

test("times are shown in the unit that fits them", () => {
  assert.equal(shown(0), "0 ps");
  assert.equal(shown(999), "999 ps");
  assert.equal(shown(1000), "1.000 ns");
  assert.equal(shown(388_587_000_000), "388.587 ms");
  assert.equal(shown(-1_500_000), "-1.500 us");
  assert.equal(shown(1_234_567_000_000_000), "1,234.567 s");
});

test("half of a thousandth is rounded up and carries", () => {
  assert.equal(inUnit(1_499_999_999, "ms"), "1.500");
  assert.equal(inUnit(1_499_499_999, "ms"), "1.499");
  assert.equal(inUnit(1_499_500_000, "ms"), "1.500");
  assert.equal(inUnit(999_999_999, "ms"), "1.000");
});

test("the largest exact time keeps its digits", () => {
  assert.equal(inUnit(2 ** 53 - 1, "ps"), "9,007,199,254,740,991.000");
  assert.equal(inUnit(2 ** 53 - 1, "s"), "9,007.199");
});

test("units of tables", () => {
  const found = [1, 10e6 - 1, 10e6, 10e9 - 1, 10e9, 100e12 - 1, 100e12].map(tableUnit);
  assert.deepEqual(found, ["ns", "ns", "us", "us", "ms", "ms", "s"]);
  assert.equal(fittingUnit(0), "ps");
});

test("counts and shares", () => {
  assert.equal(grouped(1), "1");
  assert.equal(grouped(1234567), "1,234,567");
  assert.equal(plural(1, "span"), "1 span");
  assert.equal(plural(1000, "span"), "1,000 spans");
  assert.equal(percent(1, 3), "33.33 %");
  assert.equal(percent(0, 0), "-");
});

test("steps are 1, 2 or 5 times a power of ten, at least what is asked for", () => {
  for (let least = 1e-3; least < 1e15; least *= 1.37) {
    const step = niceStep(least);
    const digit = Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9));
    assert.ok([1, 2, 5, 10].includes(digit), `${step}`);
    assert.ok(step >= least * 0.999999 && step <= least * 2.6, `${least} ${step}`);
  }
});

test("neighbouring ticks have different labels", () => {
  for (const [largest, step] of [
    [1e9, 1e8],
    [1.0000001e12, 1e3],
    [50, 5],
    [9e12, 2e12],
    [2e9, 5e2],
  ]) {
    const label = tickLabels(largest, step);
    assert.notEqual(label(largest - step), label(largest), `${largest} ${step}`);
  }
  assert.equal(tickLabels(1.2e12, 2e11)(2e11), "0.2 s");
  assert.equal(tickLabels(2e18, 1e18)(1e18), "1,000,000 s");
  assert.equal(tickLabels(1.2e9, 1e4)(1.23456e9), "1.23456 ms");
});
