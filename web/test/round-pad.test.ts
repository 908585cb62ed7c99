/** The score pad of rounds with announcements: scenarios from rules 7. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  announcePoints,
  beginRoundPad,
  canTakeBack,
  closeAnnouncing,
  editRound,
  findRoundStanding,
  findShower,
  isRoundPad,
  judgeShown,
  mayAnnounce,
  type RoundPad,
  takeBackStep,
} from "../src/companion/pads/rounds/round-pad.ts";

const NAMES = ["Ann", "Bob", "Cem"];
const begin = (names = NAMES, end: RoundPad["end"] = "target", target = 60) =>
  beginRoundPad({ id: "a", at: 0, names }, end, target, 60);

/** Play a round: who announces what, and whether the turns that are shown are right. */
function play(pad: RoundPad, announced: readonly [player: number, points: number][], ...shown: boolean[]): RoundPad {
  const said = announced.reduce((now, [player, points]) => announcePoints(now, player, points), pad);
  return shown.reduce(judgeShown, closeAnnouncing(said));
}

test("the highest announcer is right and scores what was announced", () => {
  const pad = play(
    begin(),
    [
      [0, 5],
      [1, 8],
      [0, 11],
    ],
    true,
  );
  const { scores, numbers, curves } = findRoundStanding(pad);
  assert.deepEqual(
    [scores, numbers],
    [
      [11, 0, 0],
      [1, 2],
    ],
  );
  assert.deepEqual(curves[0], [0, 11]);
});

test("the next lower announcer shows, each player once, until one is right", () => {
  let pad = [
    [0, 5],
    [1, 8],
    [0, 11],
    [2, 12],
  ].reduce((now, [player, points]) => announcePoints(now, player!, points!), begin());
  const showers: (number | undefined)[] = [];
  pad = closeAnnouncing(pad);
  for (const isRight of [false, false, true]) {
    showers.push(findShower(pad.draft)?.player);
    pad = judgeShown(pad, isRight);
  }
  assert.deepEqual(showers, [2, 0, 1]);
  assert.deepEqual(findRoundStanding(pad).scores, [0, 8, 0]);
  assert.deepEqual(findRoundStanding(pad).sitting[1], [2, 0]);
});

test("an announcement is higher than all before it", () => {
  const pad = announcePoints(begin(), 0, 7);
  assert.equal(announcePoints(pad, 1, 7), pad);
  assert.equal(announcePoints(pad, 1, 1001), pad);
  assert.deepEqual(announcePoints(pad, 1, 8).draft.announced.at(-1), { player: 1, points: 8 });
});

test("the leader, those who sit out and those in the lake announce nothing", () => {
  let pad = play(begin(), [[0, 5]], false);
  const may = () => NAMES.map((_, player) => mayAnnounce(pad, findRoundStanding(pad), player));
  assert.deepEqual(may(), [false, true, true]);
  pad = announcePoints(pad, 1, 4);
  assert.deepEqual(may(), [false, false, true]);
  pad = judgeShown(closeAnnouncing(pad), true);
  assert.deepEqual(may(), [true, true, true]);
  for (let mistakes = 0; mistakes < 2; mistakes++) pad = play(pad, [[0, 5]], false);
  assert.deepEqual(may(), [false, true, true]);
});

test("the first mistake costs a round, the second the points, the third the game", () => {
  let pad = play(begin(), [[0, 20]], true);
  pad = play(pad, [[0, 9]], false);
  assert.deepEqual(findRoundStanding(pad).sitting.at(-1), [0]);
  pad = play(pad, [[1, 3]], true);
  pad = play(pad, [[0, 9]], false);
  assert.deepEqual([findRoundStanding(pad).scores[0], findRoundStanding(pad).sitting.at(-1)], [11, []]);
  pad = play(pad, [[0, 7]], false);
  const { scores, mistakes, ending } = findRoundStanding(pad);
  assert.deepEqual([scores, mistakes, ending], [[11, 3, 0], [3, 0, 0], null]);
});

