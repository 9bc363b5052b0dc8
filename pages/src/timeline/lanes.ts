// Lanes: rows of a track in which no two spans overlap, so that binary search finds what is visible
// and sums say how much of a pixel is covered.

/** Spans of one row, by start; `sum[n]` is how long the first n of them last together. */
export interface Lane {
  spans: Int32Array;
  starts: Float64Array;
  ends: Float64Array;
  sum: Float64Array;
}

/** What is drawn in one place: one span, or `count` spans of which none is as wide as a pixel. */
export interface Piece {
  start: number;
  end: number;
  first: number;
  count: number;
  cover: number;
}

/** Columns of a whole table: what `lanesOf` needs to know of its spans. */
export interface Times {
  starts: Float64Array;
  ends: Float64Array;
}

/**
 * The rows of the spans [first, last), which are in order of their starts, an enclosing span before
 * what it holds: each in the first row that is free. Nested spans come out one row deeper than what
 * holds them. `rowOf` receives the row of each span.
 */
export function lanesOf(times: Times, first: number, last: number, rowOf: Uint16Array): Lane[] {
  const free: number[] = [];
  const members: number[][] = [];
  for (let span = first; span < last; span++) {
    const start = times.starts[span];
    let row = 0;
    while (row < free.length && free[row] > start) row++;
    if (row === free.length) {
      free.push(0);
      members.push([]);
    }
    free[row] = times.ends[span];
    members[row].push(span);
    rowOf[span] = row;
  }
  return members.map((spans) => laneOf(times, spans));
}

function laneOf(times: Times, members: number[]): Lane {
  const spans = Int32Array.from(members);
  const starts = Float64Array.from(members, (span) => times.starts[span]);
  const ends = Float64Array.from(members, (span) => times.ends[span]);
  const sum = new Float64Array(members.length + 1);
  for (let at = 0; at < members.length; at++) sum[at + 1] = sum[at] + ends[at] - starts[at];
  return { spans, starts, ends, sum };
}

/** When any of the spans [first, last) is open that does not wait, as one lane without overlap. */
export function busyOf(
  times: Times,
  first: number,
  last: number,
  waits: (span: number) => boolean,
): Lane {
  const merged: { starts: number[]; ends: number[] } = { starts: [], ends: [] };
  for (let span = first; span < last; span++) {
    if (waits(span)) continue;
    const at = merged.ends.length - 1;
    if (at >= 0 && times.starts[span] <= merged.ends[at]) {
      merged.ends[at] = Math.max(merged.ends[at], times.ends[span]);
    } else {
      merged.starts.push(times.starts[span]);
      merged.ends.push(times.ends[span]);
    }
  }
  const columns = {
    starts: Float64Array.from(merged.starts),
    ends: Float64Array.from(merged.ends),
  };
  return laneOf(columns, [...merged.starts.keys()]);
}

/** The first place in a sorted array, from `low` on, whose value is greater than `value`. */
export function firstAbove(values: Float64Array, value: number, low = 0): number {
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first place in a sorted array, from `low` on, whose value is `value` or greater. */
export function firstFrom(values: Float64Array, value: number, low = 0): number {
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How much of [from, to) the spans of a lane cover. */
export function covered(lane: Lane, from: number, to: number): number {
  const low = firstAbove(lane.ends, from);
  const high = firstFrom(lane.starts, to);
  if (low >= high) return 0;
  const before = Math.max(0, from - lane.starts[low]);
  const after = Math.max(0, lane.ends[high - 1] - to);
  return lane.sum[high] - lane.sum[low] - before - after;
}

/**
 * What to draw of a lane between two times where a pixel lasts `pixel`. Spans that are narrower
 * than a pixel become one piece for each pixel in which they start, with the part of it that they
 * cover. There are never more pieces than about two a pixel, however many spans there are.
 */
export function pieces(lane: Lane, from: number, to: number, pixel: number): Piece[] {
  const { starts, ends, sum } = lane;
  const found: Piece[] = [];
  let at = firstAbove(ends, from);
  // An instant at the very start of what is visible has no length, so it ends where that starts.
  while (at > 0 && starts[at - 1] >= from) at--;
  while (at < starts.length && starts[at] < to) {
    const length = ends[at] - starts[at];
    if (length >= pixel) {
      found.push({ start: starts[at], end: ends[at], first: at, count: 1, cover: 1 });
      at++;
      continue;
    }
    const column = from + Math.floor((starts[at] - from) / pixel) * pixel;
    let next = Math.max(firstFrom(starts, column + pixel, at), at + 1);
    if (next - at > 1 && ends[next - 1] - starts[next - 1] >= pixel) next--;
    const cover = Math.min(1, (sum[next] - sum[at]) / pixel);
    const end = next - at > 1 ? column + pixel : ends[at];
    const start = next - at > 1 ? column : starts[at];
    found.push({ start, end, first: at, count: next - at, cover });
    at = next;
  }
  return found;
}

/** The place in a lane of the span nearest to `time` within `slack` on either side; -1: none. */
export function spanAt(lane: Lane, time: number, slack: number): number {
  const at = firstAbove(lane.ends, time);
  if (at < lane.starts.length && lane.starts[at] <= time) return at;
  const after = at < lane.starts.length ? lane.starts[at] - time : Infinity;
  const before = at > 0 ? time - lane.ends[at - 1] : Infinity;
  if (Math.min(after, before) > slack) return -1;
  return before <= after ? at - 1 : at;
}
