// Elements from data. Text only ever becomes a text node, so no name can become markup.

type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | ((event: never) => void);

/** An element with attributes (`onclick` and the like are listeners) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  append(made, children);
  return made;
}

/** Replaces what an element holds. */
export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren();
  append(parent, children);
}

function append(parent: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/** The element with this id; it has to be there. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element ${id}`);
  return found;
}

/** Characters that steer text or cannot be seen become `?`, as in the text report. */
export function clean(text: string): string {
  return text.replace(/\t/g, " ").replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}

/** `text` cut to so many characters, the whole of it behind the pointer. */
export function cut(text: string, most = 80): Node | string {
  const shown = clean(text);
  if (shown.length <= most) return shown;
  return h("span", { title: shown }, `${shown.slice(0, most - 1)}\u2026`);
}

/** A column of a table: its heading, what a row holds, whether it is a number. */
export interface Column<Row> {
  head: string;
  cell: (row: Row) => Child;
  number?: boolean;
  note?: string;
}

/** A table with a caption and row headings in its first column, in a box that scrolls sideways. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): HTMLElement {
  const head = columns.map((column) => {
    const attributes = { scope: "col", ...(column.note ? { title: column.note } : {}) };
    return h("th", { ...attributes, class: column.number ? "number" : "" }, column.head);
  });
  const body = rows.map((row) =>
    h(
      "tr",
      {},
      ...columns.map((column, at) => {
        const attributes = { class: column.number ? "number" : "" };
        return at
          ? h("td", attributes, column.cell(row))
          : h("th", { ...attributes, scope: "row" }, column.cell(row));
      }),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...head)),
      h("tbody", {}, ...body),
    ),
  );
}
