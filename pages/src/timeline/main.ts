// The timeline page: builds it, and turns events into what the App does.

import {
  byId,
  clean,
  colour,
  fill,
  grouped,
  h,
  isDark,
  onTheme,
  percent,
  plural,
  shown,
  toggleTheme,
} from "../common/index.ts";
import { App } from "./app.ts";
import type { PageData } from "./data.ts";
import { showDetails } from "./details.ts";
import { BINDINGS, actionOf } from "./keys.ts";
import type { Action } from "./keys.ts";
import { AXIS } from "./layout.ts";
import { Model } from "./model.ts";
import { Painter, drawOverview, fillsOf, hatching } from "./paint.ts";
import { paletteOf } from "./palette.ts";
import { tablesOf } from "./tables.ts";
import { whole } from "./view.ts";

const OVERVIEW = 34;
const SMALLEST = 224;

class Page {
  private readonly canvas = h("canvas", {
    id: "canvas",
    tabindex: 0,
    role: "application",
    "aria-label":
      "Timeline. Arrow keys move, Shift and arrow keys go from span to span, question mark lists the keys. Its figures are in the tables below.",
  });
  private readonly overview = h("canvas", { id: "overview", "aria-hidden": "true" });
  private readonly scroller = h("div", { id: "scroller", tabindex: -1 });
  private readonly tip = h("div", { id: "tip", hidden: true });
  private readonly details = h("section", {
    id: "details",
    "aria-label": "Selected span",
    tabindex: 0,
  });
  private readonly search = h("input", {
    id: "search",
    type: "search",
    placeholder: "search spans",
    "aria-label": "Search spans by name",
    spellcheck: "false",
    autocomplete: "off",
  });
  private readonly count = h("span", { id: "count", role: "status", class: "quiet" });
  private readonly said = h("p", { id: "said", role: "status", class: "hidden" });
  private readonly left = h("p", { id: "left", class: "quiet" });
  private readonly help = helpDialog();
  private readonly app: App;
  private readonly fills: Uint8Array;
  private palette = paletteOf(isDark(), colour);
  private hatch: CanvasPattern | string = "";
  private due = false;

  constructor(private readonly model: Model) {
    this.app = new App(model, {
      redraw: () => this.redraw(),
      selected: (span) => this.showDetails(span),
      found: (text) => fill(this.count, text),
      say: (text) => fill(this.said, text),
      reveal: (top, height) => this.reveal(top, height),
    });
    this.fills = fillsOf(model, this.palette.fills.length);
    this.build();
    this.listen();
    this.recolour();
    this.resize();
  }

  // -- what is on the page

  private build(): void {
    const { data } = this.model;
    const inner = h("div", { id: "inner" }, this.canvas);
    inner.style.height = `${this.app.layout.height}px`;
    this.scroller.append(inner);
    const places = h("div", { id: "tables" });
    fill(
      byId("app"),
      h(
        "header",
        {},
        h("div", {}, h("h1", {}, clean(data.title)), h("p", { class: "quiet" }, this.summary())),
        this.toolbar(),
      ),
      h(
        "main",
        {},
        h(
          "div",
          { id: "stage" },
          h("div", { id: "drawn" }, this.overview, this.scroller, this.left),
          h("div", { id: "side" }, this.details),
        ),
        places,
        h(
          "p",
          { class: "quiet" },
          `Written by ${data.tool}. All times count from the first start.`,
        ),
      ),
      this.said,
      this.tip,
      this.help,
    );
    this.showDetails(-1);
    const tables = tablesOf(this.model, {
      bubble: (bubble) => {
        const start = this.model.data.figures?.window.start ?? 0;
        this.app.showBand(bubble.track, bubble.start - start, bubble.end - start);
        this.toCanvas();
      },
      command: (command) => {
        this.app.select(this.model.tellingSpan(command));
        this.toCanvas();
      },
    });
    fill(places, h("h2", {}, "Figures"), ...tables);
  }

  private summary(): string {
    const { figures } = this.model.data;
    const { simulation } = this.model;
    const spans = `${plural(this.model.count, "span")} on ${plural(this.model.tracks.length, "track")}`;
    const parts = [shown(this.model.length), spans];
    if (figures?.busy) {
      const share = percent(figures.overlapped, figures.busy);
      parts.push(`two or more run in ${share} of busy time`);
    }
    if (this.model.flows.length) parts.push(plural(this.model.flows.length, "wait edge"));
    if (simulation) parts.push(`${shown(simulation.exposed)} of synchronization not hidden`);
    for (const [name, value] of simulation?.facts ?? []) parts.push(`${name} ${value}`);
    return parts.join(" \u00b7 ");
  }

