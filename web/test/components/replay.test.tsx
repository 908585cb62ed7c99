/** The start of the replay page: the example, records from disk, and games that cannot be replayed. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { speakAt } from "../../src/i18n.ts";
import ReplayPage from "../../src/pages/replay.tsx";
import { address, go } from "../../src/shell/router.ts";
import { after, all, find, get, names, press, show, text } from "./page.ts";
import { GAME } from "./replayed-game.ts";
import { refuse, serve } from "./server.ts";

async function openReplay(id: string, answers: Record<string, unknown>): Promise<void> {
  serve(answers);
  go(`/replay/${id}`.replace(/\/$/, ""));
  await show(null);
  await speakAt("replay");
  await show(<ReplayPage argument={id} />);
  await after(() => undefined);
}

/** Drop a file on the page. */
async function drop(content: string): Promise<void> {
  const event = Object.assign(new Event("drop", { cancelable: true }), {
    dataTransfer: { files: [{ text: async () => content }] },
  });
  await after(() => dispatchEvent(event));
}

afterEach(async () => {
  await show(null);
  sessionStorage.clear();
  go("/");
});

test("without a game the page shows the example, at its fullest turn", async () => {
  await openReplay("", { "/api/replay": GAME });
  assert.equal(((await find("slider")) as HTMLInputElement).value, "2");
  assert.ok(names("heading").includes("Replay"), names("heading").join(" | "));
});

test("a record from disk is shown from its beginning until it is closed", async () => {
  await openReplay("", { "/api/replay": GAME });
  await find("slider");
  await drop("{}");
  assert.equal((get("slider") as HTMLInputElement).value, "0");
  assert.equal(address.value.hash, "#0");
  assert.ok(!names("heading").includes("Replay"));
  await press("button", "Other games");
  assert.ok(names("heading").includes("Replay"));
});

test("a file that is not a record is refused, and the game that was shown stays", async () => {
  await openReplay("", { "/api/replay": GAME });
  await find("slider");
  await drop("no record");
  assert.match(text(), /This file is not a record of a game/);
  assert.equal(all("slider").length, 1);
});

test("a game that is not over is refused with a link to its table", async () => {
  await openReplay("abc", { "/api/tables/abc/replay": refuse("not_over") });
  assert.match(text(), /This game is not over yet/);
  assert.ok(all("link").some((link) => link.getAttribute("href") === "/t/abc"));
});
