/** The playground: pick a drink, report it, see what can be concluded; then let a crowd report. */

import { systemWords } from "../exact.js";
import { make, say } from "../panel/elements.js";
import { counted, roundedUp } from "../panel/words.js";
import { type Crowd, estimates, join, nobody } from "./crowd.js";
import { ITEMS, lesson, type Lesson } from "./lesson.js";
import { bar, mark, stripe, tick } from "./plot.js";
import { aboutDraw, aboutTiles, answerTiles, bandInWords, bytesOf, conclusion, draw, type Drawn, oddsRows } from "./report.js";

const AT_ONCE = 250;

const part = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const number = (value: number): string => Math.round(value).toLocaleString("en").replace("-", "−");

let learnt: Lesson;
let item = 1;
let drawn: Drawn[] = [];
let crowd: Crowd;
let joining = 0;

const namesOf = (items: number[]): string => items.map((each) => ITEMS[each]![0]).join(", ");

const choice = (group: string, value: string, label: string, checked: boolean): HTMLElement => {
  const input = make("input", { type: "radio", name: group, value, ...(checked ? { checked: "" } : {}) });
  return make("label", { class: "chip" }, input, make("span", {}, label));
};

const showBulletin = (): void => {
  const own = learnt.cellOf(item);
  const tiles = learnt.cells.map(({ isLeaf, items }, cell) => {
    const said = cell == own ? make("span", { class: "unseen" }, " (yours)") : "";
    return make("li", { class: cell == own ? "tile speaks" : "tile" }, make("strong", {}, `cell ${cell}`), said, make("span", {}, namesOf(items)), isLeaf ? "" : make("span", { class: "note" }, "by hash"));
  });
  part("cells").replaceChildren(...tiles);
  const { items } = learnt.cells[own]!;
  const alone = items.length == 1 ? "" : ` It shares it with ${items.length - 1} more, so not even the cell says which it is.`;
  say(part("about-cell"), `Your drink, ${ITEMS[item]![0]}, has cell ${own}.${alone}`);
};

const showReport = (): void => {
  const last = drawn.at(-1);
  part("tiles").replaceChildren(...answerTiles(learnt, item, last));
  say(part("about-tiles"), aboutTiles(learnt, item));
  part("random").hidden = !last;
  if (last) {
    say(part("bytes"), last.words.map(bytesOf).join(" "));
    say(part("about-draw"), aboutDraw(learnt, item, last));
  }
  say(part("report"), drawn.length ? "Report again" : "Report");
  part("again").hidden = !drawn.length;
};

const showOdds = (): void => {
  const symbols = drawn.map(({ symbol }) => symbol);
  part("odds").replaceChildren(...oddsRows(learnt, symbols, item));
  say(part("band"), bandInWords(learnt, symbols.length));
  part("conclusion").replaceChildren(...conclusion(learnt, symbols, item).map((text) => make("p", {}, text)));
};

const crowdRows = (): HTMLElement[] => {
  const found = estimates(crowd, learnt);
  const widest = Math.max(1, ...found.map(({ people, plusMinus }) => people + plusMinus), ...crowd.truly);
  const order = found.map((_, cell) => cell);
  if (crowd.people) order.sort((a, b) => found[b]!.people - found[a]!.people);
  return order.map((cell) => {
    const { people, plusMinus } = found[cell]!;
    const truly = crowd.truly[cell]!;
    const [low, high] = [(people - plusMinus) / widest, (people + plusMinus) / widest];
    const caps = [low, high].filter((end) => end > 0).map((end) => tick("cap", end));
    const drawing = crowd.people
      ? bar(stripe("after", 0, people / widest), stripe("whisker", low, high), ...caps, mark("truth", truly / widest))
      : bar();
    const place = make("td", { class: "drawing" });
    place.append(drawing);
    const text = crowd.people ? `${number(people)} ± ${number(plusMinus)}` : "–";
    return make("tr", {}, make("th", { scope: "row" }, namesOf(learnt.cells[cell]!.items)), place, make("td", {}, text), make("td", {}, crowd.people ? number(truly) : "–"));
  });
};

const showCrowd = (): void => {
  part("crowd").replaceChildren(...crowdRows());
  const surer = roundedUp(Math.exp(learnt.task.epsilon));
  const text = crowd.people
    ? `${counted(crowd.people, "person").replace("persons", "people")} reported once each. Most of the noise of so many cancels out; what is left, the whiskers show. Four times as many people make it half as large a share. Yet whoever sees all these reports is at most ${surer} times surer about any one of them.`
    : "Nobody has reported yet.";
  say(part("about-crowd"), text);
};

const forget = (): void => {
  drawn = [];
  showBulletin();
  showReport();
  showOdds();
};

const learn = (epsilon: string): void => {
  joining = 0;
  learnt = lesson(epsilon);
  crowd = nobody(learnt);
  say(part("about-epsilon"), `Nobody can become more than ${roundedUp(Math.exp(learnt.task.epsilon))} times surer (e^ε).`);
  forget();
  showCrowd();
};

/** Some people a frame, so that the page never stands still. */
const joinCrowd = (people: number): void => {
  const idle = !joining;
  joining += people;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const step = (): void => {
    const now = Math.min(AT_ONCE, joining);
    join(crowd, learnt, now, systemWords);
    joining -= now;
    if (!calm || !joining) showCrowd();
    if (joining) requestAnimationFrame(step);
  };
  if (idle) step();
};

part("drinks").append(...ITEMS.map(([name], place) => choice("drink", String(place), name, place == item)));
part("epsilons").append(...["1/2", "1", "2", "4"].map((epsilon) => choice("epsilon", epsilon, epsilon.replace("1/2", "½"), epsilon == "1")));
part("drinks").addEventListener("change", (event) => {
  item = Number((event.target as HTMLInputElement).value);
  forget();
});
part("epsilons").addEventListener("change", (event) => learn((event.target as HTMLInputElement).value));
part("report").addEventListener("click", () => {
  drawn.push(draw(learnt, item));
  showReport();
  showOdds();
});
part("again").addEventListener("click", () => {
  forget();
  part("report").focus();
});
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-people]"))
  button.addEventListener("click", () => joinCrowd(Number(button.dataset.people)));
learn("1");
