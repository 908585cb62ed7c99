import assert from "node:assert/strict";
import { test } from "node:test";
import { type Signal, signal } from "@preact/signals";
import { SET_120 } from "../src/data.ts";
import { type Cell, cellsOf, key, parseLaying, parsePosition, printLaying } from "../src/geometry.ts";
import { type Candidate, NO_PLACEMENT, type Placement } from "../src/state/placement.ts";
import { Placer, rankCandidates } from "../src/state/placer.ts";
import { CASES } from "./cases.ts";

/** A position of Python's with one domino in hand and all its legal layings. */
const CASE = CASES.find(({ legal }) =>
  ["+", "-"].every((side) => legal.filter((one) => one.includes(side)).length > 3),
)!;
const OTHER = SET_120.tiles
  .map(({ name }) => name)
  .find((name) => name !== CASE.tile && !CASE.position.includes(name))!;

const candidatesOf = (layings: readonly string[]): Candidate[] =>
  layings.map((text) => ({ laying: parseLaying(text) }));

function placer(): Placer {
  const placement = signal<Placement>({
    ...NO_PLACEMENT,
    set: SET_120,
    hand: [CASE.tile, OTHER],
    layings: parsePosition(CASE.position),
    candidates: new Map([
      [CASE.tile, candidatesOf(CASE.legal)],
      [OTHER, []],
    ]),
  });
  const made = new Placer(placement);
  placements.set(made, placement);
  return made;
}

const placements = new WeakMap<Placer, Signal<Placement>>();

/** Something else can be placed. */
function place(one: Placer, changes: Partial<Placement>): void {
  const placement = placements.get(one)!;
  placement.value = { ...placement.value, ...changes };
}

const ghost = (one: Placer) => (one.ghost.value ? printLaying(one.ghost.value.laying) : null);
const ofSide = (side: string) => CASE.legal.filter((text) => parseLaying(text).side === side);
const covers = (text: string, cell: Cell) => cellsOf(parseLaying(text)).some((one) => key(one) === key(cell));
/** A cell with several poses of one face. */
function crowded(side: string): Cell {
  const cells = ofSide(side).flatMap((text) => cellsOf(parseLaying(text)));
  return cells.find((cell) => ofSide(side).filter((text) => covers(text, cell)).length > 1)!;
}

test("nothing is in hand at first, and nothing can be placed", () => {
  const one = placer();
  assert.equal(one.places.value.size, 0);
  one.point([0, 0]);
  assert.equal(one.choose([0, 0]), false);
  assert.equal(ghost(one), null);
  assert.equal(one.confirmed(), null);
  one.walk(0);
  assert.equal(ghost(one), null);
});

test("with a face in hand, exactly the cells that it reaches are places", () => {
  const one = placer();
  for (const side of ["+", "-"] as const) {
    one.take(CASE.tile, side);
    const cells = new Set(ofSide(side).flatMap((text) => cellsOf(parseLaying(text)).map(key)));
    assert.deepEqual([...one.places.value.keys()].sort(), [...cells].sort());
  }
});

test("taking the same face once more puts it down", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  one.take(CASE.tile, "-");
  assert.equal(one.tile.value, CASE.tile);
  one.take(CASE.tile, "-");
  assert.equal(one.tile.value, null);
});

test("pointing shows a ghost, leaving takes it away, choosing keeps it", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const cell = crowded("+");
  one.point(cell);
  assert.ok(covers(ghost(one)!, cell));
  assert.equal(one.pinned.value, false);
  one.point(null);
  assert.equal(ghost(one), null);
  assert.equal(one.choose(cell), true);
  const kept = ghost(one);
  one.point(null);
  one.point([99, 99]);
  assert.equal(ghost(one), kept);
  assert.ok(CASE.legal.includes(kept!));
});

