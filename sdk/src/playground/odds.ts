/** What somebody who sees reports can conclude: exact fractions, from the weights that the draw used. */

import { SCALE } from "../exact.js";
import type { Lesson } from "./lesson.js";
import { ITEMS } from "./lesson.js";

/** A fraction. */
export type Ratio = [over: bigint, under: bigint];

/** As a number, for drawing. */
export const toNumber = ([over, under]: Ratio): number => Number((over << 64n) / under) / 2 ** 64;

/** How much an item weighs when these symbols came: W for each that speaks for its cell, S for each that does not. */
export const likelihood = ({ truth, cellOf, speaksFor }: Lesson, symbols: number[], item: number): bigint =>
  symbols.reduce((product, symbol) => product * (speaksFor(symbol, cellOf(item)) ? truth : SCALE), 1n);

/** The chance of every item after these symbols, if all were equally likely before. */
export const posterior = (lesson: Lesson, symbols: number[]): Ratio[] => {
  const weights = ITEMS.map((_, item) => likelihood(lesson, symbols, item));
  const total = weights.reduce((sum, each) => sum + each);
  return weights.map((each) => [each, total]);
};

/** By what factor the odds between the likeliest and the least likely item have moved. Before, they were even. */
export const movedOdds = (chances: Ratio[]): Ratio => {
  const weights = chances.map(([over]) => over);
  const most = weights.reduce((a, b) => (a > b ? a : b));
  const least = weights.reduce((a, b) => (a < b ? a : b));
  return [most, least];
};

/** Between which chances every item stays after so many reports, whatever they are: what ε promises. */
export const promised = (epsilon: number, reports: number): [low: number, high: number] => {
  const factor = Math.exp(epsilon * reports);
  const others = ITEMS.length - 1;
  return [1 / (1 + others * factor), factor / (factor + others)];
};

/** Of all symbols: how many speak for a cell, how much all of them weigh, and how much those weigh that speak for it. */
export const weights = ({ answering, truth, speaksFor }: Lesson, cell: number): { speaking: number; own: bigint; total: bigint } => {
  let speaking = 0;
  for (let symbol = 0; symbol < answering.symbolLimit; symbol++) if (speaksFor(symbol, cell)) speaking++;
  const own = BigInt(speaking) * truth;
  return { speaking, own, total: own + BigInt(answering.symbolLimit - speaking) * SCALE };
};
