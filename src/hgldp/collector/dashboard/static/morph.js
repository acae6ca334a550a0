// Make an element look like some HTML, keeping the nodes that stay: focus, scroll and transitions live on.
// By hand, because these few lines need no dependency and run under a policy that allows our own files alone.

const KEPT = new Set(["TIME"]); // their text belongs to the script, which writes ages
const THEIRS = new Set(["open"]); // whoever looks has opened it

/** @param {Element} element @param {string} html rendered and escaped by the server */
export function morph(element, html) {
  const wanted = document.createElement("template");
  wanted.innerHTML = html;
  children(element, wanted.content);
}

function children(old, fresh) {
  const keyed = new Map([...old.children].filter((child) => child.dataset.key).map((child) => [child.dataset.key, child]));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const match = next.dataset?.key ? keyed.get(next.dataset.key) : fits(at, next) ? at : null;
    if (!match) {
      old.insertBefore(next, at);
    } else {
      if (match === at) at = at.nextSibling;
      else old.insertBefore(match, at);
      node(match, next);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

function fits(old, fresh) {
  return old && old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && !old.dataset?.key;
}

function node(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !THEIRS.has(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (!KEPT.has(old.nodeName) && !fresh.dataset.region) children(old, fresh); // a region is renewed by itself
}
