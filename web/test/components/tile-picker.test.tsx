import assert from "node:assert/strict";
import { test } from "node:test";
import { SET_120 } from "../../src/data.ts";
import { TilePicker } from "../../src/panels/tile-picker.tsx";
import { after, all, fill, get, press, show, text } from "./page.ts";

const TILES = ["DRYGB", "PGBYR", "ZBGRY"].map((name) => SET_120.tiles.find((tile) => tile.name === name)!);

async function picker(): Promise<string[]> {
  const toggled: string[] = [];
  await show(
    <TilePicker
      set={SET_120}
      tiles={TILES}
      chosen={["PGBYR"]}
      laid={new Set(["ZBGRY"])}
      onToggle={(tile) => void toggled.push(tile)}
    />,
  );
  return toggled;
}

const dominoes = () => all("button", /^[A-Z]{5}\. /).map((button) => button.getAttribute("aria-label")!.slice(0, 5));

test("dominoes have their names and both faces in words", async () => {
  await picker();
  assert.deepEqual(dominoes(), ["DRYGB", "PGBYR", "ZBGRY"]);
  assert.match(text(), /3 dominoes/);
});

test("what is chosen is pressed, and what lies on the table cannot be chosen", async () => {
  const toggled = await picker();
  assert.equal(get("button", /^PGBYR/).getAttribute("aria-pressed"), "true");
  assert.equal((get("button", /^ZBGRY/) as HTMLButtonElement).disabled, true);
  await press("button", /^DRYGB/);
  assert.deepEqual(toggled, ["DRYGB"]);
});

test("they are found by figure, and by a part of the name in any case", async () => {
  await picker();
  await fill(get("combobox", "Figure"), "P");
  assert.deepEqual(dominoes(), ["PGBYR"]);
  await fill(get("combobox", "Figure"), "");
  await fill(get("searchbox", "Name"), "gry");
  await after(() => undefined);
  assert.deepEqual(dominoes(), ["ZBGRY"]);
  assert.match(text(), /1 domino\b/);
});
