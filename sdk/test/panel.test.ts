/** The panel's words: numbers are never rounded in the visitor's disfavour, and every state and answer has a sentence. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explanation } from "../src/explanation.js";
import { answerInWords, canSwitch, figures, howOften, meaning, roundedUp, stateInWords, statesInWords, whyEmpty } from "../src/panel/words.js";

const STATES = ["starting", "ready", "stale", "suspended", "spent", "opted out", "gpc", "refused", "no storage", "closed"];
const asNumber = (text: string): number => Number(text.replaceAll(",", ""));
const READY: Explanation = {
  ...{ id: "a", site: { a: [1, 3, 0.5] }, state: "ready", reason: "", limit: "events", today: 1, reports: 3, left: 7, nextReport: 0, waiting: 0 },
  ...{ uploads: [], task: { epsilon: "1/2", level: "event", events: 1 } },
};

test("a factor is shown rounded up, by less than a hundredth of it", () => {
  for (let step = 1; step <= 1000; step++) {
    const value = Math.exp(step / 100);
    const shown = asNumber(roundedUp(value));
    assert.ok(shown >= value * (1 - 1e-9) && shown < value * 1.01, `${value} as ${shown}`);
  }
  assert.equal(roundedUp(Math.E), "2.72");
  assert.equal(roundedUp(Math.exp(10)), "22,100");
  assert.equal(roundedUp(2), "2");
});

test("every state of a reporter has a sentence, and no two have the same", () => {
  const sentences = STATES.map(stateInWords);
  assert.equal(new Set(sentences).size, STATES.length);
  assert.ok(sentences.every((sentence) => sentence.endsWith(".")));
  assert.deepEqual(STATES.filter((state) => !canSwitch(state)), ["gpc", "refused", "no storage", "closed"]);
});

test("what reports cost together is never shown as less than it is", () => {
  const shown = (reports: number, each: number) => figures([{ ...READY, site: { a: [0, reports, each] } }])[1]![2];
  assert.deepEqual(
    [shown(1234, 1), shown(1, 1 / 3), shown(1, 0.0001), shown(3, 0.1), shown(0, 2)],
    ["ε = 1,240", "ε = 0.334", "ε = 0.0001", "ε = 0.3", "ε = 0"],
  );
});

test("the figures are reports and what they cost together", () => {
  assert.deepEqual(figures([READY]), [
    ["Last 24 hours", "1 report", "ε = 0.5"],
    ["In all", "3 reports", "ε = 1.5"],
    ["Left", "7 reports", "the limit for ever"],
  ]);
  const left = (found: object) => figures([{ ...READY, ...found }])[2]!;
  const daily = { task: { ...READY.task, level: "period", period: "day" } };
  assert.equal(left(daily)[1], "one a day");
  assert.match(left({ ...daily, nextReport: 1.8e9 })[2]!, /^the next one after .*2027/);
  assert.equal(left({ ...daily, left: 0 })[1], "0 reports");
  const once = { task: { ...READY.task, one_answer: true, epoch_seconds: 3600 } };
  const atMost = "the limit for ever; at most one every hour";
  assert.deepEqual(left(once), ["Left", "7 reports", atMost], "what was sent was deleted");
  assert.equal(left({ ...once, uploads: [{ second: 1.6e9 }] })[2], atMost, "an hour has passed long ago");
  assert.equal(left({ ...once, uploads: [{ second: 4e9 }] })[2], `${atMost}, the next one after ${new Date((4e9 + 3600) * 1000).toLocaleString()}`);
  assert.deepEqual(left({ ...once, left: 0 }), ["Left", "0 reports", "the limit for ever"]);
  const kept = { task: { ...READY.task, one_answer: true, keys: "week" }, uploads: [{ second: 4e9 }] };
  assert.deepEqual(left(kept), ["Left", "7 reports", "the limit for ever; at most one per round"]);
  assert.deepEqual(left({ task: undefined, state: "starting" }), ["Left", "not known yet", ""]);
  assert.deepEqual(left({ task: undefined, state: "opted out" }), ["Left", "–", ""]);
  assert.deepEqual(meaning([{ ...READY, task: undefined }]), []);
  assert.deepEqual([figures([]), meaning([]), statesInWords([])], [[], [], "There is nothing here that reports."]);
});

test("several tasks are added up, with those of the site that the page does not ask, and each keeps its own sentences", () => {
  const task = { epsilon: "2", level: "period", events: 1, period: "week" };
  const site = { a: [1, 3, 0.5], b: [0, 2, 2], c: [4, 10, 0.25] } as Explanation["site"];
  const found: Explanation[] = [READY, { ...READY, id: "b", state: "spent", reports: 2, left: 0, limit: "reportsPerDay", task, site }];
  assert.deepEqual(figures(found), [
    ["Last 24 hours", "5 reports", "ε = 1.5, including other reports from this site"],
    ["In all", "15 reports", "ε = 8, including other reports from this site"],
    ["Question 1: Left", "7 reports", "the limit for ever"],
    ["Question 2: Left", "0 reports", "this page's limit for 24 hours"],
  ]);
  const [sum, first, second] = meaning(found);
  assert.match(sum!, /^Anyone who sees .* for this page, .* at most 12\.2 times surer .* \(e\^ε with ε = 2\.5 = 0\.5 \+ 2, for 2 questions/);
  assert.match(first!, /^Question 1: This covers each report/);
  assert.match(second!, /^Question 2: You send one report a week/);
  assert.match(statesInWords(found), /^Question 1: On\..* Question 2: Resting\./);
  assert.match(statesInWords([READY, READY]), /^On\./);
});

test("a time is said as people say it", () => {
  const said = (seconds: number) => howOften({ level: "event", one_answer: true, epoch_seconds: seconds });
  assert.deepEqual([60, 1800, 3600, 5400, 86400, 259200, 100].map(said), [
    ...["every minute", "every 30 minutes", "every hour", "every 90 minutes", "every day", "every 3 days", "every 100 seconds"],
  ]);
});

test("an empty list says why it is empty", () => {
  const fresh = { ...READY, reports: 0 };
  const weekly = { ...fresh, task: { ...READY.task, level: "period", period: "week" } };
  assert.equal(whyEmpty([fresh]), "Nothing yet.");
  assert.match(whyEmpty([weekly]), /until the week is over/);
  assert.equal(whyEmpty([weekly, fresh]), "Nothing yet.");
  assert.match(whyEmpty([READY, fresh]), /was deleted/);
});

test("an answer says whether it was counted", () => {
  assert.equal(answerInWords(200), "accepted");
  for (const status of [1, 400, 409, 410, 413, 415]) assert.match(answerInWords(status), /not counted|given up/);
});
