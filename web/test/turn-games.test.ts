/** What Auction, Conquest and 72 add to the table of the turn games. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120 } from "../src/data.ts";
import { parsePosition } from "../src/geometry.ts";
import { findShownHand } from "../src/games/72/table.tsx";
import { fitting } from "../src/games/auction/bid-field.tsx";
import { lostMarks } from "../src/games/conquest/table.tsx";
import { groupsOf, groupWith } from "../src/board/groups.ts";

test("a bid is even and not below the least", () => {
  assert.equal(fitting(2, 2, 2), 2);
  assert.equal(fitting(7, 2, 2), 8);
  assert.equal(fitting(-5, 4, 2), 4);
  assert.equal(fitting(Number.NaN, 6, 2), 6);
  assert.equal(fitting(1e9, 2, 2), 1_000_000);
});

test("every complete disc is in one group, and a single domino has one", () => {
  const layings = parsePosition("PGBYR+0@0,0");
  const groups = groupsOf(layings, SET_120);
  assert.deepEqual(
    groups.map(({ discs }) => discs),
    [[[2, 1]]],
  );
  assert.equal(groupWith(groups, [2, 1]), groups[0]);
  assert.equal(groupWith(groups, [0, 1]), undefined);
  assert.equal(groupsOf(layings, SET_120), groups);
});

test("lost marks are shown until the next laying, or until they come back", () => {
  const lost = {
    version: 5,
    events: [
      { event: "laid" },
      {
        event: "marks_lost",
        players: [0, 2],
        discs: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
  };
  assert.deepEqual(lostMarks([lost]), [
    { player: 0, disc: [1, 2] },
    { player: 2, disc: [3, 4] },
  ]);
  assert.equal(lostMarks([lost, { version: 6, events: [{ event: "turn_ended" }] }]).length, 2);
  assert.deepEqual(lostMarks([lost, { version: 6, events: [{ event: "undone" }] }]), []);
  assert.deepEqual(lostMarks([lost, { version: 6, events: [{ event: "laid" }] }]), []);
});

test("who passes in 72 shows the hand until the next laying", () => {
  const showed = {
    version: 5,
    events: [
      { event: "passed", player: 1 },
      { event: "showed", player: 1, tiles: ["ZRBGY"] },
    ],
  };
  assert.deepEqual(findShownHand([showed]), { player: 1, tiles: ["ZRBGY"] });
  assert.equal(findShownHand([showed, { version: 6, events: [{ event: "laid" }] }]), null);
});
