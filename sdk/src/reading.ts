/** Reading what was sent: for the panel, and for whoever wants to check an upload. */

import { encodeUpload, hex, symbolBytes } from "./upload.js";

/** What an upload says. */
export interface Uploaded {
  id: string;
  version: string;
  symbols: number[];
}

/** The upload of these bytes: exactly what an encoder writes. Else an error. */
export const decodeUpload = (data: Uint8Array, limit: number): Uploaded => {
  const width = symbolBytes(limit);
  const [id, version] = [hex(data.slice(4, 20)), hex(data.slice(20, 52))];
  const symbols: number[] = [];
  const count = data.length < 64 ? 0 : new DataView(data.buffer, data.byteOffset).getUint32(52);
  for (let at = 56; symbols.length < count && at + width <= data.length; at += width)
    symbols.push(data.subarray(at, at + width).reduce((sum, byte) => sum * 256 + byte, 0));
  const again = symbols.length == count ? encodeUpload(id, version, symbols, limit) : [];
  if (!count || symbols.some((symbol) => symbol >= limit) || hex(data) != hex(Uint8Array.from(again)))
    throw Error("not an upload");
  return { id, version, symbols };
};