test("who is in the lake does not win, and the last dry player ends the game", () => {
  let pad = play(begin(["Ann", "Bob"]), [[0, 50]], true);
  for (let mistakes = 0; mistakes < 3; mistakes++) {
    if (mistakes === 1) pad = play(pad, [[1, 1]], true);
    pad = play(pad, [[0, 10]], false);
  }
  const { ending, winners, scores } = findRoundStanding(pad);
  assert.deepEqual([ending, winners, scores], ["last_player", [1], [40, 1]]);
});

test("the target ends the game at once, ties share the victory", () => {
  const { ending, winners } = findRoundStanding(play(begin(NAMES, "target", 10), [[2, 10]], true));
  assert.deepEqual([ending, winners], ["target", [2]]);
  let pad = play(begin(NAMES, "rounds", 2), [[0, 4]], true);
  pad = play(pad, [[1, 4]], true);
  assert.deepEqual([findRoundStanding(pad).ending, findRoundStanding(pad).winners], ["rounds", [0, 1]]);
});

test("rounds without an announcement count, and those in which everyone sits out are skipped", () => {
  let pad = play(begin(["Ann", "Bob"], "rounds", 4), []);
  assert.deepEqual([pad.rounds.length, findRoundStanding(pad).numbers], [1, [1, 2]]);
  pad = play(
    pad,
    [
      [0, 4],
      [1, 5],
    ],
    false,
    false,
  );
  assert.deepEqual([findRoundStanding(pad).numbers, findRoundStanding(pad).ending], [[1, 2, 4], null]);
  assert.deepEqual(findRoundStanding(pad).sitting.at(-1), []);
  assert.equal(findRoundStanding(play(pad, [])).ending, "rounds");
});

test("every step can be taken back, one after the other, over rounds", () => {
  const begun = begin();
  const steps = [begun, announcePoints(begun, 0, 5), announcePoints(announcePoints(begun, 0, 5), 1, 6)];
  steps.push(closeAnnouncing(steps.at(-1)!));
  steps.push(judgeShown(steps.at(-1)!, false));
  steps.push(judgeShown(steps.at(-1)!, true));
  let pad = steps.at(-1)!;
  for (const before of steps.slice(0, -1).reverse()) {
    assert.equal(canTakeBack(pad), true);
    pad = takeBackStep(pad);
    assert.deepEqual(pad, before);
  }
  assert.equal(canTakeBack(pad), false);
});

test("an earlier round is played again, and the later ones follow from it", () => {
  let pad = play(play(begin(), [[0, 5]], true), [[1, 6]], true);
  pad = judgeShown(closeAnnouncing(editRound(pad, 0)), false);
  const { scores, sitting } = findRoundStanding(pad);
  assert.deepEqual([scores, sitting[1], pad.draft.index], [[0, 6, 0], [0], 2]);
});

test("stored data that cannot be is no pad", () => {
  const good = play(begin(), [[0, 5]], true);
  assert.equal(isRoundPad(JSON.parse(JSON.stringify(good))), true);
  const draft = good.draft;
  const bad = [
    { ...good, names: Array(11).fill("Ann") },
    { ...good, end: "other" },
    { ...good, target: 241 },
    { ...good, end: "rounds", target: 61 },
    { ...good, seconds: 4 },
    { ...good, rounds: [{ announced: [{ player: 3, points: 5 }], shown: [true] }] },
    { ...good, rounds: [{ announced: [null], shown: [] }] },
    { ...good, rounds: [{ announced: [{ player: 0, points: 5 }], shown: [] }] },
    {
      ...good,
      rounds: [
        {
          announced: [
            { player: 0, points: 5 },
            { player: 1, points: 5 },
          ],
          shown: [true],
        },
      ],
    },
    { ...good, rounds: [{ announced: [{ player: 0, points: -5 }], shown: [true] }] },
    { ...good, draft: null },
    { ...good, draft: { ...draft, isShowing: true } },
    { ...good, draft: { ...draft, shown: [true] } },
    { ...good, draft: { ...draft, index: 2 } },
    { ...good, isStopped: 1 },
  ];
  assert.deepEqual(bad.filter(isRoundPad), []);
});
