/**
 * The ledger and the uploads in IndexedDB. All tabs of a site share them, and every change is one transaction: what was
 * spent and what was drawn for it reach the disk together, or not at all.
 */

import { freshLedger, type Ledger } from "./ledger.js";

/**
 * Its key, when it was made, the collector's answer (0 while it waits), its bytes, and the first symbol that may not be in it.
 * The key is the number of reports made until then, so it grows.
 */
export interface Upload {
  place: number;
  second: number;
  status: number;
  bytes: Uint8Array;
  limit: number;
}

/** Change the ledger, and perhaps the other records; durable when it resolves. */
export type Change = <T>(step: (ledger: Ledger, records: IDBObjectStore) => T) => Promise<T>;

const LEDGER = "ledger";
const RECORDS = "records";
/** The key of the task's document. */
export const DOCUMENT = "task";
/** The key of the public list that the document names. */
export const LIST = "list";

/**
 * Open the store of a task: its ledger, its document, and uploads. Fails where the browser blocks storage. Tells
 * when the browser closes it.
 */
export const openStore = (name: string, onClose: () => void): Promise<Change> =>
  new Promise((opened, blocked) => {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.result.createObjectStore(RECORDS);
    request.onerror = () => blocked(request.error);
    request.onsuccess = () => {
      request.result.onclose = onClose;
      opened(
        (step) =>
          new Promise((done, failed) => {
            let answer: any;
            const transaction = request.result.transaction(RECORDS, "readwrite", { durability: "strict" });
            const records = transaction.objectStore(RECORDS);
            const found = records.get(LEDGER);
            found.onsuccess = () => {
              const ledger = found.result ?? freshLedger();
              answer = step(ledger, records);
              records.put(ledger, LEDGER);
            };
            transaction.oncomplete = () => done(answer);
            transaction.onabort = () => failed(transaction.error);
          }),
      );
    };
  });
