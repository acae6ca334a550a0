/**
 * A task read as strictly as the Python package reads it: exactly the bytes that an encoder writes, every field of its scheme
 * and no other. Pages need less: they know the task by its hash, so nobody can give them other bytes.
 */

import { readTask, type Task } from "./task.js";
import type { Schemes } from "./scheme.js";

const LARGEST_SIZE = 2 ** 31;
const COMMON = String.raw`,"domain":0,"epoch":\d+(,"epoch_seconds":[1-9]\d*)?,"epsilon":"[\d/]+","events":[1-9]\d*`;
const AT_THE_END = String.raw`(,"normalise":"(space|case|space and case)")?(,"nothing":true)?(,"one_answer":true)?(,"other":true)?(,"period":"(day|week|month)")?`;
const LEVEL = `"level":"(event|period|window|user)"`;
const PFR = new RegExp(
  String.raw`^{"cells":\d+(,"daily_reports":[1-9]\d*)?(,"division":"population")?${COMMON},"half_life":\d+,"k":[1-9]\d*` +
    String.raw`(,"keys":"(day|week|month)")?,${LEVEL},"memory":[1-9]\d*${AT_THE_END},"scheme":"pfr(-hints)?"(,"spelling":"(urls|identifiers)")?}$`,
);
const HOT_LIST = new RegExp(
  String.raw`^{"cells":[1-9]\d*(,"daily_reports":[1-9]\d*)?,"decay_base":"[\d/]+"(,"division":"population")?${COMMON},` +
    String.raw`"growth":"[\d/]+","hot_share":(null|"[\d/]+"),"judge_share":"[\d/]+","k":[1-9]\d*,${LEVEL},"light_cells":\d+` +
    String.raw`${AT_THE_END},"scheme":"(bgr|dsr|bdr|cnr)"(,"structure":"(space-saving|misra-gries|heavy-keeper)")?,"tight":(true|false)}$`,
);

const must = (holds: unknown, rule: string): void => {
  if (!holds) throw Error(rule);
};

const within = (value: unknown, least: number, most: number): boolean =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

const common = (a: bigint, b: bigint): bigint => (b ? common(b, a % b) : a);

/** A fraction in lowest terms, as its two numbers. */
const fraction = (text: string): [bigint, bigint] => {
  must(/^\d+(\/\d+)?$/.test(text), "fraction");
  const [over, under = 1n] = text.split("/").map(BigInt) as [bigint, bigint?];
  must(text == over + (under > 1n ? "/" + under : "") && common(over, under) == 1n, "fraction");
  return [over, under];
};

/** The same of a number that a server keeps as a double. */
const double = (text: string): [bigint, bigint] => {
  const [over, under] = fraction(text);
  must(!(under & (under - 1n)) && over <= 2n ** 53n, "double");
  return [over, under];
};

/** JSON with sorted keys and no letter outside ASCII. */
const canonical = (fields: object): string =>
  JSON.stringify(fields, Object.keys(fields).sort()).replace(
    /[\x7f-\uffff]/g,
    (letter) => "\\u" + letter.charCodeAt(0).toString(16).padStart(4, "0"),
  );

const checkDomain = ({ scheme, domain, other, nothing, normalise }: Record<string, any>): void => {
  const [kind, first, second, lines] = domain;
  const hinted = scheme == "pfr-hints";
  must(domain.length == (hinted ? 4 : kind == "range" ? 3 : 2), "domain");
  if (hinted) must(kind == "strings" && /^[\da-f]{64}$/.test(second) && within(lines, 2, 1_000_000), "hints");
  if (kind == "strings") must(!other && within(first, nothing ? 7 : 1, 255), "strings");
  else must(other || (!nothing && !normalise), "other");
  if (kind == "range") must(Number.isSafeInteger(first) && within(second, 2, LARGEST_SIZE - 1), "range");
  if (kind == "vocabulary") must(first.every((word: unknown) => typeof word == "string") && first.length > 1, "words");
  must(["range", "vocabulary", "strings"].includes(kind), "domain");
};

/** The task of these bytes; an error if they are not the ones that an encoder writes. */
export const readStrictly = (bytes: Uint8Array, schemes: Schemes): Task => {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const fields = JSON.parse(text);
  must(canonical(fields) == text, "the document is not in its canonical form");
  const shape = canonical({ ...fields, domain: 0 });
  must(PFR.test(shape) || HOT_LIST.test(shape), "the document has other fields than a task");
  const { epsilon, level, events, division, period, nothing, keys, epoch_seconds, one_answer, k, cells } = fields;
  const [over, under] = fraction(epsilon);
  must(over <= 10n * under && over * 1_000_000n >= under, "epsilon");
  must(level == "window" || level == "user" || (events == 1 && !division), "events");
  must(!period == (level != "period") && (!nothing || period), "period");
  checkDomain(fields);
  const task = readTask(bytes, schemes);
  must(within(task.size, task.size && 2, LARGEST_SIZE - 1) && k <= (task.size || Infinity), "size");
  must(!task.size || !fields.spelling, "spelling");
  must(!keys || (task.size && !epoch_seconds), "keys");
  must(!one_answer || keys || epoch_seconds, "one_answer");
  const [least, perItem] = fields.scheme == "pfr-hints" ? [24, 12] : task.size ? [8, 3] : [64, 8];
  if (/pfr/.test(fields.scheme)) must(cells <= 4096 && cells >= Math.max(least, perItem * k), "cells");
  else {
    const [share, parts] = fraction(fields.judge_share);
    const [base, unit] = double(fields.decay_base);
    const [growth, whole] = double(fields.growth);
    const [hot, all] = fraction(fields.hot_share ?? "0");
    must(base > unit && base <= 4n * unit && growth < whole && hot <= all, "fractions");
    must(within(fields.light_cells, 0, 65_535), "light_cells");
    must(cells >= k && cells < task.size && cells <= 16384, "cells");
    must(share > 0n && share < parts && (fields.hot_share == null || !fields.tight), "judge");
  }
  return task;
};
