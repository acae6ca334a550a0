/**
 * Reading the bytes of a bulletin: fixed places, big-endian. Whoever reads beyond the end gets an error.
 *
 * A collector shows pages a bulletin with its difference set in front: M in two bytes (0: there is none), M bits, the bulletin.
 */

import { asText, must } from "./task.js";
import { hex } from "./upload.js";

/** The id of its task, its epoch, its bytes, and the same to read numbers from. */
export type Bulletin = [taskId: string, epoch: number, data: Uint8Array, view: DataView];

/** The bulletin alone, which hashes to its version. */
export const withoutSet = (shown: Uint8Array): Uint8Array =>
  shown.subarray(2 + ((shown[0]! * 256 + shown[1]! + 7) >> 3));

/** What every bulletin starts with: its mark, the id of its task, its epoch. */
export const readBulletin = (shown: Uint8Array, mark: string): Bulletin => {
  const data = withoutSet(shown);
  const at = mark.length;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const epoch = Number(view.getBigUint64(at + 32));
  must(asText(data.subarray(0, at)) == mark && Number.isSafeInteger(epoch));
  return [hex(data.subarray(at, at + 32)), epoch, data, view];
};

/** From some place to the end: so many different items below a size. */
export const readItems = (view: DataView, at: number, count: number, size: number): Map<number, number> => {
  const places = new Map<number, number>();
  must(view.byteLength == at + 4 * count);
  while (places.size < count) {
    const item = view.getUint32(at + 4 * places.size);
    must(item < size && !places.has(item));
    places.set(item, places.size);
  }
  return places;
};
