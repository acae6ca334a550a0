/**
 * PFR among strings of which a public list names some: those are found by their numbers on the list, others by prefixes. A
 * string has one symbol in one of the two parts, and that symbol is randomised.
 */

import { readBulletin } from "./bulletin.js";
import { answering, listed, spelled, type Frontier } from "./pfr.js";
import type { AnswerTo } from "./scheme.js";
import { must } from "./task.js";

const SHARE = 3;

/** A bulletin that holds two, one for each part, both without a difference set and without a task of their own. */
export const hinted: AnswerTo = (task, shown) => {
  const { cells, domain } = task.fields;
  const [taskId, epoch, data, view] = readBulletin(shown, "hgldp hints 1");
  const middle = 57 + view.getUint32(53);
  const part = (from: number, end?: number) => Uint8Array.from([0, 0, ...data.subarray(from, end)]);
  const ofList = Math.floor(cells / SHARE);
  const parts: Frontier[] = [listed(part(57, middle), domain[3], ofList), spelled(part(middle), cells - ofList)];
  must(parts.every(([id, when]) => !+("0x" + id) && when == epoch) && parts[0]![2] == ofList);
  return answering(task, shown, [
    taskId,
    epoch,
    cells,
    (code) => {
      const line = task.lineOf!(code);
      return line ? parts[0]![3](line - 1) : ofList + parts[1]![3](code);
    },
  ]);
};
