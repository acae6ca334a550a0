/** PFR over a list and over strings: an event is one symbol of the frontier, and that symbol is randomised. */

import { readBulletin, readItems } from "./bulletin.js";
import { cyclic } from "./cyclic.js";
import { GOLDEN, mix, weight, word64 } from "./exact.js";
import type { Answering, AnswerTo } from "./scheme.js";
import { must, type Task } from "./task.js";

/** A frontier: the task and epoch that its bulletin names, how many cells it has, and which of them is that of a code. */
export type Frontier = [taskId: string, epoch: number, cells: number, cellOf: (code: any) => number];

/** The answers to a frontier that is shown with a difference set in front. */
export const answering = (task: Task, shown: Uint8Array, [taskId, epoch, cells, cell]: Frontier): Answering => {
  const response = cyclic(shown, cells, weight(task.numerator, task.denominator));
  return {
    taskId,
    epoch,
    symbolLimit: response.modulus,
    cellOf: cell,
    drawSymbol: (code, words) => response.drawResidue(cell(code), words),
  };
};

/** Over a list of so many items, with no more cells than the task has. */
export const listed = (shown: Uint8Array, size: number, mostCells: number): Frontier => {
  const [taskId, epoch, , view] = readBulletin(shown, "hgldp frontier 1");
  const cells = view.getUint16(60);
  const key = view.getBigUint64(62);
  const count = view.getUint16(70);
  must(view.getUint32(56) == size && cells > 7 && cells <= mostCells && count < cells);
  const leaves = readItems(view, 72, count, size);
  const cellOf = (item: number): number =>
    leaves.get(item) ??
    count + Number((mix(word64(key + GOLDEN * BigInt(item + 1))) * BigInt(cells - count)) >> 64n);
  return [taskId, epoch, cells, cellOf];
};

/** A cell holds the codes that start with a prefix and go on with a byte in low … low + width. */
type Range = [width: number, low: number, cell: number];

/** Over strings, with as many symbols as the task has. */
export const spelled = (shown: Uint8Array, symbols: number): Frontier => {
  const [taskId, epoch, data, view] = readBulletin(shown, "hgldp open 1");
  const ranges = new Map<string, Range[]>();
  let prefix = "";
  let cells = 0;
  must(view.getUint16(52) == symbols);
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
  return [taskId, epoch, symbols, cellOf];
};

/** Private frontier reports (docs/frontier.md). */
export const pfr: AnswerTo = (task, shown) => {
  const { cells } = task.fields;
  return answering(task, shown, task.size ? listed(shown, task.size, cells) : spelled(shown, cells));
};

