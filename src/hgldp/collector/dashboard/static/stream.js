// The stream of a page, and what to say and do when it ends. Not an EventSource: that hides the server's reasons.
import { told } from "./ages.js";

const FIRST_WAIT = 1000, LONGEST_WAIT = 30000, SILENCE = 40000;
const one = (what) => document.querySelector(what);
const { live } = document.body.dataset;
const FINAL = {
  401: ["You are signed out.", "Reload the page to sign in again."],
  404: ["This task is gone.", "It was deleted. What you see is the last that was known."],
};
const BUSY = "Too many people are watching.", SILENT = "The collector is not answering.";
let mark = document.body.dataset.mark;
let open, watchdog, retry, renew, wait = FIRST_WAIT, heard = Date.now();

/** Say what to do with new regions. */
export function watch(callback) {
  renew = callback;
}

/** Open the stream, in place of any other. */
export function connect() {
  disconnect();
  const current = new AbortController();
  open = current;
  listen();
  follow(current.signal).then(
    () => current === open && lost(SILENT),
    (reason) => current === open && lost(typeof reason === "string" ? reason : SILENT),
  );
}

/** Close it, and try no more. */
export function disconnect() {
  const before = open;
  open = null;
  before?.abort();
  clearTimeout(retry);
  clearTimeout(watchdog);
}

async function follow(signal) {
  const address = new URL(live, location.href);
  address.searchParams.set("since", mark);
  const answer = await fetch(address, { signal, cache: "no-store" });
  if (answer.status in FINAL) return over(answer.status);
  if (answer.status === 503) {
    wait = Math.max(wait, 1000 * Number(answer.headers.get("retry-after") ?? 0));
    throw BUSY;
  }
  if (!answer.ok) throw SILENT;
  recovered();
  let text = "";
  for (const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (text + value).split("\n\n");
    text = events.pop();
    alive();
    events.forEach(take);
  }
}

function take(event) {
  const [, name, data] = /^event: (\w+)\ndata: ?(.*)$/.exec(event) ?? [];
  if (name === "gone") return over(404);
  if (!data) return;
  const said = JSON.parse(data);
  told(said.now);
  if (name !== "regions") return;
  mark = said.mark;
  renew(said.regions);
}

function alive() {
  heard = Date.now();
  listen();
}

function listen() {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => lost(SILENT), SILENCE);
}

function recovered() {
  alive();
  wait = FIRST_WAIT;
  one("[data-banner]").hidden = true;
  delete document.body.dataset.stale;
  status("live", "Live");
}

function lost(reason) {
  disconnect();
  const until = Date.now() + wait * (0.75 + Math.random() / 2);
  wait = Math.min(2 * wait, LONGEST_WAIT);
  say(reason, `This page has not been live since ${clock()}.`);
  countDown(until);
}

function over(code) {
  disconnect();
  const [reason, advice] = FINAL[code];
  say(reason, `${advice} This page has not been live since ${clock()}.`);
  one("[data-retry]").textContent = "";
  one("[data-again]").hidden = true;
}

const clock = () => new Date(heard).toLocaleTimeString();

function say(reason, since) {
  write("[data-reason]", reason);
  write("[data-since]", since);
  one("[data-banner]").hidden = false;
  document.body.dataset.stale = "";
  status("lost", "Not live");
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
  write("[data-status]", text);
}

// What is written again is read out again.
function write(where, text) {
  if (one(where).textContent !== text) one(where).textContent = text;
}
