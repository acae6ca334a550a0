/** The law of an answer, exactly: at most W : S between any two values, whatever set the collector hands out. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { cyclic } from "../src/cyclic.js";
import { GOLDEN, mix, pick, SCALE, weight, word64, type Words } from "../src/exact.js";

const seeded = (seed: bigint): Words => () => mix((seed = word64(seed + GOLDEN)));

/** A word with which `below(total)` gives a number: the second one, because the first may be rejected. */
const wordFor = (drawn: bigint, total: bigint): bigint => ((drawn << 64n) + total - 1n) / total + 1n;

/** How much each residue weighs for a value: draws lie side by side, and only where they change is looked at. */
const lawOf = (shown: Uint8Array, values: number, truth: bigint, value: number): Map<number, bigint> => {
  const { modulus, drawResidue } = cyclic(shown, values, truth);
  const members = [...Array(modulus).keys()].filter((at) => (shown[2 + (at >> 3)]! >> (at & 7)) & 1).length;
  const total = BigInt(members) * truth + BigInt(modulus - members) * SCALE;
  const drawnAt = (drawn: bigint) => drawResidue(value, () => wordFor(drawn, total));
  const law = new Map<number, bigint>();
  for (let place = 0, from = 0n; place < modulus; place++) {
    const size = place < members ? truth : SCALE;
    assert.equal(drawnAt(from), drawnAt(from + size - 1n));
    law.set(drawnAt(from), size);
    from += size;
    if (place == modulus - 1) assert.equal(from, total);
  }
  assert.equal(law.size, modulus);
  return law;
};

for (let seed = 1n; seed <= 40n; seed++)
  test(`a set drawn by lot, ${seed}`, () => {
    const words = seeded(seed);
    const modulus = 2 + pick(60, words);
    const values = 2 + pick(modulus - 1, words);
    const bits = Array.from({ length: Math.ceil(modulus / 8) }, () => pick(256, words));
    const shown = Uint8Array.from([0, modulus, ...bits]);
    const truth = weight(BigInt(1 + pick(8, words)), 2n);
    const laws = [0, values - 1].map((value) => lawOf(shown, values, truth, value));
    for (let symbol = 0; symbol < modulus; symbol++) {
      const [one, other] = laws.map((law) => law.get(symbol)!);
      assert.ok(one! <= truth && other! <= truth && one! >= SCALE && other! >= SCALE);
    }
    const isMember = (at: number) => (shown[2 + (at >> 3)]! >> (at & 7)) & 1;
    for (const [symbol, found] of laws[0]!) assert.equal(found == truth, !!isMember((modulus - symbol) % modulus));
  });

test("a set with fewer residues than values is refused", () =>
  assert.throws(() => cyclic(Uint8Array.from([0, 7, 255]), 8, 2n * SCALE), /refused/));
