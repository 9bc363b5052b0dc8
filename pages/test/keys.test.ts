import assert from "node:assert/strict";
import { test } from "node:test";

import { BINDINGS, actionOf } from "../src/timeline/keys.ts";

function press(key: string, more: Partial<{ shiftKey: boolean; ctrlKey: boolean }> = {}) {
  return { key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more };
}

test("keys do what the help says", () => {
  assert.equal(actionOf(press("w"), false), "zoom-in");
  assert.equal(actionOf(press("W"), false), "zoom-in");
  assert.equal(actionOf(press("?", { shiftKey: true }), false), "help");
  assert.equal(actionOf(press("+", { shiftKey: true }), false), "zoom-in");
  assert.equal(actionOf(press("N", { shiftKey: true }), false), "previous-match");
  assert.equal(actionOf(press("n"), false), "next-match");
  assert.equal(actionOf(press("ArrowRight"), true), "right");
  assert.equal(actionOf(press("ArrowRight", { shiftKey: true }), true), "next");
});

test("arrows stay with the rest of the page where the timeline has no focus", () => {
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home"]) {
    assert.equal(actionOf(press(key), false), null);
  }
});

test("what the browser and the system use is left alone", () => {
  assert.equal(actionOf(press("w", { ctrlKey: true }), true), null);
  assert.equal(actionOf(press("Tab"), true), null);
  assert.equal(actionOf(press("q"), true), null);
});

test("no key means two things", () => {
  const all = BINDINGS.flatMap((binding) =>
    binding.keys.map((key) => `${key} ${binding.shift ?? false}`),
  );
  assert.equal(new Set(all).size, all.length);
});
