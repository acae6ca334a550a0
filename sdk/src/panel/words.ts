/** What a reporter knows, in words that a visitor understands. Pure: no document, no clock. */

import type { Explanation } from "../explanation.js";

const STATES: Record<string, string> = {
  ready: "On. What you do here is randomised on this device, and only random answers leave it.",
  starting: "Starting. This page has no task from the collector yet, and nothing is sent until it has one.",
  stale: "Waiting. The collector has not answered for a while, and nothing new is sent until it does.",
  suspended: "Suspended. The collector contradicts itself, and nothing is sent until that is over.",
  spent: "Resting. A privacy limit is reached, and no more is reported until it allows that again.",
  "opted out": "Off. You stopped it: this browser sends nothing for this site, and what was waiting is deleted.",
  gpc: "Off. Your browser asks sites not to share data (Global Privacy Control), and this page obeys.",
  refused: "Off. The collector asks for more than this page allows, so nothing is ever sent.",
  "no storage": "Off. This page cannot store anything, perhaps because it was not served over HTTPS. Without storage it could not keep a privacy limit.",
  closed: "Ended. This page takes nothing more; what waits is sent from the next page.",
  none: "There is nothing here that reports.",
};

/** One sentence for a state. */
export const stateInWords = (state: string): string => STATES[state] ?? state;

/** Which of several tasks of a page a sentence is about. */
const about = (all: unknown[], place: number): string => (all.length > 1 ? `Question ${place + 1}: ` : "");

/** How all tasks of a page are doing. */
export const statesInWords = (found: Explanation[]): string => {
  const states = found.map(({ state }) => stateInWords(state));
  if (new Set(states).size < 2) return states[0] ?? stateInWords("none");
  return states.map((each, place) => about(states, place) + each).join(" ");
};

/** Whether the visitor can turn it on and off: not where something else has decided. */
export const canSwitch = (state: string): boolean => !["gpc", "refused", "no storage", "closed", "none"].includes(state);

/** A number, 0 or more, with at most so many digits that count, never less than it is. */
export const roundedUp = (value: number, digits = 3): string => {
  if (!value) return "0";
  const unit = 10 ** (Math.floor(Math.log10(value)) + 1 - digits);
  const up = Math.ceil(value / unit - 1e-9) * unit;
  return up.toLocaleString("en", { maximumSignificantDigits: digits + 1 });
};

/** A number as people write it, without digits that say nothing. */
export const plain = (value: number): string => Number(value.toPrecision(3)).toLocaleString("en");

/** So many things. */
export const counted = (count: number, noun: string): string => `${count.toLocaleString("en")} ${noun}${count == 1 ? "" : "s"}`;

/** A time between two things, in the largest unit of which it is a whole number. */
const every = (seconds: number): string => {
  const units = Object.entries({ day: 86400, hour: 3600, minute: 60, second: 1 });
  const [noun, unit] = units.find(([, each]) => !(seconds % each))!;
  return `every ${seconds == unit ? noun : counted(seconds / unit, noun)}`;
};

/** How often a task takes one report at most; nothing where only the limits say. A round is as long as a bulletin stays. */
export const howOften = ({ level, period, one_answer, keys, epoch_seconds }: Record<string, any>): string =>
  level == "period" ? `a ${period}` : one_answer ? (keys ? "per round" : every(epoch_seconds)) : "";

const total = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0);

const reportsOf = (site: Explanation["site"]): number[] => Object.values(site).map(([, reports]) => reports);

/** ε of a task's document, a fraction as text. */
const epsilonOf = (task: Record<string, any>): number => {
  const [over, under = 1] = task.epsilon.split("/").map(Number);
  return over / under;
};

const covered = ({ level, events, period, division, one_answer, keys, epoch_seconds }: Record<string, any>): string => {
  const round = keys ? `lasts at least a ${keys}: at most one report is sent in it` : `ends when the collector publishes a new list: at most one report is sent in it, and at most one ${every(epoch_seconds)}`;
  const once = one_answer ? ` A round ${round}.` : "";
  if (level == "period")
    return `You send one report a ${period}, about one thing that you did, drawn by lot on this device. So this covers the whole ${period}.${once}`;
  if (level == "window")
    return division
      ? `Of every ${counted(events, "thing")} that you do, one is reported, drawn by lot. So this covers any ${events} of them in a row.${once}`
      : `This covers any ${counted(events, "thing")} that you do in a row, together.${once}`;
  if (level == "user")
    return division
      ? `Of the first ${counted(events, "thing")} that you do, one is reported, drawn by lot, and never another. So this covers all that you ever do here.${once}`
      : `At most ${counted(events, "report")} are ever sent. This covers all of them together.${once}`;
  if (one_answer) return `This covers all that you do in one round.${once}`;
  return "This covers each report by itself; many reports tell more.";
};

