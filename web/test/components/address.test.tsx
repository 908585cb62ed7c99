/** The address is the only state of the replay and of the print page: what is shown follows from it. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import PrintPage from "../../src/pages/print.tsx";
import ReplayPage from "../../src/pages/replay.tsx";
import { address, amend, go } from "../../src/shell/router.ts";
import { speakAt } from "../../src/i18n.ts";
import { GAME } from "./replayed-game.ts";
import { serve } from "./server.ts";
import { after, all, fill, find, get, key, press, show, text } from "./page.ts";

/** Wait until the browser's own address follows. */
async function waitForLocation(pattern: RegExp): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!pattern.test(location.href)) {
    assert.ok(Date.now() < deadline, `${location.href} becomes ${pattern}`);
    await after(() => undefined);
  }
}

async function openReplay(to: string, answers: Record<string, unknown> = {}): Promise<void> {
  localStorage.clear();
  serve({ "/api/tables/abc/replay": GAME, "/api/legal": {}, ...answers });
  go(to);
  await show(null);
  await speakAt("replay");
  await show(<ReplayPage argument="abc" />);
  await find("slider");
}

const position = () => (get("slider") as HTMLInputElement).value;

afterEach(async () => {
  await show(null);
  go("/");
});

test("a replay shows the position of its address, and writes a missing one", async () => {
  await openReplay("/replay/abc#2");
  assert.equal(position(), "2");
  await openReplay("/replay/abc");
  assert.equal(position(), "0");
  await waitForLocation(/\/replay\/abc#0$/);
});

test("keys and buttons change the address of a replay, and only by it the position", async () => {
  await openReplay("/replay/abc#1");
  await key("ArrowRight");
  assert.equal(address.value.hash, "#2");
  assert.equal(position(), "2");
  await press("button", "To the end");
  assert.equal(address.value.hash, "#3");
  await waitForLocation(/#3$/);
  await after(() => amend("/replay/abc#1"));
  assert.equal(position(), "1");
});

test("an address that changes stops a replay that plays", async () => {
  await openReplay("/replay/abc#0");
  await key(" ");
  assert.equal(all("button", /Pause/).length, 1);
  await after(() => go("/replay/abc#2", { replace: true }));
  assert.equal(position(), "2");
  assert.equal(all("button", /Pause/).length, 0);
});

test("a turn that is shown belongs to its position", async () => {
  await openReplay("/replay/abc#1");
  await key("b");
  assert.match(text(), /9/);
  assert.equal(get("button", /^Show the best turn/).getAttribute("aria-pressed"), "true");
  await after(() => amend("/replay/abc#2"));
  assert.equal(get("button", /^Show the best turn/).getAttribute("aria-pressed"), "false");
});

async function openPrint(to: string): Promise<string[]> {
  const asked = serve({ "/api/print/pages": [{ title: "Page", width: 210, height: 297 }] });
  go(to);
  await show(null);
  await speakAt("print");
  await show(<PrintPage />);
  return asked;
}

const query = () => Object.fromEntries(new URLSearchParams(address.value.search));

test("a print is what its address says, and choices change the address", async () => {
  localStorage.clear();
  await openPrint("/print?what=set&size=60&paper=a4&language=en");
  const size = get("spinbutton", "Length of a domino") as HTMLInputElement;
  assert.equal(size.value, "60");
  await fill(size, "50");
  assert.deepEqual(query(), { what: "set", size: "50", paper: "a4", language: "en" });
  assert.equal(size.value, "50");
  await waitForLocation(/size=50/);
  await after(() => go("/print?what=set&size=70&paper=a4&language=en", { replace: true }));
  assert.equal((get("spinbutton", "Length of a domino") as HTMLInputElement).value, "70");
});

test("an address that leaves options open gets those that were chosen before", async () => {
  localStorage.clear();
  await openPrint("/print?what=set&paper=letter&language=en");
  await fill(get("spinbutton", "Length of a domino"), "50");
  await openPrint("/print");
  assert.deepEqual(query(), { what: "set", size: "50", paper: "letter", language: "en" });
});

test("two changes in quick succession are both kept", async () => {
  localStorage.clear();
  await openPrint("/print?what=calibration&offset=0%2C0&flip=long&paper=a4&language=en");
  const change = async (name: RegExp, value: string) => {
    const input = get("spinbutton", name) as HTMLInputElement;
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await Promise.resolve(); // The page is rendered; its effects wait.
  };
  await change(/To the right/, "0.4");
  await change(/Down/, "-0.3");
  await after(() => undefined);
  assert.equal(query().offset, "0.4,-0.3");
});

test("a best turn that is found too late changes neither the position nor the page", async () => {
  let answer = (_: object): void => undefined;
  const legal = new Promise((resolve) => (answer = resolve));
  await openReplay("/replay/abc#2", { "/api/legal": legal });
  await key("b");
  await key("Home");
  await key("b");
  await after(() => go("/analysis"));
  await after(() => answer({}));
  assert.equal(address.value.path, "/analysis");
  await openReplay("/replay/abc#2");
  await key("b");
  assert.match(text(), /The best turn of Ann: 9 points/);
});