  private toolbar(): HTMLElement {
    const button = (text: string, label: string, action: Action): HTMLElement =>
      h(
        "button",
        {
          type: "button",
          title: label,
          "aria-label": label,
          id: `do-${action}`,
          onclick: () => this.act(action),
        },
        text,
      );
    const path = this.model.steps.length
      ? [button("Critical path", "Show or hide the critical path", "path")]
      : [];
    return h(
      "div",
      { class: "bar" },
      this.search,
      button("\u2039", "Previous match", "previous-match"),
      button("\u203a", "Next match", "next-match"),
      this.count,
      button("+", "Zoom in", "zoom-in"),
      button("\u2212", "Zoom out", "zoom-out"),
      button("All", "All: show the whole timeline", "whole"),
      ...path,
      button("\u25d0", "Light or dark", "theme"),
      button("?", "Keys", "help"),
    );
  }

  private showDetails(span: number): void {
    showDetails(this.details, this.model, span, {
      select: (other) => this.app.select(other),
      zoomTo: (other) => this.app.fit(other),
      step: (by) => this.app.step(by),
    });
  }

  private toCanvas(): void {
    this.canvas.focus({ preventScroll: true });
    byId("stage").scrollIntoView({ block: "nearest" });
  }

  // -- drawing

  private get gutter(): number {
    return this.canvas.clientWidth < 600 ? 92 : 176;
  }

  private redraw(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.due = false;
    const ratio = devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const context = sized(this.canvas, width, height, ratio);
    const { app, gutter, palette } = this;
    const { model, layout, view, marks } = app;
    const { fills, hatch } = this;
    const scroll = this.scroller.scrollTop;
    const scene = {
      model,
      layout,
      palette,
      fills,
      hatch,
      view,
      width,
      height,
      gutter,
      scroll,
      marks,
    };
    const left = new Painter(context, scene, ratio).draw();
    const note =
      left > 0
        ? `${grouped(left)} wait arrows in view are not drawn: zoom in, or select a span to see its own.`
        : "";
    if (this.left.textContent !== note) fill(this.left, note);
    const wide = this.overview.clientWidth;
    const all = { all: whole(model.length), now: view };
    drawOverview(
      sized(this.overview, wide, OVERVIEW, ratio),
      model,
      palette,
      { width: wide, height: OVERVIEW, gutter },
      all,
    );
    Object.assign(this.canvas.dataset, { from: view.from, to: view.to, gutter });
    performance.mark("fencepost-drawn");
  }

  private recolour(): void {
    this.palette = paletteOf(isDark(), colour);
    const context = this.canvas.getContext("2d");
    if (context) this.hatch = hatching(context, this.palette);
    this.redraw();
  }

  private resize(): void {
    const room = Math.max(SMALLEST, Math.round(innerHeight * 0.62));
    const height = Math.max(SMALLEST, Math.min(this.app.layout.height + 4, room));
    this.scroller.style.height = `${height}px`;
    this.canvas.style.height = `${height}px`;
    this.draw();
  }

  private reveal(top: number, height: number): void {
    const { scrollTop, clientHeight } = this.scroller;
    const room = clientHeight - AXIS - height - 8;
    if (top < scrollTop) this.scroller.scrollTop = top - 4;
    else if (top > scrollTop + room) this.scroller.scrollTop = top - room;
  }

  // -- events

