/** A crowd in which everybody reports once: what can be counted although nobody can be seen. */

import { pick, SCALE, type Words } from "../exact.js";
import { ITEMS, type Lesson } from "./lesson.js";
import { weights } from "./odds.js";

const Z95 = 1.96;
const PEOPLE = ITEMS.reduce((sum, [, people]) => sum + people, 0);

/** People so far: what they truly drink, by cell, and how many reports spoke for each cell. */
export interface Crowd {
  people: number;
  truly: number[];
  spoken: number[];
}

/** Nobody yet. */
export const nobody = ({ cells }: Lesson): Crowd => ({ people: 0, truly: cells.map(() => 0), spoken: cells.map(() => 0) });

/** A drink, drawn as often as people drink it. */
export const drawDrink = (words: Words): number => {
  let place = pick(PEOPLE, words);
  return ITEMS.findIndex(([, people]) => (place -= people) < 0);
};

/** So many more people, each with a drink of their own, each with one report. */
export const join = (crowd: Crowd, lesson: Lesson, people: number, words: Words): void => {
  const { answering, cellOf, cells, speaksFor } = lesson;
  for (let person = 0; person < people; person++) {
    const item = drawDrink(words);
    const symbol = answering.drawSymbol(item, words);
    crowd.truly[cellOf(item)]!++;
    cells.forEach((_, cell) => speaksFor(symbol, cell) && crowd.spoken[cell]!++);
  }
  crowd.people += people;
};

/** An estimate of how many people a cell has, and half of its 95 % interval. */
export interface Estimate {
  people: number;
  plusMinus: number;
}

/** The chances that a report speaks for its own cell, and for any other: the same for all cells. */
export const chances = (lesson: Lesson): [own: number, other: number] => {
  const { speaking, own, total } = weights(lesson, 0);
  const shared = (speaking * (speaking - 1)) / (lesson.answering.symbolLimit - 1);
  const other = BigInt(shared) * lesson.truth + BigInt(speaking - shared) * SCALE;
  return [Number(own) / Number(total), Number(other) / Number(total)];
};

/** What the noise leaves: reports that spoke for a cell, less those that did so by chance. */
export const estimates = (crowd: Crowd, lesson: Lesson): Estimate[] => {
  const [own, other] = chances(lesson);
  const { people } = crowd;
  return crowd.spoken.map((spoken) => {
    const found = (spoken - people * other) / (own - other);
    const inside = Math.min(people, Math.max(0, found));
    const variance = inside * own * (1 - own) + (people - inside) * other * (1 - other);
    return { people: found, plusMinus: (Z95 * Math.sqrt(variance)) / (own - other) };
  });
};
