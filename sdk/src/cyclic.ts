/** Cyclic difference-set response: one draw, one residue, and at most W : S between any two values, whatever the set is. */

import { below, SCALE, type Words } from "./exact.js";
import { must } from "./task.js";

/** How a value is randomised: the residue v − x mod M, where x has weight W in D and S elsewhere. */
export interface Response {
  modulus: number;
  drawResidue: (value: number, words?: Words) => number;
}

/** The response of so many values with the set that stands before a bulletin: M in two bytes, and M bits, lowest first. */
export const cyclic = (shown: Uint8Array, values: number, truth: bigint): Response => {
  const modulus = shown[0]! * 256 + shown[1]!;
  const isMember = (residue: number) => (shown[2 + (residue >> 3)]! >> (residue & 7)) & 1;
  const all = [...Array(modulus).keys()];
  const members = all.filter(isMember);
  const residues = members.concat(all.filter((residue) => !isMember(residue)));
  const own = BigInt(members.length) * truth;
  const total = own + BigInt(modulus - members.length) * SCALE;
  must(modulus >= values);
  return {
    modulus,
    drawResidue: (value, words) => {
      const drawn = below(total, words);
      const place = drawn < own ? drawn / truth : BigInt(members.length) + (drawn - own) / SCALE;
      return (value - residues[Number(place)]! + modulus) % modulus;
    },
  };
};
