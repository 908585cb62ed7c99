/** A game of another package: its texts, its events and its moves in words. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { SET_120 } from "../src/data.ts";
import { gameOf } from "../src/games/general.ts";
import { describePackage, kindInWords, moveInWords } from "../src/games/package.ts";
import type { Game } from "../src/games/game.ts";
import { language, speak } from "../src/i18n.ts";
import type { GameEvent, Move } from "../src/net/open.ts";
import type { GameTexts } from "../src/net/protocol.ts";
import { gameName } from "../src/state/catalogue.ts";
import { loadGameTexts, textsOf } from "../src/state/game-texts.ts";
import { findMoves, isImmediate, listOwnKinds, moveForEars, tilesOf } from "../src/state/own-moves.ts";
import { eventInWords } from "../src/words.ts";

const NAMES = ["Ann", "Bob"];
const TEXTS: GameTexts = {
  moves: {
    swap: { label: "Swap a domino", variant: "Swap {tile}" },
    give: { label: "Give", variant: "to {to:player}" },
  },
  events: { swapped: "{player} swaps {tile} ({points})", hidden: "", gave: "{player} gives {to:player} {what}" },
};

function inWords(event: GameEvent, texts: GameTexts = TEXTS): string | null {
  const [general, parts] = [gameOf("other"), describePackage(texts)];
  const eventSentences = { ...general.eventSentences, ...parts.eventSentences };
  return eventInWords(event, NAMES, { ...general, ...parts, eventSentences } as Game);
}

before(() => speak("en"));

test("a sentence has the fields of its event, and names of players", () => {
  assert.equal(inWords({ event: "swapped", player: 0, tile: "ZBGRY", points: -2 }), "Ann swaps ZBGRY (−2)");
  assert.equal(inWords({ event: "gave", player: 1, to: 0, what: ["a", 2] }), "Bob gives Ann a and 2");
  assert.equal(inWords({ event: "gave", player: 1, to: 7 }), "Bob gives ? {what}");
  assert.equal(inWords({ event: "hidden", player: 1 }), null);
});

test("an event without a sentence shows its fields, as far as they are short", () => {
  assert.equal(inWords({ event: "woken_up", player: 0, hours_slept: 8 }), "Ann: woken up (hours slept 8)");
  assert.equal(inWords({ event: "rained" }), "Rained");
  assert.equal(inWords({ event: "rained", player: null } as never), "Rained");
  const huge = {
    event: "x".repeat(1e6),
    player: 0,
    deep: { a: 1 },
    none: null,
    list: Array(1e5).fill("y".repeat(100)),
  };
  assert.ok(inWords(huge)!.length < 600);
  const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]));
  assert.ok(inWords({ event: "wide", ...wide })!.length < 100);
});

test("names that every object has are events like others", () => {
  assert.equal(inWords({ event: "constructor", player: 0 }), "Ann: constructor");
  assert.equal(kindInWords("constructor", TEXTS), "Constructor");
});

test("a text of the package comes before ours", () => {
  assert.match(inWords({ event: "passed", player: 0 })!, /^Ann cannot lay/);
  assert.equal(inWords({ event: "passed", player: 0 }, { events: { passed: "{player} sleeps" } }), "Ann sleeps");
});

test("moves have the text of their kind, or their fields", () => {
  const move = (fields: object) => ({ player: 0, ...fields }) as Move;
  assert.equal(moveInWords(move({ move: "swap", tile: "ZBGRY" }), TEXTS, NAMES), "Swap ZBGRY");
  assert.equal(moveInWords(move({ move: "give", to: 1 }), TEXTS, NAMES), "to Bob");
  assert.equal(moveInWords(move({ move: "buy", tile: "ZBGRY", coins: 3 }), TEXTS, NAMES), "Tile ZBGRY, coins 3");
  assert.equal(moveInWords(move({ move: "take_a_nap" }), TEXTS, NAMES), "Take a nap");
});

const MOVES: Move[] = [
  { player: 0, move: "end" },
  { player: 0, move: "swap", tile: "ZBGRY" },
  { player: 0, move: "nap" },
  { player: 0, move: "swap", tile: "PGBYR" },
];

test("moves are grouped by kind, without those that every table has", () => {
  const kinds = listOwnKinds(MOVES, TEXTS);
  assert.deepEqual(
    kinds.map(({ label, moves }) => [label, moves.length]),
    [
      ["Swap a domino", 2],
      ["Nap", 1],
    ],
  );
});

test("a button makes a move at once if there is nothing to choose or to read", () => {
  const immediate = (texts: GameTexts, ...moves: Move[]) => listOwnKinds(moves, texts).map(isImmediate);
  assert.deepEqual(immediate({}, MOVES[2]!), [true]);
  assert.deepEqual(immediate({ moves: { nap: { label: "Nap", help: "Until morning." } } }, MOVES[2]!), [false]);
  assert.deepEqual(immediate({}, MOVES[1]!), [false], "which domino?");
  assert.deepEqual(immediate({}, MOVES[2]!, MOVES[2]!), [false]);
});

test("moves are found by words in any order, without capitals and accents", () => {
  const kinds = listOwnKinds(MOVES, { moves: { swap: { label: "Échanger", variant: "Échanger {tile}" } } });
  const search = (typed: string) => findMoves(kinds, typed, {}, NAMES).map(({ found }) => found.length);
  assert.deepEqual(search(""), [2, 1]);
  assert.deepEqual(search("zbgry echanger"), [1]);
  assert.deepEqual(search("nothing"), []);
});

test("a move has pictures of its dominoes, and their colours for ears", () => {
  assert.deepEqual(tilesOf(MOVES[1]!, SET_120), ["ZBGRY"]);
  assert.deepEqual(tilesOf(MOVES[2]!, SET_120), []);
  assert.match(moveForEars(MOVES[1]!, "Swap ZBGRY", SET_120), /^Swap ZBGRY: Centre .*red/);
  assert.equal(moveForEars(MOVES[2]!, "Nap", SET_120), "Nap");
});

test("texts are loaded once for each language that is shown", async () => {
  const asked: string[] = [];
  globalThis.fetch = (async (path: string) => {
    asked.push(path);
    return { ok: true, json: async () => ({ title: path.slice(-2) }) };
  }) as unknown as typeof fetch;
  assert.deepEqual(textsOf("other"), {});
  const before = gameOf("other");
  await Promise.all([loadGameTexts("other"), loadGameTexts("other")]);
  assert.deepEqual(asked, ["/api/games/other/texts?language=en"]);
  assert.notEqual(gameOf("other"), before, "what shows it is drawn again");
  assert.equal(gameOf("other"), gameOf("other"));
  await speak("fr");
  assert.equal(language.value, "fr");
  await loadGameTexts("other");
  assert.equal(gameName("other"), "fr");
  await speak("en");
  await loadGameTexts("other");
  assert.equal(gameName("other"), "en");
  assert.equal(asked.length, 3);
});

test("a server that refuses leaves a game without texts, and is asked again", async () => {
  globalThis.fetch = async () => Promise.reject(new Error("offline"));
  await loadGameTexts("third");
  assert.deepEqual(textsOf("third"), {});
  globalThis.fetch = (async () => ({ ok: true, json: async () => TEXTS })) as unknown as typeof fetch;
  await loadGameTexts("third");
  assert.equal(textsOf("third").moves?.swap?.label, "Swap a domino");
});
