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
    speaksFor: response.speaksFor,
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

/** A cell holds the codes that start with its prefix and go on with a byte in low … high. */
type Cell = [prefix: number[], low: number, high: number];

const open = (task: Task, shown: Uint8Array): Answering => {
  const bulletin = readBulletin(shown, "hgldp open 1");
  const [, , data, view] = bulletin;
  const symbols = view.getUint16(52);
  const cells: Cell[] = [];
  let prefix: number[] = [];
  must(symbols == task.fields.cells);
  for (let at = 54; at < data.length; ) {
    const shared = view.getUint8(at++);
    const added = view.getUint8(at++);
    must(shared <= prefix.length && (shared == prefix.length || !added || data[at] != prefix[shared]));
    prefix = [...prefix.slice(0, shared), ...data.subarray(at, (at += added))];
    must(cells.push([prefix, view.getUint8(at++), view.getUint8(at++)]) < symbols);
    must(cells.at(-1)![1] <= cells.at(-1)![2] && prefix.length < 256);
  }
  must(new Set(cells.map(String)).size == cells.length);
  const cellOf = (code: Uint8Array | null): number => {
    let [best, length, width] = [symbols - 1, -1, 0];
    cells.forEach(([prefix, low, high], cell) => {
      const next = code?.[prefix.length] ?? -1;
      const longer = prefix.length - length || width - (high - low);
      if (longer > 0 && next >= low && next <= high && prefix.every((byte, at) => byte == code![at]))
        [best, length, width] = [cell, prefix.length, high - low];
    });
    return best;
  };
  return answering(task, shown, bulletin, symbols, cellOf);
};

/** Private frontier reports (docs/frontier.md). */
export const pfr: AnswerTo = (task, shown) => (task.size ? listed : open)(task, shown);

