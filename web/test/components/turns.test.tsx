/** The table of a turn game: players, hand, history, and the list of legal layings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { TABLES } from "../../src/games/tables.ts";
import { may } from "../fake-socket.ts";
import { all, assertFocused, get, key, names, press, show, text } from "./page.ts";
import { messageOf, moves, sit, deliver } from "./table.ts";

const LAYINGS = may({ ZBGRY: ["ZBGRY+0@2,0", "ZBGRY-1@0,1"], PGBYR: [] });

async function table(situation: Parameters<typeof sit>[0] = {}) {
  const session = await sit({ more: LAYINGS, ...situation });
  const { default: Table } = await TABLES.classic!();
  await show(<Table session={session as never} />);
  return session;
}

const player = (name: RegExp) => all("listitem").filter((item) => name.test(text(item)))[0]!;

test("players are listed with what they have, and whose turn it is", async () => {
  await table({ view: { scores: [12, -3], hand_counts: [2, 1] } });
  assert.equal(player(/Ann/).getAttribute("aria-current"), "true");
  assert.equal(player(/Bob/).getAttribute("aria-current"), null);
  assert.match(text(player(/Ann/)), /you/);
  assert.equal(all("img", "12 points").length, 1);
  assert.equal(all("img", "−3 points").length, 1);
});

test("the bar says what is to be done", async () => {
  await table();
  assert.match(text(), /Your turn: lay a domino/);
});

test("both faces of a domino in hand are buttons that say where they fit; keys take and turn it over", async () => {
  await table();
  const faces = all("button", /fits|nowhere/);
  assert.equal(faces.length, 4);
  assert.deepEqual(
    faces.map((face) => face.getAttribute("aria-pressed")),
    ["false", "false", "false", "false"],
  );
  await key("1");
  assert.equal(all("button", /fits|nowhere/)[0]!.getAttribute("aria-pressed"), "true");
  await key("f");
  assert.equal(all("button", /fits|nowhere/)[1]!.getAttribute("aria-pressed"), "true");
});

test("the list of layings has the best first, arrows walk in it, and Enter lays", async () => {
  await table();
  const list = all("group").find((group) => /All possible places/.test(text(group))) as HTMLDetailsElement;
  list.open = true;
  const layings = all("button", /^(front|back),/i);
  assert.equal(layings.length, 2);
  layings[0]!.focus();
  await key("ArrowDown");
  assertFocused(layings[1]);
  await key("ArrowUp");
  await key("Enter");
  assert.equal(moves().at(-1)?.move, "lay");
});

test("the history has the newest turn on top, and arrows walk in it", async () => {
  await table();
  const laid = (player: number, laying: string) => ({
    event: "laid",
    player,
    laying,
    earned: { contacts: 1, groups: [] },
    scores: true,
    charge: 0,
  });
  await deliver({
    ...messageOf({ view: { active: 0 } }, 2),
    events: [laid(1, "ZBGRY+0@2,0")] as never,
  });
  await deliver({ ...messageOf({}, 3), events: [laid(0, "PGBYR+0@4,0")] as never });
  const lines = [...get("region", "History").querySelectorAll("li button")] as HTMLButtonElement[];
  assert.deepEqual(
    lines.map((line) => text(line).split(" ")[0]),
    ["Ann,", "Bob,"],
  );
  lines[0]!.focus();
  await key("ArrowDown");
  assertFocused(lines[1]);
});

test("who cannot lay has buttons for what else may be done", async () => {
  await table({
    more: may(
      {},
      [
        { player: 0, move: "undo" },
        { player: 0, move: "end" },
      ],
      false,
    ),
    view: { can_undo: true },
  });
  await press("button", /^End/);
  assert.equal(moves().at(-1)?.move, "end");
  assert.ok(names("button").some((name) => /undo|take back/i.test(name)));
});
