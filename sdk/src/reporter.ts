/** One class, one verb: `new Reporter({…}).report(item)`. */

import { pick, systemWords } from "./exact.js";
import { explain, type Explanation } from "./explanation.js";
import {
  chosen,
  DAY,
  freshLedger,
  HOUR,
  isFresh,
  periodsReport,
  spend,
  takePart,
  type Event as Handed,
} from "./ledger.js";
import type { Code } from "./task.js";
import { learnTask, renewBulletin } from "./renewal.js";
import type { Answering, Scheme } from "./scheme.js";
import { MOST_UPLOADS, openStore, type Upload } from "./store.js";
import type { Task } from "./task.js";
import { readJson, transport } from "./transport.js";
import { encodeUpload } from "./upload.js";

const MOST_WAITING = 1000;
const MOST_BATCH = 64;
const LONGEST_PAUSE = 300;
const MOST_RECEIPT = 1 << 16;
const TOO_LATE = 1;
const FINAL = [TOO_LATE, 200, 400, 409, 410, 413, 415];

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
  /** Delete all but the ledger and refuse all events, in every tab and after reloads. */
  optOut(): Promise<void>;
  /** Take events again, within what the ledger has left. */
  optIn(): Promise<void>;
  /** What was sent, what it cost, and how the reporter is doing. */
  explain(): Promise<Explanation>;
  /** Stop. What is queued stays for the next page. */
  close(): void;
}

const chance = (): number => pick(1 << 20, systemWords) / (1 << 20);

/** Every failure doubles the pause, blurred so that visitors do not return together. */
const pause = (failures: number): number => Math.min(LONGEST_PAUSE, 2 ** failures) * (0.5 + chance() / 2);

