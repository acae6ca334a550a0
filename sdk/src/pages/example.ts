/** The example page: it reports what its visitor presses, and shows every byte that leaves. */

import type { Explanation } from "../explanation.js";
import type { Upload } from "../store.js";
import { make, say } from "../panel/elements.js";
import { answerInWords, howOften } from "../panel/words.js";
import type { Options, Outcome, Reporter } from "../public.js";
import { hex } from "../upload.js";

declare const hgldp: { Reporter: new (options: Options) => Reporter };

const PAUSE = 500;
const MOST_BUTTONS = 24;
/** The parts of an upload: name, first byte, and what it says. */
const PARTS: [name: string, from: number, to: number][] = [
  ["mark", 0, 4],
  ["random id", 4, 20],
  ["version of the bulletin", 20, 52],
  ["number of reports", 52, 56],
  ["random answers, and zeros", 56, Infinity],
];
const OUTCOMES: Record<Outcome, string> = {
  taken: "Taken.",
  other: "Taken, as “other”: it is not on the list.",
  full: "Not taken: too many are waiting.",
  refused: "Not taken: the task asks for more than this page allows.",
  "opted out": "Not taken: you stopped it.",
  gpc: "Not taken: your browser sends Global Privacy Control.",
  closed: "Not taken: this page has ended.",
  "no storage": "Not taken: this page has no storage.",
};

const part = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const values = new URLSearchParams(location.hash.slice(1));
const form = part<HTMLFormElement>("connect");

for (const name of ["task", "key", "maxEpsilon"]) {
  const field = form.elements.namedItem(name) as HTMLInputElement;
  field.value = values.get(name) ?? field.value;
}
form.addEventListener("submit", (event) => {
  event.preventDefault();
  location.hash = new URLSearchParams(new FormData(form) as any).toString();
});
addEventListener("hashchange", () => location.reload());

/** What every press does, until the period of a task decides otherwise. */
const effect = ({ task }: Explanation): string => {
  if (!task) return "";
  if (task.level == "period")
    return `This task takes one report a ${task.period}: what you press takes part in a draw on this device, and one of them is reported when the ${task.period} is over. To see every press leave, create a task with --level event.`;
  const round = task.keys ? `, and a round lasts at least a ${task.keys}` : "";
  if (task.one_answer) return `At most one press ${howOften(task)} is reported${round}; the others are dropped.`;
  return task.division ? `Of every ${task.events} presses one is reported, drawn by lot.` : "Every press is one report.";
};

/** Buttons for short lists, and a field for everything else. */
const showItems = (task: Record<string, any>, press: (item: unknown) => void): void => {
  const [kind, first] = task.domain;
  const words: string[] = kind == "vocabulary" ? first.slice(0, MOST_BUTTONS) : [];
  const buttons = words.map((word) => {
    const button = make("button", { type: "button" }, word);
    button.addEventListener("click", () => press(word));
    return button;
  });
  part("buttons").replaceChildren(...buttons);
  const field = part<HTMLInputElement>("item");
  if (kind == "range") field.inputMode = "numeric";
  const typed = part<HTMLFormElement>("typed");
  typed.hidden = false;
  typed.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value) press(kind == "range" ? Number(field.value) : field.value);
    field.value = "";
    field.focus();
  });
};

const whyNoTask = ({ state, reason }: Explanation): string =>
  state == "refused"
    ? "The task has a higher ε than this page allows. Change maxEpsilon in the address, and load the page again."
    : reason
      ? `It does not start: ${reason}`
      : "Starting …";

/** Byte by byte what was made last. */
const showBytes = ({ bytes, second, status }: Upload): void => {
  const rows = PARTS.flatMap(([name, from, to]) => [
    make("dt", {}, name),
    make("dd", {}, make("code", {}, hex(bytes.subarray(from, to)).match(/.{1,8}/g)!.join(" "))),
  ]);
  part("bytes").replaceChildren(...rows);
  say(part("last"), `${new Date(second * 1000).toLocaleTimeString()}: ${bytes.length} bytes, ${answerInWords(status)}.`);
};

const newReporter = (): Reporter => {
  const maxEpsilon = Number(values.get("maxEpsilon") ?? 2);
  const url = location.origin + document.body.dataset.base;
  return new hgldp.Reporter({ url, task: values.get("task")!, key: values.get("key")!, maxEpsilon, gather: 2 });
};

/** The script for tasks that name a list. It takes the place of the one for all others. */
const loadScriptForLists = (): Promise<unknown> =>
  new Promise((done) => {
    const { withLists, integrity } = part("panel").dataset;
    const script = make("script", { src: withLists!, integrity: integrity!, crossorigin: "anonymous" });
    script.addEventListener("load", done);
    document.head.append(script);
  });

const start = (): void => {
  let hot = newReporter();
  let knowsLists = false;
  part("use").hidden = part("seen").hidden = false;
  part("connecting").hidden = true;
  let presses = 0;
  let limit = "";
  const press = (item: unknown): void => {
    presses++;
    say(part("outcome"), `${OUTCOMES[hot.report(item)]} Presses so far: ${presses}${limit}.`);
  };
  let listed = false;
  let shown = "";
  const look = async (): Promise<void> => {
    const found = await hot.explain().catch(() => undefined);
    if (found?.reason.includes("pfr-hints") && !knowsLists) {
      knowsLists = true;
      hot.close();
      await loadScriptForLists();
      hot = newReporter();
    }
    if (found?.task && !listed) {
      listed = true;
      showItems(found.task, press);
      say(part("effect"), effect(found));
      const often = howOften(found.task);
      limit = often && `; at most one ${often} is reported`;
    }
    if (found && !found.task) say(part("effect"), whyNoTask(found));
    const last = found?.uploads.at(-1);
    const key = last ? `${last.second} ${last.status}` : "";
    if (last && key != shown) showBytes(last);
    shown = key;
    setTimeout(look, PAUSE);
  };
  part("send").addEventListener("click", () => hot.flush());
  void look();
};

if (values.get("task") && values.get("key")) start();
