// Colours of spans: one for each name, the same wherever that name stands.

const LIGHT = [
  "#9ecae9",
  "#ffbf79",
  "#88d27a",
  "#f2cf5b",
  "#83bcb6",
  "#ff9d98",
  "#d6a5c9",
  "#d8b5a5",
  "#b3b3f2",
  "#b9d86e",
];
const DARK = [
  "#2f6690",
  "#9a5b13",
  "#2f7a3a",
  "#7d6a10",
  "#2b6f6b",
  "#a04347",
  "#7b4a72",
  "#7a5747",
  "#5356a8",
  "#55751f",
];

/** What the canvas is drawn with. */
export interface Palette {
  fills: readonly string[];
  ink: string;
  text: string;
  quiet: string;
  line: string;
  ground: string;
  panel: string;
  accent: string;
  bad: string;
  path: string;
  found: string;
}

/** Colours for a light or a dark page; `named` hands out the style sheet's. */
export function paletteOf(dark: boolean, named: (name: string) => string): Palette {
  return {
    fills: dark ? DARK : LIGHT,
    ink: dark ? "#ffffff" : "#14181d",
    text: named("ink"),
    quiet: named("quiet"),
    line: named("line"),
    ground: named("ground"),
    panel: named("panel"),
    accent: named("accent"),
    bad: named("bad"),
    path: dark ? "#ff7b54" : "#c4320a",
    found: dark ? "#ffd866" : "#6f4bd8",
  };
}

/** A number for a name that does not depend on what else is in the timeline (FNV-1a). */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
