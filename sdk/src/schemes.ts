/** Every scheme, by its name. */

import { hotLists } from "./hot-list.js";
import { pfr } from "./pfr.js";
import type { Schemes } from "./scheme.js";

/** What the reporter with every scheme knows. */
export const SCHEMES: Schemes = { pfr, bgr: hotLists, dsr: hotLists, bdr: hotLists, cnr: hotLists };
