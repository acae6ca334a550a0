/** PFR over a list and over strings: an event is one symbol of the frontier, and that symbol is randomised. */

import { readBulletin, readItems } from "./bulletin.js";
import { cyclic } from "./cyclic.js";
import { GOLDEN, mix, weight, word64 } from "./exact.js";
import type { Answering, Scheme } from "./scheme.js";
import { must, type Task } from "./task.js";

const truth = ({ numerator, denominator }: Task): bigint => weight(numerator, denominator);

const answering = (task: Task, taskId: string, epoch: number, cells: number, cell: (code: any) => number): Answering => {
  const response = task.size ? cyclic(cells, truth(task), 200n, 1100) : cyclic(cells, truth(task), 20n, 0);
  return {
    taskId,
    epoch,
    symbolLimit: response.modulus,
    cellOf: cell,
    drawSymbol: (code, words) => response.drawResidue(cell(code), words),
    speaksFor: response.speaksFor,
  };
};

const listed = (task: Task, data: Uint8Array): Answering => {
  const [taskId, epoch, view] = readBulletin(data, "hgldp frontier 1");
  const { size } = task;
  const cells = view.getUint16(60);
  const key = view.getBigUint64(62);
  const count = view.getUint16(70);
  must(view.getUint32(56) == size && cells > 7 && cells <= task.fields.cells && count < cells);
  const leaves = readItems(view, 72, count, size);
  const cellOf = (item: number): number =>
    leaves.get(item) ??
    count + Number((mix(word64(key + GOLDEN * BigInt(item + 1))) * BigInt(cells - count)) >> 64n);
  return answering(task, taskId, epoch, cells, cellOf);
};

/** A cell holds the codes that start with its prefix and go on with a byte in low … high. */
type Cell = [prefix: number[], low: number, high: number];

const open = (task: Task, data: Uint8Array): Answering => {
  const [taskId, epoch, view] = readBulletin(data, "hgldp open 1");
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
  return answering(task, taskId, epoch, symbols, cellOf);
};

/** Private frontier reports (docs/frontier.md). */
export const pfr: Scheme = {
  schemeNames: /^pfr$/,
  answerTo: (task, bulletin) => (task.size ? listed : open)(task, bulletin),
};

