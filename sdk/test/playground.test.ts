/** The arithmetic of the playground: its lesson is a real task, its odds never pass e^ε, its counts are unbiased. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { GOLDEN, mix, SCALE, weight, word64, type Words } from "../src/exact.js";
import { chances, estimates, join, nobody } from "../src/playground/crowd.js";
import { ITEMS, lesson, type Lesson } from "../src/playground/lesson.js";
import { movedOdds, posterior, promised, toNumber, weights } from "../src/playground/odds.js";

const EPSILONS = ["1/2", "1", "2", "4"];
const seeded = (seed: bigint): Words => () => mix((seed = word64(seed + GOLDEN)));

/** The pairs of a symbol and two items whose odds move further than e^ε allows. */
const beyond = (found: Lesson, epsilon: string): number => {
  const [over, under = 1n] = epsilon.split("/").map(BigInt);
  const most = weight(over!, under);
  let count = 0;
  for (let symbol = 0; symbol < found.answering.symbolLimit; symbol++) {
    const [high, low] = movedOdds(posterior(found, [symbol]));
    if (high * SCALE > most * low) count++;
  }
  return count;
};

for (const epsilon of EPSILONS) {
  const found = lesson(epsilon);

  test(`at ε = ${epsilon} no symbol moves the odds of two drinks further than e^ε, and some move them as far`, () => {
    assert.equal(beyond(found, epsilon), 0);
    const ratios = Array.from({ length: found.answering.symbolLimit }, (_, symbol) => movedOdds(posterior(found, [symbol])));
    assert.ok(ratios.some(([high, low]) => high * SCALE == found.truth * low));
  });

  test(`at ε = ${epsilon} a truth that weighs a fifth more is noticed`, () => {
    const raised = { ...found, truth: (found.truth * 6n) / 5n };
    assert.ok(beyond(raised, epsilon) > 0);
  });

  test(`at ε = ${epsilon} the chances of all drinks sum to exactly 1 and stay within what is promised`, () => {
    const words = seeded(4n);
    const symbols: number[] = [];
    for (let reports = 1; reports <= 5; reports++) {
      symbols.push(found.answering.drawSymbol(0, words));
      const after = posterior(found, symbols);
      assert.equal(after.reduce((sum, [over]) => sum + over, 0n), after[0]![1]);
      const [low, high] = promised(found.task.epsilon, reports);
      for (const chance of after.map(toNumber)) assert.ok(chance >= low - 1e-9 && chance <= high + 1e-9);
    }
  });

  test(`at ε = ${epsilon} every cell has symbols of the same weight, counted one by one`, () => {
    const [own, other] = chances(found);
    found.cells.forEach((_, cell) => {
      const { own: mine, total } = weights(found, cell);
      assert.equal(Number(mine) / Number(total), own);
      found.cells.forEach((_, second) => {
        if (second == cell) return;
        let sum = 0n;
        for (let symbol = 0; symbol < found.answering.symbolLimit; symbol++)
          if (found.speaksFor(symbol, second))
            sum += found.speaksFor(symbol, cell) ? found.truth : SCALE;
        assert.ok(Math.abs(Number(sum) / Number(total) - other) < 1e-12);
      });
    });
  });

  /** Seed fixed; five standard errors in 9 cells: a right estimate fails for fewer than 6 seeds in a million, so
   *  5.7 are allowed, which is 1.1 in ten million. */
  test(`at ε = ${epsilon} the counts of 20,000 people are near the truth`, () => {
    const crowd = nobody(found);
    join(crowd, found, 20_000, seeded(11n));
    assert.equal(crowd.truly.reduce((sum, each) => sum + each), 20_000);
    estimates(crowd, found).forEach(({ people, plusMinus }, cell) =>
      assert.ok(Math.abs(people - crowd.truly[cell]!) < (5.7 * plusMinus) / 1.96, `cell ${cell}`),
    );
  });
}

test("the bulletin has cells of one drink and cells that several share", () => {
  const { cells } = lesson("1");
  assert.deepEqual(cells.slice(0, 6).map(({ items }) => items), [[0], [1], [2], [3], [4], [5]]);
  assert.ok(cells.slice(6).every(({ items, isLeaf }) => items.length && !isLeaf));
  assert.ok(cells.some(({ items }) => items.length > 1));
  assert.equal(cells.flatMap(({ items }) => items).length, ITEMS.length);
});
