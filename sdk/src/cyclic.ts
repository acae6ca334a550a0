/** Cyclic difference-set response: one draw, one residue, and exactly W : S between any two values. */

import { type DifferenceSet, differenceSets } from "./difference-sets.js";
import { below, SCALE, type Words } from "./exact.js";

/** How a value is randomised: the residue v − x mod M, where x has weight W in D and S elsewhere. */
export interface Response {
  modulus: number;
  /** Whether a residue speaks for a value: then it has weight W for that value, else S. */
  speaksFor: (residue: number, value: number) => boolean;
  drawResidue: (value: number, words: Words) => number;
}

/** Twice-the-variance of a set as a fraction, for a value that holds 1/share of the stream: what sets are compared by. */
const variance = ({ modulus, setSize }: DifferenceSet, truth: bigint, share: bigint): [bigint, bigint] => {
  const c = BigInt(setSize);
  const overlap = (c * (c - 1n)) / BigInt(modulus - 1);
  const gap = (c - overlap) * (truth - SCALE);
  const own = c * truth;
  const total = own + (BigInt(modulus) - c) * SCALE;
  const other = own - gap;
  return [share * other * (total - other) + (total - own - other) * gap, gap * gap];
};

/** The response over so many values: the set of least exact variance with M ≤ 2.2 times the values, or ≤ `most`. */
export const cyclic = (values: number, truth: bigint, share: bigint, most: number): Response => {
  let best: DifferenceSet | undefined;
  let least: [bigint, bigint] = [0n, 0n];
  for (const one of differenceSets(values, Math.max(most, Math.floor((values * 11) / 5)))) {
    const found = variance(one, truth, share);
    if (!best || found[0] * least[1] < least[0] * found[1]) [best, least] = [one, found];
  }
  const { modulus, build } = best!;
  const members = build();
  const inside = new Set(members);
  const residues = members.concat([...Array(modulus).keys()].filter((residue) => !inside.has(residue)));
  const own = BigInt(members.length) * truth;
  const total = own + BigInt(modulus - members.length) * SCALE;
  return {
    modulus,
    speaksFor: (residue, value) => inside.has((value - residue + modulus) % modulus),
    drawResidue: (value, words) => {
      const drawn = below(total, words);
      const place = drawn < own ? drawn / truth : BigInt(members.length) + (drawn - own) / SCALE;
      return (value - residues[Number(place)]! + modulus) % modulus;
    },
  };
};
