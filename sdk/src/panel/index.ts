/** `<hgldp-privacy-panel>`: what this page has sent about its visitor, what that means, and a switch to stop it. */

import type { Explanation } from "../explanation.js";
import type { Reporter } from "../public.js";
import { make, say } from "./elements.js";
import { SentList } from "./sent.js";
import { STYLE } from "./style.js";
import { canSwitch, figures, meaning, stateInWords } from "./words.js";

const PAUSE = 1000;

/** What the panel needs of a reporter. */
export type Shown = Pick<Reporter, "explain" | "optOut" | "optIn">;

/** The element, for whoever writes scripts. */
export interface PrivacyPanel extends HTMLElement {
  /** Whose reports are shown: the first reporter of the page unless set. */
  reporter: Shown | undefined;
  /** Look again now. It also looks by itself once a second. */
  refresh(): Promise<void>;
}

const NOTHING: Explanation = {
  ...{ state: "none", reason: "", limit: "", task: undefined, today: 0, reports: 0, left: 0 },
  ...{ nextReport: 0, waiting: 0, uploads: [] },
};

/** Make the element known to the page, once. Where there is no document, nothing happens. */
export const definePanel = (name = "hgldp-privacy-panel"): void => {
  if (typeof customElements == "undefined" || customElements.get(name)) return;
  customElements.define(
    name,
    class extends HTMLElement implements PrivacyPanel {
      #chosen: Shown | undefined;
      #timer = 0;
      #state = make("p", { class: "state", role: "status" });
      #switch = make("button", { type: "button", class: "switch", role: "switch" }, "Take part");
      #meaning = make("div", { class: "meaning" });
      #figures = make("dl");
      #sent = new SentList();

      constructor() {
        super();
        const shadow = this.attachShadow({ mode: "open" });
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
        shadow.adoptedStyleSheets = [sheet];
        const title = make("h2", { id: "title" }, "Your privacy here");
        const sent = make("h3", {}, "What leaves this device");
        shadow.append(
          make(
            "section",
            { "aria-labelledby": "title" },
            make("header", {}, title, this.#switch),
            ...[this.#state, this.#meaning, this.#figures, sent, this.#sent.element],
          ),
        );
        this.#switch.addEventListener("click", () => this.#turn());
      }

      get reporter(): Shown | undefined {
        return this.#chosen ?? [...((globalThis as any).hgldpReporters ?? [])][0];
      }

      set reporter(found: Shown | undefined) {
        this.#chosen = found;
        void this.refresh();
      }

      connectedCallback(): void {
        const look = async () => {
          if (!document.hidden) await this.refresh();
          if (this.isConnected) this.#timer = setTimeout(look, PAUSE) as unknown as number;
        };
        void look();
      }

      disconnectedCallback(): void {
        clearTimeout(this.#timer);
      }

      async refresh(): Promise<void> {
        const { reporter } = this;
        this.#show(reporter ? await reporter.explain() : NOTHING);
      }

      async #turn(): Promise<void> {
        const { reporter } = this;
        await (this.#switch.ariaChecked == "true" ? reporter?.optOut() : reporter?.optIn());
        await this.refresh();
      }

      #show(found: Explanation): void {
        const open = canSwitch(found.state);
        say(this.#state, stateInWords(found.state));
        this.#switch.disabled = !open;
        this.#switch.ariaChecked = String(open && found.state != "opted out");
        fill(this.#meaning, meaning(found), (text) => [make("p", {}, text)]);
        fill(this.#figures, figures(found), ([label, number, cost]) => [
          make("dt", {}, label),
          make("dd", {}, number, make("span", { class: "cost" }, cost)),
        ]);
        this.#sent.show(found);
      }
    },
  );
};

/** Fill a part with elements, if what they say has changed. */
const fill = <T>(part: HTMLElement, values: T[], elements: (value: T) => HTMLElement[]): void => {
  const text = JSON.stringify(values);
  if (part.dataset.shown == text) return;
  part.dataset.shown = text;
  part.replaceChildren(...values.flatMap(elements));
};
