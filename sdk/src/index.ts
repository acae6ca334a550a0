/** The reporter with pfr alone, over lists and over strings. */

import { pfr } from "./pfr.js";
import { startReporter, type Options, type Reporter as Started } from "./reporter.js";

export type { Explanation, SentUpload } from "./explanation.js";
export type { Options, Outcome } from "./reporter.js";

/** Randomises events in this page and sends the results. */
export type Reporter = Started;
export const Reporter = function (options: Options) {
  return startReporter(options, [pfr]);
} as unknown as new (options: Options) => Reporter;
