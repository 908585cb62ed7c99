/** Seats that were taken off the list: they come back as they were, until they are deleted. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { eraseForgotten, forgetSeat, forgottenSeats, restoreSeat } from "../src/state/forgotten.ts";
import { keepToken, knownTables, remember, tokenOf } from "../src/state/storage.ts";

beforeEach(() => {
  remember("tables", null);
  remember("forgotten", null);
});

test("a seat comes back with its token and its time", () => {
  keepToken("one", "TOKEN-1", "classic", [0]);
  keepToken("other", "TOKEN-2", "gone");
  const before = knownTables();
  forgetSeat("one");
  assert.equal(tokenOf("one"), null);
  assert.deepEqual(Object.keys(forgottenSeats()), ["one"]);
  restoreSeat("one");
  assert.deepEqual(knownTables(), before);
  assert.deepEqual(forgottenSeats(), {});
});

test("the latest twenty can be restored later, and one's own undoing always works", () => {
  for (let i = 0; i < 21; i++) keepToken(`t${i}`, `TOKEN-${i}`, "classic");
  const { t0: first } = knownTables();
  for (let i = 0; i < 21; i++) forgetSeat(`t${i}`);
  assert.equal(Object.keys(forgottenSeats()).length, 20);
  restoreSeat("t0", first);
  assert.equal(tokenOf("t0"), "TOKEN-0");
});

test("only what was listed is deleted", () => {
  for (const id of ["one", "other"]) {
    keepToken(id, `TOKEN-${id}`, "classic");
    forgetSeat(id);
  }
  eraseForgotten(["one"]);
  assert.deepEqual(Object.keys(forgottenSeats()), ["other"]);
  restoreSeat("one");
  assert.equal(tokenOf("one"), null);
});
