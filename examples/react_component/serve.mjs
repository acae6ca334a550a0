/** Builds the page and serves it: `npm start -- 8000`. */

import { context } from "esbuild";
import { readFileSync } from "node:fs";

const { id: task, write_key: key } = JSON.parse(readFileSync("task.json", "utf8"));
const url = process.env.HGLDP_URL ?? "http://127.0.0.1:8080";
const page = await context({
  entryPoints: ["app.jsx"],
  outdir: "public",
  bundle: true,
  format: "esm",
  jsx: "automatic",
  loader: { ".txt": "text" },
  define: { "globalThis.OPTIONS": JSON.stringify({ url, task, key, maxEpsilon: 2 }) },
});
const { port } = await page.serve({ servedir: "public", host: "127.0.0.1", port: Number(process.argv[2] ?? 8000) });
console.log(`http://127.0.0.1:${port}`);
