// Keeps a page fresh: the server renders regions, this puts them in place. Without it the page still reads well.
import { morph } from "./morph.js";

const FIRST_WAIT = 1000, LONGEST_WAIT = 30000, SILENCE = 40000;
const one = (what) => document.querySelector(what);
const region = (name) => one(`[data-region="${name}"]`);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const live = document.body.dataset.live;
const latest = {};
let source, watchdog, retry, wait = FIRST_WAIT, heard = Date.now(), past = null;

// Regions

function show(regions) {
  for (const [name, html] of Object.entries(regions)) {
    if (!region(name)) continue;
    const places = tops(region(name));
    morph(region(name), html);
    glide(region(name), places);
  }
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

// The stream, and what to do when it ends

function rest() {
  source?.close();
  clearTimeout(retry);
  clearTimeout(watchdog);
}

function connect() {
  rest();
  source = new EventSource(live);
  source.addEventListener("open", recovered);
  source.addEventListener("beat", alive);
  source.addEventListener("error", lost);
  source.addEventListener("regions", (event) => {
    recovered();
    const regions = JSON.parse(event.data);
    Object.assign(latest, regions);
    if (past === null) show(regions);
    else show(Object.fromEntries(Object.entries(regions).filter(([name]) => !PAST_REGIONS.includes(name))));
  });
  alive();
}

function alive() {
  heard = Date.now();
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, SILENCE);
}

function recovered() {
  alive();
  wait = FIRST_WAIT;
  one("[data-banner]").hidden = true;
  status("live", "Live");
}

function lost() {
  rest();
  const until = Date.now() + wait * (0.75 + Math.random() / 2);
  wait = Math.min(2 * wait, LONGEST_WAIT);
  one("[data-since]").textContent = new Date(heard).toLocaleTimeString();
  one("[data-banner]").hidden = false;
  status("lost", "Offline");
  countDown(until);
}

function countDown(until) {
  const left = Math.ceil((until - Date.now()) / 1000);
  one("[data-retry]").textContent = left > 0 ? `Next try in ${left} s.` : "Trying …";
  retry = setTimeout(() => (left > 0 ? countDown(until) : connect()), left > 0 ? 250 : 0);
}

function status(kind, text) {
  const place = one("[data-status]");
  place.hidden = false;
  place.dataset.status = kind;
  if (place.textContent !== text) place.textContent = text;
}

// History: the slider's last place is the present

const PAST_REGIONS = ["ranking", "windows", "scrubber"];
let asked = 0, soon;

function choose(slider) {
  past = Number(slider.value) < Number(slider.max) ? Number(slider.value) : null;
  clearTimeout(soon);
  soon = setTimeout(travel, 60);
}

async function travel() {
  const epoch = past, number = ++asked, address = new URL(location.href);
  if (epoch === null) address.searchParams.delete("epoch");
  else address.searchParams.set("epoch", epoch);
  history.replaceState(null, "", address);
  if (epoch === null) return show(Object.fromEntries(PAST_REGIONS.map((name) => [name, latest[name]])));
  try {
    const answer = await fetch(`${location.pathname}/epochs/${epoch}`);
    if (answer.ok && number === asked) show(await answer.json());
  } catch {
    lost();
  }
}

function follow() {
  const slider = one("[data-scrubber] input");
  if (slider && past === null) slider.value = slider.max;
}

document.addEventListener("input", (event) => event.target.closest("[data-scrubber]") && choose(event.target));
document.addEventListener("submit", (event) => event.target.closest("[data-scrubber]") && event.preventDefault());

// Ages of moments, in words

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });
const UNITS = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", Infinity]];

function ages() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    let amount = (Date.parse(time.dateTime) - Date.now()) / 1000, unit;
    time.title ||= new Date(time.dateTime).toLocaleString();
    for (const [name, size] of UNITS) {
      unit = name;
      if (Math.abs(amount) < size) break;
      amount /= size;
    }
    const text = unit === "second" && Math.abs(amount) < 2 ? "just now" : relative.format(Math.round(amount), unit);
    if (time.textContent !== text) time.textContent = text;
  }
}

document.documentElement.classList.add("scripted");
for (const place of document.querySelectorAll("[data-region]")) latest[place.dataset.region] = place.innerHTML;
const slider = one("[data-scrubber] input");
if (slider && Number(slider.value) < Number(slider.max)) past = Number(slider.value);
ages();
setInterval(ages, 1000);
if (live) {
  one("[data-again]").addEventListener("click", connect);
  // A browser keeps few connections to a host: a page that nobody sees gives its own back.
  document.addEventListener("visibilitychange", () => (document.hidden ? rest() : connect()));
  addEventListener("pagehide", rest);
  addEventListener("pageshow", (event) => event.persisted && connect());
  connect();
}
