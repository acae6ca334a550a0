/** The panel's words: numbers are never rounded in the visitor's disfavour, and every state and answer has a sentence. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Explanation } from "../src/explanation.js";
import { answerInWords, canSwitch, figures, meaning, roundedUp, stateInWords } from "../src/panel/words.js";

const STATES = ["starting", "ready", "stale", "suspended", "spent", "opted out", "gpc", "refused", "no storage", "closed"];
const asNumber = (text: string): number => Number(text.replaceAll(",", ""));
const READY: Explanation = {
  ...{ state: "ready", reason: "", limit: "events", perReport: 0.5, today: 1, reports: 3, left: 7, waiting: 0 },
  ...{ dropped: {}, uploads: [], task: { epsilon: "1/2", level: "event", events: 1 } },
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
  assert.equal(figures({ ...daily, left: 0 })[2]![1], "0 reports");
  assert.deepEqual(figures({ ...READY, task: undefined })[2], ["Left", "not known yet", ""]);
  assert.deepEqual(meaning({ ...READY, task: undefined }), []);
});

test("an answer says whether it was counted", () => {
  assert.equal(answerInWords(200), "accepted");
  for (const status of [1, 400, 409, 410, 413, 415]) assert.match(answerInWords(status), /not counted|given up/);
});