test("turning cycles through the legal poses only, both ways; so does choosing the ghost", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const cell = crowded("+");
  const wanted = ofSide("+").filter((text) => covers(text, cell));
  one.choose(cell);
  const seen = [];
  for (let i = 0; i < wanted.length; i++) {
    seen.push(ghost(one)!);
    one.turn(1);
  }
  assert.equal(ghost(one), seen[0]);
  assert.deepEqual([...seen].sort(), [...wanted].sort());
  one.turn(-1);
  assert.equal(ghost(one), seen.at(-1));
  one.turn(1);
  assert.equal(one.choose(cell), true);
  assert.equal(ghost(one), seen[1]);
});

test("turning over shows the other face at the same cell, if it fits there", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const both = ofSide("+")
    .flatMap((text) => cellsOf(parseLaying(text)))
    .find((cell) => ofSide("-").some((text) => covers(text, cell)));
  assert.ok(both, "the case has a cell for both faces");
  one.choose(both);
  one.flip();
  assert.equal(one.side.value, "-");
  assert.ok(covers(ghost(one)!, both));
  assert.equal(one.pinned.value, true);
  const only = ofSide("-")
    .flatMap((text) => cellsOf(parseLaying(text)))
    .find((cell) => !ofSide("+").some((text) => covers(text, cell)));
  if (only) {
    one.cancel();
    one.choose(only);
    one.flip();
    assert.equal(ghost(one), null);
    assert.equal(one.tile.value, CASE.tile);
  }
});

test("walking by arrows reaches places, and can go back", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  one.walk(0);
  assert.ok(one.pinned.value && ghost(one));
  const seen = new Set([key(one.cell.value!)]);
  // North, east, south, west, again and again: every step lands on a place, never backwards.
  for (let i = 0; i < 80; i++) {
    const direction = Math.floor(i / 5) % 4;
    const before = one.cell.value!;
    one.walk(direction);
    const after = one.cell.value!;
    assert.ok(one.places.value.has(key(after)));
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const along = [-dy, dx, dy, -dx][direction]!;
    assert.ok(along > 0 || (dx === 0 && dy === 0));
    seen.add(key(after));
  }
  assert.ok(seen.size > 3);
});

test("every legal laying can be shown, and is what will be laid", () => {
  const one = placer();
  for (const text of CASE.legal) {
    one.show(parseLaying(text));
    assert.equal(ghost(one), text);
    assert.equal(printLaying(one.confirmed()!), text);
  }
});

test("an illegal laying is explained, with where it clashes", () => {
  const one = placer();
  const reasons = new Set<string>();
  for (const { laying: text, refusal } of CASES.flatMap((other) =>
    other.position === CASE.position ? other.tries : [],
  )) {
    const laying = parseLaying(text);
    one.show(laying); // Takes its rotation and side.
    one.cancel();
    if (!one.choose([laying.x, laying.y])) {
      const illegal = one.illegal.value!;
      assert.equal(printLaying(illegal.laying), text);
      assert.equal(illegal.reason, refusal);
      assert.equal(illegal.discs.length > 0, refusal === "clash" || clashesToo(illegal.reason, illegal.discs));
      reasons.add(illegal.reason);
    }
  }
  assert.ok(reasons.size > 1);
});

const clashesToo = (reason: string, discs: readonly unknown[]) => reason === "overlap" && discs.length > 0;

test("an illegal laying turns in the hand, and is forgotten by a place or by cancelling", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  one.choose([50, 50]);
  assert.equal(one.illegal.value!.reason, "no_contact");
  const before = one.illegal.value!.laying.rotation;
  one.turn(1);
  assert.equal(one.illegal.value!.laying.rotation, (before + 1) % 4);
  one.point(crowded("+"));
  assert.equal(one.illegal.value, null);
  one.choose([50, 50]);
  one.cancel();
  assert.equal(one.illegal.value, null);
});

test("outside a frame is outside, even if more is wrong", () => {
  const one = placer();
  place(one, { frame: { width: 4, height: 4 } });
  one.take(CASE.tile, "+");
  one.choose([9, 9]);
  assert.equal(one.illegal.value!.reason, "outside");
});

test("a domino that fits with its other face only says so", () => {
  const one = placer();
  const only = candidatesOf(ofSide("-"));
  place(one, { hand: [CASE.tile], layings: parsePosition(CASE.position), candidates: new Map([[CASE.tile, only]]) });
  one.take(CASE.tile, "+");
  assert.equal(one.otherFace.value, true);
  one.flip();
  assert.equal(one.otherFace.value, false);
});

