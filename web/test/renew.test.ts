import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { LEAVING_MS, loadOrRenew, RELOAD_DELAY_MS } from "../src/shell/renew.ts";

let reloads = 0;
let page: EventTarget;

const replace = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, configurable: true });

beforeEach(() => {
  reloads = 0;
  page = new EventTarget();
  replace("addEventListener", page.addEventListener.bind(page));
  replace("removeEventListener", page.removeEventListener.bind(page));
  replace("location", { reload: () => reloads++ });
  mock.timers.enable({ apis: ["setTimeout"] });
});
afterEach(() => mock.timers.reset());

/** A part that fails to load after `before`; resolves once that was handled. */
async function fail(before: () => void = () => undefined, isWanted?: () => boolean): Promise<void> {
  void loadOrRenew(async () => {
    before();
    throw new TypeError("Failed to fetch");
  }, isWanted);
  await new Promise((done) => setImmediate(done));
}

const leave = () => void page.dispatchEvent(new Event("beforeunload"));

test("a part that is loaded is returned, and the page stays", async () => {
  assert.equal(await loadOrRenew(async () => 7), 7);
  mock.timers.tick(LEAVING_MS);
  assert.equal(reloads, 0);
});

test("a page whose part cannot be loaded is loaded again", async () => {
  await fail();
  assert.equal(reloads, 0);
  mock.timers.tick(RELOAD_DELAY_MS);
  assert.equal(reloads, 1);
});

test("a page that is being left does not come back before the next page has had time to arrive", async () => {
  await fail(leave);
  mock.timers.tick(LEAVING_MS - 1);
  assert.equal(reloads, 0);
  mock.timers.tick(1);
  assert.equal(reloads, 1, "the reader has stayed");
});

test("a part that is no longer wanted may fail", async () => {
  await fail(undefined, () => false);
  mock.timers.tick(LEAVING_MS);
  assert.equal(reloads, 0);
});
