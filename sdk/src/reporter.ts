/** One class, one verb: `new Reporter({…}).report(item)`. */

import { pick } from "./exact.js";
import { explain } from "./explanation.js";
import { chosen, DAY, forgetEvents, freshLedger, HOUR, isFresh, periodsReport, spend, takePart, type Event, type Site } from "./ledger.js";
import type { Options, Outcome, Reporter } from "./public.js";
import { learnList, learnTask, renewBulletin } from "./renewal.js";
import type { Answering, Schemes } from "./scheme.js";
import { NAME, openStore, type Change, type Upload } from "./store.js";
import { asText, type Code, type Task } from "./task.js";
import { blurred, pause, transport, type Answer } from "./transport.js";
import { encodeUpload, hex } from "./upload.js";

/** Whether this build knows tasks that name a public list: build.mjs says so, and leaves out what the others do not need. */
declare const WITH_LISTS: boolean;

const MOST_WAITING = 1000;
const MOST_KEPT = 100;
const MOST_BATCH = 64;
const LONGEST_SLEEP = 60;
const GIVEN_UP = 1;
const FINAL = [GIVEN_UP, 400, 409, 410, 413, 415];

/** Start a reporter that knows some schemes. */
export const startReporter = (options: Options, schemes: Schemes): Reporter => {
  const { url, task: id, key, maxEpsilon, maxTotalEpsilon = Infinity, reportsPerDay = 100, gather = 60 } = options;
  const ceilings = { maxTotalEpsilon, reportsPerDay };
  const own = IDBKeyRange.bound([id], [id, Infinity]);
  const channel = new BroadcastChannel(NAME);
  let end: Outcome | "" =
    (navigator as any).globalPrivacyControl && options.gpc !== false ? "gpc" : navigator.locks ? "" : "no storage";
  let ledger = freshLedger();
  let site: Site = { optedOut: false, ledgers: {} };
  let task: Task | undefined;
  let answering: Answering;
  let answeredVersion = "";
  let inbox: [moment: number, item: unknown, code: Code | undefined][] = [];
  let uploads: Upload[] = [];
  let abort = new AbortController();
  let trouble = "";
  let timer = 0;
  let clock = 0;
  let seen = 0;
  let steady = (Date.now() - performance.now()) / 1000;
  let failures = 0;
  let nextRenewal = 0;
  let nextTry = 0;
  let nextTick = 0;

  const ask = transport(url, key, () => abort.signal);

  /**
   * The device's date, but never less than before: where the date was set back, time goes on from there. `steady` starts with
   * the date too, and then follows a clock that nobody sets.
   */
  const now = (least = 0): number => {
    const passed = performance.now() - seen;
    seen += passed;
    steady += passed / 1000;
    clock = Math.max(Date.now(), clock + passed, least * 1000);
    return clock / 1000;
  };

  const lookAtClocks = () => Object.assign(ledger, { steadySecond: steady, dateSecond: Date.now() / 1000 });

  /** The uploads that wait, as far as this tab knows. */
  const waiting = () => uploads.filter(({ status }) => !status);

  /** Forget what waits in this tab, and end its requests: none begins before a later round. Browsers go on with those of a hidden page. */
  const forget = (): void => {
    inbox = [];
    uploads = [];
    task = undefined;
    nextRenewal = 0;
    abort.abort();
  };

  /** Storage is blocked, or the visitor has cleared the site's data: this page takes nothing more. */
  const lose = (): void => {
    forget();
    end = "no storage";
  };
  const opened = openStore(id, lose);
  let drawing: Promise<unknown> = opened;

  /** One transaction. A tab whose date is behind that of the ledger counts on from there. */
  const change: Change = async (step) =>
    (await opened)((found, records, all) => {
      ledger = found;
      site = all;
      now(ledger.lastSecond);
      steady = Math.max(steady, ledger.steadySecond);
      lookAtClocks();
      const answer = step(ledger, records, site);
      if (site.optedOut) forget();
      ledger.lastSecond = now();
      return answer;
    });

  /** Forget what waits for this task and what was sent; or, if the person opts out, all but the ledgers of all tasks. */
  const wipe = (optedOut?: boolean): Promise<void> => {
    forget();
    return change((_, records) => {
      if (optedOut) {
        records.clear();
        site.optedOut = true;
        channel.postMessage(1);
      } else records.delete(own);
      (optedOut ? Object.values(site.ledgers) : [ledger]).forEach(forgetEvents);
    });
  };

  /** One upload of these codes, in an order drawn by lot. */
  const randomised = (codes: Code[]): Upload => {
    const symbols: number[] = [];
    for (const code of codes) {
      const place = pick(symbols.length + 1);
      symbols.push(symbols[place]!);
      symbols[place] = answering.drawSymbol(code);
    }
    const limit = answering.symbolLimit;
    const uploadId = hex(crypto.getRandomValues(new Uint8Array(16)));
    const bytes = encodeUpload(uploadId, ledger.heldVersion, symbols, limit);
    return { place: ledger.reportsMade, second: now(), status: 0, bytes, limit };
  };

  /** Whether there is a bulletin to answer now. Reading it takes longer than a draw, so rounds do it before events come. */
  const isAble = (asked: Task): boolean => {
    const able = isFresh(ledger, now());
    if (able && answeredVersion != ledger.heldVersion) {
      answering = asked.answerTo(asked, ledger.heldBytes!);
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
        const added: Upload[] = [];
        await change((_, records) => {
          if (site.optedOut) return;
          const able = isAble(asked);
          const next = (most: number): Event[] =>
            inbox.splice(0, most).map(([moment, item, code]) => [moment, code ?? asked.codeOf(item)]);
          const report = (codes: Code[]) => {
            const granted = spend(codes, asked, ledger, ceilings, now());
            if (granted.length) {
              const upload = randomised(granted);
              added.push(upload);
              records.put(upload, [id, upload.place]);
            }
          };
          if (asked.period) {
            takePart(next(MOST_WAITING), asked, ledger);
            report(periodsReport(asked, ledger, now(), able && inRound));
          } else
            while (able && inbox.length) {
              const events = next(asked.fields.one_answer ? MOST_WAITING : MOST_BATCH);
              report(chosen(events, asked, ledger).map(([, code]) => code));
            }
        });
        uploads.push(...added);
      })
      .catch((wrong) => (trouble = "" + wrong)));

  /** Whether the server has shown no wrong bulletin, and asked for no pause. */
  const mayBeSent = (): boolean => !!ledger.heldBytes && !ledger.isDoubtful && now() >= ledger.waitUntil;

  /** Send one upload. False if it must be sent again later. */
  const send = async (upload: Upload): Promise<boolean> => {
    const { bytes } = upload;
    const [status, receipt, wait]: Partial<Answer> =
      now() < upload.second + DAY ? await ask("in/" + key, bytes).catch((wrong) => [wrong]) : [GIVEN_UP];
    const isFinal = status == 200 ? asText(receipt!) == `{"accepted":${bytes[55]}}` : FINAL.includes(status!);
    trouble = isFinal || abort.signal.aborted ? "" : "" + status;
    if (isFinal) {
      upload.status = status!;
      failures = nextTry = 0;
    } else if (now() >= nextTry) nextTry = now() + pause(failures++);
    await change((_, records) => {
      if (!isFinal) ledger.waitUntil = now() + (Math.min(wait!, HOUR) || 0);
      else if (!site.optedOut) records.put(upload, [id, upload.place]);
    });
    return isFinal;
  };

  /** What waits in the queue, whichever tab made it. Of what was sent, the newest stay. */
  const readUploads = (): Promise<void> =>
    change((_, records) => {
      const found: IDBRequest<Upload[]> = records.getAll(own);
      found.onsuccess = () => {
        uploads = found.result;
        for (const { place } of uploads.filter(({ status }) => status).slice(0, -MOST_KEPT)) records.delete([id, place]);
      };
    });

  /** Everything in the queue once, in an order drawn by lot, until one fails; but nothing that was forgotten meanwhile. */
  const deliver = async (): Promise<void> => {
    const order = waiting();
    while (order.length) {
      const upload = order.splice(pick(order.length), 1)[0]!;
      if (waiting().includes(upload) && !(await send(upload))) return;
    }
  };

  /** Before a bulletin is half as old as it may be, whichever tab or page asked last: many pages ask no more often than one. */
  const dueAt = () => ledger.fetchedAt + blurred(ledger.maxAge / 2);

  const renew = async (): Promise<void> => {
    try {
      if (!task) {
        const found = await learnTask(id, schemes, change, ask);
        trouble = !(found.epsilon <= maxEpsilon) ? "maxEpsilon" : found.size && !found.fields.other ? "other" : "";
        if (trouble) {
          end = "refused";
          return wipe();
        }
        if (WITH_LISTS) await learnList(found, change, ask);
        task = found;
      }
      const begun = now();
      lookAtClocks(); // the last transaction may be hours old
      if (!ledger.heldBytes || ledger.isDoubtful || begun >= dueAt()) await renewBulletin(id, task, change, ask, ledger, begun);
      if (!waiting().length) {
        failures = 0;
        trouble = "";
      }
      nextRenewal = dueAt();
    } catch (wrong) {
      trouble = "" + wrong;
      nextRenewal = now() + pause(failures++);
    }
  };

  /** Learn, renew, draw, send what is due. One tab at a time. */
  const round = async (pressed?: boolean): Promise<void> => {
    let due = now() + LONGEST_SLEEP;
    try {
      await navigator.locks.request(NAME + id, async () => {
        await readUploads();
        if (end || site.optedOut) return;
        if (abort.signal.aborted) abort = new AbortController();
        nextTick ||= now() + blurred(gather);
        if (now() >= nextRenewal) await renew();
        if (task) isAble(task);
        await draw(true);
        if (pressed || now() >= nextTick) {
          nextTick = now() + gather;
          if (mayBeSent() && (pressed || now() >= nextTry)) await deliver();
        }
        due = Math.min(due, nextRenewal, nextTick);
      });
    } catch (wrong) {
      trouble = "" + wrong;
    }
    clearTimeout(timer);
    if (!end) timer = setTimeout(round, 1000 * (Math.max(0.02, due - now()) || LONGEST_SLEEP));
  };

  /** The page may never run again: what is on the disk leaves now. */
  const hide = (): void => {
    if (document.hidden && mayBeSent()) waiting().forEach(send);
  };

  opened.catch(lose);
  channel.onmessage = ({ data }) => {
    if (data) forget();
    round();
  };
  addEventListener("visibilitychange", hide);
  if (end) wipe().catch(() => 0);
  else round();

  const reporter: Reporter = {
    report(item) {
      const why = end || (site.optedOut ? "opted out" : inbox.length + waiting().length < MOST_WAITING ? "" : "full");
      if (why) return why;
      const code = task?.codeOf(item);
      inbox.push([now(), item, code]);
      draw();
      return task && code === task.other ? "other" : "taken";
    },
    async flush() {
      await round(true);
      return !(inbox.length + waiting().length);
    },
    optOut: () => wipe(true),
    async optIn() {
      await change(() => (site.optedOut = false));
      channel.postMessage(0);
      await round();
    },
    async explain() {
      return explain(id, end, trouble, ledger, site, task, ceilings, now(), inbox.length, uploads);
    },
    close() {
      end = "closed";
      (globalThis as any).hgldpReporters.delete(reporter);
      clearTimeout(timer);
      channel.close();
      removeEventListener("visibilitychange", hide);
      abort.abort();
    },
  };
  ((globalThis as any).hgldpReporters ??= new Set()).add(reporter);
  return reporter;
};
