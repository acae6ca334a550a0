/** Rules that need no browser: periods of several tabs, and notices and bulletins of a server that lies. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { systemWords } from "../src/exact.js";
import { freshLedger, periodsReport, takePart } from "../src/ledger.js";
import { pfr } from "../src/pfr.js";
import { renewBulletin } from "../src/renewal.js";
import { readTask } from "../src/task.js";

const DAY = 86_400;
const MOST_SECONDS = 2;
const read = (fields: object) => readTask(new TextEncoder().encode(JSON.stringify(fields)), { pfr });
const listed = { scheme: "pfr", epsilon: "1", domain: ["vocabulary", ["tea", "milk"]], other: true, cells: 12 };

test("an event that waited in a tab while another tab ended its period takes part in no other period", () => {
  const task = read({ ...listed, level: "period", period: "day", nothing: true });
  const ledger = { ...freshLedger(), firstSecond: 0 };
  const seen = () => ledger.openPeriod!.slice(0, 2);
  takePart([[10.5 * DAY, task.codeOf("tea")]], task, ledger, systemWords);
  assert.deepEqual(periodsReport(task, ledger, 11.1 * DAY, true, systemWords), [0]);
  takePart([[10.9 * DAY, task.codeOf("milk")]], task, ledger, systemWords);
  assert.deepEqual(seen(), [11, 0]);
  takePart([[11.2 * DAY, task.codeOf("milk")]], task, ledger, systemWords);
  assert.deepEqual(seen(), [11, 1]);
});

test("an epoch that is written as text is compared as a number", async () => {
  const task = read(listed);
  const id = "ab".repeat(32);
  const ledger = freshLedger();
  const shown = (epoch: number) => {
    const bulletin = Buffer.from("hgldp frontier 1" + "\0".repeat(58) + "\0\0", "latin1");
    bulletin.write(id, 16, "hex");
    bulletin.writeBigUInt64BE(BigInt(epoch), 48);
    bulletin.writeUInt32BE(task.size, 56);
    bulletin.writeUInt16BE(12, 60);
    const version = createHash("sha256").update(bulletin.subarray(0, 72)).digest("hex");
    const withSet = Buffer.concat([Buffer.from([0, 13, 11, 2]), bulletin.subarray(0, 72)]);
    const notice = JSON.stringify({ task: id, bulletin: version, epoch: "" + epoch, max_age: 60 });
    const change: any = async (step: any) => step(ledger, undefined, { optedOut: false });
    const ask: any = async (path: string) => [200, path.startsWith("tasks") ? Buffer.from(notice) : new Uint8Array(withSet), 0];
    return renewBulletin(id, task, change, ask, ledger, 1000);
  };
  await shown(10);
  assert.equal(ledger.heldEpoch, 10);
  await assert.rejects(shown(9), /refused/);
  assert.equal(ledger.isDoubtful, true);
});

test("a megabyte of cells is refused before they are read", () => {
  const task = read({ scheme: "pfr", epsilon: "1", domain: ["strings", 40], level: "event", cells: 1024 });
  const head = Buffer.concat([Buffer.alloc(2), Buffer.from("hgldp open 1"), Buffer.alloc(40), Buffer.from([4, 0, 0, 254]), Buffer.alloc(254, 120), Buffer.from([0, 9])]);
  const cells = Buffer.alloc(1 << 20);
  for (let at = 0; at < cells.length; at += 4) cells.set([254, 0, (at >> 2) % 200, 200], at);
  const before = performance.now();
  assert.throws(() => pfr(task, new Uint8Array(Buffer.concat([head, cells]))), /refused/);
  assert.ok(performance.now() - before < 1000 * MOST_SECONDS);
});
