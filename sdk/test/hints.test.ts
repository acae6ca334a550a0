/** The published vectors of tasks that name a list; lists and bulletins that must be refused; and many lines. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GOLDEN, mix, word64, type Words } from "../src/exact.js";
import { hinted } from "../src/hinted.js";
import { readLines } from "../src/lines.js";
import { SCHEMES } from "../src/schemes.js";
import { readStrictly } from "../src/strict.js";
import { readTask } from "../src/task.js";
import { symbolBytes } from "../src/upload.js";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const text = (words: string) => new TextEncoder().encode(words);
const sha256 = (...parts: Uint8Array[]) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const seeded = (seed: bigint): Words => () => mix((seed = word64(seed + GOLDEN)));
const [NAMED, ...OTHERS]: any[] = JSON.parse(readFileSync("../testvectors/v1/hints.json", "utf8"));
const KNOWN = { ...SCHEMES, "pfr-hints": hinted };
const SETS = OTHERS.find(({ set }) => set).set;

/** The task of the vectors, with its list. */
const agreed = async () => {
  const asked = readStrictly(text(NAMED.canonical), KNOWN);
  const [, mostBytes, , count] = asked.fields.domain;
  asked.lineOf = await readLines(bytes(NAMED.list), count, mostBytes);
  return asked;
};

test("the task and its list have their hashes", () => {
  assert.equal(sha256(text("hgldp task 1"), text(NAMED.canonical)), NAMED.id);
  assert.equal(sha256(bytes(NAMED.list)), NAMED.sha256);
  assert.equal(readTask(text(NAMED.canonical), KNOWN).fields.domain[2], NAMED.sha256);
});

test("a script that knows no lists refuses the task by the name of its scheme", () =>
  assert.throws(() => readTask(text(NAMED.canonical), SCHEMES), /^Error: pfr-hints$/));

for (const { kind, name, canonical, version, set, symbol_limit, symbol_bytes, seed, items, cells, times, symbols } of OTHERS)
  if (kind == "reports")
    test(`reports against the bulletin ${name}, seed ${seed}`, async () => {
      const asked = await agreed();
      const found = asked.answerTo(asked, bytes(set + canonical));
      const words = seeded(BigInt("0x" + seed));
      assert.equal(sha256(bytes(canonical)), version);
      assert.deepEqual([found.symbolLimit, symbolBytes(found.symbolLimit)], [symbol_limit, symbol_bytes]);
      assert.deepEqual(items.map((item: unknown) => found.cellOf!(asked.codeOf(item))), cells);
      const all = Array(times).fill(items).flat();
      assert.deepEqual(all.map((item) => found.drawSymbol(asked.codeOf(item), words)), symbols);
    });

for (const { kind, what, bytes: data, reason } of OTHERS)
  if (kind == "refused")
    test(`refused ${what}: ${reason} ${data}`, async () => {
      const asked = await agreed();
      const lines = Math.max(2, Buffer.from(data, "hex").toString("latin1").split("\n").length - 1);
      if (what == "task") assert.throws(() => readStrictly(bytes(data), KNOWN));
      else if (what == "bulletin") assert.throws(() => asked.answerTo(asked, bytes(SETS + data)));
      else await assert.rejects(readLines(bytes(data), lines, 255));
    });

test("a list is refused if the task names another number of lines or shorter ones", async () => {
  for (const [count, mostBytes] of [[2, 4], [4, 4], [3, 3]] as const)
    await assert.rejects(readLines(text("tea\nmate\ngin\n"), count, mostBytes));
  assert.equal((await readLines(text("tea\nmate\ngin\n"), 3, 4))("gin\0"), 3);
});

test("every line of many has its number, and no other string has one", async () => {
  const lines = Array.from({ length: 20_000 }, (_, number) => "é".repeat(number % 3) + number.toString(36));
  const lineOf = await readLines(text(lines.join("\n") + "\n"), lines.length, 40);
  const code = (line: string) => Buffer.from(line + "\0").toString("latin1");
  assert.deepEqual(lines.map((line) => lineOf(code(line))), lines.map((_, number) => number + 1));
  for (const line of lines) assert.equal(lineOf(code(line + "!")) + lineOf(code("!" + line)), 0);
  assert.equal(lineOf(""), 0);
});
