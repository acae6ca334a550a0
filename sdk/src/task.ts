/** A task from its canonical bytes: what is asked, how an item is encoded, and what one report costs. */

import type { Scheme } from "./scheme.js";

const DAY = 86_400;
const SECONDS: Record<string, number> = { day: DAY, week: 7 * DAY, month: 30 * DAY };
const LARGEST_SIZE = 2 ** 31;

/** What stands for an item: its number, the bytes of a string, or null for a string that has no code. */
export type Code = number | Uint8Array | null;

/** What clients and the server agree on. */
export interface Task {
  scheme: Scheme;
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
}

/** Refuse what breaks a rule. */
export const must = (holds: unknown, rule: string): void => {
  if (!holds) throw Error(rule);
};

const within = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const common = (a: bigint, b: bigint): bigint => (b ? common(b, a % b) : a);

const isSpace = (code: number): boolean => (code > 8 && code < 14) || code == 32;

/** A text by the public rule of a task. Only ASCII changes, so that every language has the same rule. */
const normaliser = (rule = "") => (text: string): string => {
  if (rule.includes("space")) {
    let [start, end] = [0, text.length];
    while (isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    text = text.slice(start, end);
  }
  return rule.includes("case") ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
};

type Coding = Pick<Task, "size" | "codeOf" | "other" | "nothing">;

const strings = (most: unknown, nothing: boolean, normal: (text: string) => string): Coding => {
  must(within(most, nothing ? 7 : 1, 255), "strings");
  const codeOf = (item: unknown): Code => {
    if (typeof item != "string") return null;
    const text = normal(item);
    if (text.length > (most as number) || /[\0\p{Surrogate}]/u.test(text)) return null;
    const bytes = new TextEncoder().encode(text + "\0");
    return bytes.length > (most as number) + 1 ? null : bytes;
  };
  return { size: 0, codeOf, other: null, nothing: nothing ? codeOf("nothing") : undefined };
};

const listed = (
  base: number,
  find: (item: unknown) => number | undefined,
  other: boolean,
  nothing: boolean,
): Coding => {
  let size = base;
  const reserve = (name: string): number => find(name) ?? size++;
  const rest = other ? reserve("other") : -1;
  const none = nothing ? reserve("nothing") : undefined;
  must(within(size, 2, LARGEST_SIZE - 1), "domain size");
  return { size, codeOf: (item) => find(item) ?? rest, other: rest, nothing: none };
};

const coding = ({ domain, other, nothing, normalise, level }: Record<string, any>): Coding => {
  const [kind, first, second] = domain;
  const normal = normaliser(normalise);
  must(!nothing || level == "period", "nothing");
  must(domain.length == (kind == "range" ? 3 : 2), "domain");
  if (kind == "strings") {
    must(!other, "other");
    return strings(first, nothing, normal);
  }
  must(other || (!nothing && !normalise), "other");
  if (kind == "range") {
    must(Number.isSafeInteger(first) && within(second, 2, LARGEST_SIZE - 1), "range");
    const find = (item: unknown) => (within(item, first, first + second - 1) ? item - first : undefined);
    return listed(second, find, other, nothing);
  }
  must(kind == "vocabulary" && first.every((word: unknown) => typeof word == "string"), "domain");
  const numbers = new Map<unknown, number>(first.map((word: string, number: number) => [normal(word), number]));
  must(numbers.size == first.length && numbers.size > 1, "words");
  const find = (item: unknown) => (typeof item == "string" ? numbers.get(normal(item)) : undefined);
  return listed(numbers.size, find, other, nothing);
};

/** The task of these bytes: exactly what an encoder writes, by a scheme that is known here. Else an error. */
export const readTask = (bytes: Uint8Array, schemes: Scheme[]): Task => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const fields = JSON.parse(text);
  const sorted = (value: object) =>
    JSON.stringify(value, Object.keys(value).sort()).replace(
      /[\x7f-\uffff]/g,
      (letter) => "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0"),
    );
  must(sorted(fields) == text, "not canonical");
  const scheme = schemes.find((one) => one.fieldsPattern.test(sorted({ ...fields, domain: 0 })));
  must(scheme, "not a task of a known scheme");
  const { level, events, division, period, k, keys, one_answer } = fields;
  const [over, under = 1n] = fields.epsilon.split("/").map(BigInt);
  must(fields.epsilon == over + (under > 1n ? "/" + under : "") && common(over, under) == 1n, "epsilon");
  must(over <= 10n * under && over * 1_000_000n >= under, "epsilon");
  const byEvents = level == "window" || level == "user";
  must(byEvents || (events == 1 && !division), "events");
  must(!period == (level != "period"), "period");
  const code = coding(fields);
  must(!keys || (code.size && !fields.epoch_seconds), "keys");
  must(!one_answer || keys || fields.epoch_seconds, "one_answer");
  must(!code.size || k <= code.size, "k");
  const each = byEvents && !division;
  const task: Task = {
    ...code,
    scheme: scheme!,
    fields,
    epsilon: Number(over) / Number(under),
    numerator: over,
    denominator: each ? under * BigInt(events) : under,
    period: SECONDS[period] ?? 0,
    stays: SECONDS[keys] ?? 0,
    among: division ? events : 1,
    mostReports: level == "user" ? (division ? 1 : events) : Infinity,
  };
  scheme!.checkTask(task);
  return task;
};
