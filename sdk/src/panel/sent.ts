/** The list of what leaves the device: every upload with its time, its answer, its symbols and every byte. */

import type { Explanation } from "../explanation.js";
import type { Upload } from "../store.js";
import { decodeUpload } from "../reading.js";
import { hex } from "../upload.js";
import { make, say } from "./elements.js";
import { answerInWords, counted, whyEmpty } from "./words.js";

const AT_ONCE = 10;
const IN_GROUPS = /.{1,4}/g;

/** Four bytes of the head of an upload say how many reports it has. */
const reportsOf = ({ bytes }: Upload): number => new DataView(bytes.buffer, bytes.byteOffset).getUint32(52);

const symbolsOf = ({ bytes, limit }: Upload): string => {
  try {
    return decodeUpload(bytes, limit).symbols.join(", ");
  } catch {
    return "";
  }
};

/** A list that is kept up to date: rows that a visitor has opened stay open. */
export class SentList {
  readonly element = make("div");
  private readonly list = make("ol");
  private readonly nothing = make("p", { class: "nothing" });
  private readonly older = make("button", { type: "button" });
  private readonly rows = new Map<string, HTMLLIElement>();
  private shown = AT_ONCE;
  private latest: Explanation[] = [];

  constructor() {
    this.element.append(this.nothing, this.list, this.older);
    this.older.addEventListener("click", () => {
      this.shown += AT_ONCE;
      this.show(this.latest);
    });
  }

  /** Show what explanations list, the newest first. */
  show(found: Explanation[]): void {
    this.latest = found;
    const newest = found.flatMap(({ uploads }) => uploads).sort((one, other) => other.second - one.second || other.place - one.place);
    const visible = newest.slice(0, this.shown).map((upload) => this.row(upload));
    visible.forEach((row, place) => this.list.children[place] == row || this.list.insertBefore(row, this.list.children[place] ?? null));
    while (this.list.children.length > visible.length) this.list.lastChild!.remove();
    this.nothing.hidden = newest.length > 0;
    say(this.nothing, whyEmpty(found));
    this.older.hidden = newest.length <= this.shown;
    say(this.older, `Show older ones (${(newest.length - visible.length).toLocaleString("en")} more)`);
    const ids = new Set(newest.map(({ bytes }) => hex(bytes.subarray(4, 20))));
    for (const id of this.rows.keys()) if (!ids.has(id)) this.rows.delete(id);
  }

  private row(upload: Upload): HTMLLIElement {
    const id = hex(upload.bytes.subarray(4, 20));
    const row = this.rows.get(id) ?? newRow(upload);
    this.rows.set(id, row);
    say(row.querySelector(".answer")!, answerInWords(upload.status));
    say(row.querySelector(".left")!, `These ${upload.bytes.length} bytes ${upload.status > 1 ? "left" : "are all of this that will leave"}:`);
    return row;
  }
}

const newRow = (upload: Upload): HTMLLIElement => {
  const made = new Date(upload.second * 1000);
  const time = make("time", { datetime: made.toISOString() }, made.toLocaleString());
  const reports = reportsOf(upload);
  const symbols = symbolsOf(upload);
  const inside = make("div", { class: "bytes" });
  if (symbols)
    inside.append(
      make("p", {}, `${reports == 1 ? "The random answer is the number" : "The random answers, shuffled, are the numbers"}`),
      make("code", {}, symbols),
    );
  inside.append(
    make("p", { class: "left" }),
    make("code", {}, hex(upload.bytes).match(IN_GROUPS)!.join(" ")),
  );
  const answer = make("span", { class: "answer" });
  return make("li", {}, make("details", {}, make("summary", {}, "Made ", time, ` · ${counted(reports, "report")} · `, answer), inside));
};
