/** Bundles every test and runs it with Node's own runner. */

import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { planting } from "../planting.mjs";

const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
/** With `oracle`, only what the Python tests talk to is bundled. */
const onlyOracle = process.argv[2] == "oracle";
await build({
  entryPoints: onlyOracle ? ["test/oracle.ts"] : tests.map((name) => `test/${name}`),
  bundle: true,
  platform: "node",
  format: "esm",
  outdir: process.env.OUT ?? "build/test",
  plugins: [planting],
  outExtension: { ".js": ".mjs" },
  logLevel: "warning",
});
if (onlyOracle) process.exit();
const files = tests.map((name) => `build/test/${name.replace(/ts$/, "mjs")}`);
process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
