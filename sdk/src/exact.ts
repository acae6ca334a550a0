/** Exact integers: where randomness comes from, and e^ε as an integer weight. No floating point decides a probability. */

/** A source of independent uniform 64-bit words. */
export type Words = () => bigint;

/** The weight of everything but the truth. */
export const SCALE = 1n << 32n;
const GUARD = 256n;

/** The browser's own entropy. */
export const systemWords: Words = () => crypto.getRandomValues(new BigUint64Array(1))[0]!;

/** A 64-bit word: what is above is cut off. */
export const word64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** An exactly uniform integer in 0 … bound − 1, by Lemire's multiply-and-reject (2019, algorithm 5). */
export const below = (bound: bigint, words = systemWords): bigint => {
  const tooLow = (1n << 64n) % bound;
  let product;
  do product = words() * bound;
  while (word64(product) < tooLow);
  return product >> 64n;
};

/** The same for small bounds. */
export const pick = (bound: number, words?: Words): number => Number(below(BigInt(bound), words));

/** ⌊scale·e^(over/under)⌋. Every term of the series is cut off, so the weight is never above what ε allows. */
export const weight = (over: bigint, under: bigint, scale = SCALE): bigint => {
  let term = scale << GUARD;
  let sum = 0n;
  for (let n = 1n; term; n++) {
    sum += term;
    term = (term * over) / (under * n);
  }
  return sum >> GUARD;
};

/** Splitmix64's finaliser (Steele, Lea, Flood 2014): a bijection of 64-bit words. */
export const mix = (word: bigint): bigint => {
  word = word64((word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
  word = word64((word ^ (word >> 27n)) * 0x94d049bb133111ebn);
  return word ^ (word >> 31n);
};

/** The step of splitmix64. */
export const GOLDEN = 0x9e3779b97f4a7c15n;
