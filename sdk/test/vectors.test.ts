/** The published vectors: every task, bulletin, report and upload comes out as Python has it, and bad bytes are refused. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { below, GOLDEN, mix, weight, word64, type Words } from "../src/exact.js";
import { SCHEMES } from "../src/schemes.js";
import { readStrictly } from "../src/strict.js";
import { readTask } from "../src/task.js";
import { encodeUpload, symbolBytes } from "../src/upload.js";
import { decodeUpload } from "../src/reading.js";

const read = (name: string): any[] => JSON.parse(readFileSync(`../testvectors/v1/${name}.json`, "utf8"));
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));
const text = (words: string) => new TextEncoder().encode(words);
const hex = (data: Uint8Array) => Buffer.from(data).toString("hex");
const sha256 = (...parts: Uint8Array[]) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const TASKS = new Map(read("tasks").map((each) => [each.name, each]));
const BULLETINS = new Map(read("bulletins").map((each) => [each.name, each]));
const task = (name: string) => readStrictly(text(TASKS.get(name).canonical), SCHEMES);

/** Splitmix64, as the vectors have it. */
const seeded = (seed: bigint): Words => () => mix((seed = word64(seed + GOLDEN)));

const answering = (name: string) => {
  const { canonical, set, task: of } = BULLETINS.get(name);
  const asked = task(of);
  return { asked, found: asked.answerTo(asked, bytes(set + canonical)) };
};

for (const { seed, words, bounds, below: drawn } of read("words"))
  test(`words of seed ${seed}`, () => {
    const [first, again] = [seeded(BigInt("0x" + seed)), seeded(BigInt("0x" + seed))];
    assert.deepEqual(words.map(() => first().toString(16).padStart(16, "0")), words);
    assert.deepEqual(bounds.map((bound: string) => below(BigInt("0x" + bound), again).toString(16)), drawn);
  });

for (const { name, canonical, id, epsilon_per_report, truth_weight } of read("tasks"))
  test(`task ${name}`, () => {
    const { numerator: over, denominator: under } = task(name);
    assert.equal(sha256(text("hgldp task 1"), text(canonical)), id);
    const [p, q = 1n] = epsilon_per_report.split("/").map(BigInt);
    assert.equal(over * q, under * p);
    assert.equal(weight(over, under).toString(16), truth_weight);
  });

for (const { name, epoch, version, symbol_limit, symbol_bytes, canonical } of read("bulletins"))
  test(`bulletin ${name}`, () => {
    assert.equal(sha256(bytes(canonical)), version);
    const { found } = answering(name);
    assert.deepEqual([found.epoch, found.symbolLimit, symbolBytes(found.symbolLimit)], [epoch, symbol_limit, symbol_bytes]);
  });

for (const { bulletin, seed, items, cells, times, symbols } of read("reports"))
  test(`reports against ${bulletin}, seed ${seed}`, () => {
    const { asked, found } = answering(bulletin);
    const words = seeded(BigInt("0x" + seed));
    const all = Array(times).fill(items).flat();
    assert.deepEqual(all.map((item) => found.drawSymbol(asked.codeOf(item), words)), symbols);
    if (cells) assert.deepEqual(items.map((item: unknown) => found.cellOf!(asked.codeOf(item))), cells);
  });

for (const { bulletin, id, symbols, bytes: data } of read("uploads"))
  test(`upload ${bulletin} ${symbols.length}`, () => {
    const { version, symbol_limit } = BULLETINS.get(bulletin);
    assert.equal(hex(encodeUpload(id, version, symbols, symbol_limit)), data);
    assert.deepEqual(decodeUpload(bytes(data), symbol_limit), { id, version, symbols });
  });

for (const { kind, bytes: data, reason, symbol_limit, version } of read("refused"))
  test(`refused ${kind}: ${reason} ${data.length}`, () => {
    assert.throws(() => {
      if (kind == "task") readStrictly(bytes(data), SCHEMES);
      else if (kind == "upload") decodeUpload(bytes(data), symbol_limit);
      else if (version) assert.equal(sha256(bytes(data)), version);
      else {
        const of = bytes(data)[6] == 98 || data == "" ? "dsr words" : "pfr strings";
        const asked = task(of);
        asked.answerTo(asked, bytes(BULLETINS.get(of).set + data));
      }
    });
  });
