// Where tracks lie on the canvas, from the top of all of them down.

import type { Track } from "./model.ts";

/** Heights in CSS pixels. */
export const AXIS = 24;
const HEADING = 20;
const LANE = 20;
const GAP = 6;
const STACK = 160;
const THINNEST = 5;

/** A track's place: its top, the height of one of its lanes. */
export interface Place {
  track: number;
  top: number;
  lane: number;
  height: number;
}

/** The heading over the tracks of one group. */
export interface Heading {
  text: string;
  top: number;
}

/** All places; `height` of everything, the axis included. */
export interface Layout {
  places: Place[];
  headings: Heading[];
  height: number;
}

/** Tracks one under the other; a heading where a group begins, unless there is but one without. */
export function layoutOf(tracks: readonly Track[]): Layout {
  const places: Place[] = [];
  const headings: Heading[] = [];
  let top = AXIS + GAP;
  let group = "";
  tracks.forEach((track, at) => {
    if (track.group !== group) {
      group = track.group;
      headings.push({ text: group || "others", top });
      top += HEADING;
    }
    const lanes = Math.max(track.lanes.length, 1);
    const lane = Math.max(THINNEST, Math.min(LANE, Math.floor(STACK / lanes)));
    places.push({ track: at, top, lane, height: lane * lanes });
    top += lane * lanes + GAP;
  });
  return { places, headings, height: top };
}

/** The place at a height, its gap included; null above the first and below the last. */
export function placeAt(layout: Layout, y: number): Place | null {
  return (
    layout.places.find((place) => y >= place.top - 1 && y < place.top + place.height + GAP - 1) ??
    null
  );
}
