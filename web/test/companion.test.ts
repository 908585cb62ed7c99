/** The page for real tables without its screen: scenarios from the rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120 } from "../src/data.ts";
import { halves } from "../src/geometry.ts";
import { readNumber } from "../src/companion/numbers.ts";
import { countForAge, countLettersA, findMostLettersA, findYoungest } from "../src/companion/first/first-player.ts";
import { EMPTY_FIT, type Fit, judge, paint, select, selectPart } from "../src/companion/fit/fit.ts";
import { fillGlass, millisecondsLeft, pauseGlass, readGlass, startGlass } from "../src/companion/glass/glass.ts";
import {
  beginTurnPad,
  editTurn,
  draftSale,
  draftTurn,
  enterTurn,
  findSeats,
  findTurnStanding,
  isTurnPad,
  markGroups,
  type TurnPad,
} from "../src/companion/pads/turns/turn-pad.ts";
import { isPad } from "../src/companion/pads/pad-kinds.ts";
import { beginPad, EMPTY_SETUP } from "../src/companion/pads/pad-setup.ts";
import {
  addPad,
  amendBook,
  book,
  deletePad,
  openPad,
  readBook,
  savePad,
  undoDeletion,
} from "../src/companion/pads/pad-book.ts";
import {
  addGroup,
  enterDiscs,
  isTurnEntry,
  PASS,
  removeGroup,
  type TurnEntry,
  turnPoints,
} from "../src/companion/pads/turns/turn-entry.ts";

const points = (...numbers: number[]): TurnEntry[] => numbers.map((one) => ({ points: one }));
const standing = (turns: readonly TurnEntry[], names = ["Ann", "Bob"], target = 60) =>
  findTurnStanding({ ...beginTurnPad({ id: "a", at: 0, names: names }, target), turns, sales: turns.map(() => null) });

// -- turns -------------------------------------------------------------------------------------------

test("the author's examples: two discs and a group of 7 are 9, three discs and groups of 3 and 5 are 12", () => {
  assert.equal(turnPoints({ dominoes: [{ discs: 2, groups: [7] }] }), 9);
  assert.equal(turnPoints({ dominoes: [{ discs: 3, groups: [3, 5] }] }), 12);
});

test("from the third disc on each earns one more", () => {
  const earned = [1, 2, 3, 4, 5, 6].map((discs) => turnPoints({ dominoes: [{ discs, groups: [] }] }));
  assert.deepEqual(earned, [1, 2, 4, 6, 8, 10]);
});

test("the second domino costs 4 and is counted by itself", () => {
  assert.equal(
    turnPoints({
      dominoes: [
        { discs: 3, groups: [] },
        { discs: 3, groups: [2] },
      ],
    }),
    4 + 4 + 2 - 4,
  );
  assert.equal(turnPoints(PASS), 0);
});

test("a turn is entered by taps, and every tap can be taken back", () => {
  let turn = enterDiscs(null, 0, 3);
  turn = addGroup(turn, 0, 5);
  turn = addGroup(turn, 0, 1);
  turn = removeGroup(turn, 0, 1);
  turn = enterDiscs(turn, 1, 1);
  assert.deepEqual(turn, {
    dominoes: [
      { discs: 3, groups: [5] },
      { discs: 1, groups: [] },
    ],
  });
  assert.equal(turnPoints(turn), 4 + 5 + 1 - 4);
  assert.deepEqual(enterDiscs(turn, 1, 0), { dominoes: [{ discs: 3, groups: [5] }] });
  assert.deepEqual(enterDiscs(turn, 0, 0), PASS);
});

test("a domino closes at most one group more than it makes discs", () => {
  let turn: TurnEntry = enterDiscs(null, 0, 2);
  for (const size of [1, 1, 1, 1]) turn = addGroup(turn, 0, size);
  assert.deepEqual(turn, { dominoes: [{ discs: 2, groups: [1, 1, 1] }] });
  assert.deepEqual(enterDiscs(turn, 0, 1), { dominoes: [{ discs: 1, groups: [1, 1] }] });
});

test("a turn that cannot be is no turn", () => {
  const wrong = [
    { points: -3 },
    { points: 301 },
    { points: 1.5 },
    { dominoes: [{ discs: 7, groups: [] }] },
    { dominoes: [{ discs: -1, groups: [] }] },
    { dominoes: [{ discs: 1, groups: [0] }] },
    { dominoes: [{ discs: 1, groups: [1, 1, 1] }] },
    { dominoes: [1, 2, 3].map((discs) => ({ discs, groups: [] })) },
    null,
    7,
    {},
  ];
  assert.deepEqual(wrong.filter(isTurnEntry), []);
  assert.deepEqual(
    ["12", " −2 ", "-2", "-3", "1e1", "", "x", "301", "4.5"].map((text) => readNumber(text, -2, 300)),
    [12, -2, -2, null, null, null, null, null, null],
  );
});

// -- the pad -----------------------------------------------------------------------------------------

test("the round in which the target is reached is played out, and may be won by another player", () => {
  const before = standing(points(30, 30, 30));
  assert.deepEqual([before.isLastRound, before.next, before.ending], [true, 1, null]);
  const after = standing(points(30, 30, 30, 31));
  assert.deepEqual([after.ending, after.winners, after.scores], ["target", [1], [60, 61]]);
  assert.deepEqual(after.curves, [
    [0, 30, 30, 60, 60],
    [0, 0, 30, 30, 61],
  ]);
});

test("the last player of a round ends the game at once", () => {
  const { ending, winners, isLastRound } = standing(points(10, 60));
  assert.deepEqual([ending, winners, isLastRound], ["target", [1], false]);
});

test("ties share the victory, and scores may go below zero", () => {
  const names = ["Ann", "Bob", "Cem"];
  assert.deepEqual(standing(points(60, 60, -2), names).winners, [0, 1]);
  assert.deepEqual(standing(points(60, 60, -2), names).scores, [60, 60, -2]);
});

test("the game is over when all have passed in turn", () => {
  const names = ["Ann", "Bob", "Cem"];
  assert.equal(standing([...points(5), PASS, PASS], names).ending, null);
  const { ending, winners } = standing([...points(5), PASS, PASS, PASS], names);
  assert.deepEqual([ending, winners], ["blocked", [0]]);
});

test("a corrected turn counts, and turns after an earlier end do not", () => {
  let pad = beginTurnPad({ id: "a", at: 0, names: ["Ann", "Bob"] }, 60);
  for (const turn of points(40, 40, 10, 10, 5)) pad = enterTurn(draftTurn(pad, turn));
  pad = editTurn(pad, 2);
  assert.deepEqual(pad.draft, { index: 2, turn: { points: 10 }, sale: null });
  pad = enterTurn(draftTurn(pad, { points: 20 }));
  const { ending, counted, scores, winners } = findTurnStanding(pad);
  assert.deepEqual([ending, counted, scores, winners], ["target", 4, [60, 50], [0]]);
  pad = enterTurn(draftTurn(editTurn(pad, 2), { points: 10 }));
  assert.deepEqual([findTurnStanding(pad).counted, findTurnStanding(pad).next], [5, 1]);
});

test("with marks the game ends at once, and closed groups with own marks are added", () => {
  let pad = beginTurnPad({ id: "a", at: 0, names: ["Ann", "Bob", "Cem"] }, 60, "marks");
  for (const turn of points(30, 50, 40, 31)) pad = enterTurn(draftTurn(pad, turn));
  assert.deepEqual([findTurnStanding(pad).ending, findTurnStanding(pad).winners], ["target", [0]]);
  pad = markGroups(pad, 1, [7, 5]);
  pad = markGroups(pad, 2, [1, 1, 1, 9]);
  const { scores, winners } = findTurnStanding(pad);
  assert.deepEqual([scores, winners], [[61, 62, 43], [1]]);
  const shorter = { ...pad, turns: pad.turns.slice(0, 3), sales: pad.sales.slice(0, 3) };
  assert.deepEqual(findTurnStanding(shorter).scores, [30, 50, 40]);
});

/** Turns with their points; some were sold: to whom, and for how much. */
function sold(players: number, ...turns: [points: number, winner?: number, bid?: number][]) {
  let pad = beginTurnPad({ id: "a", at: 0, names: ["Ann", "Bob", "Cem", "Dan"].slice(0, players) }, 60, "auctions");
  for (const [earned, winner, bid] of turns) {
    if (winner !== undefined) pad = draftSale(pad, { winner, bid: bid! });
    pad = enterTurn(draftTurn(pad, { points: earned }));
  }
  return { pad, ...findTurnStanding(pad) };
}

