/** A small task and a bulletin to learn with: written as a collector writes them, read as a client reads them. */

import { weight } from "../exact.js";
import { pfr } from "../pfr.js";
import type { Answering } from "../scheme.js";
import { readTask, type Task } from "../task.js";

/** What people of the lesson drink, and how many of a thousand do. */
export const DRINKS: [name: string, people: number][] = [
  ["coffee", 290],
  ["tea", 200],
  ["water", 150],
  ["juice", 105],
  ["milk", 75],
  ["cocoa", 55],
  ["mate", 45],
  ["cola", 35],
  ["cider", 20],
  ["kvass", 15],
];
/** Every other drink is one item. */
export const OTHER: [name: string, people: number] = ["other", 10];
/** All items, by their numbers in the task. */
export const ITEMS = [...DRINKS, OTHER];

const LEAVES = 6;
const CELLS = 9;
const HASH_KEY = 8;

/** One cell of the bulletin: a drink that has it alone, or drinks that share it. */
export interface Cell {
  isLeaf: boolean;
  items: number[];
}

/** Everything that is fixed once ε is chosen. */
export interface Lesson {
  task: Task;
  answering: Answering;
  /** W: what an answer weighs that speaks for the truth. All others weigh S, which is 2^32. */
  truth: bigint;
  cells: Cell[];
  /** Whether an answer speaks for a cell: then it weighs W for whoever is in that cell, else S. */
  speaksFor: (symbol: number, cell: number) => boolean;
  cellOf: (item: number) => number;
}

const bigEndian = (value: number, width: number): number[] =>
  Array.from({ length: width }, (_, place) => Math.floor(value / 256 ** (width - 1 - place)) % 256);

const document = (epsilon: string): string =>
  `{"cells":${CELLS},"domain":${JSON.stringify(["vocabulary", DRINKS.map(([name]) => name)])},"epoch":1000,"epsilon":"${epsilon}","events":1,"half_life":0,"k":3,"level":"event","memory":16384,"other":true,"scheme":"pfr"}`;

/** The difference sets that a collector chooses for nine cells, by ε; and for any other ε the set {0}. */
const SETS: Record<string, [modulus: number, members: number[]]> = {
  "1/2": [11, [1, 3, 4, 5, 9]],
  "1": [13, [0, 1, 3, 9]],
};

const chosenSet = (epsilon: string): [modulus: number, members: number[]] => SETS[epsilon] ?? [CELLS, [0]];

/** The set that stands before the bulletin. */
export const setFor = (epsilon: string): Uint8Array => {
  const [modulus, members] = chosenSet(epsilon);
  const bits = members.reduce((sum, member) => sum + 2 ** member, 0);
  return Uint8Array.from([0, modulus, bits % 256, bits >> 8]);
};

/** The bulletin: the first six drinks have cells of their own, all others are hashed to three more. */
const bulletin = (): Uint8Array =>
  Uint8Array.from([
    ...new TextEncoder().encode("hgldp frontier 1"),
    ...new Uint8Array(32),
    ...bigEndian(7, 8),
    ...bigEndian(ITEMS.length, 4),
    ...bigEndian(CELLS, 2),
    ...bigEndian(HASH_KEY, 8),
    ...bigEndian(LEAVES, 2),
    ...Array.from({ length: LEAVES }, (_, item) => bigEndian(item, 4)).flat(),
  ]);

/** The lesson with this ε, a fraction such as "1/2". */
export const lesson = (epsilon: string): Lesson => {
  const task = readTask(new TextEncoder().encode(document(epsilon)), { pfr });
  const answering = task.answerTo(task, Uint8Array.from([...setFor(epsilon), ...bulletin()]));
  const [modulus, members] = chosenSet(epsilon);
  const speaksFor = (symbol: number, cell: number) => members.includes((cell - symbol + modulus) % modulus);
  const cellOf = (item: number) => answering.cellOf!(item);
  const cells = Array.from({ length: CELLS }, (_, cell) => ({
    isLeaf: cell < LEAVES,
    items: ITEMS.map((_, item) => item).filter((item) => cellOf(item) == cell),
  }));
  return { task, answering, truth: weight(task.numerator, task.denominator), cells, speaksFor, cellOf };
};
