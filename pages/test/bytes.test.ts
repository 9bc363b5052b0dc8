import assert from "node:assert/strict";
import { test } from "node:test";

import { Reader, fromBase64 } from "../src/common/bytes.ts";

test("numbers are read as the Python side packs them", () => {
  // packed([0, 1, 127, 128, 300, 2**53 - 1]) of fencepost.report.page
  const reader = new Reader(fromBase64("AAF/gAGsAv////////8P"));
  assert.deepEqual(
    Array.from({ length: 6 }, () => reader.next()),
    [0, 1, 127, 128, 300, 2 ** 53 - 1],
  );
  assert.ok(reader.done);
});

test("a number that is cut short is an error", () => {
  assert.throws(() => new Reader(Uint8Array.from([128])).next(), RangeError);
  assert.throws(() => new Reader(new Uint8Array()).next(), RangeError);
});
