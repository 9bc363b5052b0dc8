// The visible stretch of time, and what zooming and panning make of it.

/** [from, to) on the axis of time. */
export interface View {
  from: number;
  to: number;
}

/** What a view may show: all of a timeline of this length with a margin, down to `NARROWEST`. */
export const NARROWEST = 20;
const MARGIN = 0.02;

/** The view that shows a whole timeline. */
export function whole(length: number): View {
  const margin = Math.max(length, NARROWEST) * MARGIN;
  return { from: -margin, to: Math.max(length, NARROWEST) + margin };
}

/** The view that shows [start, end) with room around it. */
export function around(start: number, end: number, length: number): View {
  const room = Math.max((end - start) * 0.5, NARROWEST);
  return clamp({ from: start - room, to: end + room }, length);
}

/** The view zoomed by `factor` (below 1: closer) so that `at` stays where it is. */
export function zoomed(view: View, factor: number, at: number, length: number): View {
  const all = whole(length);
  const wanted = (view.to - view.from) * factor;
  const size = Math.min(Math.max(wanted, NARROWEST), all.to - all.from);
  const share = (at - view.from) / (view.to - view.from);
  const from = at - share * size;
  return clamp({ from, to: from + size }, length);
}

/** The view moved by a part of its own length. */
export function panned(view: View, part: number, length: number): View {
  const by = (view.to - view.from) * part;
  return clamp({ from: view.from + by, to: view.to + by }, length);
}

/** The view moved, at the same zoom, so that [start, end) is in it; as it is where it already is. */
export function including(view: View, start: number, end: number, length: number): View {
  if (start >= view.from && end <= view.to) return view;
  const size = view.to - view.from;
  if (end - start > size * 0.8) return around(start, end, length);
  const middle = (start + end) / 2;
  return clamp({ from: middle - size / 2, to: middle + size / 2 }, length);
}

/** A view of the same length that leaves nothing but the margin outside of the timeline. */
export function clamp(view: View, length: number): View {
  const all = whole(length);
  const size = Math.min(view.to - view.from, all.to - all.from);
  const from = Math.min(Math.max(view.from, all.from), all.to - size);
  return { from, to: from + size };
}
