/** A mistake to plant: `PLANT='{"file": "exact.ts", "from": "…", "to": "…"}'` builds with one text replaced, for tests. */

import { readFileSync } from "node:fs";

const PLANT = process.env.PLANT ? JSON.parse(process.env.PLANT) : null;

/** A plugin of esbuild. */
export const planting = {
  name: "planting",
  setup: ({ onLoad }) =>
    PLANT &&
    onLoad({ filter: new RegExp(`/${PLANT.file}$`) }, ({ path }) => {
      const [before, after, ...more] = readFileSync(path, "utf8").split(PLANT.from);
      if (after === undefined || more.length) throw Error(`${PLANT.file} must hold ${PLANT.from} once`);
      return { contents: before + PLANT.to + after, loader: "ts" };
    }),
};
