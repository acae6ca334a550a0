/** The panel for a script tag: it makes the element known by itself. */

import { definePanel } from "./index.js";

definePanel();
