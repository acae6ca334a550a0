/** Learning the task and renewing the bulletin: on a timer, never because an event happened. */

import { withoutSet } from "./bulletin.js";
import { DAY, hasPassed, HOUR, momentOf, type Ledger } from "./ledger.js";
import type { Schemes } from "./scheme.js";
import { readLines } from "./lines.js";
import type { Change } from "./store.js";
import { must, readJson, readTask, type Task } from "./task.js";
import { sha256, type Ask } from "./transport.js";

declare const WITH_LISTS: boolean;

const MOST_KEPT = 1 << 24;

const get = async (ask: Ask, path: string, mostBytes?: number): Promise<Uint8Array> => {
  const [status, body] = await ask(path, undefined, mostBytes);
  must(status == 200, "" + status);
  return body;
};

/**
 * What is named by its hash, from the store or the collector. It is believed only if it hashes to its name. A list for which the
 * browser has no room is used all the same: else it would be fetched again and again.
 */
const learn = async (change: Change, ask: Ask, what: string, path: string, name: string, mark: string): Promise<Uint8Array> => {
  const kept = await change((_, records): IDBRequest<Uint8Array | undefined> => records.get(name));
  const found = kept.result ?? (await get(ask, path, MOST_KEPT));
  must((await sha256(mark, found)) == name, what);
  if (!kept.result) {
    const keeping = change((_, records, site) => site.optedOut || records.put(found, name));
    await (WITH_LISTS ? keeping.catch(() => 0) : keeping);
  }
  return found;
};

/** The task, by its id. */
export const learnTask = async (id: string, schemes: Schemes, change: Change, ask: Ask): Promise<Task> =>
  readTask(await learn(change, ask, "task", `tasks/${id}/document`, id, "hgldp task 1"), schemes);

/** The public list of a task that is agreed to, if it names one. A list with the right hash is kept even if it cannot be read. */
export const learnList = async (task: Task, change: Change, ask: Ask): Promise<void> => {
  const [, mostBytes, name, count] = task.fields.domain;
  if (task.fields.scheme == "pfr-hints")
    task.lineOf = await readLines(await learn(change, ask, "list", "hints/" + name, name, ""), count, mostBytes);
};

/**
 * Ask which bulletin is current, and take it if it may be taken. A bulletin that contradicts the one in force (an earlier
 * epoch, or a second one for the same epoch) is believed only if the server shows nothing else for an hour; one that has
 * to stay is exchanged no sooner than its time. Whatever is wrong, nothing is sent until a good one comes.
 */
export const renewBulletin = async (id: string, task: Task, change: Change, ask: Ask, held: Ledger, now: number): Promise<void> => {
  const notice = readJson(await get(ask, `tasks/${id}/bulletin`));
  const version = "" + notice.bulletin;
  const maxAge = notice.max_age;
  const epoch = +notice.epoch;
  must(/^[\da-f]{64}$/.test(version) && epoch >= 0 && maxAge >= 1);
  const mayGo = hasPassed(held, held.heldSince, task.stays);
  let { heldBytes, doubtedSince } = held;
  let isDoubtful = true;
  let taken = false;
  try {
    must(notice.task == id);
    if (heldBytes && (epoch < held.heldEpoch || (epoch == held.heldEpoch && version != held.heldVersion))) {
      doubtedSince ??= momentOf(held);
      must(mayGo && hasPassed(held, doubtedSince, HOUR));
    }
    if (!heldBytes || version != held.heldVersion) {
      if (!mayGo && version != held.heldOne) must(heldBytes);
      else {
        isDoubtful = false;
        heldBytes = await get(ask, `bulletins/${version}/with-set`);
        isDoubtful = taken = true;
        must((await sha256(withoutSet(heldBytes))) == version);
        const answering = task.answerTo(task, heldBytes);
        must(answering.taskId == id && answering.epoch == epoch);
      }
    }
  } catch (wrong) {
    if (isDoubtful) await change((ledger) => Object.assign(ledger, { isDoubtful, doubtedSince }));
    throw wrong;
  }
  await change((ledger) => {
    Object.assign(ledger, { fetchedAt: now, maxAge: Math.min(maxAge, DAY), isDoubtful: false, doubtedSince: undefined });
    if (!taken) return;
    Object.assign(ledger, { heldVersion: version, heldBytes, heldEpoch: epoch });
    if (task.stays && version != ledger.heldOne) {
      ledger.heldSince = ledger.heldOne ? momentOf(ledger) : undefined;
      ledger.heldOne = version;
    }
  });
};