test("a player who wins the own turn loses half the bid", () => {
  assert.deepEqual(sold(3, [10, 0, 6]).scores, [7, 0, 0]);
});

test("another winner pays the player whose turn it was, and play goes on at the winner's left", () => {
  const { scores, next, pad } = sold(4, [10, 2, 6]);
  assert.deepEqual([scores, next], [[6, 0, 4, 0], 3]);
  assert.deepEqual(
    findSeats(pad).map(({ seat }) => seat),
    [2, 3],
  );
});

test("with auctions the game ends when play passes the last seat, by a step or by a jump", () => {
  assert.equal(sold(3, [60], [1]).ending, null);
  assert.equal(sold(3, [60], [1], [1]).ending, "target");
  // The turn of the second player goes to the first one: play has passed the third.
  assert.equal(sold(3, [60], [1, 0, 2]).ending, "target");
  assert.equal(sold(3, [60], [1, 2, 2]).ending, "target");
  // A payment, too, reaches the target.
  assert.equal(sold(2, [56], [1], [1, 1, 4]).ending, "target");
});

test("a child draws as many dominoes as years, older players the number agreed on", () => {
  assert.deepEqual(
    [4, 6, 8, 9, 40].map((age) => countForAge(age, 7)),
    [4, 6, 8, 7, 7],
  );
});

