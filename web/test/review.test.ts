import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "../src/net/backend.ts";
import type { Estimate, ReplayDocument, ReviewDocument, ReviewTurn } from "../src/net/study.ts";
import { chanceInWords } from "../src/panels/estimate.ts";
import { Replay } from "../src/state/replay.ts";
import { Review, Reviewing } from "../src/state/review.ts";

const about = (value: number): Estimate => ({ value, low: value - 0.1, high: value + 0.1, samples: 100, exact: false });
const exactly = (value: number): Estimate => ({ value, low: value, high: value, samples: 0, exact: true });
const turn = (number: number, first: number) =>
  ({ number, first, last: first + 1, player: number % 2, better: null }) as unknown as ReviewTurn;

const REVIEW = {
  game: "classic",
  language: "en",
  unit: "points",
  measure: "chance",
  winners: [1],
  players: [{ name: "Ann" }, { name: "Ben" }],
  curve: [
    { position: 2, chances: [about(0.5), about(0.5)] },
    { position: 4, chances: [about(0.3), about(0.7)] },
    { position: 9, chances: [exactly(0), exactly(1)] },
  ],
  turns: [turn(1, 2), turn(2, 4), turn(3, 6)],
  missed: [3, 1],
} as unknown as ReviewDocument;

test("a review has curves, their intervals, and the biggest chances missed in order", () => {
  const review = new Review(REVIEW);
  assert.deepEqual(review.curves(), [
    [50, 30, 0],
    [50, 70, 100],
  ]);
  assert.deepEqual(review.curves("low")[1]!.map(Math.round), [40, 60, 100]);
  assert.deepEqual(review.positions, [2, 4, 9]);
  assert.equal(review.sampled, true);
  assert.deepEqual(
    review.missed.map(({ number }) => number),
    [3, 1],
  );
  assert.equal(review.turnFrom(4)?.number, 2);
  assert.equal(review.turnFrom(5), null);
  assert.equal(review.place(review.missed[0]!), 6, "before the turn");
  assert.equal(new Review({ ...REVIEW, measure: "full" }).place(turn(1, 6)), 7, "in a race, after the laying");
});

test("a round of Alex brought what was announced, not what was shown", () => {
  const start = { events: [], view: { game: "alex", scores: [0, 0] }, hands: null };
  const turns = [{ player: 0, first: 0, last: 1, points: 7, announced: 6, lost: 1, best: { layings: [], points: 7 } }];
  const [round] = new Replay({
    game: "alex",
    options: {},
    players: [],
    start,
    steps: [],
    turns,
  } as unknown as ReplayDocument).turns;
  assert.deepEqual([round!.points, round!.missed, round!.best!.points], [6, 1, 7]);
});

test("a sampled chance has an interval, an exact one has none", () => {
  assert.match(chanceInWords(about(0.62)), /62.*\(52–72\)/);
  assert.doesNotMatch(chanceInWords(exactly(1)), /\(/);
  assert.match(chanceInWords({ ...about(0.05), low: -0.05 }), /−5/);
  assert.match(chanceInWords({ ...about(0.002), low: 0.001, high: 0.004 }), /\(0–1\)/, "rounded outwards");
  assert.match(chanceInWords({ ...about(0.57), low: 0.57, high: 0.57 }), /\(57–57\)/, "without binary noise");
});

test("a review is awaited, refused, asked for again, and its latest language counts", async () => {
  const asked: { language: string; answer(review: ReviewDocument): void; refuse(error: Refused): void }[] = [];
  const reviewing = new Reviewing(
    (language) => new Promise((answer, refuse) => asked.push({ language, answer, refuse })),
  );
  const first = reviewing.start("en");
  assert.equal(reviewing.waiting.value, true);
  asked[0]!.refuse(new Refused("busy", "Too many."));
  await first;
  assert.equal(reviewing.trouble.value?.code, "busy");
  assert.equal(reviewing.waiting.value, false);
  const second = reviewing.start("en");
  const third = reviewing.start("fr");
  assert.equal(reviewing.trouble.value, null);
  asked[2]!.answer({ ...REVIEW, language: "fr" });
  asked[1]!.answer(REVIEW);
  await Promise.all([second, third]);
  assert.equal(reviewing.review.value?.document.language, "fr", "what comes late is dropped");
  assert.equal(reviewing.waiting.value, false);
});
