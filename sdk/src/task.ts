/** A task from its canonical bytes: what is asked, how an item is encoded, and what one report costs. */

import type { LineOf } from "./lines.js";
import type { AnswerTo, Schemes } from "./scheme.js";

const DAY = 86_400;
const SECONDS: Record<string, number> = { day: DAY, week: 7 * DAY, month: 30 * DAY };

/** What stands for an item: its number, or the bytes of a string with a letter for each; "" for a string that has no code. */
export type Code = number | string;

/** What clients and the server agree on. */
export interface Task {
  answerTo: AnswerTo;
  /** The fields of the document. */
  fields: Record<string, any>;
  /** ε at the task's level, for people; and ε of one report as an exact fraction. */
  epsilon: number;
  numerator: bigint;
  denominator: bigint;
  /** How many items a listed domain has, reserved ones included; 0 for strings that nobody listed. */
  size: number;
  /** Seconds of a period, or 0; and for how long a bulletin stays at least, or 0. */
  period: number;
  stays: number;
  /** Of how many events one is reported, and how many reports a person ever sends (Infinity: no limit). */
  among: number;
  mostReports: number;
  /** What is randomised in place of an item. */
  codeOf: (item: unknown) => Code;
  /** The codes of *other* and *nothing*; undefined where the task does not count *nothing*. */
  other: Code;
  nothing: Code | undefined;
  /** Which line of the task's public list holds a code; undefined until the list is there, and where the task names none. */
  lineOf?: LineOf;
}

/** Bytes as text. */
export const asText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Bytes as a JSON document. */
export const readJson = (bytes: Uint8Array): any => JSON.parse(asText(bytes));

/** Refuse what breaks a rule; most rules are about what the collector answered. */
export const must = (holds: unknown, what = "refused"): void => {
  if (!holds) throw Error(what);
};

/**
 * A text by the public rule of a task. Only ASCII changes, so that every language has the same rule. Looking back before spaces
 * keeps the time linear.
 */
const normalised = (text: string, rule = ""): string => {
  if (/sp/.test(rule)) text = text.replace(/^[\t-\r ]+|(?<![\t-\r ])[\t-\r ]+$/g, "");
  return /ca/.test(rule) ? text.replace(/[\0-\x7f]+/g, (letters) => letters.toLowerCase()) : text;
};

/** The bytes of a string and a zero; "" if it is too long, not valid, or holds a zero. Much faster than a TextEncoder. */
const stringCode = (text: string, mostBytes: number): Code => {
  let bytes = "\0";
  try {
    bytes = unescape(encodeURIComponent(text.slice(0, mostBytes + 1)));
  } catch {}
  return bytes.length > mostBytes || /\0/.test(bytes) ? "" : bytes + "\0";
};

/** The task of a document whose hash is known to be right. A scheme that is not among these is refused. */
export const readTask = (bytes: Uint8Array, schemes: Schemes): Task => {
  const fields = readJson(bytes);
  const { domain, level, events, division, period, keys, other, nothing, normalise } = fields;
  const [kind, first, second] = domain;
  const [numerator, denominator = 1n] = fields.epsilon.split("/").map(BigInt);
  const answerTo = schemes[fields.scheme]!;
  must(answerTo, fields.scheme);
  const numbers = new Map<unknown, number>();
  if (kind == "vocabulary") for (const word of first) numbers.set(normalised(word, normalise), numbers.size);
  let size = kind == "strings" ? 0 : (second ?? numbers.size);
  const numberOf = (item: unknown): number | undefined =>
    typeof item == "string"
      ? numbers.get(normalised(item, normalise))
      : Number.isInteger(item) && (item as number) >= first && (item as number) < first + second
        ? (item as number) - first
        : undefined;
  const reserve = (name: string): number => numberOf(name) ?? size++;
  const rest = other ? reserve("other") : "";
  const codeOf = (item: unknown): Code =>
    !size
      ? typeof item == "string"
        ? stringCode(normalised(item, normalise), first)
        : ""
      : (numberOf(item) ?? rest);
  const byEvents = level == "window" || level == "user";
  return {
    answerTo,
    fields,
    epsilon: Number(numerator) / Number(denominator),
    numerator,
    denominator: byEvents && !division ? denominator * BigInt(events) : denominator,
    other: rest,
    nothing: nothing ? (size ? reserve("nothing") : codeOf("nothing")) : undefined,
    size,
    period: SECONDS[period] ?? 0,
    stays: SECONDS[keys] ?? 0,
    among: division ? events : 1,
    mostReports: level == "user" ? (division ? 1 : events) : Infinity,
    codeOf,
  };
};
