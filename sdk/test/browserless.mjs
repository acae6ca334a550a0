/**
 * As much of a browser as the built script needs, in memory, so that many devices fit into one process: IndexedDB, locks,
 * and a collector behind `fetch`. The tests in a real browser are in tests/sdk.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import vm from "node:vm";

/** Node's own Blob, digest and AbortController are made for real files and networks, and cost more than all that the script does. */
class Blob {
  constructor(parts) {
    this.parts = parts;
  }

  async arrayBuffer() {
    return Uint8Array.from(Buffer.concat(this.parts.map((part) => Buffer.from(part)))).buffer;
  }
}
const digest = async (_, data) => Uint8Array.from(createHash("sha256").update(Buffer.from(data)).digest()).buffer;
const neverAborted = { aborted: false };
const AbortSignal = { any: () => neverAborted, timeout: () => neverAborted };
class AbortController {
  signal = { aborted: false };

  abort() {
    this.signal.aborted = true;
  }
}

/** An answer that comes in one piece. */
const answer = (body, status = 200) => {
  const pieces = [{ value: Uint8Array.from(Buffer.from(body)) }];
  const read = async () => pieces.pop() ?? { done: true };
  return { status, headers: { get: () => null }, body: { getReader: () => ({ read }) } };
};

/** The system's entropy; or, for tests that must come out the same each time, splitmix64 from a seed. */
const entropy = (seed) => {
  if (!seed) return { subtle: { digest }, getRandomValues: (array) => crypto.getRandomValues(array) };
  let state = BigInt(seed);
  const word = () => {
    let mixed = (state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n));
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return mixed ^ (mixed >> 31n);
  };
  const getRandomValues = (array) => {
    const words = new BigUint64Array(array.buffer);
    for (let place = 0; place < words.length; place++) words[place] = word();
    return array;
  };
  return { subtle: { digest }, getRandomValues };
};

const later = (step) => queueMicrotask(step);

/** A copy of what a database would keep; bytes are never changed in place. */
const copied = (value) => {
  if (typeof value != "object" || value === null || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each)]));
};

/** One request after another; the transaction is complete when none is left. */
class Transaction {
  constructor(stores) {
    this.stores = stores;
    this.pending = 0;
    this.request(() => 0);
  }

  request(act) {
    const request = {};
    this.pending++;
    later(() => {
      request.result = act();
      request.onsuccess?.();
      if (--this.pending == 0) later(() => this.oncomplete?.());
    });
    return request;
  }

  objectStore(name) {
    const { records } = this.stores.get(name);
    return {
      get: (key) => this.request(() => copied(records.get("" + key))),
      put: (value, key) => this.request(() => void records.set("" + key, copied(value))),
      delete: (key) => this.request(() => void records.delete("" + key)),
      clear: () => this.request(() => records.clear()),
      getAll: (start) => this.request(() => [...records].filter(([key]) => key.startsWith(start)).map(([, value]) => copied(value))),
    };
  }
}

const newIndexedDB = () => {
  const stores = new Map();
  return {
    open: () => {
      const request = {};
      request.result = {
        createObjectStore: (name) => stores.set(name, { records: new Map() }),
        transaction: () => new Transaction(stores),
      };
      later(() => {
        request.onupgradeneeded();
        request.onsuccess();
      });
      return request;
    },
  };
};

const hex = (bytes) => Buffer.from(bytes).toString("hex");

/** The uploads of a task are the only range that the script asks for: all that starts with its id and a comma. */
const IDBKeyRange = { bound: ([id]) => id + "," };

/** How long the mark of each kind of bulletin is, if not 16 bytes. */
const MARKS = { "hgldp open 1": 12, "hgldp hints 1": 13 };

/** A collector that shows one task and one bulletin, its difference set in front, perhaps a list, and keeps what comes. */
export class Collector {
  constructor(task, bulletin, set, list = Buffer.alloc(0)) {
    this.id = createHash("sha256").update("hgldp task 1").update(task).digest("hex");
    const version = createHash("sha256").update(bulletin).digest("hex");
    const kind = Object.keys(MARKS).find((mark) => bulletin.subarray(0, mark.length).toString() == mark);
    const mark = MARKS[kind] ?? 16;
    const epoch = Number(bulletin.readBigUInt64BE(mark + 32));
    const notice = { task: this.id, bulletin: version, epoch, max_age: 3600 };
    this.pages = new Map([
      [`/v1/tasks/${this.id}/document`, task],
      [`/v1/tasks/${this.id}/bulletin`, Buffer.from(JSON.stringify(notice))],
      [`/v1/bulletins/${version}/with-set`, Buffer.concat([set, bulletin])],
      [`/v1/hints/${createHash("sha256").update(list).digest("hex")}`, list],
    ]);
    this.uploads = [];
  }

  fetch = async (address, { method, body }) => {
    const page = this.pages.get(new URL(address).pathname);
    if (method == "GET") return page ? answer(page) : answer("{}", 404);
    this.uploads.push(body);
    return answer(`{"accepted":${Buffer.from(body).readUInt32BE(52)}}`);
  };
}

/** A world in which the script of a built file has run. */
export const newWorld = (file, seed) => {
  const world = {
    ...{ AbortController, AbortSignal, BigUint64Array, Blob, IDBKeyRange, TextDecoder, Uint8Array, Uint32Array },
    ...{ crypto: entropy(seed), performance, queueMicrotask, URL, Promise, Map, Set, Array, Object, JSON, Math, Number, BigInt },
    setTimeout: () => 0,
    clearTimeout: () => 0,
    addEventListener: () => 0,
    removeEventListener: () => 0,
    BroadcastChannel: class {
      close() {}
      postMessage() {}
    },
    navigator: { locks: { request: async (_, act) => act() } },
    document: { hidden: false },
  };
  vm.createContext(world);
  vm.runInContext(readFileSync(file, "utf8"), world);
  const start = vm.runInContext("(options) => new hgldp.Reporter(options)", world);
  return { world, start };
};

/** A reporter on a device that has sent nothing before. One at a time in a world. */
export const newDevice = ({ world, start }, collector, options) => {
  world.indexedDB = newIndexedDB();
  world.fetch = collector.fetch;
  return start({ url: "http://collector", task: collector.id, key: "k".repeat(43), ...options });
};

/** What one upload says: its symbols, each of so many bytes. */
export const symbolsOf = (upload, width) => {
  const found = [];
  const data = Buffer.from(upload);
  for (let place = 0; place < data.readUInt32BE(52); place++) found.push(data.readUIntBE(56 + place * width, width));
  return found;
};

export { hex };
