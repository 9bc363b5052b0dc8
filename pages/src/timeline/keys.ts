// The keys of the page, in one table: what they do and what the help says.

/** What a key asks for. */
export type Action =
  | "zoom-in"
  | "zoom-out"
  | "left"
  | "right"
  | "up"
  | "down"
  | "whole"
  | "fit"
  | "next"
  | "previous"
  | "above"
  | "below"
  | "cause"
  | "search"
  | "next-match"
  | "previous-match"
  | "path"
  | "theme"
  | "help"
  | "leave";

/** Keys, by `event.key`; of `plain` ones only where neither the canvas nor a text box has focus. */
export interface Binding {
  keys: string[];
  shift?: boolean;
  /** Only with the focus on the timeline, so that these keys keep scrolling the rest of the page. */
  focused?: boolean;
  action: Action;
  shown: string[];
  help: string;
}

export const BINDINGS: readonly Binding[] = [
  { keys: ["w", "+", "="], action: "zoom-in", shown: ["W", "+"], help: "zoom in" },
  { keys: ["s", "-", "_"], action: "zoom-out", shown: ["S", "-"], help: "zoom out" },
  { keys: ["a"], action: "left", shown: ["A", "\u2190"], help: "move left" },
  { keys: ["d"], action: "right", shown: ["D", "\u2192"], help: "move right" },
  { keys: ["ArrowLeft"], focused: true, action: "left", shown: [], help: "" },
  { keys: ["ArrowRight"], focused: true, action: "right", shown: [], help: "" },
  { keys: ["ArrowUp"], focused: true, action: "up", shown: ["\u2191"], help: "tracks further up" },
  {
    keys: ["ArrowDown"],
    focused: true,
    action: "down",
    shown: ["\u2193"],
    help: "tracks further down",
  },
  {
    keys: ["ArrowRight"],
    shift: true,
    focused: true,
    action: "next",
    shown: ["Shift \u2192"],
    help: "next span of the track",
  },
  {
    keys: ["ArrowLeft"],
    shift: true,
    focused: true,
    action: "previous",
    shown: ["Shift \u2190"],
    help: "previous span of the track",
  },
  {
    keys: ["ArrowUp"],
    shift: true,
    focused: true,
    action: "above",
    shown: ["Shift \u2191"],
    help: "to the track above",
  },
  {
    keys: ["ArrowDown"],
    shift: true,
    focused: true,
    action: "below",
    shown: ["Shift \u2193"],
    help: "to the track below",
  },
  { keys: ["f"], action: "fit", shown: ["F"], help: "zoom to what is selected" },
  {
    keys: ["0", "Home"],
    focused: true,
    action: "whole",
    shown: ["0", "Home"],
    help: "the whole timeline",
  },
  { keys: ["c"], action: "cause", shown: ["C"], help: "go to what the selected one waited for" },
  {
    keys: ["p"],
    action: "path",
    shown: ["P"],
    help: "show or hide the critical path (simulations)",
  },
  { keys: ["/"], action: "search", shown: ["/"], help: "search" },
  { keys: ["n"], action: "next-match", shown: ["N"], help: "next match" },
  {
    keys: ["n"],
    shift: true,
    action: "previous-match",
    shown: ["Shift N"],
    help: "previous match",
  },
  { keys: ["t"], action: "theme", shown: ["T"], help: "light or dark" },
  { keys: ["?"], action: "help", shown: ["?"], help: "these keys" },
  { keys: ["Escape"], action: "leave", shown: ["Esc"], help: "end the search, select nothing" },
];

/** What a key press asks for; null: nothing of ours. */
export function actionOf(
  press: { key: string; shiftKey: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean },
  focused: boolean,
): Action | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const letter = key.length > 1 || (key >= "a" && key <= "z");
  const found = BINDINGS.find(
    (binding) =>
      binding.keys.includes(key) &&
      (!binding.focused || focused) &&
      // Shift makes another key of a letter or an arrow; + and ? cannot be typed without it.
      (!letter || (binding.shift ?? false) === press.shiftKey),
  );
  return found?.action ?? null;
}