test("a game needs two to four names and a target from 60 to 240", () => {
  const begin = (names: string[], target: string) => beginPad({ ...EMPTY_SETUP, names, target }, "a", 0);
  const begun = begin([" Ann ", "", "Bob"], "60");
  assert.deepEqual(begun, { pad: beginTurnPad({ id: "a", at: 0, names: ["Ann", "Bob"] }, 60) });
  assert.deepEqual(begin(["Ann", " "], "60"), { trouble: { field: "names", least: 2, most: 4 } });
  for (const target of ["59", "241", "", "a lot", "60.5"])
    assert.deepEqual(begin(["Ann", "Bob"], target), { trouble: { field: "target", least: 60, most: 240 } });
});

test("pads survive a reload in the middle of a turn", () => {
  addPad(beginTurnPad({ id: "one", at: 1, names: ["Ann", "Bob"] }, 60));
  savePad(draftTurn(openPad() as TurnPad, enterDiscs(null, 0, 3)));
  const stored: unknown = JSON.parse(localStorage.getItem("dalapapa.pads")!);
  assert.deepEqual(readBook(stored), book.value);
  assert.deepEqual((readBook(stored).pads[0] as TurnPad).draft.turn, enterDiscs(null, 0, 3));
  amendBook({ pads: [], open: null });
});

test("a deleted pad comes back to its place", () => {
  for (const id of ["one", "two", "three"]) addPad(beginTurnPad({ id, at: 1, names: ["Ann", "Bob"] }, 60));
  deletePad("two");
  assert.deepEqual([book.value.pads.map(({ id }) => id), book.value.open], [["three", "one"], null]);
  undoDeletion();
  assert.deepEqual(
    book.value.pads.map(({ id }) => id),
    ["three", "two", "one"],
  );
  amendBook({ pads: [], open: null });
});

test("stored data that is no pad is left out", () => {
  const good = beginTurnPad({ id: "good", at: 1, names: ["Ann", "Bob"] }, 60);
  const bad = [
    null,
    { ...good, names: ["Ann"] },
    { ...good, target: 10 },
    { ...good, turns: points(999) },
    { ...good, kind: "other" },
    { ...good, marked: [[1, 1, 1, 1], []] },
    { ...good, draft: null },
    { ...good, draft: { index: 3, turn: null, sale: null } },
    { ...good, draft: { ...good.draft, sale: { winner: 0, bid: 3 } } },
    { ...good, draft: { ...good.draft, sale: { winner: 2, bid: 4 } } },
    { ...good, sales: [null] },
  ];
  assert.deepEqual(bad.filter(isPad), []);
  assert.equal(isTurnPad(good), true);
  assert.deepEqual(readBook({ pads: [...bad, good], open: "none" }).pads, [good]);
  for (const stored of [null, 7, "x", {}, { pads: {} }, { names: [1], target: 3 }])
    assert.deepEqual(readBook(stored), { ...EMPTY_SETUP, pads: [], open: null });
});

