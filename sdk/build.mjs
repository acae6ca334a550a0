/** Builds every file that is published: for npm into dist/, and for the collector into the Python package. */

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { minify } from "terser";
import { planting } from "./planting.mjs";

/** Into the Python package, and from there to every page; or elsewhere for tests. */
const SERVED = process.env.SERVED ?? "../src/hgldp/collector/sdk/static";
const DIST = process.env.SERVED ?? "dist";

const BOTH = ["esm", "iife"];

/** What is built, in which formats, under which global name, and how large it may be in bytes, gzipped. */
const FILES = [
  { entry: "src/index.ts", name: "hgldp", formats: BOTH, global: "hgldp", most: 5760 },
  { entry: "src/all.ts", name: "hgldp-all", formats: BOTH, global: "hgldp", most: 6464 },
  { entry: "src/hints.ts", name: "hgldp-hints", formats: BOTH, global: "hgldp", most: 6336 },
  { entry: "src/panel/index.ts", name: "panel", formats: ["esm"], most: 5376 },
  { entry: "src/panel/script.ts", name: "panel", formats: ["iife"], most: 5376 },
  { entry: "src/pages/example.ts", name: "example", formats: ["iife"], most: 4096, onlyServed: true },
  { entry: "src/playground/page.ts", name: "playground", formats: ["iife"], most: 10240, onlyServed: true },
];
/** The only one that knows tasks with a public list. */
const WITH_LISTS = "src/hints.ts";
const ENDINGS = { esm: "mjs", iife: "js" };

/** Names in the database: they never change, or visitors would start with a new budget. */
const LEDGER_NAMES = JSON.parse(readFileSync("ledger-names.json", "utf8"));

/** Names that no standard object and no document on the wire has, so that they can be shortened everywhere. */
const INTERNAL = [
  ...Object.keys(LEDGER_NAMES),
  ...["numerator", "denominator", "stays", "among", "mostReports", "codeOf", "fields"],
  ...["taskId", "symbolLimit", "drawSymbol", "cellOf", "answerTo", "lineOf"],
  ...["modulus", "drawResidue", "slot", "coldItem", "coldRank"],
];

/** The same as one statement for a script tag; what the module exports becomes a global, if it has a name. */
const asScript = (code, global) =>
  `${global ? `var ${global}=` : ""}(()=>{${code.replace(/export\{([^}]*)\};?\s*$/, (_, names) => `return{${names.replace(/([\w$]+) as (\w+)/g, "$2:$1")}}`)}})();`;

const written = async (entry, format, global) => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    target: "es2022",
    define: { WITH_LISTS: String(entry == WITH_LISTS) },
    format: "esm",
    mangleProps: new RegExp(`^(${INTERNAL.join("|")})$`),
    mangleCache: { ...LEDGER_NAMES },
    plugins: [planting],
  });
  const { code } = await minify(outputFiles[0].text, {
    module: true,
    toplevel: true,
    ecma: 2020,
    compress: { unsafe_arrows: true, pure_getters: true, unsafe: true, unsafe_math: false },
    format: { ascii_only: true },
  });
  return (format == "esm" ? code : asScript(code, global)) + "\n";
};

mkdirSync(SERVED, { recursive: true });
mkdirSync(DIST, { recursive: true });
const rows = [];
for (const { entry, name, formats, global, most, onlyServed } of FILES)
  for (const format of formats) {
    const ending = ENDINGS[format];
    const code = await written(entry, format, global);
    if (!onlyServed) writeFileSync(`${DIST}/${name}.${ending}`, code);
    writeFileSync(`${SERVED}/${name}.${ending}`, code);
    const size = gzipSync(code, { level: 9 }).length;
    rows.push([`${name}.${ending}`, code.length, size, most, createHash("sha384").update(code).digest("base64").slice(0, 12)]);
  }
console.log("file              bytes  gzipped  at most  sha384");
for (const [name, bytes, size, most, hash] of rows)
  console.log(`${name.padEnd(16)} ${String(bytes).padStart(6)}  ${String(size).padStart(7)}  ${String(most).padStart(7)}  ${hash}…${size > most ? "  too large" : ""}`);
/** A planted mistake may make a file larger. */
if (!process.env.PLANT && rows.some(([, , size, most]) => size > most)) process.exitCode = 1;