  private listen(): void {
    new ResizeObserver(() => this.resize()).observe(this.scroller);
    addEventListener("resize", () => this.resize());
    onTheme(() => this.recolour());
    addEventListener("keydown", (event) => this.key(event));
    this.scroller.addEventListener("scroll", () => this.redraw());
    this.canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    this.canvas.addEventListener("dblclick", () => this.app.fit());
    this.overview.addEventListener("pointerdown", (event) => this.pressOverview(event));
    this.search.addEventListener("input", () => this.app.search(this.search.value));
    this.search.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.app.stepMatch(event.shiftKey ? -1 : 1);
    });
  }

  private key(event: KeyboardEvent): void {
    if (this.help.open) return;
    const target = event.target;
    if (target === this.search && event.key !== "Escape") return;
    const focused = target === this.canvas || target === document.body;
    const action = actionOf(event, focused);
    if (!action) return;
    event.preventDefault();
    this.act(action);
  }

  private act(action: Action): void {
    const { app } = this;
    const does: Record<Action, () => void> = {
      "zoom-in": () => app.zoom(0.7),
      "zoom-out": () => app.zoom(1 / 0.7),
      left: () => app.pan(-0.15),
      right: () => app.pan(0.15),
      up: () => (this.scroller.scrollTop -= 60),
      down: () => (this.scroller.scrollTop += 60),
      whole: () => app.showAll(),
      fit: () => app.fit(),
      next: () => app.step(1),
      previous: () => app.step(-1),
      above: () => app.cross(-1),
      below: () => app.cross(1),
      cause: () => app.goToCause(),
      search: () => this.search.select(),
      "next-match": () => app.stepMatch(1),
      "previous-match": () => app.stepMatch(-1),
      path: () => app.togglePath(),
      theme: () => toggleTheme(),
      help: () => this.help.showModal(),
      leave: () => this.leave(),
    };
    does[action]();
  }

  private leave(): void {
    this.search.value = "";
    this.app.search("");
    this.app.select(-1);
    this.canvas.focus({ preventScroll: true });
  }

  private timeAt(x: number): number {
    const { from, to } = this.app.view;
    return from + ((x - this.gutter) / (this.canvas.clientWidth - this.gutter)) * (to - from);
  }

  private spanUnder(event: MouseEvent): number {
    if (event.offsetX < this.gutter || event.offsetY < AXIS) return -1;
    const slack = this.timeAt(event.offsetX + 3) - this.timeAt(event.offsetX);
    return this.app.at(this.timeAt(event.offsetX), event.offsetY + this.scroller.scrollTop, slack);
  }

  private wheel(event: WheelEvent): void {
    if (event.offsetX < this.gutter && !event.ctrlKey) return; // over the names tracks scroll
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    const sideways = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      this.app.pan((sideways * lines) / this.canvas.clientWidth);
    } else {
      const turned = Math.max(-300, Math.min(300, event.deltaY * lines));
      this.app.zoom(2 ** (turned / 240), this.timeAt(event.offsetX));
    }
    this.tip.hidden = true;
  }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const start = {
      x: event.clientX,
      y: event.clientY,
      view: this.app.view,
      top: this.scroller.scrollTop,
    };
    const span = this.spanUnder(event);
    let dragged = false;
    const move = (next: PointerEvent): void => {
      const [dx, dy] = [next.clientX - start.x, next.clientY - start.y];
      dragged ||= Math.hypot(dx, dy) > 4;
      if (!dragged) return;
      this.tip.hidden = true;
      this.app.view = start.view;
      this.app.pan(-dx / (this.canvas.clientWidth - this.gutter));
      this.scroller.scrollTop = start.top - dy;
    };
    const release = (): void => {
      this.canvas.removeEventListener("pointermove", move);
      if (!dragged) this.app.select(span, false);
    };
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerup", release, { once: true });
    this.canvas.addEventListener(
      "pointercancel",
      () => this.canvas.removeEventListener("pointermove", move),
      { once: true },
    );
  }

  private pressOverview(event: PointerEvent): void {
    const to = (x: number): void => {
      const all = whole(this.model.length);
      const share = (x - this.gutter) / (this.overview.clientWidth - this.gutter);
      const { from, to: end } = this.app.view;
      const middle = all.from + share * (all.to - all.from);
      this.app.pan((middle - (from + end) / 2) / (end - from));
    };
    to(event.offsetX);
    this.overview.setPointerCapture(event.pointerId);
    const move = (next: PointerEvent): void => to(next.offsetX);
    this.overview.addEventListener("pointermove", move);
    const release = (): void => this.overview.removeEventListener("pointermove", move);
    this.overview.addEventListener("pointerup", release, { once: true });
    this.overview.addEventListener("pointercancel", release, { once: true });
  }

  private hover(event: PointerEvent): void {
    const span = this.spanUnder(event);
    this.canvas.style.cursor = span >= 0 ? "pointer" : "grab";
    this.tip.hidden = span < 0;
    if (span < 0) return;
    const { model } = this;
    const lasts = shown(model.ends[span] - model.starts[span]);
    fill(this.tip, h("strong", {}, model.name(span)), ` ${lasts}`);
    const x = Math.min(event.clientX + 14, innerWidth - this.tip.offsetWidth - 8);
    const y = Math.min(event.clientY + 18, innerHeight - this.tip.offsetHeight - 8);
    this.tip.style.transform = `translate(${Math.max(x, 4)}px, ${y}px)`;
  }
}

function sized(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
  ratio: number,
): CanvasRenderingContext2D {
  const [wide, tall] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== tall) canvas.height = tall;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no canvas");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

function helpDialog(): HTMLDialogElement {
  const rows = BINDINGS.filter((binding) => binding.help).map((binding) =>
    h(
      "tr",
      {},
      h(
        "th",
        { scope: "row" },
        ...binding.shown.flatMap((key, at) => [at ? " or " : "", h("kbd", {}, key)]),
      ),
      h("td", {}, binding.help),
    ),
  );
  const dialog = h(
    "dialog",
    { id: "help", "aria-label": "Keys" },
    h("table", {}, h("caption", {}, "Keys"), h("tbody", {}, ...rows)),
    h(
      "p",
      { class: "quiet" },
      "The wheel zooms at the pointer, with Shift it moves; over the names it scrolls. Dragging moves. A double click zooms to a span.",
    ),
    h("form", { method: "dialog" }, h("button", {}, "Close")),
  );
  return dialog;
}

function start(): void {
  const text = byId("data").textContent ?? "";
  new Page(new Model(JSON.parse(text) as PageData));
}

start();