/**
 * What ε means, sentence by sentence. Nothing until a task is known. At every level the ε of a task covers at least any one
 * thing that somebody did, so about one thing all tasks of a page tell at most the sum.
 */
export const meaning = (found: Explanation[]): string[] => {
  const each = found.flatMap(({ task }) => (task ? epsilonOf(task) : []));
  if (!each.length) return [];
  const epsilon = total(each);
  const sum = each.length > 1 ? ` = ${each.map(plain).join(" + ")}, for ${each.length} questions that this page asks` : "";
  return [
    `Anyone who sees what you sent for this page, including the collector, can become at most ${roundedUp(Math.exp(epsilon))} times surer that you did one thing and not another (e^ε with ε = ${plain(epsilon)}${sum}).`,
    ...found.flatMap(({ task }, place) => (task ? about(found, place) + covered(task) : [])),
    "It does not hide that this device reports, nor its network address. The switch stops all reports from this site in this browser.",
  ];
};

const LIMITS: Record<string, string> = {
  reportsPerDay: "this page's limit for 24 hours",
  daily_reports: "the collector's limit for 24 hours",
  events: "the limit for ever",
  maxTotalEpsilon: "this page's limit for ever",
};

/** What the limits of a task leave: a number, and which limit or when. */
const left = ({ state, reports, left, limit, nextReport, task, uploads }: Explanation): [string, string] => {
  if (!task) return [state == "starting" ? "not known yet" : "–", ""];
  const often = left && howOften(task), bound = LIMITS[limit] ?? limit;
  const after = (second: number): string => `the ${reports ? "next" : "first"} one after ${new Date(second * 1000).toLocaleString()}`;
  if (!often) return [counted(left, "report"), bound];
  if (task.level == "period") return [`one ${often}`, nextReport ? after(nextReport) : ""];
  const next = (uploads.at(-1)?.second ?? 0) + task.epoch_seconds;
  return [counted(left, "report"), `${bound}; at most one ${often}${next * 1000 > Date.now() ? `, ${after(next)}` : ""}`];
};

/**
 * The figures: a label, a number and what it costs. Reports of all tasks of the site are added up, those that this page does
 * not ask too: ε of all of them together bounds what they tell, whatever the levels are. Of several reporters' views of
 * the site, the one with the most reports is the latest.
 */
export const figures = (found: Explanation[]): [string, string, string][] => {
  const [site] = found.map(({ site }) => site).sort((one, other) => total(reportsOf(other)) - total(reportsOf(one)));
  if (!site) return [];
  const others = Object.keys(site).some((id) => site[id]![1] && found.every((each) => each.id != id));
  const more = others ? ", including other reports from this site" : "";
  const sum = (which: 0 | 1): [string, string] => [
    counted(total(Object.values(site).map((each) => each[which])), "report"),
    `ε = ${roundedUp(total(Object.values(site).map((each) => each[which] * each[2])))}${more}`,
  ];
  return [
    ["Last 24 hours", ...sum(0)],
    ["In all", ...sum(1)],
    ...found.map((each, place): [string, string, string] => [about(found, place) + "Left", ...left(each)]),
  ];
};

const ANSWERS: Record<number, string> = {
  0: "waiting to be sent",
  1: "given up after a day",
  200: "accepted",
  409: "not counted: the collector has closed this task",
  410: "not counted: it came too late",
};

/** What stands in place of an empty list: opting out deletes it, but the number of reports stays. */
export const whyEmpty = (found: Explanation[]): string => {
  const [period, ...others] = new Set(found.map(({ task }) => task?.period));
  if (found.some(({ reports }) => reports)) return "The list of earlier reports was deleted when reporting was stopped.";
  return `Nothing yet.${period && !others.length ? ` What you do waits on this device until the ${period} is over.` : ""}`;
};

/** What became of an upload. */
export const answerInWords = (status: number): string => ANSWERS[status] ?? `not counted: refused (${status})`;
