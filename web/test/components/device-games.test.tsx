import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Refused } from "../../src/net/backend.ts";
import { host } from "../../src/net/device-host.ts";
import { DeviceGames } from "../../src/panels/device-games.tsx";
import { speakAlso } from "../../src/i18n.ts";
import { after, all, assertFocused, get, press, show } from "./page.ts";

let games: string[] = [];
let refuses = false;

beforeEach(() => {
  games = ["a", "b", "c"];
  refuses = false;
  host.listAll = async () =>
    games.map((name, i) => ({ id: `device-${name}`, state: "here", game: "classic", changed: 1000 - i, seats: [] }));
  host.request = async (path) => {
    if (refuses) throw new Refused("no_storage", "This browser could not change its storage.");
    games = games.filter((name) => path !== `/tables/device-${name}`);
  };
});

const open = async () => {
  await show(<DeviceGames onClose={() => {}} />);
  await after(() => speakAlso("device"));
};
const openers = () => all("button", /^Delete .*classic/i);

async function deleteGame(number: number) {
  await after(() => openers()[number]!.click());
  await press("button", "Delete");
  await after(() => {});
}

test("after a game was deleted, the focus is at the next one, then at the last one, then at the way to add some", async () => {
  await open();
  assert.equal(openers().length, 3);
  await deleteGame(1);
  assert.deepEqual(games, ["a", "c"]);
  assertFocused(openers()[1]);
  await deleteGame(1);
  assertFocused(openers()[0]);
  await deleteGame(0);
  assert.deepEqual(games, []);
  assertFocused(get("button", /add/i));
});

test("a game that is kept has the focus, also if it could not be deleted", async () => {
  await open();
  await after(() => openers()[1]!.click());
  await press("button", "Keep it");
  assertFocused(openers()[1]);
  refuses = true;
  await deleteGame(1);
  assertFocused(get("button", "Keep it"));
});
