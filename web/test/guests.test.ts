/** Bots from other packages, and variants of the classic game with a charge of their own, as the server sends them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OURS } from "../src/data.ts";
import { ALONE, opponentIn, opponentsIn } from "../src/lobby/opponent.ts";
import type { View } from "../src/net/protocol.ts";
import { castName, nameSeat, nameAndLevel } from "../src/state/cast.ts";
import { infoOf, learnGames } from "../src/state/catalogue.ts";
import { chargeOf } from "../src/state/charge.ts";

const MAGPIE = { name: "magpie", title: "Magpie", description: "Closes groups." };
const THREE = {
  name: "three",
  players: [2, 4],
  options: [],
  programs: ["novice", "medium"],
  title: "Three",
  charge: 3,
  guests: [MAGPIE],
};
const OTHER = { name: "other", players: [2, 4], options: [], programs: ["random", "greedy"], title: "Other" };
const charge = (game: string, options: object = {}, turn = [{}]) =>
  chargeOf(game, { options, turn, active: 0, viewer: 0 } as unknown as View);

globalThis.fetch = (async () => ({
  ok: true,
  json: async () => [
    ...OURS.map((game) => (game.name === "classic" || game.name === "puzzle" ? { ...game, guests: [MAGPIE] } : game)),
    THREE,
    OTHER,
  ],
})) as unknown as typeof fetch;
await learnGames();

test("a bot from another package comes after the levels, and plays only if it is chosen", () => {
  assert.deepEqual(opponentsIn("classic"), [...infoOf("classic")!.programs, "magpie"]);
  assert.deepEqual(opponentsIn("puzzle").at(0), ALONE);
  assert.ok(!opponentsIn("gone").includes("magpie"), "not its game");
  assert.equal(opponentIn("classic"), "easy");
  assert.equal(opponentIn("three"), "medium");
});

test("it is called as its package calls it", () => {
  assert.equal(castName("magpie"), "Magpie");
  assert.equal(nameAndLevel("magpie"), "Magpie");
  const seats = [
    { name: "Ann", program: null },
    { name: "magpie 2", program: "magpie" },
    { name: "magpie 3", program: "magpie" },
  ];
  assert.deepEqual(
    seats.map(nameSeat).map(({ name }) => name),
    ["Ann", "Magpie", "Magpie 2"],
  );
});

test("what a second domino costs", () => {
  assert.equal(charge("three", {}, []), 0, "the first one");
  assert.equal(charge("gone"), null, "there are no points");
  assert.equal(charge("three"), 3, "a variant whose rules say so");
  assert.equal(charge("three", { charge: 0 }), 0, "what players agreed on");
  assert.equal(charge("other", { charge: 7 }), null, "the client does not know what that means");
});
