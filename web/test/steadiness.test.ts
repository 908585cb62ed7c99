/** A press means what its player saw: what has just changed its meaning does not count. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { STEADY_MS, Steadiness } from "../src/state/steadiness.ts";

const box = (left: number) => ({ left, top: 0, right: left + 80, bottom: 40 });
const [FIRST, SECOND] = [box(0), box(100)];
const INSIDE = { x: 40, y: 20 };

/** A page whose clock the test sets. */
function page() {
  const clock = { now: 0 };
  const steadiness = new Steadiness(() => clock.now);
  const show = (of: object, does: string, means: string, at = FIRST, isChosen = false) =>
    steadiness.show(of, { does, means, isChosen }, at);
  return { clock, steadiness, show };
}

test("a button that changes its meaning does not count for a moment, by pointer or by key", () => {
  const { clock, steadiness, show } = page();
  const button = {};
  show(button, "announce", "2");
  clock.now = 5_000;
  steadiness.point(INSIDE);
  show(button, "announce", "5");
  for (const at of [INSIDE, null]) {
    clock.now = 5_000 + STEADY_MS - 1;
    assert.equal(steadiness.isSteady(button, at), false);
  }
  clock.now = 5_000 + STEADY_MS;
  for (const at of [INSIDE, null]) assert.equal(steadiness.isSteady(button, at), true);
});

test("what the player has chosen is no surprise", () => {
  const { clock, steadiness, show } = page();
  const button = {};
  show(button, "announce", "2");
  clock.now = 1_000;
  show(button, "announce", "7", FIRST, true);
  show(button, "announce", "8", box(4), true);
  assert.equal(steadiness.isSteady(button, INSIDE), true);
  // What others do to the choice is.
  show(button, "announce", "9", box(4));
  assert.equal(steadiness.isSteady(button, INSIDE), false);
});

test("another button at the same place does not count; a press elsewhere does at once", () => {
  const { clock, steadiness, show } = page();
  const [undo, pass, end] = [{}, {}, {}];
  show(undo, "undo", "", FIRST);
  show(pass, "pass", "", SECOND);
  clock.now = 2_000;
  steadiness.hide(undo);
  show(pass, "pass", "", FIRST);
  show(end, "end", "", SECOND);
  assert.equal(steadiness.isSteady(pass, INSIDE), false);
  assert.equal(steadiness.isSteady(end, { x: 140, y: 20 }), false);
  assert.equal(steadiness.isSteady(end, null), true, "a key has no place");
});

test("what comes under a resting pointer does not count; a pointer that comes to it does", () => {
  const { clock, steadiness, show } = page();
  const rematch = {};
  steadiness.point(INSIDE);
  clock.now = 3_000;
  show(rematch, "rematch", "");
  clock.now = 3_040;
  steadiness.point({ x: 44, y: 20 });
  assert.equal(steadiness.isSteady(rematch, { x: 44, y: 20 }), false);
  steadiness.point({ x: 70, y: 20 });
  assert.equal(steadiness.isSteady(rematch, { x: 70, y: 20 }), true);
});

test("what a key of the player has brought counts", () => {
  const { clock, steadiness, show } = page();
  const end = {};
  steadiness.point(INSIDE);
  clock.now = 3_000;
  steadiness.key();
  clock.now = 3_040;
  show(end, "end", "");
  assert.equal(steadiness.isSteady(end, INSIDE), true);
});

test("a press is not refused because its button has moved a little", () => {
  const { clock, steadiness, show } = page();
  const button = {};
  show(button, "no_more", "");
  clock.now = 1_000;
  steadiness.point(INSIDE);
  clock.now = 2_000;
  show(button, "no_more", "", box(8));
  assert.equal(steadiness.isSteady(button, INSIDE), true);
});

test("buttons that nothing is known of count", () => {
  assert.equal(page().steadiness.isSteady({}, INSIDE), true);
});
