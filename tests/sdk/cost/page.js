// What a page does while it is measured. Marks say which tasks of the main thread belong to what: `cost NAME` … `cost end`.
globalThis.cost = (() => {
  const rest = (milliseconds) => new Promise((next) => setTimeout(next, milliseconds));
  const end = () => performance.mark("cost end");

  /** The same again and again, each time under a new mark, until there were so many or the time is up. */
  const repeat = async (name, count, seconds, step) => {
    const last = performance.now() + 1000 * seconds;
    let done = 0;
    for (; done < count && performance.now() < last; done++) {
      await rest(3);
      performance.mark("cost " + name);
      await step();
      await rest(3);
      end();
    }
    return done;
  };

  const flush = async () => {
    while (!(await hot.flush()));
  };
  const report = (count) => {
    for (let n = 0; n < count; n++) hot.report(items[n % items.length]);
  };
  const drawn = async () => {
    while ((await hot.explain()).waiting) await rest(1);
  };

  /** Copies of the last upload, which was sent, until the database holds so many. */
  const keep = async (count) => {
    await flush();
    await flush(); // the first one has removed what is too much
    const { id, uploads } = await hot.explain();
    const copies = count - uploads.length;
    const found = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
    const database = await found(indexedDB.open("hgldp"));
    const records = database.transaction("records", "readwrite").objectStore("records");
    const { value } = await found(records.openCursor(IDBKeyRange.bound([id, 1], [id, Infinity]), "prev"));
    for (let place = 1e9; place < 1e9 + copies; place++) records.put({ ...value, place }, [id, place]);
    await new Promise((done) => (records.transaction.oncomplete = done));
    database.close();
    await flush();
    return (await hot.explain()).uploads.length;
  };

  return {
    keep,
    /** Reports, so many at once, until the collector has them. */
    reports: (name, count, seconds, atOnce) =>
      repeat(name, count, seconds, async () => {
        report(atOnce);
        await flush();
      }),
    idle: (name, count, seconds) => repeat(name, count, seconds, () => rest(50)),
    /** A round that the page asks for. */
    round: (name) => repeat(name, 1, 1, flush),
    start: (name, options) =>
      repeat(name, 1, 1, () => {
        globalThis.hot = new hgldp.Reporter(options);
        return flush();
      }),
    /** The visitor leaves while uploads wait that were drawn one by one. */
    leave: async (name, uploads, seconds) => {
      const last = performance.now() + 1000 * seconds;
      for (let n = 0; n < uploads; n++) {
        if (performance.now() > last) throw Error(`${n} of ${uploads} uploads were drawn in ${seconds} seconds`);
        report(1);
        await drawn();
      }
      const done = await repeat(name, 1, 1, async () => {
        Object.defineProperty(document, "hidden", { value: true, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        delete document.hidden;
        await rest(300);
      });
      await flush();
      return done;
    },
    /** Seconds until so many reports are drawn and on the disk, and until the collector has them. */
    speed: async (count) => {
      const start = performance.now();
      for (let left = count; left > 0; left -= 1000) {
        report(Math.min(left, 1000));
        await drawn();
      }
      const made = performance.now();
      await flush();
      return [made - start, performance.now() - start].map((milliseconds) => milliseconds / 1000);
    },
  };
})();
