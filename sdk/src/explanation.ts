/** What a reporter can tell the person whose device it is, and the developer who wonders why nothing arrives. */

import { isFresh, lastDay, reportsLeft, type Ceilings, type Ledger, type Site } from "./ledger.js";
import type { Upload } from "./store.js";
import type { Task } from "./task.js";

/** How things are. It holds no item. */
export interface Explanation {
  /** The id of the task. */
  id: string;
  /** `starting`, `ready`, `stale`, `suspended`, `spent`, or why nothing is ever sent. */
  state: string;
  /** What went wrong last, and which limit is nearest. */
  reason: string;
  limit: string;
  /** What the task asks for, as its document has it; undefined until it is known. */
  task: Record<string, any> | undefined;
  /** Reports in the last 24 hours and in all, and how many are left. */
  today: number;
  reports: number;
  left: number;
  /** Where one report is made for each period: the second when the next one is due. Else 0. */
  nextReport: number;
  /** Of every task of this site, the last two numbers and ε of one report, by its id. */
  site: Record<string, [today: number, reports: number, epsilon: number]>;
  /** Events that wait in memory. */
  waiting: number;
  /** What waits, and what was sent last. It is what will be sent: read it, do not change it. */
  uploads: Upload[];
}

/** Everything at once. */
export const explain = (
  id: string,
  end: string,
  reason: string,
  ledger: Ledger,
  { optedOut, ledgers }: Site,
  task: Task | undefined,
  ceilings: Ceilings,
  now: number,
  waiting: number,
  uploads: Upload[],
): Explanation => {
  const [left, limit] = task ? reportsLeft(task, ledger, ceilings, now) : [0, ""];
  const { heldBytes, isDoubtful, reportsMade, openPeriod, firstSecond } = ledger;
  const running = !task || !heldBytes ? "starting" : !left ? "spent" : isFresh(ledger, now) ? "ready" : "stale";
  return {
    id,
    state: end || (optedOut ? "opted out" : isDoubtful ? "suspended" : running),
    reason,
    limit,
    task: task?.fields,
    today: lastDay(ledger, now),
    reports: reportsMade,
    left,
    nextReport: task && openPeriod ? firstSecond! + (openPeriod[0] + 1) * task.period : 0,
    site: Object.fromEntries(
      Object.entries(ledgers).map(([each, found]) => [each, [lastDay(found, now), found.reportsMade, found.reportCost]]),
    ),
    waiting,
    uploads,
  };
};
