/** Making and changing elements without HTML in strings: nothing that is shown can become markup. */

/** An element with these attributes and children. */
export const make = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

/** Change a text only if it differs, so that screen readers hear what is new and nothing else. */
export const say = (element: Element, text: string): void => {
  if (element.textContent != text) element.textContent = text;
};
