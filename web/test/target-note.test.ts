import assert from "node:assert/strict";
import { test } from "node:test";
import { OURS } from "../src/data.ts";
import { LANGUAGES, type Language, speak, t } from "../src/i18n.ts";
import { reachOf, TARGETS, targetNote } from "../src/lobby/target-note.ts";

const infoOf = (name: string) => OURS.find((info) => info.name === name)!;
const WITH_TARGET = OURS.filter(({ options }) => options.some(({ name }) => name === "target"));

test("every game with a target is measured for every number of players and both sets", () => {
  assert.deepEqual(
    WITH_TARGET.map(({ name }) => name),
    Object.keys(TARGETS.reached),
  );
  for (const {
    name,
    players: [least, most],
  } of WITH_TARGET) {
    for (const set of ["120", "72"]) {
      for (let players = least; players <= most; players++) {
        const row = TARGETS.reached[name]![set]![String(players)]!;
        assert.equal(row.length, 11);
        assert.deepEqual(
          row,
          [...row].sort((a, b) => b - a),
          `${name} ${set} ${players}`,
        );
      }
    }
  }
});

test("a target is reached in as many of 10 games as were measured", () => {
  const [best, ...reached] = TARGETS.reached.classic!["120"]!["3"]!;
  assert.equal(reachOf("classic", "120", 3, reached[9]!)!.tenths, 10);
  assert.equal(reachOf("classic", "120", 3, reached[4]!)!.tenths >= 5, true);
  assert.deepEqual(reachOf("classic", "120", 3, best! + 1), {
    tenths: 0,
    best,
    realistic: Math.floor(reached[8]! / 10) * 10,
  });
  assert.equal(reachOf("chess", "120", 3, 60), null);
});

test("an unreachable target is explained, with a realistic one and how the game ends", async () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await speak(language);
    const { text, warns } = targetNote(infoOf("classic"), { target: 240 }, 3)!;
    const { best, realistic } = reachOf("classic", "120", 3, 240)!;
    assert.equal(warns, true);
    assert.equal(
      text,
      [
        t("target_beyond", { players: 3, set: "120", target: 240, games: TARGETS.games, best }),
        t("target_advice", { target: realistic }),
        t("target_otherwise"),
      ].join(" "),
    );
    assert.doesNotMatch(text, /[{}]/);
  }
});

test("the number of players and the set decide what is realistic", async () => {
  await speak("en");
  const begin = (options: object, players: number) =>
    targetNote(infoOf("classic"), { ...options }, players)!.text.split(":")[0];
  assert.equal(begin({}, 4), "Realistic");
  assert.equal(begin({ target: 180 }, 2), "Realistic");
  assert.equal(begin({ target: 180 }, 3), "Ambitious");
  assert.equal(begin({ target: 150 }, 4), "Hardly realistic");
  assert.equal(begin({ target: 180 }, 4), "Not realistic");
  assert.equal(begin({ target: 120, set: "72" }, 3), "Not realistic");
});

test("where there is no target, or none that is allowed, nothing is said", () => {
  assert.equal(targetNote(infoOf("gone"), {}, 2), null);
  assert.equal(targetNote(infoOf("classic"), { target: 6 }, 2), null);
  assert.equal(targetNote(infoOf("classic"), { target: NaN }, 2), null);
  assert.equal(targetNote(infoOf("alex"), { end: "rounds" }, 2), null);
  assert.ok(targetNote(infoOf("alex"), { end: "target" }, 2));
});

test("a target that is called realistic is never followed by the advice of a lower one", async () => {
  await speak("en");
  for (const info of WITH_TARGET) {
    const { least, most } = info.options.find(({ name }) => name === "target")!;
    for (const [set, byPlayers] of Object.entries(TARGETS.reached[info.name]!)) {
      for (const players of Object.keys(byPlayers)) {
        for (let target = least!; target <= most!; target++) {
          const text = targetNote(info, { target, set, end: "target" }, Number(players))!.text;
          const advised = /Up to (\d+) points/.exec(text);
          if (text.startsWith("Realistic") && advised) assert.ok(Number(advised[1]) > target, text);
        }
      }
    }
  }
});