test("a prepared laying stays while it is legal, in its pose", () => {
  const one = placer();
  one.show(parseLaying(CASE.legal.at(-1)!));
  const layings = parsePosition(CASE.position);
  const fewer = CASE.legal.filter((_, i) => i % 2 === (CASE.legal.length - 1) % 2);
  place(one, { hand: [OTHER, CASE.tile], layings: layings, candidates: new Map([[CASE.tile, candidatesOf(fewer)]]) });
  assert.equal(ghost(one), CASE.legal.at(-1));
  assert.equal(one.pinned.value, true);
});

test("a prepared laying that has become illegal is lost; the domino stays in hand", () => {
  const one = placer();
  one.show(parseLaying(CASE.legal[0]!));
  place(one, {
    hand: [CASE.tile],
    layings: parsePosition(CASE.position),
    candidates: new Map([[CASE.tile, candidatesOf(CASE.legal.slice(1))]]),
  });
  assert.equal(ghost(one), null);
  assert.equal(one.pinned.value, false);
  assert.equal(one.tile.value, CASE.tile);
});

test("a domino that is gone is not in hand any more", () => {
  const one = placer();
  one.show(parseLaying(CASE.legal[0]!));
  place(one, { hand: [OTHER], layings: parsePosition(CASE.position), candidates: new Map() });
  assert.equal(one.tile.value, null);
  assert.equal(ghost(one), null);
});

test("the list of layings has the best first", () => {
  const scored = (points: number) => ({ laying: "", contacts: 0, disc_points: 0, groups: [], group_points: 0, points });
  const all: Candidate[] = candidatesOf(CASE.legal).map((one, i) => ({ ...one, scored: scored(i % 3) }));
  const order = rankCandidates(all).map(({ scored: one }) => one!.points);
  assert.deepEqual(
    order,
    [...order].sort((a, b) => b - a),
  );
  assert.equal(order.length, all.length);
  assert.notEqual(rankCandidates(all), all);
});

test("the keyboard takes the first domino that fits somewhere", () => {
  const one = placer();
  place(one, { hand: [OTHER, CASE.tile] });
  one.takeFitting();
  assert.equal(one.tile.value, CASE.tile);
  one.takeFitting();
  assert.equal(one.tile.value, CASE.tile, "and keeps it");
  one.take(OTHER);
  one.takeFitting();
  assert.equal(one.tile.value, CASE.tile);
  one.drop();
  place(one, { candidates: new Map() });
  one.takeFitting();
  assert.equal(one.tile.value, OTHER, "where nothing is known, the first one");
});

/** The rotation of what is shown. */
const shownRotation = (one: Placer) => one.ghost.value?.laying.rotation ?? null;

test("a pose that was chosen stays while the pointer moves within the cell", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const cell = crowded("+");
  one.point(cell);
  one.turn(1);
  const chosen = ghost(one);
  assert.equal(one.pose.value, 1);
  one.point([...cell]);
  assert.equal(ghost(one), chosen);
  assert.equal(one.choose(cell), true);
  assert.equal(ghost(one), chosen, "a click keeps it, too");
});

test("in another cell the rotation that was chosen is preferred where it fits, and every cell begins with its first pose", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const cells = [...one.places.value.values()];
  for (const cell of cells) {
    one.point(cell);
    const count = one.poses.value.length;
    assert.equal(one.pose.value, 0);
    for (let i = 0; i < count; i++) {
      const [wanted, before] = [one.hold.value.rotation, ghost(one)];
      for (const other of cells) {
        one.point(other);
        assert.equal(one.pose.value, 0);
        const rotations = ofSide("+")
          .filter((text) => covers(text, other))
          .map((text) => parseLaying(text).rotation);
        assert.equal(
          shownRotation(one) === wanted,
          rotations.includes(wanted),
          "the same rotation wherever it is legal",
        );
      }
      one.point(cell);
      assert.equal(ghost(one), before, "and back");
      one.turn(1);
    }
  }
});

