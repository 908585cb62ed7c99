import assert from "node:assert/strict";
import { before, test } from "node:test";
import { LANGUAGES, type Language, speak } from "../src/i18n.ts";
import { OURS, SET_120 } from "../src/data.ts";
import type { Game } from "../src/games/game.ts";
import { gameOf } from "../src/games/general.ts";
import { describePackage } from "../src/games/package.ts";
import { parseLaying } from "../src/geometry.ts";
import type { GameEvent } from "../src/net/open.ts";
import { refusalText } from "../src/panels/refusal.ts";
import { celebrates } from "../src/panels/outcome.ts";
import {
  candidateInWords,
  earnedInWords,
  eventInWords,
  faceInWords,
  placeInWords,
  pointsInWords,
  sentences,
} from "../src/words.ts";
import { discPoints } from "../src/state/points.ts";
import { FIELDS, rows } from "./sources.ts";

const NAMES = ["Ann", "Bob", "Cleo"];
const GAMES = OURS.map(({ name }) => gameOf(name));

/** One value for each form of a field that the protocol's page knows. */
const SAMPLES: Record<string, unknown> = {
  number: 2,
  "number or null": 1,
  text: "DRYGB",
  "true or false": true,
  laying: "DRYGB+0@0,0",
  disc: [2, 1],
  "list of numbers": [0, 1],
  "list of texts": ["DRYGB", "ZBGRY"],
  "list of texts or null": ["DRYGB"],
  "list of discs": [[2, 1]],
  earned: { contacts: 2, groups: [{ colour: "Y", size: 7 }] },
  outcome: { scores: [1, 2, 3], winners: [2], reason: "target" },
  "turn or null": { layings: ["DRYGB+0@0,0"], points: 5 },
};

