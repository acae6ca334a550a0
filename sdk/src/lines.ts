/**
 * A public list of strings, one in each line: which line holds a string.
 *
 * The list stays as its bytes, with a table of hashed lines beside it: for a million lines at most 17 + 12 MB. What is not
 * exactly such a list is refused. Some lines are read at a time, so that the page stays awake: the answer to a digest of
 * nothing comes in a turn of its own, in hidden pages too.
 */

import { systemWords } from "./exact.js";
import { must, type Code } from "./task.js";
import { sha256 } from "./transport.js";

const LINE_FEED = 10;
/** Lines that are read without a pause: some milliseconds. */
const AT_ONCE = 1 << 13;

/** The number of the line that holds a string, from 1; 0 if none does. */
export type LineOf = (code: Code) => number;

/** The lines of these bytes, so many and none longer than so many bytes. */
export const readLines = async (bytes: Uint8Array, count: number, mostBytes: number): Promise<LineOf> => {
  const starts = new Uint32Array(count + 1);
  const table = new Uint32Array(4 << Math.log2(count));
  const seed = Number(systemWords() >> 32n);
  /** Where in the table the line stands that is equal to some bytes, or where it would stand. */
  const slotOf = (data: Uint8Array, from: number, end: number): number => {
    let slot = seed;
    for (let at = from; at < end; at++) slot = Math.imul(slot ^ data[at]!, 0x01000193);
    for (slot ^= slot >>> 15; ; slot++) {
      const line = table[(slot &= table.length - 1)]!;
      const shift = starts[line - 1]! - from;
      let at = starts[line]! - shift - 1 == end ? from : Infinity;
      while (at < end && data[at] == bytes[at + shift]) at++;
      if (!line || at == end) return slot;
    }
  };
  let at = 0;
  for (let line = 0; line < count; ) {
    const from = at;
    do {
      const end = bytes.indexOf(LINE_FEED, at);
      const slot = slotOf(bytes, at, end);
      must(end > at && end - at <= mostBytes && !table[slot], "list");
      table[slot] = ++line;
      starts[line] = at = end + 1;
    } while (line % AT_ONCE && line < count);
    must(!/\0/.test(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(from, at))), "list");
    await sha256();
  }
  must(at == bytes.length, "list");
  return (code) => {
    const data = Uint8Array.from((code as string).slice(0, -1), (letter) => letter.charCodeAt(0));
    return table[slotOf(data, 0, data.length)]!;
  };
};
