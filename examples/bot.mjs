// A whole program for Dalapapa, in JavaScript without any package. It plays the turn games, laying in
// each turn the one domino that makes most discs.
//
//     dalapapa bot node examples/bot.mjs --table ID
//     dalapapa simulate --players "medium,exec:node examples/bot.mjs"

import { createInterface } from "node:readline";

const STEPS = [[1, 0], [0, 1], [-1, 0], [0, -1]]; // East, south, west, north.

/** The two cells of a laying such as PRYGB+0@0,0. */
function cells(laying) {
  const [, rotation, x, y] = laying.match(/[+-]([0-3])@(-?\d+),(-?\d+)$/).map(Number);
  const [dx, dy] = STEPS[rotation];
  return [[x, y], [x + dx, y + dy]];
}

/** How many discs a legal laying makes: each neighbour of its two cells is a contact. */
function discs(laying, taken) {
  const around = cells(laying).flatMap(([x, y]) => STEPS.map(([dx, dy]) => `${x + dx},${y + dy}`));
  return around.filter((cell) => taken.has(cell)).length;
}

function choose(view, moves) {
  for (const kind of ["mark", "end", "decline", "no_more"]) {
    const found = moves.find(({ move }) => move === kind);
    if (found) return found;
  }
  const layings = moves.filter(({ move }) => move === "lay");
  if (!layings.length || typeof view.table !== "string") return moves.at(-1);
  const laid = view.table.split(" ").filter(Boolean);
  const taken = new Set(laid.flatMap((laying) => cells(laying).map(String)));
  const worth = layings.map(({ laying }) => discs(laying, taken));
  return layings[worth.indexOf(Math.max(...worth))];
}

function answer({ type, id, view, moves, message }) {
  if (type === "hello") return { type: "hello", name: "Node" };
  if (type === "view") return { type: "move", id, move: choose(view, moves) };
  if (type === "refused") console.error(message);
  return null;
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = answer(JSON.parse(line));
  if (said) console.log(JSON.stringify(said));
}
