/** The score pad with tokens, markers and a premium: scenarios from rules 8. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EMPTY_SETUP, beginPad, swapColour } from "../src/companion/pads/pad-setup.ts";
import {
  beginTokenPad,
  canReplay,
  countMarkers,
  editTokenTurn,
  enterContacts,
  enterTokenTurn,
  findMarkersLeft,
  findTokensLeft,
  findTokenStanding,
  isTokenPad,
  isTokenPadSound,
  MARKER_COLOURS,
  markTerritory,
  removeLastTokenTurn,
  replayTurn,
  type TokenPad,
  undoReplay,
  unmarkTerritory,
} from "../src/companion/pads/tokens/token-pad.ts";

const begin = (players = 2) => {
  const names = ["Ann", "Bob", "Cem", "Dan"].slice(0, players);
  return beginTokenPad({ id: "a", at: 0, names }, MARKER_COLOURS.slice(0, players));
};

/** Play turns of one domino: its connections (0 is a pass) and the territories that are marked. */
function play(pad: TokenPad, ...turns: [contacts: number, ...marked: number[]][]): TokenPad {
  for (const [contacts, ...marked] of turns) {
    const entered = marked.reduce(markTerritory, enterContacts(pad, contacts));
    pad = enterTokenTurn(entered);
  }
  return pad;
}

test("everyone begins with two tokens, and with 12, 8 or 6 markers", () => {
  assert.deepEqual([2, 3, 4].map(countMarkers), [12, 8, 6]);
  const { tokens, reserve, markersLeft } = findTokenStanding(begin(4));
  assert.deepEqual([tokens, reserve, markersLeft], [[2, 2, 2, 2], 16, [6, 6, 6, 6]]);
});

test("one connection costs a token, two are free, each further one earns one, a pass earns one", () => {
  const { tokens, reserve } = findTokenStanding(play(begin(), [1], [2], [3], [6], [1], [0]));
  // Ann: -1 +1 -1; Bob: 0 +4 +1.
  assert.deepEqual([tokens, reserve], [[1, 7], 16]);
});

test("tokens are given as far as the reserve goes", () => {
  const pad = play(begin(), ...Array.from({ length: 6 }, (): [number] => [6]));
  assert.deepEqual([findTokenStanding(pad).tokens, findTokenStanding(pad).reserve], [[14, 10], 0]);
});

test("marked territories count their cells at once", () => {
  const { scores, markersLeft } = findTokenStanding(play(begin(), [2, 4, 7], [3, 1]));
  assert.deepEqual(
    [scores, markersLeft],
    [
      [11, 1],
      [10, 11],
    ],
  );
});

test("a turn is replayed for two tokens, and the last domino is the one that is entered", () => {
  let pad = enterContacts(begin(), 2);
  pad = replayTurn(markTerritory(pad, 5));
  assert.deepEqual([findTokensLeft(pad), canReplay(pad)], [0, false]);
  pad = markTerritory(enterContacts(pad, 4), 3);
  assert.equal(canReplay(pad), true);
  const turn = [
    { contacts: 2, marked: [5] },
    { contacts: 4, marked: [3] },
  ];
  assert.deepEqual(pad.draft.turn, turn);
  assert.deepEqual(undoReplay(pad).draft.turn, turn.slice(0, 1));
  assert.deepEqual(unmarkTerritory(pad, 0).draft.turn?.at(-1), { contacts: 4, marked: [] });
  pad = enterTokenTurn(pad);
  assert.deepEqual([findTokenStanding(pad).tokens[0], findTokenStanding(pad).scores[0]], [2, 8]);
});

test("a domino without connections is not written down", () => {
  const pad = replayTurn(enterContacts(begin(), 2));
  assert.equal(enterTokenTurn(pad), pad);
});

test("the last marker takes the premium of 5; every other player has one last turn", () => {
  let pad = play(begin(3), [2, 1, 1, 1, 1, 1, 1, 1], [2], [2], [2, 1]);
  const taken = findTokenStanding(pad);
  assert.deepEqual([taken.premium, taken.lastTurns, taken.scores[0], taken.ending], [0, 2, 13, null]);
  pad = play(pad, [2, 9], [2, 20]);
  const { ending, winners, scores, markersLeft } = findTokenStanding(pad);
  assert.deepEqual([ending, winners, scores, markersLeft[0]], ["premium", [2], [13, 9, 20], 0]);
  assert.equal(findTokenStanding(play(pad, [2])).counted, pad.turns.length);
});

test("no more markers than a player has, and nothing after the last one", () => {
  let pad = enterContacts(begin(4), 6);
  for (let marker = 0; marker < 9; marker++) pad = markTerritory(pad, 1);
  assert.deepEqual([findMarkersLeft(pad), pad.draft.turn?.[0]?.marked.length], [0, 6]);
  assert.equal(canReplay(pad), false);
});

test("the game ends when the player to move has no domino", () => {
  const pad = { ...play(begin(), [2, 4], [2, 4]), isStopped: true };
  assert.deepEqual([findTokenStanding(pad).ending, findTokenStanding(pad).winners], ["stopped", [0, 1]]);
});

test("a correction changes what follows, and a debt is noticed", () => {
  let pad = play(begin(), [4], [2], [1], [2], [1], [2], [1]);
  assert.deepEqual([isTokenPadSound(pad), findTokenStanding(pad).tokens[0]], [true, 1]);
  pad = enterTokenTurn(enterContacts(editTokenTurn(pad, 0), 1));
  assert.deepEqual([isTokenPadSound(pad), findTokenStanding(pad).tokens[0]], [false, -2]);
  pad = removeLastTokenTurn(pad);
  assert.deepEqual(pad.draft, { index: 6, turn: [{ contacts: 1, marked: [] }] });
});

test("players have different colours, and take over that of another one", () => {
  assert.deepEqual(swapColour(MARKER_COLOURS, 0, "orange"), ["orange", "brown", "beige", "black"]);
  const names = ["Ann", "", "Bob"];
  const begun = beginPad({ ...EMPTY_SETUP, kind: "tokens", names }, "a", 0);
  assert.deepEqual((begun as { pad: TokenPad }).pad.colours, ["black", "beige"]);
});

test("stored data that cannot be is no pad", () => {
  const good = play(begin(), [2, 4]);
  assert.equal(isTokenPad(JSON.parse(JSON.stringify(good))), true);
  const turn = (contacts: unknown, marked: unknown = []) => [[{ contacts, marked }]];
  const bad = [
    { ...good, colours: ["black", "black"] },
    { ...good, colours: ["black"] },
    { ...good, colours: ["black", "green"] },
    { ...good, turns: turn(7) },
    { ...good, turns: turn(-1) },
    { ...good, turns: turn(0) },
    { ...good, turns: turn(2, [0]) },
    { ...good, turns: turn(2, null) },
    { ...good, turns: [null] },
    { ...good, draft: { index: 2, turn: null } },
    { ...good, draft: { index: 0, turn: 7 } },
    { ...good, isStopped: null },
  ];
  assert.deepEqual(bad.filter(isTokenPad), []);
});
