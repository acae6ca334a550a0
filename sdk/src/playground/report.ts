/** One report, step by step: the bytes that were drawn, what they chose, and what can be concluded from it. */

import { SCALE, systemWords } from "../exact.js";
import { make } from "../panel/elements.js";
import { counted, plain, roundedUp } from "../panel/words.js";
import { ITEMS, type Lesson } from "./lesson.js";
import { movedOdds, posterior, promised, type Ratio, toNumber, weights } from "./odds.js";
import { bar, stripe, tick } from "./plot.js";

/** A symbol, and the random words that chose it. */
export interface Drawn {
  symbol: number;
  words: bigint[];
}

/** Draw a report as the client does, and keep the words. */
export const draw = ({ answering }: Lesson, item: number): Drawn => {
  const words: bigint[] = [];
  const symbol = answering.drawSymbol(item, () => {
    words.push(systemWords());
    return words.at(-1)!;
  });
  return { symbol, words };
};

/** A word as eight bytes. */
export const bytesOf = (word: bigint): string => word.toString(16).padStart(16, "0").match(/../g)!.join(" ");

const share = (value: number): string => `${plain(100 * value)} %`;
const nameOf = (item: number): string => ITEMS[item]![0];

/** Every possible answer with its weight; those that speak for the item's cell weigh more. */
export const answerTiles = ({ answering, truth, cellOf, speaksFor }: Lesson, item: number, drawn: Drawn | undefined): HTMLElement[] => {
  const heavy = plain(Number(truth) / Number(SCALE));
  return Array.from({ length: answering.symbolLimit }, (_, symbol) => {
    const speaks = speaksFor(symbol, cellOf(item));
    const classes = ["tile", speaks ? "speaks" : "", symbol == drawn?.symbol ? "drawn" : ""].filter(Boolean).join(" ");
    const said = symbol == drawn?.symbol ? make("span", { class: "unseen" }, " (drawn)") : "";
    return make("li", { class: classes }, make("strong", {}, String(symbol)), said, make("span", {}, `weight ${speaks ? heavy : "1"}`));
  });
};

/** What the tiles show, in one sentence. */
export const aboutTiles = (lesson: Lesson, item: number): string => {
  const { speaking, own, total } = weights(lesson, lesson.cellOf(item));
  const heavy = plain(Number(lesson.truth) / Number(SCALE));
  return `There are ${lesson.answering.symbolLimit} possible answers. ${speaking == 1 ? "One speaks" : `${speaking} speak`} for the cell of ${nameOf(item)} and weigh${speaking == 1 ? "s" : ""} ${heavy}, which is e^ε; each other weighs 1. So the answer speaks for the truth with a chance of ${share(toNumber([own, total]))}; otherwise (${share(1 - toNumber([own, total]))}) it does not.`;
};

/** How the bytes became the answer. */
export const aboutDraw = (lesson: Lesson, item: number, { symbol, words }: Drawn): string => {
  const { own, total } = weights(lesson, lesson.cellOf(item));
  const speaks = lesson.speaksFor(symbol, lesson.cellOf(item));
  const place = (words.at(-1)! * total) >> 64n;
  return `They point at place ${share(toNumber([place, total]))} of all weights; up to ${share(toNumber([own, total]))} are those that speak for your drink. The answer is ${symbol}, which ${speaks ? "does" : "does not"} speak for it. Only this number would be sent.`;
};

/** A row for every drink: its chance before and after, and the band that it cannot leave. */
export const oddsRows = (lesson: Lesson, symbols: number[], item: number): HTMLElement[] => {
  const chances = posterior(lesson, symbols);
  const [low, high] = promised(lesson.task.epsilon, symbols.length);
  const widest = Math.min(1, Math.max(2.2 / ITEMS.length, 1.08 * high));
  const before = 1 / ITEMS.length;
  return chances.map((chance, place) => {
    const after = toNumber(chance);
    const drawing = bar(stripe("band", low / widest, high / widest), stripe("after", 0, after / widest), tick("before", before / widest));
    const row = make("tr", place == item ? { class: "yours" } : {});
    const name = make("th", { scope: "row" }, nameOf(place), place == item ? make("span", { class: "note" }, " (yours)") : "");
    const cell = make("td", { class: "drawing" });
    cell.append(drawing);
    row.append(name, cell, make("td", {}, share(after)));
    return row;
  });
};

/** Between which chances every drink stays. */
export const bandInWords = ({ task }: Lesson, reports: number): string => {
  const [low, high] = promised(task.epsilon, reports);
  return reports
    ? `Whatever the answer, every drink stays between ${share(low)} and ${share(high)}. Before, each had ${share(1 / ITEMS.length)}.`
    : `Each has ${share(1 / ITEMS.length)}.`;
};

const listed = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** What the collector can and cannot conclude. */
export const conclusion = (lesson: Lesson, symbols: number[], item: number): string[] => {
  if (!symbols.length)
    return [`Before any report, all ${ITEMS.length} drinks are equally likely for somebody who knows nothing.`];
  const chances = posterior(lesson, symbols);
  const total = lesson.task.epsilon * symbols.length;
  const [most, least]: Ratio = movedOdds(chances);
  const moved = Number((most * 1000n) / least) / 1000;
  const best = chances.map(([over]) => over == most);
  const leaders = ITEMS.map((_, place) => place).filter((place) => best[place]);
  const right = leaders.includes(item);
  const can = `It can: find ${listed(leaders.map(nameOf))} ${plain(moved)} times as likely as the least likely drink. ε = ${plain(total)} promises at most e^ε = ${roundedUp(Math.exp(total))}; no bar can leave its band.`;
  const likely = toNumber([most, chances[0]![1]]) > 0.5;
  const sure = likely ? " But it is a strong hint: so much ε hides little." : leaders.length > 1 ? " And it cannot tell these apart." : "";
  const cannot = right
    ? `It cannot: be sure. People with any other drink send the same, at most ${roundedUp(Math.exp(total))} times less often.${sure}`
    : "It cannot: notice that it is wrong. Your drink is not even among them.";
  const more = symbols.length > 1 ? [`These are ${counted(symbols.length, "report")} of one person. Each one tells more, which is why a device keeps a budget.`] : [];
  return [can, cannot, ...more];
};
