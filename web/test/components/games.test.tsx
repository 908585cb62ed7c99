/** What single games add to their tables. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { groupsOf } from "../../src/board/groups.ts";
import { SET_120 } from "../../src/data.ts";
import { TABLES } from "../../src/games/tables.ts";
import { parseLaying } from "../../src/geometry.ts";
import type { TableMessage } from "../../src/net/protocol.ts";
import { may } from "../fake-socket.ts";
import { all, assertFocused, fill, get, key, listen, names, press, show, text } from "./page.ts";
import { messageOf, moves, sit, deliver } from "./table.ts";

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
  out: [],
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

test("Alex: a number that was chosen stays, and is asked for again if it has become too low", async () => {
  await table("alex", ALEX);
  await fill(get("textbox", /points/i), "7");
  const more = (points: number) => ({
    view: { game: "alex", ...ALEX, announcements: [...ALEX.announcements, { player: 1, points }] },
    table: { game: "alex" },
  });
  await deliver(messageOf(more(6), 2));
  get("button", "Announce 7");
  await deliver(messageOf(more(9), 3));
  await press("button", "Announce 7");
  assert.deepEqual(moves(), []);
  assert.match(text(), /7: Bob announces 9/);
  get("button", /^Announce 10/);
});

test("Alex: an announcement of another player does not change a press that is under way", async () => {
  await table("alex", ALEX);
  const heard = listen();
  const announcements = [...ALEX.announcements, { player: 1, points: 8 }];
  await deliver(messageOf({ view: { game: "alex", ...ALEX, announcements }, table: { game: "alex" } }, 2));
  await press("button", /^Announce 9/);
  await key("Enter");
  await key("n");
  assert.deepEqual(moves(), []);
  assert.ok(heard.includes("This has just changed. Look again."));
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
