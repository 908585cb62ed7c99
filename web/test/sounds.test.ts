/** Which event makes which sound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gameOf } from "../src/games/general.ts";
import type { GameEvent } from "../src/net/open.ts";
import type { Laid, View } from "../src/net/protocol.ts";
import { FELT, soundsOf, ticks } from "../src/state/sounds.ts";

const laid = (contacts: number, group = 0, player = 0): Laid => ({
  event: "laid",
  player,
  laying: "PGBYR+0@4,0",
  earned: { contacts, groups: group ? [{ colour: "Y", size: group }] : [] },
  charge: 0,
  scores: true,
});

function heard(game: string, events: GameEvent[], view: object = {}, seat: number | null = 0) {
  const whole = { game, viewer: seat, options: {}, phase: "play", can_undo: false, outcome: null, ...view } as View;
  return soundsOf({ game: gameOf(game), events, view: whole, seat });
}

test("a laying, a closed group, a big turn", () => {
  assert.deepEqual(heard("classic", [laid(2)], { turn: [laid(2)] }), ["laid"]);
  assert.deepEqual(heard("classic", [laid(1, 4)], { turn: [laid(1, 4)] }), ["closed"]);
  // Both dominoes of a turn count.
  assert.deepEqual(heard("classic", [laid(4)], { turn: [laid(2, 5), laid(4)] }), ["big"]);
  assert.deepEqual(heard("classic", [{ event: "turn_ended", player: 0 }]), []);
  assert.deepEqual(heard("classic", [{ event: "undone", player: 0, laying: "PGBYR+0@4,0" }]), []);
});

test("children count no groups", () => {
  assert.deepEqual(heard("gone", [{ ...laid(2, 4), scores: false }], { hand_counts: [4, 4] }), ["laid"]);
});

test("a rival who has one domino left is heard, oneself is not", () => {
  const counts = { hand_counts: [1, 1] };
  assert.deepEqual(heard("gone", [{ ...laid(2, 0, 1), scores: false }], counts), ["laid", "nearly"]);
  assert.deepEqual(heard("gone", [{ ...laid(2, 0, 0), scores: false }], counts), ["laid"]);
  const seven = ["A", "B", "C", "D", "E", "F", "G"].map((_, i) => `PGBYR+0@${2 * (i % 2)},${Math.floor(i / 2)}`);
  const race = { frames: [[], seven], given_up: [], options: { width: 4, height: 4 } };
  const framed = (player: number) => [{ event: "framed", player, laying: "PGBYR+0@0,3", contacts: 1 }];
  assert.deepEqual(heard("puzzle", framed(1), race), ["laid", "nearly"]);
  assert.deepEqual(heard("puzzle", framed(1), { ...race, frames: [[], seven.slice(1)] }), ["laid"]);
  assert.deepEqual(heard("puzzle", framed(1), { ...race, outcome: { scores: [0, 8], winners: [1], reason: "full" } }), [
    "laid",
  ]);
});

test("the last seconds are heard once each", () => {
  assert.equal(ticks(10_100, 9_900), true);
  assert.equal(ticks(9_900, 9_650), false);
  assert.equal(ticks(5_100, 4_990), true);
  assert.equal(ticks(1_010, 990), true);
  assert.equal(ticks(100, -50), false);
  assert.equal(ticks(Infinity, 42_000), false);
});

test("every sound has a short vibration", () => {
  for (const pattern of Object.values(FELT)) assert.ok(pattern.reduce((sum, one) => sum + one, 0) <= 250);
});
