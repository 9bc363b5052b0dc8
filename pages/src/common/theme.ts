// Light and dark: what the system prefers, until the reader chooses.

const QUERY = "(prefers-color-scheme: dark)";

/** Whether the page is dark now. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia(QUERY).matches;
}

/** Turns light into dark or back. */
export function toggleTheme(): void {
  document.documentElement.dataset["theme"] = isDark() ? "light" : "dark";
  dispatchEvent(new Event("themechange"));
}

/** Calls back whenever colours have changed. */
export function onTheme(changed: () => void): void {
  matchMedia(QUERY).addEventListener("change", changed);
  addEventListener("themechange", changed);
}

/** A colour of the style sheet, by the name of its variable. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
