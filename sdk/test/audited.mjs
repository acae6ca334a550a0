/**
 * The built script as a client under audit: `node audited.mjs FILE SET [SEED [LIST]]` speaks the protocol of docs/audit.md. SET is
 * what stands before the bulletin, and LIST the list that the task names, both in hexadecimal. An empty SEED is none.
 *
 * One more line, for audits of many reports: `many COUNT WIDTH JSON` is one device that reports an item COUNT times. Its
 * answer is one line of JSON: how often each symbol of WIDTH bytes came, in the first half of the uploads and in the second. With a
 * seed, the device draws from that and not from the system.
 */

import { createInterface } from "node:readline";
import { Collector, hex, newDevice, newWorld, symbolsOf } from "./browserless.mjs";

const BURST = 1000;
const world = newWorld(process.argv[2], process.argv[4]);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => (await lines.next()).value;
const after = async (word) => Buffer.from((await next()).slice(word.length + 1), "hex");
const say = (line) => process.stdout.write(line + "\n");

if ((await next()) != "hgldp-audit 1") throw Error("not the protocol of an audit");
const [task, bulletin] = [await after("task"), await after("bulletin")];
const options = { maxEpsilon: 10, reportsPerDay: 1e9, gather: 1e9 };

/** A device that is ready: it knows the task and the bulletin. */
const ready = async () => {
  const collector = new Collector(task, bulletin, Buffer.from(process.argv[3], "hex"), Buffer.from(process.argv[5] ?? "", "hex"));
  const device = newDevice(world, collector, options);
  await device.flush();
  return [device, collector];
};

const draw = async (count, events) => {
  const drawn = [];
  while (drawn.length < count) {
    const [device, collector] = await ready();
    for (const item of events) device.report(item);
    await device.flush();
    drawn.push(collector.uploads.map(hex).join(" "));
    device.close();
  }
  say(drawn.join("\n"));
};

const many = async (count, width, item) => {
  const [device, collector] = await ready();
  const halves = [{}, {}];
  for (let reported = 0; reported < count; reported += BURST) {
    for (let place = 0; place < Math.min(BURST, count - reported); place++) device.report(item);
    await device.flush();
    const tally = halves[reported < count / 2 ? 0 : 1];
    for (const upload of collector.uploads.splice(0))
      for (const symbol of symbolsOf(upload, width)) tally[symbol] = (tally[symbol] ?? 0) + 1;
  }
  say(JSON.stringify(halves));
};

for (let line; (line = await next()) !== undefined; ) {
  const [word, count, ...rest] = line.split(" ");
  if (word == "many") await many(Number(count), Number(rest[0]), JSON.parse(rest.slice(1).join(" ")));
  else await draw(Number(count), JSON.parse(rest.join(" ")));
}
