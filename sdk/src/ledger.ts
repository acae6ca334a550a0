/** What was spent, and the rules that decide which events are reported. Pure: no clock, no disk, no network. */

import { pick, type Words } from "./exact.js";
import type { Code, Task } from "./task.js";

/** Seconds. */
export const HOUR = 3600;
export const DAY = 24 * HOUR;
const ANSWERS_KEPT = 32;
const LATE_AND_ON_TIME = 2;

/** The events of one period: its number, how many there were, and the code of one of them, drawn uniformly. */
export type PeriodDraw = [period: number, events: number, code: Code];

/** A time that no date moves while a page is open, but that may stand still while the device sleeps; and the date. */
export type Moment = [steady: number, date: number];

/** All that outlives the page, except uploads and the task's document. Their names are those in the database. */
export interface Ledger {
  /** Reports in all, and in the latest hours, each hour with its count. */
  reportsMade: number;
  hoursMade: [hour: number, count: number][];
  /** The latest second seen. */
  lastSecond: number;
  /** Where the periods of this device begin, drawn by lot; the last one that was reported; and two draws. */
  firstSecond?: number;
  reportedPeriod?: number;
  openPeriod?: PeriodDraw | null;
  pastPeriod?: PeriodDraw | null;
  /** How many events there were, and which of them are reported, drawn by lot. */
  seenEvents: number;
  drawnLot?: number;
  /** The bulletins that were answered, where each is answered once; the one that has to stay, and since when. */
  answeredOnes: string[];
  heldOne: string;
  heldSince?: Moment | undefined;
  /** The bulletin in force: version, bytes, epoch, when it was last shown, and for how long it may be used. */
  heldVersion: string;
  heldBytes: Uint8Array | null;
  heldEpoch: number;
  fetchedAt: number;
  maxAge: number;
  /** Whether the server's last bulletin was wrong, and since when it contradicts this one, if it does. */
  isDoubtful: boolean;
  doubtedSince?: Moment | undefined;
  /** Until when nothing is sent. */
  waitUntil: number;
  /** Now, by two clocks; and when the latest answer was given, where a task wants one. */
  steadySecond: number;
  dateSecond: number;
  answeredAt?: Moment;
  /** ε of one report. */
  reportCost: number;
}

/** What all tasks of a site share: whether the person opted out, and the ledger of each task by its id. */
export interface Site {
  optedOut: boolean;
  ledgers: Record<string, Ledger>;
}

/** A ledger in which nothing was spent. */
export const freshLedger = (): Ledger => ({
  reportsMade: 0,
  hoursMade: [],
  lastSecond: 0,
  seenEvents: 0,
  answeredOnes: [],
  heldOne: "",
  heldVersion: "",
  heldBytes: null,
  heldEpoch: 0,
  fetchedAt: 0,
  maxAge: 0,
  isDoubtful: false,
  waitUntil: 0,
  steadySecond: 0,
  dateSecond: 0,
  reportCost: 0,
});

/** Forget the events of open periods and the bulletin; one that has to stay, stays. */
export const forgetEvents = (ledger: Ledger): void => {
  ledger.openPeriod = ledger.pastPeriod = null;
  if (!ledger.heldOne) ledger.heldBytes = null;
};

/** What this client allows, whatever the task asks for. */
export interface Ceilings {
  maxTotalEpsilon: number;
  reportsPerDay: number;
}

/**
 * Whether some seconds have passed by both clocks since a moment, if there was one. The date alone could be set forward; and
 * a page that slept is behind the date, with which the next page starts.
 */
export const hasPassed = ({ steadySecond, dateSecond }: Ledger, [steady, date] = [0, 0], seconds = 0): boolean =>
  steadySecond >= steady + seconds && Math.abs(dateSecond - date) >= seconds;

/** The moment of a ledger, in whole seconds that are not too early. */
export const momentOf = ({ steadySecond, dateSecond }: Ledger): Moment => [Math.ceil(steadySecond), dateSecond];

/** When something happened, and its code. */
export type Event = [moment: number, code: Code];

/** Whether there is a bulletin that may be answered now. */
export const isFresh = ({ heldBytes, isDoubtful, fetchedAt, maxAge }: Ledger, now: number): boolean =>
  !!heldBytes && !isDoubtful && now < fetchedAt + maxAge;

/** Reports of the last 24 hours. It counts whole hours, so up to 25. */
export const lastDay = ({ hoursMade }: Ledger, now: number): number =>
  hoursMade.reduce((sum, [hour, count]) => (hour + 25 > now / HOUR ? sum + count : sum), 0);

