import assert from "node:assert/strict";
import { test } from "node:test";
import { Dialog } from "../../src/shell/dialog.tsx";
import { all, get, key, listen, press, show, text } from "./page.ts";

const open = (more: { unasked?: boolean } = {}) => {
  const closed: number[] = [];
  return {
    closed,
    shown: show(
      <Dialog title="Score track" onClose={() => closed.push(1)} {...more}>
        <p>How far everyone is.</p>
        <button type="button">Fine</button>
      </Dialog>,
    ),
  };
};

test("a dialog has the name of its title and says what is in it", async () => {
  await open().shown;
  assert.match(text(get("dialog", "Score track")), /How far everyone is/);
  assert.equal(all("heading", "Score track").length, 1);
});

test("its button closes it", async () => {
  const { closed, shown } = open();
  await shown;
  await press("button", "Close");
  assert.equal(closed.length, 1);
});

test("Escape closes it", async () => {
  const { closed, shown } = open();
  await shown;
  get("button", "Fine").focus();
  await key("Escape");
  assert.equal(closed.length, 1);
});

test("one that comes by itself announces its title, and is read from its beginning on", async () => {
  const heard = listen();
  await open({ unasked: true }).shown;
  assert.deepEqual(heard, ["Score track"]);
  assert.ok(get("dialog", "Score track").firstElementChild === document.activeElement);
});