test("what is chosen is forgotten neither by leaving, nor by turning over, nor by laying", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  one.turn(1);
  one.turn(1);
  assert.equal(one.hold.value.rotation, 2, "turned in the hand");
  one.point(crowded("+"));
  one.point(null);
  one.flip();
  one.flip();
  assert.equal(one.hold.value.rotation, 2);
  one.show(parseLaying(CASE.legal[0]!));
  one.confirmed();
  one.drop();
  one.take(CASE.tile, "-");
  assert.equal(one.hold.value.rotation, parseLaying(CASE.legal[0]!).rotation);
});

/** A cell of one face with a single pose. */
const single = (side: string) =>
  [
    ...new Map(
      ofSide(side)
        .flatMap((text) => cellsOf(parseLaying(text)))
        .map((cell) => [key(cell), cell]),
    ).values(),
  ].find((cell) => ofSide(side).filter((text) => covers(text, cell)).length === 1)!;

test("a carried domino goes to places nearby, turns there, and is free elsewhere", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const [x, y] = crowded("+");
  one.carry(x + 0.2, y + 0.9);
  assert.ok(covers(ghost(one)!, [x, y]));
  const before = ghost(one);
  one.turn(1);
  assert.notEqual(ghost(one), before);
  const turned = ghost(one);
  one.carry(x + 0.3, y + 0.8);
  assert.equal(ghost(one), turned, "and stays turned");
  one.carry(x + 40, y);
  assert.equal(ghost(one), null);
  const { rotation } = one.hold.value;
  one.turn(-1);
  assert.equal(one.hold.value.rotation, (rotation + 3) % 4, "it turns in the air");
});

test("where a carried domino has one pose only, turning lifts it; all the way round it is down again", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const [x, y] = single("+");
  one.carry(x + 0.5, y + 0.5);
  const only = ghost(one);
  const { rotation } = one.ghost.value!.laying;
  for (let turn = 1; turn < 4; turn++) {
    one.turn(1);
    assert.equal(ghost(one), null);
    assert.equal(one.hold.value.rotation, (rotation + turn) % 4);
    one.carry(x + 0.4, y + 0.5);
    assert.equal(ghost(one), null, "until another cell is entered");
  }
  one.turn(1);
  assert.equal(ghost(one), only);
});

test("let go at a place it waits there; let go where it cannot lie, it goes back with a reason", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const [x, y] = crowded("+");
  one.carry(x + 0.5, y + 0.5);
  const shown = ghost(one);
  assert.equal(one.release(true), true);
  assert.equal(one.pinned.value, true);
  assert.equal(ghost(one), shown);

  const [laid] = parsePosition(CASE.position);
  one.carry(90, 90);
  assert.equal(one.release(true), false);
  assert.equal(one.refused.value!.reason, "no_contact");
  assert.equal(one.tile.value, CASE.tile, "it is still in hand");
  one.carry(laid!.x + 0.5, laid!.y + 0.5);
  if (!one.ghost.value) {
    one.release(true);
    assert.equal(one.refused.value!.reason, "overlap");
  }
  one.carry(90, 90);
  assert.equal(one.release(false), false, "beside the table");
  assert.equal(one.refused.value, null, "nothing is to be said");
  place(one, { frame: { width: 4, height: 4 } });
  one.carry(90, 90);
  one.release(true);
  assert.equal(one.refused.value!.reason, "outside");
  one.point(crowded("+"));
  assert.equal(one.refused.value, null, "forgotten at the next place");
});

test("turned over while it is carried, it goes where the other face fits", () => {
  const one = placer();
  one.take(CASE.tile, "+");
  const only = ofSide("-")
    .flatMap((text) => cellsOf(parseLaying(text)))
    .find((cell) => !ofSide("+").some((text) => covers(text, cell)));
  assert.ok(only, "the case has such a cell");
  one.carry(only[0] + 0.5, only[1] + 0.5);
  one.flip();
  assert.ok(covers(ghost(one)!, only));
});
