/** An upload: reports that answer one bulletin, under a random id that makes a resend count once. */

/** Bytes in hexadecimal. */
export const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte + 256).toString(16).slice(1)).join("");

/** A number as so many bytes, big-endian. */
const bigEndian = (number: number, width: number): number[] =>
  width ? [...bigEndian(Math.floor(number / 256), width - 1), number % 256] : [];

/** How many bytes every symbol below a limit takes, the small ones too: a length must not tell. */
export const symbolBytes = (limit: number): number => (limit > 256 ? 1 + symbolBytes(Math.ceil(limit / 256)) : 1);

/** Mark, id, version of the bulletin, count and symbols, with zeros up to the next of 64, 256, 1,024 … bytes. */
export const encodeUpload = (id: Uint8Array, version: Uint8Array, symbols: number[], limit: number): Uint8Array => {
  const used = [104, 103, 85, 1, ...id, ...version, ...bigEndian(symbols.length, 4)];
  for (const symbol of symbols) used.push(...bigEndian(symbol, symbolBytes(limit)));
  let size = 64;
  while (size < used.length) size *= 4;
  const data = new Uint8Array(size);
  data.set(used);
  return data;
};
