import assert from "node:assert/strict";
import { test } from "node:test";
import { BidField } from "../../src/games/auction/bid-field.tsx";
import { fill, get, key, listen, press, show } from "./page.ts";

const value = () => (get("spinbutton", /^Bid/) as HTMLInputElement).value;

async function field(): Promise<number[]> {
  const bids: number[] = [];
  await show(
    <BidField
      does="call"
      means=""
      least={6}
      step={2}
      verb={(bid) => `Bid ${bid}`}
      onBid={(bid) => void bids.push(bid)}
    />,
  );
  return bids;
}

test("the least bid is offered first, and cannot be lowered", async () => {
  const bids = await field();
  assert.equal(value(), "6");
  assert.equal((get("button", "2 less") as HTMLButtonElement).disabled, true);
  await press("button", "Bid 6");
  assert.deepEqual(bids, [6]);
});

test("buttons step, and say the bid", async () => {
  const bids = await field();
  const heard = listen();
  await press("button", "2 more");
  await press("button", "+10");
  await press("button", "2 less");
  assert.equal(value(), "16");
  assert.deepEqual(heard, ["8", "18", "16"]);
  await press("button", "Bid 16");
  assert.deepEqual(bids, [16]);
});

test("an odd number is put right before Enter bids it", async () => {
  const bids = await field();
  await fill(get("spinbutton", /^Bid/), "9");
  await key("Enter");
  assert.equal(value(), "10");
  assert.deepEqual(bids, []);
  await key("Enter");
  assert.deepEqual(bids, [10]);
});
