/** An upload: reports that answer one bulletin, under a random id that makes a resend count once. */

/** A number of so many bytes in hexadecimal. */
const digits = (number: number, bytes: number): string => number.toString(16).padStart(2 * bytes, "0");

/** Bytes in hexadecimal. */
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => digits(byte, 1)).join("");

/** How many bytes every symbol below a limit takes, the small ones too: a length must not tell. */
export const symbolBytes = (limit: number): number => ((limit - 1).toString(16).length + 1) >> 1;

/**
 * Mark, id, version of the bulletin, count and symbols, with zeros up to the next of 64, 256, 1,024 … bytes. Id and version are
 * hexadecimal.
 */
export const encodeUpload = (id: string, version: string, symbols: number[], limit: number): Uint8Array => {
  const width = symbolBytes(limit);
  let text = "68675501" + id + version + digits(symbols.length, 4);
  for (const symbol of symbols) text += digits(symbol, width);
  let size = 128;
  while (size < text.length) size *= 4;
  return Uint8Array.from(text.padEnd(size, "0").match(/../g)!, (pair) => parseInt(pair, 16));
};