const EVENTS: GameEvent[] = rows(FIELDS, "events")
  .slice(1)
  .filter(([name]) => name!.startsWith("`"))
  .map(([name, fields]) => {
    const event: GameEvent = { event: name!.replaceAll("`", "") };
    for (const [, field, form] of fields!.matchAll(/`(\w+)` ([^,`]+)/g)) {
      assert.ok(form!.trim() in SAMPLES, `a field of another form: ${form}`);
      event[field!] = field === "player" ? 1 : field === "colour" ? "Y" : SAMPLES[form!.trim()];
    }
    return event;
  });

/** What people see anyway, and need no line for. */
const SILENT = ["declined"];

before(() => speak("en"));

test("the page of the protocol has events", () => {
  assert.ok(EVENTS.length > 30);
  assert.ok(EVENTS.some(({ event }) => event === "laid"));
});

for (const code of Object.keys(LANGUAGES) as Language[]) {
  test(`every event has a line in the log: ${code}`, async () => {
    await speak(code);
    const wrong: string[] = [];
    for (const event of EVENTS) {
      const lines = [...new Set(GAMES.map((game) => eventInWords(event, NAMES, game)).filter((line) => line !== null))];
      assert.equal(lines.length === 0, SILENT.includes(event.event), event.event);
      for (const line of lines) {
        if (/[{}]|undefined|NaN|\[object|log_/.test(line)) wrong.push(`${event.event}: ${line}`);
        else if (event.player !== undefined && !line.includes("Bob")) wrong.push(`${event.event}: who? ${line}`);
      }
    }
    await speak("en");
    assert.deepEqual(wrong, []);
  });
}

test("an event that none of our games has is left out at their tables", () => {
  assert.equal(eventInWords({ event: "danced", player: 0 }, NAMES, gameOf("classic")), null);
  assert.equal(
    eventInWords({ event: "danced", player: 0 }, NAMES, { ...gameOf("chess"), ...describePackage({}) } as Game),
    "Ann: danced",
  );
});

test("points of discs: 0, 1, 2, 4, 6, 8, 10", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map(discPoints), [0, 1, 2, 4, 6, 8, 10]);
});

test("what a laying earns, and its charge", () => {
  const laid = {
    event: "laid",
    player: 0,
    laying: "DRYGB+0@0,0",
    earned: { contacts: 3, groups: [{ colour: "Y", size: 7 }] },
    charge: 4,
    scores: true,
  };
  assert.match(
    eventInWords(laid, NAMES, gameOf("classic"))!,
    /^Ann, 7 points: /,
    "4 for the discs, 7 for the group, less 4",
  );
  assert.match(earnedInWords(laid.earned), /3 discs.*yellow.*7/i);
  assert.equal(earnedInWords({ contacts: 0, groups: [] }), "");
});

test("groups of one colour share a phrase, and a game has its own words", async () => {
  const earned = {
    contacts: 2,
    groups: [
      { colour: "G", size: 3 },
      { colour: "R", size: 2 },
      { colour: "G", size: 1 },
    ],
  };
  assert.equal(earnedInWords(earned), "2 discs, closes green (3 and 1), and closes red (2)");
  assert.equal(
    earnedInWords(earned, gameOf("72").words),
    "2 connections, closes green territories (3 and 1), and closes a red territory (2)",
  );
  await speak("fr");
  assert.match(earnedInWords(earned), /termine des groupes en vert \(3 et 1\)/);
  await speak("en");
});

test("a name and points are separated in every language", async () => {
  const laid = {
    event: "laid",
    player: 0,
    laying: "DRYGB+0@0,0",
    earned: { contacts: 1, groups: [] },
    charge: 0,
    scores: true,
  };
  for (const code of Object.keys(LANGUAGES) as Language[]) {
    await speak(code);
    assert.match(eventInWords(laid, ["Ann 1"], gameOf("classic"))!, /^Ann 1, 1 [a-zA-Z]+\u202f?: 1 /);
  }
  await speak("en");
});

test("a last round is announced only if there is one", () => {
  const reached = { event: "target_reached", player: 0, score: 61 };
  assert.equal(eventInWords(reached, NAMES, gameOf("classic"), [reached]), "Ann reaches 61 points: last round!");
  assert.equal(eventInWords(reached, NAMES, gameOf("classic"), [reached, { event: "ended" }]), "Ann reaches 61 points");
});

test("a sentence ends once", () => {
  assert.equal(
    sentences(["Ann reaches 61 points: last round!", "Bob draws a domino", "Right. "].map((one) => one.trim())),
    "Ann reaches 61 points: last round! Bob draws a domino. Right.",
  );
});

test("who lost has nothing to celebrate", () => {
  const outcome = { winners: [1], scores: [40, 61], reason: "target" };
  assert.deepEqual(
    [[0], [1], [0, 1], []].map((yours) => celebrates(outcome, yours)),
    [false, true, true, true],
  );
  assert.equal(celebrates({ ...outcome, winners: [] }, []), false);
});

test("scores are read as points", () => {
  assert.equal(pointsInWords(6), "6 points");
  assert.equal(pointsInWords(-2), "−2 points");
});

test("places and faces in words", () => {
  assert.match(placeInWords(parseLaying("DRYGB+0@-2,3")), /row 3.*column -2/);
  assert.match(candidateInWords({ laying: parseLaying("DRYGB+0@-2,3") }), /row 3/);
  const face = faceInWords("DRYGB", "+", SET_120);
  assert.equal(face.match(/red|yellow|green|blue/gi)!.length, 7);
});

test("a domino that is called by its back: everyone reads the server's hint in their language", async () => {
  const values = { laying: 1, name: "CGBRY", front: "CRYGB" };
  await speak("de");
  assert.equal(refusalText("unknown_domino", "", values), "CGBRY gibt es nicht: Das ist die Rückseite von CRYGB.");
  await speak("en");
  assert.equal(refusalText("unknown_domino", "", values), "There is no CGBRY: it is the back of CRYGB.");
  assert.equal(refusalText("unknown_domino", "There is no domino 'X' in the set 120."), "There is no such domino.");
});

test("the operator's reason for closing a table is quoted", async () => {
  await speak("en");
  const closed = refusalText("table_closed", "We move.");
  assert.equal(refusalText("table_closed", "We move.", { reason: "We move." }), `${closed} “We move.”`);
});
