// Finding spans by what they are called.

import type { Model } from "./model.ts";

/** The spans whose name or category contains `text`, in any case, by start and then by place. */
export function findSpans(model: Model, text: string): Int32Array {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return new Int32Array();
  const hit = model.activities.map((activity) =>
    [activity.name, activity.category].some((word) => word.toLowerCase().includes(wanted)),
  );
  const found: number[] = [];
  for (let span = 0; span < model.count; span++) if (hit[model.kinds[span]]) found.push(span);
  found.sort((a, b) => model.starts[a] - model.starts[b] || a - b);
  return Int32Array.from(found);
}

/**
 * The place in `found` to go to: `step` 1 or -1 from `current`, around the ends; from a span that
 * is not among them, the next or the one before by start; without one the first or the last.
 */
export function stepIn(model: Model, found: Int32Array, current: number, step: 1 | -1): number {
  if (!found.length) return -1;
  if (current < 0) return step > 0 ? 0 : found.length - 1;
  const at = found.indexOf(current);
  if (at >= 0) return (at + step + found.length) % found.length;
  const time = model.starts[current];
  const next = found.findIndex((span) => model.starts[span] >= time);
  if (step > 0) return next < 0 ? 0 : next;
  return next < 0 ? found.length - 1 : (next - 1 + found.length) % found.length;
}
