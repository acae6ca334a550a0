/** What a page writes and gets back. */

import type { Explanation } from "./explanation.js";

/** What a reporter is made with. */
export interface Options {
  /** Where the collector is. */
  url: string;
  /** The id of the task, 64 hexadecimal digits: its hash, so no server can put another in its place. */
  task: string;
  /** The write key of the task. */
  key: string;
  /** The most ε that a task may have at its level: a task above it is refused. */
  maxEpsilon: number;
  /** The most ε that all reports may ever cost together; no limit unless given. */
  maxTotalEpsilon?: number;
  /** Reports in any 24 hours; 100 unless given. */
  reportsPerDay?: number;
  /** False to report although the browser sends Global Privacy Control. */
  gpc?: boolean;
  /** Uploads leave at ticks so many seconds apart; 60 unless given. */
  gather?: number;
}

/** What became of an event when it was handed over. Only `taken` and `other` mean that it was taken. */
export type Outcome = "taken" | "other" | "full" | "refused" | "opted out" | "gpc" | "closed" | "no storage";

/** Randomises events in this page and sends the results (docs/embedding.md). */
export interface Reporter {
  /** Hand over one event, once. No outcome is a reason to report the same event again. */
  report(item: unknown): Outcome;
  /** Send now what waits; true if nothing is left. The time of such an upload shows when you called it. */
  flush(): Promise<boolean>;
  /** Delete all but the ledgers and refuse all events: for every task of this site, in every tab and after reloads. */
  optOut(): Promise<void>;
  /** Take events again, within what the ledgers have left: for every task of this site too. */
  optIn(): Promise<void>;
  /** What was sent, what it cost, and how the reporter is doing. */
  explain(): Promise<Explanation>;
  /** Stop. What is queued stays for the next page. */
  close(): void;
}
