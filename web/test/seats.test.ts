import assert from "node:assert/strict";
import { test } from "node:test";
import { type Place, seatsOf } from "../src/lobby/seats.tsx";

const place = (sitter: string, name = ""): Place => ({ sitter, name });

test("programs keep their seats, people have none of their own", () => {
  assert.deepEqual(seatsOf([place("you"), place("random"), place("link"), place("guest", " Bob ")], "Ann"), {
    seats: [null, "random", null, null],
    host: "Ann",
    guests: ["Bob"],
  });
});

test("a host without a seat watches", () => {
  assert.deepEqual(seatsOf([place("greedy"), place("random")], "Ann"), {
    seats: ["greedy", "random"],
    host: null,
    guests: [],
  });
});
