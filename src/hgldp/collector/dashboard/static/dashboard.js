// Keeps a page fresh: the server renders regions, this puts them in place. Without it the page still reads well.
import { ages, told } from "./ages.js";
import { morph } from "./morph.js";
import { connect, disconnect, watch } from "./stream.js";

const one = (what) => document.querySelector(what);
const region = (name) => one(`[data-region="${name}"]`);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const latest = {};
let past = null;

// Regions

function show(regions) {
  for (const [name, html] of Object.entries(regions)) {
    if (!region(name)) continue;
    const places = tops(region(name));
    morph(region(name), html);
    glide(region(name), places);
  }
  if ("head" in regions) document.title = `${one("h1 bdi").textContent} · HG-LDP`;
  follow();
  ages();
}

const rows = (element) => [...element.querySelectorAll("tr[data-key], li[data-key]")];
const tops = (element) => new Map(rows(element).map((row) => [row, row.offsetTop]));

function glide(element, before) {
  if (calm.matches || document.hidden) return;
  for (const row of rows(element)) {
    const moved = before.get(row) - row.offsetTop;
    if (moved) row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], { duration: 400, easing: "ease" });
    else if (before.size && !before.has(row)) row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 400 });
  }
}

function renew(regions) {
  Object.assign(latest, regions);
  if (past === null) show(regions);
  else show(Object.fromEntries(Object.entries(regions).filter(([name]) => !PAST_REGIONS.includes(name))));
}

// History: the slider's last place is the present

const PAST_REGIONS = ["best", "windows", "ranking", "scrubber"];
let asked = 0, soon;

// A page that shows the past is not called live.
function lookAt(slider) {
  past = Number(slider.value) < Number(slider.max) ? Number(slider.value) : null;
  document.body.toggleAttribute("data-past", past !== null);
}

function choose(slider) {
  lookAt(slider);
  clearTimeout(soon);
  soon = setTimeout(travel, 60);
}

async function travel() {
  const epoch = past, number = ++asked, address = new URL(location.href);
  if (epoch === null) address.searchParams.delete("epoch");
  else address.searchParams.set("epoch", epoch);
  history.replaceState(null, "", address);
  if (epoch === null) return show(Object.fromEntries(PAST_REGIONS.map((name) => [name, latest[name]])));
  const answer = await fetch(`${location.pathname}/epochs/${epoch}`).catch(() => null);
  const regions = answer?.ok ? await answer.json().catch(() => null) : null;
  if (number !== asked) return;
  if (regions) show(regions);
  else if (answer?.status === 404) one("#epoch-shown").textContent = `Epoch ${epoch} is no longer kept.`;
  else one("#epoch-shown").textContent = `Epoch ${epoch} cannot be had now. Move the slider to try again.`;
}

function follow() {
  const slider = one("[data-scrubber] input");
  if (slider && past === null) slider.value = slider.max;
}

document.addEventListener("input", (event) => event.target.closest("[data-scrubber]") && choose(event.target));
document.addEventListener("submit", (event) => event.target.closest("[data-scrubber]") && event.preventDefault());

document.documentElement.classList.add("scripted");
for (const place of document.querySelectorAll("[data-region]")) latest[place.dataset.region] = place.innerHTML;
const slider = one("[data-scrubber] input");
if (slider) lookAt(slider);
if (document.body.dataset.now) told(Number(document.body.dataset.now));
ages();
setInterval(ages, 1000);
if (document.body.dataset.live) {
  one("[data-again]").addEventListener("click", connect);
  // A browser keeps few connections to a host: a page that nobody sees gives its own back.
  document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", (event) => event.persisted && connect());
  watch(renew);
  if (!document.hidden) connect();
}
