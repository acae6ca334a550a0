/**
 * The ledger and the uploads in IndexedDB. All tabs of a site share them, and every change is one transaction: what was
 * spent and what was drawn for it reach the disk together, or not at all.
 */

import { freshLedger, type Ledger } from "./ledger.js";

/** Bytes, the second they were made, the collector's answer (0 while they wait), and the first symbol that may not be sent. */
export type Upload = [bytes: Uint8Array, made: number, status: number, limit: number];

/** So many uploads are kept, sent or not. */
export const MOST_UPLOADS = 1000;

/** The store of one task: its ledger, its document, and uploads under numbers that grow. */
export interface Store {
  /** Change the ledger, and perhaps the rest; durable when it resolves. */
  change: <T>(step: (ledger: Ledger, records: IDBObjectStore) => T) => Promise<T>;
  /** All uploads that are kept, with their keys, oldest first. */
  listUploads: () => Promise<[number, Upload][]>;
  /** The task's document, as it was fetched. */
  taskDocument: () => Promise<Uint8Array | undefined>;
}

const LEDGER = "ledger";
/** The key of the task's document. */
export const DOCUMENT = "task";
const RECORDS = "records";

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

/** Open the store of a task. Fails where the browser blocks storage. */
export const openStore = async (name: string): Promise<Store> => {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, { autoIncrement: true });
  const database = await result(request);
  const begin = (mode: IDBTransactionMode) => database.transaction(RECORDS, mode, { durability: "strict" });
  const read = () => begin("readonly").objectStore(RECORDS);
  return {
    change: (step) =>
      new Promise((done, failed) => {
        let answer: any;
        const transaction = begin("readwrite");
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
    listUploads: async () => {
      const records = read();
      const [keys, values] = await Promise.all([result(records.getAllKeys()), result(records.getAll())]);
      return keys.map((key, at) => [key as number, values[at]] as [number, Upload]).filter(([key]) => key > 0);
    },
    taskDocument: () => result(read().get(DOCUMENT)),
  };
};
