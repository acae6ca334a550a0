/** Reading the bytes of a bulletin: fixed places, big-endian. Whoever reads beyond the end gets an error. */

import { must } from "./task.js";
import { hex } from "./upload.js";

/** The id of its task, its epoch, and its bytes to read from. */
export type Bulletin = [taskId: string, epoch: number, view: DataView];

/** What every bulletin starts with: its mark, the id of its task, its epoch. */
export const readBulletin = (data: Uint8Array, mark: string): Bulletin => {
  const at = mark.length;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const epoch = Number(view.getBigUint64(at + 32));
  must(new TextDecoder().decode(data.subarray(0, at)) == mark && Number.isSafeInteger(epoch));
  return [hex(data.subarray(at, at + 32)), epoch, view];
};

/** From some place to the end: so many different items below a size. */
export const readItems = (view: DataView, at: number, count: number, size: number): Map<number, number> => {
  const places = new Map<number, number>();
  must(view.byteLength == at + 4 * count);
  for (let place = 0; place < count; place++) {
    const item = view.getUint32(at + 4 * place);
    must(item < size && !places.has(item));
    places.set(item, place);
  }
  return places;
};
