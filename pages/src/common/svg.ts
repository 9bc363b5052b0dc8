// Drawings as SVG, laid out again whenever their box changes its width.

const SPACE = "http://www.w3.org/2000/svg";

/** An SVG element with attributes and children. */
export function s(
  tag: string,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElement {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A box that holds what `draw` makes of its width, now and whenever that changes. */
export function drawn(box: HTMLElement, draw: (width: number) => Node): HTMLElement {
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.floor(box.clientWidth);
    if (width === last || width < 40) return;
    last = width;
    box.replaceChildren(draw(width));
  }).observe(box);
  return box;
}
