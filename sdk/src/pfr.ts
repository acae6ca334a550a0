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
  const [taskId, epoch, reader] = readBulletin(data, "hgldp frontier 1");
  must(reader.readNumber(4) == task.size);
  const cells = reader.readNumber(2);
  const key = reader.readBytes(8).reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
  const count = reader.readNumber(2);
  const leaves = readItems(reader, count, task.size);
  must(cells > 7 && cells <= task.fields.cells && count < cells);
  return answering(
    task,
    taskId,
    epoch,
    cells,
    (item: number) =>
      leaves.get(item) ??
      count + Number((mix(word64(key + GOLDEN * BigInt(item + 1))) * BigInt(cells - count)) >> 64n),
  );
};

const open = (task: Task, data: Uint8Array): Answering => {
  const [taskId, epoch, reader] = readBulletin(data, "hgldp open 1");
  const symbols = reader.readNumber(2);
  const cells: [number[], number, number][] = [];
  const known = new Set<string>();
  let last: number[] = [];
  while (reader.bytesLeft()) {
    const shared = reader.readNumber(1);
    const added = [...reader.readBytes(reader.readNumber(1))];
    must(shared <= last.length && (shared == last.length || added[0] != last[shared]));
    last = last.slice(0, shared).concat(added);
    const [low, high] = reader.readBytes(2) as unknown as [number, number];
    must(low <= high && last.length < 256);
    cells.push([last, low, high]);
    known.add(last + "|" + low + "|" + high);
  }
  must(known.size == cells.length && cells.length < symbols && symbols == task.fields.cells);
  return answering(task, taskId, epoch, symbols, (code: Uint8Array | null) => {
    let [best, length, width] = [symbols - 1, -1, 0];
    cells.forEach(([prefix, low, high], cell) => {
      const next = code?.[prefix.length] ?? -1;
      const longer = prefix.length - length || width - (high - low);
      if (longer > 0 && next >= low && next <= high && prefix.every((byte, at) => byte == code![at]))
        [best, length, width] = [cell, prefix.length, high - low];
    });
    return best;
  });
};

/** Private frontier reports (docs/frontier.md). */
export const pfr: Scheme = {
  schemeNames: /^pfr$/,
  answerTo: (task, bulletin) => (task.size ? listed : open)(task, bulletin),
};

