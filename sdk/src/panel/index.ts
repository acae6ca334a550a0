/** `<hgldp-privacy-panel>`: what all reporters of this page have sent, what that means, and one switch for the whole site. */

import type { Explanation } from "../explanation.js";
import type { Reporter } from "../public.js";
import { make, say } from "./elements.js";
import { SentList } from "./sent.js";
import { STYLE } from "./style.js";
import { canSwitch, figures, meaning, statesInWords } from "./words.js";

const PAUSE = 1000;

/** The element, for scripts. */
export interface PrivacyPanel extends HTMLElement {
  /** Look again now. It also looks by itself once a second. */
  refresh(): Promise<void>;
}

const reporters = (): Reporter[] => [...((globalThis as any).hgldpReporters ?? [])];

/** Make the element known to the page, once. Where there is no document, nothing happens. */
export const definePanel = (name = "hgldp-privacy-panel"): void => {
  if (typeof customElements == "undefined" || customElements.get(name)) return;
  customElements.define(
    name,
    class extends HTMLElement implements PrivacyPanel {
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
        const sent = make("h3", {}, "What leaves this device for this page");
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
        const found = await Promise.all(reporters().map((each) => each.explain()));
        this.#show([...new Map(found.map((each) => [each.id, each])).values()]);
      }

      async #turn(): Promise<void> {
        const [any] = reporters();
        await (this.#switch.ariaChecked == "true" ? any?.optOut() : any?.optIn());
        await this.refresh();
      }

      #show(found: Explanation[]): void {
        const open = found.filter(({ state }) => canSwitch(state));
        say(this.#state, statesInWords(found));
        this.#switch.disabled = !open.length;
        this.#switch.ariaChecked = String(open.some(({ state }) => state != "opted out"));
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
