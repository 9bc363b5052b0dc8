// Numbers behind the drawings: scales, ticks, what is cut off, how many frames wait.

import { grouped, niceStep } from "../common/time.ts";
import type { Bucket, Strip } from "./data.ts";

/** Picoseconds of a millisecond. */
export const MS = 1e9;

/** `12.34`: milliseconds of a time. */
export function ms(time: number): string {
  return (time / MS).toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Whole steps within [low, high], about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  if (!(high > low)) return [low];
  const step = niceStep((high - low) / count);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** Where a plot of frame times ends: at the longest, unless a few stand far above all others. */
export function ceiling(most: readonly number[]): number {
  const sorted = [...most].sort((a, b) => a - b);
  const top = sorted[sorted.length - 1] ?? 1;
  const usual = sorted[Math.floor((sorted.length - 1) * 0.98)] ?? 1;
  return top > 3 * usual ? 1.6 * usual : 1.08 * top;
}

/** The place of the bucket that a time falls into. */
export function bucketAt(series: readonly Bucket[], time: number): number {
  let low = 0;
  let high = series.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (series[middle].start <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** From when on so many frames are presented and not yet flipped, over a strip. */
export function queued(strip: Strip): { time: number; count: number }[] {
  const changes = new Map<number, number>([[strip.start, 0]]);
  const add = (time: number, by: number): void => {
    if (time < strip.end) changes.set(time, (changes.get(time) ?? 0) + by);
  };
  for (const row of strip.rows) {
    for (const stretch of row.stretches) {
      if (stretch.state !== "pending") continue;
      add(stretch.start, 1);
      add(stretch.end, -1);
    }
  }
  const times = [...changes.keys()].sort((a, b) => a - b);
  let count = 0;
  const steps = times.map((time) => ({ time, count: (count += changes.get(time) ?? 0) }));
  return steps.filter((step, at) => !at || step.count !== steps[at - 1].count);
}

/**
 * How many frames are between Present and the screen: where every bucket is one frame, counted when
 * each is presented (itself included); else what a bucket's means say, time to the screen over time
 * between presents, as in the evidence. Null where the capture does not say.
 */
export function depths(series: readonly Bucket[]): (number | null)[] {
  if (series.some((bucket) => bucket.frames > 1)) {
    return series.map(({ until_shown, frame_time }) =>
      until_shown && frame_time.mean ? until_shown.mean / frame_time.mean : null,
    );
  }
  let waiting: number[] = [];
  return series.map(({ start, until_shown }) => {
    waiting = waiting.filter((shown) => shown > start);
    if (!until_shown) return null;
    waiting.push(start + until_shown.mean);
    return waiting.length;
  });
}

/** A difference with its sign: `+30.0`, `-16.67`, `=` for none that is shown. */
export function difference(value: number, own: number, digits: number): string {
  const [whole, fraction] = Math.abs(value - own)
    .toFixed(digits)
    .split(".");
  const text = `${grouped(Number(whole))}${fraction ? `.${fraction}` : ""}`;
  if (!Number(whole) && !Number(fraction ?? 0)) return "=";
  return `${value > own ? "+" : "\u2212"}${text}`;
}
