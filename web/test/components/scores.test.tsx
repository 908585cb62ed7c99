import assert from "node:assert/strict";
import { test } from "node:test";
import { ScoreRibbon } from "../../src/panels/ribbon.tsx";
import { TurnBar } from "../../src/panels/turn-bar.tsx";
import { all, get, key, listen, press, show, text } from "./page.ts";

const ribbon = () => show(<ScoreRibbon scores={[12, 30]} names={["Ann", "Bob"]} target={60} />);

test("the line of scores says who has how much", async () => {
  await ribbon();
  const name = /Ann: 12 points, Bob: 30 points/;
  assert.equal(all("img", name).length, 1);
});

test("it opens the score track, and Escape closes that", async () => {
  await ribbon();
  assert.equal(all("dialog").length, 0);
  await press("button", /./);
  get("dialog", "Score track");
  await key("Escape");
  assert.equal(all("dialog").length, 0);
});

test("the bar shows what is to be done, or why it was refused, and says both", async () => {
  const heard = listen();
  await show(<TurnBar seat={0} mine text="Lay a domino" notice={{ text: "It is not your turn.", code: "" }} />);
  assert.equal(text(), "It is not your turn.");
  assert.deepEqual(heard.sort(), ["It is not your turn.", "Lay a domino"]);
  await show(<TurnBar seat={0} mine text="Lay a domino" notice={null} />);
  assert.equal(text(), "Lay a domino");
});
