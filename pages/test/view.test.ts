import assert from "node:assert/strict";
import { test } from "node:test";

import {
  NARROWEST,
  around,
  clamp,
  including,
  panned,
  whole,
  zoomed,
} from "../src/timeline/view.ts";
import { chance } from "./chance.ts";

const LENGTH = 1_000_000;

test("zooming leaves the time at the pointer where it is, away from the ends", () => {
  const next = chance(4);
  for (let round = 0; round < 200; round++) {
    const view = { from: 300_000 + next() * 1000, to: 500_000 };
    const at = view.from + next() * (view.to - view.from);
    const share = (at - view.from) / (view.to - view.from);
    const closer = zoomed(view, 0.2 + next(), at, LENGTH);
    assert.ok(Math.abs((at - closer.from) / (closer.to - closer.from) - share) < 1e-9);
  }
});

test("zooming ends at the whole timeline and at the narrowest view", () => {
  const all = whole(LENGTH);
  assert.deepEqual(zoomed(all, 1000, 0, LENGTH), all);
  const narrow = zoomed(all, 1e-12, 500, LENGTH);
  assert.ok(Math.abs(narrow.to - narrow.from - NARROWEST) < 1e-6);
});

test("panning there and back changes nothing, and stops at the ends", () => {
  const view = { from: 200_000, to: 300_000 };
  assert.deepEqual(panned(panned(view, 0.25, LENGTH), -0.25, LENGTH), view);
  assert.equal(panned(view, -100, LENGTH).from, whole(LENGTH).from);
  assert.equal(panned(view, 100, LENGTH).to, whole(LENGTH).to);
});

test("every view lies within the whole one", () => {
  const next = chance(5);
  const all = whole(LENGTH);
  for (let round = 0; round < 200; round++) {
    const from = (next() - 0.5) * 4 * LENGTH;
    const found = clamp({ from, to: from + next() * 3 * LENGTH }, LENGTH);
    assert.ok(found.from >= all.from && found.to <= all.to + 1e-6 && found.from < found.to);
  }
});

test("what is in view moves nothing; what is not comes into it", () => {
  const view = { from: 100, to: 300 };
  assert.equal(including(view, 150, 200, LENGTH), view);
  const moved = including(view, 1000, 1010, LENGTH);
  assert.deepEqual([moved.from, moved.to], [905, 1105]);
  const wider = including(view, 1000, 5000, LENGTH);
  assert.ok(wider.from <= 1000 && wider.to >= 5000);
});

test("a timeline without length can be shown", () => {
  const all = whole(0);
  assert.ok(all.to > all.from);
  assert.deepEqual(around(0, 0, 0), clamp({ from: -NARROWEST, to: NARROWEST }, 0));
});
