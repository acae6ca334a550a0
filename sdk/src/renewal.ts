/** Learning the task and renewing the bulletin: on a timer, never because an event happened. */

import { HOUR, startOf, type Ledger } from "./ledger.js";
import type { Scheme } from "./scheme.js";
import { DOCUMENT, type Store } from "./store.js";
import { must, readTask, type Task } from "./task.js";
import { readJson, sha256, type Ask } from "./transport.js";

const MOST_TASK = 1 << 24;
const MOST_NOTICE = 1 << 12;
const MOST_BULLETIN = 1 << 20;

const get = async (ask: Ask, path: string, mostBytes: number): Promise<Uint8Array> => {
  const [status, body] = await ask(path, mostBytes);
  must(status == 200, "status " + status);
  return body;
};

/** The task, from the store or the collector. It is believed only if it hashes to its id. */
export const learnTask = async (id: string, schemes: Scheme[], store: Store, ask: Ask): Promise<Task> => {
  const document = (await store.taskDocument()) ?? (await get(ask, `tasks/${id}/document`, MOST_TASK));
  must((await sha256("hgldp task 1", document)) == id, "task");
  await store.change((ledger, records) => ledger.optedOut || records.put(document, DOCUMENT));
  return readTask(document, schemes);
};

/**
 * Ask which bulletin is current, and take it if it may be taken. A bulletin that contradicts the one in force (an earlier
 * epoch, or a second one for the same epoch) is believed only if the server shows nothing else for an hour; one that has
 * to stay is exchanged no sooner than its time. Whatever is wrong, nothing is sent until a good one comes.
 */
export const renewBulletin = async (id: string, task: Task, store: Store, ask: Ask, held: Ledger, now: number): Promise<void> => {
  const notice = readJson(await get(ask, `tasks/${id}/bulletin`, MOST_NOTICE));
  const { bulletin: version, max_age: maxAge } = notice;
  const epoch = +notice.epoch;
  must(/^[\da-f]{64}$/.test(version) && epoch >= 0 && maxAge >= 1, "notice");
  const until = held.heldSince < 0 ? 0 : held.heldSince + task.stays;
  let { heldBytes, doubtedSince } = held;
  let isDoubtful = true;
  let taken = false;
  try {
    must(notice.task == id);
    if (heldBytes && (epoch < held.heldEpoch || (epoch == held.heldEpoch && version != held.heldVersion))) {
      doubtedSince ||= now;
      must(now >= Math.max(doubtedSince + HOUR, until), "contradiction");
    }
    if (!heldBytes || version != held.heldVersion) {
      if (now < until && startOf(version) != held.heldOne) must(heldBytes, "lost");
      else {
        isDoubtful = false;
        heldBytes = await get(ask, "bulletins/" + version, MOST_BULLETIN);
        isDoubtful = taken = true;
        must((await sha256(heldBytes)) == version);
        const answering = task.scheme.answerTo(task, heldBytes);
        must(answering.taskId == id && answering.epoch == epoch);
      }
    }
  } catch (wrong) {
    if (isDoubtful) await store.change((ledger) => Object.assign(ledger, { isDoubtful, doubtedSince }));
    throw wrong;
  }
  await store.change((ledger) => {
    Object.assign(ledger, { fetchedAt: now, maxAge, isDoubtful: false, doubtedSince: 0 });
    if (taken) Object.assign(ledger, { heldVersion: version, heldBytes, heldEpoch: epoch });
    if (taken && task.stays && startOf(version) != ledger.heldOne) {
      ledger.heldSince = ledger.heldOne ? Math.ceil(now) : -1;
      ledger.heldOne = startOf(version);
    }
  });
};
