/** What a reporter can tell the person whose device it is, and the developer who wonders why nothing arrives. */

import { isFresh, lastDay, reportsLeft, type Ceilings, type Ledger } from "./ledger.js";
import type { Upload } from "./store.js";
import type { Task } from "./task.js";

/**
 * One upload: when it was made, the collector's answer (0: not yet), every byte of it, and the first symbol that no report in
 * it may have.
 */
export interface SentUpload {
  second: number;
  status: number;
  bytes: Uint8Array;
  limit: number;
}

/** How things are. It holds no item. */
export interface Explanation {
  /** `starting`, `ready`, `stale`, `suspended`, `spent`, or why nothing is ever sent. */
  state: string;
  /** What went wrong last, and which limit is nearest. */
  reason: string;
  limit: string;
  /** What the task asks for, as its document has it; undefined until it is known. */
  task: Record<string, any> | undefined;
  /** ε of one report; reports in the last 24 hours and in all, and how many are left. */
  perReport: number;
  today: number;
  reports: number;
  left: number;
  /** Events that wait in memory, and those that were not reported, by reason. */
  waiting: number;
  dropped: Record<string, number>;
  uploads: SentUpload[];
}

/** Everything at once. */
export const explain = (
  end: string,
  reason: string,
  ledger: Ledger,
  task: Task | undefined,
  ceilings: Ceilings,
  now: number,
  waiting: number,
  dropped: Record<string, number>,
  kept: [number, Upload][],
): Explanation => {
  const [left, limit] = task ? reportsLeft(task, ledger, ceilings, now) : [0, ""];
  const { heldBytes, isDoubtful, optedOut, reportsMade } = ledger;
  const running = !task || !heldBytes ? "starting" : !left ? "spent" : isFresh(ledger, now) ? "ready" : "stale";
  return {
    state: end || (optedOut ? "opted out" : isDoubtful ? "suspended" : running),
    reason,
    limit,
    task: task?.fields,
    perReport: task ? Number(task.numerator) / Number(task.denominator) : 0,
    today: lastDay(ledger, now),
    reports: reportsMade,
    left,
    waiting,
    dropped,
    uploads: kept.map(([, [bytes, second, status, limit]]) => ({ second, status, bytes, limit })),
  };
};