// -- the sandglass and who begins ------------------------------------------------------------------------

test("the sand runs by the clock, also while no one looks", () => {
  const running = startGlass(fillGlass(60), 1_000);
  assert.equal(millisecondsLeft(running, 41_000), 20_000);
  const paused = pauseGlass(running, 41_000);
  assert.equal(millisecondsLeft(paused, 999_000), 20_000);
  assert.equal(millisecondsLeft(startGlass(paused, 999_000), 1_018_000), 1_000);
  assert.equal(millisecondsLeft(running, 9_999_000), 0);
  const again = startGlass(pauseGlass(running, 9_999_000), 10_000_000);
  assert.equal(millisecondsLeft(again, 10_000_000), 60_000);
  assert.deepEqual(readGlass(JSON.parse(JSON.stringify(running))), running);
  for (const stored of [null, {}, { seconds: 4 }, { seconds: 1e9 }, "x"])
    assert.deepEqual(readGlass(stored), fillGlass(60));
});

test("letters a of any size and with any accent begin", () => {
  assert.deepEqual(["Anna", "Àâã", "Bob", "Łåra"].map(countLettersA), [2, 3, 0, 2]);
  assert.deepEqual(findMostLettersA(["Anna", "Bob", "Zara"]), [0, 2]);
});

test("the youngest has the latest birthday", () => {
  assert.deepEqual(findYoungest(["2010-05-01", "2015-01-31", "2015-01-31"]), [1, 2]);
  assert.equal(findYoungest(["2010-05-01", ""]), null);
});

// -- is it allowed ---------------------------------------------------------------------------------------

/** Enter some neighbours and the half-discs of a domino that meet them; every tap is counted. */
function tap(around: Record<number, "R" | "Y" | "G" | "B">, face: readonly ("R" | "Y" | "G" | "B")[]) {
  let [fit, taps]: [Fit, number] = [EMPTY_FIT, 0];
  const step = (next: Fit) => {
    fit = next;
    taps += 1;
  };
  for (const [slot, colour] of Object.entries(around)) {
    if (fit.slot !== Number(slot)) step(select(fit, "around", Number(slot)));
    step(paint(fit, colour));
  }
  step(selectPart(fit, "face"));
  for (const colour of face) step(paint(fit, colour));
  return { fit, taps, ...judge(fit) };
}

test("a place with three neighbours takes at most 15 taps, wherever they are", () => {
  for (let a = 0; a < 6; a++)
    for (let b = a + 1; b < 6; b++)
      for (let c = b + 1; c < 6; c++) {
        const { taps, contacts, missing } = tap({ [a]: "R", [b]: "R", [c]: "R" }, ["R", "R", "R"]);
        assert.deepEqual([contacts, missing], [3, 0]);
        assert.ok(taps <= 15, `${taps} taps`);
      }
});

test("it fits where all colours are equal, and earns its discs with their bonus", () => {
  const { points: earned, clashes, isKnown } = tap({ 0: "R", 1: "Y", 5: "G" }, ["R", "Y", "G"]);
  assert.deepEqual([earned, clashes], [4, []]);
  assert.equal(typeof isKnown, "boolean");
});

test("clashes are named by their slots, and a place without neighbours is not allowed", () => {
  const { points: earned, clashes } = tap({ 0: "R", 3: "Y" }, ["R", "G"]);
  assert.deepEqual([earned, clashes], [null, [3]]);
  assert.equal(judge(EMPTY_FIT).points, null);
  assert.equal(tap({ 0: "R", 1: "R" }, ["R"]).missing, 1);
});

test("every face of the set is known, in both directions, and others are not", () => {
  for (const rotation of [0, 2]) {
    const laying = { tile: "PRYGB", side: "+", rotation, x: 0, y: 0 } as const;
    const slots = halves(laying, SET_120).map(({ colour, disc: [x, y] }) => ({ colour, x, y }));
    const left = Math.min(...slots.map(({ x }) => x));
    const from = slots.findIndex(({ x }) => x === left);
    const face = slots.map((_, i) => slots[(from + i) % 6]!.colour);
    assert.equal(judge({ ...EMPTY_FIT, face }).isKnown, true);
  }
  assert.equal(judge({ ...EMPTY_FIT, face: ["R", "Y", "R", "Y", "R", "Y"] }).isKnown, false);
});
