/** Reading the bytes of a bulletin from front to back; whoever reads beyond the end gets an error. */

import { must } from "./task.js";
import { hex } from "./upload.js";

/** What is read, big-endian, and whether all is read. */
export interface Reader {
  readNumber: (bytes: number) => number;
  readBytes: (length: number) => Uint8Array;
  bytesLeft: () => number;
}

/** What every bulletin starts with, and a reader of the rest. */
export const readBulletin = (data: Uint8Array, mark: string): [taskId: string, epoch: number, reader: Reader] => {
  let at = 0;
  const readBytes = (length: number) => {
    must((at += length) <= data.length);
    return data.subarray(at - length, at);
  };
  const readNumber = (length: number) => readBytes(length).reduce((sum, byte) => sum * 256 + byte, 0);
  must(new TextDecoder().decode(data.subarray(0, mark.length)) == mark);
  readBytes(mark.length);
  const taskId = hex(readBytes(32));
  const epoch = readNumber(8);
  must(Number.isSafeInteger(epoch));
  return [taskId, epoch, { readNumber, readBytes, bytesLeft: () => data.length - at }];
};

/** So many different items below a size, and nothing after them. */
export const readItems = ({ readNumber, bytesLeft }: Reader, count: number, size: number): Map<number, number> => {
  const places = new Map<number, number>();
  for (let place = 0; place < count; place++) {
    const item = readNumber(4);
    must(item < size);
    places.set(item, place);
  }
  must(places.size == count && !bytesLeft());
  return places;
};
