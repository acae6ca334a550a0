/** PFR over a list and over strings: an event is one symbol of the frontier, and that symbol is randomised. */

import { readBulletin, readItems, type Bulletin } from "./bulletin.js";
import { cyclic } from "./cyclic.js";
import { GOLDEN, mix, weight, word64 } from "./exact.js";
import type { Answering, AnswerTo } from "./scheme.js";
import { must, type Task } from "./task.js";

const answering = (task: Task, shown: Uint8Array, bulletin: Bulletin, cells: number, cell: (code: any) => number): Answering => {
  const response = cyclic(shown, cells, weight(task.numerator, task.denominator));
  return {
    taskId: bulletin[0],
    epoch: bulletin[1],
    symbolLimit: response.modulus,
    cellOf: cell,
    drawSymbol: (code, words) => response.drawResidue(cell(code), words),
  };
};

const listed = (task: Task, shown: Uint8Array): Answering => {
  const bulletin = readBulletin(shown, "hgldp frontier 1");
  const view = bulletin[3];
  const { size } = task;
  const cells = view.getUint16(60);
  const key = view.getBigUint64(62);
  const count = view.getUint16(70);
  must(view.getUint32(56) == size && cells > 7 && cells <= task.fields.cells && count < cells);
  const leaves = readItems(view, 72, count, size);
  const cellOf = (item: number): number =>
    leaves.get(item) ??
    count + Number((mix(word64(key + GOLDEN * BigInt(item + 1))) * BigInt(cells - count)) >> 64n);
  return answering(task, shown, bulletin, cells, cellOf);
};

/** A cell holds the codes that start with a prefix and go on with a byte in low … low + width. */
type Range = [width: number, low: number, cell: number];

const open = (task: Task, shown: Uint8Array): Answering => {
  const bulletin = readBulletin(shown, "hgldp open 1");
  const [, , data, view] = bulletin;
  const symbols = view.getUint16(52);
  const ranges = new Map<string, Range[]>();
  let prefix = "";
  let cells = 0;
  must(symbols == task.fields.cells);
  for (let at = 54; at < data.length; ) {
    const shared = data[at++]!;
    const added = data[at++]!;
    must(shared <= prefix.length && (shared == prefix.length || !added || data[at] != prefix.charCodeAt(shared)));
    prefix = prefix.slice(0, shared) + String.fromCharCode(...data.subarray(at, (at += added)));
    const low = data[at++]!;
    const width = data[at++]! - low;
    const same = ranges.get(prefix) ?? [];
    must(width >= 0 && prefix.length < 256 && same.every((one) => one[0] != width || one[1] != low));
    same.push([width, low, cells++]);
    ranges.set(prefix, same);
    must(cells < symbols);
  }
  const cellOf = (code: string): number => {
    for (let length = code.length; length--; ) {
      const next = code.charCodeAt(length);
      const same = ranges.get(code.slice(0, length)) ?? [];
      const [best] = same.filter(([width, low]) => low <= next && next <= low + width).sort(([one], [other]) => one - other);
      if (best) return best[2];
    }
    return symbols - 1;
  };
  return answering(task, shown, bulletin, symbols, cellOf);
};

/** Private frontier reports (docs/frontier.md). */
export const pfr: AnswerTo = (task, shown) => (task.size ? listed : open)(task, shown);

