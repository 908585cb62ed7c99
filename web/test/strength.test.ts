import assert from "node:assert/strict";
import { test } from "node:test";
import { OURS } from "../src/data.ts";
import { LADDER } from "../src/lobby/ladder.ts";
import { speak } from "../src/i18n.ts";
import { height, strengthText } from "../src/lobby/strength.tsx";

const GAMES = OURS.map(({ name, programs }) => ({ measured: LADDER[name]!, programs }));

test("no level stands below a weaker one", () => {
  for (const { measured, programs } of GAMES) {
    const elos = programs.map((level) => measured.levels[level]!.elo);
    assert.deepEqual(
      elos,
      [...elos].sort((one, other) => one - other),
    );
    assert.deepEqual(Object.keys(measured.levels), programs);
  }
});

test("bars are as long as the ladder is high", () => {
  assert.equal(GAMES.length, 8);
  for (const { measured, programs } of GAMES) {
    const { levels } = measured;
    const byElo = [...programs].sort((one, other) => levels[one]!.elo - levels[other]!.elo);
    const heights = byElo.map((level) => height(measured, level));
    assert.deepEqual(
      heights,
      [...heights].sort((one, other) => one - other),
    );
    assert.equal(heights[0], 12);
    assert.equal(heights.at(-1), 100);
  }
});

test("every level says for whom it is, and what was measured", async () => {
  await speak("en");
  for (const { measured, programs } of GAMES) {
    const { anchor, levels } = measured;
    assert.equal(strengthText(measured, anchor), "Hardly overlooks anything.");
    for (const level of programs.filter((name) => name !== anchor)) {
      // They have not met: too far apart.
      if (levels[level]!.wins === null) {
        assert.equal(strengthText(measured, level), "Very gentle: a five-year-old wins half of the games.");
        continue;
      }
      const wins = Math.round(100 * levels[level]!.wins!);
      const words = wins ? `Beats Nora in ${wins} of 100 games.` : "Hardly ever beats Nora.";
      assert.ok(strengthText(measured, level).endsWith(` ${words}`), strengthText(measured, level));
    }
  }
});
