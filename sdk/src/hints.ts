/** The reporter with pfr alone, over lists, over strings, and over strings of which a public list names some. */

import { hinted } from "./hinted.js";
import { pfr } from "./pfr.js";
import type { Options, Reporter as Started } from "./public.js";
import { startReporter } from "./reporter.js";

export type { Explanation } from "./explanation.js";
export type { Options, Outcome } from "./public.js";
export type { Upload } from "./store.js";

/** Randomises events in this page and sends the results. */
export interface Reporter extends Started {}
export class Reporter {
  constructor(options: Options) {
    return startReporter(options, { pfr, "pfr-hints": hinted });
  }
}
