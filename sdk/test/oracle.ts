/** Answers questions of the Python tests, one line of JSON each, so that both languages can be compared on anything. */

import { createInterface } from "node:readline";
import { GOLDEN, mix, weight, word64, type Words } from "../src/exact.js";
import { chosen, freshLedger, periodsReport, spend, takePart, type Event, type Ledger } from "../src/ledger.js";
import { hinted } from "../src/hinted.js";
import { readLines } from "../src/lines.js";
import { SCHEMES } from "../src/schemes.js";
import { readStrictly } from "../src/strict.js";
import { setFor } from "../src/playground/lesson.js";
import { readTask, type Code } from "../src/task.js";
import { hex } from "../src/upload.js";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const seeded = (seed: bigint): Words => () => mix((seed = word64(seed + GOLDEN)));
const plain = (code: Code | undefined) => (typeof code == "string" ? Buffer.from(code, "latin1").toString("hex") || null : (code ?? null));

const KNOWN = { ...SCHEMES, "pfr-hints": hinted };

/** The symbols of some items, all from one sequence of words. A bulletin comes with its difference set in front. */
const symbols = async ({ task, bulletin, list, seed, items }: any) => {
  const asked = readStrictly(bytes(task), KNOWN);
  const found = asked.answerTo(asked, bytes(bulletin));
  if (list) asked.lineOf = await readLines(bytes(list), asked.fields.domain[3], asked.fields.domain[1]);
  const words = seeded(BigInt(seed));
  const drawn = items.map((item: unknown) => found.drawSymbol(asked.codeOf(item), words));
  return { limit: found.symbolLimit, epoch: found.epoch, codes: items.map(asked.codeOf).map(plain), symbols: drawn };
};

const refused = ({ task, bulletin }: any) => {
  try {
    const asked = readStrictly(bytes(task), KNOWN);
    if (bulletin) asked.answerTo(asked, bytes(bulletin));
    return false;
  } catch {
    return true;
  }
};

/** What a device reports that lives through some steps: events at moments, rounds of the clock, other bulletins. */
const life = ({ task, seed, steps, ceilings }: any) => {
  const asked = readTask(bytes(task), KNOWN);
  const [ledger, words] = [freshLedger(), seeded(BigInt(seed))];
  const reports: unknown[] = [];
  const report = (codes: Code[], now: number) => reports.push(spend(codes, asked, ledger, ceilings, now).map(plain));
  for (const { now, items, bulletin, able } of steps) {
    ledger.heldVersion = bulletin;
    ledger.steadySecond = ledger.dateSecond = now;
    const events: Event[] = items.map((item: unknown) => [now, asked.codeOf(item)]);
    if (asked.period) {
      takePart(events, asked, ledger, words);
      report(periodsReport(asked, ledger, now, able, words), now);
    } else report(chosen(events, asked, ledger, words).map(([, code]) => code), now);
  }
  const { reportsMade, seenEvents, reportedPeriod }: Ledger = ledger;
  return { reports: reports.filter((each) => (each as unknown[]).length), reportsMade, seenEvents, reportedPeriod };
};

const answers: Record<string, (question: any) => unknown> = {
  symbols,
  refused,
  life,
  lesson: ({ epsilon }) => hex(setFor(epsilon)),
  weight: ({ over, under }) => weight(BigInt(over), BigInt(under)).toString(),
};

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  process.stdout.write(JSON.stringify(await answers[question.kind]!(question)) + "\n");
}