/** How many reports may still be made, and the name of the limit that is nearest. */
export const reportsLeft = (
  { fields, period, mostReports, numerator, denominator }: Task,
  ledger: Ledger,
  { maxTotalEpsilon, reportsPerDay }: Ceilings,
  now: number,
): [left: number, limit: string] => {
  const spent = lastDay(ledger, now);
  const least = period && LATE_AND_ON_TIME;
  const affordable = Math.floor((maxTotalEpsilon * Number(denominator)) / Number(numerator));
  const limits: [number, string][] = [
    [(reportsPerDay && Math.max(reportsPerDay, least)) - spent, "reportsPerDay"],
    [Math.max(fields.daily_reports ?? Infinity, least) - spent, "daily_reports"],
    [mostReports - ledger.reportsMade, "events"],
    [affordable - ledger.reportsMade, "maxTotalEpsilon"],
  ];
  const left = Math.min(...limits.map(([each]) => each));
  return [Math.max(0, left), limits.find(([each]) => each == left)?.[1] ?? ""];
};

/** Spend as many of these codes as the limits allow, and say which. */
export const spend = (codes: Code[], task: Task, ledger: Ledger, ceilings: Ceilings, now: number): Code[] => {
  const granted = codes.slice(0, reportsLeft(task, ledger, ceilings, now)[0]);
  if (granted.length) {
    ledger.reportsMade += granted.length;
    ledger.reportCost = Number(task.numerator) / Number(task.denominator);
    const hour = Math.floor(now / HOUR);
    const counts = ledger.hoursMade.filter(([made]) => made + 25 > hour);
    if (counts.at(-1)?.[0] != hour) counts.push([hour, 0]);
    counts.at(-1)![1] += granted.length;
    ledger.hoursMade = counts;
    if (task.fields.one_answer) {
      ledger.answeredOnes = [...ledger.answeredOnes, ledger.heldVersion].slice(-ANSWERS_KEPT);
      ledger.answeredAt = momentOf(ledger);
    }
  }
  return granted;
};

/** Whether a task with one answer has it: to this bulletin, or within its `epoch_seconds`, which a task with keys lacks. */
const isAnswered = ({ fields }: Task, ledger: Ledger): boolean =>
  fields.one_answer && (ledger.answeredOnes.includes(ledger.heldVersion) || !hasPassed(ledger, ledger.answeredAt, fields.epoch_seconds));

/** Of some events those that are reported: each, or one of so many by a lot drawn before the first, or the one answer. */
export const chosen = (events: Event[], task: Task, ledger: Ledger, words?: Words): Event[] => {
  const { among, mostReports, fields } = task;
  ledger.drawnLot ??= among > 1 ? pick(among, words) : 0;
  const wanted = events.filter(() => {
    const place = ledger.seenEvents++;
    return (mostReports == 1 ? place : place % among) == ledger.drawnLot;
  });
  if (!fields.one_answer || !wanted.length) return wanted;
  return isAnswered(task, ledger) ? [] : [wanted[pick(wanted.length, words)]!];
};

/** Open the period of a moment if it is later than the open one, which is then over. One with events stays. */
const turn = (ledger: Ledger, number: number): PeriodDraw => {
  const open = ledger.openPeriod;
  if (open && number > open[0]) {
    if (open[1] || !ledger.pastPeriod) ledger.pastPeriod = open;
    ledger.openPeriod = null;
  }
  return (ledger.openPeriod ??= [number, 0, 0]);
};

/**
 * Let events take part in the draw of the period in which they came: of n events each stays with chance 1/n. One that
 * waited in a tab while another tab ended its period takes part in no other: else two reports would depend on one period.
 */
export const takePart = (events: Event[], { period }: Task, ledger: Ledger, words?: Words): void => {
  for (const [moment, code] of events) {
    const number = periodAt(ledger, period, moment, words);
    const draw = turn(ledger, number);
    if (draw[0] == number && !pick(++draw[1], words)) draw[2] = code;
  }
};

/** Where a device's periods begin is drawn by lot, once. */
const periodAt = (ledger: Ledger, period: number, moment: number, words?: Words): number => {
  ledger.firstSecond ??= pick(period, words);
  return Math.floor((moment - ledger.firstSecond) / period);
};

/** The code to report for the period that is over, if there is one, and it was not reported before. */
export const periodsReport = (task: Task, ledger: Ledger, now: number, able?: boolean, words?: Words): Code[] => {
  const number = periodAt(ledger, task.period, now, words);
  const open = turn(ledger, number);
  open[0] = Math.min(open[0], number);
  const past = ledger.pastPeriod;
  if (!past || !able) return [];
  ledger.pastPeriod = null;
  const code = past[1] ? past[2] : task.nothing;
  if (code === undefined || isAnswered(task, ledger) || past[0] <= ledger.reportedPeriod!) return [];
  ledger.reportedPeriod = past[0];
  return [code];
};
