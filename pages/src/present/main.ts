// The page on presents: verdict and evidence, what-ifs side by side, frame times, state strips.

import { byId, clean, fill, grouped, h, plural, shown, toggleTheme } from "../common/index.ts";
import type { Chain, PageData } from "./data.ts";
import { framePlot } from "./frames.ts";
import { histogram } from "./histogram.ts";
import { strips } from "./strips.ts";
import { evidence, percentiles, rates, replayErrors, verdict, whatIfs } from "./tables.ts";

class Page {
  private readonly main = h("main", { id: "chain" });
  private readonly chooser: HTMLElement | null;

  constructor(private readonly data: PageData) {
    const { chains } = data.document;
    this.chooser = chains.length > 1 ? this.choice(chains) : null;
    fill(
      byId("app"),
      h(
        "header",
        {},
        h("div", {}, h("h1", {}, clean(data.title)), h("p", { class: "quiet" }, this.source())),
        h(
          "div",
          { class: "bar" },
          h(
            "button",
            {
              type: "button",
              id: "do-theme",
              title: "Light or dark (T)",
              "aria-label": "Light or dark",
              onclick: toggleTheme,
            },
            "\u25d0",
          ),
        ),
      ),
      this.chooser,
      this.main,
    );
    addEventListener("keydown", (event) => this.key(event));
    this.show(0);
  }

  private source(): string {
    const { source } = this.data.document;
    return source.kind === "simulation"
      ? `simulated: ${clean(source.words.join(" "))}`
      : `capture of ${clean(source.form)}`;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLSelectElement) return; // letters choose there
    if (event.key.toLowerCase() === "t") toggleTheme();
  }

  private choice(chains: readonly Chain[]): HTMLElement {
    const select = h(
      "select",
      { id: "chains" },
      ...chains.map((chain, at) => {
        const text = `${clean(chain.label)}: ${plural(chain.frames, "frame")}, ${chain.verdict}`;
        return h("option", { value: at }, text);
      }),
    );
    select.addEventListener("change", () => this.show(Number(select.value)));
    return h(
      "nav",
      { class: "chooser", "aria-label": "Swap chains" },
      h("label", { for: "chains" }, "Swap chain "),
      select,
    );
  }

  private show(at: number): void {
    const chain = this.data.document.chains[at];
    if (!chain) {
      fill(this.main, h("p", {}, "No presents."));
      return;
    }
    const outcomes = chain.own ? [chain.own, ...chain.what_ifs] : [];
    fill(
      this.main,
      h("p", { class: "quiet" }, described(chain)),
      h("div", { class: "columns" }, verdict(chain), h("div", {}, evidence(chain))),
      ...whatIfs(chain),
      strips(outcomes),
      h("h2", {}, "Frame times"),
      framePlot(chain),
      h("div", { class: "histograms" }, ...histograms(chain)),
      ...percentiles(chain),
      ...rates(chain),
      ...replayErrors(chain),
      ...notes([...chain.notes, ...this.data.document.notes]),
      h("p", { class: "quiet" }, `Written by ${this.data.tool}.`),
    );
  }
}

function described(chain: Chain): string {
  const length = chain.evidence.end - chain.evidence.start;
  const parts = [clean(chain.label), `${plural(chain.frames, "frame")} in ${shown(length)}`];
  if (chain.generated) parts.push(`${grouped(chain.generated)} generated between them`);
  if (chain.never_shown) parts.push(`${grouped(chain.never_shown)} never shown`);
  for (const mode of chain.modes) {
    parts.push(
      chain.modes.length > 1 ? `${clean(mode.name)} ${grouped(mode.frames)}` : clean(mode.name),
    );
  }
  return parts.join(" \u00b7 ");
}

function histograms(chain: Chain): HTMLElement[] {
  return [
    ...(chain.frame_times ? [histogram("between presents", chain.frame_times)] : []),
    ...(chain.display_times ? [histogram("between pictures", chain.display_times)] : []),
    ...(chain.until_shown ? [histogram("Present to screen", chain.until_shown)] : []),
  ];
}

function notes(all: readonly string[]): HTMLElement[] {
  if (!all.length) return [];
  return [h("h2", {}, "Notes"), h("ul", {}, ...all.map((note) => h("li", {}, clean(note))))];
}

new Page(JSON.parse(byId("data").textContent ?? "") as PageData);
