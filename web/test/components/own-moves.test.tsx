/** The moves that only the game of a package has: buttons, lists and what is searched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import PackageTable from "../../src/tables/package-table.tsx";
import { may } from "../fake-socket.ts";
import { all, assertFocused, fill, get, key, names, press, show, text } from "./page.ts";
import { messageOf, moves, sit, deliver } from "./table.ts";

const OWN = { view: { game: "own" }, table: { game: "own" } };
const legal = (...listed: object[]) => may({}, listed.map((move) => ({ player: 0, ...move })) as never, false);
const kinds = (count: number) => Array.from({ length: count }, (_, i) => ({ move: `kind_${i}` }));
const bids = (count: number) => Array.from({ length: count }, (_, bid) => ({ move: "bid", bid }));

async function table(...listed: object[]) {
  const session = await sit({ ...OWN, more: legal(...listed) });
  await show(<PackageTable session={session as never} />);
}

test("two kinds with one move each are two buttons", async () => {
  await table({ move: "end" }, ...kinds(2));
  assert.ok(names("button").includes("Kind 1"));
  await press("button", "Kind 0");
  assert.deepEqual(moves(), [{ player: 0, move: "kind_0" }]);
});

test("more kinds share a button, and are listed under their names", async () => {
  await table(...kinds(3), ...bids(2));
  assert.ok(!names("button").includes("Kind 0"));
  await press("button", "More moves");
  const list = get("region", "More moves");
  assert.deepEqual(
    [...list.querySelectorAll("h3")].map((title) => text(title)),
    ["Kind 0", "Kind 1", "Kind 2", "Bid"],
  );
  assertFocused(get("button", "Kind 0"));
  await press("button", "Bid 1");
  assert.deepEqual(moves(), [{ player: 0, move: "bid", bid: 1 }]);
  assert.equal(all("region", "More moves").length, 0);
});

test("a long list is searched, and shows a part of what is found", async () => {
  await table(...bids(5000));
  await press("button", "Bid");
  const field = get("searchbox", "Search the moves");
  assertFocused(field);
  assert.equal(all("button", /^Bid \d/).length, 60);
  assert.match(text(get("region", "Bid")), /and 4,940 more/);
  await fill(field, "4999");
  assert.deepEqual(
    names("button").filter((name) => /^Bid \d/.test(name)),
    ["Bid 4,999"],
  );
});

test("Escape closes the list and returns to its button", async () => {
  await table(...bids(2));
  await press("button", "Bid");
  await key("Escape");
  assert.equal(all("region", "Bid").length, 0);
  assertFocused(get("button", "Bid"));
});

test("a list without moves closes, and does not open again by itself", async () => {
  await table(...bids(2));
  await press("button", "Bid");
  await deliver(messageOf({ ...OWN, more: legal({ move: "end" }) }, 2));
  assert.equal(all("region", "Bid").length, 0);
  await deliver(messageOf({ ...OWN, more: legal(...bids(2)) }, 3));
  assert.equal(all("region", "Bid").length, 0);
});

test("who is not on turn has no buttons", async () => {
  const session = await sit({ view: { game: "own", active: 1 }, table: { game: "own" }, more: legal(...kinds(1)) });
  await show(<PackageTable session={session as never} />);
  assert.ok(!names("button").includes("Kind 0"));
});
