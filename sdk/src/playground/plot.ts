/** Bars as SVG whose places are percentages, so that they fit any width. Numbers stand beside them as text. */

const SVG = "http://www.w3.org/2000/svg";

const shape = (tag: string, attributes: Record<string, string>): SVGElement => {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
};

const percent = (value: number): string => `${Math.round(1000 * Math.min(1, Math.max(0, value))) / 10}%`;

/** A stripe from one place to another, both as shares of the width. */
export const stripe = (name: string, from: number, to: number): SVGElement =>
  shape("rect", { class: name, x: percent(from), width: percent(Math.max(0, Math.min(1, to) - Math.max(0, from))) });

/** A thin line at a place. */
export const tick = (name: string, at: number): SVGElement => shape("rect", { class: name, x: percent(at) });

/** A round mark at a place. */
export const mark = (name: string, at: number): SVGElement => shape("circle", { class: name, cx: percent(at) });

/** One bar of a chart; the text beside it says the same, so it is hidden from screen readers. */
export const bar = (...parts: SVGElement[]): SVGElement => {
  const made = shape("svg", { class: "play-bar", "aria-hidden": "true", focusable: "false" });
  made.append(...parts);
  return made;
};
