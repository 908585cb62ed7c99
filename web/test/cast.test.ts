import assert from "node:assert/strict";
import { test } from "node:test";
import { CAST, OURS } from "../src/data.ts";
import { LANGUAGES, type Language, speak, tt } from "../src/i18n.ts";
import {
  ALONE,
  chooseGame,
  chooseOpponent,
  lastGame,
  opponentIn,
  opponentsIn,
  seatsAgainst,
} from "../src/lobby/opponent.ts";
import { castName, levelName, nameSeat, nameAndLevel } from "../src/state/cast.ts";

const person = (name: string) => ({ name, program: null });
const program = (level: string) => ({ name: `${level} 2`, program: level });
const names = (seats: { name: string; program: string | null }[]) => seats.map(nameSeat).map(({ name }) => name);

test("no sentence has a level for a name, in any language", async () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await speak(language);
    for (const level of Object.keys(CAST)) {
      assert.notEqual(castName(level), levelName(level));
      assert.equal(nameAndLevel(level), `${castName(level)} · ${tt(`level_${level}`)}`);
    }
    assert.deepEqual(names([person("Ann"), program("novice")]), ["Ann", "Pia"]);
  }
});

test("several of a kind, and people of the same name, are distinguished", () => {
  assert.deepEqual(names([program("easy"), program("easy"), person("Ann"), program("easy")]), [
    "Milo",
    "Milo 2",
    "Ann",
    "Milo 3",
  ]);
  assert.deepEqual(
    names([program("medium"), program("greedy")]),
    ["Nora", "Nora 2"],
    "greedy is another word for medium",
  );
  assert.deepEqual(names([program("novice"), person("Pia")]), ["Pia 2", "Pia"]);
});

test("a bot that the client does not know keeps its name", () => {
  assert.deepEqual(names([{ name: "robot", program: "exec" }]), ["robot"]);
});

test("one click plays against the opponent that was chosen last in each game", () => {
  assert.deepEqual(
    [lastGame(), opponentIn("classic"), opponentIn("gone"), opponentIn("puzzle")],
    ["classic", "easy", "child", ALONE],
  );
  chooseOpponent("classic", "expert");
  chooseOpponent("puzzle", "medium");
  chooseGame("puzzle");
  assert.deepEqual(
    [lastGame(), opponentIn("classic"), opponentIn("gone"), opponentIn("puzzle")],
    ["puzzle", "expert", "child", "medium"],
  );
  assert.deepEqual(JSON.parse(localStorage.getItem("dalapapa.opponents")!), { classic: "expert", puzzle: "medium" });
  chooseOpponent("gone", "expert"); // From before it had no expert.
  assert.equal(opponentIn("gone"), "child");
  chooseGame("removed");
  assert.equal(lastGame(), "classic");
});

test("who sits opposite", () => {
  for (const {
    name,
    programs,
    players: [least],
  } of OURS) {
    assert.deepEqual(opponentsIn(name), least === 1 ? [ALONE, ...programs] : programs);
    assert.ok(opponentsIn(name).includes(opponentIn(name)));
  }
  assert.deepEqual(seatsAgainst("classic", "easy"), [null, "easy"]);
  assert.deepEqual(seatsAgainst("puzzle", ALONE), [null]);
});
