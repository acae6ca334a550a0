/** The reporter with pfr alone, over lists and over strings. */

import { pfr } from "./pfr.js";
import { startReporter, type Options, type Reporter as Started } from "./reporter.js";

export type { Explanation, SentUpload } from "./explanation.js";
export type { Options, Outcome } from "./reporter.js";

/** Randomises events in this page and sends the results. */
export interface Reporter extends Started {}
export class Reporter {
  constructor(options: Options) {
    return startReporter(options, [pfr]);
  }
}
