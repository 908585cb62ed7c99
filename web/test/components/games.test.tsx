/** What single games add to their tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf } from "../../src/board/groups.ts";
import { SET_120 } from "../../src/data.ts";
import { TABLES } from "../../src/games/tables.ts";
import { parseLaying } from "../../src/geometry.ts";
import type { TableMessage } from "../../src/net/protocol.ts";
import { may } from "../fake-socket.ts";
import { all, assertFocused, fill, get, key, names, press, show, text } from "./page.ts";
import { moves, sit } from "./table.ts";

async function table(game: string, view: object, more: Partial<TableMessage> = {}) {
  const session = await sit({ view: { game, ...view }, table: { game }, more: { ...may({}), ...more } });
  const { default: Table } = await TABLES[game]!();
  await show(<Table session={session as never} />);
}

const ALEX = {
  phase: "sandglass",
  options: { end: "target", target: 60, rounds: 5, sandglass: 120, look: 0, set: "120" },
  scores: [0, 0],
  mistakes: [0, 1],
  round: 1,
  drawn: ["ZBGRY", "PGBYR"],
  sitting_out: [],
  announcements: [{ player: 1, points: 4 }],
  passed: [],
  failed: [],
  shower: null,
  hand: [],
  hand_counts: null,
};

test("Alex: announcements are listed, and more than the highest is offered", async () => {
  await table("alex", ALEX);
  assert.match(text(get("list", "Announcements")), /4 Bob/);
  await press("button", /^Announce 5/);
  const sent = moves().at(-1);
  assert.deepEqual([sent?.move, sent?.announced], ["announce", 5]);
});

test("Alex: digits typed anywhere make a number, which Enter announces", async () => {
  await table("alex", ALEX);
  await key("1");
  await key("2");
  await key("Enter");
  assert.equal(moves().at(-1)?.announced, 12);
});

test("Alex: too few points cannot be announced", async () => {
  await table("alex", ALEX);
  const field = get("textbox", /points/i);
  await fill(field, "3");
  assert.equal(field.getAttribute("aria-invalid"), "true");
  await key("Enter");
  assert.deepEqual(moves(), []);
});

const AUCTION = {
  active: 1,
  bidding: { bid: 6, holder: 0, asked: 0, out: [] },
  auctioned: true,
  declined: [],
};

test("auction: the bidder who is asked raises or passes", async () => {
  await table("auction", { ...AUCTION, bidding: { bid: 6, holder: 1, asked: 0, out: [] } }, { acting: [0] });
  const auction = get("region", "Auction");
  assert.match(text(auction), /6/);
  assert.match(text(auction), /Ann/);
  await press("button", /8$/);
  assert.deepEqual([moves().at(-1)?.move, moves().at(-1)?.bid], ["raise", 8]);
});

test("auction: who only watches the bids has no answer", async () => {
  await table("auction", { ...AUCTION, bidding: { bid: 6, holder: 0, asked: 1, out: [] } });
  assert.deepEqual(
    names("button").filter((name) => /pass|raise/i.test(name)),
    [],
  );
});

const SEVENTY_TWO = {
  phase: "play",
  options: { set: "72", first: 0 },
  tokens: [5, 7],
  markers_left: [3, 2],
  markers: [],
  reserve: 9,
  premium: 1,
  last_turns: null,
  laid: false,
  table: "",
  hand: ["CRYGB"],
};

test("72: tokens, markers and the premium stand with their player, and the reserve in the tray", async () => {
  await table("72", SEVENTY_TWO);
  assert.deepEqual(
    names("img").filter((name) => /token/.test(name)),
    ["5 tokens", "7 tokens"],
  );
  assert.equal(all("img", /^3 marker/).length, 1);
  assert.match(text(get("region", /reserve/i)), /9/);
});

test("conquest: groups that may be marked are chosen by arrows, and Enter marks", async () => {
  const groups = groupsOf(["DRYGB+0@0,0", "ZBGRY+0@2,0"].map(parseLaying), SET_120).slice(0, 2);
  await table(
    "conquest",
    {
      table: "DRYGB+0@0,0 ZBGRY+0@2,0",
      marks: [],
      marks_left: [2, 2],
      options: { target: 60, first: 0, set: "120" },
    },
    may(
      {},
      [...groups.map(({ discs }) => ({ player: 0, move: "mark", disc: discs[0]! })), { player: 0, move: "end" }],
      false,
    ),
  );
  const choices = all("button", /disc/i);
  assert.ok(choices.length >= 1, names("button").join(" | "));
  choices[0]!.focus();
  await key("ArrowRight");
  assertFocused(choices[1 % choices.length]);
  await key("Enter");
  assert.equal(moves().at(-1)?.move, "mark");
});
