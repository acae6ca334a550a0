/**
 * The ledgers and the uploads of all tasks of a site, in one IndexedDB database. All tabs share it, and every change is one
 * transaction: what was spent and what was drawn for it reach the disk together, or not at all, and never after opting out.
 */

import { freshLedger, type Ledger, type Site } from "./ledger.js";

/**
 * Its place, when it was made, the collector's answer (0 while it waits), its bytes, and the first symbol that may not be in it.
 * The place is the number of reports made until then, so it grows; the key is the task's id and the place.
 */
export interface Upload {
  place: number;
  second: number;
  status: number;
  bytes: Uint8Array;
  limit: number;
}

/** Change the task's ledger, and perhaps the other records and what the site shares; durable when it resolves. */
export type Change = <T>(step: (ledger: Ledger, records: IDBObjectStore, site: Site) => T) => Promise<T>;

/** The name of the database, and of the channel between tabs. */
export const NAME = "hgldp";
const SITE = "site";
const RECORDS = "records";

/**
 * Open the store: what all tasks share, uploads, and documents and lists under their hashes. Fails where the browser blocks
 * storage. Tells when the browser closes it.
 */
export const openStore = (id: string, onClose: () => void): Promise<Change> =>
  new Promise((opened, blocked) => {
    const request = indexedDB.open(NAME);
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
            const found = records.get(SITE);
            found.onsuccess = () => {
              const site = found.result ?? { optedOut: false, ledgers: {} };
              answer = step((site.ledgers[id] ??= freshLedger()), records, site);
              records.put(site, SITE);
            };
            transaction.oncomplete = () => done(answer);
            transaction.onabort = () => failed(transaction.error);
          }),
      );
    };
  });
