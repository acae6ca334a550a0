/** What every scheme can do in a client. */

import type { Words } from "./exact.js";
import type { Code, Task } from "./task.js";

/** One bulletin, read and checked: how events answer it. */
export interface Answering {
  taskId: string;
  epoch: number;
  /** The first symbol that no client may send. */
  symbolLimit: number;
  /** One symbol for one event: the client's whole part. */
  drawSymbol: (code: Code, words: Words) => number;
  /** The cell of an item, where the scheme has cells; for people who want to see. */
  cellOf?: (code: Code) => number;
  /** Whether a symbol speaks for a cell. */
  speaksFor?: (symbol: number, cell: number) => boolean;
}

/** A channel that answers bulletins. */
export interface Scheme {
  /** The names that its tasks may have. */
  schemeNames: RegExp;
  /** The bulletin of these bytes, if it fits the task. Else an error. */
  answerTo: (task: Task, bulletin: Uint8Array) => Answering;
}
