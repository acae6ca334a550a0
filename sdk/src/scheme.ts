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
  drawSymbol: (code: Code, words?: Words) => number;
  /** The cell of an item, where the scheme has cells; for people who want to see. */
  cellOf?: (code: Code) => number;
}

/** The client's half of a scheme: reads the set and the bulletin that a collector shows. An error if they do not fit the task. */
export type AnswerTo = (task: Task, shown: Uint8Array) => Answering;

/** What a script knows, by the names that tasks have. */
export type Schemes = Record<string, AnswerTo>;
