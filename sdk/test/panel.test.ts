/** The panel's words: numbers are never rounded in the visitor's disfavour, and every state and answer has a sentence. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explanation } from "../src/explanation.js";
import { answerInWords, canSwitch, figures, meaning, roundedUp, stateInWords, whyEmpty } from "../src/panel/words.js";

const STATES = ["starting", "ready", "stale", "suspended", "spent", "opted out", "gpc", "refused", "no storage", "closed"];
const asNumber = (text: string): number => Number(text.replaceAll(",", ""));
const READY: Explanation = {
  ...{ state: "ready", reason: "", limit: "events", today: 1, reports: 3, left: 7, nextReport: 0, waiting: 0 },
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

test("the figures are reports and what they cost together", () => {
  assert.deepEqual(figures(READY), [
    ["Last 24 hours", "1 report", "ε = 0.5"],
    ["In all", "3 reports", "ε = 1.5"],
    ["Left", "7 reports", "the limit for ever"],
  ]);
  const daily = { ...READY, task: { ...READY.task, level: "period", period: "day" } };
  assert.equal(figures(daily)[2]![1], "one a day");
  assert.match(figures({ ...daily, nextReport: 1.8e9 })[2]![2], /^the next one after .*2027/);
  assert.equal(figures({ ...daily, left: 0 })[2]![1], "0 reports");
  assert.deepEqual(figures({ ...READY, task: undefined, state: "starting" })[2], ["Left", "not known yet", ""]);
  assert.deepEqual(figures({ ...READY, task: undefined, state: "opted out" })[2], ["Left", "–", ""]);
  assert.deepEqual(meaning({ ...READY, task: undefined }), []);
});

test("a report costs a part of ε where all events of a window share it", () => {
  const shared = { epsilon: "2", level: "window", events: 4 };
  assert.equal(figures({ ...READY, task: shared })[1]![2], "ε = 1.5");
  assert.equal(figures({ ...READY, task: { ...shared, division: "population" } })[1]![2], "ε = 6");
});

test("an empty list says why it is empty", () => {
  assert.equal(whyEmpty({ ...READY, reports: 0 }), "Nothing yet.");
  assert.match(whyEmpty({ ...READY, reports: 0, task: { ...READY.task, level: "period", period: "week" } }), /until the week is over/);
  assert.match(whyEmpty(READY), /was deleted/);
});

test("an answer says whether it was counted", () => {
  assert.equal(answerInWords(200), "accepted");
  for (const status of [1, 400, 409, 410, 413, 415]) assert.match(answerInWords(status), /not counted|given up/);
});