/** Start a reporter that knows some schemes. */
export const startReporter = (options: Options, schemes: Scheme[]): Reporter => {
  const { url, task: id, key, maxEpsilon, maxTotalEpsilon = Infinity, reportsPerDay = 100, gather = 60 } = options;
  const ceilings = { maxTotalEpsilon, reportsPerDay };
  const name = "hgldp " + id;
  const channel = new BroadcastChannel(name);
  const opened = openStore(name);
  const dropped: Record<string, number> = {};
  let end: Outcome | "" = (navigator as any).globalPrivacyControl && options.gpc !== false ? "gpc" : "";
  let ledger = freshLedger();
  let task: Task | undefined;
  let answering: Answering;
  let answeredVersion = "";
  let inbox: Handed[] = [];
  let unsent = new Map<number, Upload>();
  let drawing: Promise<unknown> = Promise.resolve();
  let abort = new AbortController();
  let trouble = "";
  let timer = 0;
  let ahead = 0;
  let failedSends = 0;
  let failedRenewals = 0;
  let nextRenewal = 0;
  let nextTry = 0;
  let nextTick = 0;

  const ask = transport(url, key, () => abort.signal);
  const now = () => (performance.timeOrigin + performance.now()) / 1000 + ahead;
  const drop = (why: string, events: number) => events && (dropped[why] = (dropped[why] ?? 0) + events);

  /** Forget what waits in this tab, and end its requests. None leaves before a later round begins. */
  const forget = (): void => {
    inbox = [];
    unsent.clear();
    task = undefined;
    nextRenewal = 0;
    abort.abort();
  };

  /** One transaction. Time never goes back: a tab whose date is behind that of the ledger counts on from there. */
  const change = async <T>(step: (records: IDBObjectStore) => T): Promise<T> =>
    (await opened).change((found, records) => {
      ledger = found;
      ahead += Math.max(0, ledger.lastSecond - now());
      const answer = step(records);
      if (ledger.optedOut) forget();
      ledger.lastSecond = now();
      return answer;
    });

  const listUploads = () => opened.then((store) => store.listUploads());

  /** Forget all but the ledger; a bulletin that has to stay, stays. */
  const wipe = (optedOut: boolean): Promise<void> => {
    forget();
    return change((records) => {
      records.clear();
      ledger.optedOut ||= optedOut;
      ledger.openPeriod = ledger.pastPeriod = null;
      if (!ledger.heldOne) ledger.heldBytes = null;
    });
  };

  /** One upload of these codes, in an order drawn by lot. */
  const randomised = (codes: Code[]): Upload => {
    const symbols: number[] = [];
    for (const code of codes) {
      const place = pick(symbols.length + 1, systemWords);
      symbols.push(symbols[place]!);
      symbols[place] = answering.drawSymbol(code, systemWords);
    }
    const version = Uint8Array.from(ledger.heldVersion.match(/../g)!, (digits) => parseInt(digits, 16));
    const limit = answering.symbolLimit;
    return [encodeUpload(crypto.getRandomValues(new Uint8Array(16)), version, symbols, limit), now(), 0, limit];
  };

  /** Whether there is a bulletin to answer now. Reading it takes longer than a draw, so rounds do it before events come. */
  const isAble = (asked: Task): boolean => {
    const able = isFresh(ledger, now());
    if (able && answeredVersion != ledger.heldVersion) {
      answering = asked.scheme.answerTo(asked, ledger.heldBytes!);
      answeredVersion = ledger.heldVersion;
    }
    return able;
  };

  /** Spend, draw once, queue: in one transaction. Only a round makes the report of a period, never an event. */
  const draw = (inRound?: boolean): Promise<unknown> =>
    (drawing = drawing
      .then(async () => {
        const asked = task;
        if (!asked || !(inbox.length || (inRound && asked.period))) return;
        const added: [IDBRequest<IDBValidKey>, Upload][] = [];
        await change((records) => {
          if (ledger.optedOut) return;
          const able = isAble(asked);
          const report = (codes: Code[]) => {
            const granted = spend(codes, asked, ledger, ceilings, now());
            drop("limit", codes.length - granted.length);
            if (granted.length) {
              const upload = randomised(granted);
              added.push([records.add(upload), upload]);
            }
          };
          if (asked.period) {
            takePart(inbox.splice(0), asked, ledger, systemWords);
            const code = inRound ? periodsReport(asked, ledger, now(), able, systemWords) : undefined;
            if (code !== undefined) report([code]);
          } else
            while (able && inbox.length) {
              const events = inbox.splice(0, asked.fields.one_answer ? MOST_WAITING : MOST_BATCH);
              const reported = chosen(events, asked, ledger, systemWords);
              drop("not drawn", events.length - reported.length);
              report(reported.map(([, item]) => asked.codeOf(item)));
            }
        });
        for (const [request, upload] of added) unsent.set(request.result as number, upload);
      })
      .catch((wrong) => (trouble = "" + wrong)));

  /** Whether the server has shown no wrong bulletin, and asked for no pause. */
  const mayBeSent = (): boolean => !!ledger.heldBytes && !ledger.isDoubtful && now() >= ledger.waitUntil;

  /** Send one upload. False if it must be sent again later. */
  const send = async (place: number, [bytes, made, , limit]: Upload): Promise<boolean> => {
    let [status, wait] = [TOO_LATE, 0];
    if (now() < made + DAY)
      try {
        const answer = await ask("in/" + key, MOST_RECEIPT, bytes);
        [status, , wait] = answer;
        if (status == 200 && JSON.stringify(readJson(answer[1])) != `{"accepted":${bytes[55]}}`) status = 0;
      } catch {
        status = 0;
      }
    const isFinal = FINAL.includes(status);
    if (isFinal) {
      unsent.delete(place);
      failedSends = nextTry = 0;
      if (status != 200) drop("" + status, bytes[55]!);
    } else if (now() >= nextTry) nextTry = now() + pause(failedSends++);
    await change((records) => {
      if (!isFinal) ledger.waitUntil = Math.max(ledger.waitUntil, now() + Math.min(wait, HOUR));
      else if (!ledger.optedOut) {
        records.put([bytes, made, status, limit], place);
        records.delete(IDBKeyRange.upperBound(place - MOST_UPLOADS));
      }
    });
    return isFinal;
  };

  /** Everything in the queue once, in an order drawn by lot, until one fails; but nothing that was forgotten meanwhile. */
  const deliver = async (): Promise<void> => {
    unsent = new Map((await listUploads()).filter(([, upload]) => !upload[2]));
    const order = [...unsent];
    while (order.length) {
      const [place, upload] = order.splice(pick(order.length, systemWords), 1)[0]!;
      if (unsent.has(place) && !(await send(place, upload))) return;
    }
  };

  /** Twice within the age of a bulletin, whichever tab or page asked last: a visit of many pages asks no more often. */
  const dueAt = () => ledger.fetchedAt + Math.max(1, Math.min(ledger.maxAge, DAY) / 2) * (0.75 + chance() / 4);

  const renew = async (): Promise<void> => {
    try {
      if (!task) {
        const found = await learnTask(id, schemes, await opened, ask);
        if (!(found.epsilon <= maxEpsilon) || (found.size && !found.fields.other)) {
          end = "refused";
          return wipe(false);
        }
        task = found;
      }
      if (!ledger.heldBytes || ledger.isDoubtful || now() >= dueAt()) {
        await renewBulletin(id, task, await opened, ask, ledger, now());
        await change(() => 0);
      }
      failedRenewals = 0;
      trouble = "";
      nextRenewal = dueAt();
    } catch (wrong) {
      trouble = "" + wrong;
      nextRenewal = now() + pause(failedRenewals++);
    }
  };

  /** Learn, renew, draw, send what is due. One tab at a time. */
  const round = async (pressed?: boolean): Promise<void> => {
    clearTimeout(timer);
    try {
      await navigator.locks.request(name, async () => {
        await change(() => 0);
        if (end || ledger.optedOut) return;
        if (abort.signal.aborted) abort = new AbortController();
        nextTick ||= now() + chance() * gather;
        if (now() >= nextRenewal) await renew();
        if (task) isAble(task);
        await draw(true);
        if (pressed || now() >= nextTick) {
          nextTick = now() + gather;
          if (mayBeSent() && (pressed || now() >= nextTry)) await deliver();
        }
      });
    } catch (wrong) {
      trouble = "" + wrong;
    }
    if (!end) timer = setTimeout(round, 1000 * Math.max(0.02, Math.min(60, Math.min(nextRenewal, nextTick) - now())));
  };

  /** The page may never run again: what is on the disk leaves now. */
  const hide = (): void => {
    if (document.visibilityState == "hidden" && mayBeSent())
      unsent.forEach((upload, place) => send(place, upload));
  };

  opened.catch(() => (end = "no storage"));
  channel.onmessage = () => {
    forget();
    change(() => 0);
  };
  addEventListener("visibilitychange", hide);
  if (end) wipe(false).catch(() => 0);
  else round();

  const reporter: Reporter = {
    report(item) {
      const why = end || (ledger.optedOut ? "opted out" : inbox.length < MOST_WAITING ? "" : "full");
      if (why) {
        drop(why, 1);
        return why;
      }
      inbox.push([now(), item]);
      draw();
      return task && task.codeOf(item) === task.other ? "other" : "taken";
    },
    async flush() {
      await round(true);
      return !inbox.length && !unsent.size;
    },
    async optOut() {
      await wipe(true);
      channel.postMessage(0);
    },
    async optIn() {
      await change(() => (ledger.optedOut = false));
      await round();
    },
    explain: async () =>
      explain(end, trouble, ledger, task, ceilings, now(), inbox.length, dropped, await listUploads().catch(() => [])),
    close() {
      end = "closed";
      clearTimeout(timer);
      channel.close();
      removeEventListener("visibilitychange", hide);
      abort.abort();
    },
  };
  ((globalThis as any)[Symbol.for("hgldp.reporters")] ??= []).push(reporter);
  return reporter;
};
