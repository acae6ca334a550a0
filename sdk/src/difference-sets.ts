/**
 * Cyclic difference sets: D in Z_M such that every non-zero residue is a difference of two members λ times.
 *
 * The same three families as the Python package: {0}; the quadratic residues of a prime M = 3 mod 4 (Paley); and Singer's
 * hyperplanes, M = (q^t − 1)/(q − 1), read off a linear recurrence of maximal period over GF(p), q = p^a.
 */

const MOST_MODULUS = 9100;

/**
 * One recurrence for each p, a and t, in the order of the loops in `singerSets`: the weight of the first term, then pairs
 * of a place and its weight, one base-36 digit each.
 */
const RECURRENCES =
  "111 111 121 111 111 1112171 141 131 121 1112181 1112151 111 1112171 131 1112181 11121c1 141 1112181 111 1112181 11131c1 111 171 " +
  "211 111 211 111 221 131 111 131 11131 241 11151 211 21121 211 212 212 511 21122 311 21124 212 315 217 21222 311 611 21a 412 512 219 " +
  "311 211 615 312 511 214 216 212 218 712 514 312 216 315";

/** M, the size c of the set (λ is c(c − 1)/(M − 1)), and its members, which are built only for the set that is chosen. */
export interface DifferenceSet {
  modulus: number;
  setSize: number;
  build: () => number[];
}

const isPrime = (number: number): boolean => {
  for (let factor = 2; factor * factor <= number; factor++) if (number % factor == 0) return false;
  return true;
};

const residues = (modulus: number) => () => {
  const members = new Set<number>();
  for (let root = 1; root < modulus; root++) members.add((root * root) % modulus);
  return [...members].sort((a, b) => a - b);
};

const hyperplane = (p: number, power: number, order: number, modulus: number, recurrence: string) => () => {
  const taps = [0, ...recurrence].map((digit) => parseInt(digit as string, 36));
  const terms = [...Array(order - 1).fill(0), 1];
  for (let at = 0; at + order < power * modulus; at++) {
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap += 2) sum += taps[tap + 1]! * terms[at + taps[tap]!];
    terms.push(sum % p);
  }
  const members: number[] = [];
  for (let at = 0; at < modulus; at++) {
    let some = 0;
    for (let block = 0; block < power; block++) some += terms[at + block * modulus];
    if (!some) members.push(at);
  }
  return members;
};

/** Every set with least ≤ M ≤ most, {0} over `least` values first. */
export const differenceSets = (least: number, most: number): DifferenceSet[] => {
  const found: DifferenceSet[] = [{ modulus: least, setSize: 1, build: () => [0] }];
  const add = (modulus: number, setSize: number, build: () => number[]) => {
    if (modulus >= least && modulus <= most) found.push({ modulus, setSize, build });
  };
  for (let prime = 7; prime <= most; prime += 4)
    if (isPrime(prime)) add(prime, (prime - 1) / 2, residues(prime));
  const rows = RECURRENCES.split(" ");
  let row = 0;
  for (let p = 2; p < 95; p++)
    if (isPrime(p))
      for (let power = 1, q = p; q < 95; q *= p, power++)
        for (let t = 3, size = q + 1; size * q < MOST_MODULUS; t++, size = size * q + 1)
          add(size * q + 1, size, hyperplane(p, power, power * t, size * q + 1, rows[row++]!));
  return found;
};
