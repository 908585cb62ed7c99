/** The engine is loaded ahead only where that costs its reader nothing. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { loadEngineAhead, mayLoadAhead } from "../src/state/engine-ahead.ts";
import { settings } from "../src/state/settings.ts";

const FILES = ["engine.device-1.js", "python-1.zip"];
let kept: Map<string, Response>;
let fetched: string[];

function setUp(connection: object | undefined, controller: object | null = {}): void {
  const define = (target: object, name: string, value: unknown) =>
    Object.defineProperty(target, name, { value, configurable: true });
  define(globalThis, "location", { href: "https://dalapapa.example/t/1" });
  define(globalThis, "document", { getElementById: () => ({ content: "/engine/" }) });
  define(globalThis, "indexedDB", {});
  define(navigator, "locks", {});
  define(navigator, "connection", connection);
  define(navigator, "serviceWorker", { controller });
  define(globalThis, "caches", { open: async () => ({ match: async (key: string) => kept.get(key)?.clone() }) });
  globalThis.fetch = async (address) => {
    const { pathname } = new URL(String(address));
    fetched.push(pathname);
    const body = pathname.endsWith("manifest.json") ? JSON.stringify({ files: FILES.map((path) => ({ path })) }) : "";
    kept.set(pathname, new Response(body));
    return new Response(body);
  };
}

beforeEach(() => {
  kept = new Map();
  fetched = [];
  settings.where.value = "server";
});

const ALL = ["/engine/manifest.json", ...FILES.map((name) => `/engine/${name}`)];

test("all files are fetched once", async () => {
  setUp(undefined);
  await loadEngineAhead();
  assert.deepEqual(fetched, ALL);
  await loadEngineAhead();
  assert.deepEqual(fetched, ALL, "they are kept");
  kept.delete(ALL[2]!);
  await loadEngineAhead();
  assert.equal(fetched.length, 2 * ALL.length);
});

for (const connection of [
  { saveData: true },
  { type: "cellular" },
  { effectiveType: "3g" },
  { effectiveType: "slow-2g" },
])
  test(`nothing is fetched with ${JSON.stringify(connection)}`, async () => {
    setUp(connection);
    await loadEngineAhead();
    assert.deepEqual(fetched, []);
  });

test("who has chosen to play on this device has consented, but still saves data", () => {
  settings.where.value = "device";
  setUp({ type: "cellular" });
  assert(mayLoadAhead());
  setUp({ type: "cellular", saveData: true });
  assert(!mayLoadAhead());
});

test("nothing is fetched where nothing would be kept", async () => {
  setUp(undefined, null);
  await loadEngineAhead();
  assert.deepEqual(fetched, []);
});
