/**
 * The schemes with a hot list: bgr, dsr, bdr and cnr, as the Python package repaired them.
 *
 * Symbols: 0 … cells − 1 name a hot slot, `cells` is ⊥, and cells + 1 + item names a cold item (for bgr, every symbol is
 * an item).
 */

import { readBulletin, readItems } from "./bulletin.js";
import { below, pick, SCALE, weight, type Words } from "./exact.js";
import type { Answering, AnswerTo } from "./scheme.js";
import { must, type Task } from "./task.js";

const MOST_RATE = 16n;
const least = (...all: bigint[]): bigint => all.reduce((a, b) => (a < b ? a : b));

/** Generalised randomised response: the truth with weight W, each other value with weight S. */
const grr = (own: number, size: number, truth: bigint, words?: Words): number => {
  const drawn = below(truth + BigInt(size - 1) * SCALE, words) - truth;
  const other = Number(drawn / SCALE);
  return drawn < 0n ? own : other < own ? other : other + 1;
};

/** The hot list of an epoch: where an item stands, and the cold items by rank. */
interface HotList {
  slot: (item: number) => number | undefined;
  coldItem: (rank: number) => number;
  coldRank: (item: number) => number;
}

const hotList = (slots: Map<number, number>, size: number): HotList => {
  const cold = size - slots.size;
  const standIns = new Map<number, number>();
  const stoodFor = new Map<number, number>();
  let high = cold;
  for (const hot of [...slots.keys()].sort((a, b) => a - b))
    if (hot < cold) {
      while (slots.has(high)) high++;
      standIns.set(hot, high);
      stoodFor.set(high++, hot);
    }
  return {
    slot: (item) => slots.get(item),
    coldItem: (rank) => standIns.get(rank) ?? rank,
    coldRank: (item) => stoodFor.get(item) ?? item,
  };
};

type Draw = (item: number, words?: Words) => number;

/** The paper's split: the share `judge_share` of ε says hot or cold, the rest says which. */
const split = (task: Task, list: HotList, naming: boolean): Draw => {
  const [share, parts = 1n]: bigint[] = task.fields.judge_share.split("/").map(BigInt);
  const judge = weight(task.numerator * share!, task.denominator * parts);
  const value = weight(task.numerator * (parts - share!), task.denominator * parts);
  const { size, fields } = task;
  const { cells } = fields;
  return (item, words) => {
    const slot = list.slot(item);
    const hot = slot != undefined;
    const honest = below(judge + SCALE, words) < judge;
    if (honest == hot) return hot ? grr(slot, cells, value, words) : pick(cells, words);
    if (!naming) return cells;
    const rank = hot ? pick(size - cells, words) : grr(list.coldRank(item), size - cells, value, words);
    return cells + 1 + list.coldItem(rank);
  };
};

/**
 * The two-rate judge: ε is spent once, on the side and the cell together; a cold event names itself with a chance. Some
 * tenths of ε set the rate.
 */
const twoRates = (task: Task, list: HotList, truth: bigint, tenths: bigint): Draw => {
  const { size, fields } = task;
  const { cells } = fields;
  const scale = task.numerator * 100n > task.denominator ? 1n << 10n : 1n << 20n;
  const wished = weight(task.numerator * tenths, task.denominator * 10n, scale);
  const rate = least(wished, MOST_RATE * scale, (truth * scale) / SCALE);
  const excess = rate > scale ? rate - scale : 1n;
  const used = excess + scale;
  const own = excess * truth;
  const noise = excess * SCALE;
  const total = own + BigInt(cells - 1) * noise + scale * (truth - SCALE);
  const others = BigInt(size - cells - 1);
  const keep = others
    ? least((truth * scale - used * SCALE) / (used * others), (SCALE * (truth - SCALE)) / (truth + others * SCALE))
    : 0n;
  return (item, words) => {
    const drawn = below(total, words);
    const slot = list.slot(item);
    if (slot != undefined) {
      if (drawn < own) return slot;
      const other = Number((drawn - own) / noise);
      if (other < cells - 1) return other < slot ? other : other + 1;
    } else {
      const other = Number(drawn / noise);
      if (other < cells) return other;
      if (below(SCALE, words) < keep) return cells + 1 + item;
    }
    return cells + 1 + list.coldItem(pick(size - cells, words));
  };
};

/** BGR, DSR, BDR and CNR. */
export const hotLists: AnswerTo = (task, shown) => {
  const [taskId, epoch, , view] = readBulletin(shown, "hgldp bulletin 1");
  const { scheme, tight, cells } = task.fields;
  const { size } = task;
  const naming = view.getUint8(60);
  must(view.getUint32(56) == size && naming < 2 && view.getUint16(61) == cells);
  const list = hotList(readItems(view, 63, cells, size), size);
  const truth = weight(task.numerator, task.denominator);
  const names = naming == 1 || scheme == "cnr";
  const quiet: Draw = (item, words) => grr(list.slot(item) ?? cells, cells + 1, truth, words);
  const lookout: Draw = (item, words) =>
    pick(10, words) ? quiet(item, words) : cells + 1 + grr(item, size, truth, words);
  const draw: Draw =
    scheme == "bgr"
      ? (item, words) => grr(item, size, truth, words)
      : scheme != "dsr" && !tight
        ? split(task, list, names)
        : !names
          ? quiet
          : scheme == "dsr"
            ? lookout
            : twoRates(task, list, truth, scheme == "cnr" ? 5n : 3n);
  return {
    taskId,
    epoch,
    symbolLimit: scheme == "bgr" ? size : cells + 1 + (names ? size : 0),
    drawSymbol: draw as Answering["drawSymbol"],
  };
};
